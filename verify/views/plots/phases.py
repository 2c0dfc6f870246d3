"""A phase diagram: for which values of a parameter each hypothesis of a theorem holds, and for which its conclusion.

The places of marks are floats. The ends of the intervals, their order and all answers are exact.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from constructions.reading import InputError
from verify.parametric.family import Family
from verify.parametric.phases import phases
from verify.views.plots.style import COLOURS, INK, SMALL, Axes, axes, legend, say

ANSWERS = {"holds": (COLOURS[2], "o"), "fails": (COLOURS[1], "X"), "undecided": (INK, "d")}
"""The colour and the marker of each answer."""


def phase_diagram(family: Family, statement: str, between: tuple[Any, Any] = (0, 1), *, ax: Axes | None = None) -> Axes:
    """Draw a row for each hypothesis of a theorem and one for its conclusion, along the family's one parameter.

    The parameter goes from one number to another (`between`). `phases` cuts this range into pieces: open intervals and
    the points between them. Each interval has a bar, and each point a marker, in the colour of the answer there; a
    piece without a model has neither. If the conclusion was decided only at one point of an interval, this point has a
    marker, too, and the bar is pale.

        from verify.parametric import Family
        from verify.views.plots.phases import phase_diagram

        noisy = Family.of("p", "1/2, 1/2", "2/3, 1/3; 1/3, 2/3", "1 - p, p; p, 1 - p", "1, -1")
        phase_diagram(noisy, "3.3")

    Raises `InputError` as `phases` does, and if the family has no model in this range.
    """
    pieces = [piece for piece in phases(family, statement, between) if piece.assumptions]
    if not pieces:
        raise InputError("between", f"{between[0]} to {between[1]}", "a line with models of the family", "family")
    rows = [*pieces[0].assumptions, "conclusion"]
    ax = axes(ax, 6.4, 0.8 + 0.4 * len(rows))
    of_findings = {True: "holds", False: "fails", None: "undecided"}
    for (height, row), piece in product(enumerate(reversed(rows)), pieces):
        left, right = float(piece.left), float(piece.right)
        of_row = piece.answer if row == "conclusion" else of_findings[piece.assumptions[row]]
        colour, marker = ANSWERS[of_row]
        throughout = row != "conclusion" or piece.everywhere
        if left < right:
            shade = 0.75 if throughout else 0.3
            ax.plot([left, right], [height] * 2, color=colour, lw=7, alpha=shade, solid_capstyle="butt", zorder=1)
        if left == right or not throughout:
            at = left if piece.point is None else float(piece.point)
            ax.plot([at], [height], color=colour, marker=marker, markersize=7, zorder=2, clip_on=False)
    for answer, (colour, marker) in ANSWERS.items():
        ax.plot([], [], color=colour, marker=marker, linestyle="none", label=answer)
    ends = [piece for piece in pieces if piece.left == piece.right]
    ax.set_xticks([float(piece.left) for piece in ends], [str(piece.left) for piece in ends])
    ax.set(yticks=range(len(rows)), ylim=(-0.6, len(rows) - 0.4), xlabel=family.names[0])
    ax.set_yticklabels(rows[::-1], fontsize=SMALL)
    legend(ax)
    proved = [p.where for p in pieces if p.left != p.right and p.everywhere and all(p.assumptions.values())]
    fails = [str(piece.point) for piece in pieces if piece.answer == "fails"]
    sentence = f"{statement} holds on {', '.join(proved)}" if proved else f"{statement} is proved on no interval here"
    say(ax, sentence + (f"; no head serves at {', '.join(fails)}" if fails else ""))
    return ax
