"""Decisions on 4.2, 4.5 and C.5 are those of the oracle; 4.4:stationary says P[H_1] = P[H_0]. Evidence is right.

Notation: constructions/__init__.py.
"""

from dataclasses import replace
from fractions import Fraction

import memory_oracle
import oracle
from checks import MANY, SOME
from hypothesis import given
from hypothesis import strategies as st
from memory_checks import MemoryProblem, plain, shipped, with_tasks

from constructions.assumptions import ergodic, independent_columns
from constructions.linear import columns, combine, exact, left_inverse
from constructions.memory.assumptions import (
    MEMORY_DECIDE,
    MoreCells,
    Moves,
    Stationary,
    decide_all,
    disjoint,
    ground,
    independent,
    recoverable,
    stationary,
)
from constructions.memory.coloops import Ground, Recoverable, Unrecoverable
from constructions.memory.joint_chain import joint_model
from constructions.memory.model import MemoryHMM
from constructions.tasks import MemoryTask
from verify.library import shipped_memory_models
from verify.strategies import memory
from verify.strategies.vanilla import distributions

NOISELESS = MemoryHMM.of("1", "1", "1/2 1/2", "1 0; 0 1")

PROBLEMS = st.one_of(
    with_tasks(memory.memory_hmms(values=(1, 3), tokens=(1, 5))),
    memory.memory_problems("4.3"),
    memory.memory_problems("C.6"),
    memory.memory_problems("4.6", rows=2),
)


def ids(model: MemoryHMM) -> list[str]:
    return [id for id in ("4.2", "4.5", "C.5") if id != "4.5" or model.shape.cells == 1]


def shows(id: str, problem: MemoryProblem, evidence: Recoverable | Unrecoverable) -> bool:
    """Whether the evidence is right: dual vectors of recoverable states, or null vectors of unrecoverable states."""
    model, task = problem
    family = ground(id, model, task)
    if isinstance(evidence, Recoverable):
        products = [combine(theta, columns(model.emission, evidence.ground)) for theta in evidence.dual]
        units = [tuple(Fraction(c == column) for c in evidence.ground) for column in evidence.columns]
        return products == units and evidence.columns == tuple(c for h in evidence.states for c in family.of[h])
    return all(
        not any(oracle.dot(row, vector) for row in model.emission)
        and any(vector[c] for c in family.of[h])
        and all(c in family.columns for c, weight in enumerate(vector) if weight)
        for h, vector in zip(evidence.states, evidence.null_vectors, strict=True)
    )


@MANY
@given(PROBLEMS)
def test_the_largest_recoverable_set_is_the_one_found_by_trying_all(problem: MemoryProblem) -> None:
    model, task = problem
    truth = plain(model, task)
    for id in ids(model):
        finding, largest = recoverable(id, model, task), memory_oracle.largest_recoverable(truth, id)
        assert finding.holds == bool(largest)
        assert isinstance(finding.evidence, Recoverable | Unrecoverable)
        assert shows(id, problem, finding.evidence)
        if finding.holds:
            assert set(finding.evidence.states) == {model.shape.state(task.cell, s) for s in largest}
        else:
            assert len(finding.evidence.states) == model.shape.syntax


@MANY
@given(PROBLEMS, st.data())
def test_a_set_that_is_asked_for_is_decided_in_both_parts(problem: MemoryProblem, data: st.DataObject) -> None:
    model, task = problem
    chosen = data.draw(st.lists(st.integers(0, model.shape.syntax - 1), min_size=1, unique=True))
    restricted, truth = replace(task, recoverable=tuple(sorted(chosen))), plain(model, task)
    states = [model.shape.state(task.cell, s) for s in sorted(chosen)]
    for id in ids(model):
        first, second = independent(id, model, task, states), disjoint(id, model, task, states)
        assert first == memory_oracle.independent(truth, id, chosen)
        assert second == memory_oracle.disjoint(truth, id, chosen)
        finding = recoverable(id, model, restricted)
        assert finding.holds == (first and second)
        assert isinstance(finding.evidence, Recoverable | Unrecoverable)
        assert shows(id, problem, finding.evidence)


def implications(model: MemoryHMM, task: MemoryTask) -> dict[str, tuple[bool, bool]]:
    """The paper's claims that one assumption implies or equals another. Each is a pair (premise, conclusion).

    Each assumption has a largest H*: an H* meets the assumption iff H* is a subset of this largest one. So a claim
    about every H* compares the largest H* of two assumptions.
    """
    largest = {id: set(ground(id, model, task).admissible()) for id in ("4.2", "4.5", "C.5")}
    all_states = {model.shape.state(task.cell, s) for s in range(model.shape.syntax)}
    of_one_cell = {
        "4.2: 4.5, the same H*": (bool(largest["4.2"]), largest["4.2"] <= largest["4.5"]),
        "one cell: C.5 is 4.5": (True, largest["C.5"] == largest["4.5"]),
    }
    return {
        "all columns independent: 4.2, every H*": (bool(left_inverse(model.emission)), largest["4.2"] == all_states),
        "4.2: C.5, the same H*": (bool(largest["4.2"]), largest["4.2"] <= largest["C.5"]),
    } | (of_one_cell if model.shape.cells == 1 else {})


@MANY
@given(PROBLEMS)
def test_what_the_paper_says_of_the_assumptions_is_so(problem: MemoryProblem) -> None:
    assert all(conclusion or not premise for premise, conclusion in implications(*problem).values())


def test_the_premises_of_what_the_paper_says_occur() -> None:
    assert [premise for premise, _ in implications(*shipped("appendix-d-memory")).values()] == [True] * 4


def test_states_that_cannot_occur_are_recoverable_without_dual_vectors() -> None:
    assert Ground(NOISELESS, (0,), (5,)).decide() == Recoverable((5,), (0,), (), ())


def test_the_vanilla_model_of_a_memory_model_keeps_its_source() -> None:
    assert joint_model(replace(NOISELESS, name="two", source="far")).source == "far"


@SOME
@given(memory.memory_problems("C.6"), st.data())
def test_a_start_that_is_not_stationary_is_seen(problem: MemoryProblem, data: st.DataObject) -> None:
    model, _ = problem
    assert stationary(model).holds
    moved = replace(model, initial=exact(data.draw(distributions(model.shape.hidden))))
    finding = stationary(moved)
    assert finding.holds == (moved.first == moved.initial)
    assert isinstance(finding.evidence, Stationary if finding.holds else Moves)
    if isinstance(finding.evidence, Moves):
        assert moved.first[finding.evidence.state] != moved.initial[finding.evidence.state]


def test_4_5_is_about_one_cell() -> None:
    model, task = shipped("sky-and-wind")
    finding = recoverable("4.5", model, task)
    assert (finding.holds, finding.evidence) == (False, MoreCells(2))
    assert [finding.id for finding in decide_all(model, task)] == [id for id in MEMORY_DECIDE if id != "4.5"]
    assert [finding.id for finding in decide_all(NOISELESS, MemoryTask.of("1 -1"))] == list(MEMORY_DECIDE)


def test_as_a_vanilla_model_a_memory_model_is_reducible_and_with_several_cells_its_columns_are_dependent() -> None:
    for model, _ in shipped_memory_models():
        joint = joint_model(model)
        assert not ergodic(joint).holds
        assert model.shape.cells == 1 or not independent_columns(joint).holds
