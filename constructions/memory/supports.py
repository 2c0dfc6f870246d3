"""The automaton of supports: which states are possible before and after a word.

The support of a message depends only on one token and on the support of the message before it. There are finitely many
supports. So questions about words of every length become questions about finitely many sets. A set is a bit mask over
the states.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import accumulate
from operator import and_

from constructions.evidence import Word
from constructions.hmm import HMM
from constructions.linear import transpose
from constructions.memory.model import MemoryHMM


class Supports:
    """The moves of supports along tokens, forwards and backwards, in a chain or in Hbar.

    Hbar has a copy of the chain for each value of the memory, and a move takes all copies at once. `initial` is
    supp(P[H_0]), `first` supp(P[H_1]), `everything` the set of all states, `emits[z]` the states that can emit token z,
    and `first_of_copies` has the first state of every copy.
    """

    def __init__(self, model: HMM | MemoryHMM) -> None:
        """Take a vanilla model, or a memory model. The large matrices of Hbar are not made."""
        n = len(model.initial)
        memory, read = (model.memory, model.shape.read) if isinstance(model, MemoryHMM) else ((1,), range(n))
        self.states = range(n)
        self.initial = mask(p and q for p in memory for q in model.initial)
        self.emits = [mask(row[column] for column in read) for row in model.emission]
        self.everything = (1 << len(read)) - 1
        self.first_of_copies = self.everything // ((1 << n) - 1)
        self.after = cache(partial(self._union, list(map(mask, transpose(model.transition)))))
        self.before = cache(partial(self._union, list(map(mask, model.transition))))
        self.first = self.after(self.initial)

    def onward(self, states: int, token: int) -> int:
        """Return the support of prediction_{i+1} = P[H_{i+1}, x_1..x_i] from that of prediction_i and x_i."""
        return self.after(states & self.emits[token])

    def backward(self, states: int, token: int) -> int:
        """Return the support of likelihood_{i-1} = P[x_i..x_t | H_{i-1}] from that of likelihood_i and x_i."""
        return self.before(states & self.emits[token])

    def joint(self, word: Sequence[int], prompt: int | None = None) -> list[int]:
        """Return supp(P[H_i, X_-i = x_-i]) for each position i of a word.

        `prompt` is the support of a prompt in front of the word: its own position then comes first.
        """
        emitted = [self.emits[token] for token in word]
        if prompt is not None:
            emitted = [prompt, *emitted]
        predictions = accumulate(emitted[:-1], lambda p, states: self.after(p & states), initial=self.first)
        likelihoods = accumulate(emitted[:0:-1], lambda q, states: self.before(q & states), initial=self.everything)
        return list(map(and_, predictions, reversed(list(likelihoods))))

    def hidden(self, states: int) -> tuple[int, ...]:
        """Return the hidden states of a set of states of Hbar, whatever their memory."""
        return tuple(h for h in self.states if states >> h & self.first_of_copies)

    def layers(self) -> tuple[Layers, Layers]:
        """Return the supports of predictions and those of likelihoods, by the length of a shortest word to each."""
        tokens = range(len(self.emits))
        return Layers(self.first, self.onward, tokens), Layers(self.everything, self.backward, tokens)

    def _union(self, sets: Sequence[int], states: int) -> int:
        """Return the union over all states in `states`: state h of a copy gives the states `sets[h]` of this copy."""
        union = 0
        for h, others in enumerate(sets):
            union |= (states >> h & self.first_of_copies) * others
        return union


def mask(vector: Iterable[object]) -> int:
    """Return the support of a vector as a bit mask."""
    return sum(1 << h for h, entry in enumerate(vector) if entry)


class Layers:
    """The nonempty supports to which words lead from a first support, by the length of a shortest such word."""

    def __init__(self, start: int, step: Callable[[int, int], int], tokens: range) -> None:
        self.words: dict[int, Word] = {start: ()}
        self.layers = [[start]]
        self.step = step
        self.tokens = tokens

    def layer(self, length: int) -> list[int]:
        """Return the supports to which a word of this length leads, but to which no shorter word leads."""
        while len(self.layers) <= length:
            self.layers.append([])
            for states in self.layers[-2]:
                for token in self.tokens:
                    reached = self.step(states, token)
                    if reached and reached not in self.words:
                        self.words[reached] = (*self.words[states], token)
                        self.layers[-1].append(reached)
        return self.layers[length]

    def up_to(self, limit: int) -> list[int] | None:
        """Return all supports; None if there are more than `limit`."""
        while self.layers[-1] and len(self.words) <= limit:
            self.layer(len(self.layers))
        return list(self.words) if len(self.words) <= limit else None
