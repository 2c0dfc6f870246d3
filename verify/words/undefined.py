"""Questions about which words are possible, decided for all lengths by the automaton of supports."""

from __future__ import annotations

from collections.abc import Iterable

from constructions.evidence import Word
from constructions.memory.supports import Supports, mask
from constructions.models import HMM


def shortest_undefined(model: HMM, weights: Iterable[object], limit: int = 20_000) -> tuple[Word, ...] | None:
    """Return a shortest input x with weights'beta(x) = 0, although Pr(x) > 0: there the masked output is 0/0.

    `weights` are those of Gbar = W(weights o beta(x)). Only without assumption 3.2 are there such inputs. Returns one
    word, none if there is none, and None if `limit` pairs of supports do not settle it.
    """
    supports = Supports(model)
    start = (supports.initial, mask(weights))
    if not start[0] & ~start[1]:
        return ()
    visited, queue = {start}, [(Word(), start)]
    for word, (possible, weighed) in queue:  # what is appended below is read in its turn
        after = supports.after(possible), supports.after(weighed)
        for token, emits in enumerate(supports.emits):
            pair = after[0] & emits, after[1] & emits
            if pair[0] and not pair[1]:
                return ((*word, token),)
            if pair[0] and pair not in visited:
                if len(visited) >= limit:
                    return None
                visited.add(pair)
                queue.append(((*word, token), pair))
    return ()
