"""Polygons, cut exactly by half-planes. A polygon is the region of a label in a simplex, or a set of heads in a plane.

A corner is a vector: barycentric coordinates in a simplex, or (x, y, 1) in a plane. Functionals are linear in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TypeAlias

from constructions.linear import Matrix, Vector, dot, identity, minus

Polygon: TypeAlias = tuple[Vector, ...]
"""The corners of a polygon in order. A segment has two; the empty polygon is ()."""


def clip(polygon: Polygon, functionals: Iterable[Vector]) -> Polygon:
    """Return the part of a convex polygon or segment where all functionals are >= 0."""
    for functional in functionals:
        corners: list[Vector] = []
        for a, b in zip(polygon, (*polygon[1:], *polygon[:1]), strict=True):
            at_a, at_b = dot(functional, a), dot(functional, b)
            if at_a >= 0:
                corners.append(a)
            if at_a * at_b < 0:
                corners.append(tuple((x * at_b - y * at_a) / (at_b - at_a) for x, y in zip(a, b, strict=True)))
        polygon = tuple(dict.fromkeys(corners))
    return polygon


def region(rows: Matrix, label: int) -> Polygon:
    """Return the part of a segment or triangle where a label's row is the largest. Ties belong to both regions.

    `rows` (K, n) are functionals of the barycentric coordinates, n <= 3.
    """
    best = rows[label]
    return clip(identity(len(best)), [minus(best, row) for other, row in enumerate(rows) if other != label])


def borders(rows: Matrix) -> list[Polygon]:
    """Return the borders between regions of labels: segments in a triangle, points in a segment."""
    segments = []
    for l, m in combinations(range(len(rows)), 2):
        apart = minus(rows[l], rows[m])
        border = tuple(corner for corner in region(rows, l) if not dot(apart, corner))
        if any(apart) and len(border) >= len(apart) - 1:
            segments.append(border)
    return segments


def in_plane(polygon: Polygon) -> list[tuple[float, float]]:
    """Return the corners (x, y, 1) of a polygon as places (x, y) in floats."""
    return [(float(x), float(y)) for x, y, _ in polygon]
