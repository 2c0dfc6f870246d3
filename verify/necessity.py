"""Is each hypothesis of each theorem needed? The table theorem x hypothesis, or part of one; each cell with its reason.

A cell is decided by the first of these that applies: a hypothesis that is not needed has a reason, and a check of it
(`verify.unneeded`); a search up to some bounds finds the smallest counterexample (`verify.search`); one that was
reasoned out is larger than that (`verify.known_counterexamples`). What no search finds is open if any model was left
undecided. A counterexample shall not rest on a masked output of 0/0, which is read as 0. Where only such are found the
cell says so, and it names one where it is smaller.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from constructions.models import HMM
from verify import kernel
from verify.certificates import statement_certificate
from verify.known_counterexamples import KNOWN
from verify.library import Known
from verify.outcomes import Hit, Outcome
from verify.search import WITHOUT, Search, Searched
from verify.small_models import Bounds
from verify.statements import STATEMENTS, THEOREMS
from verify.unneeded import UNNEEDED, Tried, Unneeded, attempt

Answer: TypeAlias = Literal["needed", "not needed", "none found", "open"]
Key: TypeAlias = tuple[str, str]
"""A statement, and the hypothesis or the part of one that it is to do without."""

KEYS: tuple[Key, ...] = tuple(
    sorted(dict.fromkeys((*WITHOUT, *UNNEEDED)), key=lambda key: (list(THEOREMS).index(key[0]), key[1]))
)
"""The cells of the table."""

LENGTH = 4
"""Inputs of at most this length are to refute."""

REGULAR = ("3.2", "3.2:ergodic", "3.2:full-support")


def bounds_of(key: Key) -> Bounds:
    """Return the bounds of a cell's models: enough to find something, where there is something, in minutes."""
    if key in UNNEEDED:
        return Bounds(2, 2, 2)
    return Bounds(3, 3, 3) if key[0] == "3.3" and key[1] in REGULAR else Bounds(3, 2, 3)


@dataclass(frozen=True)
class Cell:
    """What was decided of one hypothesis of one theorem.

    `searched`: of all models, or of those whose refutation does not rest on 0/0; `as_zero`: a smaller one that does.
    `known`: the counterexample that was reasoned out, where the search found none.
    """

    key: Key
    bounds: Bounds
    unneeded: Unneeded | None = None
    tried: Tried | None = None
    searched: Searched | None = None
    as_zero: Searched | None = None
    known: Searched | None = None

    @property
    def answer(self) -> Answer:
        """Whether the hypothesis is needed."""
        if self.tried is not None:
            return "not needed" if self.tried.confirmed else "open"
        if self.counterexample is not None:
            return "needed"
        return "none found" if self.searched is not None and self.searched.exhaustive else "open"

    @property
    def counterexample(self) -> Searched | None:
        """The model on which the theorem fails without the hypothesis."""
        return next((one for one in (self.searched, self.known, self.as_zero) if one and one.verdict), None)


Searcher: TypeAlias = Callable[[Search, Bounds], Outcome]
Watch: TypeAlias = Callable[[Iterable[Known]], Iterable[Known]]


def decide(key: Key, bounds: Bounds, length: int, search: Searcher, watch: Watch) -> Cell:
    """Decide one cell, up to some bounds."""
    unneeded = UNNEEDED.get(key)
    if unneeded is not None:
        return Cell(key, bounds, unneeded, attempt(STATEMENTS[key[0]], unneeded, bounds, watch))
    told = key[1] in REGULAR  # whether masked outputs can be 0/0
    found = _searched(Search(*key, length, defined=told), bounds, search)
    known = None if found.verdict else _known(key, length, bounds)
    smaller = _searched(Search(*key, length), bounds, search) if told else None
    if smaller is not None and not smaller.undefined_inputs:
        smaller = None
    return Cell(key, bounds, searched=found, as_zero=smaller, known=known)


def _searched(asked: Search, bounds: Bounds, search: Searcher) -> Searched:
    outcome = search(asked, bounds)
    return Searched(asked, bounds, outcome, asked.verdict(outcome.hit) if outcome.hit else None)
