"""The inputs that section 4 is about: R and Z, and the positions Ihat.

    R    = { x in supp(P[X]) : some i has supp(P[H_i | X_-i = x_-i]) in H* }
    Ihat = those i;   behind a prompt they are i + 1
    Z    = { x : Pr(Xhat_-i = xhat_-i) > 0 for every i in [t] },   xhat = (prompt, x_1, ..., x_t), of t + 1 positions

All three depend only on supports of messages on the joint chain Hbar. So they are decided for all lengths at once.

Position i divides an input. prediction_i is P[Hbar_i, the part before i], and likelihood_i is P[the part after i |
Hbar_i], each up to a positive factor. Only the supports of the two count. supp(P[Hbar_i | X_-i = x_-i]) is their
intersection; if it is not empty, some token at i is possible. So R is not empty iff two supports, one that can be
reached forwards and one that can be reached backwards, have states in common, all of them with a hidden state in H*.

H* is a set of hidden states {j*} x S*. With one cell it is any set. In the code positions count from 0, above from 1.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, product

from constructions.evidence import Word
from constructions.heads import SoftPrompt
from constructions.linear import Indices
from constructions.memory.model import MemoryHMM
from constructions.memory.supports import Supports, mask


@dataclass(frozen=True)
class Membership:
    """Whether a word x lies in R, and why.

    `possible`: whether x has positive probability. If not, all else is empty. `supports`: for each position i the
    hidden states of supp(P[H_i | X_-i = x_-i]). `positions`: Ihat, the positions whose support lies in H*.
    """

    possible: bool
    supports: tuple[Indices, ...]
    positions: Indices

    @property
    def member(self) -> bool:
        """Tell whether the input lies in R."""
        return bool(self.positions)


class RecoverableInputs:
    """R for one model and one H*."""

    def __init__(self, model: MemoryHMM, states: Sequence[int]) -> None:
        self.supports = Supports(model)
        """The moves of supports along tokens, on Hbar."""
        self.elsewhere = self.supports.first_of_copies * mask(h not in states for h in range(model.shape.hidden))
        """The states of Hbar whose hidden state is not in H*."""

    def membership(self, word: Sequence[int]) -> Membership:
        """Decide whether an input of at least one token lies in R."""
        supports = self.supports.joint(word)
        if not supports[0] & self.supports.emits[word[0]]:
            return Membership(False, (), ())
        return Membership(
            True,
            tuple(map(self.supports.hidden, supports)),
            tuple(i for i, states in enumerate(supports) if self._lies_inside(states)),
        )

    def shortest(self, budget: int = 200_000) -> Word | None:
        """Return a shortest word of R, or () if R is empty. None if `budget` pairs of supports do not settle it."""
        supports = self.supports
        forward, backward = supports.layers()
        for length in count(1):
            layers = [(forward.layer(i), backward.layer(length - 1 - i)) for i in range(length)]
            if not any(ahead and behind for ahead, behind in layers):
                break  # both are exhausted, or the last of one and the first of the other would meet
            for ahead, behind in (pair for both in layers for pair in product(*both)):
                budget -= 1
                if budget < 0:
                    return None
                if self._lies_inside(ahead & behind):
                    token = next(z for z, emits in enumerate(supports.emits) if ahead & behind & emits)
                    return (*forward.words[ahead], token, *reversed(backward.words[behind]))
        return ()

    def first_impossible(self, word: Sequence[int], prompt: SoftPrompt) -> int | None:
        """Return the first position i with Pr(Xhat_-i = xhat_-i) = 0, or None. Position 0 is the prompt's."""
        supports = self.supports.joint(word, mask(prompt.u))
        return next((i for i, states in enumerate(supports) if not states), None)

    def in_z(self, word: Sequence[int], prompt: SoftPrompt) -> bool:
        """Tell whether x is in Z with all t + 1 positions i in place of [t]. The proof of C.9 needs this."""
        return self.first_impossible(word, prompt) is None

    def in_paper_z(self, word: Sequence[int], prompt: SoftPrompt) -> bool:
        """Tell whether x is in Z as the paper writes it: i in [t] leaves out the last of the t + 1 positions."""
        return self.first_impossible(word, prompt) in (None, len(word))

    def possible(self) -> Iterator[Word]:
        """Yield all words of positive probability, ordered by length and then by tokens. There are infinitely many."""
        queue: list[tuple[Word, int]] = [((), self.supports.first)]
        for word, ahead in queue:
            for token, emits in enumerate(self.supports.emits):
                if ahead & emits:
                    yield (*word, token)
                    queue.append(((*word, token), self.supports.onward(ahead, token)))

    def _lies_inside(self, states: int) -> bool:
        """Tell whether a set of states of Hbar is not empty and has only hidden states of H*."""
        return bool(states) and not states & self.elsewhere
