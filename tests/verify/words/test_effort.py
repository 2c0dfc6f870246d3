"""Less effort decides less, also on memory models; and results for one task are not used for another."""

from dataclasses import replace
from functools import cache

import pytest
from memory_checks import shipped

from constructions.tasks import MemoryTask
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.verdicts import Verdict
from verify.words.effort import Effort


@pytest.mark.parametrize(
    ("statement", "name", "limit"),
    [
        *(("4.3", "loud-outsider", limit) for limit in ("words", "longest", "inputs", "tokens", "heads", "systems")),
        ("C.3", "topic-mixed", "around"),
        ("C.4", "topic-mixed", "places"),
        ("C.9", "surely-open", "places"),
        ("C.9", "topic", "supports"),
    ],
)
def test_what_memory_statements_need_effort_for_is_undecided_without(statement: str, name: str, limit: str) -> None:
    assert with_usual_effort(statement, name).conclusion is not None
    assert prove(STATEMENTS[statement], *shipped(name), replace(Effort(), **{limit: 0})).conclusion is None


@cache
def with_usual_effort(statement: str, name: str) -> Verdict:
    return prove(STATEMENTS[statement], *shipped(name))


def test_more_heads_are_fitted_with_more_effort() -> None:
    verdicts = [prove(STATEMENTS["4.3"], *shipped("loud-outsider"), Effort(inputs=10, heads=heads)) for heads in (1, 3)]
    all_fits = [verdict.candidate.fits for verdict in verdicts if verdict.candidate]
    assert [len(fits.inputs) - len(all_fits[0].inputs) for fits in all_fits] == [0, 2]


@pytest.mark.parametrize("statement", ["4.3", "C.3"])
def test_each_task_has_its_own_labels(statement: str) -> None:
    model, task = shipped("topic")
    opposite = MemoryTask(tuple(tuple(-x for x in row) for row in task.mu), task.cell, task.recoverable)
    [(no, yes), second] = [prove(STATEMENTS[statement], model, variant).labels for variant in (task, opposite)]
    assert None not in (no, yes)
    assert second[0] == yes
    assert second[1] != yes
