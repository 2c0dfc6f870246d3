"""Heads that theory makes for a language model, from mu and W and how far it errs: no label is seen, nothing is tuned.

With p the posterior of the masked state, G = W p, and the label is the sign of d'p, d = mu_1 - mu_0.

    first tokens    theorem 3.3's head: b'W = d', by the left inverse of the first independent tokens
    least norm      of all b with b'W = d', the one of least ||b||_2, by exact arithmetic
    ridge           the linear estimate of d'p from Ghat = W p + e with the least mean square, where errors e are
                    independent with the measured mean square s^2 in each entry, and p as spread as states are likely:
                    b = (W S W' + s^2 I)^-1 W S d, S = diag(P[H_1])
    margin          of all b with ||b||_1 <= 1, one whose scores on exact G of drawn inputs fall short of the error by
                    the least sum, their labels being F*, as theory knows it: hinge loss at the measured mean of
                    ||Ghat - G||_inf. Such a head is right, whatever the error's direction, where nothing falls short

The first two need assumption 3.1. Those two whose ridge or margin is matched use what any user of the theory could
measure: the error of Ghat on unlabelled inputs.
"""

from __future__ import annotations

import numpy as np
import torch
from scipy.optimize import linprog

from constructions.fields import Array
from constructions.linear import combine, dot, solve, transpose
from learned import compare
from learned.downstream import Downstream, difference
from learned.fields import TORCH
from learned.outputs import Outputs, read
from learned.tune import Head, Tuned

DRAWN = 500
"""Inputs that the head of matched margin is made of."""

LEAST = 1e-3
"""A smaller error counts as this: for none at all b = 0 would do."""


def heads(task: Downstream, exact: Outputs, learned: Outputs) -> dict[str, Head]:
    """Return the heads by name. Only outputs of training inputs are looked at, and no labels but the theory's."""
    rows = slice(0, DRAWN)
    error = read(learned, rows).double() - read(exact, rows)
    found = {}
    if "3.3" in (built := compare.constructed(task)):
        found["first tokens"] = compare.float_head(built["3.3"])
        found["least norm"] = _head(least_norm(task))
    found["ridge"] = _head(ridge(task, float(error.square().mean())))
    found["margin"] = _head(margin(read(exact, rows), task.labels[rows], float(error.abs().amax(-1).mean())))
    return found


def accuracies(task: Downstream, exact: Outputs, learned: Outputs) -> dict[str, float]:
    """Return the test accuracy of each on the language model."""
    made = heads(task, exact, learned)
    return {name: Tuned(head, None, 0.0).accuracy(learned, task) for name, head in made.items()}


def _head(b: Array) -> Head:
    return Head("probabilities", b / b.abs().max().clamp_min(1e-300), 0.0)


def least_norm(task: Downstream) -> Array:
    """Return the b of least ||b||_2 with b'W = d': b = W (W'W)^-1 d."""
    columns = transpose(task.model.emission)
    goal = tuple((x,) for x in difference(task.task.mu))
    solved = solve(tuple(tuple(dot(a, b) for b in columns) for a in columns), goal)
    assert solved is not None  # 3.1
    return TORCH.array(combine(tuple(x for (x,) in solved), columns))


def ridge(task: Downstream, error: float) -> Array:
    """Return the b of the best linear estimate, for errors of this mean square."""
    w, spread = TORCH.array(task.model.emission), TORCH.array(task.model.first)
    covariance = (w * spread) @ w.T + error * torch.eye(len(w), dtype=torch.float64)
    return torch.linalg.solve(covariance, w @ (spread * TORCH.array(difference(task.task.mu))))


def margin(outputs: Array, labels: Array, error: float) -> Array:
    """Return the b with ||b||_1 <= 1 whose signed scores fall short of the error by the least sum: a linear program.

    Its variables are the positive and the negative part of b, and by how much each input falls short.
    """
    signed = ((2 * labels.double() - 1)[:, None] * outputs).numpy()
    count, tokens = signed.shape
    short = np.hstack([-signed, signed, -np.eye(count)])
    norm = np.concatenate([np.ones(2 * tokens), np.zeros(count)])
    cost = 1 - norm
    bounds = np.concatenate([np.full(count, -max(error, LEAST)), [1.0]])
    found = linprog(cost, A_ub=np.vstack([short, norm]), b_ub=bounds, method="highs").x
    assert found is not None  # b = 0 is one
    return torch.as_tensor(found[:tokens] - found[tokens : 2 * tokens])
