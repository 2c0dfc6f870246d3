"""Examples meet their conditions (brute force checks it) and shrink to the least; impossible conditions are refused."""

from collections.abc import Callable
from typing import TypeVar

import oracle
import pytest
from checks import MANY, SOME, label, plain, shipped
from hypothesis import find, given, settings
from hypothesis import strategies as st

from constructions.memory.assumptions import decide_all
from constructions.models import HMM
from constructions.tasks import Task
from verify.strategies import memory, vanilla

Problem = tuple[HMM, Task]
Example = TypeVar("Example")

MEETS: dict[str, Callable[[oracle.Model], bool]] = {
    "3.1": oracle.assumption_3_1,
    "3.2": lambda truth: oracle.ergodic(truth) and oracle.full_support(truth),
    "3.2:ergodic": oracle.ergodic,
    "3.2:full-support": oracle.full_support,
    "3.5": lambda truth: oracle.assumption_3_5(truth, truth["task"]["mu"]) is not None,
}
MODEL_ASSUMPTIONS = ["3.1", "3.2", "3.2:ergodic", "3.2:full-support"]
ONE_STATE = HMM.of("1", "1", "1")
SIZES = (1, 4)


def least_example(strategy: st.SearchStrategy[Example]) -> Example:
    """Return the example to which all examples of a strategy shrink.

    No database is used: it would file examples by the condition, which is the same for all strategies here.
    """
    return find(strategy, lambda _: True, settings=settings(max_examples=20, database=None))


# Models and problems


@MANY
@given(st.data(), st.sampled_from(MODEL_ASSUMPTIONS), st.sets(st.sampled_from(MODEL_ASSUMPTIONS)))
def test_models_meet_the_assumptions_asked_for(data: st.DataObject, assumption: str, also: set[str]) -> None:
    model = data.draw(vanilla.hmms(SIZES, SIZES, {assumption, *also}))
    assert all(MEETS[id](plain(model)) for id in {assumption, *also})


@pytest.mark.parametrize(
    ("broken", "also"),
    [
        ("3.1", ()),
        ("3.1", ("3.2",)),
        ("3.2", ()),
        ("3.2", ("3.1",)),
        ("3.2:ergodic", ()),
        ("3.2:ergodic", ("3.1", "3.2:full-support")),
        ("3.2:full-support", ()),
        ("3.2:full-support", ("3.1", "3.2:ergodic")),
    ],
)
@SOME
@given(st.data())
def test_models_violate_the_assumption_asked_for_and_meet_the_others(
    broken: str, also: tuple[str, ...], data: st.DataObject
) -> None:
    model = data.draw(vanilla.hmms(SIZES, SIZES, also, broken))
    assert not MEETS[broken](plain(model))
    assert all(MEETS[id](plain(model)) for id in also)


@SOME
@given(st.data())
def test_memory_models_that_violate_4_2_do_so_with_each_task_and_meet_3_2(data: st.DataObject) -> None:
    model = data.draw(memory.memory_hmms(violating="4.2", cells=(1, 2), values=(1, 3), tokens=(1, 5)))
    task = data.draw(memory.memory_tasks(model))
    holds = {finding.id: finding.holds for finding in decide_all(model, task)}
    assert (holds["3.2:ergodic"], holds["3.2:full-support"], holds["4.2"]) == (True, True, False)


@MANY
@given(st.data(), st.sets(st.sampled_from(MODEL_ASSUMPTIONS)), st.integers(1, 3))
def test_problems_meet_3_5_and_the_assumptions_asked_for(data: st.DataObject, also: set[str], rows: int) -> None:
    model, task = data.draw(vanilla.problems_satisfying("3.5", also, rows, SIZES, SIZES))
    assert all(MEETS[id](plain(model, task)) for id in {"3.5", *also})
    assert len(task.mu) == rows


@SOME
@given(st.data(), st.sampled_from(MODEL_ASSUMPTIONS), st.integers(1, 2))
def test_a_model_that_violates_an_assumption_is_drawn_with_a_task_of_its_own(
    data: st.DataObject, key: str, rows: int
) -> None:
    model, task = data.draw(vanilla.problems_violating(key, (), rows))
    assert not MEETS[key](plain(model))
    other_model, other_task = data.draw(vanilla.problems_satisfying(key, (), rows))
    assert MEETS[key](plain(other_model))
    assert (len(task.mu), len(task.mu[0]), len(other_task.mu[0])) == (rows, len(model.states), len(other_model.states))


@pytest.mark.parametrize("also", [(), ("3.1",), ("3.2",), ("3.1", "3.2:full-support")])
@SOME
@given(st.data(), st.integers(1, 3))
def test_problems_violate_3_5_and_meet_the_assumptions_asked_for(
    also: tuple[str, ...], data: st.DataObject, rows: int
) -> None:
    model, task = data.draw(vanilla.problems_violating("3.5", also, rows, SIZES, SIZES))
    assert not MEETS["3.5"](plain(model, task))
    assert all(MEETS[id](plain(model, task)) for id in also)


@MANY
@given(st.data(), st.sampled_from(["3.3", "3.6"]), st.sampled_from([(), ("3.1",), ("3.5",)]))
def test_problems_meet_all_hypotheses_of_a_statement(
    data: st.DataObject, statement_id: str, also: tuple[str, ...]
) -> None:
    truth = plain(*data.draw(vanilla.problems(statement_id, also=also, states=SIZES, tokens=SIZES)))
    assert all(MEETS[id](truth) for id in (*vanilla.HYPOTHESES[statement_id], *also))


@MANY
@given(st.data(), st.sampled_from(["3.3", "3.6"]))
def test_problems_with_both_labels_have_both_at_once(data: st.DataObject, statement_id: str) -> None:
    truth = plain(*data.draw(vanilla.problems(statement_id, both_labels=True, states=SIZES, tokens=SIZES)))
    assert all(MEETS[id](truth) for id in vanilla.HYPOTHESES[statement_id])
    assert {label(truth, x) for x in oracle.inputs(truth, 2)} == {0, 1}


def test_models_with_more_states_than_tokens_meet_3_6() -> None:
    truth = plain(*least_example(vanilla.problems("3.6", both_labels=True, states=3, tokens=2)))
    assert not oracle.assumption_3_1(truth)
    assert MEETS["3.5"](truth)


# Vectors, tasks, inputs


@MANY
@given(st.integers(1, 5), st.data())
def test_distributions_sum_to_one_and_prompts_are_in_the_unit_cube(n: int, data: st.DataObject) -> None:
    law, positive = (data.draw(vanilla.distributions(n, positive=positive)) for positive in (False, True))
    assert len(law) == n
    assert sum(law) == sum(positive) == 1
    assert min(law) >= 0
    assert min(positive) > 0
    u = data.draw(vanilla.prompts(n))
    assert len(u) == n
    assert all(0 <= entry <= 1 for entry in u)


@MANY
@given(vanilla.hmms().flatmap(lambda model: st.tuples(st.just(model), vanilla.inputs(model, 3))))
def test_inputs_have_positive_probability(case: tuple[HMM, tuple[int, ...]]) -> None:
    model, x = case
    assert 1 <= len(x) <= 3
    assert oracle.probability(plain(model), x) > 0


def test_every_short_input_can_be_drawn() -> None:
    model, _ = shipped("reducible")
    for x in oracle.inputs(plain(model), 2):
        assert find(vanilla.inputs(model, 2), lambda word, x=x: word == x) == x  # type: ignore[misc]


@pytest.mark.parametrize("tie", [False, True])
@pytest.mark.parametrize("name", ["healthy-fever", "initial-zero", "reducible"])
@SOME
@given(st.data())
def test_tasks_with_both_labels_have_both_and_ties_where_asked_for(name: str, tie: bool, data: st.DataObject) -> None:
    model, _ = shipped(name)
    truth = plain(model, data.draw(vanilla.tasks_with_both_labels(model, tie=tie)))
    [_, mu] = oracle.as_rows(truth["task"]["mu"])
    scores = [oracle.dot(mu, oracle.posterior_initial(truth, x)) for x in oracle.inputs(truth, 2)]
    assert min(scores) < 0 <= max(scores)
    assert 0 in scores if tie else max(scores) > 0


@SOME
@given(st.data())
def test_tasks_with_both_labels_keep_to_the_states_asked_for(data: st.DataObject) -> None:
    model, _ = shipped("multiclass")
    assert data.draw(vanilla.tasks_with_both_labels(model, within=(0, 2))).support <= {0, 2}


# What examples shrink to


@pytest.mark.parametrize(
    ("strategy", "example"),
    [
        (
            vanilla.problems_violating("3.5", also=("3.2",)),
            (HMM.of("1/2 1/2", "1/2 1/2; 1/2 1/2", "1 1"), Task.of("1 0")),
        ),
        (
            vanilla.problems("3.6", both_labels=True),
            (HMM.of("1/2 1/2", "1/2 1; 1/2 0", "1 0; 0 1"), Task.of("-1 2")),
        ),
    ],
)
@pytest.mark.thorough(reason="2 searches for a least example: 2 s; test_types_shrink_... is quick")
def test_examples_shrink_to_the_least_model(strategy: st.SearchStrategy[object], example: object) -> None:
    assert least_example(strategy) == example


# What is refused


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: vanilla.distributions(0), "n=0: expected at least 1"),
        (lambda: vanilla.hmms(states=0), "states=0: expected a number >= 1"),
        (lambda: vanilla.hmms(satisfying=("3.2", "4.2")), "satisfying='4.2': expected one of 3.1"),
        (
            lambda: vanilla.hmms(satisfying="3.1", states=3, tokens=2),
            "tokens=2: 3.1 needs at least as many tokens as states",
        ),
        (lambda: vanilla.hmms(violating="3.1", satisfying="3.1"), "satisfying='3.1': it contains 3.1"),
        (lambda: memory.memory_hmms(violating="3.2"), "violating='3.2': expected 4.2"),
        (lambda: vanilla.problems_satisfying("3.4"), "assumption_id='3.4': expected one of 3.1, "),
        (lambda: vanilla.problems_violating("3.5", also=("3.1", "3.2")), "also=('3.1', '3.2'): 3.1 and an ergodic"),
        (lambda: vanilla.problems_violating("3.1", also=["3.5"]), "also='3.5': expected one of 3.1"),
        (lambda: vanilla.problems("4.3"), "statement_id='4.3': expected one of 3.3, 3.6"),
        (lambda: vanilla.problems("3.3", both_labels=True, rows=2), "rows=2: with both_labels"),
        (lambda: vanilla.tasks(ONE_STATE, rows=0), "rows=0: expected at least 1"),
        (lambda: vanilla.inputs(ONE_STATE, 0), "max_length=0: expected at least 1"),
        (lambda: vanilla.tasks_with_both_labels(ONE_STATE, within=(1,)), "within=(1,): expected some of the 1 states"),
    ],
)
def test_what_cannot_be_is_refused_at_once_by_the_name_of_the_argument(
    call: Callable[[], object], complaint: str
) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011
        call()
    assert str(error.value).startswith(complaint)


def test_a_model_with_one_posterior_is_refused_both_labels_with_the_reason() -> None:
    with pytest.raises(ValueError, match="all inputs of at most 2 tokens have the same posterior of H_0"):
        vanilla.tasks_with_both_labels(ONE_STATE)
    with pytest.raises(ValueError, match="rows=0"):
        least_example(vanilla.with_tasks(vanilla.hmms(states=1), rows=0))
