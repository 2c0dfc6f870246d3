"""The state of each statement, from the verdicts and from the record of Rocq."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from verify.report.paper import nodes
from verify.statements import STATEMENTS, Statement
from verify.verdicts import Verdict
from verify.views import answers
from verify.views.standing import Standing, Standings, grouped

NO_AXIOM = "Closed under the global context"
"""What Rocq prints of a theorem that rests on no axiom."""

SAYS = {
    "rocq": "true: a theorem in Rocq",
    "proved": "proved on every model tried",
    "refuted": "false as written",
    "repaired": "a repair, proved",
    "open": "open",
    "assumption": "assumption",
}
"""The states, and how they are said."""

MARKS = {"rocq": "✓ Rocq", "proved": "✓ tried", "refuted": "✗ false", "repaired": "↻ repair", "open": "? open"}
"""A state in the graph, where colour alone would not do."""


def parsed(text: str) -> dict[str, tuple[str, ...]]:
    """Return the theorems of formal/ that rest on no axiom, by what they show of the paper: "C.9", or "not C.9".

    results/formal.txt has lines of ids, a name, and what it rests on, with two spaces between.
    """
    rows = (line.split("  ", 2) for line in text.partition("\n\n")[0].splitlines()[1:])
    names = grouped((id, name) for ids, name, rests in rows if rests == NO_AXIOM for id in ids.split(", "))
    return {id: tuple(theorems) for id, theorems in names.items()}


@cache
def record() -> dict[str, tuple[str, ...]]:
    """Return the record that is committed."""
    return parsed(files("headproof_results").joinpath("formal.txt").read_text(encoding="utf-8"))


def standings(verdicts: Sequence[Verdict], record: Container[str]) -> dict[Statement, Standing]:
    """Return how every statement stands, by verdicts and by the record."""
    groups = answers.by_statement(verdicts)
    return {
        statement: replace(
            answers.standing(groups.get(statement, [])), theorem=id in record, against=f"not {id}" in record
        )
        for id, statement in STATEMENTS.items()
    }


def states(stand: Standings) -> dict[str, str]:
    """Return the state of every node."""
    states = {}
    for id, node in nodes().items():
        state = "assumption" if node.statement is None else stand[node.statement].state
        if state in {"rocq", "proved"} and node.instead_of and id.startswith(f"{node.instead_of}:"):
            state = "repaired"
        states[id] = {"undecided": "open", "nowhere": "open"}.get(state, state)
    return states
