"""Vectors and matrices are read from text, from lists, and from arrays and matrices of other libraries.

    read_matrix("1/2 0; 1/2 1", "transition")     # numbers with spaces or commas between, rows with semicolons
    read_matrix([["1/2", 0], [Fraction(1, 2), 1]], "transition")
    read_matrix(sympy.Matrix([[1, 0], [1, 2]]) / 2, "transition")

Numbers are integers (of Python, NumPy, SymPy or FLINT), fractions, `Decimal`s, or texts as in model files, where "0.1"
is 1/10. Floats are refused: the float 0.1 is not exactly 1/10, and only its author knows which number is meant.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Any, TypeAlias

from constructions.reading import InputError, exact_number, excerpt

Entries: TypeAlias = Any
"""Text, or numbers in lists, tuples, arrays or matrices of NumPy, SymPy, FLINT or PyTorch."""

NUMBER = 'a number: an integer, a fraction, or text such as "0.1" or "1/3"'


def read_number(entry: Any, where: str) -> Fraction:
    """Read an exact number. Raises `InputError` for a float, a truth value, and anything that is not a number."""
    if getattr(entry, "shape", None) == ():  # an array without axes
        entry = entry.item()
    if isinstance(entry, str):
        text = entry
        return exact_number(text, lambda expected: InputError(where, f'"{excerpt(text)}"', expected))
    if isinstance(entry, bool):
        raise InputError(where, f"{entry}", NUMBER)
    if isinstance(entry, Rational) or type(entry).__module__ in ("flint.types.fmpz", "flint.types.fmpq"):
        return Fraction(int(entry.numerator), int(entry.denominator))
    if isinstance(entry, Decimal) and entry.is_finite():
        return Fraction(entry)
    if isinstance(entry, Real):
        exact = f'"{entry}" for the decimal, Fraction({entry}) for what the float stores; hp.from_arrays lifts models'
        raise InputError(where, f"the float {entry}", exact)
    raise InputError(where, f"{entry}"[:24], NUMBER)


ReadEntry: TypeAlias = Callable[[Any, str], Any]
"""A function that reads an entry, given with its place."""


def read_vector(entries: Entries, where: str, read: ReadEntry = read_number) -> tuple[Any, ...]:
    """Read a vector: text, a sequence, or a matrix of one row or one column.

    `read(entry, place)` reads each entry. Raises `InputError`, which names the vector by `where`, for anything that is
    not a vector, and for entries that `read` refuses: by default, those that are not exact.
    """
    rows = [split(entries, where)] if isinstance(entries, str) else nested(entries, where)
    if len(rows) > 1 and any(len(row) != 1 for row in rows):
        raise InputError(where, f"{len(rows)} rows", "a vector, one row or one column")
    row = rows[0] if len(rows) == 1 else [entry for (entry,) in rows]
    return tuple(read(entry, f"{where}[{i}]") for i, entry in enumerate(row))


def read_matrix(entries: Entries, where: str, read: ReadEntry = read_number) -> tuple[tuple[Any, ...], ...]:
    """Read a matrix. A vector is read as a matrix of one row.

    Raises `InputError` as for a vector, and for rows of different lengths.
    """
    if isinstance(entries, str):
        rows = [split(row, f"{where}[{i}]") for i, row in enumerate(entries.split(";"))]
    else:
        rows = nested(entries, where)
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InputError(f"{where}[{i}]", f"{len(row)}", f"{len(rows[0])} numbers")
    return tuple(tuple(read(entry, f"{where}[{i}][{j}]") for j, entry in enumerate(row)) for i, row in enumerate(rows))


def read_functionals(entries: Entries, where: str, read: ReadEntry = read_number) -> tuple[tuple[Any, ...], ...]:
    """Read mu: one vector, or one row for each label.

    A list or matrix of one column is a vector, as in SymPy. In a text, each semicolon starts the row of another label.
    """
    rows = read_matrix(entries, where, read)
    column = not isinstance(entries, str) and all(len(row) == 1 for row in rows)
    return (tuple(entry for (entry,) in rows),) if column else rows


def split(text: str, where: str) -> list[Any]:
    """Split text at commas or spaces. Raises `InputError` for empty text."""
    if not text.strip():
        raise InputError(where, "nothing", "numbers")
    return re.split(r"\s*,\s*|\s+", text.strip())


def nested(entries: Any, where: str) -> list[list[Any]]:
    """Return the rows of a matrix as lists. A vector is returned as one row. Entries are not yet read as numbers.

    Raises `InputError` for a number, a text or a set, for a list without entries or with an empty row, and for a
    mixture of rows and numbers.
    """
    rows = _opened(entries)
    if rows is None:
        raise InputError(where, f"{entries}"[:24], "a vector or a matrix: text, lists or an array")
    opened = [_opened(row) for row in rows]
    if not rows or [] in opened:
        raise InputError(where, "nothing", "at least one entry")
    lists = [row for row in opened if row is not None]
    if lists and len(lists) < len(rows):
        raise InputError(where, "rows among numbers", "a vector or a matrix")
    return lists or [rows]


def _opened(entries: Any) -> list[Any] | None:
    """Return the entries of a sequence, an iterator or an array; None for a number, a text, a set or anything else."""
    listed = entries.tolist() if hasattr(entries, "tolist") else entries
    return list(listed) if isinstance(listed, Sequence | Iterator) and not isinstance(listed, str | bytes) else None
