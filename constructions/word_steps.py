"""The steps along a word, in exact integers.

A word can be read from its end or from its start. Write o for the elementwise product. From the end, token z takes the
vector v = beta(y) to M_z v = A'(W[z,:] o v), which is beta(z y). From the start, token z takes a functional f to f M_z,
which has the entries W[z,:] o (A f). `messages.word_step` is the same step for arrays.

The chain Hbar of a memory model has a block of states for each memory, and never moves between blocks. A vector over
Hbar has the vectors of the blocks one after another. The matrix of Hbar is never written out.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from operator import mul
from typing import TypeAlias

from flint import fmpz_mat

from constructions.linear import Matrix, integer_rows

Rows: TypeAlias = Sequence[Sequence[int]]


class WordSteps:
    """The steps of one model, for many rows at once. A row is a vector over the states of the model, or of Hbar."""

    def __init__(self, transition: Matrix, emission: Matrix) -> None:
        """Take A (n, n), and W (k, n), or (k, blocks * n): the same A moves each block."""
        moves, transition_factor = integer_rows(transition)
        self._emission, emission_factor = integer_rows(emission)
        self._after, self._before = fmpz_mat(moves).transpose(), fmpz_mat(moves)
        self.scale = transition_factor * emission_factor
        """The results of a step `before` are this number times those with the model's probabilities."""

    def emitting(self, rows: Rows, token: int) -> list[list[int]]:
        """Return W[z,:] o v for each row v, up to a scale."""
        weights = self._emission[token]
        return [list(map(mul, weights, row)) for row in rows]

    def onward(self, rows: Rows) -> list[list[int]]:
        """Return A f for each row f, up to a scale."""
        return self._moved(rows, self._after)

    def before(self, token: int, rows: Rows) -> list[list[int]]:
        """Return `scale` times A'(W[z,:] o v) for each row v. If v = beta(y), A'(W[z,:] o v) is beta(z y)."""
        return self._moved(self.emitting(rows, token), self._before)

    def _moved(self, rows: Rows, matrix: fmpz_mat) -> list[list[int]]:
        width, size = len(self._emission[0]), matrix.nrows()
        blocks = fmpz_mat(len(rows) * width // size, size, list(chain.from_iterable(rows)))
        entries = list(map(int, (blocks * matrix).entries()))
        return [entries[i : i + width] for i in range(0, len(entries), width)]
