"""Questions about which words are possible, decided for all lengths by the automaton of supports."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from constructions.models import HMM
from verify.functionals import Word


def shortest_undefined(model: HMM, weights: Iterable[object], most: int = 20_000) -> tuple[Word, ...] | None:
    """Return a shortest input x with weights'beta(x) = 0, although Pr(x) > 0: there the masked output is 0/0.

    `weights` are those of Gbar = W(weights o beta(x)). Only without assumption 3.2 are there such inputs. Returns one
    word, none if there is none, and None if `most` pairs of supports do not settle it.
    """
    emits = [frozenset(h for h, entry in enumerate(row) if entry) for row in model.emission]
    successors = [model.successors(h) for h in range(len(model.states))]

    def follow(states: frozenset[int], token: int) -> frozenset[int]:
        return frozenset().union(*(successors[h] for h in states)) & emits[token]

    start = (_support(model.initial), _support(weights))
    if start[0] <= start[1]:
        return ()
    seen = {start}
    queue: deque[tuple[Word, tuple[frozenset[int], frozenset[int]]]] = deque([((), start)])
    while queue:
        word, (possible, weighed) = queue.popleft()
        for token in range(len(emits)):
            pair = follow(possible, token), follow(weighed, token)
            if pair[0] and not pair[1]:
                return ((*word, token),)
            if pair[0] and pair not in seen:
                if len(seen) >= most:
                    return None
                seen.add(pair)
                queue.append(((*word, token), pair))
    return ()


def _support(vector: Iterable[object]) -> frozenset[int]:
    return frozenset(h for h, entry in enumerate(vector) if entry)
