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


def cleared(*rows: Row) -> list[list[int]]:
    """Multiply rows by one positive number: the least that makes all entries integers without a common factor."""
    numbers = [[Fraction(number) for number in row] for row in rows]
    denominator = lcm(*(number.denominator for row in numbers for number in row))
    whole = [[int(number * denominator) for number in row] for row in numbers]
    factor = gcd(*(number for row in whole for number in row)) or 1
    return [[number // factor for number in row] for row in whole]


def comment(text: str) -> str:
    """Write a comment; what would begin or end one inside is taken apart."""
    return f"(** {text.replace('(*', '( *').replace('*)', '* )').replace(chr(34), chr(39))} *)"
