"""How statements stand, by what was tried and by Rocq: which are false as written, what repairs them, in sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from verify.statement import Statement

Key = TypeVar("Key")
Item = TypeVar("Item")


@dataclass(frozen=True)
class Standing:
    """The models on which a statement is refuted, proved, undecided; and whether Rocq proves, or refutes, it."""

    refuted: frozenset[str] = frozenset()
    proved: frozenset[str] = frozenset()
    undecided: frozenset[str] = frozenset()
    theorem: bool = False
    against: bool = False

    @property
    def state(self) -> str:
        """Return refuted, rocq, undecided, proved, or nowhere: it applies to nothing that was tried."""
        if self.refuted or self.against:
            return "refuted"
        if self.theorem:
            return "rocq"
        return "undecided" if self.undecided else "proved" if self.proved else "nowhere"


Standings: TypeAlias = Mapping[Statement, Standing]


def false_as_written(found: Standings) -> list[Statement]:
    """Return the statements that are refuted, but for other readings of those."""
    false = {one.id: one for one, standing in found.items() if standing.state == "refuted"}
    return [one for one in false.values() if one.instead_of not in false]


def repairs(statement: Statement, found: Standings) -> list[Statement]:
    """Return what holds in place of a statement that is refuted: a theorem, or proved wherever that is refuted."""
    where = found[statement].refuted
    others = ((one, standing) for one, standing in found.items() if one.instead_of == statement.id)
    return [
        one
        for one, standing in others
        if standing.state == "rocq" or (where <= standing.proved and standing.state == "proved")
    ]


LEFT_OPEN = {"undecided": "undecided", "nowhere": "not applicable to any of the models"}
"""States of theorems of which nothing is known, and what is said of these."""


def of_theorems(theorems: Standings) -> str:
    """Say which theorems are refuted, undecided, or speak of none of the models."""
    by = grouped((found.state, one.id) for one, found in theorems.items())
    parts = [_some(by["refuted"], "refuted") if "refuted" in by else "none refuted"]
    parts += ["all proved in Rocq for models of every size"] if by.keys() == {"rocq"} else []
    parts += [_some(by[state], said) for state, said in LEFT_OPEN.items() if state in by]
    return f"{_count(len(theorems), 'theorem')}: {', '.join(parts)}"


def of_others(others: Standings) -> str:
    """Say which of the statements beside the theorems are false, and whether what was put in their place is proved."""
    written = false_as_written(others)
    undecided = [one.id for one, standing in others.items() if standing.state == "undecided"]
    unknown = f", {_some(undecided, 'undecided')}" if undecided else ""
    if not written:
        return f"{_count(len(others), 'statement')} beside the theorems: none refuted{unknown}"
    said = f"{_count(len(written), 'statement')} {'is' if len(written) == 1 else 'are'} false"
    said += " as written" if not any(one.instead_of for one in written) else ""
    said += f": {', '.join(map(_spoken, written))}{unknown}"
    mended = [one for one in written if repairs(one, others)]
    if not mended:
        return said
    if len(mended) == len(written):
        return f"{said}; {'repair' if len(mended) == 1 else 'repairs'} proved"
    return f"{said}; repair proved of {', '.join(map(_spoken, mended))}"


def sentences(found: Standings, theorems: str = "") -> str:
    """Say what came of the theorems, here in words of one's own, and what of the other statements."""
    own = {one: standing for one, standing in found.items() if one.head}
    others = {one: standing for one, standing in found.items() if not one.head}
    parts = (theorems or (of_theorems(own) if own else ""), of_others(others) if others else "")
    return " ".join(f"{part}." for part in parts if part).removesuffix(".")


def grouped(pairs: Iterable[tuple[Key, Item]]) -> dict[Key, list[Item]]:
    """Put together the items of each key, in the order in which keys first come."""
    groups = defaultdict[Key, list[Item]](list)
    for key, item in pairs:
        groups[key].append(item)
    return dict(groups)


def _some(ids: Sequence[str], what: str) -> str:
    return f"{len(ids)} {what} ({', '.join(ids)})"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _spoken(statement: Statement) -> str:
    return statement.id.replace("-", " ", 1) if statement.id.startswith("section-") else statement.id
