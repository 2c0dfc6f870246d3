"""One step of a word in exact integers: A'(W[z,:] o v), from the end of a word, and W[z,:] o (A f), from its start.

The same step on arrays is `messages.word_step`. A memory model's Hbar falls into blocks, one for each memory, between
which it never moves. Its vectors are those of the blocks, one after another, and its matrix is never written out.
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
    """The steps of one model, of many rows at once; a row is a vector over the states of the model, or of Hbar."""

    def __init__(self, transition: Matrix, emission: Matrix) -> None:
        """Take A (n, n), and W (k, n), or (k, blocks * n): the same A moves each block."""
        moves, transition_factor = integer_rows(transition)
        self._emission, emission_factor = integer_rows(emission)
        self._after, self._before = fmpz_mat(moves).transpose(), fmpz_mat(moves)
        self.scale = transition_factor * emission_factor
        """The factor of a step: its results are those of the model's probabilities, times it."""

    def emitting(self, rows: Rows, token: int) -> list[list[int]]:
        """Return W[z,:] o v for each row v, up to a scale."""
        weights = self._emission[token]
        return [list(map(mul, weights, row)) for row in rows]

    def onward(self, rows: Rows) -> list[list[int]]:
        """Return A f for each row f, up to a scale: after a token z, the functional f M_z is W[z,:] o (A f)."""
        return self._moved(rows, self._after)

    def before(self, token: int, rows: Rows) -> list[list[int]]:
        """Return A'(W[z,:] o v), times `scale`, for each row v: beta(z y) for v = beta(y)."""
        return self._moved(self.emitting(rows, token), self._before)

    def _moved(self, rows: Rows, matrix: fmpz_mat) -> list[list[int]]:
        width, size = len(self._emission[0]), matrix.nrows()
        blocks = fmpz_mat(len(rows) * width // size, size, list(chain.from_iterable(rows)))
        entries = list(map(int, (blocks * matrix).entries()))
        return [entries[i : i + width] for i in range(0, len(entries), width)]
