"""The places of inputs by their posteriors: on a segment, in a triangle, or, with more states, by two numbers.

`segment`, `triangle` and `quadrants` draw the borders of F* and of the head, and return the places of the inputs.

The head's border is straight, as the task's is. The head's score of x is sum_h g_h P[X = x | H_0 = h], with a number
g_h for each state h. Up to the factor Pr(x), the score is linear in the coordinates P[H_0 = h | x], with the
coefficients g_h / P(H_0 = h). If some state h has P(H_0 = h) = 0 and a g_h other than 0, the posterior does not
determine the score, and `segment` and `triangle` do not draw the head's border.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from constructions.linear import Matrix, Vector, minus, null_basis
from verify.views.plots.clipping import borders, region
from verify.views.plots.inputs import Point
from verify.views.plots.placing import Places
from verify.views.plots.style import INK, TEXT, Axes, colour, plain
from verify.views.plots.subject import Subject
from verify.words.problem import multiply

OF_TASK: dict[str, Any] = {"color": INK, "label": "border of F*", "linewidth": 2.2, "alpha": 0.6}
OF_HEAD = {"color": INK, "label": "the head's border", "linewidth": 1.2, "linestyle": (0, (4, 3))}
ALIKE = {"color": INK, "label": "where heads see no difference", "linewidth": 1.0, "linestyle": (0, (1, 2))}
"""The styles of lines."""

HEIGHT = 3**0.5 / 2
CORNERS = ((0.0, 0.0), (1.0, 0.0), (0.5, HEIGHT))


def segment(ax: Axes, subject: Subject, names: Sequence[str], points: Sequence[Point]) -> Places:
    """Draw the segment of two states: across is the posterior of the first state, upwards the length of the input."""
    for label in subject.task.labels:
        ends = [float(corner[0]) for corner in region(subject.task.classes, label)]
        if len(ends) == 2:
            ax.axvspan(*ends, color=colour(label), alpha=0.1, linewidth=0)
    for rows, style in ((subject.task.classes, OF_TASK), (head_rows(subject), OF_HEAD)):
        for border in borders(rows):
            ax.axvline(float(border[0][0]), **style)
    longest = max(len(p.word) for p in points)
    ax.set(
        xlim=(-0.02, 1.02),
        ylim=(0.5, longest + 0.5),
        yticks=range(1, longest + 1),
        xlabel=f"P[{_symbol(subject)} = {plain(names[0])} | x];  area: Pr(x)",
        ylabel="length of x",
    )
    return [(float(p.posterior[0]), float(len(p.word))) for p in points]


def triangle(ax: Axes, subject: Subject, names: Sequence[str], points: Sequence[Point]) -> Places:
    """Draw the triangle of three states, with the regions of the labels."""
    ax.spines[:].set_visible(False)
    ax.set(aspect="equal", xlim=(-0.16, 1.16), ylim=(-0.09, HEIGHT + 0.09), xticks=[], yticks=[])
    for label in subject.task.labels:
        if part := region(subject.task.classes, label):
            ax.fill(*_flat(part).T, color=colour(label), alpha=0.1, linewidth=0)
    ax.fill(*zip(*CORNERS, strict=True), fill=False, edgecolor=INK, linewidth=0.8)
    lines = [(border, OF_TASK) for border in borders(subject.task.classes)]
    lines += [(border, OF_HEAD) for border in borders(head_rows(subject))]
    if subject.linear is None and (direction := unseen(subject)) is not None:
        # each line passes through a refuting input, in that direction: along it all inputs have the same output
        refuting = (p.posterior for p in points if p.word in subject.refuting)
        normals = (tuple(np.cross(*np.array([posterior, direction]))) for posterior in refuting)
        through = {border for normal in normals for border in borders((minus(normal, normal), normal))}
        lines += [(border, ALIKE) for border in through]
    for border, style in lines:
        ax.plot(*_flat(border).T, **style)
    text = {"textcoords": "offset points", "ha": "center", "color": INK, "fontsize": TEXT}
    for corner, name, up in zip(CORNERS, names, (-8, -8, 8), strict=True):
        ax.annotate(plain(name), corner, (0, up), va="bottom" if up > 0 else "top", **text)
    ax.set_xlabel(f"P[{_symbol(subject)} | x], 1 at a corner;  area: Pr(x)")
    return list(_flat([p.posterior for p in points]))


def quadrants(ax: Axes, subject: Subject, names: Sequence[str], points: Sequence[Point]) -> Places:
    """Place each input by the score of label 1 minus that of label 0: F*'s across, the head's upwards.

    Without a linear head, subtract from the posteriors their mean and their parts along mu_1 - mu_0, the one direction
    on which F* depends. Upwards is a first principal component of the rest.
    """
    across = [float(p.scores[1] - p.scores[0]) for p in points]
    ax.axvline(0, **OF_TASK)
    of = "states" if subject.memory is None else "values"
    ax.set_xlabel(f"(μ₁ − μ₀)′P[{_symbol(subject)} | x], of {len(names)} {of};  area: Pr(x)")
    if subject.linear is not None:
        ax.axhline(0, **OF_HEAD)
        ax.set_ylabel("the head's score of 1 minus that of 0")
        heads = [float(p.head_scores[1] - p.head_scores[0]) for p in points if p.head_scores]
        return list(zip(across, heads, strict=True))
    ax.set_ylabel("principal component of the rest")
    laws = np.array([p.posterior for p in points], dtype=float)
    laws -= laws.mean(axis=0)
    mu = np.array(minus(*reversed(subject.task.classes)), dtype=float)
    laws -= np.outer(laws @ mu, mu) / (mu @ mu)
    component = np.linalg.svd(laws)[2][0]
    return list(zip(across, (laws @ component).tolist(), strict=True))


def head_rows(subject: Subject) -> Matrix:
    """Return a row for each label l: the row times the posterior is a linear head's score of l minus that of 0.

    The scores are up to the factor Pr(x). Return () if there is no linear head, or if the posterior does not determine
    its scores.
    """
    if subject.linear is None:
        return ()
    rows, initial = subject.problem.head_functionals(subject.linear), subject.problem.model.initial
    apart, inverse = [minus(row, rows[0]) for row in rows], tuple(1 / p if p else p for p in initial)
    if any(row[h] for row in apart for h, p in enumerate(initial) if not p):
        return ()
    return tuple(multiply(row, inverse) for row in apart)


def unseen(subject: Subject) -> Vector | None:
    """Return the vector, in the coordinates of posteriors, at which every head of 3.3 has the score 0.

    If its entries do not sum to 0, a multiple of it is a point in the plane of the simplex, and every head's border
    passes through that point. If they sum to 0, it is a direction, and every head's border is parallel to it. Return
    None for another statement than 3.3, if the vector is not unique up to scale, or if some P(H_0 = h) is 0.
    """
    if subject.statement.head != "linear" or not all(subject.problem.model.initial):
        return None
    inverse = tuple(1 / p for p in subject.problem.model.initial)
    null = null_basis([multiply(row, inverse) for row in subject.problem.features(None)])
    return null[0] if len(null) == 1 else None


def _flat(corners: Sequence[Vector]) -> Any:
    """Turn barycentric coordinates into places in an equilateral triangle, the first corner on the left."""
    laws = np.array(corners, dtype=float)
    return laws / laws.sum(axis=1, keepdims=True) @ CORNERS


def _symbol(subject: Subject) -> str:
    return "H₀" if subject.memory is None else f"M_{plain(subject.memory.model.cells[subject.memory.task.cell])}"
