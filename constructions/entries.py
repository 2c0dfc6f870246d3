"""Exact vectors and matrices: from text, lists, arrays and matrices of other libraries, and back to text.

    read_matrix("1/2 0; 1/2 1", "transition")     # numbers with spaces or commas between, rows with semicolons
    read_matrix([["1/2", 0], [Fraction(1, 2), 1]], "transition")
    read_matrix(sympy.Matrix([[1, 0], [1, 2]]) / 2, "transition")

Numbers are integers (Python's, NumPy's, SymPy's, FLINT's), fractions, `Decimal`s, or text as model files write it, where
"0.1" is 1/10. Floats are refused: the float 0.1 is no tenth, and only who wrote it knows which of the two was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Number, Rational, Real
from typing import Any, TypeAlias, TypeGuard

from flint import fmpq, fmpz

from constructions.linear import Matrix, Vector, fraction
from constructions.reading import InputError, Node, as_text

Entries: TypeAlias = Any
"""Text, or numbers in lists, tuples, arrays or matrices of NumPy, SymPy, FLINT or PyTorch."""


def read_vector(entries: Entries, where: str) -> Vector:
    """Read a vector: text, a sequence, or a matrix of one row or one column.

    Raises `InputError`, which names the vector by `where`, for what is no vector and for entries that are not exact.
    """
    if isinstance(entries, str):
        row: Sequence[Any] = split(entries, where)
    else:
        rows = nested(entries, where)
        if len(rows) > 1 and any(len(row) != 1 for row in rows):
            raise InputError(where, f"{len(rows)} rows", "a vector, one row or one column")
        row = rows[0] if len(rows) == 1 else [entry for (entry,) in rows]
    return tuple(read_number(entry, f"{where}[{i}]") for i, entry in enumerate(row))


def read_matrix(entries: Entries, where: str) -> Matrix:
    """Read a matrix; a vector is its one row. Raises `InputError` as for a vector, and for rows of different lengths."""
    if isinstance(entries, str):
        rows = [split(row, f"{where}[{i}]") for i, row in enumerate(entries.split(";"))]
    else:
        rows = nested(entries, where)
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InputError(f"{where}[{i}]", f"{len(row)}", f"{len(rows[0])} numbers")
    return tuple(
        tuple(read_number(entry, f"{where}[{i}][{j}]") for j, entry in enumerate(row)) for i, row in enumerate(rows)
    )


def read_functionals(entries: Entries, where: str) -> Matrix:
    """Read mu: one vector, or one row for each label. Of arrays a column is a vector, as SymPy writes them."""
    rows = read_matrix(entries, where)
    column = not isinstance(entries, str) and all(len(row) == 1 for row in rows)
    return (tuple(entry for (entry,) in rows),) if column else rows


def read_number(entry: Any, where: str) -> Fraction:
    """Read an exact number. Raises `InputError` for a float, a truth value, and what is no number."""
    if getattr(entry, "shape", None) == ():  # an array without axes
        entry = entry.item()
    if isinstance(entry, str):
        return Node(entry, where, "").number()
    if isinstance(entry, Rational) and not isinstance(entry, bool):
        return Fraction(int(entry.numerator), int(entry.denominator))
    if isinstance(entry, fmpz | fmpq):
        return fraction(fmpq(entry))
    if isinstance(entry, Decimal) and entry.is_finite():
        return Fraction(entry)
    if isinstance(entry, Real) and not isinstance(entry, bool) or getattr(entry, "is_Float", False):
        exact = f'"{entry}" for the decimal, Fraction({entry}) for what the float stores; hp.from_arrays lifts models'
        raise InputError(where, f"the float {entry}", exact)
    raise InputError(where, f"{entry}"[:24], 'a number: an integer, a fraction, or text such as "0.1" or "1/3"')


def split(text: str, where: str) -> list[str]:
    """Split text at commas or spaces. Raises `InputError` for nothing."""
    if not text.strip():
        raise InputError(where, "nothing", "numbers")
    return re.split(r"\s*,\s*|\s+", text.strip())


def nested(entries: Any, where: str) -> list[list[Any]]:
    """Open a matrix, or a vector as its one row, as a list of rows; entries stay what they are.

    Raises `InputError` for what has no entries, and for rows among numbers.
    """
    rows = _opened(entries)
    if rows is None:
        raise InputError(where, f"{entries}"[:24], "a vector or a matrix: text, lists or an array")
    opened = [_opened(row) for row in rows]
    if not rows or any(row == [] for row in opened):
        raise InputError(where, "nothing", "at least one entry")
    lists = [row for row in opened if row is not None]
    if lists and len(lists) < len(rows):
        raise InputError(where, "rows among numbers", "a vector or a matrix")
    return lists or [rows]


def _opened(entries: Any) -> list[Any] | None:
    """Open a sequence or an array; None for a number, and for text."""
    listed = entries.tolist() if hasattr(entries, "tolist") else entries
    return list(listed) if isinstance(listed, Iterable) and not isinstance(listed, str | bytes) else None


def written(rows: Iterable[Iterable[Fraction]]) -> str:
    """Write a matrix, or a vector as the one row of a matrix: `eval(repr(x)) == x` for models, tasks and heads."""
    return "; ".join(" ".join(map(as_text, row)) for row in rows)


def is_rational(rows: Any) -> TypeGuard[Matrix]:
    """Tell whether these are rows of rationals that can be written: neither empty nor an array of another field."""
    return (
        isinstance(rows, tuple)
        and bool(rows)
        and all(isinstance(row, tuple) and row and all(isinstance(x, Fraction | int) for x in row) for row in rows)
    )


def check_exact(where: str, entries: Any) -> None:
    """Raise `InputError` unless a vector is a tuple without floats and other numbers that are not exact.

    What is no number at all, but adds and multiplies, is of another field.
    """
    if not isinstance(entries, tuple):
        kind = f"{type(entries).__module__}.{type(entries).__name__}"
        raise InputError(where, kind.removeprefix("builtins."), "a tuple of fractions")
    for i, entry in enumerate(entries):
        if isinstance(entry, str | bool) or (isinstance(entry, Number) and not isinstance(entry, Fraction | int)):
            raise InputError(f"{where}, entry {i}", f"the {type(entry).__name__} {entry}", "a Fraction, or an int")
