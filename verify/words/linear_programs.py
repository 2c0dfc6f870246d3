"""Systems of strict and weak homogeneous inequalities, decided exactly.

By Motzkin's theorem, exactly one of these exists:

- a vector b with row'b >= 0 for every weak row and row'b > 0 for every strict row
- multipliers t >= 0, one for each row, not all 0 on the strict rows, with sum t row = 0

HiGHS proposes a vector and multipliers in floats. The vector is rounded; the multipliers are solved for over Q, by
FLINT, on the rows where the proposal is large. Each result is checked exactly before it is returned. If neither passes
the check, the simplex method over Q decides, up to a limit on its work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from threading import local
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from constructions.linear import Vector, integers, solve
from constructions.simplex import inequalities

Integers: TypeAlias = Sequence[int]
Floats: TypeAlias = NDArray[np.float64]
Limits: TypeAlias = tuple[Floats, Floats]

_THREAD = local()
"""The HiGHS solver of each thread. Threads that shared a solver would overwrite each other's program."""


@dataclass(frozen=True)
class Row:
    """One inequality: coefficients'b >= 0, or > 0 if `strict`. `of`: a label of the row for the caller."""

    coefficients: tuple[int, ...]
    strict: bool
    of: Any = None


def equation(coefficients: Sequence[Fraction], of: Any = None) -> list[Row]:
    """Return coefficients'b = 0 as two inequalities. Their rows are `scale` and -`scale` times the coefficients.

    `scale` is a number that makes these rows integers. Their labels are (of, scale) and (of, -scale).
    """
    entries, scale = integers(coefficients)
    return [Row(entries, False, (of, scale)), Row(tuple(-entry for entry in entries), False, (of, -scale))]


@dataclass(frozen=True)
class Solution:
    """Some b that satisfies every row."""

    b: Vector


@dataclass(frozen=True)
class Multipliers:
    """Multipliers t >= 0 with sum t row = 0, which exclude a solution. At least one row with t > 0 is strict.

    `of`: each t > 0 by the index of its row.
    """

    of: dict[int, Fraction]

    def over(self, rows: Sequence[Row]) -> list[tuple[Any, Fraction]]:
        """Return (label, t) for each of these rows with t > 0. `rows`: the first rows of the system."""
        return [(row.of, self.of[i]) for i, row in enumerate(rows) if i in self.of]


def decide(rows: Sequence[Row]) -> Solution | Multipliers | None:
    """Return a solution, or multipliers that exclude a solution; None if the work limit ends the simplex method.

    There must be a row.
    """
    coefficients = [row.coefficients for row in rows]
    floats = np.array([[x / largest for x in row] for row in coefficients for largest in [max(map(abs, row)) or 1]])
    strict = np.array([row.strict for row in rows])
    for needs_margin in [np.ones_like(strict), strict][: 1 if strict.all() else 2]:  # first a distance from every row
        b, multipliers = _propose(floats, needs_margin)
        solution = _confirm_solution(rows, b)
        if solution:
            return solution
    if confirmed := _confirm_multipliers(rows, multipliers):
        return confirmed
    first = [int(i) for i in np.argsort(-multipliers) if multipliers[i] > 0]
    result = inequalities(coefficients, [row.strict for row in rows], first)
    if result is None:
        return None
    solved, numbers = result
    return Solution(tuple(numbers)) if solved else Multipliers({i: t for i, t in enumerate(numbers) if t})


def _propose(floats: Floats, needs_margin: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Maximise a margin s in [0, 1] over b, by HiGHS; return b and the dual multipliers of the rows.

    The entries of b are in [-1, 1]. The constraints are row'b >= s for rows with `needs_margin`, row'b >= 0 for others.
    If HiGHS finds no optimum, both results are zeros.
    """
    from highspy import HighsModelStatus  # no command needs it at its start

    count, width = floats.shape
    if not hasattr(_THREAD, "simplex"):  # to make one takes as long as to solve some small programs
        _THREAD.simplex = quiet_solver(solver="simplex")
    highs, system = _THREAD.simplex, np.hstack([-floats, needs_margin[:, None].astype(np.float64)])
    goal, lower, upper = np.zeros(width + 1), np.full(width + 1, -1.0), np.ones(width + 1)
    goal[-1], lower[-1] = -1.0, 0.0
    pass_program(highs, system, goal, (lower, upper), (np.full(count, -np.inf), np.zeros(count)))
    highs.run()
    if highs.getModelStatus() != HighsModelStatus.kOptimal:
        return np.zeros(width), np.zeros(count)
    solution = highs.getSolution()
    return np.array(solution.col_value[:-1]), -np.array(solution.row_dual)


def pass_program(highs: Any, matrix: Floats, goal: Floats, limits: Limits, row_limits: Limits) -> None:
    """Pass HiGHS a linear program: minimise goal'x for x within `limits` and `matrix` x within `row_limits`.

    Each of `limits` and `row_limits` is a pair of vectors, lower and upper.
    """
    from highspy import MatrixFormat, ObjSense

    row, column = np.nonzero(matrix)
    starts = np.searchsorted(row, np.arange(len(matrix) + 1)).astype(np.int32)
    entries = starts, column.astype(np.int32), matrix[row, column]
    sizes = len(goal), len(matrix), len(row), int(MatrixFormat.kRowwise), int(ObjSense.kMinimize), 0.0
    highs.passModel(*sizes, goal, *limits, *row_limits, *entries, np.zeros(len(goal), dtype=np.int32))


def quiet_solver(**options: bool | float | str) -> Any:
    """Return a HiGHS solver with these options that prints nothing."""
    from highspy import _Highs  # type: ignore[attr-defined]  # `Highs` prints a banner before it can be told not to

    highs = _Highs()
    for name, value in {"output_flag": False, **options}.items():
        highs.setOptionValue(name, value)
    return highs


def _confirm_solution(rows: Sequence[Row], b: Floats) -> Solution | None:
    """Round b to finer and finer fractions until every row holds exactly; return None if each rounding breaks a row."""
    for bits in (8, 20, 50):
        numerators = [round(value * 2**bits) for value in b.tolist()]
        if all(sum(map(mul, row.coefficients, numerators)) >= row.strict for row in rows):  # integers: > 0 is >= 1
            return Solution(tuple(Fraction(x, 2**bits) for x in numerators))
    return None


def _confirm_multipliers(rows: Sequence[Row], proposed: Floats) -> Multipliers | None:
    """Solve for multipliers over Q on the rows where the proposal is large; return None if no solution is >= 0.

    The threshold for "large" falls step by step, so small supports come first. The equations are sum t row = 0, and
    sum t = 1 over the strict rows.
    """
    thresholds, width = proposed.max() * np.array((1e-4, 1e-6, 1e-8, 1e-10, 1e-13)), len(rows[0].coefficients)
    for support in dict.fromkeys(tuple(np.flatnonzero(proposed > threshold).tolist()) for threshold in thresholds):
        if 0 < len(support) <= width + 1:
            equations = [(*rows[i].coefficients, int(rows[i].strict)) for i in support]
            solution = solve(list(zip(*equations, strict=True)), [*[(0,)] * width, (1,)])
            if solution and all(t >= 0 for (t,) in solution):
                return Multipliers({i: t for i, (t,) in zip(support, solution, strict=True) if t})
    return None
