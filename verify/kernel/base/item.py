"""Items, the values of a certificate with their places: docs/certificate-format.md, section 1.

Rules read values only through the methods of `Item`, which check type and form: nothing is taken on trust.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TypeVar

MAX_DIGITS = 100_000
MAX_BRIEF = 60  # characters of a value that a message shows
NUMBER = re.compile(r"(?!-0)(-?)(0|[1-9][0-9]*)(?:/([2-9]|[1-9][0-9]+))?")

State = TypeVar("State")
Fields = dict[str, "Item"]  # the members of an object
Pay = Callable[[int], None]  # charges for a number of so many digits, before it is read


class Rejected(ValueError):  # noqa: N818 - an answer, not a failure of the kernel
    """The certificate does not show its claim: the place `where` has `actual`, and should have `expected`."""

    def __init__(self, where: str, actual: str, expected: str) -> None:
        self.where, self.actual, self.expected = where or "top level", actual, expected
        super().__init__(where, actual, expected)

    def __str__(self) -> str:
        return f"{self.where}: found {short(self.actual)}, expected {short(self.expected)}"


def short(text: str) -> str:
    """A text; the middle is left out if it has more than 60 characters."""
    return text if len(text) <= MAX_BRIEF else f"{text[: MAX_BRIEF - 16]}...{text[-12:]}"


def brief(value: object) -> str:
    """A value of any type, briefly, at little cost: a list or an object shows its length, a long text is cut short."""
    if isinstance(value, dict | list):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    if isinstance(value, str):
        return json.dumps(short(value))
    return json.dumps(value) if isinstance(value, int | None) else "a number"


def place_of_member(where: str, key: str) -> str:
    """The place of an object's member: a.b, or a["b"] where b is not a plain name."""
    if key.isascii() and key.isidentifier():
        return f"{where}.{short(key)}" if where else short(key)
    return f"{where}[{brief(key)}]"


def charge_nothing(digits: int) -> None:
    """Charge nothing for reading a number of so many digits."""


def integer_of(digits: str) -> int:
    """The integer with these decimal digits. Many digits are converted by halves: Python may refuse over 640."""
    if len(digits) <= 600:
        return int(digits)
    half = len(digits) // 2
    shift: int = 10**half
    return integer_of(digits[:-half]) * shift + integer_of(digits[-half:])


def rational(text: str, pay: Pay = charge_nothing) -> Fraction | None:
    """The number that a string writes, "p" or "p/q".

    None if the string has another form, or is not in lowest terms, or p or q has more than MAX_DIGITS digits.
    """
    match = NUMBER.fullmatch(text)
    if match is None:
        return None
    sign, above, under = match.groups("1")
    if max(len(above), len(under)) > MAX_DIGITS:
        return None
    pay(len(above) + len(under))
    denominator = integer_of(under)
    number = Fraction(integer_of(above), denominator)
    if number.denominator != denominator:
        return None
    return -number if sign else number


class Item:
    """A JSON value, its place in the certificate, and the function that charges for each number that is read from it.

    A method that reads the value raises Rejected if the value does not have the form that the method's name says.
    """

    __slots__ = ("pay", "value", "where")

    def __init__(self, value: object, where: str, pay: Pay = charge_nothing) -> None:
        self.value, self.where, self.pay = value, where, pay

    def expected(self, what: str) -> Rejected:
        """A rejection, for the caller to raise, which says what was expected here."""
        return Rejected(self.where, brief(self.value), what)

    def must(self, holds: bool, expected: str, actual: str | None = None) -> None:
        """Reject unless `holds`. The message quotes this item's value as the fault, or `actual` in its place."""
        if not holds:
            raise self.expected(expected) if actual is None else Rejected(self.where, actual, expected)

    def inside(self) -> Iterator["Item"]:
        """The values of an object, or the entries of a list, as items; nothing for other values."""
        if isinstance(self.value, dict):
            yield from (Item(value, place_of_member(self.where, key), self.pay) for key, value in self.value.items())
        elif isinstance(self.value, list):
            yield from (Item(value, f"{self.where}[{i}]", self.pay) for i, value in enumerate(self.value))

    def fields(self, *required: str, optional: tuple[str, ...] = ()) -> Fields:
        """The members of an object. It must have all required keys, may have optional keys, and no others."""
        if not isinstance(self.value, dict):
            raise self.expected("an object")
        for key in required:
            if key not in self.value:
                raise Rejected(self.where, f"no key {brief(key)}", f"the keys {', '.join(required)}")
        allowed = {*required, *optional}
        for key in self.value:
            if key not in allowed:
                raise Rejected(self.where, f"the key {brief(key)}", f"only {', '.join(required + optional)}")
        return dict(zip(self.value, self.inside(), strict=True))

    def parts(self, *keys: str) -> list["Item"]:
        """The values of an object that has exactly these keys, in the order of `keys`."""
        fields = self.fields(*keys)
        return [fields[key] for key in keys]

    def tagged(self, shapes: Mapping[str, tuple[str, ...]]) -> tuple[str, list["Item"]]:
        """The kind of an object, and the values of its other keys: exactly those that `shapes` lists for the kind."""
        if not isinstance(self.value, dict) or "kind" not in self.value:
            raise self.expected('an object with the key "kind"')
        kind = Item(self.value["kind"], place_of_member(self.where, "kind")).one_of(*shapes)
        return kind, self.parts("kind", *shapes[kind])[1:]

    def only(self, kind: str, *keys: str) -> list["Item"]:
        """The values of these keys of an object of this kind. Its keys must be these and "kind", and no others."""
        return self.tagged({kind: keys})[1]

    def node(self, shapes: Mapping[str, int]) -> tuple[str, list["Item"]]:
        """The kind of a node, and its other entries.

        A node is a list that begins with its kind. `shapes` has, for each kind, the number of the other entries.
        """
        self.must(self.length() > 0, f"a node: {', '.join(shapes)}")
        kind = next(self.inside()).one_of(*shapes)
        return kind, self.items(1 + shapes[kind])[1:]

    def walk(self, root: State, step: Callable[["Item", State], Iterable[tuple["Item", State]]]) -> None:
        """Walk a tree, written as a list of nodes. The first is the root; any other is the child of one before it.

        A node stands for some object, such as a word or a region; the root stands for `root`. `step(node, object)`
        checks a node. It yields, for each child, the item with the child's index and the object for which the child
        stands. Every child that `step` yields is checked later. Reject a node after the root unless it has exactly one
        parent.
        """
        nodes = self.items()
        self.must(bool(nodes), "at least one node")
        waiting = {0: root}
        for i, node in enumerate(nodes):
            node.must(i in waiting, "the child of exactly one node before it", "a child of no node")
            for child, state in step(node, waiting.pop(i)):
                index = child.integer(i + 1, len(nodes) - 1)
                child.must(index not in waiting, "a node that is no other node's child")
                waiting[index] = state

    def length(self) -> int:
        """The length of a list."""
        if not isinstance(self.value, list):
            raise self.expected("a list")
        return len(self.value)

    def items(self, length: int | None = None) -> list["Item"]:
        """The entries of a list; if a length is given, the list must have it."""
        if length not in (None, self.length()):
            raise self.expected(f"a list of {length}")
        return list(self.inside())

    def text(self) -> str:
        """A string."""
        if not isinstance(self.value, str):
            raise self.expected("a string")
        return self.value

    def one_of(self, *choices: str) -> str:
        """One of these strings."""
        if not isinstance(self.value, str) or self.value not in choices:
            raise self.expected(" or ".join(choices))
        return self.value

    def integer(self, low: int, high: int) -> int:
        """An integer from `low` to `high`. Booleans are rejected, though Python counts them as integers."""
        if not isinstance(self.value, int) or isinstance(self.value, bool) or not low <= self.value <= high:
            raise self.expected(f"an integer from {low} to {high}")
        return self.value

    def index(self, limit: int) -> int:
        """An integer from 0 to limit - 1."""
        return self.integer(0, limit - 1)

    def truth(self) -> bool | None:
        """One of true, false and null."""
        if self.value is None or isinstance(self.value, bool):
            return self.value
        raise self.expected("true, false or null")

    def supplied(self, needed: bool) -> bool:
        """Return `needed`. Reject null where evidence is needed, and evidence where none is needed."""
        expected = "evidence for the claim" if needed else "null, as the claim does not need it"
        self.must(needed == (self.value is not None), expected)
        return needed

    def number(self) -> Fraction:
        """A rational number."""
        number = rational(self.value, self.pay) if isinstance(self.value, str) else None
        if number is None:
            raise self.expected('a number "p" or "p/q" in lowest terms')
        return number

    def positive(self) -> Fraction:
        """A rational number > 0."""
        number = self.number()
        self.must(number > 0, "a number > 0")
        return number

    def vector(self, length: int) -> list[Fraction]:
        """A list of so many rational numbers."""
        return [item.number() for item in self.items(length)]

    def matrix(self, rows: int, columns: int) -> list[list[Fraction]]:
        """A list of so many rows of so many rational numbers."""
        return [row.vector(columns) for row in self.items(rows)]

    def ascending(self, limit: int) -> list[int]:
        """A list of different indices below the limit, in ascending order."""
        indices = [item.index(limit) for item in self.items()]
        self.must(indices == sorted(set(indices)), "a list in ascending order")
        return indices
