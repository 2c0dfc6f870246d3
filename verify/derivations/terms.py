"""Terms over matrices of unspecified size, written as mathematics: A @ (v * w), a.T @ b, inv(p), post(i, x).

`@` is the matrix product, `*` the elementwise one, `.T` the transpose. A term says nothing of its type: the kernel
infers types, and refuses what has none. The text of a term is that of docs/certificate-format.md, section 13.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Place: TypeAlias = tuple[int, ...]
Values: TypeAlias = Mapping[str, "Term"]


@dataclass(frozen=True)
class Term:
    """A symbol or an operation, and what it is applied to."""

    op: str
    args: tuple[Term, ...] = ()

    def __matmul__(self, other: Term) -> Term:
        return Term("mul", (self, other))

    def __mul__(self, other: Term) -> Term:
        return Term("had", (self, other))

    def __add__(self, other: Term) -> Term:
        return Term("add", (self, other))

    def __sub__(self, other: Term) -> Term:
        return Term("sub", (self, other))

    @property
    def T(self) -> Term:
        """The transpose."""
        return Term("tr", (self,))

    def __str__(self) -> str:
        return text(self, 0)


INFIX = {"add": (1, " + "), "sub": (1, " - "), "had": (2, " o "), "mul": (3, " ")}
"""How tightly an operation binds, and its sign."""


def text(term: Term, tightness: int) -> str:
    """The text of a term, in brackets if what stands around it binds more tightly."""
    if term.op in INFIX:
        own, sign = INFIX[term.op]
        left, right = term.args
        written = text(left, own) + sign + text(right, own + 1)
        return f"({written})" if own < tightness else written
    if term.op == "tr":
        return text(term.args[0], 4) + "'"
    return f"{term.op}({', '.join(map(str, term.args))})" if term.args else term.op


def symbols(names: str) -> list[Term]:
    """Symbols without arguments."""
    return [Term(name) for name in names.split()]


def functions(names: str) -> list[Callable[..., Term]]:
    """Symbols with arguments."""
    return [lambda *args, name=name: Term(name, args) for name in names.split()]


diag, inv, norm, label, one, zero, unit = functions("diag inv norm label one zero id")


def places(term: Term) -> Iterator[tuple[Place, Term]]:
    """Every part of a term, with its place, what is inside first."""
    for i, arg in enumerate(term.args):
        for place, inside in places(arg):
            yield (i, *place), inside
    yield (), term


def replaced(term: Term, place: Place, new: Term) -> Term:
    """The term with another part at a place."""
    if not place:
        return new
    i, *rest = place
    return Term(term.op, (*term.args[:i], replaced(term.args[i], tuple(rest), new), *term.args[i + 1 :]))


def substituted(term: Term, values: Values) -> Term:
    """The term with values for names."""
    if not term.args:
        return values.get(term.op, term)
    return Term(term.op, tuple(substituted(arg, values) for arg in term.args))


def matched(pattern: Term, term: Term, variables: frozenset[str], values: Values) -> dict[str, Term] | None:
    """The values that make the pattern this term, if there are any that agree with those given."""
    if not pattern.args and pattern.op in variables:
        return {**values, pattern.op: term} if values.get(pattern.op, term) == term else None
    if pattern.op != term.op or len(pattern.args) != len(term.args):
        return None
    found: dict[str, Term] | None = dict(values)
    for inner, arg in zip(pattern.args, term.args, strict=True):
        found = None if found is None else matched(inner, arg, variables, found)
    return found


def factors(term: Term, op: str) -> list[Term]:
    """What an operation combines, whatever the brackets."""
    return [one for arg in term.args for one in factors(arg, op)] if term.op == op else [term]
