"""How far a language model is from the exact G: mean divergences, beside the entropy that no model goes below."""

from __future__ import annotations

from typing import Any

import torch

from constructions.fields import Array
from constructions.models import HMM
from learned import mlm
from learned.data import exact_outputs, sample, stream


def evaluate(lm: Any, model: HMM, seed: int, sequences: int, length: int) -> tuple[float, Array]:
    """Hold a language model against G on sequences that it was not trained on, with one position masked at a time.

    Return the mean entropy of G, and the mean of KL(G_i || Ghat_i) for each position i, (length,), in nats.
    """
    training = lm.training
    lm.eval()
    tokens = sample(model, sequences, length, stream(seed, "evaluation"))
    exact = exact_outputs(model, tokens)
    with torch.no_grad():
        log_outputs = mlm.log_outputs(lm, tokens).double().cpu()
    entropy = -torch.xlogy(exact, exact).sum(-1)
    divergence = -(exact * log_outputs).sum(-1) - entropy
    lm.train(training)
    return float(entropy.mean()), divergence.mean(0)
