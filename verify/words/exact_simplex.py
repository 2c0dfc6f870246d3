"""The exact fallback of `verify.words.linear_programs`: the simplex method over Q, where floats could not tell.

Looked for are multipliers t >= 0 with sum t row = 0, and sum t = 1 over the strict rows: a first phase, which starts
from one artificial unknown for each of these equations and minimises their sum. If that is 0, t is found; if not, the
optimal dual y has row'b >= y_last > 0 (or >= 0, weak rows) for b = -y, the other entries. Bland's rule makes it end.

Reference: R. G. Bland, New finite pivoting rules for the simplex method, Mathematics of Operations Research 2 (1977).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import fmpq

from constructions.linear import fraction

OPERATIONS = 1_000_000
"""How many rational operations one system may take."""


def exact(rows: Sequence[Sequence[int]], strict: Sequence[bool]) -> tuple[bool, list[Fraction]] | None:
    """Return (True, b), some b with row'b >= 0, and > 0 for strict rows, or (False, t), multipliers that exclude one.

    None if that takes more than `OPERATIONS`.
    """
    count, height = len(rows), len(rows[0]) + 1
    width = count + height + 1
    columns = [[*row, int(marked)] for row, marked in zip(rows, strict, strict=True)]
    table = [
        [fmpq(column[i]) for column in columns] + [fmpq(int(i == j)) for j in range(height)] + [fmpq(i == height - 1)]
        for i in range(height)
    ]
    costs = [-sum((line[j] for line in table), fmpq(0)) for j in range(count)] + [fmpq(0)] * height + [fmpq(-1)]
    basis = list(range(count, count + height))
    for _ in range(OPERATIONS // (height * width)):
        entering = next((j for j in range(count) if costs[j] < 0), None)
        if entering is None:
            return _read(table, costs, basis, count)
        ratios = [(line[-1] / line[entering], basis[i], i) for i, line in enumerate(table) if line[entering] > 0]
        _, _, leaving = min(ratios)  # there is one, since the sum of artificial unknowns is bounded below
        _pivot(table, costs, leaving, entering)
        basis[leaving] = entering
    return None


def _pivot(table: list[list[fmpq]], costs: list[fmpq], leaving: int, entering: int) -> None:
    """Make the entering column a unit column, in the objective, too."""
    divisor = table[leaving][entering]
    table[leaving] = pivot = [entry / divisor for entry in table[leaving]]
    for line in [*table[:leaving], *table[leaving + 1 :], costs]:
        factor = line[entering]
        if factor != 0:
            line[:] = [entry - factor * other for entry, other in zip(line, pivot, strict=True)]


def _read(table: list[list[fmpq]], costs: list[fmpq], basis: list[int], count: int) -> tuple[bool, list[Fraction]]:
    """Read the multipliers off the right sides, or if an artificial unknown remains the dual off its costs."""
    if costs[-1] != 0:
        return True, [fraction(cost - 1) for cost in costs[count:-2]]
    multipliers = [Fraction(0)] * count
    for line, j in zip(table, basis, strict=True):
        if j < count:
            multipliers[j] = fraction(line[-1])
    return False, multipliers
