"""The verdicts on every small model, and on a model in which one state and one memory are certain.

Notation: constructions/__init__.py.
"""

import pytest
from listed_models import small

from constructions.memory.model import MemoryHMM
from constructions.tasks import MemoryTask
from verify.certificates import statement_certificate
from verify.prover import prove
from verify.search.small_models import Bounds
from verify.search.without import Answers, met
from verify.statements import MEMORY, STATEMENTS, Statement
from verify.verdicts import Verdict
from verify.words.effort import QUICK


def verdicts(statement: Statement, bounds: Bounds) -> list[Verdict]:
    """Decide a statement on every small model that meets its hypotheses; the kernel accepts each certificate."""
    models = (model for model in small(statement.about, bounds) if met(statement.hypotheses, (), Answers(*model)))
    decided = [prove(statement, model, task, QUICK) for model, task in models]
    assert all(statement_certificate(verdict) for verdict in decided)
    return decided


@pytest.mark.parametrize("denominator", [2, pytest.param(3, marks=pytest.mark.thorough(reason="a thousand models"))])
def test_theorems_hold_on_every_small_model_and_not_only_vacuously(denominator: int) -> None:
    for statement, states in (("3.3", 2), ("3.6", 2), ("4.3", 1)):
        decided = verdicts(STATEMENTS[statement], Bounds(states, 2, denominator))
        assert {verdict.status for verdict in decided} == {"proved"}
        assert not all(verdict.vacuous for verdict in decided)


def test_section_3_1_is_refuted_everywhere() -> None:
    assert {verdict.status for verdict in verdicts(STATEMENTS["section-3.1"], Bounds(2, 2, 2))} == {"refuted"}


@pytest.mark.parametrize("statement", MEMORY, ids=lambda statement: statement.id)
def test_no_statement_is_undecided_or_refuted_where_no_column_of_the_recoverable_states_can_occur(
    statement: Statement,
) -> None:
    """H_i is always s1 and M is always m1. The first task's mu is 0 at m1, and the last task's H* is {s0}.

    No verdict is undecided or refuted.
    """
    model = MemoryHMM.of(initial="0 1", transition="0 0; 1 1", memory="0 1", emission="0 0 0 1/2; 1 1 1 1/2")
    for task in (MemoryTask.of("-1 0"), MemoryTask.of("-1 -1"), MemoryTask.of("1 -1", recoverable=(0,))):
        assert prove(statement, model, task).status in {"proved", "not-applicable"}
