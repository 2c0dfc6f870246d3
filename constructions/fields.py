"""The numbers that messages and heads are computed in.

A model is rational. Whatever is computed from it here matters only up to a positive scale, so a field turns rationals
into arrays of its own numbers *up to one positive scale for the whole array*, and messages are plain array
expressions (`A @ (v * w)`) that serve every field.

- `INTEGERS`: exact. Arrays of Python integers over a shared denominator that is then dropped; between steps FLINT's.
- `RATIONALS`: exact, and the scale kept: messages are the probabilities themselves, for a person to read.
- `FLOAT64`: for speed. Messages are normalised at each step, so no message vanishes; a zero stays a zero.
  Nothing that is computed here proves anything: provers take the model and choose `INTEGERS` themselves.

One more stands where torch may be imported: `learned.fields.TORCH`, float64 with gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from flint import fmpq, fmpz, fmpz_mat

from constructions.linear import fraction, integers

Array: TypeAlias = Any
"""An array of the field's own library: NumPy's `ndarray`, or torch's `Tensor`."""

Entries: TypeAlias = Sequence[Fraction] | Sequence[Sequence[Fraction]] | Array
"""Rationals, or an array that is of the field already."""


class Field:
    """What messages need of a kind of numbers, beyond +, * and @. As it stands it keeps rationals, and their scale.

    `xp` is the library of its arrays, NumPy or torch, of which messages call `asarray`, `ones_like`, `zeros_like`,
    `broadcast_to`, `concatenate` and `moveaxis`. They pass axes by position, as both libraries name them differently.
    """

    xp: Any = np
    dtype: Any = object

    def array(self, entries: Entries) -> Array:
        """Convert rationals, up to one positive scale for the whole array."""
        return np.array(entries, dtype=self.dtype)

    def times(self, matrix: Array) -> Callable[[Array], Array]:
        """Return the function that multiplies each row x of an array (inputs, n) by the matrix (m, n): (inputs, m).

        Its results may be numbers of an inner library: `plain` converts them. The rows are multiplied as columns, so
        that the inputs, of which there are many, stay last in the computer's memory.
        """
        return lambda vectors: (matrix @ vectors.T).T

    def plain(self, numbers: Array) -> Array:
        """Return the numbers as callers get them: here unchanged."""
        return numbers

    def rescale(self, messages: Array) -> Array:
        """Keep vectors (last axis) of non-negative numbers in range, each by a positive scale: here by 1."""
        return messages

    def normalise(self, vectors: Array) -> Array:
        """Divide vectors (last axis) of non-negative numbers by their sums; a zero vector stays zero."""
        totals = vectors.sum(-1, keepdims=True)
        return vectors / self.xp.where(totals == 0, 1, totals)


class Integers(Field):
    """Exact numbers up to scale: arrays of Python integers, of any size. They are not reduced: that costs more."""

    def array(self, entries: Entries) -> Array:
        """Multiply by the least common denominator of all entries."""
        rationals = np.array(entries, dtype=object)
        numerators, _ = integers(rationals.ravel().tolist())
        return np.array(numerators, dtype=object).reshape(rationals.shape)

    def times(self, matrix: Array) -> Callable[[Array], Array]:
        """Multiply by FLINT, and keep its integers: on long inputs they are several times as fast as Python's."""
        factor = fmpz_mat(matrix.tolist())

        def product(vectors: Array) -> Array:
            columns = fmpz_mat(matrix.shape[1], len(vectors), vectors.T.ravel().tolist())
            return np.array((factor * columns).entries(), dtype=object).reshape(len(matrix), len(vectors)).T

        return product

    def plain(self, numbers: Array) -> Array:
        """Convert FLINT's integers to Python's, and leave fractions as they are."""
        return np.frompyfunc(lambda x: int(x) if isinstance(x, fmpz) else x, 1, 1)(numbers)

    def normalise(self, vectors: Array) -> Array:
        """Return arrays of `Fraction`."""
        quotient = np.frompyfunc(lambda x, total: fraction(fmpq(x, total or 1)), 2, 1)
        return quotient(vectors, vectors.sum(-1, keepdims=True))


class Float64(Field):
    """IEEE double precision; a message of any length keeps its relative precision.

    Except in entries that are less than about 1e-308 of the sum of their message, which become 0. An ergodic chain
    whose probabilities are far from that has none.
    """

    dtype = np.float64

    def rescale(self, messages: Array) -> Array:
        """Divide by the sum, so that products over any length stay in range."""
        return self.normalise(messages)


INTEGERS = Integers()
RATIONALS = Field()
FLOAT64 = Float64()


@dataclass(frozen=True)
class Chain:
    """A model's arrays in one field.

    `initial` (n,), `transition` (n, n), `emission` (k, n), each up to a positive scale.
    """

    field: Field
    initial: Array
    transition: Array
    emission: Array

    @property
    def first(self) -> Array:
        """P[H_1], up to a positive scale."""
        return self.transition @ self.initial

    def embed(self, tokens: Sequence[int] | Array) -> Array:
        """e(x): the row of the emission matrix for each token; tokens (..., t) give (..., t, n)."""
        xp = self.field.xp
        rows = self.emission.T[:, xp.moveaxis(xp.asarray(tokens, dtype=xp.int64), -1, 0)]
        return xp.moveaxis(rows, (1, 0), (-2, -1))
