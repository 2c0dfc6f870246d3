"""Drawn models, beyond the bounds of those that are listed."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from verify.family import beyond
from verify.outcomes import Outcome
from verify.search import Search
from verify.small_memory_models import drawn_memory_model
from verify.small_models import Bounds, drawn
from verify.statements import STATEMENTS


def search_drawn(search: Search, bounds: Bounds, count: int, seed: int, until: float) -> Outcome:
    """Look at so many drawn models, or up to the first hit; a hit is not known to be the smallest."""
    random, total = Random(seed), Outcome()
    draw = drawn if STATEMENTS[search.statement].about == "hmm" else drawn_memory_model
    for _ in range(count):
        model, task = draw(beyond(bounds), random)
        total = total.then(search.examine([(model, [task])], until))
        if total.hit or not total.complete:
            return replace(total, complete=False)
    return total
