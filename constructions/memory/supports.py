"""The automaton of supports: which states are possible, before and after a word, with no regard to how probable.

The support of a message depends only on that of the message before it and on one token: finitely many sets, here bit
masks over the states. Questions about all words of all lengths become questions about these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from constructions.evidence import Word
from constructions.hmm import HMM
from constructions.linear import transpose
from constructions.memory.model import MemoryHMM


class Supports:
    """Moves supports of messages along tokens, both ways.

    `initial` is supp(P[H_0]), `first` supp(P[H_1]), `everything` all states, `emits[z]` those that can emit token z.
    """

    def __init__(self, initial: int, successors: Sequence[int], emits: Sequence[int]) -> None:
        self.initial = initial
        self.emits = emits
        self.everything = (1 << len(successors)) - 1
        predecessors = [0] * len(successors)
        for state, targets in enumerate(successors):
            for target in members(targets):
                predecessors[target] |= 1 << state
        self.after = cache(lambda states: _union(successors, states))
        self.before = cache(lambda states: _union(predecessors, states))
        self.first = self.after(initial)

    @classmethod
    def of(cls, model: HMM) -> Supports:
        """Return the supports of a vanilla model."""
        successors = [mask(column) for column in transpose(model.transition)]
        return cls(mask(model.initial), successors, [mask(row) for row in model.emission])

    @classmethod
    def of_memory(cls, model: MemoryHMM) -> Supports:
        """Return the supports of a memory model's joint chain Hbar, without making its large matrices."""
        read, hidden = model.shape.read, model.shape.hidden
        blocks = range(0, len(read), hidden)
        steps = [mask(column) for column in transpose(model.transition)]
        return cls(
            mask(p and q for p in model.memory for q in model.initial),
            [targets << block for block in blocks for targets in steps],
            [mask(row[column] for column in read) for row in model.emission],
        )

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


class Layers:
    """The supports that can be reached from one by words, in order of the length of the shortest; none is empty."""

    def __init__(self, start: int, step: Callable[[int, int], int], tokens: int) -> None:
        self.words: dict[int, Word] = {start: ()}
        self.layers = [[start]]
        self.step = step
        self.tokens = range(tokens)

    def layer(self, length: int) -> list[int]:
        """Return those that a word of this length reaches, and no shorter one."""
        while len(self.layers) <= length:
            self.layers.append([])
            for states in self.layers[-2]:
                for token in self.tokens:
                    reached = self.step(states, token)
                    if reached and reached not in self.words:
                        self.words[reached] = (*self.words[states], token)
                        self.layers[-1].append(reached)
        return self.layers[length]

    def all(self, most: int) -> list[int] | None:
        """Return all of them; None if there are more than `most`."""
        while self.layers[-1] and len(self.words) <= most:
            self.layer(len(self.layers))
        return list(self.words) if len(self.words) <= most else None
