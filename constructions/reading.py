"""Strict reading of JSON documents and numbers written by people, and how numbers are written.

A `Node` is a value together with its place in the document, so that every complaint names the file, the place, what
was found there and what was expected. Numbers keep their text until they are asked for: 0.1 is exactly 1/10.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from difflib import get_close_matches
from fractions import Fraction
from importlib.util import find_spec
from numbers import Number, Rational, Real
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

DIGITS = 10_000
DEPTH = 64
SIZE = 64 * 2**20

MARKS = 2**22
"""The commas, brackets and quotation marks of a document: these bound its values, and so the memory they take."""

LONGEST = 18
"""The characters of a number that people are shown in full."""

MAX_LISTED = 8
"""The choices that an error message lists where a name means none of them."""

LONG = 400
"""Numbers of so many digits to read, or bits to write, are left to FLINT: it is faster then, and int() has a limit."""

_NUMBER = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")
_BRACKETS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)  # possessive, so that none is read twice
_EXPONENT = re.compile(r"[0-9][eE][+-]?([0-9]{1,5})")


class InputError(ValueError):
    """Bad input, as one line: the file, the place in it, what was found and what was expected."""

    def __init__(self, where: str, actual: str, expected: str, source: str = "") -> None:
        self.where, self.actual, self.expected, self.source = where, actual, expected, source
        place = ": ".join(part for part in (source, where) if part)
        super().__init__(printable(f"{place}: found {actual}, expected {expected}"))

    def __reduce__(self) -> tuple[type[InputError], tuple[str, str, str, str]]:
        return type(self), (self.where, self.actual, self.expected, self.source)  # to come back from another process

    def within(self, source: str) -> InputError:
        """Give the same complaint, naming the file it is about."""
        return InputError(self.where, self.actual, self.expected, source)


class Literal(str):
    """The text of a JSON number, or of NaN and its like."""

    __slots__ = ()


class Pairs(list[tuple[str, object]]):
    """The members of a JSON object in order, repeated keys included."""


def rational(text: str) -> Fraction | None:
    """Read `p`, `p/q` or a decimal exactly; None if the text is no such number.

    Raises `OverflowError` for more than `DIGITS` digits (after expanding an exponent) and `ZeroDivisionError` for a
    zero denominator.
    """
    if len(text) > 2 * DIGITS + 2:
        raise OverflowError
    if "/" in text:
        above, below = (_NUMBER.fullmatch(part) for part in text.split("/", 1))
        if not above or not below or below[1] or any(match[3] or match[4] for match in (above, below)):
            return None
        return Fraction(_integer(above[1] + above[2]), _integer(below[2]))
    match = _NUMBER.fullmatch(text)
    if not match:
        return None
    sign, integer_part, decimals, exponent = match[1], match[2], match[3] or "", match[4] or "0"
    if len(exponent) > len(str(DIGITS)) + 1 or len(integer_part + decimals) + abs(int(exponent)) > DIGITS:
        raise OverflowError
    return _integer(sign + integer_part + decimals) * Fraction(10) ** (int(exponent) - len(decimals))


def repeated(entries: Sequence[Hashable]) -> int | None:
    """Return the first place of an entry that stands before it too; None where each is another one."""
    earlier: set[Hashable] = set()
    for i, entry in enumerate(entries):
        if entry in earlier:
            return i
        earlier.add(entry)
    return None


NO_SURROGATES = "text without lone surrogates"


def has_lone_surrogate(text: str) -> bool:
    """Tell whether text has half a character of UTF-16, as JSON may write it, or a byte that is not UTF-8."""
    return not text.isascii() and re.search("[\ud800-\udfff]", text) is not None


def check_names(key: str, names: Sequence[str]) -> None:
    """Raise `InputError` for names that a model file cannot have: a name twice, or a lone surrogate."""
    for i, name in enumerate(names):
        if has_lone_surrogate(name):
            raise InputError(f"{key}[{i}]", f'"{_excerpt(name)}"', NO_SURROGATES)
    if (again := repeated(names)) is not None:
        raise InputError(f"{key}[{again}]", f'a second "{_excerpt(names[again])}"', "each name once")


def printable(text: str) -> str:
    """Escape line breaks, control characters and lone surrogates, so that text stays on its line."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


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


def shortened(number: Fraction | int) -> str | None:
    """Return six significant digits of a number that is too long to read, None of one that is not."""
    if len(as_text(number)) <= LONGEST:
        return None
    return f"{Context(prec=6).divide(Decimal(number.numerator), Decimal(number.denominator)):.6g}"


def texts(entries: Iterable[Any]) -> list[object]:
    """Write vectors and matrices of rationals as nested lists of "p/q"."""
    return [as_text(entry) if isinstance(entry, Fraction | int) else texts(entry) for entry in entries]


@dataclass(frozen=True)
class Node:
    """One value of a document, its place (`emission[2][1]`) and the file it stands in."""

    value: object
    where: str
    source: str

    def complain(self, expected: str, actual: str | None = None) -> InputError:
        """Say that this value is not what was expected."""
        return InputError(self.where or "the document", actual or _describe(self.value), expected, self.source)

    def members(self, required: set[str], optional: set[str] | None = None) -> dict[str, Node]:
        """Open an object that has all the required keys, and besides them only optional ones."""
        members_by_key: dict[str, Node] = {}
        allowed = required | (optional or set())
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
        """Open one member of an object that must have it, whatever else it has."""
        child = next((child for name, child in self._children() if name == key), None)
        if child is None:
            raise self.complain(f'the key "{key}"', "none")
        return child

    def has(self, key: str) -> bool:
        """Tell whether an object has this key."""
        return any(name == key for name, _ in self._children())

    def _children(self) -> list[tuple[str, Node]]:
        """Open an object, whatever its keys."""
        if not isinstance(self.value, Pairs):
            raise self.complain("an object")
        before = f"{self.where}." if self.where else ""
        return [(key, Node(value, f"{before}{_excerpt(key)}", self.source)) for key, value in self.value]

    def items(self, length: int | None = None, of: str = "entries") -> list[Node]:
        """Open a list, of the given length if one is given."""
        if not isinstance(self.value, list) or isinstance(self.value, Pairs):
            raise self.complain("a list")
        if length is not None and len(self.value) != length:
            raise self.complain(f"{length} {of}", f"{len(self.value)}")
        return [Node(value, f"{self.where}[{i}]", self.source) for i, value in enumerate(self.value)]

    def is_list(self) -> bool:
        """Tell whether this value is a list."""
        return isinstance(self.value, list) and not isinstance(self.value, Pairs)

    def string(self) -> str:
        """Read a string. Raises `InputError` for one that UTF-8 cannot write."""
        if not isinstance(self.value, str) or isinstance(self.value, Literal):
            raise self.complain("a string")
        if has_lone_surrogate(self.value):
            raise self.complain(NO_SURROGATES)
        return self.value

    def names(self, length: int, of: str) -> tuple[str, ...]:
        """Read a list of so many strings, each another one."""
        entries = self.items(length, of)
        names = tuple(entry.string() for entry in entries)
        if (again := repeated(names)) is not None:
            raise entries[again].complain("each name once", f'a second "{_excerpt(names[again])}"')
        return names

    def index(self, length: int) -> int:
        """Read a whole number from 0 to length - 1."""
        expected = f"a whole number from 0 to {length - 1}" if length > 1 else "0"
        if not isinstance(self.value, Literal):
            raise self.complain(expected)
        number = self.number()
        if number.denominator != 1 or not 0 <= number < length:
            raise self.complain(expected)
        return int(number)

    def number(self) -> Fraction:
        """Read an exact rational."""
        expected = 'a number: an integer, a decimal or "p/q"'
        if not isinstance(self.value, str):
            raise self.complain(expected)
        try:
            number = rational(self.value)
        except OverflowError:
            raise self.complain(f"at most {DIGITS:,} digits") from None
        except ZeroDivisionError:
            raise self.complain("a denominator that is not 0") from None
        if number is None:
            raise self.complain(expected)
        return number

    def vector(self, length: int, of: str = "numbers") -> tuple[Fraction, ...]:
        """Read a list of so many rationals."""
        return tuple(entry.number() for entry in self.items(length, of))

    def matrix(self, rows: int | None, columns: int) -> tuple[tuple[Fraction, ...], ...]:
        """Read a list of rows, each of so many rationals."""
        return tuple(row.vector(columns) for row in self.items(rows, "rows"))


def parse(text: str, source: str = "") -> Node:
    """Parse a JSON document without giving meaning to its numbers."""
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
        raise InputError(where, _excerpt(text[error.pos :]) or "the end", f"JSON ({error.msg})", source) from None
    return Node(value, "", source)


def read(path: str | Path) -> Node:
    """Parse a JSON file."""
    source = str(path)
    try:
        with Path(path).open("rb") as file:
            data = file.read(SIZE + 1)
    except OSError as error:
        reason = error.strerror or "an unreadable file"
        raise InputError("the file", reason.lower(), "a readable JSON file", source) from None
    if len(data) > SIZE:
        raise InputError("the file", f"more than {SIZE >> 20} MiB", "a smaller file", source)
    try:
        return parse(data.decode("utf-8"), source)
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start}", "bytes that are not UTF-8", "UTF-8 text", source) from None


def refuse_many_digits(text: str, where: str, source: str = "") -> None:
    """Raise `InputError` for numbers whose exponents stand for more digits than a document has room for."""
    zeros = sum(min(int(match[1]), DIGITS) for match in _EXPONENT.finditer(text))
    if zeros > SIZE:
        raise InputError(where, f"exponents for {zeros:,} digits", f"at most {SIZE:,}", source)


def _refuse_deep_nesting(text: str, source: str) -> None:
    depth = 0
    for match in _BRACKETS.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match[0], 0)
        if depth > DEPTH:
            line, column = text.count("\n", 0, match.start()) + 1, match.start() - text.rfind("\n", 0, match.start())
            raise InputError(f"line {line} column {column}", f"{depth} open brackets", f"at most {DEPTH}", source)


def _describe(value: object) -> str:
    if isinstance(value, Literal):
        return _excerpt(value)
    if isinstance(value, Pairs):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return {None: "null", True: "true", False: "false"}.get(value, f'"{_excerpt(str(value))}"')  # type: ignore[call-overload, no-any-return]


def _excerpt(text: str) -> str:
    line = " ".join(text[:48].split())
    return line if len(text) <= 24 else f"{line[:24]}... ({len(text):,} characters)"


# Vectors and matrices: from text, lists, arrays and matrices of other libraries, and back to text
#
#     read_matrix("1/2 0; 1/2 1", "transition")     # numbers with spaces or commas between, rows with semicolons
#     read_matrix([["1/2", 0], [Fraction(1, 2), 1]], "transition")
#     read_matrix(sympy.Matrix([[1, 0], [1, 2]]) / 2, "transition")
#
# Numbers are integers (Python's, NumPy's, SymPy's, FLINT's), fractions, `Decimal`s, or text as model files write it:
# there "0.1" is 1/10. Floats are refused: the float 0.1 is no tenth, and only its author knows which of both is meant.


Entries: TypeAlias = Any
"""Text, or numbers in lists, tuples, arrays or matrices of NumPy, SymPy, FLINT or PyTorch."""

NUMBER = 'a number: an integer, a fraction, or text such as "0.1" or "1/3"'

Rows: TypeAlias = tuple[tuple[Fraction, ...], ...]


def read_number(entry: Any, where: str) -> Fraction:
    """Read an exact number. Raises `InputError` for a float, a truth value, and what is no number."""
    if getattr(entry, "shape", None) == ():  # an array without axes
        entry = entry.item()
    if isinstance(entry, str):
        return Node(entry, where, "").number()
    if isinstance(entry, bool):
        raise InputError(where, f"{entry}", NUMBER)
    if isinstance(entry, Rational):
        return Fraction(int(entry.numerator), int(entry.denominator))
    if type(entry).__module__ == "flint.types.fmpz":
        return Fraction(int(entry))
    if type(entry).__module__ == "flint.types.fmpq":
        return Fraction(int(entry.p), int(entry.q))
    if isinstance(entry, Decimal) and entry.is_finite():
        return Fraction(entry)
    if getattr(entry, "is_Float", False) or isinstance(entry, Real):
        exact = f'"{entry}" for the decimal, Fraction({entry}) for what the float stores; hp.from_arrays lifts models'
        raise InputError(where, f"the float {entry}", exact)
    raise InputError(where, f"{entry}"[:24], NUMBER)


ReadEntry: TypeAlias = Callable[[Any, str], Any]
"""Reads an entry, which stands at a place."""


def read_vector(entries: Entries, where: str, read: ReadEntry = read_number) -> tuple[Any, ...]:
    """Read a vector: text, a sequence, or a matrix of one row or one column.

    `read` reads an entry, given with its place. Raises `InputError`, which names the vector by `where`, for what is no
    vector and for entries that are not exact.
    """
    if isinstance(entries, str):
        row: Sequence[Any] = split(entries, where)
    else:
        rows = nested(entries, where)
        if len(rows) > 1 and any(len(row) != 1 for row in rows):
            raise InputError(where, f"{len(rows)} rows", "a vector, one row or one column")
        row = rows[0] if len(rows) == 1 else [entry for (entry,) in rows]
    return tuple(read(entry, f"{where}[{i}]") for i, entry in enumerate(row))


def read_matrix(entries: Entries, where: str, read: ReadEntry = read_number) -> tuple[tuple[Any, ...], ...]:
    """Read a matrix; a vector is its one row.

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
    """Read mu: one vector, or one row for each label. Of arrays a column is a vector, as SymPy writes them."""
    rows = read_matrix(entries, where, read)
    column = not isinstance(entries, str) and all(len(row) == 1 for row in rows)
    return (tuple(entry for (entry,) in rows),) if column else rows


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


def is_rational(rows: Any) -> TypeGuard[Rows]:
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


# Names that people type


def choose(name: Any, choices: Collection[str], kind: str, where: str) -> str:
    """Return the choice that a name means, in any case and with a word before its number: `thm 3.3`, `c.9`.

    Raises `InputError`, which offers the nearest choices, for a name that means none.
    """
    text = name.strip(" ").casefold() if isinstance(name, str) else ""
    key = re.sub(r"^(theorem|thm|lemma|claim|assumption|statement)\b[. ]*", "", text).replace(" ", "-")
    by_key = {choice.casefold(): choice for choice in choices}
    if key in by_key:
        return by_key[key]
    near = [by_key[match] for match in get_close_matches(key, by_key, cutoff=0.7)]
    if near and len(choices) > MAX_LISTED:
        raise InputError(where, as_found(name), f"{kind}: did you mean {' or '.join(near)}?")
    more = ", ..." if len(choices) > MAX_LISTED else ""
    raise InputError(where, as_found(name), f"{kind}: {', '.join([*choices][:MAX_LISTED])}{more}")


def as_found(value: object) -> str:
    """Say what was found, a text in quotation marks, anything else by its type."""
    kind = f"{type(value).__module__}.{type(value).__name__}".removeprefix("builtins.")
    return f'"{value[:40]}"' if isinstance(value, str) else kind


# What the machine has


def needs(extra: str, *packages: str) -> None:
    """Raise `InputError` where one of some packages, which an extra brings, is not installed."""
    for package in packages:
        if find_spec(package) is None:
            raise InputError(package, "none", f"it installed: pip install 'headproof[{extra}]'")
