"""Controls: classifiers without a network, and laws of the masked state that have the effect of a tuned prompt.

A **lookup** finds the longest prefix of the input, of at most `PREFIX_LENGTH` tokens, with which some training input
begins too. It answers with the most frequent label of these training inputs, and in a tie with the label that came
first. Another control is a head on the counts of tokens, without their places.

A prompt of n vectors, as in theorem 3.6, acts through one thing, the law c = P[H_{n+1} | prompt] of the masked state:
exact Gbar is W (c o beta(x)), normalised, with the elementwise product o. A language model has no such law.
`nearest_laws` looks for the law under which Gbar comes nearest to Ghat, the language model's outputs behind a prompt,
by the mean of KL(Gbar || Ghat) over inputs. The fit is not convex, so it starts from many laws.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean, mode

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
"""The number of laws from which a fit starts. The first is P[H_1]; the others are drawn, and favour few states."""

SPREAD = 4.0
"""The standard deviation of the logits of a drawn law."""

FIT_INPUTS = 300


def lookup_accuracy(task: Downstream) -> float:
    """Return the test accuracy of a lookup. Inputs for validation count as training inputs here."""
    inputs = [[tuple(x[:length]) for length in range(PREFIX_LENGTH, -1, -1)] for x in task.tokens.tolist()]
    votes = defaultdict[tuple[int, ...], list[int]](list)
    labels, test = task.labels.tolist(), task.rows("test")
    for prefixes, label in zip(inputs[: task.rows("validation").stop], labels, strict=False):
        for prefix in prefixes:
            votes[prefix].append(label)
    longest = [next(prefix for prefix in prefixes if prefix in votes) for prefixes in inputs[test]]
    return fmean(mode(votes[x]) == label for x, label in zip(longest, labels[test], strict=True))


def counts_accuracy(task: Downstream) -> float:
    """Return the test accuracy of a linear head on the share that each token has in an input."""
    shares = torch.nn.functional.one_hot(task.tokens).double().mean(1)
    training, test = task.rows("training"), task.rows("test")
    head = newton(shares[training], task.labels[training], "probabilities", 1e-5)
    return accuracy(head.scores(shares[test]), task.labels[test])


def nearest_laws(task: Downstream, exact: ExactOutputs, outputs: Array, seed: int = 0) -> list[float]:
    """Fit a law by L-BFGS from each start; return the divergences, in nats, at which the fits end.

    `outputs` (test inputs, k): Ghat on the test inputs behind a prompt. The first `FIT_INPUTS` of them are fitted.
    """
    start, log_outputs = task.rows("test").start, FEATURES["log-odds"](outputs[:FIT_INPUTS])
    rows, shape = slice(start, start + FIT_INPUTS), (STARTS - 1, len(exact.first))
    drawn = SPREAD * torch.randn(shape, generator=torch.Generator().manual_seed(seed)).double()

    def loss(logits: Array) -> Array:
        return divergence(exact.from_prior(logits.softmax(-1), rows), log_outputs).mean()

    value, slope = in_numpy(loss), in_numpy(grad(loss))
    starts = torch.cat([exact.first.clamp_min(1e-30).log()[None], drawn]).numpy()
    return [float(minimize(value, logits, jac=slope, method="L-BFGS-B").fun) for logits in starts]
