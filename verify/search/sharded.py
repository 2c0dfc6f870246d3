"""A search as shards: listed size by size, worked through by an engine, put together in the order of enumeration.

Whatever the engine and however often a search was interrupted, the outcome is that of the shards one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import reduce
from itertools import takewhile
from math import inf
from time import time
from typing import TypeAlias

from verify.search.outcomes import Engine, Examiner, Numbered, Outcome, in_turn
from verify.search.small_models import Bounds, Shard, Size, shards
from verify.search.state import State


@dataclass(frozen=True)
class Standing:
    """How far a search has come: of the `shards` of a size, so many are `done`.

    In this run so many models with a task were `examined`, out of at most `worked` in their shards; in the shards of
    all sizes that are not done there are at most `left`.
    """

    size: Size
    shards: int
    done: int
    examined: int
    worked: int
    left: int


Watch: TypeAlias = Callable[[Standing], None]


def search_all(
    search: Examiner,
    bounds: Bounds,
    engine: Engine = in_turn,
    state: State | None = None,
    until: float = inf,
    watch: Watch = lambda standing: None,
    beyond: Bounds | None = None,
) -> Outcome:
    """Look at every model within the bounds, size by size, until one has a hit or the time (since the epoch) is up.

    Those within the bounds `beyond` are left out, as they are known. What `state` has is not done again, and what is
    done is added to it. `watch` is called after each shard. Raises `InputError` where the state is not one of this
    search, or cannot be written.
    """
    known = set(beyond.sizes) if beyond else set()
    sizes = [size for size in bounds.sizes if size not in known]
    plan: list[_Size] = []
    for size in sizes:
        listed = list(takewhile(lambda _: time() <= until, shards(search.about, size)))
        if time() > until:
            break
        plan.append(_Size(size, listed, state))
    left = sum(one.shards[number].most for one in plan for number in one.open)
    examined, worked, total = 0, 0, Outcome()
    for one in plan:
        with closing(engine(search, one.until(until), until)) as outcomes:
            for number, outcome in outcomes:
                one.put(number, outcome)
                if state and outcome.complete:
                    state.keep(one.size, number, outcome)
                examined, worked = examined + outcome.examined, worked + one.shards[number].most
                watch(Standing(one.size, len(one.shards), len(one.done), examined, worked, left - worked))
        total = total.then(one.outcome)
        if total.hit or not total.complete:
            return total
    return total if len(plan) == len(sizes) else total.then(Outcome(complete=False))


class _Size:
    """The shards of one size, and the outcomes of those that are done."""

    def __init__(self, size: Size, listed: list[Shard], state: State | None) -> None:
        self.size, self.shards, self.last = size, listed, len(listed) - 1
        self.done: dict[int, Outcome] = {}
        for number, outcome in state.taken_up(size, len(listed)).items() if state else ():
            self.put(number, outcome)

    def put(self, number: int, outcome: Outcome) -> None:
        """Add an outcome; shards behind a final one are not needed."""
        self.done[number] = outcome
        if outcome.final:
            self.last = min(self.last, number)

    @property
    def open(self) -> list[int]:
        return [number for number in range(self.last + 1) if number not in self.done]

    def until(self, time_is_up: float) -> Iterator[Numbered]:
        """Yield the shards that are needed and not done, as long as there is time."""
        for number, shard in enumerate(self.shards):
            if number > self.last or time() > time_is_up:
                return
            if number not in self.done:
                yield number, shard

    @property
    def outcome(self) -> Outcome:
        outcomes = (self.done.get(number, Outcome(complete=False)) for number in range(self.last + 1))
        return reduce(Outcome.then, outcomes, Outcome())
