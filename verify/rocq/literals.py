"""Numbers, lists and comments as Rocq reads them. Python's standard library only, as in the whole room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

Row = Sequence[str]
"""Numbers as a certificate has them, "p" or "p/q"."""


def rational(number: str) -> str:
    """Write a rational number, `7#10`."""
    return number.replace("/", "#")


def listed(items: Sequence[Any], write: Callable[[Any], str], separator: str = "; ") -> str:
    """Write a list, each item by `write`."""
    return f"[:: {separator.join(map(write, items))}]" if items else "[::]"


def rationals(row: Row) -> str:
    """Write a list of rational numbers."""
    return listed(row, rational)


def matrix(rows: Sequence[Any], write: Callable[[Any], str] = rationals) -> str:
    """Write a list of rows, one on each line."""
    return listed(rows, write, ";\n    ")


def naturals(row: Sequence[int]) -> str:
    """Write a list of natural numbers."""
    return listed(row, str)


def integers(row: Sequence[int]) -> str:
    """Write a list of integers."""
    return listed(row, str)


def over_unit(numbers: Row) -> tuple[int, list[int]]:
    """Return the common denominator of numbers, and the numbers times it."""
    fractions = [Fraction(number) for number in numbers]
    unit = lcm(*(number.denominator for number in fractions))
    return unit, [int(number * unit) for number in fractions]


def written(value: Any) -> str:
    """Write a natural number, or a list of them."""
    return naturals(value) if isinstance(value, list) else str(value)


def located(evidence: dict[str, Any]) -> dict[str, str]:
    """Write the position, the state and the input that evidence names, as terms i, h and x."""
    names = {"position": "i", "state": "h", "input": "x"}
    return {name: written(evidence[key]) for key, name in names.items() if key in evidence}


def weighted(rows: Sequence[Sequence[Any]], weights: Sequence[int] | None = None, separator: str = "; ") -> str:
    """Write rows that end in a weight, for which there are integers: if none are given, times one positive number."""
    whole = cleared([weight for *_, weight in rows])[0] if weights is None else weights
    return _ended(rows, [f"({weight})%coqZ" for weight in whole], separator)


def with_vectors(rows: Sequence[Sequence[Any]]) -> str:
    """Write rows that end in a vector, all vectors times one positive number."""
    return _ended(rows, [f"{integers(vector)}%coqZ" for vector in cleared(*(vector for *_, vector in rows))], "; ")


def _ended(rows: Sequence[Sequence[Any]], ends: Sequence[str], separator: str) -> str:
    """Write rows with these texts in the place of their last items."""
    items = [", ".join([*map(written, row[:-1]), end]) for row, end in zip(rows, ends, strict=True)]
    return listed(items, "({})".format, separator)


def cleared(*rows: Row) -> list[list[int]]:
    """Multiply rows by one positive number: the least that makes all entries integers without a common factor."""
    _, whole = over_unit([number for row in rows for number in row])
    factor, numbers = gcd(*whole) or 1, iter(whole)
    return [[next(numbers) // factor for _ in row] for row in rows]


def comment(text: str) -> str:
    """Write a comment; what would begin or end one inside is taken apart."""
    return f"(** {text.replace('(*', '( *').replace('*)', '* )').replace(chr(34), chr(39))} *)"
