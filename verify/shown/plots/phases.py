"""A phase diagram: where on a line, or in a plane, each hypothesis of a theorem holds, and its conclusion.

What is drawn are floats; the numbers of the cells, their order, and what is said of them are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import sympy

from constructions.reading import InputError
from verify.parametric.family import Family
from verify.parametric.phases import Piece, phases
from verify.parametric.regions import Regions, Strip, regions
from verify.shown.plots.style import COLOURS, INK, SMALL, Axes, axes, legend, say

KNOWN = {"holds": (COLOURS[2], "o"), "fails": (COLOURS[1], "X"), "undecided": (INK, "d")}
"""The colour and the marker of each answer."""


def phase_diagram(
    family: Family, statement: str, between: tuple[Any, Any] | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw a row for each hypothesis of a theorem and one for its conclusion, along the family's one parameter.

    A bar is a piece on which a hypothesis holds, or fails, throughout; a marker is an end of pieces, where it may be
    otherwise. A conclusion that was decided at one point of a piece has a marker there, and a pale bar.

    Of two parameters: the cells of the plane, each in the colour of the conclusion, with a marker at the point that was
    decided and the hypotheses that fail beside it, and the curves between them. `between`: an interval, or two.

        from verify.parametric import Family
        from verify.shown.plots.phases import phase_diagram

        noisy = Family.of("p", "1/2, 1/2", "2/3, 1/3; 1/3, 2/3", "1 - p, p; p, 1 - p", "1, -1")
        phase_diagram(noisy, "3.3")

    Raises `InputError` as `phases` and `regions` do, and where no point has a model.
    """
    if len(family.names) == 2:
        return _plane(regions(family, statement, between or ((0, 1), (0, 1))), statement, ax)
    between = between or (0, 1)
    pieces = [piece for piece in phases(family, statement, between) if piece.assumptions]
    if not pieces:
        raise InputError("between", f"{between[0]} to {between[1]}", "a line with models of the family", "family")
    rows = [*pieces[0].assumptions, "conclusion"]
    ax = axes(ax, 6.4, 0.8 + 0.4 * len(rows))
    for height, row in enumerate(rows):
        for piece in pieces:
            _drawn(ax, piece, row, len(rows) - 1 - height)
    for answer, (colour, marker) in KNOWN.items():
        ax.plot([], [], color=colour, marker=marker, linestyle="none", label=answer)
    ends = [piece for piece in pieces if piece.left == piece.right]
    ax.set_xticks([float(one.left) for one in ends], [str(one.left) for one in ends])
    ax.set(yticks=range(len(rows)), ylim=(-0.6, len(rows) - 0.4), xlabel=family.names[0])
    ax.set_yticklabels(rows[::-1], fontsize=SMALL)
    legend(ax)
    say(ax, sentence(pieces, statement))
    return ax


def _plane(found: Regions, statement: str, ax: Axes | None) -> Axes:
    cells = [(strip, piece) for strip, piece in found.cells if piece.assumptions]
    if not cells:
        raise InputError("between", f"{found.between}", "a rectangle with models of the family", "family")
    ax = axes(ax, 5.6, 5.2)
    x, y = map(sympy.Symbol, cells[0][0].names)
    polynomials = [sympy.lambdify(x, sympy.Poly(curve, y).all_coeffs()) for curve in found.curves]
    low, high = (float(Fraction(str(end))) for end in found.between[1])
    for strip in (one for one in found.strips if one.open):
        at, ends = _ends(strip, polynomials, low, high)
        for piece, (below, above) in zip(strip.cells, pairwise(ends), strict=True):
            if piece.assumptions:
                shade = 0.45 if piece.everywhere else 0.15
                ax.fill_between(at, below, above, color=KNOWN[piece.answer][0], alpha=shade, lw=0)
                ax.plot(at, below, color=INK, lw=0.8)
                ax.plot(at, above, color=INK, lw=0.8)
    for strip, piece in cells:
        assert strip.at is not None
        assert piece.point is not None
        colour, marker = KNOWN[piece.answer]
        ax.plot(
            [float(strip.at)], [float(piece.point)], color=colour, marker=marker, linestyle="none", label=piece.answer
        )
        failed = ", ".join(one for one, holds in piece.assumptions.items() if holds is False)
        if failed:
            ax.annotate(f"not {failed}", (float(strip.at), float(piece.point)), (5, 5), textcoords="offset points")
    ticks = [strip.left for strip in found.strips if not strip.open]
    ax.set_xticks([float(one) for one in ticks], [str(one) for one in ticks])
    ax.set(ylim=(low, high), xlabel=str(x), ylabel=str(y))
    legend(ax)
    proved = sum(piece.everywhere and all(piece.assumptions.values()) for _, piece in cells)
    fails = sum(piece.answer == "fails" for _, piece in cells)
    said = f"{statement} holds throughout {proved} of {len(cells)} cells"
    say(ax, said + (f"; no head serves at a point of {fails}" if fails else ""))
    return ax


def _ends(strip: Strip, polynomials: Sequence[Any], low: float, high: float) -> tuple[Any, Any]:
    """Return places over a strip, and there the ends of its cells, from below: as many as its line has."""
    left, right = float(strip.left), float(strip.right)
    inside = np.linspace(left, right, 100) + np.linspace(1, -1, 100) * (right - left) * 1e-4
    columns = []
    for at in inside:
        roots = np.concatenate([np.roots(one(at)) for one in polynomials])
        real = roots.real[(abs(roots.imag) < 1e-7) & (roots.real > low) & (roots.real < high)]
        ends = sorted([low, high, *real])
        columns.append([ends[0], *(b for a, b in pairwise(ends) if b - a > 1e-7)])
    kept = [i for i, column in enumerate(columns) if len(column) == len(strip.cells) + 1]
    return inside[kept], np.array([columns[i] for i in kept]).T


def sentence(pieces: Sequence[Piece], statement: str) -> str:
    """Say where the theorem is proved, where its conclusion fails, and that nothing is refuted."""
    proved = [one.where for one in pieces if all(one.assumptions.values()) and one.everywhere and one.left != one.right]
    fails = [one.where for one in pieces if one.answer == "fails"]
    said = f"{statement} holds on {', '.join(proved)}" if proved else f"{statement} speaks of no part of this line"
    return said + (f"; no head serves at {', '.join(fails)}" if fails else "")


def _drawn(ax: Axes, piece: Piece, row: str, height: int) -> None:
    """Draw one piece of one row: a bar between its ends, or a marker at a point."""
    left, right = float(piece.left), float(piece.right)
    of_row = {True: "holds", False: "fails", None: "undecided"}
    colour, marker = KNOWN[piece.answer if row == "conclusion" else of_row[piece.assumptions[row]]]
    known = row != "conclusion" or piece.everywhere
    if left < right:
        shade = 0.75 if known else 0.3
        ax.plot([left, right], [height, height], color=colour, lw=7, alpha=shade, solid_capstyle="butt", zorder=1)
    if left == right or not known:
        at = left if piece.point is None else float(piece.point)
        ax.plot([at], [height], color=colour, marker=marker, markersize=7, linestyle="none", zorder=2, clip_on=False)
