"""The paper as a graph: assumptions, lemmas and theorems, and arrows for what uses, assumes or repairs what."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from verify.statements import STATEMENTS, Statement

PARTS = {"3.2:ergodic": "3.2", "3.2:full-support": "3.2", "4.4:stationary": "4.4"}
"""The parts of assumptions that are hypotheses of statements, each with its assumption."""


@dataclass(frozen=True)
class Node:
    """An assumption or a statement: its number, its name, its place in the paper, its words (LaTeX between dollars).

    `reading`: how Headproof reads a statement, where the paper leaves a choice. `used_by`: the statements whose proofs
    use this node, each with the place in its proof. A statement that is not in paper.toml has the place "", and is not
    drawn.
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
        """The number of the statement that this one repairs, or is another reading of; None if there is none."""
        return None if self.statement is None else self.statement.instead_of

    @property
    def kind(self) -> str:
        """Return assumption, theorem (a statement about heads) or lemma (any other statement)."""
        if self.statement is None:
            return "assumption"
        return "theorem" if self.statement.head else "lemma"

    @property
    def assumes(self) -> tuple[str, ...]:
        """The assumptions, not their parts, that the node rests on. 3.2 is left out beside 4.4, which contains it."""
        if self.statement is None:
            return ("3.2",) if self.id == "4.4" else ()
        assumptions = dict.fromkeys(PARTS.get(key, key) for key in self.statement.hypotheses)
        return tuple(key for key in assumptions if not (key == "3.2" and "4.4" in assumptions))

    @property
    def page(self) -> str:
        """The file name of the node's page."""
        return f"statement-{self.id.replace(':', '-')}.html"


@dataclass(frozen=True)
class Edge:
    """An arrow of the graph, of one of three kinds.

    "assumed": the end rests on the start, an assumption. "used": the proof of the end uses the start. "instead": the
    start is another reading, or a repair, of the end.
    """

    start: str
    end: str
    kind: str


def read(name: str) -> str:
    """Return the text of a file in the folder of this package."""
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
    """Return the edges that are drawn: those whose end has a place in the paper, with one exception.

    An assumption's edge to a statement is left out if a longer path, of edges "used" and "assumed", leads from the
    assumption to that statement.
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
    """Return the nodes from which a path of edges "used" and "assumed" leads to this one."""
    starts = {edge.start for edge in edges() if edge.end == id and edge.kind != "instead"}
    return frozenset(starts).union(*map(_before, starts))
