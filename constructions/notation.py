"""Vectors and matrices as one line of text: "1/2 0 1/2"; the rows of a matrix are parted by semicolons, "1 0; 1/2 1/2".

This is how models, tasks, heads and prompts print themselves, and what their `of` reads, so that `eval(repr(x)) == x`.
Numbers are exact: "p/q", integers, or decimals taken by their text.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, TypeGuard

from constructions.linear import Matrix, Vector
from constructions.reading import InputError, Node, as_text


def vector(text: str, where: str) -> Vector:
    """Read a vector. Raises `InputError`, which names the vector by `where`."""
    return tuple(entry.number() for entry in Node(_words(text, where), where, "").items())


def matrix(text: str, where: str) -> Matrix:
    """Read a matrix, whose rows are all as long as the first. Raises `InputError`, which names it by `where`."""
    rows = [_words(row, f"{where}[{i}]") for i, row in enumerate(text.split(";"))]
    return Node(rows, where, "").matrix(None, len(rows[0]))


def written(rows: Iterable[Iterable[Fraction]]) -> str:
    """Write a matrix, or a vector as the one row of a matrix."""
    return "; ".join(" ".join(map(as_text, row)) for row in rows)


def is_rational(rows: Any) -> TypeGuard[Matrix]:
    """Tell whether these are rows of rationals that can be written: neither empty nor an array of another field."""
    return (
        isinstance(rows, tuple)
        and bool(rows)
        and all(isinstance(row, tuple) and row and all(isinstance(x, Fraction | int) for x in row) for row in rows)
    )


def _words(text: str, where: str) -> list[str]:
    words = text.split()
    if not words:
        raise InputError(where, "nothing", "numbers")
    return words
