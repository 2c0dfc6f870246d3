"""Names beside points that cover neither each other nor, where that can be helped, any point.

A rectangle is its corners in pixels, (x0, y0, x1, y1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, product
from typing import Any, TypeAlias

import numpy as np

from constructions.fields import Array
from verify.views.plots.style import INK, SMALL, Axes

SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
"""Where a name may stand beside its point: right, left, above, below, and at the corners."""

FAR = (0.0, 16.0, 34.0, 52.0)
"""How many points (1/72 inch) further out it may stand: with a line to its point."""

MARKER = 3.0
"""How far a point reaches, and how far names keep from each other, in pixels."""

STEPS = 32
"""How many points of a piece of a line names keep away from."""

ALIGN = {1: ("left", "bottom"), 0: ("center", "center"), -1: ("right", "top")}

Place: TypeAlias = tuple[float, float]
Places: TypeAlias = Sequence[Place]


@dataclass(frozen=True)
class Name:
    """A text for a point, or for any of several, and how many points (1/72 inch) away from it."""

    at: Places
    text: str
    away: float = 6.0
    colour: str = INK


def place(ax: Axes, names: Iterable[Name], taken: Places = (), settled: bool = False) -> list[Name]:
    """Write names in order of importance, each beside its point where it is free, or else further out with a line.

    No name covers another one, or other words, and none covers a line, its points, or those `taken`, where that can be
    helped. Names move no axes: where these are is settled by a drawing, unless it is `settled`. Returns the names for
    which there is no room.
    """
    names = list(names)
    if not settled:
        ax.figure.draw_without_rendering()
    points = [ax.transData.transform(point) for point in (*taken, *(point for name in names for point in name.at))]
    points += [point for line in ax.get_lines() for point in _along(line)]
    markers = [np.r_[point - MARKER, point + MARKER] for point in points]
    used, left_out = _words(ax), []
    for name in names:
        found = next(chain(_free(ax, name, [*used, *markers]), _free(ax, name, used)), None)
        if found is None:
            left_out.append(name)
        else:
            box, where = found
            _write(ax, name, *where)
            used.append(box)
    return left_out


def _along(line: Any) -> Iterator[Array]:
    """Yield pixels of a line, so close that no name fits between them."""
    parts = np.linspace(0, 1, STEPS + 1)[:, None]
    for start, end in pairwise(line.get_transform().transform(line.get_xydata())):
        yield from start + parts * (end - start)


def _free(ax: Axes, name: Name, used: Sequence[Array]) -> Iterator[tuple[Array, tuple[Place, tuple[int, int], float]]]:
    """Yield where a name meets nothing that is used: its rectangle, the point, the side, and how much further out."""
    frame, size, taken = ax.figure.bbox.extents, _size(ax, name.text), np.array(used)
    for far, at, side in product(FAR, name.at, SIDES):
        box = _beside(ax, at, side, name.away + far, size)
        within = (frame[:2] <= box[:2]).all() and (box[2:] <= frame[2:]).all()
        if within and not ((box[:2] <= taken[:, 2:]) & (taken[:, :2] <= box[2:])).all(1).any():
            yield box, (at, side, far)


def _beside(ax: Axes, at: Place, side: tuple[int, int], away: float, size: Array) -> Array:
    towards = np.array(side)
    low = ax.transData.transform(at) + towards * _reach(side, away) * ax.figure.dpi / 72 - (1 - towards) / 2 * size
    return np.r_[low - 1, low + size + 1]


def _reach(side: tuple[int, int], away: float) -> float:
    return away * (0.7 if all(side) else 1.0)


def _write(ax: Axes, name: Name, at: Place, side: tuple[int, int], far: float) -> None:
    dx, dy = side
    reach = _reach(side, name.away + far)
    line = {"arrowstyle": "-", "color": name.colour, "linewidth": 0.6, "shrinkB": 1} if far else None
    beside = {"xytext": (dx * reach, dy * reach), "textcoords": "offset points", "ha": ALIGN[dx][0], "va": ALIGN[dy][1]}
    written = ax.annotate(name.text, at, fontsize=SMALL, color=name.colour, arrowprops=line, zorder=6, **beside)
    written.set_in_layout(False)


def _words(ax: Axes) -> list[Array]:
    """Return the rectangles of what is written already: names, title, axes with their labels, legend."""
    written = [text for text in (*ax.texts, ax.title) if text.get_text()]
    written += [ax.get_legend()] if ax.get_legend() is not None else []
    boxes = [*(text.get_window_extent() for text in written), ax.xaxis.get_tightbbox(), ax.yaxis.get_tightbbox()]
    return [box.extents for box in boxes if box is not None]


def _size(ax: Axes, text: str) -> Array:
    probe = ax.text(0, 0, text, fontsize=SMALL)
    size = probe.get_window_extent().size
    probe.remove()
    return size
