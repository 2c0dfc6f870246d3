"""Polygons cut by half-planes, exactly: the regions of an arg max in a simplex, and what is left of a set of heads.

A corner is a vector of coordinates on which functionals are linear: barycentric ones, or (x, y, 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations
from typing import TypeAlias

from constructions.linear import Matrix, Vector, dot, identity, minus

Polygon: TypeAlias = tuple[Vector, ...]
"""Its corners in order. A segment has two, and nothing is ()."""


def clip(polygon: Polygon, functional: Vector) -> Polygon:
    """Return the part of a convex polygon or segment where a functional is >= 0."""
    kept: list[Vector] = []
    for a, b in zip(polygon, (*polygon[1:], *polygon[:1]), strict=True):
        at_a, at_b = dot(functional, a), dot(functional, b)
        if at_a >= 0:
            kept.append(a)
        if at_a * at_b < 0:
            kept.append(tuple((x * at_b - y * at_a) / (at_b - at_a) for x, y in zip(a, b, strict=True)))
    return tuple(dict.fromkeys(kept))


def clip_all(polygon: Polygon, functionals: Sequence[Vector]) -> Polygon:
    """Return the part where all functionals are >= 0."""
    return reduce(clip, functionals, polygon)


def region(rows: Matrix, label: int) -> Polygon:
    """Return the part of a simplex where a label's row is the largest; ties are in the region of both."""
    own = rows[label]
    apart = [minus(own, row) for other, row in enumerate(rows) if other != label]
    return clip_all(identity(len(own)), apart)


def borders(rows: Matrix) -> list[Polygon]:
    """Return the borders between two regions: segments of a triangle, points of a segment."""
    found = []
    for l, m in combinations(range(len(rows)), 2):
        apart = minus(rows[l], rows[m])
        border = tuple(corner for corner in region(rows, l) if not dot(apart, corner))
        if any(apart) and len(border) >= len(apart) - 1:
            found.append(border)
    return found


def in_plane(polygon: Polygon) -> list[tuple[float, float]]:
    """Return the corners (x, y, 1) of a polygon as places."""
    return [(float(x), float(y)) for x, y, _ in polygon]


def line(through: Vector, other: Vector) -> Polygon:
    """Return the part in the triangle of the line through two points, of which one may be a direction (sum 0)."""
    (a, b, c), (d, e, f) = through, other
    normal = (b * f - c * e, c * d - a * f, a * e - b * d)
    return next(iter(borders(((Fraction(0),) * 3, normal))), ())
