"""The heads and prompts that the theorems construct, evaluated on the same tasks as learned ones.

For a downstream task (`learned.downstream`) the constructions are those of theorems 3.3 and 3.6 for the task
mu o p1 / p0, which has the same labels. They are evaluated in float64, as any program would, and in integers, on the
first `EXACT_INPUTS` test inputs; that they are right on *all* inputs is an identity of rational numbers, which is
checked too (`identity`). Where W is ill conditioned the two part: b grows as 1 / sigma_min(W).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from constructions.assumptions import Cover, LeftInverse, Minor, cover, independent_columns
from constructions.fields import INTEGERS, Array
from constructions.heads import Classifier
from constructions.linear import combine
from constructions.messages import likelihoods
from constructions.tasks import label_of
from constructions.theorem_3_3 import construct as construct_head
from constructions.theorem_3_6 import construct as construct_prompt
from learned.downstream import Downstream, difference
from learned.fields import TORCH
from learned.outputs import ExactOutputs, Outputs, read
from learned.tune import Head, Tuned

POINTS = 200
"""Test inputs whose radius and error are written down."""

EXACT_INPUTS = 20
"""Test inputs on which a constructed head is evaluated in integers."""


def constructed(task: Downstream) -> dict[str, Classifier]:
    """Return the paper's classifiers, by theorem, for those whose assumption on W holds (3.2 always does here)."""
    target, classifiers = task.theorem_task, dict[str, Classifier]()
    inverse, covered = independent_columns(task.model).evidence, cover(task.model, target).evidence
    if isinstance(inverse, LeftInverse | Minor):
        classifiers["3.3"] = construct_head(task.model, target, inverse).classifier
    if isinstance(covered, Cover):
        classifiers["3.6"] = construct_prompt(task.model, target, covered).classifier
    return classifiers


def identity(task: Downstream, classifier: Classifier) -> bool:
    """Tell whether a classifier's scores are those of F* on every input: W'b o c = mu o p1, exactly."""
    model, weights = task.model, classifier.weights(task.model)
    for row, mu in zip(classifier.head.b, task.task.mu, strict=True):
        scores = combine(row, model.emission)
        if any(s * c != m * p for s, c, m, p in zip(scores, weights, mu, model.first, strict=True)):
            return False
    return True


def exact_accuracy(task: Downstream, classifier: Classifier) -> float:
    """Evaluate a constructed classifier in integers on the first test inputs, against the labels."""
    rows = task.rows("test")
    chain = task.model.chain(INTEGERS)
    embeddings = chain.embed(task.tokens[rows][:EXACT_INPUTS].tolist())
    beta = (likelihoods(chain, embeddings)[:, 0] * embeddings[:, 0]) @ chain.transition
    weights = INTEGERS.array(classifier.weights(task.model))
    scores = ((beta * weights) @ chain.emission.T) @ INTEGERS.array(classifier.head.b).T
    labels = task.labels[rows][:EXACT_INPUTS].tolist()
    return float(np.mean([label_of(list(row)) == label for row, label in zip(scores, labels, strict=True)]))


def float_head(classifier: Classifier) -> Head:
    """Round a constructed head's rows to doubles: one row, the difference, scaled to 1."""
    row = difference(classifier.head.b)
    largest = max(map(abs, row))
    return Head("probabilities", TORCH.array([entry / largest for entry in row]), 0.0)


def raw_prompt(u: Sequence[Fraction]) -> Array:
    """Return a raw prompt (1, n) whose sigmoid is u: infinite at 0 and 1."""
    return TORCH.array([float(entry) for entry in u]).logit()[None]


def radii(task: Downstream, exact: Outputs, head: Head) -> Array:
    """Return |b'G(x)| / ||b||_1 for each test input: any smaller error in the sup norm of G(x) changes no label."""
    return head.scores(read(exact, task.rows("test"))).abs() / head.weights.abs().sum()


def errors(task: Downstream, exact: Outputs, learned: Outputs) -> Array:
    """Return the sup norm of Ghat(x) - G(x) for each test input."""
    rows = task.rows("test")
    return (read(learned, rows).double() - read(exact, rows)).abs().amax(-1)


def constructed_accuracies(task: Downstream, exact: ExactOutputs, learned: Outputs | None = None) -> dict[str, Any]:
    """Evaluate the constructions: exactly, in float64 on G, and on the outputs of a learned LM (heads of 3.3 only)."""
    result: dict[str, Any] = {}
    for theorem, classifier in constructed(task).items():
        prompt = None if classifier.prompt is None else raw_prompt(classifier.prompt.u)
        tuned = Tuned(float_head(classifier), prompt, 0.0)
        result[theorem] = {
            "identity": identity(task, classifier),
            "exact": exact_accuracy(task, classifier),
            "float64": tuned.accuracy(exact, task),
        }
        if learned is not None and prompt is None:
            result[theorem]["learned"] = tuned.accuracy(learned, task)
            radius, error = radii(task, exact, tuned.head), errors(task, exact, learned)
            result[theorem]["right by theorem"] = float((error < radius).double().mean())
            result[theorem]["radii and errors"] = [
                [float(f"{number:.3g}") for number in pair]
                for pair in zip(radius[:POINTS], error[:POINTS], strict=True)
            ]
    return result
