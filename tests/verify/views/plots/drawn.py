"""The contents of a picture, read off its Axes: markers, lines, areas and words."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import cycle
from typing import Any

import matplotlib as mpl
from matplotlib.colors import to_hex
from matplotlib.text import Text

from constructions.linear import Vector
from constructions.models import Model
from constructions.tasks import Task
from verify import verify
from verify.library import shipped
from verify.verdicts import Verdict

mpl.use("Agg")  # pictures need no screen

SHIPPED: dict[str, tuple[Model, Task]] = {model.name: (model, task) for model, task in shipped()}

Point = tuple[float, float]


@cache
def verdict(statement: str, name: str) -> Verdict:
    return verify(statement, *SHIPPED[name])


def near(points: Any) -> list[Any]:
    """Return points rounded to nine decimals and sorted, to compare them with others."""
    return sorted(tuple(round(float(entry), 9) + 0.0 for entry in point) for point in points)


def markers(ax: Any, label: str) -> list[tuple[Point, float]]:
    """Return the places and areas of the markers with this label in the legend.

    Areas are in square points. If a collection has fewer areas than places, its areas are repeated.
    """
    groups = [group for group in ax.collections if group.get_label() == label]
    return [
        ((float(x), float(y)), float(area))
        for group in groups
        for (x, y), area in zip(group.get_offsets(), cycle(group.get_sizes()), strict=False)
    ]


def hues(ax: Any, label: str) -> set[str]:
    """Return the edge colours of the markers with this label."""
    return {to_hex(hue) for group in ax.collections if group.get_label() == label for hue in group.get_edgecolors()}


def lines(ax: Any, label: str) -> list[list[Point]]:
    """Return the points of each line with this label in the legend."""
    return [
        [(float(x), float(y)) for x, y in zip(*line.get_data(), strict=True)]
        for line in ax.get_lines()
        if line.get_label() == label
    ]


def named(ax: Any) -> set[str]:
    """Return the names that are written beside points."""
    return {text.get_text() for text in ax.texts}


Placed = list[tuple[str, Any]]
"""Texts with their rectangles."""


def words(figure: Any) -> Placed:
    """Return every visible text in the axes of a figure, with its rectangle. The figure's own title is left out."""
    figure.draw_without_rendering()
    placed: Placed = []
    for ax in (ax for ax in figure.axes if ax.get_visible()):
        hidden = set(out_of_sight(ax))
        for text in ax.findobj(Text):
            if text.get_visible() and text.get_text().strip() and text not in hidden:
                placed.append((text.get_text(), Text.get_window_extent(text)))
    return placed


def out_of_sight(ax: Any) -> Iterator[Text]:
    """Yield the tick labels that `words` leaves out.

    These are the labels of ticks outside the axes, which Matplotlib keeps but does not draw, and all labels on the
    right and on top (`label2`).
    """
    for axis in (ax.xaxis, ax.yaxis):
        low, high = sorted(axis.get_view_interval())
        drawn = {tick.label1 for tick in axis._update_ticks()}
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            in_sight = drawn if low <= tick.get_loc() <= high else ()
            yield from (label for label in (tick.label1, tick.label2) if label not in in_sight)


def overlaps(placed: Placed) -> list[tuple[str, str]]:
    """Return the pairs of texts that overlap by more than a pixel."""
    boxes = [(text, box.padded(-0.5)) for text, box in placed]
    return [(a, b) for i, (a, box) in enumerate(boxes) for b, other in boxes[:i] if box.overlaps(other)]


def cut_off(figure: Any, placed: Placed) -> list[str]:
    """Return the texts that reach more than a pixel beyond the figure."""
    frame = figure.bbox.padded(1.0)
    return [
        text for text, box in placed if box.x0 < frame.x0 or box.y0 < frame.y0 or box.x1 > frame.x1 or box.y1 > frame.y1
    ]


def fractions(vector: Any) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, vector))


def area(polygon: Sequence[Vector]) -> Fraction:
    """Return a polygon's area by the shoelace formula, with the first two entries of each corner for x and y."""
    around = zip(polygon, [*polygon[1:], *polygon[:1]], strict=True)
    return abs(sum((a[0] * b[1] - a[1] * b[0] for a, b in around), Fraction(0))) / 2
