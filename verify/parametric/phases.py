"""Where on a line of parameters a theorem's hypotheses and its conclusion hold: exact pieces, each with a verdict.

    for piece in phases(family, "3.3"):
        print(piece.where, piece.verdict.status, piece.everywhere)

Whether an assumption holds depends on which entries are 0 and on which columns of W are independent. Columns are
dependent exactly where their Gram determinant, det W'W, is 0. So between two neighbouring roots of these polynomials
nothing changes, and one rational point between them speaks for all; the roots are isolated by SymPy, by Sturm's theorem
or Vincent's. The conclusion holds on all of a piece where the family's own head is exact and nothing that it was
divided by has a root there; else the verdict is of the named point alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, pairwise
from typing import Any

import sympy

from constructions.reading import InputError
from verify.parametric.expressions import Expression, expression, polynomial, rational
from verify.parametric.family import BuiltFamily, Family
from verify.prover import prove
from verify.statement import Statement
from verify.statements import THEOREMS
from verify.symbolic.rational_functions import Polynomial
from verify.verdicts import Verdict
from verify.words.effort import USUAL, Effort

DIVISOR = "a divisor of the head"
"""The name of what the family's head was divided by."""

END = "an end"
"""The name of what is 0 at the ends of the line."""

DEPENDENT = ("det ", "minors ")
"""How the names of what is 0 where columns of W are dependent begin."""

OF_COLUMNS = ("3.5", "4.2", "4.5", "C.5")
"""Hypotheses that may hold on fewer columns where some become dependent."""


@dataclass(frozen=True)
class Root:
    """A real algebraic number, isolated: the only root of an irreducible polynomial in [low, high]; `zero` there."""

    polynomial: Any
    low: Fraction
    high: Fraction
    zero: tuple[str, ...]

    @property
    def value(self) -> Expression:
        """The number: rational, with roots where it is quadratic, or SymPy's `CRootOf`."""
        if self.rational is not None:
            return expression(self.low)
        before = self.polynomial.count_roots(sup=expression(self.low))  # irreducible: none is rational, nor the low end
        return sympy.CRootOf(self.polynomial, before, radicals=True)

    @property
    def rational(self) -> Fraction | None:
        """The number as a fraction, if it is one."""
        return self.low if self.low == self.high else None


@dataclass(frozen=True)
class Piece:
    """A part of the line: one point, or what is between two.

    `left`, `right`: the ends, of a point the same. `zero`: what is 0 at it, of a point. `point`: the rational number
    that the verdict is of; None of an irrational point. `verdict`: None there, and where there is no model.
    `assumptions`: which hypotheses hold on all of it, None for one that is not known at an irrational point; empty
    where there is no model. `everywhere`: the conclusion holds on all of it, by the identity of the theorem's proof.
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
        scope = "" if self.left == self.right else " throughout" if self.everywhere else at
        vacuous = f", vacuous{at}" if self.verdict is not None and self.verdict.vacuous else ""
        failed = [one for one, holds in self.assumptions.items() if holds is False]
        because = f"{', '.join(failed)} {'fail' if len(failed) > 1 else 'fails'}; " if failed else ""
        return f"{self.where}{zero}: {because}the conclusion {_SAID[self.answer]}{scope}{vacuous}"


_SAID = {"holds": "holds", "fails": "fails", "undecided": "is undecided"}


def phases(family: Family, statement: str, between: tuple[Any, Any] = (0, 1), effort: Effort = USUAL) -> list[Piece]:
    """Cut an interval of the one parameter of a family into pieces on which a theorem's hypotheses are constant.

    `effort`: how much is tried at a point before its conclusion is undecided. Of a memory family the H* is the same at
    all points. Raises `InputError` for more parameters than one (`regions` takes two), statements about other families,
    and for 3.6 beyond `COVERS` states.
    """
    if len(family.field.names) != 1:
        found = f"{len(family.field.names)} parameters"
        expected = "one, or two for `regions`: `Family.with_numbers` puts numbers for the others"
        raise InputError("family", found, expected, "family")
    built, family = built_or_none(family, statement), family.fixed(statement)
    return cut(family, statement, bounds(family, statement, built), between, effort, built is not None and built.exact)


def bounds(family: Family, statement: str, built: BuiltFamily | None) -> list[tuple[str, Any]]:
    """Return SymPy's polynomials at whose roots something can change: the conditions, and the head's divisors."""
    named = [*conditions(family, statement), *((DIVISOR, one) for one in (built.divisors if built else ()))]
    return [(name, polynomial(one)) for name, one in named]


def cut(
    family: Family,
    statement: str,
    named: Sequence[tuple[str, Any]],
    between: tuple[Any, Any],
    effort: Effort,
    exact: bool,
) -> list[Piece]:
    """Cut an interval at the roots of polynomials in a family's one parameter, and decide every piece.

    `exact`: some head is right at every point where no polynomial that is named `DIVISOR` is 0.
    """
    low, high = (Fraction(str(end)) for end in between)
    if low >= high:
        raise InputError("between", f"{between[0]} to {between[1]}", "a lower end and a higher one", "family")
    x = sympy.Symbol(family.field.names[0])
    ends = [(END, sympy.Poly(x - expression(end), x)) for end in (low, high)]  # isolated from the roots like each other
    points = [root for root in roots([*named, *ends]) if low <= root.value <= high]
    line = _Line(family, THEOREMS[statement], effort, exact)
    between_them = [
        line.decided((one.value, other.value), simplest(one.high, other.low)) for one, other in pairwise(points)
    ]
    beside = [{}, *(piece.assumptions for piece in between_them), {}]
    at_them = [line.point(root, *around) for root, around in zip(points, pairwise(beside), strict=True)]
    return [at_them[0], *chain.from_iterable(zip(between_them, at_them[1:], strict=True))]


@dataclass(frozen=True)
class _Line:
    """A family, what is asked of it, and whether its own head is exact wherever nothing it was divided by is 0."""

    family: Family
    statement: Statement
    effort: Effort
    exact: bool

    def point(self, root: Root, *beside: Mapping[str, bool | None]) -> Piece:
        """Decide a point. At an irrational one all is as `beside` it, but for what polynomials that are 0 there say."""
        zero, value = tuple(name for name in root.zero if name != END), root.value
        exact = self.exact and DIVISOR not in zero
        if root.rational is not None:
            found = self.decided((value, value), root.rational)
            return replace(found, zero=zero, everywhere=exact and bool(found.assumptions))
        entries = any(not name.startswith(DEPENDENT) and name != DIVISOR for name in zero)
        dependent = any(name.startswith(DEPENDENT) for name in zero)
        around = next((one for one in beside if one), {})
        known: dict[str, bool | None] = {"3.1": False, **dict.fromkeys(OF_COLUMNS)} if dependent else {}
        assumptions = {one: None if entries else known.get(one, holds) for one, holds in around.items()}
        return Piece(value, value, zero, None, None, assumptions, exact and all(beside) and not entries)

    def decided(self, ends: tuple[Expression, Expression], at: Fraction) -> Piece:
        """Decide what is between two ends by a rational number there."""
        try:
            model, task = self.family.at(**{self.family.field.names[0]: at})
        except InputError:
            return Piece(*ends, (), at, None, {}, False)
        verdict = prove(self.statement, model, task, self.effort)
        return Piece(*ends, (), at, verdict, {one.id: one.holds for one in verdict.findings}, self.exact)


def built_or_none(family: Family, statement: str) -> BuiltFamily | None:
    """Build the family's head; None where its hypothesis fails throughout."""
    family.check(statement)
    try:
        return family.build(statement)
    except InputError:
        return None


def conditions(family: Family, statement: str) -> list[tuple[str, Polynomial]]:
    """Return the polynomials on whose roots a theorem's hypothesis can change, each with its name.

    Of any number of parameters; those that are 0 throughout, or nowhere, are left out.
    """
    found = [pair for name, p in family.named() for pair in ((name, p.numerator), (f"1/{name}", p.denominator))]
    found += [(name, p.numerator) for name, p in family.independent(statement)]
    return [(name, part) for name, part in found if part and not part.is_constant()]


def roots(named: Sequence[tuple[str, Any]]) -> list[Root]:
    """Return all real roots of SymPy's polynomials in one variable in order, isolated, with what is 0 there."""
    factors: dict[Any, dict[str, None]] = {}  # names in order
    for name, one in named:
        for factor, _ in one.factor_list()[1]:
            factors.setdefault(factor.monic(), {})[name] = None
    if not factors:
        return []
    product, width = sympy.prod(factors), None
    while True:
        found = [(rational(a), rational(b)) for (a, b), _ in product.intervals(eps=width)]
        if all(left[1] < right[0] for left, right in pairwise(found)):
            break
        width = sympy.Rational(1, 100) if width is None else width / 100
    return [_root(factors, low, high) for low, high in found]


def _root(factors: dict[Any, dict[str, None]], low: Fraction, high: Fraction) -> Root:
    for factor, names in factors.items():
        if factor.count_roots(expression(low), expression(high)):
            if factor.degree() == 1:  # monic
                low = high = rational(-factor.nth(0))
            return Root(factor, low, high, tuple(names))
    raise ArithmeticError("an interval without a root")


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction of least denominator strictly between two, by the tree of Stern and Brocot."""
    whole = low.numerator // low.denominator
    if whole + 1 < high:
        return Fraction(whole + 1)
    rest = low - whole
    if not rest:
        return whole + Fraction(1, 1 + (high - whole).denominator // (high - whole).numerator)
    return whole + 1 / simplest(1 / (high - whole), 1 / rest)
