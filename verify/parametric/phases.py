"""Where on a line of parameters a theorem's hypotheses and its conclusion hold: exact pieces, each with a verdict.

    for piece in phases(family, "3.3"):
        print(piece.says)

Whether an assumption holds depends on which entries are 0 and on which columns of W are independent. Columns are
dependent exactly where their Gram determinant, det W'W, is 0. So between two neighbouring roots of these polynomials
nothing changes, and one rational point between them speaks for all. SymPy isolates the roots, and compares them
exactly. The conclusion holds on all of a piece where the family's own head is exact and none of its divisors has a root
there; otherwise the verdict is of the named point alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, pairwise
from math import inf
from typing import Any

import sympy

from constructions.reading import InputError
from verify.parametric.expressions import Expression, expression
from verify.parametric.family import Family
from verify.prover import prove
from verify.statements import THEOREMS
from verify.verdicts import Verdict
from verify.words.effort import USUAL, Effort

DIVISOR = "a divisor of the head"
"""The name of what the family's head was divided by."""

DEPENDENT = "det "
"""The names of Gram determinants, which are 0 where columns of W are dependent, begin with this."""


@dataclass(frozen=True)
class Piece:
    """A part of the line: one point, or the open interval between two.

    `left`, `right`: the ends; those of a point are equal. `zero`: the names of the functions that are 0 at a point.
    `point`: the rational number that was decided, None at an irrational point. `verdict`: of the model there, if there
    is one. `assumptions`: whether each hypothesis holds on all of the part, None if that is not known; empty where
    there is no model. `everywhere`: the conclusion holds on all of the part, by the identity of the theorem's proof.
    """

    left: Expression
    right: Expression
    zero: tuple[str, ...]
    point: Fraction | None
    verdict: Verdict | None
    assumptions: Mapping[str, bool | None]
    everywhere: bool

    @property
    def answer(self) -> str:
        """Does the conclusion hold, on all of the piece or at its point? holds, fails or undecided."""
        return self.verdict.answer if self.verdict is not None else "holds" if self.everywhere else "undecided"

    @property
    def where(self) -> str:
        """The piece as it is written: (0, 1/2), or 1/2."""
        return str(self.left) if self.left == self.right else f"({self.left}, {self.right})"

    @property
    def says(self) -> str:
        """What is known of it, in one line."""
        zero = f" ({', '.join(self.zero)} = 0)" if self.zero else ""
        if not self.assumptions:
            return f"{self.where}{zero}: {'no model' if self.point is not None else 'not decided, as it is irrational'}"
        at = "" if self.left == self.right else f" at {self.point}"
        scope = " throughout" if at and self.everywhere else at
        vacuous = f", vacuous{at}" if self.verdict is not None and self.verdict.vacuous else ""
        failed = [assumption for assumption, holds in self.assumptions.items() if holds is False]
        because = f"{', '.join(failed)} {'fail' if len(failed) > 1 else 'fails'}; " if failed else ""
        answer = self.answer.replace("undecided", "is undecided")
        return f"{self.where}{zero}: {because}the conclusion {answer}{scope}{vacuous}"


def phases(family: Family, statement: str, between: tuple[Any, Any] = (0, 1), effort: Effort = USUAL) -> list[Piece]:
    """Cut an interval of the one parameter of a family into pieces on which a theorem's hypotheses are constant.

    `effort`: how much is tried at a point before its conclusion is undecided. Raises `InputError` for more parameters
    than one, other statements than 3.3 and 3.6, and for 3.6 beyond `MAX_COVER_STATES` states.
    """
    if len(family.names) != 1:
        raise InputError("family", f"{len(family.names)} parameters", "one", "family")
    family.check(statement)
    try:
        built = family.build(statement)
        exact, divisors = built.exact, built.divisors
    except InputError:  # its hypothesis fails throughout
        exact, divisors = False, ()
    named = [pair for name, p in family.named() for pair in ((name, p.numer), (f"1/{name}", p.denom))]
    named += [(name, p.numer) for name, p in family.independent(statement)]
    named += [(DIVISOR, divisor) for divisor in divisors]
    [x] = family.parameters
    polynomials = [(name, sympy.Poly(part.as_expr(), x)) for name, part in named if part and not part.is_ground]
    roots = roots_within(polynomials, between)

    def decided(left: Expression, right: Expression, at: Fraction) -> Piece:
        """Decide what is between two ends by a rational number there."""
        try:
            model, task = family.at(**{x.name: at})
        except InputError:
            return Piece(left, right, (), at, None, {}, False)
        verdict = prove(THEOREMS[statement], model, task, effort)
        return Piece(left, right, (), at, verdict, {finding.id: finding.holds for finding in verdict.findings}, exact)

    between_them = [decided(left, right, simplest(left, right)) for left, right in pairwise(roots)]
    beside = [{}, *(piece.assumptions for piece in between_them), {}]
    at_them = [
        at_root(root, zero, exact, decided(root, root, Fraction(root)) if root.is_Rational else None, *around)
        for (root, zero), around in zip(roots.items(), pairwise(beside), strict=True)
    ]
    return [at_them[0], *chain.from_iterable(zip(between_them, at_them[1:], strict=True))]


def at_root(
    root: Expression, zero: tuple[str, ...], exact: bool, piece: Piece | None, *beside: Mapping[str, bool | None]
) -> Piece:
    """Say what is known of a root, at which the named functions are `zero`.

    `piece`: what was decided at the root; None at an irrational root. At an irrational root, assumptions hold as they
    do on the pieces `beside` it (left, right), unless they depend on a function that is 0 there.
    """
    exact = exact and DIVISOR not in zero
    if piece is not None:
        return replace(piece, zero=zero, everywhere=exact and bool(piece.assumptions))
    dependent = any(name.startswith(DEPENDENT) for name in zero)
    entries = any(not name.startswith((DEPENDENT, DIVISOR)) for name in zero)
    at_dependence: dict[str, bool | None] = {"3.1": False, "3.5": None} if dependent else {}
    assumptions = {
        assumption: None if entries else at_dependence.get(assumption, holds)
        for assumption, holds in (beside[0] or beside[1]).items()
    }
    return Piece(root, root, zero, None, None, assumptions, exact and all(beside) and not entries)


def roots_within(named: Sequence[tuple[str, Any]], between: tuple[Any, Any]) -> dict[Expression, tuple[str, ...]]:
    """Return the real roots of SymPy's polynomials in an interval, in order, each with the names of its polynomials.

    The ends of the interval are among them. A root is a rational number, an expression with radicals, or a `CRootOf`.
    """
    low, high = map(expression, between)
    if low >= high:
        raise InputError("between", f"{between[0]} to {between[1]}", "a lower end and a higher one", "family")
    roots = {low: dict[str, None](), high: {}}  # SymPy writes a root of several polynomials in one way
    for name, poly in named:
        for root in poly.real_roots():
            if low <= root <= high:
                roots.setdefault(root, {})[name] = None
    return {root: tuple(roots[root]) for root in sorted(roots)}


def simplest(low: Expression | Fraction, high: Expression | Fraction) -> Fraction:
    """Return the fraction of least denominator strictly between two numbers, by the tree of Stern and Brocot."""
    floor = int(low // 1)
    if floor + 1 < high:
        return Fraction(floor + 1)
    return floor + 1 / simplest(1 / (high - floor), 1 / (low - floor) if low > floor else inf)
