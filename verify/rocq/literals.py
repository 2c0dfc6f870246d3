"""Numbers, lists and comments as Rocq reads them. Python's standard library only, as in all of `verify/rocq/`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

Row = Sequence[str]
"""A row of numbers of a certificate, each "p" or "p/q"."""


def rational(number: str) -> str:
    """Write a rational number: "7/10" becomes `7#10`, and "7" stays `7`."""
    return number.replace("/", "#")


def listed(items: Sequence[Any], write: Callable[[Any], str] = str, separator: str = "; ") -> str:
    """Write a list, each item by `write`. Without `write` the items are integers or texts."""
    return f"[:: {separator.join(map(write, items))}]" if items else "[::]"


def rationals(row: Row) -> str:
    """Write a list of rational numbers."""
    return listed(row, rational)


def matrix(rows: Sequence[Any], write: Callable[[Any], str] = rationals) -> str:
    """Write a list of rows, one on each line."""
    return listed(rows, write, ";\n    ")


def integers(rows: Sequence[Row]) -> str:
    """Write rows as integers. Each row is multiplied by a positive number of its own."""
    return f"{matrix([cleared(row)[0] for row in rows], listed)}%coqZ"


def placed(rows: Sequence[Row], places: Sequence[int], height: int, width: int) -> str:
    """Write a matrix of integers, `height` by `width`. Row places[i] is rows[i] times a number > 0; the rest is 0."""
    at = dict(zip(places, rows, strict=True))
    return integers([at.get(place, ["0"] * width) for place in range(height)])


def over_unit(numbers: Row) -> tuple[int, list[int]]:
    """Return the common denominator of numbers, and the numbers times it."""
    fractions = [Fraction(number) for number in numbers]
    unit = lcm(*(number.denominator for number in fractions))
    return unit, [int(number * unit) for number in fractions]


def _field(value: Any) -> str:
    """Write an integer, or a list of them."""
    return listed(value) if isinstance(value, list) else str(value)


def terms_of(evidence: dict[str, Any]) -> dict[str, str]:
    """Write the position, state, input, inputs and weighted terms of evidence, if it has them.

    Return the texts by their names in Rocq: i, h, x, inputs, ts.
    """
    names = {"position": "i", "state": "h", "input": "x"}
    terms = {name: _field(evidence[key]) for key, name in names.items() if key in evidence}
    if "inputs" in evidence:
        terms["inputs"] = matrix(evidence["inputs"], listed)
    if "terms" in evidence:
        terms["ts"] = weighted(evidence["terms"])
    return terms


def weighted(rows: Sequence[Sequence[Any]], weights: Sequence[Sequence[int]] = (), separator: str = "; ") -> str:
    """Write rows that end in a weight, or in a vector of weights. All weights are multiplied by one positive number.

    `weights`, if given, has for each row the list of integers to write in the place of its weights.
    """
    ends = weights or cleared(*(end if isinstance(end, list) else [end] for *_, end in rows))
    texts = (listed(end) if isinstance(row[-1], list) else f"({end[0]})" for row, end in zip(rows, ends, strict=True))
    items = [", ".join([*map(_field, row[:-1]), f"{text}%coqZ"]) for row, text in zip(rows, texts, strict=True)]
    return listed(items, "({})".format, separator)


def cleared(*rows: Row) -> list[list[int]]:
    """Multiply rows by the positive number that makes all entries integers without a common factor."""
    _, whole = over_unit([number for row in rows for number in row])
    factor, numbers = gcd(*whole) or 1, iter(whole)
    return [[next(numbers) // factor for _ in row] for row in rows]


def comment(text: str) -> str:
    """Write a comment. Signs in the text that begin or end a comment, or a string, are replaced."""
    return f"(** {text.replace('(*', '( *').replace('*)', '* )').replace(chr(34), chr(39))} *)"


def task_rows(mu: Sequence[Any]) -> list[list[str]]:
    """Return the rows of a task or a head. If it is a vector, they are a row of zeros and this vector."""
    return [list(row) for row in mu] if isinstance(mu[0], list) else [["0"] * len(mu), list(mu)]


def spans(evidence: dict[str, Any]) -> str:
    """Write spans: for each state the index of its span, then the spans.

    A span has a unit > 0, its pivots, and its basis vectors times the unit, which are integers.
    """

    def span(basis_and_pivots: dict[str, Any]) -> str:
        pivots, basis = basis_and_pivots["pivots"], cleared(*basis_and_pivots["basis"])
        unit = basis[0][pivots[0]] if basis else 1
        return f"SpanZ {unit} {listed(pivots)} {matrix(basis, listed)}%coqZ"

    return f"(SpansZ {listed(evidence['of'])} {listed(evidence['spans'], span)})"
