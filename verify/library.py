"""The models that ship with Headproof, and the verdicts that are expected of them.

`python -m verify.library > verify/expectations.json` writes today's verdicts down as the expected ones: read the change
before you commit it.
"""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from typing import TypeAlias, TypeGuard

from constructions.memory.model import MemoryHMM
from constructions.models import HMM, Loaded, Model, from_node
from constructions.reading import parse
from constructions.tasks import MemoryTask, Task
from verify.prover import prove
from verify.statements import STATEMENTS, Statement
from verify.verdicts import Verdict

Known: TypeAlias = tuple[HMM, Task] | tuple[MemoryHMM, MemoryTask]
"""A model with a task."""


def shipped_models() -> list[tuple[HMM, Task]]:
    """Return every vanilla model of `models/` that has a task, by name."""
    return [(model, task) for model, task in shipped() if isinstance(model, HMM)]


def shipped_memory_models() -> list[tuple[MemoryHMM, MemoryTask]]:
    """Return every memory model of `models/` that has a task, by name."""
    return [(model, task) for model, task in shipped() if isinstance(model, MemoryHMM) and isinstance(task, MemoryTask)]


def shipped() -> list[Known]:
    """Return every model of `models/` that has a task, by name."""
    documents = sorted(
        (entry for entry in files("headproof_models").iterdir() if entry.name.endswith(".json")), key=lambda e: e.name
    )
    loaded = (from_node(parse(entry.read_text(encoding="utf-8"), entry.name)) for entry in documents)
    return [known for known in map(with_task, loaded) if known]


def with_task(loaded: Loaded) -> Known | None:
    """Return a model and its task, if it has one."""
    model, task = loaded
    if isinstance(model, MemoryHMM):
        return (model, task) if isinstance(task, MemoryTask) else None
    return (model, task) if task is not None else None


def is_memory(known: Known) -> TypeGuard[tuple[MemoryHMM, MemoryTask]]:
    """Tell whether this is a memory model."""
    return isinstance(known[0], MemoryHMM)


def about(statement: Statement, model: Model) -> bool:
    """Tell whether a statement is about a model of this kind."""
    return isinstance(model, MemoryHMM) == (statement.about == "memory-hmm")


def expectation(verdict: Verdict) -> dict[str, object]:
    """Return the part of a verdict that is committed as its expectation."""
    return {"status": verdict.status, "conclusion": verdict.answer, "vacuous": verdict.vacuous}


def expectations(verdicts: list[Verdict]) -> dict[str, dict[str, object]]:
    """Return each verdict's expectation by statement and model."""
    return {f"{verdict.statement.id} {verdict.model.name}": expectation(verdict) for verdict in verdicts}


def surprises(verdicts: list[Verdict]) -> list[str]:
    """Name every verdict that differs from the committed expectation, or has none, and every one that is missing."""
    expected: dict[str, dict[str, object]] = json.loads(
        files("verify").joinpath("expectations.json").read_text(encoding="utf-8")
    )
    found = expectations(verdicts)
    return [
        f"{key}: found {_line(found.get(key))}, expected {_line(expected.get(key))}"
        for key in sorted(found.keys() | expected.keys())
        if found.get(key) != expected.get(key)
    ]


def _line(entry: dict[str, object] | None) -> str:
    return "no verdict" if entry is None else json.dumps(entry)


def verdicts_on_shipped_models() -> list[Verdict]:
    """Decide every statement on every shipped model of its kind."""
    return [
        prove(statement, *known)
        for known in shipped()
        for statement in STATEMENTS.values()
        if about(statement, known[0])
    ]


if __name__ == "__main__":
    print(json.dumps(expectations(verdicts_on_shipped_models()), indent=1))


def example(model: Model, task: Task) -> str:
    """Return the line that makes a Hypothesis test try a model with a task first: `@example(HMM.of(...), Task...)`."""
    return f"@example({replace(model, name='', source='')!r}, {task!r})"
