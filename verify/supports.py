"""Questions about which words are possible, decided for all lengths by the automaton of supports.

The support of the forward message after a prefix depends only on its support before and the token: finitely many sets,
here bit masks over the states.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from functools import cache

from constructions.models import HMM
from verify.functionals import Word


def shortest_undefined(model: HMM, weights: Iterable[object], most: int = 20_000) -> tuple[Word, ...] | None:
    """Return a shortest input x with weights'beta(x) = 0, although Pr(x) > 0: there the masked output is 0/0.

    `weights` are those of Gbar = W(weights o beta(x)). Only without assumption 3.2 are there such inputs. Returns one
    word, none if there is none, and None if `most` pairs of supports do not settle it.
    """
    emits = [_mask(row) for row in model.emission]
    successors = [_mask(row[h] for row in model.transition) for h in range(len(model.states))]

    @cache
    def step(states: int) -> int:
        reached = 0
        for h, targets in enumerate(successors):
            if states >> h & 1:
                reached |= targets
        return reached

    start = (_mask(model.initial), _mask(weights))
    if not start[0] & ~start[1]:
        return ()
    seen = {start}
    queue: deque[tuple[Word, tuple[int, int]]] = deque([((), start)])
    while queue:
        word, (possible, weighed) = queue.popleft()
        after = step(possible), step(weighed)
        for token, mask in enumerate(emits):
            pair = after[0] & mask, after[1] & mask
            if pair[0] and not pair[1]:
                return ((*word, token),)
            if pair[0] and pair not in seen:
                if len(seen) >= most:
                    return None
                seen.add(pair)
                queue.append(((*word, token), pair))
    return ()


def _mask(vector: Iterable[object]) -> int:
    return sum(1 << h for h, entry in enumerate(vector) if entry)
