"""How far a language model is from the exact G: mean divergences, beside the entropy that no model goes below."""

from __future__ import annotations

from typing import Any

import torch

from constructions.fields import Array
from constructions.messages import masked_outputs
from constructions.models import HMM
from learned import mlm
from learned.data import exact_outputs, sample, stream
from learned.fields import TORCH


def evaluate(lm: Any, model: HMM, seed: int, sequences: int, length: int) -> tuple[float, Array]:
    """Hold a language model against G on sequences that it was not trained on, with one position masked at a time.

    Return the mean entropy of G, and the mean of KL(G_i || Ghat_i) for each position i, (length,), in nats.
    """
    training = lm.training
    lm.eval()
    tokens = sample(model, sequences, length, stream(seed, "evaluation"))
    exact = exact_outputs(model, tokens)
    with torch.no_grad():
        found = mlm.log_outputs(lm, tokens).double().cpu()
    entropy = -torch.xlogy(exact, exact).sum(-1)
    divergence = -(exact * found).sum(-1) - entropy
    lm.train(training)
    return float(entropy.mean()), divergence.mean(0)


def outputs_within(model: HMM, tokens: Array, reach: int) -> Array:
    """Return P[X_i | X_j for 0 < |i - j| <= reach], float64 (sequences, t, k): all that so near neighbours can tell.

    G is this with reach t - 1. How fast it comes near G says how far a language model of this chain has to look. For
    short sequences: each position takes a pass through all messages.
    """
    chain = model.chain(TORCH)
    known = chain.embed(tokens)
    places = torch.arange(tokens.shape[-1])
    found = []
    for i in places:
        near = (places - i).abs() <= reach
        found.append(masked_outputs(chain, torch.where(near.unsqueeze(-1), known, 1.0))[:, i])
    return torch.stack(found, 1)


def beyond(model: HMM, reach: int) -> float:
    """Return what is told from farther away: the mean of KL(G_i || G_i by so many neighbours on either side), in nats.

    Over all positions of 8 sequences of 149; the same in every call.
    """
    tokens = sample(model, 8, 149, stream(0, "evaluation"))
    exact, near = exact_outputs(model, tokens), outputs_within(model, tokens, reach)
    return float((torch.xlogy(exact, exact) - torch.xlogy(exact, near)).sum(-1).mean())
