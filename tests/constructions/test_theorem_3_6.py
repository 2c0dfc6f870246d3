"""Theorem 3.6: it holds on generated models, and without 3.5 it fails on a shipped model."""

from fractions import Fraction

import pytest
from checks import FEW, SOME, plain, shipped, short_inputs, theorem_3_6_builds_f_star, verdict_is_true
from checks import label as true_label
from hypothesis import given

from constructions import theorem_3_6
from constructions.assumptions import Cover, cover
from constructions.linear import combine
from constructions.models import HMM
from constructions.tasks import Task, label_of
from verify.strategies import vanilla

Problem = tuple[HMM, Task]


# It holds


@FEW
@given(vanilla.problems("3.6", both_labels=True))
def test_the_built_prompt_and_head_give_every_short_input_its_label(problem: Problem) -> None:
    theorem_3_6_builds_f_star(*problem)


@FEW
@given(vanilla.problems("3.6", both_labels=True, states=3, tokens=2))
def test_the_built_prompt_and_head_get_it_right_though_there_are_more_states_than_tokens(problem: Problem) -> None:
    theorem_3_6_builds_f_star(*problem)


@FEW
@given(vanilla.problems("3.6", rows=3))
def test_the_built_rows_give_every_short_input_its_label_among_several(problem: Problem) -> None:
    theorem_3_6_builds_f_star(*problem)


@SOME
@given(vanilla.problems("3.6"))
def test_the_built_prompt_and_head_satisfy_the_identity_of_the_proof(problem: Problem) -> None:
    model, task = problem
    construction = theorem_3_6.construct(model, task, witness(model, task))
    weights = construction.classifier.weights(model)
    for b, mu in zip(construction.classifier.head.b, task.mu, strict=True):
        scores = zip(combine(b, model.emission), weights, strict=True)
        assert [s * c for s, c in scores] == [m * p for m, p in zip(mu, model.initial, strict=True)]


# Each assumption is needed, as far as shipped models show it


def test_dropping_3_5_alone_leaves_no_prompt_and_head_on_a_shipped_model() -> None:
    verdict = verdict_is_true("3.6", *shipped("neither"))
    assert [finding.id for finding in verdict.findings if not finding.holds] == ["3.5"]
    assert verdict.conclusion is not None
    assert verdict.conclusion.holds is False


@pytest.mark.parametrize(("name", "part"), [("periodic", "3.2:ergodic"), ("initial-zero", "3.2:full-support")])
def test_a_part_of_3_2_may_be_missing_without_harm(name: str, part: str) -> None:
    verdict = verdict_is_true("3.6", *shipped(name))
    assert [finding.id for finding in verdict.findings if not finding.holds] == [part]
    assert verdict.answer == "holds"


# The oracle agrees


@SOME
@given(vanilla.problems("3.6", both_labels=True))
def test_the_labels_that_our_messages_compute_are_the_oracles(problem: Problem) -> None:
    model, task = problem
    classifier, truth = theorem_3_6.construct(model, task, witness(model, task)).classifier, plain(model, task)
    for x in short_inputs(truth):
        assert label_of(list(classifier.scores(model.chain(), x))) == true_label(truth, x)


@FEW
@given(vanilla.problems("3.6", both_labels=True))
def test_the_theorem_is_proved_and_both_labels_occur(problem: Problem) -> None:
    verdict = verdict_is_true("3.6", *problem)
    assert (verdict.status, verdict.vacuous) == ("proved", False)


def test_the_prompt_and_head_of_the_model_that_has_only_3_5_are_the_ones_computed_by_hand() -> None:
    model, task = shipped("only-3-5")
    construction = theorem_3_6.construct(model, task, witness(model, task))
    assert construction.classifier.documents == ({"b": ["-6", "2"]}, {"u": ["0", "1", "0"]})
    assert construction.scale == (Fraction(2), Fraction(2))


def witness(model: HMM, task: Task) -> Cover:
    evidence = cover(model, task).evidence
    assert isinstance(evidence, Cover)
    return evidence
