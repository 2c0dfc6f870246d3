"""The models that ship with Headproof, and the verdicts that are expected of them.

`python -m verify.library > verify/expectations.json` writes today's verdicts down as the expected ones: read the change
before you commit it.
"""

from __future__ import annotations

import json
from importlib.resources import files

from constructions.memory import MemoryHMM
from constructions.models import HMM, Loaded, from_node
from constructions.reading import parse
from constructions.tasks import MemoryTask, Task
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.verdicts import Verdict


def shipped_models() -> list[tuple[HMM, Task]]:
    """Return every vanilla model of `models/` that has a task, by name."""
    return [(model, task) for model, task in _shipped() if isinstance(model, HMM) and task is not None]


def shipped_memory_models() -> list[tuple[MemoryHMM, MemoryTask]]:
    """Return every memory model of `models/` that has a task, by name."""
    return [
        (model, task) for model, task in _shipped() if isinstance(model, MemoryHMM) and isinstance(task, MemoryTask)
    ]


def _shipped() -> list[Loaded]:
    documents = sorted(
        (entry for entry in files("headproof_models").iterdir() if entry.name.endswith(".json")), key=lambda e: e.name
    )
    return [from_node(parse(entry.read_text(encoding="utf-8"), entry.name)) for entry in documents]


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


if __name__ == "__main__":
    verdicts = [prove(statement, *model) for statement in STATEMENTS.values() for model in shipped_models()]
    print(json.dumps(expectations(verdicts), indent=1))
