"""Is each hypothesis of each theorem needed? The table theorem x hypothesis, or part of one; each cell with its reason.

A cell is decided by the first of these that applies: a hypothesis that is not needed has a reason, and a check of it
(`search.unneeded`); a search up to some bounds finds the smallest counterexample (`search.counterexamples`); one that
was reasoned out lies beyond the bounds (`KNOWN`). What no search finds is open if any model was left
undecided. Where 3.2 is dropped, masked outputs can be 0/0, which is read as 0: a counterexample that does not rest on
this reading comes first, and a smaller one that does stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import inf
from typing import Literal, TypeAlias

from constructions.models import HMM
from constructions.models import Known as Problem
from constructions.tasks import Task
from verify.search.counterexamples import WITHOUT, Search, Searched
from verify.search.outcomes import Hit, Outcome, size
from verify.search.small_models import Bounds
from verify.search.unneeded import UNNEEDED, Tried, attempt
from verify.statements import STATEMENTS, THEOREMS
from verify.verdicts import Verdict

Answer: TypeAlias = Literal["needed", "not needed", "none found", "open"]

Key: TypeAlias = tuple[str, str]
"""A theorem, and the hypothesis or the part of one that it is to do without."""

KEYS: tuple[Key, ...] = tuple(sorted({*WITHOUT, *UNNEEDED}, key=lambda key: (list(THEOREMS).index(key[0]), key[1])))
"""The cells of the table."""

REGULAR = ("3.2", "3.2:ergodic", "3.2:full-support")

READ_AS_ZERO = {("4.6", "4.4"), ("C.6", "4.4"), *((theorem, part) for theorem in ("3.3", "3.6") for part in REGULAR)}
"""The cells in which all that a head reads of an input can be 0/0."""


def length_of(key: Key) -> int:
    """Return the greatest length of the inputs that are to refute: heads have many ways to attend to longer ones."""
    return 3 if STATEMENTS[key[0]].about == "memory-hmm" else 4


def bounds_of(key: Key) -> Bounds:
    """Return the bounds of a cell's models: enough to find something, where there is something, in minutes."""
    if key in UNNEEDED:
        return Bounds(2, 3, 1)
    if STATEMENTS[key[0]].about == "memory-hmm":
        return Bounds(2, 2, 2)
    return Bounds(3, 3, 3) if key[0] == "3.3" and key[1] in REGULAR else Bounds(3, 2, 3)


@dataclass(frozen=True)
class Cell:
    """What was decided of one hypothesis of one theorem, up to some bounds.

    `tried`: the check, if it is not needed. `searched`: what a search found, or did not; `as_zero`: a smaller model
    that rests on 0/0 being read as 0. `known`: the model that was reasoned out, where the search found none.
    """

    key: Key
    bounds: Bounds
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
        """Where a model is on which the theorem fails without the hypothesis."""
        return next((one for one in (self.searched, self.known, self.as_zero) if one and one.verdict), None)

    @property
    def smallest(self) -> bool:
        """Whether there is no smaller counterexample: every smaller model was decided, or there is an argument."""
        if self.counterexample is self.known:
            return self.known is not None and KNOWN[self.key].smallest is not None
        return self.counterexample is not None and self.counterexample.exhaustive


Searcher: TypeAlias = Callable[[Search, Bounds], Outcome]

Watch: TypeAlias = Callable[[Iterable[Problem]], Iterable[Problem]]


def decide(
    key: Key,
    bounds: Bounds,
    length: int,
    search: Searcher,
    watch: Watch,
    until: float = inf,
    whole: Cell | None = None,
) -> Cell:
    """Decide one cell; a check of what is not needed ends when the time is up, as the search given may do.

    `whole`: what was decided of the assumption that this is a part of, within the same bounds.
    """
    if key in UNNEEDED:
        return Cell(key, bounds, attempt(STATEMENTS[key[0]], UNNEEDED[key], bounds, watch, until))
    told = key in READ_AS_ZERO
    asked = Search(*key, length, defined=told)
    found = (whole and _of_the_whole(asked, bounds, whole)) or _searched(asked, bounds, search)
    known = None if found.verdict or key not in KNOWN else _known(key, bounds, length)
    cell = Cell(key, bounds, searched=found, known=known)
    as_zero = _searched(Search(*key, length), bounds, search) if told else None
    return replace(cell, as_zero=as_zero) if as_zero and _smaller(as_zero, cell.counterexample) else cell


def _smaller(found: Searched, other: Searched | None) -> bool:
    """Tell whether a counterexample was found that is smaller than another one, if there is one."""
    if found.verdict is None or other is None or other.verdict is None:
        return found.verdict is not None
    return rank(found.verdict) < rank(other.verdict)


def rank(verdict: Verdict) -> tuple[int, int, int, int]:
    """Return the size of a counterexample."""
    return size(Hit(max(map(len, verdict.refuting)), verdict.model, verdict.task))


def _searched(asked: Search, bounds: Bounds, search: Searcher) -> Searched:
    outcome = search(asked, bounds)
    return Searched(asked, bounds, outcome, asked.verdict(outcome.hit) if outcome.hit else None)


def _of_the_whole(asked: Search, bounds: Bounds, whole: Cell) -> Searched | None:
    """Return what was found without the whole assumption, if that says what there is without this part of it.

    What a search without a part takes up is among what one without the whole does. So if there is nothing there, there
    is nothing here, and what is the smallest there is so here, if it is taken up here. What is only known to break the
    theorem there does so here, too.
    """
    found = whole.searched
    if found is None or not (found.exhaustive or found.outcome.hit):
        return None
    if (found.bounds, found.search.length, found.search.defined) != (bounds, asked.length, asked.defined):
        return None
    hit = found.outcome.hit
    if hit is None:
        return found
    taken_up = asked.examine([(hit.model, [hit.task])]).hit is not None
    return replace(found, verdict=asked.verdict(hit)) if taken_up else None


def _known(key: Key, bounds: Bounds, length: int) -> Searched:
    """Decide on the model that was reasoned out as a search would, had it come to it."""
    asked, known = Search(*key, length, defined=True), KNOWN[key]
    outcome = asked.examine([(known.model, [known.task])])
    if not isinstance(outcome.hit, Hit):
        raise ArithmeticError(f"{key[0]} does not fail without {key[1]} on the model that was reasoned out")
    return Searched(asked, bounds, outcome, asked.verdict(outcome.hit))


# Reasoned out


@dataclass(frozen=True)
class Reasoned:
    """A model with a task on which a statement fails without a hypothesis: how, and why no smaller one does."""

    model: HMM
    task: Task
    idea: str
    smallest: str | None = None


KNOWN = {
    ("3.6", "3.2:ergodic"): Reasoned(
        HMM.of(
            "1/4 1/4 1/4 1/4",
            "0 0 0 0; 1/2 0 0 0; 1/2 1 1/2 1/2; 0 0 1/2 1/2",
            "1 1 0 1; 0 0 1 0",
        ),
        Task.of("0 1 -1 0"),
        "No state leads to s0, which alone leads to s1: H_2 is s2 or s3, and from both the rest of the text has one "
        "law. So Gbar_2 does not depend on the input, whatever the prompt; but F* tells s1 from s2.",
        "If no row of A is 0, P[H_1] > 0 and the proof goes through. So some state is never entered again. With one or "
        "two states F* is then constant. With three, let s0 be that state. If H_2 can be s1 and s2, the prompt u = 1 "
        "serves H* = {s1, s2}; and where H* is one state, F* is constant or one sign where its likelihood is positive, "
        "which b can have. If H_2 can only be s2, all states that F* reads have likelihoods that are multiples of one. "
        "Four states with P[H_0] > 0 need the denominator 4; with one token F* is constant.",
    ),
}
"""By the statement and what it does without."""
