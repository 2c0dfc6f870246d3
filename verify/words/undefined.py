"""Is the masked output of some input 0/0? Decided for inputs of every length by the automaton of supports.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Iterable

from constructions.evidence import Word
from constructions.memory.supports import Supports, mask
from constructions.models import HMM


def shortest_undefined(model: HMM, weights: Iterable[object], limit: int = 20_000) -> tuple[Word, ...] | None:
    """Look for a shortest word x with weights'beta(x) = 0, although Pr(x) > 0: its masked output is 0/0.

    `weights`: the c >= 0 of the masked output W (c o beta(x)) / ||c o beta(x)||_1, one entry for each state. If no
    entry is 0, there is no such word. Returns the tuple (x,), or the empty tuple if there is no such word, or None if
    `limit` pairs of supports do not settle this.
    """
    supports = Supports(model)
    start = (supports.initial, mask(weights))
    if not start[0] & ~start[1]:
        return ()
    visited, queue = {start}, [(Word(), start)]
    for word, (possible, weighed) in queue:  # what is appended below is read in its turn
        after = supports.after(possible), supports.after(weighed)
        for token, emits in enumerate(supports.emits):
            pair = possible, weighed = after[0] & emits, after[1] & emits
            if possible and not weighed:
                return ((*word, token),)
            if possible and pair not in visited:
                if len(visited) >= limit:
                    return None
                visited.add(pair)
                queue.append(((*word, token), pair))
    return ()
