"""The standing of statements, by verdicts and by Rocq: which are false as written, and which statements repair them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from verify.statement import Statement

Key = TypeVar("Key")
Item = TypeVar("Item")


@dataclass(frozen=True)
class Standing:
    """The models on which a statement is refuted, proved, undecided; and whether Rocq proves it, or refutes it."""

    refuted: frozenset[str] = frozenset()
    proved: frozenset[str] = frozenset()
    undecided: frozenset[str] = frozenset()
    theorem: bool = False
    against: bool = False

    @property
    def state(self) -> str:
        """Return refuted, rocq, undecided or proved; or nowhere, if no model meets the hypotheses."""
        if self.refuted or self.against:
            return "refuted"
        if self.theorem:
            return "rocq"
        return "undecided" if self.undecided else "proved" if self.proved else "nowhere"


Standings: TypeAlias = Mapping[Statement, Standing]


def false_as_written(standings: Standings) -> list[Statement]:
    """Return the refuted statements, except those that are another reading of a refuted statement."""
    false = {statement.id: statement for statement, standing in standings.items() if standing.state == "refuted"}
    return [statement for statement in false.values() if statement.instead_of not in false]


def repairs(statement: Statement, standings: Standings) -> list[Statement]:
    """Return the repairs of a refuted statement.

    A repair is another reading of the statement (`instead_of`). It is a theorem in Rocq; or it is proved on every model
    that refutes the statement, and refuted or undecided on no model.
    """
    where = standings[statement].refuted
    return [
        other
        for other, standing in standings.items()
        if other.instead_of == statement.id
        if standing.state == "rocq" or (where <= standing.proved and standing.state == "proved")
    ]


def of_theorems(theorems: Standings) -> str:
    """Say how many theorems there are, and which are refuted, undecided, or apply to none of the models."""
    by = grouped((standing.state, statement.id) for statement, standing in theorems.items())
    parts = ["none refuted"] * ("refuted" not in by)
    parts += ["all proved in Rocq for models of every size"] * (by.keys() == {"rocq"})
    words = {"refuted": "refuted", "undecided": "undecided", "nowhere": "not applicable to any of the models"}
    parts += [_some(by[state], phrase) for state, phrase in words.items() if state in by]
    return f"{count(len(theorems), 'theorem')}: {', '.join(parts)}"


def of_others(others: Standings) -> str:
    """Say which statements other than theorems are false, and whether their repairs are proved."""
    written = false_as_written(others)
    undecided = [statement.id for statement, standing in others.items() if standing.state == "undecided"]
    unknown = f", {_some(undecided, 'undecided')}" if undecided else ""
    if not written:
        return f"{count(len(others), 'statement')} beside the theorems: none refuted{unknown}"
    sentence = f"{count(len(written), 'statement')} {'is' if len(written) == 1 else 'are'} false"
    sentence += " as written" * (not any(statement.instead_of for statement in written))
    sentence += f": {', '.join(map(_spoken, written))}{unknown}"
    mended = [statement for statement in written if repairs(statement, others)]
    if not mended:
        return sentence
    if len(mended) == len(written):
        return f"{sentence}; {'repair' if len(mended) == 1 else 'repairs'} proved"
    return f"{sentence}; repair proved of {', '.join(map(_spoken, mended))}"


def sentences(standings: Standings, theorems: str = "") -> str:
    """Summarise the theorems, then the other statements. A text `theorems` replaces the first summary."""
    of_heads = {statement: standing for statement, standing in standings.items() if statement.head}
    others = {statement: standing for statement, standing in standings.items() if not statement.head}
    parts = (theorems or (of_theorems(of_heads) if of_heads else ""), of_others(others) if others else "")
    return ". ".join(filter(None, parts))


def grouped(pairs: Iterable[tuple[Key, Item]]) -> dict[Key, list[Item]]:
    """Group items by key, in the order in which keys first come."""
    groups = dict[Key, list[Item]]()
    for key, item in pairs:
        groups.setdefault(key, []).append(item)
    return groups


def sentence(text: str) -> str:
    """Write text as a sentence: with a capital and a full stop."""
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def _some(ids: Sequence[str], what: str) -> str:
    return f"{len(ids)} {what} ({', '.join(ids)})"


def count(number: int, what: str) -> str:
    """Write a number and the name of what it counts, in the plural unless the number is 1."""
    return f"{number} {what}{'s' * (number != 1)}"


def _spoken(statement: Statement) -> str:
    return statement.id.replace("-", " ", 1) if statement.id.startswith("section-") else statement.id
