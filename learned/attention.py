"""The attention head of the memory experiments: one query over the masked outputs of all positions.

    weights_i = softmax_i(q'f_i),    score = sum_i weights_i f_i'M[x_i] + bias,    f_i = features of G_i(x)

M[z] is the value row of token z: the paper's V(a, e) = b'((Theta_V a) o e) is, with free token embeddings e(z), any
bilinear form f'M[z] of rank at most |M||H|; and q'(Theta_K f) is any linear form, for whatever width. The masked first
position, whose token is unknown, has a row of its own. Softmax attention tends to the paper's arg max as ||q|| grows.

G_i here is P[X_i | X_-i] where X_1, too, is unknown: its message is 1 for every state.

Theorem 4.3 speaks of the inputs in R alone: those with a position i at which supp(P[H_i | X_-i]) lies in a recoverable
H* (assumption 4.2), the states h whose columns W[:,(m,h)] are all coloops, zero in every null vector of W. Where no
probability is 0 no posterior has a zero, so R is everything if H* = H and nothing otherwise. Nearly: at some position
one state has probability 1 - epsilon.

Source: Wei, Xie, Ma (2021), equation 4.2 and section 5 (a single-query attention layer on the sequence of outputs).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from constructions.fields import Array
from constructions.memory.coloops import Ground
from constructions.messages import Chain, joint
from constructions.models import HMM
from learned import mlm
from learned.data import BATCH, prepend
from learned.downstream import Downstream
from learned.fields import TORCH
from learned.tune import FEATURES, Schedule, accuracy, descent, logistic_loss

ATTENTION = Schedule(steps=600, batch=128, rate=0.03, prompt_rate=0.0, warmup=50)

CHECKS = 6


def behind_a_mask(chain: Chain, tokens: Array) -> Array:
    """Embed ([MASK], x): ones in front of e(x); tokens (N, t) give (N, t + 1, n)."""
    embeddings = chain.embed(tokens)
    return torch.cat([torch.ones_like(embeddings[:, :1]), embeddings], 1)


def hidden_posteriors(model: HMM, tokens: Array) -> Array:
    """Return P[H_i | X_-i] for the t + 1 positions of ([MASK], x), float32 (N, t + 1, n)."""
    chain = model.chain(TORCH)
    return torch.cat([joint(chain, behind_a_mask(chain, batch)).float() for batch in tokens.split(BATCH)])


def exact_sequence(model: HMM, tokens: Array) -> Array:
    """Return G_i for the t + 1 positions of ([MASK], x): tokens (N, t) give float32 (N, t + 1, k)."""
    chain = model.chain(TORCH)
    emission = TORCH.normalise(chain.emission.T)
    parts = (joint(chain, behind_a_mask(chain, batch)) @ emission for batch in tokens.split(BATCH))
    return torch.cat([part.float() for part in parts])


def learned_sequence(lm: Any, tokens: Array, positions: Sequence[int]) -> Array:
    """Return Ghat_i for chosen positions of ([MASK], x), each masked by itself beside the first: (N, positions, k)."""
    masked = prepend(mlm.mask_token(lm), tokens)
    with torch.no_grad():
        return torch.cat([mlm.outputs(lm, batch, positions).cpu() for batch in masked.split(BATCH // 16)])


def tune_attention(
    outputs: Array,
    positions: Sequence[int],
    task: Downstream,
    features: str,
    schedule: Schedule = ATTENTION,
    seed: int = 0,
) -> tuple[float, float]:
    """Train an attention head on outputs (N, positions, k) by Adam; return its accuracy on validation and test.

    The state of training that did best on validation counts. Features are standardised as they vary over training
    inputs.
    """
    x = FEATURES[features](outputs)
    training = x[task.rows("training")]
    x = (x - training.mean((0, 1))) / training.std((0, 1)).clamp_min(1e-2)
    tokens = prepend(x.shape[-1], task.tokens)[:, list(positions)]  # of the mask, a value row of its own
    generator = torch.Generator().manual_seed(seed)
    query = 0.1 * torch.randn(x.shape[-1], generator=generator)
    value, bias = torch.zeros(x.shape[-1] + 1, x.shape[-1]), torch.zeros(())
    parameters = [parameter.requires_grad_() for parameter in (query, value, bias)]

    def scores(rows: slice | Array) -> Array:
        f = x[rows]
        weights = (f @ query).softmax(-1)
        return (weights * (f * value[tokens[rows]]).sum(-1)).sum(-1) + bias

    def split_accuracy(split: str) -> float:
        with torch.no_grad():
            return float(accuracy(scores(task.rows(split)), task.labels[task.rows(split)]))

    best, test = -1.0, 0.0
    for step, batch in enumerate(descent(parameters, None, schedule, task.counts[0], seed), 1):
        logistic_loss(scores(batch), task.labels[batch]).backward()
        if step % max(1, schedule.steps // CHECKS) == 0 and (validation := split_accuracy("validation")) > best:
            best, test = validation, split_accuracy("test")
    return best, test


# On how many inputs is x in R?


NEARLY = (0.1, 0.01, 0.001, 0.0001)

INPUTS = 500


def recoverable(model: HMM, values: int) -> list[int]:
    """Return the largest H* of 4.2 for the chain Hbar of a memory model, N = 1: exact."""
    size, states = len(model.states) // values, range(len(model.states))
    ground = Ground(model.emission, tuple(states), {h: tuple(states[h::size]) for h in range(size)})
    return list(ground.admissible())


def full_support(model: HMM, values: int) -> bool:
    """Tell whether no posterior of H_i ever has a zero: sufficient, and true of appendix D's models."""
    size = len(model.states) // values
    block = [row[:size] for row in model.transition[:size]]
    positive = [entry for row in model.emission for entry in row] + list(model.initial)
    lines = [any(row) for row in block] + [any(column) for column in zip(*block, strict=True)]
    return all(positive) and all(lines)


def share_in_r(task: Downstream, values: int) -> dict[str, Any]:
    """Return H*, the share of inputs in R (None where supports would have to be followed), and nearly."""
    states = recoverable(task.model, values)
    exactly = float(len(states) == len(task.model.states) // values) if full_support(task.model, values) else None
    test = task.tokens[task.rows("test")][:INPUTS]
    posterior = hidden_posteriors(task.model, test).unflatten(-1, (values, -1)).sum(-2)
    surest = posterior.amax(1)  # (inputs, states)
    return {
        "recoverable": states,
        "exactly": exactly,
        "nearly, any state": {str(e): float((surest.amax(-1) >= 1 - e).double().mean()) for e in NEARLY},
        "nearly, the same state for all": {str(e): float((surest >= 1 - e).double().mean(0).max()) for e in NEARLY},
    }
