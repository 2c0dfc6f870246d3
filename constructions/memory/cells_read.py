"""What a word tells of one cell: P[M_j, X = x], by the cells that its tokens may have read.

A token reads one cell, so that a word of t tokens depends on the memory by at most t of its values. Paths of the chain
are summed by what they have read, values of some cells: that takes C(N,t) |M|^t sums in place of |M|^N, and P[M] comes
in at the end, by its margins on these cells. For longer words, of which that would be more, each memory is read whole
from the start.

Everything is in integers, up to one positive factor for each word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache
from operator import add, mul
from typing import TypeAlias

from constructions.evidence import Word
from constructions.linear import integer_rows
from constructions.memory.model import MemoryHMM

UNREAD = -1

Read: TypeAlias = tuple[int, ...]
"""For each cell the value that was read there, or UNREAD."""

PREFIXES = 64
"""How many prefixes are kept: words are asked for in order, so that those of one prefix follow each other."""


class CellsRead:
    """Sums paths of a model by the cells that they read."""

    def __init__(self, model: MemoryHMM) -> None:
        self.shape = model.shape
        (self._memory,), _ = integer_rows((model.memory,))
        (self._initial,), _ = integer_rows((model.initial,))
        self._transition, _ = integer_rows(model.transition)
        self._emission, _ = integer_rows(model.emission)
        self._after = lru_cache(PREFIXES)(self._extended)
        self._margin = cache(self._summed)

    def law(self, word: Word, cell: int, whole: bool | None = None) -> tuple[int, ...]:
        """Return P[M_j = m, X = word] for each value m of a cell j, up to a positive factor.

        `whole`: whether each memory is read whole from the start; without a word on that, where it takes fewer sums.
        """
        shape = self.shape
        if whole is None:
            whole = (shape.cells * shape.values) ** (len(word) - 1) >= shape.values**shape.cells
        law = [0] * shape.values
        for read, weights in self._extended(word, whole).items():
            for m in self._values(read, cell):
                law[m] += sum(weights) * self._probability((*read[:cell], m, *read[cell + 1 :]))
        return tuple(law)

    def _extended(self, word: Word, whole: bool) -> dict[Read, list[int]]:
        """Return P[H_t, X = word, these cells are read | these values of them], for all there are."""
        if not word:
            starts: Sequence[Read] = self.shape.memories if whole else [(UNREAD,) * self.shape.cells]
            return {read: list(self._initial) for read in starts}
        hidden, emits = range(self.shape.hidden), self._emission[word[-1]]
        found: dict[Read, list[int]] = defaultdict(lambda: [0] * len(hidden))
        for read, weights in self._after(word[:-1], whole).items():
            for h, row in enumerate(self._transition):
                if weight := sum(map(mul, row, weights)):
                    j = h // self.shape.syntax
                    for m in self._values(read, j):
                        if p := emits[self.shape.column(m, h)]:
                            found[(*read[:j], m, *read[j + 1 :])][h] += weight * p
        return found

    def _values(self, read: Read, cell: int) -> Sequence[int]:
        """Return the values that a cell can have."""
        return range(self.shape.values) if read[cell] == UNREAD else (read[cell],)

    def _probability(self, read: Read) -> int:
        """Return P[M has these values]."""
        place = 0
        for m in read:
            if m != UNREAD:
                place = place * self.shape.values + m
        return self._margin(tuple(j for j, m in enumerate(read) if m != UNREAD))[place]

    def _summed(self, cells: tuple[int, ...]) -> Sequence[int]:
        """Return the law of some cells, in C order: that of these and one more, summed over that one."""
        missing = next((j for j in reversed(range(self.shape.cells)) if j not in cells), None)
        if missing is None:
            return self._memory
        wider = self._margin(tuple(sorted((*cells, missing))))
        width = self.shape.values ** sum(j > missing for j in cells)
        parts = [wider[i : i + width] for i in range(0, len(wider), width)]
        found: list[int] = []
        for i in range(0, len(parts), self.shape.values):
            total = parts[i]
            for part in parts[i + 1 : i + self.shape.values]:
                total = tuple(map(add, total, part))
            found += total
        return found
