"""The verdicts that are expected of the models that ship with Headproof.

`python -m verify.expectations > verify/expectations.json` writes today's verdicts to the file of expected
verdicts. Read the change before you commit it.
"""

from __future__ import annotations

import json
from importlib.resources import files

from verify.library import shipped
from verify.prover import prove
from verify.statements import STATEMENTS, about
from verify.verdicts import Verdict


def expectations(verdicts: list[Verdict]) -> dict[str, dict[str, object]]:
    """Return the part of each verdict that is committed as its expectation, by statement and model: "3.3 umbrella"."""
    return {
        f"{verdict.statement.id} {verdict.model.name}": {
            "status": verdict.status,
            "conclusion": verdict.answer,
            "vacuous": verdict.vacuous,
        }
        for verdict in verdicts
    }


def surprises(verdicts: list[Verdict]) -> list[str]:
    """Return a line for each difference between these verdicts and the committed expectations.

    For a statement with committed expectations, there is a difference if a verdict is not the expected one, has no
    expectation, or is missing. For a statement without any, each refutation is a difference.
    """
    expected: dict[str, dict[str, object]] = json.loads(
        files("verify").joinpath("expectations.json").read_text(encoding="utf-8")
    )
    with_expectations = {key.partition(" ")[0] for key in expected}
    new = [verdict for verdict in verdicts if verdict.statement.id not in with_expectations]
    entries = expectations([verdict for verdict in verdicts if verdict not in new])
    differences = [
        f"{key}: found {_line(entries.get(key))}, expected {_line(expected.get(key))}"
        for key in sorted(entries.keys() | expected.keys())
        if entries.get(key) != expected.get(key)
    ]
    refuted = expectations([verdict for verdict in new if verdict.status == "refuted"])
    return differences + [f"{key}: found {_line(entry)}, expected no refutation" for key, entry in refuted.items()]


def _line(entry: dict[str, object] | None) -> str:
    return "no verdict" if entry is None else json.dumps(entry)


def verdicts_on_shipped_models() -> list[Verdict]:
    """Decide every statement on every shipped model of its kind."""
    jobs = ((statement, model, task) for model, task in shipped() for statement in STATEMENTS.values())
    return [prove(statement, model, task) for statement, model, task in jobs if about(statement, model)]


if __name__ == "__main__":
    print(json.dumps(expectations(verdicts_on_shipped_models()), indent=1))
