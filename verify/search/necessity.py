"""Is each hypothesis of each theorem needed? The table theorem x hypothesis, or part of one; each cell with its reason.

A cell is decided by the first of these that applies: a hypothesis that is not needed has a reason, and a check of it
(`attempt`); a search up to some bounds finds the smallest counterexample (`search.counterexamples`); one that was
reasoned out (`search.hypotheses`), or has decoys (`search.drawn`), lies beyond them. What no search finds is open if
any model was left undecided. Where 3.2 is dropped, masked outputs can be 0/0, which is read as 0: a counterexample that
does not rest on this reading comes first, and a smaller one that does stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain
from math import inf
from time import time
from typing import TypeAlias

from constructions.models import Known
from verify.search.counterexamples import Search
from verify.search.drawn import search_decoyed
from verify.search.dropped import WITHOUT
from verify.search.family import Tally
from verify.search.found import Searched
from verify.search.hypotheses import KNOWN, REGULAR, UNNEEDED, Answers
from verify.search.necessity_table import DRAWN, Cell, Key
from verify.search.outcomes import Outcome, size
from verify.search.small_models import Bounds, larger, small
from verify.statements import STATEMENTS, THEOREMS

KEYS: tuple[Key, ...] = tuple(sorted({*WITHOUT, *UNNEEDED}, key=lambda key: (list(THEOREMS).index(key[0]), key[1])))
"""The cells of the table."""

READ_AS_ZERO = {("4.6", "4.4"), ("C.6", "4.4"), *((theorem, part) for theorem in ("3.3", "3.6") for part in REGULAR)}
"""The cells in which all that a head reads of an input can be 0/0."""


def bounds_of(key: Key) -> Bounds:
    """Return the bounds of a cell's models: enough to find something, where there is something, in minutes."""
    if key in UNNEEDED:
        return Bounds(2, 3, 1)
    if STATEMENTS[key[0]].about == "memory-hmm":
        return Bounds(2, 2, 2)
    return Bounds(3, 3, 3) if key[0] == "3.3" and key[1] in REGULAR else Bounds(3, 2, 3)


Searcher: TypeAlias = Callable[[Search, Bounds], Outcome]

Watch: TypeAlias = Callable[[Iterable[Known]], Iterable[Known]]


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
        return Cell(key, bounds, attempt(key, bounds, watch, until))
    told = key in READ_AS_ZERO
    asked = Search(*key, length, defined=told)
    found = (whole and _of_the_whole(asked, bounds, whole)) or asked.found(bounds, search(asked, bounds))
    known = None if found.verdict else _beyond(asked, bounds)
    cell = Cell(key, bounds, searched=found, known=known, settled=_settled(asked, found, search))
    if told:
        asked = Search(*key, length)
        as_zero = asked.found(bounds, search(asked, bounds))
        if _smaller(as_zero, cell.counterexample):
            return replace(cell, as_zero=as_zero)
    return cell


def _settled(asked: Search, found: Searched, search: Searcher) -> bool:
    """Tell whether no model that was left undecided is a smaller counterexample than the one that was found.

    That is so if all of fewer states, tokens, or a smaller denominator are decided, and of its own size all are served
    up to inputs that are shorter than its longest.
    """
    if found.outcome.hit is None or not found.outcome.undecided:
        return False
    states, tokens, denominator, longest = size(found.outcome.hit)
    most = found.bounds
    before = (replace(most, states=states - 1), Bounds(states, tokens - 1, most.denominator))
    parts = [(asked, bounds) for bounds in (*before, Bounds(states, tokens, denominator - 1))]
    parts.append((replace(asked, length=longest - 1), Bounds(states, tokens, denominator)))
    outcomes = [search(*part) for part in parts if all(part[1].document.values())]
    return all(one.complete and not one.undecided and one.hit is None for one in outcomes)


def _smaller(found: Searched, other: Searched | None) -> bool:
    """Tell whether a counterexample was found that is smaller than another one, if there is one."""
    hit, than = found.outcome.hit, other.outcome.hit if other else None
    return hit is not None and (than is None or size(hit) < size(than))


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
    return replace(asked.found(bounds, found.outcome), search=found.search) if taken_up else None


def _beyond(asked: Search, bounds: Bounds) -> Searched | None:
    """Decide on the model that was reasoned out, or on such as have decoys, as a search would that came to them."""
    key = asked.statement, asked.without
    if key in KNOWN:
        outcome = asked.examine([(KNOWN[key].model, [KNOWN[key].task])])
        if outcome.hit is None:
            raise ArithmeticError(f"{key[0]} does not fail without {key[1]} on the model that was reasoned out")
    else:
        outcome = search_decoyed(asked)
    return asked.found(bounds, outcome) if outcome.hit else None


# What is not needed


def attempt(key: Key, bounds: Bounds, watch: Watch, until: float = inf) -> Tally:
    """Prove the conclusion where the hypothesis alone is violated, within the bounds and on drawn models beyond them.

    Where it cannot fail while all others hold, there is no such model. Where the conclusion follows from the others, it
    is proved for inputs of every length, by a certificate that the kernel accepts. The reason is what covers all other
    models. What there is no time for is left out.
    """
    statement = STATEMENTS[key[0]]
    tally = Tally(statement, WITHOUT[key].violated)
    for known in watch(chain(small(statement.about, bounds), larger(statement.about, bounds, DRAWN, 0))):
        if time() > until:
            tally.complete = False
            break
        tally.count(known, Answers(known))
    return tally
