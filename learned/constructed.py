"""The heads and prompts that the theorems construct, evaluated on the same tasks as learned ones.

For a downstream task (`learned.downstream`) the constructions are those of theorems 3.3 and 3.6 for the task
mu o p1 / p0, which has the same labels. That they are right on *all* inputs is an identity of rational numbers, which
is checked (`identity`). They are evaluated in float64, as any program would: where W is ill conditioned, b grows as
1 / sigma_min(W), and doubles lose labels.
"""

from __future__ import annotations

from typing import Any

from constructions.assumptions import Cover, LeftInverse, Minor, cover, independent_columns
from constructions.fields import Array
from constructions.heads import Classifier
from constructions.linear import combine
from constructions.theorem_3_3 import construct as construct_head
from constructions.theorem_3_6 import construct as construct_prompt
from learned.downstream import Downstream, difference
from learned.fields import TORCH
from learned.outputs import ExactOutputs, Outputs, read
from learned.tune import Head, Tuned

POINTS = 200
"""Test inputs whose radius and error are written down."""


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
    return all(
        s * c == m * p
        for row, mu in zip(classifier.head.b, task.task.mu, strict=True)
        for s, c, m, p in zip(combine(row, model.emission), weights, mu, model.first, strict=True)
    )


def in_doubles(classifier: Classifier) -> Tuned:
    """Round a head to one row of doubles, scaled to 1, and a prompt u to the raw one (infinite at 0 and 1)."""
    row = difference(classifier.head.b)
    largest = max(map(abs, row))
    head = Head("probabilities", TORCH.array([entry / largest for entry in row]), 0.0)
    return Tuned(head, None if classifier.prompt is None else TORCH.array(classifier.prompt.u).logit()[None])


def radii_and_errors(task: Downstream, exact: Outputs, learned: Outputs, head: Head) -> tuple[Array, Array]:
    """Return |b'G(x)| / ||b||_1 and the sup norm of Ghat(x) - G(x) for each test input.

    Where the error is less than the radius, the head gives Ghat the label that it gives G.
    """
    rows = task.rows("test")
    G = read(exact, rows)
    radius = head.scores(G).abs() / head.weights.abs().sum()
    return radius, (read(learned, rows).double() - G).abs().amax(-1)


def constructed_accuracies(task: Downstream, exact: ExactOutputs, learned: Outputs | None = None) -> dict[str, Any]:
    """Evaluate the constructions in float64 on G, and on the outputs of a learned LM (heads of 3.3 only)."""
    result: dict[str, Any] = {}
    for theorem, classifier in constructed(task).items():
        tuned = in_doubles(classifier)
        entry = result[theorem] = {
            "identity": identity(task, classifier),
            "float64": tuned.accuracy(exact, task),
        }
        if learned is not None and tuned.prompt is None:
            radius, error = radii_and_errors(task, exact, learned, tuned.head)
            entry["learned"] = tuned.accuracy(learned, task)
            entry["right by theorem"] = float((error < radius).double().mean())
            pairs = zip(radius[:POINTS].tolist(), error[:POINTS].tolist(), strict=True)
            entry["radii and errors"] = [[float(f"{number:.3g}") for number in pair] for pair in pairs]
    return result
