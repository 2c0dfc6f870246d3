"""How a search for a counterexample is run: from what is known of it to wider and wider bounds, until a time is spent.

What is known stands in the finished table of `headproof necessity`: a model, which is decided anew, or the bounds
within which there is none. Beyond these every small model is looked at, and in the end some larger ones are drawn. With
bounds of one's own it is every model within these, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from math import inf
from time import time
from typing import Any, TypeAlias

from constructions.models import load
from constructions.reading import InputError
from verify import own_statement
from verify.own_statement import OwnSearch
from verify.search import necessity_table
from verify.search.counterexamples import Search, length_of
from verify.search.drawn import search_drawn
from verify.search.dropped import WITHOUT
from verify.search.found import Searched
from verify.search.outcomes import Engine, Hit, Outcome, in_turn
from verify.search.sharded import Watch, search_all
from verify.search.small_models import Bounds, Kind
from verify.search.state import State
from verify.statements import STATEMENTS

Asked: TypeAlias = Search | OwnSearch

SECONDS = 60
"""How long bounds are widened, unless another time is asked for."""

START: dict[Kind, Bounds] = {"hmm": Bounds(3, 2, 3), "memory-hmm": Bounds(2, 2, 2)}
"""The bounds that are widened where nothing is known."""

LAST, DRAWN = 0.2, 1000
"""The share of the time that is left to models drawn beyond, and how many they are at most."""


def asked_for(
    statement: Any, without: str | None, assuming: Sequence[str], length: int | None = None, defined: bool = False
) -> Asked:
    """Return the search for a statement of the paper by its number, or for one's own: FILE.py:NAME, or a function.

    Raises `InputError` for what cannot be searched for.
    """
    if not isinstance(statement, str):
        return own_statement.own_search(statement, assuming, without)
    if own_statement.is_place(statement):
        return own_statement.own_search(own_statement.load(statement), assuming, without, statement)
    if statement not in STATEMENTS:
        known = f"a statement: {', '.join(STATEMENTS)}, or a function of one's own, FILE.py:NAME"
        raise InputError("", f'"{statement[:40]}"', known, "statement")
    if assuming:
        raise InputError("assuming", f"it with {statement}", "none: a statement of the paper has its hypotheses")
    parts = [part for of, part in WITHOUT if of == statement]
    if without is None or without not in parts:
        found = "none" if without is None else f'"{str(without)[:40]}"'
        raise InputError("without", found, f"of {statement}: {', '.join(parts) or 'none yet'}")
    return Search(statement, without, length or usual_length((statement, without)), defined)


def usual_length(key: tuple[str, str]) -> int:
    """Return the length of inputs unless another one is asked for: the finished table's, where that is greater."""
    known = necessity_table.load(necessity_table.finished()).get(key)
    found = known and known["counterexample"]
    return max([length_of(key), *map(len, found["inputs"] if found else ())])


def bounds_of(states: int | None, tokens: int | None, denominator: int | None) -> Bounds | None:
    """Return bounds of one's own, where there are any; None if there are none."""
    asked = {"states": states, "tokens": tokens, "denominator": denominator}
    given = {key: value for key, value in asked.items() if value}
    return replace(START["hmm"], **given) if given else None


@dataclass(frozen=True)
class Run:
    """Who searches, what is done already, until when (seconds since the epoch), and who watches."""

    engine: Engine = in_turn
    state: State | None = None
    until: float = inf
    watch: Watch = lambda standing: None
    seed: int = 0

    def within(self, asked: Asked, bounds: Bounds, drawn: int = 0) -> Searched:
        """Look at every model within bounds, and where there is no hit at so many drawn beyond them."""
        outcome = search_all(asked, bounds, self.engine, self.state, self.until, self.watch)
        if outcome.complete and not outcome.hit:
            outcome = outcome.then(search_drawn(asked, bounds, drawn, self.seed, self.until))
        return asked.found(bounds, outcome)

    def widening(self, asked: Asked) -> Searched:
        """Begin with what is known, and widen the bounds until there is a hit or the time is up.

        Without one, what is said is said of the widest bounds within which all was decided.
        """
        known = finished(asked) if isinstance(asked, Search) else None
        if known and known.remark:
            return known
        done, total = (known.bounds, known.outcome) if known else (None, Outcome())
        until = self.until if self.until == inf else self.until - LAST * (self.until - time())
        while True:
            bounds = done.wider if done else START[asked.about]
            outcome = search_all(asked, bounds, self.engine, self.state, until, self.watch, done)
            if outcome.hit or not outcome.complete:
                break
            done, total = bounds, total.then(outcome)
        if outcome.hit:
            return asked.found(bounds, total.then(outcome))
        widest, total = (done, total) if done else (bounds, outcome)
        drawn = search_drawn(asked, widest, DRAWN, self.seed, self.until) if find_spec("hypothesis") else Outcome()
        remark = f"the time was up at {bounds.states} states, {bounds.tokens} tokens, denominator {bounds.denominator}"
        return replace(asked.found(widest, total.then(drawn) if drawn.hit else total), remark=remark)


def finished(asked: Search) -> Searched | None:
    """Return what the finished table says of a search, its model decided anew; None if it does not say."""
    folder = necessity_table.finished()
    cell = necessity_table.load(folder).get((asked.statement, asked.without))
    if cell is None:
        return None
    told = cell["searched"] or cell["tried"]
    bounds = Bounds(*(told["bounds"][key] for key in ("states", "tokens", "denominator")))
    counts = Outcome(told["examined"], told["candidates"], told.get("undecided", 0), told["complete"])
    if cell["answer"] == "not needed":
        return Searched(asked, bounds, counts, remark=f"not needed: {cell['reason']}")
    covered = asked.length <= told["bounds"]["length"]
    found = (not asked.defined and cell["as_zero"]) or cell["counterexample"]
    if not found:
        return Searched(asked, bounds, counts) if covered and asked.defined >= told["defined"] else None
    longest = max(map(len, found["inputs"]))
    if longest > asked.length or (asked.defined and found["undefined_inputs"]):
        return None
    model, task = load(folder / found["certificate"])
    assert task is not None
    outcome = replace(counts, complete=found["smallest"] and covered, hit=Hit(longest, model, task))
    remark = "from the finished table, decided anew here; bounds of your own search anew"
    return replace(asked.found(bounds, outcome), remark=remark)
