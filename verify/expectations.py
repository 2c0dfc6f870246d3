"""The verdicts that are expected of the models that ship with Headproof.

`python -m verify.expectations > verify/expectations.json` writes today's verdicts down as the expected ones: read the
change before you commit it.
"""

from __future__ import annotations

import json
from importlib.resources import files

from verify.library import shipped
from verify.prover import prove
from verify.statements import STATEMENTS, about
from verify.verdicts import Verdict


def expectations(verdicts: list[Verdict]) -> dict[str, dict[str, object]]:
    """Return by statement and model the part of each verdict that is committed as its expectation."""
    return {
        f"{one.statement.id} {one.model.name}": {"status": one.status, "conclusion": one.answer, "vacuous": one.vacuous}
        for one in verdicts
    }


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
    jobs = ((statement, known) for known in shipped() for statement in STATEMENTS.values())
    return [prove(statement, *known) for statement, known in jobs if about(statement, known[0])]


if __name__ == "__main__":
    print(json.dumps(expectations(verdicts_on_shipped_models()), indent=1))
