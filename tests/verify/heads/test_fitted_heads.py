"""Heads that fit the inputs tried: the oracle agrees, and a verdict claims only that they fit these inputs.

Notation: constructions/__init__.py.
"""

import itertools
import json
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import memory_oracle
import pytest
from checks import FEW, SOME, candidate_fits
from checks import plain as plain_chain
from checks import shipped as shipped_chain
from hypothesis import given
from hypothesis import strategies as st
from memory_checks import Word, members, plain, recoverable_states, shipped

from constructions.heads import SoftPrompt
from constructions.memory.attention import AttentionClassifier
from constructions.memory.model import MemoryHMM
from constructions.tasks import MemoryTask
from verify.certificates import statement_certificate
from verify.conclusion import Conclusion
from verify.entry import load
from verify.heads import fitted as fitted_heads
from verify.heads.fitted import as_head, fit
from verify.heads.no_attention import Fitted, NoAttentionHead, ReadInput, read_inputs, shortest
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.strategies.memory import memory_hmms, memory_tasks
from verify.words.effort import Effort
from verify.words.memory_problem import MemoryProblem

ModelAndTask = tuple[MemoryHMM, MemoryTask]

NECESSITY = Path(__file__).parents[3] / "results/necessity/certificates"

LENGTH = 3
"""Plain sums check inputs of up to so many tokens."""


def problems(rows: int, syntax: int = 1) -> st.SearchStrategy[ModelAndTask]:
    models = memory_hmms(cells=(1, 1), values=(2, 2), syntax=(syntax, 2), tokens=(2, 3))
    return models.flatmap(lambda model: st.tuples(st.just(model), memory_tasks(model, rows=rows)))


def labels(problem: MemoryProblem, classifier: AttentionClassifier, words: Iterable[Word]) -> dict[Word, int]:
    """Return the head's label for each word, by plain sums from the head's JSON document."""
    truth = plain(problem.model, problem.task)
    head = memory_oracle.read_head(truth, *json.loads(json.dumps(classifier.documents)))
    sums = memory_oracle.Sums(truth, head.prompt)
    return {x: memory_oracle.head_label(head, sums, x) for x in words}


def labels_are_true(problem: MemoryProblem, candidate: Conclusion) -> set[int]:
    """Check that `candidate.fits.inputs` get their labels, `fits.missed` is mislabelled, and all of them are in R.

    Inputs longer than `LENGTH` are not checked. Return the labels of all inputs in R of up to this length.
    """
    assert isinstance(candidate.classifier, AttentionClassifier)
    true = dict(members(plain(problem.model, problem.task), problem.recoverable_states, LENGTH))
    named = [x for x in (*candidate.fits.inputs, *filter(None, [candidate.fits.missed])) if len(x) <= LENGTH]
    for x, label in labels(problem, candidate.classifier, named).items():
        assert (label == true[x]) == (x != candidate.fits.missed)
    return set(true.values())


@FEW
@given(st.integers(1, 3).flatmap(problems), st.booleans(), st.data())
def test_an_attention_head_that_fits_does_so_by_plain_sums(
    problem: ModelAndTask, prompted: bool, data: st.DataObject
) -> None:
    states = data.draw(st.sampled_from([(0,), tuple(range(problem[0].shape.hidden))]))
    memory_problem = MemoryProblem(*problem, states, effort=Effort(tokens=LENGTH, heads=10, systems=100))
    candidate = fit(memory_problem, data.draw(st.sampled_from(prompts(memory_problem))) if prompted else None)
    if candidate and candidate.holds is None:
        labels_are_true(memory_problem, candidate)


def prompts(problem: MemoryProblem) -> list[SoftPrompt]:
    return [problem.prompt, SoftPrompt((Fraction(1),) * problem.joint.states)]


@pytest.mark.parametrize(("value", "label"), [(-1, 0), (0, 1)])
def test_a_fitted_head_gives_label_1_to_scores_from_0(value: int, label: int) -> None:
    assert Fitted((0,), (0,), ((value,),)).label(ReadInput((0,), label, ((1,),), 1, ((1,),))) == label


def test_an_input_of_which_nothing_is_read_is_a_refutation_by_itself() -> None:
    """The input (1, 0) is impossible behind the prompt. So every head scores it 0, which is label 1; but F* is 0."""
    model = MemoryHMM.of("0 1", "0 1; 1 0", memory="0 1", emission="0 0 0 1; 1 1 1 0")
    problem = MemoryProblem(model, MemoryTask.of("0 -1"), (0, 1))
    refutation = shortest(problem, read_inputs(problem, words(2, 2), problem.prompt))
    assert isinstance(refutation, NoAttentionHead)
    assert list(map(len, refutation.inputs)) == [2]


@pytest.mark.parametrize("name", ["last-position", "sky-and-wind"])
def test_a_head_fitted_behind_a_prompt_gives_its_inputs_their_labels(name: str) -> None:
    states = recoverable_states(STATEMENTS["4.6"], *shipped(name))
    problem = MemoryProblem(*shipped(name), states, effort=Effort(inputs=10, heads=2))
    for prompt in prompts(problem):
        candidate = fit(problem, prompt)
        assert candidate is not None
        assert candidate.classifier is not None
        assert candidate.classifier.prompt == prompt
        assert labels_are_true(problem, candidate) == {0, 1}


@SOME
@given(st.sampled_from([1, 3]).flatmap(lambda rows: problems(rows, syntax=2)), st.booleans(), st.data())
def test_what_was_fitted_is_written_as_a_head_that_labels_alike(
    problem: ModelAndTask, prompted: bool, data: st.DataObject
) -> None:
    memory_problem = MemoryProblem(*problem, tuple(range(problem[0].shape.hidden)))
    prompt = data.draw(st.sampled_from(prompts(memory_problem))) if prompted else None
    k, rivals = len(memory_problem.model.tokens), len(memory_problem.task.labels) - 1
    width = memory_problem.model.shape.columns if prompted else k

    def row(length: int) -> st.SearchStrategy[tuple[int, ...]]:
        return st.tuples(*[st.integers(-3, 3)] * length)

    fitted = Fitted(data.draw(row(k)), data.draw(row(2)), tuple(data.draw(st.tuples(*[row(k)] * (rivals * width)))))
    head = as_head(memory_problem, fitted, prompt)
    if head is None:
        assert rivals > 1
        assert prompted or rivals * k > memory_problem.model.shape.columns
    else:
        assert len(head.head.query) == memory_problem.model.shape.hidden + 1
        assert len(head.head.value) == memory_problem.model.shape.columns
        assert head.head.key_row == tuple(map(Fraction, fitted.key))
        assert tuple(map(head.head.position_score, range(2))) == tuple(map(Fraction, fitted.position))
        expected = {read.word: fitted.label(read) for read in read_inputs(memory_problem, words(k, 3), prompt)}
        assert labels(memory_problem, head, expected) == expected


def test_as_many_value_dimensions_as_there_are_columns_are_enough_for_two_labels() -> None:
    problem = MemoryProblem(MemoryHMM.of("1", "1", memory="1/2 1/2", emission="1 0; 0 1"), MemoryTask.of("1 -1"), (0,))
    assert as_head(problem, Fitted((0, 0), (0,), ((1, 0), (0, -1))), None) is not None


def words(tokens: int, longest: int) -> list[Word]:
    return [x for length in range(1, longest + 1) for x in itertools.product(range(tokens), repeat=length)]


@pytest.mark.parametrize("name", ["further-positions", "sky-and-wind", "topic-mixed"])
def test_where_4_3_is_undecided_the_head_that_fits_is_a_candidate_and_no_more(name: str) -> None:
    verdict = prove(STATEMENTS["4.3"], *shipped(name))
    assert (verdict.answer, verdict.status) == ("undecided", "not-applicable")
    assert verdict.candidate is not None
    assert verdict.candidate.fits.missed is None
    assert verdict.recoverable is not None
    problem = MemoryProblem(*shipped(name), verdict.recoverable)
    assert labels_are_true(problem, verdict.candidate) == {0, 1}
    assert verdict.candidate.fits.inputs == tuple(entry.word for entry in problem.in_r(problem.short_inputs))
    length = verdict.candidate.fits.length
    assert {entry.word for entry in problem.in_r(words(len(problem.model.tokens), length))} == {
        x for x in verdict.candidate.fits.inputs if len(x) <= length
    }
    assert f"some head is right on all inputs in R of up to {length} tokens, of longer" in verdict.because


def test_inputs_that_no_attention_head_fits_let_4_3_fail() -> None:
    verdict = prove(STATEMENTS["4.3"], *load(str(NECESSITY / "4.3-without-4.2.json")))
    assert (verdict.answer, verdict.candidate) == ("fails", None)


@pytest.mark.parametrize("decided", [2, 1])
def test_an_attention_head_that_was_fitted_to_few_inputs_comes_with_one_that_it_mislabels(
    decided: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `decided` = 1, only the first call of `shortest` returns a head."""
    fitted: list[object] = []

    def fitting(*arguments: Any) -> object:
        fitted.append(shortest(*arguments) if len(fitted) < decided else None)
        return fitted[-1]

    monkeypatch.setattr(fitted_heads, "shortest", fitting)
    model, task = shipped("loud-outsider")
    states = recoverable_states(STATEMENTS["4.3"], model, task)
    problem = MemoryProblem(model, task, states, effort=Effort(inputs=10, heads=2))
    candidate = fit(problem)
    assert isinstance(candidate, Conclusion)
    assert len(fitted) == 2
    assert len(candidate.fits.inputs) == 9 + decided
    missed = candidate.fits.missed
    assert missed is not None
    assert missed not in candidate.fits.inputs
    assert candidate.fits.length == len(missed) - 1
    assert labels_are_true(problem, candidate) == {0, 1}


@pytest.mark.parametrize(("statement", "rounds"), [("3.3", 1), ("3.3", 2), ("3.6", 1)])
def test_a_linear_head_that_was_fitted_comes_with_an_input_that_it_mislabels(statement: str, rounds: int) -> None:
    model, task = shipped_chain("cpg-island")
    verdict = prove(STATEMENTS[statement], model, task, Effort(rounds=rounds, prompts=1))
    assert verdict.answer == "undecided"
    assert statement_certificate(verdict) is None or not verdict.counterexample
    assert verdict.candidate is not None
    assert verdict.candidate.fits.missed not in (None, *verdict.candidate.fits.inputs)
    candidate_fits(plain_chain(model, task), verdict.candidate)
    assert verdict.because.startswith("none excluded; some head is right on all inputs of up to ")
