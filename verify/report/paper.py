"""The paper as a graph: its assumptions, lemmas and theorems, and which of them is used in the proof of which."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from verify.statements import STATEMENTS, Statement

PARTS = {"3.2:ergodic": "3.2", "3.2:full-support": "3.2", "4.4:stationary": "4.4"}
"""The hypotheses of statements that are only parts of an assumption, with that assumption."""


@dataclass(frozen=True)
class Node:
    """An assumption or a statement: its number, its name, where it stands, what it says (LaTeX between dollars).

    `reading`: how a statement was read; `used_by`: the statements in whose proofs it is used, with the place. A
    statement that is not in paper.toml has no place, and is not drawn.
    """

    id: str
    name: str
    place: str
    says: str
    reading: str = ""
    used_by: Mapping[str, str] = field(default_factory=dict)

    @property
    def statement(self) -> Statement | None:
        """The statement that is decided under this number; None for an assumption."""
        return STATEMENTS.get(self.id)

    @property
    def instead_of(self) -> str | None:
        """The number of the statement that it repairs, or reads otherwise."""
        return None if self.statement is None else self.statement.instead_of

    @property
    def kind(self) -> str:
        """What it is: an assumption, a lemma (whatever the paper calls it), or a theorem, which is about heads."""
        if self.statement is None:
            return "assumption"
        return "theorem" if self.statement.head else "lemma"

    @property
    def assumes(self) -> tuple[str, ...]:
        """The assumptions that it rests on, each whole: 4.4 has 3.2 in it."""
        if self.statement is None:
            return ("3.2",) if self.id == "4.4" else ()
        assumptions = dict.fromkeys(PARTS.get(key, key) for key in self.statement.hypotheses)
        return tuple(key for key in assumptions if not (key == "3.2" and "4.4" in assumptions))

    @property
    def page(self) -> str:
        """The name of its page."""
        return f"statement-{self.id.replace(':', '-')}.html"


@dataclass(frozen=True)
class Edge:
    """An arrow of the graph. Its start is `assumed` or `used` by its end, or is read `instead` of it."""

    start: str
    end: str
    kind: str


def read(name: str) -> str:
    """Return the text of a file of this room."""
    return files("verify.report").joinpath(name).read_text(encoding="utf-8")


@cache
def nodes() -> Mapping[str, Node]:
    """Return all nodes by their numbers: those of paper.toml, then the other statements."""
    table = tomllib.loads(read("paper.toml"))
    others = {key: Node(key, key, "", statement.title) for key, statement in STATEMENTS.items() if key not in table}
    return {key: Node(key, **entry) for key, entry in table.items()} | others


@cache
def edges() -> tuple[Edge, ...]:
    """Return all edges."""
    arrows = [Edge(key, node.id, "assumed") for node in nodes().values() for key in node.assumes]
    arrows += [Edge(node.id, key, "used") for node in nodes().values() for key in node.used_by]
    arrows += [Edge(node.id, node.instead_of, "instead") for node in nodes().values() if node.instead_of]
    return tuple(arrows)


@cache
def drawn() -> tuple[Edge, ...]:
    """Return the edges of the drawing.

    An assumption's edge to a statement is left out where a path leads from it to what the statement uses.
    """
    return tuple(
        edge
        for edge in edges()
        if nodes()[edge.end].place
        if edge.kind != "assumed"
        or not any(
            other.end == edge.end and other.kind != "instead" and edge.start in _before(other.start)
            for other in edges()
        )
    )


@cache
def _before(id: str) -> frozenset[str]:
    """Return the nodes from which a path of used and assumed nodes leads to this one."""
    starts = {edge.start for edge in edges() if edge.end == id and edge.kind != "instead"}
    return frozenset(starts).union(*map(_before, starts))
