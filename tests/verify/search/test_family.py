"""Statements on every small model: what is counted, and models that only such a list comes upon."""

import pytest

from constructions.memory.model import MemoryHMM, Shape
from constructions.reading import read_matrix
from constructions.tasks import MemoryTask
from verify.prover import prove
from verify.search.family import Tally
from verify.search.hypotheses import Answers
from verify.search.small_models import Bounds, small
from verify.statements import MEMORY, STATEMENTS, Statement


def counted(statement: str, bounds: Bounds) -> Tally:
    tally = Tally(STATEMENTS[statement])
    for known in small(tally.statement.about, bounds):
        tally.count(known, Answers(known))
    return tally


@pytest.mark.parametrize("denominator", [2, pytest.param(3, marks=pytest.mark.thorough(reason="a thousand models"))])
def test_theorems_hold_on_every_small_model_and_not_only_vacuously(denominator: int) -> None:
    for statement, states in (("3.3", 2), ("3.6", 2), ("4.3", 1)):
        tally = counted(statement, Bounds(states, 2, denominator))
        assert tally.proved == tally.applicable > tally.non_vacuous > 0


def test_section_3_1_is_proved_nowhere() -> None:
    tally = counted("section-3.1", Bounds(2, 2, 2))
    assert tally.proved == tally.undecided == 0 < tally.applicable


@pytest.mark.parametrize("statement", MEMORY, ids=lambda statement: statement.id)
def test_every_statement_is_decided_or_not_where_no_column_of_the_recoverable_states_can_occur(
    statement: Statement,
) -> None:
    """H_i is always s1 and M always m1, but mu names m0 alone, or the H* that is left is s0."""
    model = MemoryHMM(
        initial=read_matrix("0 1", "")[0],
        transition=read_matrix("0 0; 1 1", ""),
        shape=Shape(2, 1, 2),
        memory=read_matrix("0 1", "")[0],
        emission=read_matrix("0 0 0 1/2; 1 1 1 1/2", ""),
    )
    for task in (MemoryTask.of("-1 0"), MemoryTask.of("-1 -1"), MemoryTask.of("1 -1", recoverable=(0,))):
        assert prove(statement, model, task).status in {"proved", "not-applicable"}
