"""Strict reading of JSON documents.

A `Node` is a value with its place in the document. So every error names the file, the place, the value there and what
was expected. A number is kept as text until it is read: 0.1 is exactly 1/10.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from constructions.reading import (
    AN_EXACT_NUMBER,
    DIGITS,
    NO_SURROGATES,
    SIZE,
    InputError,
    exact_number,
    excerpt,
    has_lone_surrogate,
    repeated,
)

DEPTH = 64
"""The number of brackets that may be open at a time."""

MARKS = 2**22
"""The number of commas, opening brackets and quotation marks that a document may have. It limits its memory."""

_BRACKETS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)  # possessive, so that none is read twice

_EXPONENT = re.compile(r"[0-9][eE][+-]?0*([0-9]{1,5})")


class Literal(str):
    """The text of a JSON number, or of NaN, Infinity or -Infinity."""

    __slots__ = ()


class Pairs(list[tuple[str, object]]):
    """The members of a JSON object in order, repeated keys included."""


@dataclass(frozen=True)
class Node:
    """A value of a document, its place `where`, such as "emission[2][1]", and the path `source` of the file.

    Methods that read the value raise `InputError` if it is not of the form that they read.
    """

    value: object
    where: str
    source: str

    def complain(self, expected: str, actual: str | None = None) -> InputError:
        """Return the error that this value is not what was expected."""
        return InputError(self.where or "the document", actual or _describe(self.value), expected, self.source)

    def members(self, required: set[str], optional: Iterable[str] = ()) -> dict[str, Node]:
        """Return the members of an object. It must have all required keys, and besides them only optional ones."""
        members_by_key: dict[str, Node] = {}
        allowed = required.union(optional)
        for key, child in self._children():
            if key in members_by_key:
                raise child.complain("each key once", "a repeated key")
            if key not in allowed:
                raise child.complain(f"one of {', '.join(sorted(allowed))}", "an unknown key")
            members_by_key[key] = child
        for key in sorted(required - members_by_key.keys()):
            raise self.complain(f'the key "{key}"', "none")
        return members_by_key

    def member(self, key: str) -> Node:
        """Return a member that an object must have. The object may have any other members."""
        for name, child in self._children():
            if name == key:
                return child
        raise self.complain(f'the key "{key}"', "none")

    def has(self, key: str) -> bool:
        """Tell whether an object has this key."""
        return key in dict(self._children())

    def _children(self) -> list[tuple[str, Node]]:
        """Return the members of an object, whatever their keys."""
        if not isinstance(self.value, Pairs):
            raise self.complain("an object")
        before = f"{self.where}." if self.where else ""
        return [(key, Node(value, f"{before}{excerpt(key)}", self.source)) for key, value in self.value]

    def items(self, length: int | None = None, of: str = "entries") -> list[Node]:
        """Return the entries of a list, which must have this `length` if one is given."""
        if not isinstance(self.value, list) or isinstance(self.value, Pairs):
            raise self.complain("a list")
        if length is not None and len(self.value) != length:
            raise self.complain(f"{length} {of}", f"{len(self.value)}")
        return [Node(value, f"{self.where}[{i}]", self.source) for i, value in enumerate(self.value)]

    def is_list(self) -> bool:
        """Tell whether this value is a list."""
        return isinstance(self.value, list) and not isinstance(self.value, Pairs)

    def string(self) -> str:
        """Read a string. Raises `InputError` if UTF-8 cannot write it."""
        if not isinstance(self.value, str) or isinstance(self.value, Literal):
            raise self.complain("a string")
        if has_lone_surrogate(self.value):
            raise self.complain(NO_SURROGATES)
        return self.value

    def names(self, length: int | None = None, of: str = "names") -> tuple[str, ...]:
        """Read a list of distinct strings, which must have this `length` if one is given."""
        entries = self.items(length, of)
        names = tuple(entry.string() for entry in entries)
        if (again := repeated(names)) is not None:
            raise entries[again].complain("each name once", f'a second "{excerpt(names[again])}"')
        return names

    def index(self, length: int) -> int:
        """Read a whole number from 0 to length - 1."""
        expected = f"a whole number from 0 to {length - 1}" if length > 1 else "0"
        number = self.number() if isinstance(self.value, Literal) else None
        if number is None or number.denominator != 1 or not 0 <= number < length:
            raise self.complain(expected)
        return int(number)

    def number(self) -> Fraction:
        """Read an exact rational from a JSON number, or from a string such as "1/3"."""
        if not isinstance(self.value, str):
            raise self.complain(AN_EXACT_NUMBER)
        return exact_number(self.value, self.complain)

    def vector(self, length: int) -> tuple[Fraction, ...]:
        """Read a list of `length` rationals."""
        return tuple(entry.number() for entry in self.items(length, "numbers"))

    def matrix(self, rows: int | None, columns: int) -> tuple[tuple[Fraction, ...], ...]:
        """Read a list of `rows` rows, or of any number of rows if this is None. Each row has `columns` rationals."""
        return tuple(row.vector(columns) for row in self.items(rows, "rows"))


def parse(text: str, source: str = "") -> Node:
    """Parse a JSON document. Its numbers stay texts.

    Raises `InputError` if the text is empty, is not JSON, or exceeds `DEPTH`, `MARKS` or the limit on digits.
    """
    if not text.strip():
        raise InputError("the document", "nothing", "a JSON object", source)
    if (marks := sum(map(text.count, ',"[{'))) > MARKS:  # a value takes some hundred bytes
        size = f"{marks:,} commas, brackets and quotation marks"
        raise InputError("the document", size, f"at most {MARKS:,}", source)
    refuse_many_digits(text, "the document", source)
    _refuse_deep_nesting(text, source)
    try:
        value = json.loads(
            text, parse_int=Literal, parse_float=Literal, parse_constant=Literal, object_pairs_hook=Pairs
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise InputError(where, excerpt(text[error.pos :]) or "the end", f"JSON ({error.msg})", source) from None
    return Node(value, "", source)


def read(path: str | Path) -> Node:
    """Parse a JSON file of at most `SIZE` bytes in UTF-8.

    Raises `InputError` as `parse` does, and if the file cannot be read, is larger, or is not UTF-8.
    """
    source = str(path)
    try:
        with Path(path).open("rb") as file:
            data = file.read(SIZE + 1)
    except (OSError, ValueError) as error:  # ValueError: the path has a null character or a lone surrogate
        reason = getattr(error, "strerror", None) or "an unreadable file"
        raise InputError("the file", reason.lower(), "a readable JSON file", source) from None
    if len(data) > SIZE:
        raise InputError("the file", f"more than {SIZE >> 20} MiB", "a smaller file", source)
    try:
        return parse(data.decode("utf-8"), source)
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start}", "bytes that are not UTF-8", "UTF-8 text", source) from None


def refuse_many_digits(text: str, where: str, source: str = "") -> None:
    """Raise `InputError` if the exponents of a text sum to more than `SIZE`, where each counts as at most `DIGITS`."""
    zeros = sum(min(int(digits), DIGITS) for digits in _EXPONENT.findall(text))
    if zeros > SIZE:
        raise InputError(where, f"exponents for {zeros:,} digits", f"at most {SIZE:,}", source)


def _refuse_deep_nesting(text: str, source: str) -> None:
    depth = 0
    for match in _BRACKETS.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match[0], 0)
        if depth > DEPTH:
            place = json.JSONDecodeError("", text, match.start())
            where = f"line {place.lineno} column {place.colno}"
            raise InputError(where, f"{depth} open brackets", f"at most {DEPTH}", source)


def _describe(value: object) -> str:
    if isinstance(value, Literal):
        return excerpt(value)
    if isinstance(value, list):
        return "an object" if isinstance(value, Pairs) else "a list"
    return {None: "null", True: "true", False: "false"}.get(value, f'"{excerpt(str(value))}"')  # type: ignore[call-overload, no-any-return]
