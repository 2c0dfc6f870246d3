"""Margins of linear heads agree with sums over paths. Tolerated errors agree with labels at the corners of a cube."""

import itertools
from collections.abc import Sequence
from fractions import Fraction

import oracle
import pytest
from checks import FEW, plain, shipped
from hypothesis import given
from oracle import Word

from constructions.heads import Classifier
from constructions.linear import Matrix
from constructions.models import HMM
from constructions.tasks import Task, class_rows, label_of
from verify.margin.linear import linear_margins, strength
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.strategies import vanilla
from verify.words.problem import Problem

TINY = Fraction(1, 1000)


def head(statement: str, model: HMM, task: Task) -> Classifier:
    conclusion = prove(STATEMENTS[statement], model, task).conclusion
    assert conclusion is not None
    assert conclusion.holds is True
    assert isinstance(conclusion.classifier, Classifier)
    return conclusion.classifier


def output(truth: oracle.Model, classifier: Classifier, x: Word) -> list[Fraction]:
    if classifier.prompt is not None:
        return list(oracle.prompted_G(truth, list(classifier.prompt.u), 0, x, 2))
    return list(oracle.G(truth, (0, *x), 1) or [Fraction(0)] * len(truth["emission"]))


def labels_under(error: Fraction, b: Matrix, output: Sequence[Fraction]) -> set[int]:
    """Return the labels at the corners of the cube of radius `error` around an output; the largest label wins ties."""
    rows = class_rows(b)
    corners = itertools.product((-error, error), repeat=len(output))
    points = ([g + e for g, e in zip(output, corner, strict=True)] for corner in corners)
    return {label_of([oracle.dot(row, point) for row in rows]) for point in points}


@pytest.mark.parametrize(
    ("statement", "name"),
    [("3.3", "tie"), ("3.3", "multiclass"), ("3.3", "periodic"), ("3.6", "only-3-5"), ("3.6", "tie")],
)
def test_the_margins_of_a_linear_head_are_those_of_every_input(statement: str, name: str) -> None:
    model, task = shipped(name)
    classifier, truth = head(statement, model, task), plain(model, task)
    margins = strength(statement, model, task, classifier, 2)
    rows, scores, words = class_rows(classifier.head.b), {}, oracle.inputs(truth, 2)
    for x in words:
        *_, second, first = sorted(oracle.dot(row, output(truth, classifier, x)) for row in rows)
        scores[x] = first - second
    assert margins.mislabelled is None
    assert set(margins.ties) <= {x for x in words if not scores[x]}
    assert bool(margins.ties) == (0 in scores.values())
    assert margins.smallest_score is not None
    assert margins.smallest_score.value == min(score for score in scores.values() if score)
    assert margins.smallest_score.word == next(x for x in words if scores[x] == margins.smallest_score.value)


@FEW
@given(vanilla.problems("3.3", both_labels=True, tokens=(1, 2)))
def test_the_error_of_a_generated_model_is_exact(problem: tuple[HMM, Task]) -> None:
    model, task = problem
    classifier, truth = head("3.3", model, task), plain(model, task)
    for margin in linear_margins(Problem(model, task), classifier, 2):
        values = output(truth, classifier, margin.word)
        assert margin.label == margin.head_label == oracle.label(truth, truth["task"]["mu"], margin.word)
        assert margin.radius is not None
        assert len(labels_under(margin.radius * (1 + TINY) + TINY * (not margin.radius), classifier.head.b, values)) > 1
        assert not margin.radius or len(labels_under(margin.radius * (1 - TINY), classifier.head.b, values)) == 1
