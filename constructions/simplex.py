"""Linear inequalities over Q, decided by the revised simplex method.

A basis is a square matrix of integers. In each step FLINT solves linear systems with it, and multiplies an integer
matrix by the dual vector; the first positive entry of the product shows the row that enters the basis. No simplex table
is kept from step to step: its entries would be as long as determinants.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from sys import maxsize
from typing import cast

from flint import fmpq_mat, fmpz_mat

from constructions.linear import Matrix, Vector, fraction, integer_rows, transpose

WORK = 30_000_000
"""The default limit on work for one system. A step with a basis (d, d) and m rows counts as d^3 + d m."""


def inequalities(
    rows: Sequence[Sequence[int]], strict: Sequence[bool], first: Sequence[int] = (), work: int = WORK
) -> tuple[bool, list[Fraction]] | None:
    """Decide whether some b has row'b >= 0 for all rows, and row'b > 0 for the strict rows. There must be a row.

    Returns (True, b), or (False, t) with multipliers t that exclude every b: t >= 0, the sum of t_j row_j over all rows
    j is 0, and the sum of t_j over the strict rows j is 1. Returns None if the search would take more than this `work`.

    The first phase of the simplex method looks for t. It adds an artificial unknown to each of the equations for t, and
    minimises the sum of these unknowns. If the least sum is 0, there is a t. Otherwise the optimal dual (y, s) has
    row'y <= 0 for all rows, and row'y <= -s < 0 for strict rows; b is -y. By Bland's rule the search ends for any order
    of the unknowns (R. G. Bland, New finite pivoting rules for the simplex method, Mathematics of Operations Research
    2, 1977). Here the unknowns of the rows with the indices `first` come first.
    """
    count, height = len(rows), len(rows[0]) + 1
    order = list(dict.fromkeys((*first, *range(count))))
    listed = [[*rows[j], int(strict[j])] for j in order]
    table, units = fmpz_mat(listed), [[int(i == j) for j in range(height)] for i in range(height)]
    goal, basis = units[-1], list(range(count, count + height))
    for _ in range(work // (height * (height * height + count)) + 1):
        square = fmpz_mat([listed[j] if j < count else units[j - count] for j in basis])
        dual, _ = _solved(square, [[int(j >= count) for j in basis]]).numer_denom()
        gains = table * dual
        entering = next((j for j in range(count) if gains[j, 0] > 0), None)
        if entering is None:
            break
        sides = _solved(square.transpose(), [goal, listed[entering]])
        ratios = [(sides[i, 0] / sides[i, 1], basis[i], i) for i in range(height) if sides[i, 1] > 0]
        basis[min(ratios)[2]] = entering  # there is one, since the sum of artificial unknowns is bounded below
    else:
        return None
    if dual[height - 1, 0] > 0:
        return True, [Fraction(-int(dual[i, 0])) for i in range(height - 1)]
    solved = _solved(square.transpose(), [goal])
    entries = {order[j]: fraction(solved[i, 0]) for i, j in enumerate(basis) if j < count}
    return False, [entries.get(j, Fraction(0)) for j in range(count)]


def _solved(square: fmpz_mat, right: list[list[int]]) -> fmpq_mat:
    """Solve a square system for several right sides. The solutions are the columns of the result."""
    return cast("fmpq_mat", square.solve(fmpz_mat(right).transpose()))


def nonnegative_solution(matrix: Matrix, right: Vector) -> Vector | None:
    """Return some x >= 0 with matrix x = right, or None if there is none. The work has no limit."""
    rows, _ = integer_rows((*transpose(matrix), tuple(-entry for entry in right)))
    solution = inequalities(rows, [False] * len(matrix[0]) + [True], work=maxsize)
    return tuple(solution[1][:-1]) if solution and not solution[0] else None
