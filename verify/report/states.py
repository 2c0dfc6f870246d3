"""The state of each statement, from the verdicts and from the record of the theorems that Rocq accepts."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from verify.report.paper import nodes
from verify.rocq.coqc import CLOSED
from verify.statements import STATEMENTS, Statement
from verify.verdicts import Verdict
from verify.views import answers
from verify.views.standing import Standing, Standings, grouped

SAYS = {
    "rocq": "true: a theorem in Rocq",
    "proved": "proved on every model tried",
    "refuted": "false as written",
    "repaired": "a repair, proved",
    "open": "open",
    "assumption": "assumption",
}
"""The states, each with its words."""

MARKS = {"rocq": "✓ Rocq", "proved": "✓ tried", "refuted": "✗ false", "repaired": "↻ repair", "open": "? open"}
"""The mark of each state of a statement in the graph, since colour alone does not reach every reader."""


def parsed(text: str) -> dict[str, tuple[str, ...]]:
    """Return the names of the theorems of formal/ that rest on no axiom, by what they prove: "C.9", or "not C.9".

    `text` is that of results/formal.txt. The lines after the first, up to an empty line, have three fields each, with
    two spaces between them: what the theorem proves of the paper, the theorem's name, and the axioms that it rests on.
    """
    rows = (line.split("  ", 2) for line in text.partition("\n\n")[0].splitlines()[1:])
    names = grouped((id, name) for ids, name, rests in rows if rests == CLOSED for id in ids.split(", "))
    return {id: tuple(theorems) for id, theorems in names.items()}


@cache
def record() -> dict[str, tuple[str, ...]]:
    """Return the committed record, as `parsed` returns it."""
    return parsed(files("headproof_results").joinpath("formal.txt").read_text(encoding="utf-8"))


def standings(verdicts: Sequence[Verdict], record: Container[str]) -> dict[Statement, Standing]:
    """Return the standing of every statement, from the verdicts and from the record."""
    groups = answers.by_statement(verdicts)
    return {
        statement: replace(
            answers.standing(groups.get(statement, [])), theorem=id in record, against=f"not {id}" in record
        )
        for id, statement in STATEMENTS.items()
    }


def states(stand: Standings) -> dict[str, str]:
    """Return the state (a key of `SAYS`) of every node in the graph of the paper, by the node's number."""
    states = {}
    for id, node in nodes().items():
        state = "assumption" if node.statement is None else stand[node.statement].state
        if state in {"rocq", "proved"} and node.instead_of and id.startswith(f"{node.instead_of}:"):
            state = "repaired"
        states[id] = {"undecided": "open", "nowhere": "open"}.get(state, state)
    return states
