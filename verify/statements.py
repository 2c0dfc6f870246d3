"""The paper's numbered statements, each once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Statement:
    """A statement of the paper: its number, what it says in a line, and the ids of its hypotheses."""

    id: str
    title: str
    hypotheses: tuple[str, ...]
    prompted: bool


STATEMENTS = {
    statement.id: statement
    for statement in (
        Statement(
            "3.3",
            "a linear head on G computes F*",
            ("3.1", "3.2:ergodic", "3.2:full-support"),
            prompted=False,
        ),
        Statement(
            "3.6",
            "a soft prompt and a linear head on Gbar compute F*",
            ("3.2:ergodic", "3.2:full-support", "3.5"),
            prompted=True,
        ),
    )
}
