"""Reading JSON strictly: section 1 of docs/certificate-format.md.

All untrusted text enters here. It is parsed only after its size and its depth of nesting have been bounded. Python's
parser accepts content that a certificate may not have: 1.5, NaN, a repeated key. Such content is parsed to a `Flaw`,
and rejected afterwards, when its place is known. Every other file reads the document through `Item`.
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from verify.kernel.base.item import Item, Pay, Rejected, brief, charge_nothing, short

MAX_BYTES = 64 * 2**20
MAX_MARKS = 2**22  # commas, quotation marks, backslashes and opening brackets
MAX_DEPTH = 64

STRING_OR_BRACKET = re.compile(
    r'"[^"\\]*+(?:\\.[^"\\]*+)*+|[\[\]{}]', re.DOTALL
)  # a string, without its end, or a bracket
COUNT_LITERAL = re.compile(r"[0-9]{1,18}")


class Unparseable(ValueError):  # noqa: N818 - an answer, not a failure of the kernel
    """The text is not UTF-8, or not JSON."""


@dataclass(frozen=True)
class Flaw:
    """What a parsed document has in place of content that Python's parser accepts and a certificate may not have."""

    description: str


def forbidden(literal: str) -> object:
    """The Flaw that stands for a literal which a certificate may not have."""
    return Flaw(f"the literal {short(literal)}")


def count(literal: str) -> object:
    """The value of an integer literal of at most 18 digits without a sign; a Flaw for any other literal."""
    return int(literal) if COUNT_LITERAL.fullmatch(literal) else forbidden(literal)


def load(
    text: str | bytes,
    integer: Callable[[str], object] = count,
    decimal: Callable[[str], object] = forbidden,
    pay: Pay = charge_nothing,
) -> "Item":
    """Parse a text and return the document.

    `integer` turns an integer literal into its value or a Flaw, and `decimal` does the same with a decimal literal:
    Python's parser makes no float. Items of the document call `pay` with the number of digits of a rational number,
    before they read the number.

    Raise Unparseable if the text is not UTF-8 or not JSON, and Rejected if it has a Flaw or exceeds a limit.
    """
    try:
        data = text.encode() if isinstance(text, str) else text
        if len(data) > MAX_BYTES:
            raise Rejected("", f"{len(data)} bytes", f"at most {MAX_BYTES}")
        source = data.decode()
    except UnicodeError:
        raise Unparseable("not UTF-8") from None
    marks = sum(map(source.count, ',"\\[{'))  # these bound the number of values, and so the memory they take
    if marks > MAX_MARKS:
        raise Rejected("", f"{marks} commas, quotation marks, ...", f"at most {MAX_MARKS}")
    refuse_depth(source)
    try:
        document = json.loads(
            source, object_pairs_hook=members, parse_int=integer, parse_float=decimal, parse_constant=forbidden
        )
    except ValueError as error:
        raise Unparseable(f"not JSON: {error}") from None
    todo = [Item(document, "")]
    while todo:
        item = todo.pop()
        if isinstance(item.value, Flaw):
            raise Rejected(item.where, item.value.description, "integers, strings, and each key once")
        todo.extend(inside for inside in item.inside() if isinstance(inside.value, dict | list | Flaw))
    return Item(document, "", pay)


def refuse_depth(text: str) -> None:
    """Reject a text whose brackets outside strings are nested so deep that the recursive JSON parser might not survive.

    Stop where more brackets are closed than opened: the parser will say that this text is not JSON.
    """
    depth, at = 0, 0
    while depth >= 0 and (match := STRING_OR_BRACKET.search(text, at)) is not None:
        at = match.end()
        if text[match.start()] == '"':
            at += 1
        else:
            depth += 1 if match.group() in "[{" else -1
        if depth > MAX_DEPTH:
            line = text.count("\n", 0, match.start()) + 1
            column = match.start() - text.rfind("\n", 0, match.start())
            raise Rejected(f"line {line} column {column}", "deeper nesting", f"at most {MAX_DEPTH} brackets")


def members(pairs: list[tuple[str, object]]) -> object:
    """The object that has these pairs of key and value; a Flaw if a key is repeated."""
    if len(dict(pairs)) == len(pairs):
        return dict(pairs)
    return Flaw(f"the key {brief(Counter(key for key, _ in pairs).most_common(1)[0][0])} repeated")
