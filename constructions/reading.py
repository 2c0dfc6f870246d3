"""Exact numbers as text, names, and the error for bad input.

A number is `p`, `p/q` or a decimal; p, q and the decimal may have up to `DIGITS` digits. 0.1 is exactly 1/10.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from numbers import Integral, Number
from typing import Any, TypeAlias, TypeGuard

DIGITS = 10_000
SIZE = 64 * 2**20
"""`DIGITS` limits the digits of a number, and `SIZE` the bytes of a file."""

LONG = 400
"""FLINT reads numbers of at least this many digits, and writes numbers of at least this many bits. It is faster, and
int() has a limit."""

_NUMBER = re.compile(r"(-?[0-9]+)(?:/([0-9]+)|(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?)")

AN_EXACT_NUMBER = 'a number: an integer, a decimal or "p/q"'

NO_SURROGATES = "text without lone surrogates"

Json: TypeAlias = dict[str, object]

Names: TypeAlias = tuple[str, ...]
"""One name for each state, token or the like."""


class InputError(ValueError):
    """Bad input, as one line: the file, the place in it, what was found and what was expected."""

    def __init__(self, where: str, actual: str, expected: str, source: str = "") -> None:
        self.where, self.actual, self.expected, self.source = where, actual, expected, source
        place = ": ".join(part for part in (source, where) if part)
        super().__init__(printable(f"{place}: found {actual}, expected {expected}"))

    def __reduce__(self) -> tuple[type[InputError], tuple[str, str, str, str]]:
        return type(self), (self.where, self.actual, self.expected, self.source)  # to come back from another process

    def within(self, source: str) -> InputError:
        """Return the same complaint with the name of the file."""
        return InputError(self.where, self.actual, self.expected, source)


def printable(text: str) -> str:
    """Escape line breaks, control characters and lone surrogates, so that text stays on its line."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def excerpt(text: str) -> str:
    """Return at most 24 characters of a text, on one line. If the text is longer, add its length."""
    line = " ".join(text[:48].split())
    return line if len(text) <= 24 else f"{line[:24]}... ({len(text):,} characters)"


def as_found(value: object) -> str:
    """Name a value in a complaint: a text by its beginning in quotation marks, anything else by its type."""
    kind = f"{type(value).__module__}.{type(value).__name__}".removeprefix("builtins.")
    return f'"{value[:40]}"' if isinstance(value, str) else kind


# Names


def repeated(entries: Sequence[Hashable]) -> int | None:
    """Return the first place whose entry is also at an earlier place, or None if all entries differ."""
    first: dict[Hashable, int] = {}
    return next((i for i, entry in enumerate(entries) if first.setdefault(entry, i) < i), None)


def has_lone_surrogate(text: str) -> bool:
    """Tell whether text has a lone surrogate: JSON may write one, and Python makes one of a byte that is not UTF-8."""
    return not text.isascii() and re.search("[\ud800-\udfff]", text) is not None


# Numbers


def whole_number(where: str, value: Any) -> int:
    """Return a whole number >= 1 as an `int`. Raises `InputError`, with the place `where`, for any other value."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise InputError(where, str(value)[:40], "a whole number, at least 1")
    return int(value)


def rational(text: str) -> Fraction | None:
    """Read `p`, `p/q` or a decimal exactly. Returns None for any other text.

    Raises `OverflowError` if p or q has more than `DIGITS` digits, if a decimal's number of digits plus the absolute
    value of its exponent is larger than `DIGITS`, if the exponent has more than 6 characters, and for any text of more
    than 2 * `DIGITS` + 2 characters. Raises `ZeroDivisionError` for a zero denominator.
    """
    if len(text) > 2 * DIGITS + 2:
        raise OverflowError
    match = _NUMBER.fullmatch(text)
    if not match:
        return None
    above, below, decimals, exponent = match.groups("")
    if below:
        return Fraction(_integer(above), _integer(below))
    if len(exponent) > len(str(DIGITS)) + 1 or len(above.lstrip("-") + decimals) + abs(int(exponent or 0)) > DIGITS:
        raise OverflowError
    return _integer(above + decimals) * Fraction(10) ** (int(exponent or 0) - len(decimals))


def exact_number(text: str, complain: Callable[[str], InputError]) -> Fraction:
    """Read a number that a person wrote. `complain` makes the error from what was expected."""
    try:
        number = rational(text)
    except OverflowError:
        raise complain(f"at most {DIGITS:,} digits") from None
    except ZeroDivisionError:
        raise complain("a denominator that is not 0") from None
    if number is None:
        raise complain(AN_EXACT_NUMBER)
    return number


def _integer(text: str) -> int:
    if len(text.lstrip("-")) > DIGITS:
        raise OverflowError
    if len(text) < LONG:
        return int(text)
    from flint import fmpz  # of any length; it is a large part of what a command takes to start, and few need it

    return int(fmpz(text))


def as_text(number: Fraction | int) -> str:
    """Write a number as "p" or "p/q" in lowest terms, of any length."""
    number = Fraction(number)
    above = _digits(number.numerator)
    return above if number.denominator == 1 else f"{above}/{_digits(number.denominator)}"


def _digits(number: int) -> str:
    if number.bit_length() < LONG:
        return str(number)
    from flint import fmpz

    return str(fmpz(number))


def texts(entries: Iterable[Any]) -> list[object]:
    """Write vectors and matrices of rationals as nested lists of "p/q". Raises `InputError` for other numbers."""
    if not isinstance(entries, Iterable):
        raise InputError("an entry", as_found(entries), "an exact number")
    return [as_text(entry) if isinstance(entry, Fraction | int) else texts(entry) for entry in entries]


def rows_text(rows: Iterable[Iterable[Fraction]]) -> str:
    """Write a matrix, or a vector as one row, with semicolons between rows."""
    return "; ".join(" ".join(map(as_text, row)) for row in rows)


def is_rational(rows: Any) -> TypeGuard[tuple[tuple[Fraction, ...], ...]]:
    """Tell whether `rows` is a tuple of tuples of rationals. False if there is no row, or if a row is empty."""
    return (
        isinstance(rows, tuple)
        and bool(rows)
        and all(isinstance(row, tuple) and row and all(isinstance(x, Fraction | int) for x in row) for row in rows)
    )


def check_exact(where: str, entries: Any) -> None:
    """Raise `InputError` unless a vector is a tuple whose numbers are all exact: each a `Fraction` or an `int`.

    Texts and truth values are refused, too. Other entries that Python does not count as numbers, such as polynomials,
    are let through.
    """
    if not isinstance(entries, tuple):
        kind = f"{type(entries).__module__}.{type(entries).__name__}"
        raise InputError(where, kind.removeprefix("builtins."), "a tuple of fractions")
    for i, entry in enumerate(entries):
        if isinstance(entry, str | bool) or (isinstance(entry, Number) and not isinstance(entry, Fraction | int)):
            raise InputError(f"{where}, entry {i}", f"the {type(entry).__name__} {entry}", "a Fraction, or an int")
