"""Subspaces of R^3, many at once: the spans of the inputs of all small models that have one emission matrix.

Exact, in 64-bit integers: vectors are kept coprime, and before products are formed it is made sure of the numbers at
hand that none can overflow (`ArithmeticError` where one could). Models with two states have a third coordinate that is
always 0.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Whole: TypeAlias = NDArray[np.int64]
Index: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]

DIMENSIONS = 3


class Spaces:
    """N subspaces of R^3. `basis` (N, 3, 3): independent vectors, `rank` (N,) of them, and then zeros."""

    def __init__(self, count: int) -> None:
        """All of them are 0."""
        self.basis: Whole = np.zeros((count, DIMENSIONS, DIMENSIONS), np.int64)
        self.rank: Whole = np.zeros(count, np.int64)

    @classmethod
    def spanned(cls, vectors: Whole) -> Spaces:
        """Return the spans of (N, m, 3) vectors."""
        found = cls(len(vectors))
        for place in range(vectors.shape[1]):
            found.add(vectors[:, place])
        return found

    def add(self, vectors: Whole) -> Mask:
        """Add one vector to each (N, 3), and tell where it was not in it."""
        vectors = coprime(vectors)
        new = ~self.holds(vectors)
        at = np.flatnonzero(new)
        self.basis[at, self.rank[at]] = vectors[at]
        self.rank[at] += 1
        return new

    def add_to(self, at: Index, vectors: Whole) -> bool:
        """Add one vector to each of some of them, and tell whether any is larger now."""
        some = Spaces(0)
        some.basis, some.rank = self.basis[at], self.rank[at]
        new = some.add(vectors)
        self.basis[at], self.rank[at] = some.basis, some.rank
        return bool(new.any())

    def holds(self, vectors: Whole) -> Mask:
        """Tell of vectors (N, ..., 3) whether they lie in them: (N, ...)."""
        one, two = (self.basis[:, place].reshape(-1, *[1] * (vectors.ndim - 2), DIMENSIONS) for place in (0, 1))
        normal = coprime(cross(one, two))
        on_plane = _dot(normal, vectors) == 0
        rank = self.rank.reshape(-1, *[1] * (vectors.ndim - 2))
        line = (rank == 1) & ~cross(one, vectors).any(axis=-1)
        found: Mask = (rank == DIMENSIONS) | ((rank == 2) & on_plane) | line | ~vectors.any(axis=-1)
        return found


def coprime(vectors: Whole) -> Whole:
    """Divide each vector by the greatest common divisor of its entries."""
    found: Whole = vectors // np.maximum(np.gcd.reduce(vectors, axis=-1, keepdims=True), 1)
    return found


def cross(left: Whole, right: Whole) -> Whole:
    """Return the products that are orthogonal to both."""
    _fits(left, right, 2)
    (a, b, c), (x, y, z) = np.moveaxis(left, -1, 0), np.moveaxis(right, -1, 0)
    return np.stack([b * z - c * y, c * x - a * z, a * y - b * x], axis=-1)


def _dot(left: Whole, right: Whole) -> Whole:
    _fits(left, right, DIMENSIONS)
    found: Whole = sum(left[..., i] * right[..., i] for i in range(DIMENSIONS))  # type: ignore[assignment]
    return found


def _fits(left: Whole, right: Whole, terms: int) -> None:
    """Make sure that so many products, added up, are smaller than 2^63."""
    if terms * _largest(left) * _largest(right) >= 2**63:
        raise ArithmeticError("numbers are too large for 64-bit integers")


def _largest(numbers: NDArray[Any]) -> int:
    return max(int(numbers.max(initial=0)), -int(numbers.min(initial=0)))


class Reached:
    """The spans of the inputs of N models with one W and all kinds of start (`verify.words.reachable` has the theory).

    `transitions` (N, 3, 3): A in whole units. `emission` (k, 3): W. The third of two states is reached from none.
    """

    def __init__(self, transitions: Whole, emission: Whole) -> None:
        """Let U_h grow from the span of 1, by one letter at a time, until nothing is new."""
        self.transitions, self.emission = transitions, emission
        ones = np.broadcast_to(emission.any(axis=0).astype(np.int64), (len(transitions), 1, DIMENSIONS))
        self.after = [Spaces.spanned(ones) for _ in range(DIMENSIONS)]
        while sum(self._extend(self.after[h], h) for h in range(DIMENSIONS)):
            pass

    def inputs(self, start: Whole) -> Spaces:
        """Return V, the spans of beta(x) over all inputs x, for P[H_0] of this support."""
        found = Spaces(len(self.transitions))
        for h in np.flatnonzero(start):
            self._extend(found, int(h))
        return found

    def _extend(self, spaces: Spaces, h: int) -> bool:
        """Add M_z U_g wherever h can go to g and g can emit z, and tell whether anything was new."""
        new = False
        for g in range(DIMENSIONS):
            for weights in self.emission[self.emission[:, g] > 0]:
                for place in range(DIMENSIONS):
                    open_ = (self.transitions[:, g, h] > 0) & (spaces.rank < DIMENSIONS) & (self.after[g].rank > place)
                    at = np.flatnonzero(open_)
                    seen = self.after[g].basis[at, place] * weights
                    new |= spaces.add_to(at, (seen[:, None] @ self.transitions[at])[:, 0])  # A'(W[z,:] o v)
        return new
