"""Systems of strict and weak homogeneous inequalities, decided exactly.

Either some b has row'b >= 0 for every weak row and > 0 for every strict one, or (Motzkin) some multipliers t >= 0,
not all 0 on strict rows, have sum t row = 0. HiGHS proposes which, in floats; FLINT solves the proposed basis over Q;
and nothing is returned that has not been checked exactly. Where floats cannot tell, the simplex method over Q does,
up to a size.
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
"""Has the solver of each thread: two threads that share one overwrite each other's program."""


@dataclass(frozen=True)
class Row:
    """One inequality coefficients'b >= 0, or > 0 if strict, in integers. `of`: what it is about, for the caller."""

    coefficients: tuple[int, ...]
    strict: bool
    of: Any = None


def equation(coefficients: Sequence[Fraction], of: Any = None) -> list[Row]:
    """Return coefficients'b = 0 as two inequalities in integers. Their `of` is (of, scale) and (of, -scale)."""
    entries, scale = integers(coefficients)
    return [Row(entries, False, (of, scale)), Row(tuple(-entry for entry in entries), False, (of, -scale))]


@dataclass(frozen=True)
class Solution:
    """Some b that satisfies every row."""

    b: Vector


@dataclass(frozen=True)
class Multipliers:
    """t > 0 for the rows with these indices, with sum t row = 0 and a strict row among them."""

    of: dict[int, Fraction]

    def over(self, rows: Sequence[Row]) -> list[tuple[Any, Fraction]]:
        """Return `of` and the multiplier of each of these rows that has one; they are the first rows of the system."""
        return [(row.of, self.of[i]) for i, row in enumerate(rows) if i in self.of]


def decide(rows: Sequence[Row]) -> Solution | Multipliers | None:
    """Return a solution or the multipliers that exclude one; None if neither could be confirmed exactly."""
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
    """Maximise the margin t in row'b >= t over |b| <= 1; return b and the rows' multipliers."""
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
    """Hand HiGHS a linear program: minimise goal'x for x between limits, and `matrix` x between others."""
    from highspy import MatrixFormat, ObjSense

    row, column = np.nonzero(matrix)
    starts = np.searchsorted(row, np.arange(len(matrix) + 1)).astype(np.int32)
    entries = starts, column.astype(np.int32), matrix[row, column]
    sizes = len(goal), len(matrix), len(row), int(MatrixFormat.kRowwise), int(ObjSense.kMinimize), 0.0
    highs.passModel(*sizes, goal, *limits, *row_limits, *entries, np.zeros(len(goal), dtype=np.int32))


def quiet_solver(**options: bool | float | str) -> Any:
    """Make HiGHS with these options; it prints nothing."""
    from highspy import _Highs  # type: ignore[attr-defined]  # `Highs` prints a banner before it can be told not to

    highs = _Highs()
    for name, value in {"output_flag": False, **options}.items():
        highs.setOptionValue(name, value)
    return highs


def _confirm_solution(rows: Sequence[Row], b: Floats) -> Solution | None:
    """Round to ever finer fractions until every row holds exactly."""
    for bits in (8, 20, 50):
        numerators = [round(value * 2**bits) for value in b.tolist()]
        if all(sum(map(mul, row.coefficients, numerators)) >= row.strict for row in rows):  # integers: > 0 is >= 1
            return Solution(tuple(Fraction(x, 2**bits) for x in numerators))
    return None


def _confirm_multipliers(rows: Sequence[Row], proposed: Floats) -> Multipliers | None:
    """Solve the proposed support exactly, smallest support first, and check the signs."""
    thresholds, width = proposed.max() * np.array((1e-4, 1e-6, 1e-8, 1e-10, 1e-13)), len(rows[0].coefficients)
    for support in dict.fromkeys(tuple(np.flatnonzero(proposed > threshold).tolist()) for threshold in thresholds):
        if 0 < len(support) <= width + 1:
            equations = [(*rows[i].coefficients, int(rows[i].strict)) for i in support]
            solution = solve(list(zip(*equations, strict=True)), [*[(0,)] * width, (1,)])
            if solution and all(t >= 0 for (t,) in solution):
                return Multipliers({i: t for i, (t,) in zip(support, solution, strict=True) if t})
    return None
