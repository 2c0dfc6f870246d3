"""What a derivation derives: judgments about terms, and the schemas that its steps are instances of.

Section 13 of docs/certificate-format.md. A judgment is one of

    a = b    a > 0    a >= 0    map a    injection a

"> 0" and ">= 0" speak of every entry. A map is a matrix of zeros and ones with one 1 in each column; an injection has
at most one in each row, besides.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from verify.kernel.terms import Signature, Term, Type, parse, substitute, type_of, written

SHAPES = {"=": 2, "> 0": 1, ">= 0": 1, "map": 1, "injection": 1}


class Judgment(NamedTuple):
    """A kind of judgment, and the terms that it is about."""

    kind: str
    terms: tuple[Term, ...]


class Schema(NamedTuple):
    """From these premises follows this conclusion, whatever the variables stand for.

    A type of a variable may have index variables: names of one capital letter that are no indices of the signature.
    """

    variables: Mapping[str, Type]
    premises: tuple[Judgment, ...]
    conclusion: Judgment


def read_judgment(text: str) -> Judgment:
    """The judgment that a text writes. ValueError: it writes none."""
    for kind in ("map", "injection"):
        if text.startswith(kind + " "):
            return Judgment(kind, (parse(text[len(kind) :]),))
    for kind in (">= 0", "> 0"):
        if text.endswith(" " + kind):
            return Judgment(kind, (parse(text[: -len(kind)]),))
    left, equals, right = text.partition(" = ")
    if not equals:
        raise ValueError("no judgment")
    return Judgment("=", (parse(left), parse(right)))


def check_types(judgment: Judgment, signature: Signature) -> None:
    """Both sides of an equation have one type; the other judgments are about matrices. ValueError: not so."""
    types = [type_of(term, signature) for term in judgment.terms]
    if len(set(types)) > 1 or (judgment.kind != "=" and isinstance(types[0], str)):
        raise ValueError(f"{judgment.kind} of {' and '.join(map(written, types))}")


def instance(judgment: Judgment, values: Mapping[str, Term]) -> Judgment:
    """The judgment with values for its variables."""
    return Judgment(judgment.kind, tuple(substitute(term, values) for term in judgment.terms))


def bound(schema: Schema, values: Mapping[str, Term], signature: Signature) -> dict[str, Term]:
    """The values of a schema's variables, which must have its types, and of its index variables, which follow.

    ValueError: a value is missing, not asked for, or of another type.
    """
    if set(values) != set(schema.variables):
        raise ValueError(f"values for {', '.join(values) or 'nothing'}, not {', '.join(schema.variables) or 'nothing'}")
    found = dict(values)
    for name, expected in schema.variables.items():
        if expected == "index":
            fits = values[name].op in signature.indices and not values[name].args
        else:
            fits = matches(expected, type_of(values[name], signature), found, signature.indices)
        if not fits:
            raise ValueError(f"{name} of another type than {written(expected)}")
    return found


def matches(expected: Type, actual: Type, found: dict[str, Term], indices: Sequence[str] | frozenset[str]) -> bool:
    """Whether a type is the expected one, with the same indices for the same index variables."""
    if isinstance(expected, str) or isinstance(actual, str):
        return expected == actual
    return all(
        name == index if name in indices else found.setdefault(name, Term(index)) == Term(index)
        for name, index in zip(expected, actual, strict=True)
    )
