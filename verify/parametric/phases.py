"""At which values of a family's one parameter do a theorem's hypotheses and conclusion hold? Exact pieces of a line.

    for piece in phases(family, "3.3"):
        print(piece.says)

Whether an assumption holds depends on which entries are 0 and on which sets of columns of W are independent. Columns
are dependent exactly where their Gram determinant, det W'W, is 0. So the line is cut at the roots of the entries, of
their denominators, of the Gram determinants, and of the denominators in the head that is built for the family. SymPy
isolates these roots and compares them exactly. Between two neighbouring roots no assumption changes. So one rational
point decides the assumptions for the whole interval.

The conclusion holds on a whole piece if the family's head satisfies the identity of the theorem's proof, and none of
the head's denominators is 0 on the piece. Otherwise, the conclusion is decided at one rational point of the piece, if
there is one.

Notation: constructions/__init__.py.
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
"""The name of each polynomial that divides the head built for the family."""

DEPENDENT = "det "
"""The names of Gram determinants begin with this text. They are 0 where columns of W are dependent."""


@dataclass(frozen=True)
class Piece:
    """A piece of the line: one point, or the open interval between two points.

    - `left`, `right`: the ends of the piece, equal for a point
    - `zero`: the names of the functions that are 0 at a point; empty for an interval
    - `point`: the rational number in the piece at which the family was tried; None if the piece is an irrational point
    - `verdict`: the verdict on the model at `point`; None if there is no model at `point`, or if `point` is None
    - `assumptions`: whether each hypothesis holds on the whole piece, None if undecided; empty if there is no model at
      `point`, or if the piece is an irrational point with a model on neither side
    - `everywhere`: whether the identity of the theorem's proof shows the conclusion on the whole piece
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
        """Return the verdict's answer, "holds", "fails" or "undecided".

        Without a verdict, the answer is "holds" if `everywhere`, and else "undecided".
        """
        return self.verdict.answer if self.verdict is not None else "holds" if self.everywhere else "undecided"

    @property
    def where(self) -> str:
        """The piece as a text: (0, 1/2) for an interval, 1/2 for a point."""
        return str(self.left) if self.left == self.right else f"({self.left}, {self.right})"

    @property
    def says(self) -> str:
        """A line of text: the piece, the hypotheses that fail on it, and the conclusion."""
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
    """Cut an interval of a family's parameter into pieces on which no hypothesis of the statement changes.

    Returns the pieces from left to right: points and open intervals in turn, with the ends of `between` first and last.
    `effort`: the limits on the work at each point.

    Raises `InputError` for a family without exactly one parameter, for a statement other than 3.3 and 3.6, for ends
    that are not rational and in ascending order, and for 3.6 on more than `MAX_COVER_STATES` states.
    """
    if len(family.names) != 1:
        raise InputError("family", f"{len(family.names)} parameters", "one", "family")
    family.check(statement)
    try:
        built = family.build(statement)
        exact, divisors = built.exact, built.divisors
    except InputError:  # a hypothesis fails throughout, or no model that was tried meets 3.5
        exact, divisors = False, ()
    named = [pair for name, p in family.named() for pair in ((name, p.numer), (f"1/{name}", p.denom))]
    named += [(name, p.numer) for name, p in family.independent(statement)]
    named += [(DIVISOR, divisor) for divisor in divisors]
    [x] = family.parameters
    polynomials = [(name, sympy.Poly(part.as_expr(), x)) for name, part in named if part and not part.is_ground]
    roots = roots_within(polynomials, between)

    def decided(left: Expression, right: Expression, at: Fraction) -> Piece:
        """Return the piece between two ends, decided at a rational number `at` in the piece."""
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
    """Return the piece of one root, at which the functions with the names `zero` are 0.

    `exact`: whether the head built for the family satisfies the identity of the theorem's proof. `piece`: the piece
    that was decided at a rational root; None at an irrational root. `beside`: the assumptions on the intervals to the
    left and to the right of the root.

    At an irrational root, an assumption holds iff it holds beside the root, with two exceptions. If `zero` names one of
    the family's entries or denominators, all assumptions are undecided. Else, if `zero` names a Gram determinant, 3.1
    fails and 3.5 is undecided.
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
    """Return the real roots of named polynomials in an interval, in ascending order, as the keys of a dictionary.

    A key is a root: a rational number, an expression with radicals, or a `CRootOf`. Its value has the names of the
    polynomials that are 0 there. The ends of the interval are keys, too. Raises `InputError` if the ends are not
    rational and in ascending order.
    """
    try:
        low, high = map(expression, between)
        ascending = low < high
    except (TypeError, ValueError, ZeroDivisionError):  # of SymPy, for what is no number
        ascending = False
    if not ascending:
        raise InputError("between", f"{between[0]} to {between[1]}", "a lower end and a higher one", "family")
    roots = {low: dict[str, None](), high: {}}
    for name, poly in named:
        for factor, _ in poly.factor_list()[1]:  # SymPy writes a root of one irreducible polynomial in one way
            for root in factor.real_roots():
                if low <= root <= high:
                    roots.setdefault(root, {})[name] = None
    return {root: tuple(roots[root]) for root in sorted(roots)}


def simplest(low: Expression | Fraction, high: Expression | Fraction) -> Fraction:
    """Return the fraction of least denominator strictly between two numbers, by the tree of Stern and Brocot."""
    floor = int(low // 1)
    if floor + 1 < high:
        return Fraction(floor + 1)
    return floor + 1 / simplest(1 / (high - floor), 1 / (low - floor) if low > floor else inf)
