"""Controls: what a label needs beside a trained network, and what law of the masked state a tuned prompt stands for.

A **lookup** uses no network: it takes the most frequent label of the training inputs that begin as the input does, with
as many tokens as any of them shares, at most `PREFIX_LENGTH`. Counts of tokens, without their places, are another.

Theorem 3.6's prompt acts through the law c = P[H_{P+1} | prompt] that it makes of the masked state: exact Gbar is
W (c o beta(x)), normalised. A language model has no such law. `nearest_laws` fits one to its outputs behind a prompt,
by the mean of KL(Gbar || Ghat) over inputs; the fit is not convex, so it starts from many laws.
"""

from __future__ import annotations

from collections import Counter, defaultdict

import torch

from constructions.fields import Array
from learned.downstream import Downstream
from learned.outputs import ExactOutputs
from learned.tune import accuracy, newton

PREFIX_LENGTH = 12

STARTS = 31
"""Laws that a fit starts from: the model's own P[H_1] first, then drawn ones that leave few states."""

SPREAD = 4.0
"""Deviation of the logits of a drawn law."""

FIT_INPUTS = 300


def lookup_accuracy(task: Downstream) -> float:
    """Return the test accuracy of the longest prefix that stands among the inputs of training and validation."""
    inputs = list(zip(task.tokens[:, :PREFIX_LENGTH].tolist(), task.labels.tolist(), strict=True))
    votes: defaultdict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
    for x, label in inputs[: task.rows("validation").stop]:
        for length in range(len(x) + 1):
            votes[tuple(x[:length])][label] += 1
    correct = 0
    for x, label in inputs[task.rows("test")]:
        prefix = next(tuple(x[:length]) for length in range(len(x), -1, -1) if tuple(x[:length]) in votes)
        correct += votes[prefix].most_common(1)[0][0] == label
    return correct / task.counts[2]


def counts_accuracy(task: Downstream) -> float:
    """Return the test accuracy of a linear head on how often each token stands in an input, whatever its place."""
    shares = torch.nn.functional.one_hot(task.tokens).double().mean(1)
    training, test = task.rows("training"), task.rows("test")
    head = newton(shares[training], task.labels[training], "probabilities", 1e-5)
    return float(accuracy(head.scores(shares[test]), task.labels[test]))


def divergence(exact: Array, outputs: Array) -> Array:
    """Return the mean of KL(exact || outputs) over inputs, (N, k) each, in nats."""
    outputs = outputs.double().clamp_min(torch.finfo(torch.float32).tiny)
    return (torch.xlogy(exact, exact) - torch.xlogy(exact, outputs)).sum(-1).mean()


def nearest_laws(task: Downstream, exact: ExactOutputs, outputs: Array, seed: int = 0) -> list[float]:
    """Return the divergence, in nats, at which the fit of a law ends from each start.

    `outputs` (test inputs, k): Ghat on the test inputs behind a prompt. By L-BFGS on the first of them.
    """
    start = task.rows("test").start
    rows, outputs = slice(start, start + min(FIT_INPUTS, len(outputs))), outputs[:FIT_INPUTS]
    shape, generator = (STARTS - 1, len(exact.first)), torch.Generator().manual_seed(seed)
    drawn = SPREAD * torch.randn(shape, generator=generator).double()
    return [_fit(exact, rows, outputs, logits) for logits in (exact.first.clamp_min(1e-30).log(), *drawn)]


def _fit(exact: ExactOutputs, rows: slice, outputs: Array, start: Array) -> float:
    logits = start.clone().requires_grad_()
    optimiser = torch.optim.LBFGS([logits], max_iter=100, line_search_fn="strong_wolfe")

    def loss() -> Array:
        optimiser.zero_grad()
        value = divergence(exact.from_prior(logits.softmax(-1)[None], rows)[0], outputs)
        value.backward()
        return value

    optimiser.step(loss)
    return float(loss().detach())
