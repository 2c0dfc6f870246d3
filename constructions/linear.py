"""Exact linear algebra over Q, by FLINT (inequalities: `constructions.simplex`).

Matrices are tuples of rows of `Fraction`. Square systems of full rank go to FLINT's solver, and others are solved by a
reduced row echelon form. No pseudo-inverse is formed, since its entries would be huge. A left inverse is formed
instead, from the rows of one basis alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from math import gcd, lcm
from typing import Any, TypeAlias, TypeVar, overload

import numpy as np
from flint import fmpq, fmpq_mat, fmpz_mat, nmod_mat

Vector: TypeAlias = tuple[Fraction, ...]
Matrix: TypeAlias = tuple[Vector, ...]
Indices: TypeAlias = tuple[int, ...]
Number = TypeVar("Number", int, Fraction)
Rows: TypeAlias = Sequence[Sequence[Fraction | int]]


class Exact:
    """An exact vector or matrix: it equals a plain tuple, and converts itself to arrays of other libraries."""

    __slots__ = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """(n,) or (rows, columns), as NumPy has it, also for entries that no float64 can hold.

        >>> exact((Fraction(10**400), Fraction(1))).shape
        (2,)
        """
        return np.array(self, dtype=object).shape

    def numpy(self) -> Any:
        """Return the nearest float64 numbers, an array of this shape."""
        return np.array(self, dtype=np.float64)

    def torch(self) -> Any:
        """Return the nearest float64 numbers, a tensor of this shape on the CPU."""
        from torch import from_numpy

        return from_numpy(self.numpy())

    def sympy(self) -> Any:
        """Return the same numbers as a SymPy matrix; a vector is a column."""
        from sympy import Matrix

        return Matrix(self)


class ExactVector(Exact, tuple[Fraction, ...]):
    """A vector of rationals (n,).

    >>> v = ExactVector([Fraction(1, 2), Fraction(1, 2)])
    >>> v, v @ v, v.numpy(), v == (Fraction(1, 2), Fraction(1, 2))
    ([1/2  1/2], Fraction(1, 2), array([0.5, 0.5]), True)
    """

    __slots__ = ()

    def __matmul__(self, other: Any) -> Any:
        """Return the product with `other`: a number for a vector (n,), a vector (m,) for a matrix (n, m).

        Raises `ValueError` where the shapes do not fit.
        """
        if not isinstance(other, tuple):
            return NotImplemented
        right: Any = exact(other)
        if len(self) != len(right):
            raise ValueError(f"shapes {self.shape} and {right.shape} do not fit")
        return ExactVector(combine(self, right)) if isinstance(right, ExactMatrix) else dot(self, right)

    def __repr__(self) -> str:
        return f"[{'  '.join(map(str, self))}]"


class ExactMatrix(Exact, tuple[ExactVector, ...]):
    """A matrix of rationals (rows, columns): a tuple of its rows.

    >>> A = exact(((Fraction(1, 2), Fraction(0)), (Fraction(1, 2), Fraction(1))))
    >>> A @ A
    [1/4  0]
    [3/4  1]
    >>> A.sympy() ** 2 == (A @ A).sympy()
    True
    """

    __slots__ = ()

    @property
    def T(self) -> ExactMatrix:
        """The transposed matrix."""
        return exact(transpose(self))

    def __matmul__(self, other: Any) -> Any:
        """Return the product with a vector or a matrix. Raises `ValueError` where the shapes do not fit."""
        if not isinstance(other, tuple):
            return NotImplemented
        right = exact(other)
        return exact(tuple(row @ right for row in self))

    def __repr__(self) -> str:
        widths = [max(len(str(entry)) for entry in column) for column in self.T]
        padded = ([f"{entry!s:>{width}}" for entry, width in zip(row, widths, strict=True)] for row in self)
        return "\n".join(f"[{'  '.join(row)}]" for row in padded)


@overload
def exact(entries: Vector) -> ExactVector: ...


@overload
def exact(entries: Matrix) -> ExactMatrix: ...


def exact(entries: Any) -> Any:
    """Return an `ExactVector` of numbers, or an `ExactMatrix` of rows."""
    if isinstance(entries, ExactVector | ExactMatrix):
        return entries
    if entries and isinstance(entries[0], tuple):
        return ExactMatrix(map(ExactVector, entries))
    return ExactVector(entries)


def know_arrays(parent: object, *fields: str) -> None:
    """Replace each of these fields of a frozen dataclass by an `ExactVector` or `ExactMatrix`."""
    for field in fields:
        object.__setattr__(parent, field, exact(getattr(parent, field)))


def transpose(matrix: Sequence[Sequence[Fraction]]) -> Matrix:
    """Exchange rows and columns of a matrix with at least one row."""
    return tuple(zip(*matrix, strict=True))


def columns(matrix: Matrix, indices: Sequence[int]) -> Matrix:
    """Select columns."""
    return tuple(tuple(row[i] for i in indices) for row in matrix)


def spread(vector: Vector, places: Sequence[int], size: int) -> Vector:
    """Return the vector of this size that has the entries of `vector` at these places, and 0 elsewhere."""
    entries = dict(zip(places, vector, strict=True))
    return tuple(entries.get(place, Fraction(0)) for place in range(size))


def identity(size: int) -> Matrix:
    """Return the identity matrix."""
    return tuple(tuple(Fraction(i == j) for j in range(size)) for i in range(size))


def dot(left: Sequence[Fraction], right: Sequence[Fraction]) -> Fraction:
    """Return left'right. The entries are fractions, or elements of any other field."""
    return sum(multiply(left, right), Fraction(0))


def minus(left: Sequence[Number], right: Sequence[Number]) -> tuple[Number, ...]:
    """Return left - right."""
    return tuple(x - y for x, y in zip(left, right, strict=True))


def multiply(left: Sequence[Fraction], right: Sequence[Fraction]) -> Vector:
    """Return the elementwise product of two vectors of one length."""
    return tuple(x * y for x, y in zip(left, right, strict=True))


def combine(weights: Sequence[Fraction], rows: Sequence[Sequence[Fraction]]) -> Vector:
    """Return the linear combination of `rows` with `weights`: sum_i weights[i] rows[i]."""
    return tuple(dot(weights, column) for column in zip(*rows, strict=True))


def product(left: Rows, right: Rows) -> Matrix:
    """Multiply two matrices of rationals by FLINT, in a small part of the time that sums of `Fraction` take."""
    return _fractions(_flint(left) * _flint(right))


def echelon(matrix: Rows) -> tuple[Matrix, list[int]]:
    """Return the reduced row echelon form: its rows other than 0, and for each of them the column of its pivot."""
    if not matrix or not matrix[0]:
        return (), []
    reduced, rank = _flint(matrix).rref()
    rows = _fractions(reduced)[:rank]
    return rows, _pivots(rows)


def _pivots(rows: Sequence[Sequence[Any]]) -> list[int]:
    """Return for each row the column of its first entry that is not 0."""
    return [next(j for j, entry in enumerate(row) if entry) for row in rows]


def solve(matrix: Rows, right: Rows) -> Matrix | None:
    """Return an exact X with `matrix` X = `right`; None if there is none.

    If there are several solutions, the rows of X that belong to columns of `matrix` without a pivot are 0. A square
    system of full rank goes to FLINT's solver, without an echelon form.
    """
    unknowns = len(matrix[0])
    if len(matrix) == unknowns:
        with suppress(ZeroDivisionError):
            return _fractions(_flint(matrix).solve(_flint(right)))
    rows, pivots = echelon([(*left, *goal) for left, goal in zip(matrix, right, strict=True)])
    if pivots and pivots[-1] >= unknowns:
        return None
    solution = [(Fraction(0),) * len(right[0])] * unknowns
    for row, pivot in zip(rows, pivots, strict=True):
        solution[pivot] = row[unknowns:]
    return tuple(solution)


def project(rows: Matrix, basis: Matrix) -> Matrix:
    """Project each of `rows` orthogonally onto the span of the rows of `basis`."""
    weights = solve(product(basis, transpose(basis)), product(basis, transpose(rows)))
    if weights is None:
        raise ArithmeticError("vectors that are no basis")
    return product(transpose(weights), basis)


def left_inverse(matrix: Matrix) -> Matrix | None:
    """Return a left inverse of a matrix, or None if there is none.

    The rows that are not in the span of the rows before them form a basis. The left inverse is 0 outside the columns
    that belong to these rows.
    """
    solution = solve(transpose(matrix), identity(len(matrix[0])))
    return solution and transpose(solution)


def basis_modulo(prime: int, matrix: Matrix) -> list[int]:
    """Scale a matrix to integers. Return the indices of a basis of its rows modulo a prime.

    These are the rows that are not in the span of the rows before them.
    """
    reduced, rank = nmod_mat(fmpz_mat(integer_rows(transpose(matrix))[0]), prime).rref()
    return _pivots(reduced.tolist()[:rank])


def null_basis(matrix: Rows) -> Matrix:
    """Return a basis of the null space.

    It has one vector for each column that is in the span of the columns before it. The entries of a vector are coprime
    integers, and the first that is not 0 is positive.
    """
    width = len(matrix[0])
    rows, pivots = echelon(matrix)
    basis = []
    for free in sorted({*range(width)} - {*pivots}):
        vector = spread((*(-row[free] for row in rows), Fraction(1)), (*pivots, free), width)
        sign = next(filter(None, vector)) > 0
        basis.append(primitive(vector if sign else [-entry for entry in vector]))
    return tuple(basis)


def primitive(vector: Sequence[Fraction]) -> Vector:
    """Scale by a positive number so that the entries become coprime integers."""
    return tuple(map(Fraction, coprime(integers(vector)[0])))


def coprime(vector: Sequence[int]) -> tuple[int, ...]:
    """Divide integers by their greatest common divisor."""
    divisor = gcd(*vector) or 1
    return tuple(entry // divisor for entry in vector)


def integers(vector: Sequence[Fraction]) -> tuple[tuple[int, ...], int]:
    """Multiply a vector by the least common multiple of its denominators. Return the integers, and this factor."""
    factor = lcm(*(entry.denominator for entry in vector))
    return tuple(entry.numerator * (factor // entry.denominator) for entry in vector), factor


def integer_rows(rows: Sequence[Sequence[Fraction]]) -> tuple[tuple[tuple[int, ...], ...], int]:
    """Multiply rows of one length by the least common multiple of all denominators. Return integers and factor."""
    width = len(rows[0])
    flat, factor = integers([entry for row in rows for entry in row])
    return tuple(flat[i : i + width] for i in range(0, len(flat), width)), factor


def _flint(matrix: Rows) -> fmpq_mat:
    entries = [fmpq(entry.numerator, entry.denominator) for row in matrix for entry in row]
    return fmpq_mat(len(matrix), len(matrix[0]), entries)


def _fractions(matrix: fmpq_mat) -> Matrix:
    return tuple(tuple(map(fraction, row)) for row in matrix.tolist())


def fraction(number: fmpq) -> Fraction:
    """Convert a rational of FLINT. It is in lowest terms, so no time is spent on a common divisor."""
    result = object.__new__(Fraction)
    result._numerator, result._denominator = int(number.p), int(number.q)  # type: ignore[attr-defined]
    return result
