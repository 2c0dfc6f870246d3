"""Theorem 3.3 holds on generated models. If any of its assumptions is dropped, it fails on a shipped model."""

from fractions import Fraction

import pytest
from checks import SOME, computed_labels_are_f_star, shipped, theorem_3_3_builds_f_star, verdict_is_true
from hypothesis import given

from constructions import theorem_3_3
from constructions.assumptions import LeftInverse, independent_columns
from constructions.linear import combine
from constructions.models import HMM
from constructions.tasks import Task
from verify.strategies import vanilla

Problem = tuple[HMM, Task]


# It holds


@SOME
@given(vanilla.problems("3.3", both_labels=True))
def test_the_built_head_gives_every_short_input_its_label(problem: Problem) -> None:
    theorem_3_3_builds_f_star(*problem)


@SOME
@given(vanilla.problems("3.3", rows=3))
def test_the_built_rows_give_every_short_input_its_label_among_several(problem: Problem) -> None:
    theorem_3_3_builds_f_star(*problem)


@SOME
@given(vanilla.problems("3.3"))
def test_the_built_head_satisfies_the_identity_of_the_proof(problem: Problem) -> None:
    model, task = problem
    for b, mu in zip(theorem_3_3.construct(model, task, left_inverse(model)).classifier.head.b, task.mu, strict=True):
        scores = zip(combine(b, model.emission), model.first, strict=True)
        assert [s * p for s, p in scores] == [m * p for m, p in zip(mu, model.initial, strict=True)]


# Each assumption is needed


@pytest.mark.parametrize(
    ("name", "dropped"),
    [("only-3-5", "3.1"), ("neither", "3.1"), ("reducible", "3.2:ergodic"), ("initial-zero", "3.2:full-support")],
)
def test_dropping_this_assumption_alone_leaves_no_head_on_a_shipped_model(name: str, dropped: str) -> None:
    verdict = verdict_is_true("3.3", *shipped(name))
    assert [finding.id for finding in verdict.findings if not finding.holds] == [dropped]
    assert verdict.conclusion is not None
    assert verdict.conclusion.holds is False


def test_a_period_alone_does_no_harm_on_the_shipped_model() -> None:
    assert verdict_is_true("3.3", *shipped("periodic")).answer == "holds"


def test_without_full_support_the_construction_divides_by_zero() -> None:
    model, task = shipped("initial-zero")
    with pytest.raises(ZeroDivisionError):
        theorem_3_3.construct(model, task, left_inverse(model))


# The oracle agrees


@SOME
@given(vanilla.problems("3.3", both_labels=True))
def test_the_labels_that_our_messages_compute_are_the_oracles(problem: Problem) -> None:
    computed_labels_are_f_star(*problem)


@SOME
@given(vanilla.problems("3.3", both_labels=True))
def test_the_theorem_is_proved_and_both_labels_occur(problem: Problem) -> None:
    verdict = verdict_is_true("3.3", *problem)
    assert (verdict.status, verdict.vacuous) == ("proved", False)


def test_the_head_of_the_umbrella_world_is_the_one_computed_by_hand() -> None:
    model, task = shipped("umbrella")
    [b] = theorem_3_3.construct(model, task, left_inverse(model)).classifier.head.b
    assert b == (Fraction(9, 7), Fraction(-11, 7))  # (1, -1) W^-1: the chain is stationary, so D is the identity


def left_inverse(model: HMM) -> LeftInverse:
    witness = independent_columns(model).evidence
    assert isinstance(witness, LeftInverse)
    return witness
