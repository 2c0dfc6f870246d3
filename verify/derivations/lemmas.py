"""Lemmas with their proofs, as they are written down: chains of equations, judgments, inductions, cases.

Whoever writes a proof names the rule of each step and the term it leads to. The place of the rule, the values of its
variables and its side conditions are found in elaboration.py, once; the kernel then only compares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from verify.derivations.judgments import Judgment, Schema
from verify.derivations.terms import Term


@dataclass(frozen=True)
class Chain:
    """start = ... = end, each step (rules, term) or (rules, term, the paper's equation); rules one after the other."""

    start: Term
    steps: Sequence[tuple[str, Term] | tuple[str, Term, str]]


@dataclass(frozen=True)
class By:
    """A judgment that follows by a rule, with values for variables that the judgment does not show."""

    rule: str
    then: Judgment
    values: Mapping[str, Term]


Script: TypeAlias = Sequence[Chain | By | Judgment]
"""Steps, the last of which shows what is to be shown; a judgment alone is shown by the rules about > 0 and >= 0."""


@dataclass(frozen=True)
class Induction:
    """For the empty value of a variable, and for a value one longer; `new` names the token that comes to it, if any."""

    on: Term
    base: Script
    step: Script
    new: Term | None = None


@dataclass(frozen=True)
class Cases:
    """A scalar that is >= 0 is > 0 or 0."""

    on: Term
    nonnegative: Script
    positive: Script
    zero: Script


@dataclass(frozen=True, eq=False)
class Lemma:
    """A judgment about all values of some variables, under premises, with its proof and the lemmas that it rests on.

    `title` says it in words; `paper` where the paper has it.
    """

    name: str
    title: str
    then: Judgment
    proof: Script | Induction | Cases
    for_all: Mapping[Term, str]
    given: Sequence[Judgment] = ()
    uses: Sequence[Lemma] = ()
    paper: str = ""

    @property
    def schema(self) -> Schema:
        """What other proofs may use."""
        variables = {variable.op: kind for variable, kind in self.for_all.items()}
        return Schema(self.name, variables, tuple(self.given), self.then)


def chain(start: Term, *steps: tuple[str, Term] | tuple[str, Term, str]) -> Chain:
    """A chain of equations."""
    return Chain(start, steps)


def by(rule: str, then: Judgment, **values: Term) -> By:
    """A judgment by a rule."""
    return By(rule, then, values)
