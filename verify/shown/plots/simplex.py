"""The belief simplex: where the posteriors of inputs lie, coloured by F*, and what a head makes of them.

A head's score of x is sum_h g_h P[X = x | H_0 = h], so in the coordinates P[H_0 = h | x] its row is g_h / P(H_0 = h):
its border is as straight as the task's. It is none where g_h is not 0 and P(H_0 = h) is: the posterior does not tell.
With two states (or values of a memory cell) the simplex is a segment, and height is free to show lengths; with three it
is a triangle; of more states two scores are drawn that are linear in the posterior.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from constructions.evidence import input_words
from constructions.heads import Classifier
from constructions.linear import Matrix, Vector, minus, null_basis
from constructions.reading import InputError
from constructions.tasks import Task
from verify.heads.no_linear import linear_features
from verify.shown.plots.chosen import Shown, subject
from verify.shown.plots.clipping import borders, line, region
from verify.shown.plots.inputs import Point, points
from verify.shown.plots.placing import Name, Places, place
from verify.shown.plots.style import INK, TEXT, Axes, axes, colour, input_text, legend, marker, plain, say
from verify.shown.plots.subject import Subject

NAMED = 8
"""How many inputs are named at most."""

SMALLEST, LARGEST = 9.0, 260.0
"""The area of a marker in square points, at probability 0 and 1."""

HEIGHT = 3**0.5 / 2
CORNERS = ((0.0, 0.0), (1.0, 0.0), (0.5, HEIGHT))


def simplex(
    shown: Shown, task: Task | None = None, *, length: int | None = None, prompt: bool = True, ax: Axes | None = None
) -> Axes:
    """Draw the posteriors of all inputs up to a length, with the borders of F* and of the head.

    `prompt=False` takes the head's prompt away. A ring around an input has the colour of the label that the head gives
    it where that is wrong; inputs outside R, of which a theorem of section 4 does not speak, are hollow. Where 3.3
    fails and heads see but two of three dimensions, dotted lines lead through the inputs that no head serves: on such
    a line all inputs have the same output.

        import headproof as hp

        hp.plot.simplex(*hp.load("umbrella"))
        hp.plot.simplex(hp.verify("3.6", *hp.load("only-3-5")), prompt=False)

    Raises `InputError` for a length that is too large, and for three or more labels on four or more states.
    """
    one = subject(shown, task, prompted=False)
    if not prompt and one.linear is not None:
        one = replace(one, classifier=Classifier(one.linear.head))
    found = points(one, length)
    names = one.model.states if one.memory is None else one.memory.model.values
    if len(names) < 2:
        raise InputError("model", "one state", "two or more: the posterior is always the same")
    if len(names) > 3 and len(one.task.labels) > 2:
        raise InputError("task", f"{len(one.task.labels)} labels on {len(names)} states", "two labels, or three states")
    draw, size = {2: (_segment, (6.4, 3.4)), 3: (_triangle, (5.6, 4.8))}.get(len(names), (_quadrants, (5.6, 4.4)))
    ax = axes(ax, *size)
    at = draw(ax, one, names, found)
    say(ax, sentence(one, found))
    _inputs(ax, found, at)
    legend(ax)
    _names(ax, one, found, at)
    return ax


def sentence(one: Subject, found: Sequence[Point]) -> str:
    """Say what one should see."""
    wrong, of = sum(p.mislabelled for p in found), sum(p.counts for p in found)
    where = "" if one.memory is None else " of R"
    if one.conclusion is not None and one.conclusion.holds is False:
        named = ", ".join(input_text(word, one.model) for word in one.refuting)
        what = named if len(one.refuting) <= 3 else input_words(one.refuting, one.model)
        why = ": heads see no difference along a dotted line" if one.linear is None and unseen(one) else ""
        return f"No head serves {what} together{why}"
    if one.classifier is None:
        return "F* by the posterior of the input; no head is known"
    if not of:
        return f"None of the {len(found)} inputs is in R: there is nothing to label"
    what = "The head" if one.conclusion is None or one.conclusion.holds else "A candidate"
    without = " without its prompt" if one.statement.prompted else ""
    behind = " behind its prompt" if one.classifier.prompt is not None else without
    rest = f"mislabels {wrong} of the {of} inputs{where}" if wrong else f"gives all {of} inputs{where} their labels"
    return f"{what}{behind} {rest}"


def head_rows(one: Subject) -> Matrix | None:
    """Return what a linear head scores the coordinates of the simplex by; None if they do not tell."""
    if one.linear is None:
        return None
    rows, initial = one.problem.head_functionals(one.linear), one.problem.model.initial
    apart = [minus(row, rows[0]) for row in rows]
    if any(row[h] for row in apart for h, p in enumerate(initial) if not p):
        return None
    return tuple(tuple(g / p if p else g for g, p in zip(row, initial, strict=True)) for row in apart)


def unseen(one: Subject) -> Vector | None:
    """Return the one direction of the simplex on which all heads of 3.3 are 0, if there is one: a point, or sum 0.

    Every head's border is a line through it: a parallel of it, where its sum is 0.
    """
    if one.statement.head != "linear" or not all(one.problem.model.initial):
        return None
    rows = [[int(entry) for entry in row] for row in linear_features(one.problem, None).tolist()]
    null = null_basis(tuple(tuple(g / p for g, p in zip(row, one.problem.model.initial, strict=True)) for row in rows))
    return null[0] if len(null) == 1 else None


def _flat(corner: Vector) -> tuple[float, float]:
    """Turn barycentric coordinates into a place in an equilateral triangle, the first corner on the left."""
    total = float(sum(corner))
    return (float(corner[1]) + float(corner[2]) / 2) / total, HEIGHT * float(corner[2]) / total


def _symbol(one: Subject) -> str:
    return "H₀" if one.memory is None else f"M_{plain(one.memory.model.cells[one.memory.task.cell])}"


# Each draws where inputs may lie, and returns where these do


def _segment(ax: Axes, one: Subject, names: Sequence[str], found: Sequence[Point]) -> Places:
    for label in one.task.labels:
        ends = [float(corner[0]) for corner in region(one.task.classes, label)]
        if len(ends) == 2:
            ax.axvspan(min(ends), max(ends), color=colour(label), alpha=0.1, linewidth=0)
    for border in borders(one.task.classes):
        ax.axvline(float(border[0][0]), color=INK, linewidth=2.2, alpha=0.6, label="border of F*")
    for border in borders(head_rows(one) or ()):
        ax.axvline(float(border[0][0]), color=INK, linewidth=1.2, linestyle=(0, (4, 3)), label="the head's border")
    longest = max(len(p.word) for p in found)
    ax.set(xlim=(-0.02, 1.02), ylim=(0.5, longest + 0.5))
    ax.set(xlabel=f"P[{_symbol(one)} = {plain(names[0])} | x];  area: Pr(x)", ylabel="length of x")
    ax.set_yticks(range(1, longest + 1))
    return [(float(p.posterior[0]), float(len(p.word))) for p in found]


def _triangle(ax: Axes, one: Subject, names: Sequence[str], found: Sequence[Point]) -> Places:
    ax.spines[:].set_visible(False)
    ax.set(aspect="equal", xlim=(-0.16, 1.16), ylim=(-0.09, HEIGHT + 0.09), xticks=[], yticks=[])
    for label in one.task.labels:
        if part := region(one.task.classes, label):
            ax.fill(*zip(*map(_flat, part), strict=True), color=colour(label), alpha=0.1, linewidth=0)
    ax.fill(*zip(*CORNERS, strict=True), fill=False, edgecolor=INK, linewidth=0.8)
    for border in borders(one.task.classes):
        _draw(ax, border, "border of F*", linewidth=2.2, alpha=0.6)
    for border in borders(head_rows(one) or ()):
        _draw(ax, border, "the head's border", linewidth=1.2, linestyle=(0, (4, 3)))
    _pencil(ax, one, found)
    for corner, name, up in zip(CORNERS, names, (-8, -8, 8), strict=True):
        side = "bottom" if up > 0 else "top"
        ax.annotate(
            plain(name), corner, (0, up), textcoords="offset points", ha="center", va=side, color=INK, fontsize=TEXT
        )
    ax.set_xlabel(f"P[{_symbol(one)} | x], 1 at a corner;  area: Pr(x)")
    return [_flat(p.posterior) for p in found]


def _draw(ax: Axes, border: Sequence[Vector], label: str, **style: object) -> None:
    ax.plot(*zip(*map(_flat, border), strict=True), color=INK, label=label, **style)


def _pencil(ax: Axes, one: Subject, found: Sequence[Point]) -> None:
    """Draw the lines, through the inputs that no head serves, on each of which every head has one score's sign."""
    direction = unseen(one) if one.linear is None else None
    if direction is None:
        return
    for border in {line(p.posterior, direction) for p in found if p.word in one.refuting}:
        if len(border) == 2:
            _draw(ax, border, "where heads see no difference", linewidth=1.0, linestyle=(0, (1, 2)))


def _quadrants(ax: Axes, one: Subject, names: Sequence[str], found: Sequence[Point]) -> Places:
    """Set each input's score of F* beside the head's, or else the first principal component of what is left."""
    across = [float(p.scores[1] - p.scores[0]) for p in found]
    ax.axvline(0, color=INK, linewidth=2.2, alpha=0.6, label="border of F*")
    of = "states" if one.memory is None else "values"
    ax.set_xlabel(f"(μ₁ − μ₀)′P[{_symbol(one)} | x], of {len(names)} {of};  area: Pr(x)")
    if one.linear is not None:
        ax.axhline(0, color=INK, linewidth=1.2, linestyle=(0, (4, 3)), label="the head's border")
        ax.set_ylabel("the head's score of 1 minus that of 0")
        heads = [float(p.head_scores[1] - p.head_scores[0]) for p in found if p.head_scores]
        return list(zip(across, heads, strict=True))
    ax.set_ylabel("principal component of the rest")
    laws = np.array([[float(x) for x in p.posterior] for p in found])
    laws -= laws.mean(axis=0)
    mu = np.array([float(b - a) for a, b in zip(*one.task.classes, strict=True)])
    laws -= np.outer(laws @ mu, mu) / (mu @ mu)
    component = np.linalg.svd(laws)[2][0]
    return list(zip(across, (laws @ component).tolist(), strict=True))


def _inputs(ax: Axes, found: Sequence[Point], at: Places) -> None:
    """Draw the inputs, a collection for each label, and rings around those that the head mislabels."""
    pairs = sorted(zip(found, at, strict=True), key=lambda pair: -pair[0].probability)  # the small ones on top
    for counts, label in sorted({(not p.counts, p.label) for p in found}):
        own = [(p, place) for p, place in pairs if (not p.counts, p.label) == (counts, label)]
        said, hue = f"F* = {label}" + (", not in R" if counts else ""), colour(label)
        point = {"marker": marker(label), "facecolor": "none" if counts else hue, "edgecolor": hue, "linewidth": 0.9}
        _scatter(ax, own, 0.0, label=said, alpha=0.8, zorder=3, **point)
    for label in sorted({p.head_label for p in found if p.mislabelled and p.head_label is not None}):
        own = [(p, place) for p, place in pairs if p.mislabelled and p.head_label == label]
        said = f"the head says {label}"
        _scatter(ax, own, 70.0, facecolor="none", edgecolor=colour(label), linewidth=1.6, label=said, zorder=4)


def _scatter(ax: Axes, own: Sequence[tuple[Point, tuple[float, float]]], more: float, **style: object) -> None:
    x, y = zip(*(place for _, place in own), strict=True)
    ax.scatter(x, y, s=[_area(p) + more for p, _ in own], **style)


def _area(p: Point) -> float:
    return SMALLEST + LARGEST * float(p.probability)


def _names(ax: Axes, one: Subject, found: Sequence[Point], at: Places) -> None:
    """Name the inputs that refute a head, or else those that it mislabels, or else the shortest."""
    pairs = list(zip(found, at, strict=True))
    chosen = [pair for pair in pairs if pair[0].word in one.refuting]
    chosen = chosen or [pair for pair in pairs if pair[0].mislabelled]
    chosen = chosen or [pair for pair in pairs if len(pair[0].word) == 1]
    names = [Name((where,), input_text(p.word, one.model), 4.0 + _area(p) ** 0.5 / 2) for p, where in chosen[:NAMED]]
    place(ax, names, at)
