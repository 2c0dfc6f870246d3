"""Trees of prefixes tell whether a head always gives the task's label: the kernel accepts their answers.

A tree that needs more nodes than allowed gives no answer.
"""

import json
from fractions import Fraction

import pytest
from checks import SOME, plain, shipped, short_inputs
from checks import label as true_label
from hypothesis import given
from hypothesis import strategies as st

from constructions import theorem_3_3
from constructions.assumptions import LeftInverse, independent_columns
from constructions.heads import Classifier, LinearHead
from constructions.models import HMM
from constructions.tasks import Task
from verify import kernel
from verify.certificates import head_certificate
from verify.strategies import vanilla
from verify.verdicts import HeadVerdict
from verify.words.agreement import Agreement, always, always_on_spans, compare
from verify.words.problem import Problem

Case = tuple[HMM, Task, Classifier]


@st.composite
def headed(draw: st.DrawFn) -> Case:
    model = draw(vanilla.hmms(tokens=(1, 2)))
    rows = draw(st.sampled_from((1, 3)))
    b = tuple(tuple(Fraction(draw(st.integers(-2, 2))) for _ in model.tokens) for _ in range(rows))
    return model, draw(vanilla.tasks(model, rows)), Classifier(LinearHead(b))


@SOME
@given(headed())
def test_the_kernel_accepts_what_a_comparison_found(case: Case) -> None:
    model, task, classifier = case
    problem = Problem(model, task)
    verdict = HeadVerdict(model, task, classifier, compare(problem, problem.head_functionals(classifier), 300))
    certificate = head_certificate(verdict)
    assert (certificate is None) == (verdict.answer == "undecided")
    if certificate is not None:
        assert kernel.check(json.dumps(certificate)).conclusion == verdict.answer


@SOME
@given(vanilla.problems("3.3"))
def test_the_head_of_theorem_3_3_agrees_at_the_root(problem: tuple[HMM, Task]) -> None:
    model, task = problem
    witness = independent_columns(model).evidence
    assert isinstance(witness, LeftInverse)
    classifier = theorem_3_3.construct(model, task, witness).classifier
    agreement = compare(Problem(model, task), Problem(model, task).head_functionals(classifier), 1)
    assert isinstance(agreement, Agreement)
    assert len(agreement.nodes) == 1


@SOME
@given(headed())
def test_a_label_that_is_always_given_is_given_to_every_short_input(case: Case) -> None:
    model, task, _ = case
    truth = plain(model, task)
    labels = {true_label(truth, x) for x in short_inputs(truth)}
    for label in task.labels:
        for prove in (always, always_on_spans):
            agreement = prove(Problem(model, task), label, 300)
            assert agreement is None or (agreement.label, labels) == (label, {label})


def test_a_tree_that_is_not_settled_within_its_nodes_is_no_answer() -> None:
    model, task = shipped("umbrella")
    problem = Problem(model, task)
    functionals = problem.head_functionals(Classifier(LinearHead(((Fraction(9), Fraction(-10)),))))
    assert compare(problem, functionals, 2) is None


@pytest.mark.parametrize("name", ["tie", "umbrella"])
def test_no_label_is_always_given_where_both_occur(name: str) -> None:
    model, task = shipped(name)
    for prove in (always, always_on_spans):
        assert [prove(Problem(model, task), label, 1_000) for label in task.labels] == [None, None]
