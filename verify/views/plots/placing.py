"""Names beside points. No name covers another name, and no name covers a point if there is room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from verify.views.plots.style import INK, SMALL, Axes, Text

SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
"""The directions from a point to its name: right, left, above, below, and the four diagonals."""

OFFSETS = (0.0, 16.0, 34.0, 52.0)
"""Further distances between a point and its name, in 1/72 inch; if not 0, a line joins the two."""

MARKER_REACH = 3.0
"""The radius of a point, in pixels: names keep out of it."""

PARTS_OF_A_LINE = 32
"""Each straight piece of a line is cut into this many parts; their ends count as points that names avoid."""

ALIGN = {1: ("left", "bottom"), 0: ("center", "center"), -1: ("right", "top")}

Place: TypeAlias = tuple[float, float]
Places: TypeAlias = Sequence[Place]


@dataclass(frozen=True)
class Name:
    """A text beside one of the places `at` (data coordinates), `away` units of 1/72 inch from this place."""

    at: Places
    text: str
    away: float = 6.0
    colour: str = INK


def place(ax: Axes, names: Sequence[Name], occupied: Places = (), settled: bool = False) -> None:
    """Write names, the most important first, each beside its point, or further out with a line to it.

    A name lies inside the figure, and covers no other name and no other text of these axes. It takes the first position
    at which it covers no point, where points are the places `at` of all names, points of lines, and the places
    `occupied`, in data coordinates. If there is no such position, it may cover points. If even then it would cover
    other text or leave the figure, it is left out. The axes must not move afterwards. So the figure is drawn once to
    settle where the axes are; `settled` says that this was done before.
    """
    if not settled:
        ax.figure.draw_without_rendering()
    points = [*ax.transData.transform([*occupied, *(point for name in names for point in name.at)])] if names else []
    for line in ax.get_lines():
        points += [*line.get_transform().transform_path(line.get_path()).interpolated(PARTS_OF_A_LINE).vertices]
    texts = [text for panel in ax.figure.axes for text in panel.texts]
    artists = filter(None, (*texts, ax.title, ax.xaxis, ax.yaxis, ax.get_legend()))
    used = [box for artist in artists if (box := artist.get_tightbbox()) is not None]
    for name in names:
        for anywhere, far, at, (dx, dy) in product((False, True), OFFSETS, name.at, SIDES):
            reach = (name.away + far) * (0.7 if dx and dy else 1.0)
            style = {"fontsize": SMALL, "color": name.colour, "ha": ALIGN[dx][0], "va": ALIGN[dy][1], "zorder": 6}
            arrow = {"arrowstyle": "-", "color": name.colour, "linewidth": 0.6, "shrinkB": 1} if far else None
            offset = dx * reach, dy * reach
            text = ax.annotate(name.text, at, offset, textcoords="offset points", arrowprops=arrow, **style)
            text.set_in_layout(False)
            text.get_window_extent()  # moves it beside its point
            box = Text.get_window_extent(text).padded(1)  # without its line
            inside = ax.figure.bbox.count_contains([box.p0, box.p1]) == 2
            covered = box.count_overlaps(used) or (not anywhere and box.padded(MARKER_REACH).count_contains(points))
            if inside and not covered:
                used.append(box)
                break
            text.remove()
