"""Non-negative solutions of linear equations, exactly: phase one of the simplex method over Q.

Bland's rule (the least index enters, and leaves on a tie) keeps it from cycling. For systems of a model's size.
"""

from __future__ import annotations

from fractions import Fraction

from constructions.linear import Matrix, Vector


def nonnegative_solution(matrix: Matrix, right: Vector) -> Vector | None:
    """Return some x >= 0 with matrix x = right, or None if there is none. Needs right >= 0."""
    if any(entry < 0 for entry in right):
        raise ValueError("the right side has a negative entry")
    unknowns = len(matrix[0])
    rows = [[*row, goal] for row, goal in zip(matrix, right, strict=True)]
    basis = list(range(unknowns, unknowns + len(rows)))  # an artificial variable for each equation, never to come back
    while True:
        artificial = [row for row, variable in zip(rows, basis, strict=True) if variable >= unknowns]
        enters = next((j for j in range(unknowns) if sum(row[j] for row in artificial) > 0), None)
        if enters is None:
            break
        leaves = min((row[-1] / row[enters], basis[i], i) for i, row in enumerate(rows) if row[enters] > 0)[2]
        _pivot(rows, leaves, enters)
        basis[leaves] = enters
    if any(row[-1] for row in artificial):
        return None
    solution = [Fraction(0)] * unknowns
    for row, variable in zip(rows, basis, strict=True):
        if variable < unknowns:
            solution[variable] = row[-1]
    return tuple(solution)


def _pivot(rows: list[list[Fraction]], pivot: int, column: int) -> None:
    """Make one column a unit vector, 1 in the pivot row."""
    rows[pivot] = [entry / rows[pivot][column] for entry in rows[pivot]]
    for i, row in enumerate(rows):
        if i != pivot and row[column]:
            rows[i] = [entry - row[column] * by for entry, by in zip(row, rows[pivot], strict=True)]
