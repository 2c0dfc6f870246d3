"""The heads and prompts that the theorems construct, evaluated on the tasks of the learned heads and prompts.

The constructions are those of theorems 3.3 and 3.6 for the task mu o p1 / p0, entry by entry, with p0 = P[H_0] and
p1 = P[H_1]. This task has the labels of the downstream task mu on H_1 (`learned.downstream`). The constructions are
right on *all* inputs by an identity of rational numbers, which `identity` checks. But their accuracy is measured in
float64, the arithmetic of most programs. If W is ill conditioned, b grows as 1 / sigma_min(W), and some labels are
lost to rounding.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from constructions.assumptions import Cover, cover, inverse_of
from constructions.fields import INTEGERS, RATIONALS
from constructions.heads import Classifier, LinearHead
from constructions.linear import exact, multiply
from constructions.tasks import Task
from constructions.theorem_3_3 import construct as construct_head
from constructions.theorem_3_6 import construct as construct_prompt
from learned.downstream import Downstream, difference
from learned.fields import TORCH
from learned.mlm import NO_PROMPT
from learned.outputs import Outputs
from learned.tune import Tuned

POINTS = 200
"""The number of test inputs whose radius and error are computed."""


def constructed(task: Downstream) -> dict[str, Classifier]:
    """Return the classifiers of the theorems whose assumption on W holds. Assumption 3.2 is not checked.

    The constructions need only P[H_0] > 0 and P[H_1] > 0, which all chains here have.
    """
    model, classifiers = task.model, dict[str, Classifier]()
    chain = model.chain(RATIONALS)
    target = Task.of(RATIONALS.array(task.task.mu) * chain.first / chain.initial)
    if inverse := inverse_of(model.emission):
        classifiers["3.3"] = construct_head(model, target, inverse).classifier
    if isinstance(covered := cover(model, target).evidence, Cover):
        classifiers["3.6"] = construct_prompt(model, target, covered).classifier
    return classifiers


def identity(task: Downstream, classifier: Classifier) -> bool:
    """Tell whether a classifier's scores are those of F* on every input: W'b o c = mu o p1, exactly.

    Here c is `classifier.weights`. The head reads W(c o beta(x)), up to a positive scale.
    """
    scores, weights = exact(classifier.head.b) @ task.model.emission, classifier.weights(task.model)
    return [multiply(row, weights) for row in scores] == [multiply(row, task.model.first) for row in task.task.mu]


def in_doubles(classifier: Classifier) -> Tuned:
    """Round a head to one row of doubles, and a prompt u to its logits, which are infinite where u is 0 or 1."""
    weights, prompt = TORCH.array(difference(classifier.head.b)), classifier.prompt
    return Tuned("probabilities", weights, 0.0, NO_PROMPT if prompt is None else TORCH.array(prompt.u).logit()[None])


def margins(task: Downstream, learned: Outputs, heads: Mapping[str, LinearHead]) -> dict[str, Any]:
    """Compare the error of a learned LM with the radius of each head, at the first test inputs, in rational numbers.

    The radius is |b'G(x)| / ||b||_1: as long as each entry of G has a smaller error, the label stays the same. So an
    input is right by theorem if the head is right on G, and every entry of |Ghat(x) - G(x)| is smaller than the radius,
    where Ghat is the LM's output.

    Returns for each head the share of such inputs, "right by theorem", and a pair for each input, "radii and errors".
    """
    start = task.rows("test").start
    rows = slice(start, start + POINTS)
    tokens, labels = (part[rows].numpy() for part in (task.tokens, task.labels))
    read = Classifier(LinearHead(())).output  # the same output, whatever the head
    G = np.stack([read(task.model.chain(INTEGERS), x) for x in tokens])
    error = abs(np.vectorize(Fraction, otypes=[object])(learned(rows).double().numpy()) - G).max(-1)
    result = {}
    for name, head in heads.items():
        radius, scores = head.radius(G), head.scores(G)
        certain = (error < radius) & ((scores[:, 1] >= scores[:, 0]) == labels)
        points = np.vectorize(lambda number: float(f"{float(number):.3g}"))(np.stack([radius, error], 1))
        result[name] = {"right by theorem": float(certain.mean()), "radii and errors": points.tolist()}
    return result


def linear(head: Tuned) -> LinearHead:
    """Return a head with rational weights: each is a weight of `head` plus the bias, as probabilities sum to 1."""
    bias = Fraction(head.bias)
    return LinearHead((tuple(Fraction(weight) + bias for weight in head.weights.tolist()),))
