"""R, and the positions by which an input is in R, are as defined. Whether R is empty is decided for all lengths.

Notation: constructions/__init__.py.
"""

import itertools
from fractions import Fraction

import memory_oracle
from checks import FEW, SOME
from hypothesis import given
from hypothesis import strategies as st
from memory_checks import MemoryProblem, members, plain, shipped, with_tasks, witness

from constructions.heads import SoftPrompt
from constructions.memory import prompts
from constructions.memory.model import MemoryHMM
from constructions.memory.recoverable import RecoverableInputs
from verify.strategies import memory
from verify.words import memory_problem
from verify.words.effort import Effort
from verify.words.problem import first_of_each_label

SMALL = with_tasks(memory.memory_hmms(cells=(1, 2), tokens=(1, 3)))


def some_states(data: st.DataObject, model: MemoryHMM) -> list[int]:
    return data.draw(st.lists(st.integers(0, model.shape.hidden - 1), min_size=1, unique=True))


@FEW
@given(SMALL, st.data())
def test_membership_and_its_reasons_are_those_of_the_enumeration(problem: MemoryProblem, data: st.DataObject) -> None:
    (model, _), truth = problem, plain(*problem)
    states = some_states(data, model)
    region, inside = RecoverableInputs(model, states), {truth.states[h] for h in states}
    for t in (1, 2):
        for x in itertools.product(truth.tokens, repeat=t):
            membership = region.membership(x)
            assert membership.possible == (memory_oracle.probability(truth, x) > 0)
            if membership.possible:
                supports = [memory_oracle.hidden_support(truth, x, i) for i in range(1, t + 1)]
                assert [{truth.states[h] for h in support} for support in membership.supports] == supports
                assert membership.positions == tuple(i for i, support in enumerate(supports) if support <= inside)


@SOME
@given(SMALL, st.data())
def test_the_shortest_member_is_one_and_none_is_shorter(problem: MemoryProblem, data: st.DataObject) -> None:
    model, _ = problem
    states = some_states(data, model)
    region = RecoverableInputs(model, states)
    shortest = region.shortest()
    assert shortest is not None
    member = next(members(plain(*problem), states, 3), None)
    if not shortest or len(shortest) > 3:
        assert member is None
    else:
        assert member is not None
        assert len(member[0]) == len(shortest)
    if shortest:
        assert region.membership(shortest).member


@SOME
@given(SMALL, st.data())
def test_r_is_empty_iff_no_supports_of_both_sides_share_states_of_h_star_alone(
    problem: MemoryProblem, data: st.DataObject
) -> None:
    model, _ = problem
    region = RecoverableInputs(model, some_states(data, model))
    forward, backward = (layers.up_to(10_000) for layers in region.supports.layers())
    assert forward is not None
    assert backward is not None
    shared = {ahead & behind for ahead, behind in itertools.product(forward, backward)} - {0}
    assert (region.shortest() == ()) == all(states & region.elsewhere for states in shared)


def test_r_is_empty_where_the_source_of_a_model_says_so() -> None:
    model, task = shipped("never-sure")
    assert RecoverableInputs(model, witness("4.2", model, task).states).shortest() == ()


def test_what_no_possible_memory_emits_is_not_possible() -> None:
    region = RecoverableInputs(MemoryHMM.of("1", "1", "1 0", "1 0; 0 1"), (0,))
    assert (region.shortest(), [*itertools.islice(region.possible(), 2)]) == ((0,), [(0,), (0, 0)])
    assert not region.membership((1,)).possible


def test_a_word_may_be_recoverable_by_its_last_position_alone() -> None:
    """State 1 is never left, and each token tells which state emits it."""
    region = RecoverableInputs(MemoryHMM.of("1/2 1/2", "1/2 0; 1/2 1", "1", "1 0; 0 1"), (1,))
    assert region.shortest() == (1, 1)
    assert region.membership((1, 1)).supports == ((0, 1), (1,))


def test_a_spent_budget_leaves_the_question_open() -> None:
    model, task = shipped("pasture")
    region = RecoverableInputs(model, witness("4.2", model, task).states)
    assert region.shortest(budget=11) is None
    shortest = region.shortest(budget=12)
    assert shortest is not None
    assert [model.tokens[z] for z in shortest] == ["happily", "."]


def test_the_paper_leaves_the_last_position_out_of_z() -> None:
    model, task = shipped("surely-open")
    region, prompt = RecoverableInputs(model, (0,)), prompts.prompt(model, task)
    last, inside = (0, 1, 2), next(RecoverableInputs(model, (0,)).possible())
    assert [region.in_z(word, prompt) for word in (last, inside)] == [False, True]
    assert [region.in_paper_z(word, prompt) for word in (last, inside)] == [True, True]
    assert not region.in_paper_z(last, SoftPrompt((Fraction(0),) * len(prompt.u)))


@FEW
@given(memory.memory_problems("4.3", cells=(1, 2), values=2, both_labels=True))
def test_the_shortest_input_of_each_label_is_the_first_one(problem: MemoryProblem) -> None:
    model, task = problem
    states = witness("4.2", model, task).states
    first: dict[int, tuple[int, ...]] = {}
    for word, label in members(plain(model, task), states, 3):
        first.setdefault(label, word)
    prepared = memory_problem.MemoryProblem(model, task, states, effort=Effort(words=2_000))
    assert first_of_each_label(prepared.in_r(prepared.inputs()), task) == first
