"""The state of each statement, from the verdicts and from the record of Rocq, and the sentence that answers it all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from verify.report.paper import Node, nodes
from verify.verdicts import Verdict

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


@dataclass(frozen=True)
class Record:
    """The theorems of formal/ that rest on no axiom: their names, by what they show of the paper."""

    names: Mapping[str, tuple[str, ...]]

    def of(self, id: str) -> tuple[str, ...]:
        """Return the theorems by which a statement is true."""
        return self.names.get(id, ())

    def against(self, id: str) -> tuple[str, ...]:
        """Return the theorems by which it is false."""
        return self.names.get(f"not {id}", ())


def parsed(text: str) -> Record:
    """Read what results/formal.txt says: lines of ids, a name, and what it rests on, with two spaces between."""
    names: dict[str, tuple[str, ...]] = {}
    for line in text.partition("\n\n")[0].splitlines()[1:]:
        ids, name, rests = line.split("  ", 2)
        for id in ids.split(", ") if rests == NO_AXIOM else ():
            names[id] = (*names.get(id, ()), name)
    return Record(names)


@cache
def record() -> Record:
    """Return the record that is committed."""
    return parsed(files("headproof_results").joinpath("formal.txt").read_text(encoding="utf-8"))


def states(verdicts: Sequence[Verdict], found: Record) -> dict[str, str]:
    """Return the state of every node."""
    own: dict[str, list[str]] = {}
    for verdict in verdicts:
        own.setdefault(verdict.statement.id, []).append(verdict.status)
    return {id: _state(node, own.get(id, []), found) for id, node in nodes().items()}


def _state(node: Node, statuses: Iterable[str], found: Record) -> str:
    statuses = set(statuses)
    if node.statement is None:
        return "assumption"
    if "refuted" in statuses or found.against(node.id):
        return "refuted"
    proved = bool(found.of(node.id)) or ("proved" in statuses and "undecided" not in statuses)
    if proved and node.instead_of and node.id.startswith(f"{node.instead_of}:"):
        return "repaired"
    return "rocq" if found.of(node.id) else "proved" if proved else "open"


def repairs(id: str, by: Mapping[str, str]) -> list[Node]:
    """Return what is true in place of a statement."""
    true = ("rocq", "proved", "repaired")
    return [node for node in nodes().values() if node.instead_of == id and by[node.id] in true]


def false_as_written(by: Mapping[str, str]) -> list[Node]:
    """Return the paper's own statements that are false: other readings of them are not counted."""
    return [node for id, node in nodes().items() if by[id] == "refuted" and not node.instead_of]


def answer(by: Mapping[str, str]) -> str:
    """Say how the theorems stand, which statements of the paper are false, and whether they are repaired."""
    theorems = [id for id, node in nodes().items() if node.kind == "theorem"]
    parts = [_theorems(theorems, by)]
    wrong = [node for node in false_as_written(by) if node.kind != "theorem"]
    if wrong:
        count = "1 statement is" if len(wrong) == 1 else f"{len(wrong)} statements are"
        lacking = [node.name for node in wrong if not repairs(node.id, by)]
        mended = f"no repair is known of {', '.join(lacking)}" if lacking else "a repair of each is proved"
        parts.append(f"{count} false as written: {' and '.join(node.name for node in wrong)}; {mended}.")
    else:
        parts.append("No other statement is false as written.")
    unsettled = [node.name for id, node in nodes().items() if by[id] == "open" and node.kind != "theorem"]
    if unsettled:
        parts.append(f"Open: {', '.join(unsettled)}.")
    return " ".join(parts)


def _theorems(theorems: Sequence[str], by: Mapping[str, str]) -> str:
    refuted, unsettled = ([id for id in theorems if by[id] == state] for state in ("refuted", "open"))
    if refuted or unsettled:
        said = [f"{', '.join(refuted)} refuted"] if refuted else []
        said += [f"{', '.join(unsettled)} open"] if unsettled else []
        return f"Of the {len(theorems)} theorems {'; '.join(said)}."
    if all(by[id] == "rocq" for id in theorems):
        return f"All {len(theorems)} theorems hold, for models of every size: they are proved in Rocq."
    return f"All {len(theorems)} theorems hold on every model tried."
