"""The numbers that messages and heads are computed in.

A model has rational numbers. Messages and scores matter only up to a positive scale. So a field turns rationals into
an array of its own numbers, *up to one positive scale for the whole array*. Messages are plain array expressions
(`A @ (v * w)`) that work in every field.

- `INTEGERS` is exact. An array has Python integers: the rationals times their common denominator. While a message is
  computed, its integers are FLINT's.
- `RATIONALS` is exact, and keeps the scale: messages are probabilities, for a person to read.
- `FLOAT64` is fast. Messages are normalised at each step, so none vanishes in a long input, and a zero stays a zero.
  Floats prove nothing: provers take the model and choose `INTEGERS` themselves.

A fourth field, `learned.fields.TORCH`, is float64 with gradients. It needs torch.

Notation: constructions/__init__.py.
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
"""Rationals, or an array of the field."""


class Field:
    """A kind of numbers, with the operations beyond +, * and @ that messages need. The base class has the rationals.

    `xp` is the library of its arrays, NumPy or torch. Embeddings, messages and heads call `xp.asarray`, `ones_like`,
    `zeros_like`, `broadcast_to`, `concatenate` and `moveaxis`, with axes by position, since the two libraries name
    these arguments differently.
    """

    xp: Any = np
    dtype: Any = object

    def array(self, entries: Entries) -> Array:
        """Convert rationals, up to one positive scale for the whole array."""
        return np.array(entries, dtype=self.dtype)

    def times(self, matrix: Array) -> Callable[[Array], Array]:
        """Return a function that takes an array (inputs, n) and multiplies each row by the matrix (m, n): (inputs, m).

        The results may be numbers of another library; `plain` converts these numbers. The function multiplies the
        matrix by the transposed array, and transposes the product (m, inputs) back. So the results for one row of the
        matrix lie side by side in the computer's memory.
        """
        return lambda vectors: (matrix @ vectors.T).T

    def plain(self, numbers: Array) -> Array:
        """Convert the results of `times` to the field's numbers. Here they are returned unchanged."""
        return numbers

    def rescale(self, messages: Array) -> Array:
        """Scale vectors (last axis) of non-negative numbers so that they stay in range. Here by the factor 1."""
        return messages

    def normalise(self, vectors: Array) -> Array:
        """Divide vectors (last axis) of non-negative numbers by their sums; a zero vector stays zero."""
        totals = vectors.sum(-1, keepdims=True)
        return vectors / self.xp.where(totals == 0, 1, totals)


class Integers(Field):
    """Exact numbers up to scale: arrays of Python integers of any size. Common divisors are left in, to save time."""

    def array(self, entries: Entries) -> Array:
        """Multiply by the least common denominator of all entries."""
        rationals = np.array(entries, dtype=object)
        numerators, _ = integers(rationals.ravel().tolist())
        return np.array(numerators, dtype=object).reshape(rationals.shape)

    def times(self, matrix: Array) -> Callable[[Array], Array]:
        """As in `Field`. Results are FLINT's integers, which are several times as fast as Python's on long inputs."""
        factor = fmpz_mat(matrix.tolist())

        def product(vectors: Array) -> Array:
            columns = fmpz_mat(matrix.shape[1], len(vectors), vectors.T.ravel().tolist())
            return np.array((factor * columns).entries(), dtype=object).reshape(len(matrix), len(vectors)).T

        return product

    def plain(self, numbers: Array) -> Array:
        """Convert FLINT's integers to Python's, and leave fractions as they are."""
        return np.frompyfunc(lambda x: int(x) if isinstance(x, fmpz) else x, 1, 1)(numbers)

    def normalise(self, vectors: Array) -> Array:
        """As in `Field`. The result is an array of `Fraction`."""
        quotient = np.frompyfunc(lambda x, total: fraction(fmpq(x, total or 1)), 2, 1)
        return quotient(vectors, vectors.sum(-1, keepdims=True))


class Float64(Field):
    """IEEE double precision. Messages stay in range at any length. The only error of a step is rounding.

    There is one exception: an entry that is too small before its message is normalised. Below about 1e-308 it loses
    precision, and below about 1e-324 it becomes 0. A chain whose probabilities are all far from 0 has no such entries.
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
    """A model's arrays in one field, for n states and k tokens.

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
