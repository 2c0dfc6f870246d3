"""Prompt and head together: the oracle agrees that a pair fits, and the kernel accepts a refutation."""

import json
from dataclasses import replace

import oracle
import pytest
from checks import EFFORT, FEW, head_label, no_head_serves, plain, shipped
from checks import label as true_label
from hypothesis import given

from constructions.heads import Classifier
from constructions.models import HMM
from constructions.tasks import Task
from verify import kernel
from verify.certificates import statement_certificate
from verify.conclusion import Conclusion
from verify.heads import no_prompted
from verify.heads.no_prompted import Allowance, Excluded, Halve, Largest, NoPromptedHead, Sign, prompted_head
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.strategies import vanilla
from verify.words.effort import SpentError
from verify.words.linear_programs import decide
from verify.words.problem import Input, Inputs, Problem

ModelAndTask = tuple[HMM, Task]


def sample(model: HMM, task: Task, length: int) -> list[Input]:
    return Inputs(Problem(model, task)).up_to(length) or Inputs(Problem(model, task)).up_to(1) or []


def outcome_is_true(model: HMM, task: Task, length: int) -> Classifier | NoPromptedHead | None:
    """Return a prompt and head that the oracle confirms, or a refutation that the kernel accepts; None if undecided."""
    inputs = sample(model, task, length)
    outcome, truth = prompted_head(Problem(model, task), inputs, Allowance(200_000)), plain(model, task)
    if isinstance(outcome, Classifier):
        assert outcome.prompt is not None
        assert all(0 <= entry <= 1 for entry in outcome.prompt.u)
        assert all(head_label(truth, outcome, x.word) == true_label(truth, x.word) for x in inputs)
    if isinstance(outcome, NoPromptedHead):
        no_head_serves(truth, outcome)
        verdict = replace(prove(STATEMENTS["3.6"], model, task, EFFORT), conclusion=Conclusion(False, outcome))
        assert kernel.check(json.dumps(statement_certificate(verdict))).conclusion == "fails"
    return outcome


@FEW
@given(vanilla.problems("3.6", both_labels=True, states=(2, 3), tokens=2))
def test_under_the_hypotheses_of_3_6_nothing_is_excluded(problem: ModelAndTask) -> None:
    assert not isinstance(outcome_is_true(*problem, length=2), NoPromptedHead)


@FEW
@given(vanilla.problems_violating("3.5", states=(2, 3), tokens=(1, 2)))
def test_without_3_5_what_is_found_is_true(problem: ModelAndTask) -> None:
    outcome_is_true(*problem, length=3)


@FEW
@given(vanilla.problems_violating("3.5", rows=3, states=(2, 3), tokens=(1, 2)))
def test_with_three_labels_what_is_found_is_true(problem: ModelAndTask) -> None:
    outcome_is_true(*problem, length=2)


@pytest.mark.parametrize("length", [1, 2, 3])
def test_more_and_more_inputs_of_a_model_without_a_head_are_fitted_or_excluded(length: int) -> None:
    assert outcome_is_true(*shipped("neither"), length) is not None


def test_the_model_that_satisfies_neither_theorem_needs_the_signs_alone() -> None:
    verdict = prove(STATEMENTS["3.6"], *shipped("neither"))
    assert verdict.conclusion is not None
    assert verdict.conclusion.holds is False
    evidence = verdict.conclusion.evidence
    assert isinstance(evidence, NoPromptedHead)
    assert {type(node) for node in evidence.nodes} == {Sign, Excluded}
    assert any(isinstance(node, Excluded) and node.parts for node in evidence.nodes)
    assert statement_certificate(verdict) is not None  # the kernel adds up the parts


@pytest.mark.parametrize(
    ("model", "task", "length"),
    [
        (HMM.of("0 1/2 1/2", "1/3 1/4 1/4; 1/3 1/4 1/2; 1/3 1/2 1/4", "0 1 1/2; 1 0 1/2"), "1 1 -1", 2),
        (HMM.of("0 2/3 1/3", "2/3 1/3 0; 1/3 1/3 1; 0 1/3 0", "1/3 1 2/3; 2/3 0 1/3"), "0 0 -1", 2),
    ],
)
def test_where_signs_leave_something_the_largest_entry_of_a_prompt_and_halves_exclude_it(
    model: HMM, task: str, length: int
) -> None:
    """The tree asks for u's largest entry first, then halves regions. In the second model the leaf for u = 0 uses an
    input that no other leaf uses."""
    refutation = outcome_is_true(model, Task.of(task), length)
    assert isinstance(refutation, NoPromptedHead)
    assert isinstance(refutation.nodes[0], Largest)
    assert any(isinstance(node, Halve) for node in refutation.nodes)


def test_two_inputs_that_no_prompt_tells_apart_exclude_every_head_at_once() -> None:
    verdict = prove(STATEMENTS["3.6"], *shipped("reducible"))
    assert verdict.conclusion is not None
    assert verdict.conclusion.holds is False
    assert len(verdict.counterexample) == 2
    assert len(oracle.inputs(plain(*shipped("reducible")), 1)) == 2


def test_a_region_of_which_nothing_is_known_is_split(monkeypatch: pytest.MonkeyPatch) -> None:
    undecided = iter([True])
    monkeypatch.setattr(no_prompted, "decide", lambda rows: None if next(undecided, False) else decide(rows))
    refutation = outcome_is_true(*shipped("neither"), 2)
    assert isinstance(refutation, NoPromptedHead)
    assert isinstance(refutation.nodes[0], Sign)


def test_an_allowance_is_spent_to_the_last_entry() -> None:
    allowance = Allowance(2)
    allowance.spend(2)
    with pytest.raises(SpentError):
        allowance.spend(1)


def test_without_allowance_there_is_no_answer() -> None:
    model, task = shipped("neither")
    assert prompted_head(Problem(model, task), sample(model, task, 3), Allowance(1)) is None
