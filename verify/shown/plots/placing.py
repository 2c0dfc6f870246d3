"""Names beside points that cover neither each other nor, where that can be helped, any point."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any, TypeAlias

from verify.shown.plots.style import INK, SMALL, Axes

SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
"""Where a name may stand beside its point: right, left, above, below, and at the corners."""

FAR = (0.0, 16.0, 34.0, 52.0)
"""How many points (1/72 inch) further out it may stand: with a line to its point."""

MARKER = 3.0
"""How far a point reaches, and how far names keep from each other, in pixels."""

STEPS = 32
"""How many points of a piece of a line names keep away from."""

ALIGN = {1: ("left", "bottom"), 0: ("center", "center"), -1: ("right", "top")}

Places: TypeAlias = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Name:
    """A text for a point, or for any of several, and how many points (1/72 inch) away from it."""

    at: Places
    text: str
    away: float = 6.0
    colour: str = INK


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels."""

    x0: float
    y0: float
    x1: float
    y1: float

    def meets(self, other: Box) -> bool:
        """Tell whether two rectangles have a point in common."""
        return self.x0 <= other.x1 and other.x0 <= self.x1 and self.y0 <= other.y1 and other.y0 <= self.y1

    def within(self, other: Box) -> bool:
        """Tell whether it lies in another one."""
        return other.x0 <= self.x0 and self.x1 <= other.x1 and other.y0 <= self.y0 and self.y1 <= other.y1


def place(ax: Axes, names: Iterable[Name], taken: Places = (), settled: bool = False) -> list[Name]:
    """Write names in order of importance, each beside its point where it is free, or else further out with a line.

    No name covers another one, or other words, and none covers a line, its points, or those `taken`, where that can be
    helped. Names move no axes: where these are is settled by a drawing, unless it is `settled`. Returns the names for
    which there is no room.
    """
    names = list(names)
    if not settled:
        ax.figure.draw_without_rendering()
    points = {_pixel(ax, point) for point in (*taken, *(point for name in names for point in name.at))}
    points.update(point for line in ax.get_lines() for point in _along(line))
    markers = [Box(x - MARKER, y - MARKER, x + MARKER, y + MARKER) for x, y in points]
    used, left_out = _words(ax), []
    for name in names:
        found = _free(ax, name, [*used, *markers]) or _free(ax, name, used)
        if found is None:
            left_out.append(name)
        else:
            used.append(found)
    return left_out


def _along(line: Any) -> Places:
    """Return pixels of a line, so close that no name fits between them."""
    path = [(float(x), float(y)) for x, y in line.get_transform().transform(line.get_xydata())]
    parts = [i / STEPS for i in range(STEPS + 1)]
    return [(a + t * (c - a), b + t * (d - b)) for (a, b), (c, d) in pairwise(path) for t in parts]


def _free(ax: Axes, name: Name, used: Sequence[Box]) -> Box | None:
    """Write a name where it meets nothing that is used, and return its rectangle; None if there is no such place."""
    frame, size = _box(ax.figure.bbox), _size(ax, name.text)
    for far, at, side in product(FAR, name.at, SIDES):
        box = _beside(ax, _pixel(ax, at), side, name.away + far, size)
        if box.within(frame) and not any(box.meets(other) for other in used):
            _write(ax, name, at, side, far)
            return box
    return None


def _beside(ax: Axes, at: tuple[float, float], side: tuple[int, int], away: float, size: tuple[float, float]) -> Box:
    """Return the rectangle of a name on one side of a pixel."""
    reach = _reach(side, away) * ax.figure.dpi / 72
    x0, y0 = (p + d * reach - (1 - d) / 2 * extent for p, d, extent in zip(at, side, size, strict=True))
    return Box(x0 - 1, y0 - 1, x0 + size[0] + 1, y0 + size[1] + 1)


def _reach(side: tuple[int, int], away: float) -> float:
    return away * (0.7 if all(side) else 1.0)


def _write(ax: Axes, name: Name, at: tuple[float, float], side: tuple[int, int], far: float) -> None:
    dx, dy = side
    reach = _reach(side, name.away + far)
    written = ax.annotate(
        name.text,
        at,
        xytext=(dx * reach, dy * reach),
        textcoords="offset points",
        ha=ALIGN[dx][0],
        va=ALIGN[dy][1],
        fontsize=SMALL,
        color=name.colour,
        arrowprops={"arrowstyle": "-", "color": name.colour, "linewidth": 0.6, "shrinkB": 1} if far else None,
        zorder=6,
    )
    written.set_in_layout(False)


def _words(ax: Axes) -> list[Box]:
    """Return the rectangles of what is written already: names, title, axes with their labels, legend."""
    written = [text.get_window_extent() for text in (*ax.texts, ax.title) if text.get_text()]
    legend = ax.get_legend()
    written += [legend.get_window_extent()] if legend is not None else []
    return [_box(box) for box in (*written, ax.xaxis.get_tightbbox(), ax.yaxis.get_tightbbox()) if box is not None]


def _size(ax: Axes, text: str) -> tuple[float, float]:
    probe = ax.text(0, 0, text, fontsize=SMALL)
    box = probe.get_window_extent()
    probe.remove()
    return float(box.width), float(box.height)


def _pixel(ax: Axes, point: tuple[float, float]) -> tuple[float, float]:
    x, y = ax.transData.transform(point)
    return float(x), float(y)


def _box(box: Any) -> Box:
    return Box(float(box.x0), float(box.y0), float(box.x1), float(box.y1))
