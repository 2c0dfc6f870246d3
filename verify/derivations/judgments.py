"""What is derived, and the schemas that the steps of a derivation are instances of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from verify.derivations.terms import Term, Values, substituted


@dataclass(frozen=True)
class Judgment:
    """A kind ("=", "> 0", ">= 0", "map", "injection"), and the terms that it is about; "> 0" means every entry."""

    kind: str
    terms: tuple[Term, ...]

    def __str__(self) -> str:
        if self.kind == "=":
            return " = ".join(map(str, self.terms))
        return f"{self.terms[0]} {self.kind}" if self.kind.endswith("0") else f"{self.kind} {self.terms[0]}"

    def at(self, values: Values) -> Judgment:
        """The judgment with values for its variables."""
        return Judgment(self.kind, tuple(substituted(term, values) for term in self.terms))


@dataclass(frozen=True)
class Schema:
    """From the premises follows the conclusion, whatever the variables (name: type) stand for."""

    name: str
    variables: Mapping[str, str]
    premises: tuple[Judgment, ...]
    conclusion: Judgment


def equal(left: Term, right: Term) -> Judgment:
    """One term is equal to another."""
    return Judgment("=", (left, right))


def positive(term: Term) -> Judgment:
    """Every entry is > 0."""
    return Judgment("> 0", (term,))


def nonnegative(term: Term) -> Judgment:
    """Every entry is >= 0."""
    return Judgment(">= 0", (term,))


def mapping(term: Term) -> Judgment:
    """Zeros and ones, one 1 in each column."""
    return Judgment("map", (term,))


def injection(term: Term) -> Judgment:
    """A map with at most one 1 in each row."""
    return Judgment("injection", (term,))
