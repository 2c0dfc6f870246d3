"""The numbers that messages and heads are computed in.

A model is rational. Whatever is computed from it here matters only up to a positive scale, so a field turns rationals
into arrays of its own numbers *up to one positive scale for the whole array*, and messages are plain array
expressions (`A @ (v * w)`) that serve every field.

- `INTEGERS`: exact. Arrays of Python integers over a shared denominator that is then dropped; between steps FLINT's.
- `RATIONALS`: exact, and the scale kept: for a person to read.
- `FLOAT64`: for speed. Messages are normalised at each step, so no message vanishes; a zero stays a zero.
  Nothing that is computed here proves anything: provers take the model and choose `INTEGERS` themselves.

One more stands where torch may be imported: `learned.fields.TORCH`, float64 with gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias

import numpy as np
from flint import fmpq, fmpz, fmpz_mat

Array: TypeAlias = Any
"""An array of the field's own library: NumPy's `ndarray`, or torch's `Tensor`."""

Entries: TypeAlias = Sequence[Fraction] | Sequence[Sequence[Fraction]] | Array
"""Rationals, or an array that is of the field already."""


class Field:
    """What messages need of a kind of numbers, beyond +, * and @. As it stands it keeps the numbers of NumPy's arrays.

    `xp` is the library that its arrays belong to, for what is not an operator: `asarray`, `ones_like`, `zeros_like`,
    `broadcast_to`, `concatenate`, `moveaxis`. Axes are passed by position, as NumPy and torch name them differently.
    """

    name: str
    xp: Any = np
    dtype: Any = object

    def array(self, entries: Entries) -> Array:
        """Convert rationals, up to one positive scale for the whole array."""
        return np.array(entries, dtype=self.dtype)

    def times(self, matrix: Array) -> Callable[[Array], Array]:
        """Return the map of vectors x, the rows of an array (inputs, n), to matrix x. Its results are for `plain`.

        The vectors are multiplied as columns, so that the inputs, of which there are many, stay last in memory.
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

    name = "integers"

    def array(self, entries: Entries) -> Array:
        """Multiply by the least common denominator of all entries."""
        rationals = np.array(entries, dtype=object)
        denominator = lcm(*(entry.denominator for entry in rationals.flat))
        integers = [entry.numerator * (denominator // entry.denominator) for entry in rationals.flat]
        return np.array(integers, dtype=object).reshape(rationals.shape)

    def times(self, matrix: Array) -> Callable[[Array], Array]:
        """Multiply by FLINT, and keep its integers: those of long inputs are several times as fast as Python's."""
        factor = fmpz_mat(matrix.tolist())

        def product(vectors: Array) -> Array:
            columns = fmpz_mat(matrix.shape[1], len(vectors), vectors.T.ravel().tolist())
            return np.array((factor * columns).entries(), dtype=object).reshape(len(matrix), len(vectors)).T

        return product

    def plain(self, numbers: Array) -> Array:
        """Return Python's integers for FLINT's; a `Fraction` is one already."""
        plain = [int(x) if isinstance(x, fmpz) else x for x in numbers.flat]
        return np.array(plain, dtype=object).reshape(numbers.shape)

    def normalise(self, vectors: Array) -> Array:
        """Return arrays of `Fraction`."""
        totals = np.broadcast_to(vectors.sum(-1, keepdims=True), vectors.shape)
        pairs = zip(vectors.flat, totals.flat, strict=True)
        laws = [_fraction(fmpq(x, total if total != 0 else 1)) for x, total in pairs]
        return np.array(laws, dtype=object).reshape(vectors.shape)


class Rationals(Field):
    """Exact numbers with their scale: messages are the probabilities themselves."""

    name = "rationals"


class Float64(Field):
    """IEEE double precision; a message of any length keeps its relative precision.

    Except in entries that are less than about 1e-308 of the sum of their message, which become 0. An ergodic chain
    whose probabilities are far from that has none.
    """

    name = "float64"
    dtype = np.float64

    def rescale(self, messages: Array) -> Array:
        """Divide by the sum, so that products over any length stay in range."""
        return self.normalise(messages)


def _fraction(number: fmpq) -> Fraction:
    """Convert a rational of FLINT's, which is in lowest terms: `Fraction(...)` would look for a common divisor."""
    result = object.__new__(Fraction)
    for slot, part in zip(Fraction.__slots__, (number.p, number.q), strict=True):
        setattr(result, slot, int(part))
    return result


INTEGERS = Integers()
RATIONALS = Rationals()
FLOAT64 = Float64()
