r"""Where in the plane of two parameters a theorem's hypotheses and its conclusion hold: cells, each with a verdict.

    found = regions(family, "3.3")
    print(*found.says, sep="\n")

The polynomials of `phases.conditions`, and what the family's head was divided by, bound the regions: on a cell where
none of them is 0 no hypothesis changes. The cells come from a cylindrical decomposition. Over the roots of the leading
coefficients, the discriminants, the resultants of two, and what has no second parameter, curves end, touch or cross;
between two neighbours of these they neither do nor change their order, so that one line that is parallel to the second
axis meets every cell over what is between them. What is said of an open piece of that line holds on the cell; what is
said of a point, where the line meets a curve, is said of that point.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations, pairwise
from typing import Any, TypeAlias

import sympy

from constructions.reading import InputError
from verify.parametric.expressions import Expression, expression
from verify.parametric.family import Family
from verify.parametric.phases import Line, Piece, factors_of, line_of, phases, roots_within, simplest
from verify.words.effort import USUAL, Effort

Interval: TypeAlias = tuple[Any, Any]


@dataclass(frozen=True)
class Strip:
    """What lies over a part of the first axis, one point or what is between two: the pieces of a line over it.

    `at`: where the line is; None over an irrational point, of which nothing is said. No pieces: an entry divides by 0
    on all of the line. `names`: of both parameters.
    """

    left: Expression
    right: Expression
    at: Fraction | None
    pieces: tuple[Piece, ...]
    names: tuple[str, str]

    @property
    def open(self) -> bool:
        """Whether it is between two points, so that the open pieces of its line stand for cells."""
        return bool(self.left != self.right)

    @property
    def cells(self) -> list[Piece]:
        """The open pieces of its line."""
        return [piece for piece in self.pieces if piece.left != piece.right]

    @property
    def says(self) -> Iterator[str]:
        """What is known of the strip: a line, and one for each piece."""
        first, second = self.names
        where = (
            f"{first} in ({self.left}, {self.right}), by {first} = {self.at}" if self.open else f"{first} = {self.left}"
        )
        if self.at is None:
            where += ": not decided, as it is irrational"
        yield where if self.pieces or self.at is None else f"{where}: no model"
        yield from (f"    {second} {'in' if p.left != p.right else '='} {p.says}" for p in self.pieces)


@dataclass(frozen=True)
class Regions:
    """The strips, from left to right, and the `curves`: what is 0 on the bounds of the regions, each with its names."""

    strips: tuple[Strip, ...]
    curves: dict[Expression, tuple[str, ...]]
    between: tuple[Interval, Interval]

    @property
    def cells(self) -> list[tuple[Strip, Piece]]:
        """Every open cell, with its strip: the piece has the rational number of its point, and the verdict there."""
        return [(strip, piece) for strip in self.strips if strip.open for piece in strip.cells]

    @property
    def says(self) -> Iterator[str]:
        """All that is known, line by line."""
        yield from (f"{curve} = 0: {', '.join(names)}" for curve, names in self.curves.items())
        yield from chain.from_iterable(strip.says for strip in self.strips)


def regions(
    family: Family, statement: str, between: tuple[Interval, Interval] = ((0, 1), (0, 1)), effort: Effort = USUAL
) -> Regions:
    """Cut a rectangle of the two parameters of a family into cells on which a theorem's hypotheses are constant.

    Raises `InputError` as `phases` does, and for another number of parameters.
    """
    if len(family.names) != 2:
        raise InputError("family", f"{len(family.names)} parameters", "two: `phases` takes one", "family")
    (plane, named), (x, y) = line_of(family, statement, effort), family.parameters
    curves = factors_of(named, sympy.Poly.as_expr)
    ends = [y - expression(str(end)) for end in between[1]]
    critical = [("", sympy.Poly(one, x)) for one in _critical([*curves, *ends], y)]
    points = roots_within(critical, x, between[0])

    def strip(left: Expression, right: Expression, at: Fraction | None) -> Strip:
        pieces: list[Piece] = []
        if at is not None and (line := _on_line(plane, x.name, at)):
            if left == right:
                pieces = phases(line.family, statement, between[1], effort)
            else:
                over = [(name, sympy.Poly(one.as_expr().subs(x, expression(at)), y)) for name, one in named]
                pieces = line.pieces(over, between[1])
        return Strip(left, right, at, tuple(pieces), (x.name, y.name))

    at_them = [strip(root.value, root.value, root.rational) for root in points]
    between_them = [strip(one.value, other.value, simplest(one.high, other.low)) for one, other in pairwise(points)]
    strips = (at_them[0], *chain.from_iterable(zip(between_them, at_them[1:], strict=True)))
    return Regions(strips, curves, between)


def _on_line(plane: Line, name: str, at: Fraction) -> Line | None:
    """Return what is asked of the family of a line, None where an entry divides by 0 on all of it."""
    with suppress(InputError):
        return replace(plane, family=plane.family.with_numbers(**{name: at}))
    return None


def _critical(curves: Sequence[Expression], y: Any) -> Iterator[Expression]:
    """Yield what is 0 where an irreducible curve has a vertical asymptote or tangent, or crosses another, or is x."""
    polynomials = [sympy.Poly(curve, y) for curve in curves]
    for one in polynomials:
        yield one.LC()
        if one.degree() > 1:
            yield one.discriminant()
    for one, other in combinations([one for one in polynomials if one.degree()], 2):
        yield one.resultant(other)
