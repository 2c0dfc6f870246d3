"""What `headproof margin` says of a linear head: singular values of W, norms of b, its margins up to a length."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

from constructions.evidence import Json, written
from constructions.heads import Classifier
from constructions.linear import columns, minus
from constructions.models import HMM
from constructions.reading import as_text, texts
from constructions.tasks import Task, class_rows
from verify.margin.enclosures import Enclosure, euclidean_norm, smallest_singular_value
from verify.margin.linear import Margins, Weighed, linear_margins, summary
from verify.statements import Statement
from verify.words.problem import Problem

Watch: TypeAlias = Callable[[Iterable[Weighed]], Iterable[Weighed]]
"""Shows progress while inputs are weighed."""


@dataclass(frozen=True)
class Norms:
    """||b_m - b_l||_1 and ||b_m - b_l||_2 for labels l < m with b_l != b_m; of a binary head, ||b||."""

    labels: tuple[int, int]
    norm_1: Fraction
    norm_2: Enclosure


@dataclass(frozen=True)
class Strength:
    """A head's figures.

    `recoverable`: the states that its output can come from. `singular_values`: sigma_min of W, and of the columns of
    these states.
    """

    statement: str
    model: HMM
    recoverable: tuple[int, ...]
    singular_values: tuple[Enclosure, Enclosure]
    norms: tuple[Norms, ...]
    length: int
    margins: Margins


def strength(
    statement: Statement, model: HMM, task: Task, classifier: Classifier, length: int, watch: Watch = iter
) -> Strength:
    """Measure a linear head over all inputs up to a length."""
    recoverable = tuple(h for h, weight in enumerate(classifier.weights(model)) if weight)
    inputs = list(watch(linear_margins(Problem(model, task), classifier, length)))
    sigma = smallest_singular_value(model.emission), smallest_singular_value(columns(model.emission, recoverable))
    norms = tuple(
        Norms((l, m), sum(map(abs, row), Fraction(0)), euclidean_norm(row))
        for (l, lower), (m, upper) in combinations(enumerate(class_rows(classifier.head.b)), 2)
        if any(row := minus(upper, lower))
    )
    return Strength(statement.id, model, recoverable, sigma, norms, length, summary(inputs))


def document(figures: Strength) -> Json:
    """Return the figures as JSON. An enclosure is ["lo", "hi"]."""
    margins = figures.margins
    return {
        "statement": figures.statement,
        "model": figures.model.name,
        "length": figures.length,
        "inputs": margins.inputs,
        "recoverable_columns": list(figures.recoverable),
        "singular_value": texts(figures.singular_values[0]),
        "recoverable_singular_value": texts(figures.singular_values[1]),
        "b": [
            {"labels": list(n.labels), "norm_1": as_text(n.norm_1), "norm_2": texts(n.norm_2)} for n in figures.norms
        ],
        "ties": {"count": len(margins.ties), "input": list(margins.ties[0]) if margins.ties else None},
        "smallest_score": written(margins.score),
        "largest_error": written(margins.error),
        "largest_error_apart_from_ties": written(margins.error_apart_from_ties),
        "mislabelled": written(margins.mislabelled),
    }
