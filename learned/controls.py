"""Controls: what a label needs beside a trained network, and what law of the masked state a tuned prompt stands for.

A **lookup** uses no network: it takes the most frequent label of the training inputs that begin as the input does, with
as many tokens as any of them shares, at most `PREFIX_LENGTH`; in a tie the label that came first. A head on counts of
tokens, without their places, is another control.

Theorem 3.6's prompt acts through the law c = P[H_{P+1} | prompt] that it makes of the masked state: exact Gbar is
W (c o beta(x)), normalised. A language model has no such law. `nearest_laws` fits one to its outputs behind a prompt,
by the mean of KL(Gbar || Ghat) over inputs; the fit is not convex, so it starts from many laws.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from statistics import fmean

import torch
from scipy.optimize import minimize
from torch.func import grad

from constructions.fields import Array
from learned.downstream import Downstream
from learned.fields import divergence
from learned.outputs import ExactOutputs
from learned.tune import FEATURES, accuracy, in_numpy, newton

PREFIX_LENGTH = 12

STARTS = 31
"""Laws that a fit starts from: the model's own P[H_1] first, then drawn ones that leave few states."""

SPREAD = 4.0
"""Deviation of the logits of a drawn law."""

FIT_INPUTS = 300


def lookup_accuracy(task: Downstream) -> float:
    """Return the test accuracy of the longest prefix that stands among the inputs of training and validation."""
    inputs = [[tuple(x[:length]) for length in range(PREFIX_LENGTH, -1, -1)] for x in task.tokens.tolist()]
    votes: defaultdict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
    labels, test = task.labels.tolist(), task.rows("test")
    for prefixes, label in zip(inputs[: task.rows("validation").stop], labels, strict=False):
        for prefix in prefixes:
            votes[prefix][label] += 1
    longest = [next(prefix for prefix in prefixes if prefix in votes) for prefixes in inputs[test]]
    return fmean(votes[x].most_common(1)[0][0] == label for x, label in zip(longest, labels[test], strict=True))


def counts_accuracy(task: Downstream) -> float:
    """Return the test accuracy of a linear head on how often each token stands in an input, whatever its place."""
    shares = torch.nn.functional.one_hot(task.tokens).double().mean(1)
    training, test = task.rows("training"), task.rows("test")
    head = newton(shares[training], task.labels[training], "probabilities", 1e-5)
    return accuracy(head.scores(shares[test]), task.labels[test])


def nearest_laws(task: Downstream, exact: ExactOutputs, outputs: Array, seed: int = 0) -> list[float]:
    """Fit a law by L-BFGS from each start; return the divergences, in nats, at which the fits end.

    `outputs` (test inputs, k): Ghat on the test inputs behind a prompt. The first `FIT_INPUTS` of them are fitted.
    """
    start, log_outputs = task.rows("test").start, FEATURES["log-odds"](outputs[:FIT_INPUTS])
    rows, shape = slice(start, start + len(log_outputs)), (STARTS - 1, len(exact.first))
    drawn = SPREAD * torch.randn(shape, generator=torch.Generator().manual_seed(seed)).double()

    def loss(logits: Array) -> Array:
        return divergence(exact.from_prior(logits.softmax(-1), rows), log_outputs).mean()

    value, slope = in_numpy(loss), in_numpy(grad(loss))
    starts = torch.cat([exact.first.clamp_min(1e-30).log()[None], drawn]).numpy()
    return [float(minimize(value, logits, jac=slope, method="L-BFGS-B").fun) for logits in starts]
