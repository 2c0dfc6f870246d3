"""Verdicts agree with the oracle in every part: hypotheses, labels, heads, refutations, certificates.

Notation: constructions/__init__.py.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from checks import EFFORT, FEW, mislabelled, plain, shipped, short_inputs, verdict_is_true
from checks import label as true_label
from hypothesis import given
from hypothesis import strategies as st

from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.models import HMM
from constructions.tasks import Task, label_of
from verify.prover import judge_head, prove
from verify.statements import STATEMENTS
from verify.strategies import vanilla
from verify.words.problem import Inputs, Problem

ModelAndTask = tuple[HMM, Task]


@pytest.fixture(autouse=True, scope="module")
def few_words() -> Iterator[None]:
    """Let `Inputs` visit 600 words where no limit is given. On small models that includes every short word."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Inputs.__init__, "__defaults__", (600,))
        yield


both = pytest.mark.parametrize("statement_id", ["3.3", "3.6"])


def telling(models: st.SearchStrategy[HMM], tie: bool = False) -> st.SearchStrategy[ModelAndTask]:
    """Draw a model and a task for which both labels occur; a fixed task if all short inputs have the same posterior.

    With `tie`, the task, unless it is the fixed task, gives some input the score mu'P[H_0 | X = x] = 0.
    """

    def tasks(model: HMM) -> st.SearchStrategy[Task]:
        try:
            return vanilla.tasks_with_both_labels(model, tie=tie)
        except ValueError:
            return st.just(Task((tuple(Fraction(1 - h) for h in range(len(model.states))),)))

    return models.flatmap(lambda model: st.tuples(st.just(model), tasks(model)))


SMALL: dict[str, Any] = {"states": (2, 3), "tokens": (2, 3)}


@both
@pytest.mark.parametrize(
    "problems",
    [
        telling(vanilla.hmms(**SMALL)),
        telling(vanilla.hmms(**SMALL), tie=True),
        telling(vanilla.hmms(violating="3.1", satisfying="3.2", **SMALL)),
        telling(vanilla.hmms(violating="3.2", **SMALL)),
        vanilla.problems_violating("3.5", rows=3, **SMALL),
    ],
    ids=["any model", "a score of exactly 0", "dependent emissions", "without 3.2", "three labels"],
)
@FEW
@given(st.data())
def test_a_verdict_is_true(statement_id: str, problems: st.SearchStrategy[ModelAndTask], data: st.DataObject) -> None:
    verdict_is_true(statement_id, *data.draw(problems))


@both
def test_refuting_inputs_of_one_length_are_reported_with_it(statement_id: str) -> None:
    verdict = prove(STATEMENTS[statement_id], *shipped("reducible"))
    assert verdict.conclusion is not None
    assert verdict.conclusion.holds is False
    assert verdict.lengths == 1 == len(verdict.conclusion.inputs[0])


@both
def test_a_constant_label_is_reported_as_vacuous(statement_id: str) -> None:
    verdict = prove(STATEMENTS[statement_id], *shipped("constant-label"))
    assert verdict.vacuous is True
    assert verdict.labels == (None, (0,))


@both
@pytest.mark.parametrize(("mu", "label"), [("1 -1", 1), ("2 -1", 1), ("1 -2", 0), ("1 0; 0 1; 1/2 1/2", 2)])
def test_a_task_of_which_no_input_tells_is_vacuous_though_its_functionals_change_sign(
    statement_id: str, mu: str, label: int
) -> None:
    """The model has one token, and its chain swaps the two states.

    So the functionals have entries of both signs after every prefix, and a tree of prefixes alone never settles the
    label.
    """
    verdict = verdict_is_true(statement_id, HMM.of("1/2 1/2", "0 1; 1 0", "1 1"), Task.of(mu))
    assert (verdict.vacuous, [l for l, word in enumerate(verdict.labels) if word]) == (True, [label])


@both
def test_without_effort_nothing_is_claimed(statement_id: str) -> None:
    verdict = prove(STATEMENTS[statement_id], *shipped("neither"), type(EFFORT)(nodes=0, rounds=0, prompts=0))
    assert (verdict.answer, verdict.status) == ("undecided", "not-applicable")


@both
def test_ties_come_out_as_label_one(statement_id: str) -> None:
    model, task = shipped("tie")
    verdict = prove(STATEMENTS[statement_id], model, task)
    assert verdict.conclusion is not None
    assert verdict.conclusion.holds is True
    assert isinstance(verdict.conclusion.classifier, Classifier)
    assert label_of(list(verdict.conclusion.classifier.scores(model.chain(), (2,)))) == 1
    assert true_label(plain(model, task), (2,)) == 1
    assert verdict.labels == ((1,), (0,))


# One's own head


@st.composite
def judged(draw: st.DrawFn, prompted: bool) -> tuple[HMM, Task, Classifier]:
    """Draw a model, a task and a head that does not depend on the task."""
    model = draw(vanilla.hmms(states=(1, 3), tokens=(1, 2)))
    task = draw(vanilla.tasks(model))
    b = tuple(draw(st.sampled_from((Fraction(0), Fraction(1), Fraction(-1), Fraction(-2)))) for _ in model.tokens)
    prompt = SoftPrompt(draw(vanilla.prompts(len(model.states)))) if prompted else None
    return model, task, Classifier(LinearHead((b,)), prompt)


@pytest.mark.parametrize("prompted", [False, True])
@FEW
@given(st.data())
def test_a_judgement_of_any_head_is_true(prompted: bool, data: st.DataObject) -> None:
    """The verdict names the first short input that the head mislabels; if it is "holds", the head mislabels none."""
    model, task, classifier = data.draw(judged(prompted))
    verdict, wrong = judge_head(model, task, classifier, EFFORT), mislabelled(model, task, classifier)
    if verdict.answer == "holds":
        assert not wrong
    if wrong:
        assert verdict.counterexample is not None
        assert verdict.counterexample.input == wrong[0]


# Inputs


@FEW
@given(telling(vanilla.hmms()))
def test_enumerated_inputs_stand_for_all_inputs_with_their_labels(problem: ModelAndTask) -> None:
    truth = plain(*problem)
    entries = list(Inputs(Problem(*problem)))
    labels = {direction(entry.beta): entry.label for entry in entries}
    assert len(labels) == len(entries)
    for x in short_inputs(truth):
        read = Inputs(Problem(*problem)).of(x)
        assert read is not None
        assert read.label == labels[direction(read.beta)] == true_label(truth, x)


def direction(beta: tuple[int, ...]) -> tuple[Fraction, ...]:
    return tuple(Fraction(entry, sum(beta)) for entry in beta)
