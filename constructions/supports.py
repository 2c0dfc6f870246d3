"""The automaton of supports: which states are possible, before and after a word, with no regard to how probable.

The support of a message depends only on that of the message before it and on one token: finitely many sets, here bit
masks over the states. Questions about all words of all lengths become questions about these.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from constructions.models import HMM


class Supports:
    """Moves supports of messages along tokens, both ways."""

    def __init__(self, model: HMM) -> None:
        n = range(len(model.initial))
        self.initial = mask(model.initial)
        self.first = mask(model.first)
        self.everything = (1 << len(model.initial)) - 1
        self.emits = [mask(row) for row in model.emission]
        successors = [mask(row[h] for row in model.transition) for h in n]
        predecessors = [mask(row) for row in model.transition]
        self.after = cache(lambda states: _union(successors, states))
        self.before = cache(lambda states: _union(predecessors, states))

    def onward(self, states: int, token: int) -> int:
        """From the support of prediction_i to that of prediction_{i+1}, by the token at i."""
        return self.after(states & self.emits[token])

    def backward(self, states: int, token: int) -> int:
        """From the support of likelihood_i to that of likelihood_{i-1}, by the token at i."""
        return self.before(states & self.emits[token])

    def joint(self, word: Sequence[int], prompt: int | None = None) -> list[int]:
        """Return supp(P[H_i, X_-i = x_-i]) for each i; with a prompt, 1 on these states, for it and then each i."""
        emitted = [self.emits[token] for token in word]
        if prompt is not None:
            emitted = [prompt, *emitted]
        predictions, likelihoods = [self.first], [self.everything]
        for states in emitted[:-1]:
            predictions.append(self.after(predictions[-1] & states))
        for states in emitted[:0:-1]:
            likelihoods.append(self.before(likelihoods[-1] & states))
        return [p & q for p, q in zip(predictions, reversed(likelihoods), strict=True)]


def mask(vector: Iterable[object]) -> int:
    """Return the support of a vector as a bit mask."""
    return sum(1 << h for h, entry in enumerate(vector) if entry)


def members(states: int) -> Iterator[int]:
    """Return the states of a bit mask, ascending."""
    while states:
        low = states & -states
        yield low.bit_length() - 1
        states ^= low


def _union(sets: Sequence[int], states: int) -> int:
    union = 0
    for state in members(states):
        union |= sets[state]
    return union


def reached(start: int, step: Callable[[int, int], int], tokens: int, most: int) -> list[int] | None:
    """Return every support that words lead to, the empty one left out; None if there are more than `most`."""
    found = {start: None}
    queue = deque(found)
    while queue:
        states = queue.popleft()
        for token in range(tokens):
            support = step(states, token)
            if support and support not in found:
                if len(found) >= most:
                    return None
                found[support] = None
                queue.append(support)
    return list(found)
