"""How far is a model from violating an assumption? The smallest change of W that does it, bounded on both sides.

A change moves each column of W in total variation; its size is the largest of these. (P[H_0], A and their zeros stay:
3.2 and what a prompt reaches depend on zeros alone.) Columns C of W, all of 3.1's, those of H*(B) of 3.5, those of the
ground set of 4.2, are

- **independent after every smaller change than `least`.** Take L with L W[:,C] = I. If (W + E)v = 0 with v on C, then
  v = -L E v, and a column of E is delta (p - q) for distributions p, q and delta its change, so that ||L E_c||_1 <=
  delta max over tokens z, z' of ||L_z - L_z'||_1. So no change below one over that maximum makes them dependent. Of all
  left inverses, floats propose one for which it is small, and it is made exact by any other, L0: L + (I - L W)L0;
- **dependent after some change of at most `most`**, and there is the model. For v with sum 0 on C, |v| of sum 2, let
  P = W v+, Q = W v-, and M their mean: scale the entries of each column of v+ where P > M by M / P, put what is cut
  off where M > P, in proportion to M - P, and do the same with v- and Q. Then W'v+ = M = W'v-, so W'v = 0.

Both are exact. 3.5 is violated when no B is left: `least` is that of one B that meets it, and v has to lie on states
that every B reaches. 4.2 is that of one H*, the one that the task asks for, or else the largest; v must not be 0 on it.
If the other columns are dependent, an arbitrarily small change may let them span one of H*: then `least` is 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import floor
from typing import Any

import numpy as np

from constructions.assumptions import Cover, cover
from constructions.evidence import Json, members, written
from constructions.linear import Matrix, Vector, columns, combine, identity, left_inverse, minus, transpose
from constructions.memory.assumptions import recoverable
from constructions.memory.coloops import Recoverable
from constructions.memory.model import MemoryHMM
from constructions.models import HMM, Model
from constructions.own.arrays import variation
from constructions.tasks import MemoryTask, Task

GRID = 10**6
"""What floats propose is rounded to multiples of one over this."""


@dataclass(frozen=True)
class Distance:
    """`least` <= the size of the smallest change after which an assumption fails <= `most`.

    `emission` is that of a model so changed. Both are None where no change was found.
    """

    assumption: str
    least: Fraction
    most: Fraction | None
    emission: Matrix | None

    @property
    def document(self) -> Json:
        """The bounds as JSON, and the emission matrix with which the assumption fails."""
        return {key: written(value) for key, value in members(self)}


def distances(model: Model, task: Task) -> list[Distance]:
    """Measure the distance to violating each assumption on W that a model meets: 3.1 and 3.5, or 4.2."""
    if isinstance(model, MemoryHMM):
        return [to_unrecoverable(model, task)] if isinstance(task, MemoryTask) else []
    return [to_dependent(model), to_no_cover(model, task)]


def to_dependent(model: HMM) -> Distance:
    """Measure the distance to violating 3.1."""
    every = range(len(model.states))
    return _between("3.1", model.emission, every, every)


def to_no_cover(model: HMM, task: Task) -> Distance:
    """Measure the distance to violating 3.5, as far as it is a matter of W: the zeros of A stay."""
    found = cover(model, task).evidence
    if not isinstance(found, Cover):
        return Distance("3.5", Fraction(0), Fraction(0), model.emission)
    always = set(task.support)  # in H*(B) for every B that covers supp(mu)
    for state in task.support:
        sources = [f for f, weight in enumerate(model.transition[state]) if weight]
        always |= frozenset.intersection(*map(model.successors, sources))
    return _between("3.5", model.emission, found.recoverable, sorted(always))


def to_unrecoverable(model: MemoryHMM, task: MemoryTask) -> Distance:
    """Measure the distance to violating 4.2, for the H* of the task, or else the largest."""
    found = recoverable("4.2", model, task).evidence
    if not isinstance(found, Recoverable):
        return Distance("4.2", Fraction(0), Fraction(0), model.emission)
    own = {model.shape.column(m, h) for m in range(model.shape.values) for h in found.states}
    every = range(len(model.emission[0]))
    return _between("4.2", model.emission, every, every, own)


def _between(
    assumption: str, emission: Matrix, needed: Sequence[int], dependent: Sequence[int], own: Collection[int] = ()
) -> Distance:
    """Bound the smallest change: while the columns `needed` are independent it holds, once `dependent` are it fails.

    It fails only where some column of `own`, if there are any, is among those that depend on each other.
    """
    least = independent_up_to(columns(emission, needed))
    changed = made_dependent(emission, dependent, own or dependent)
    return Distance(assumption, least, None if changed is None else _moved_by(emission, changed), changed)


def _moved_by(emission: Matrix, changed: Matrix) -> Fraction:
    return max(variation(*pair) for pair in zip(transpose(emission), transpose(changed), strict=True))


def independent_up_to(matrix: Matrix) -> Fraction:
    """Return a size below which no change makes the columns dependent; 0 where they are."""
    exact = left_inverse(matrix)
    if exact is None:
        return Fraction(0)
    proposed = _flat_left_inverse(matrix) or exact
    repaired = []
    for unit, row in zip(identity(len(exact)), proposed, strict=True):
        error = minus(unit, combine(row, matrix))
        repaired.append(tuple(a + b for a, b in zip(row, combine(error, exact), strict=True)))
    reach = min(_reach(transpose(inverse)) for inverse in (repaired, exact))
    return Fraction(1) if not reach else min(Fraction(1), Fraction(floor(GRID / reach), GRID))


def _reach(tokens: Matrix) -> Fraction:
    """Return the largest ||L_z - L_z'||_1."""
    pairs = combinations(tokens, 2)
    return max((sum(map(abs, minus(one, other)), Fraction(0)) for one, other in pairs), default=Fraction(0))


def _flat_left_inverse(matrix: Matrix) -> Matrix | None:
    """Propose, nearly, a left inverse of whose rows largest and smallest entry are as close as can be."""
    floats = np.array(matrix, dtype=float)
    k, n = floats.shape
    ones, none = np.ones((k, 1)), np.zeros((k, 1))
    within = np.vstack([np.hstack([np.eye(k), -ones, none]), np.hstack([-np.eye(k), none, ones])])
    rows: list[Vector] = []
    for i in range(n):
        sides = np.hstack([floats.T, np.zeros((n, 2))]), np.eye(n)[i]
        x = _minimised(np.r_[np.zeros(k), 1, -1], within, np.zeros(2 * k), *sides, (None, None))
        if x is None:
            return None
        rows.append(_rounded(x[:k]))
    return tuple(rows)


def made_dependent(emission: Matrix, chosen: Sequence[int], own: Collection[int]) -> Matrix | None:
    """Return an emission matrix near by in which these columns are dependent, one of `own` among them.

    None if there is but one of them.
    """
    if len(chosen) < 2:
        return None
    weights = _nearly_null(columns(emission, chosen))
    involved = [one for one in weights if any(w and h in own for h, w in zip(chosen, one, strict=True))]
    return min((_moved(emission, chosen, one) for one in involved), key=lambda one: _moved_by(emission, one))


def _nearly_null(matrix: Matrix) -> list[Vector]:
    """Return, for each column, weights of sum 0 and largest entry 1 there, for which the weighted sum is small."""
    floats = np.array(matrix, dtype=float)
    k, n = floats.shape
    within = np.vstack([np.hstack([floats, -np.eye(k)]), np.hstack([-floats, -np.eye(k)])])
    found = []
    for h in range(n):
        bounds = [(1.0, 1.0) if j == h else (-1.0, 1.0) for j in range(n)] + [(0.0, None)] * k
        total = np.r_[np.ones(n), np.zeros(k)][None]
        x = _minimised(np.r_[np.zeros(n), np.ones(k)], within, np.zeros(2 * k), total, [0.0], bounds)
        weights = list(_rounded(np.zeros(n) if x is None else x[:n]))
        other = max((j for j in range(n) if j != h), key=lambda j: -weights[j])
        weights[h] = Fraction(1)
        weights[other] -= sum(weights)
        found.append(tuple(weights))
    return found


def _minimised(*program: Any) -> Any:
    from scipy.optimize import linprog  # half of what a command would take to start, and few need it

    return linprog(*program, method="highs-ds").x


def _moved(emission: Matrix, chosen: Sequence[int], weights: Vector) -> Matrix:
    """Return the emission matrix in which the positive part of the weights has the same law as the negative one."""
    half = sum(map(abs, weights), Fraction(0)) / 2
    laws = list(transpose(emission))
    shares = {h: weight / half for h, weight in zip(chosen, weights, strict=True)}
    parts = {sign: {h: abs(share) for h, share in shares.items() if share * sign > 0} for sign in (1, -1)}
    mixed = {sign: combine(tuple(part.values()), [laws[h] for h in part]) for sign, part in parts.items()}
    mean = tuple((p + q) / 2 for p, q in zip(mixed[1], mixed[-1], strict=True))
    for sign, part in parts.items():
        for h in part:
            laws[h] = _towards(laws[h], mixed[sign], mean)
    return transpose(laws)


def _towards(law: Vector, mixed: Vector, mean: Vector) -> Vector:
    """Cut a law off where the mixture exceeds the mean, and put that where it lies below."""
    kept = tuple(x * (m / p) if p > m else x for x, p, m in zip(law, mixed, mean, strict=True))
    lacks = tuple(max(m - p, Fraction(0)) for p, m in zip(mixed, mean, strict=True))
    cut, total = 1 - sum(kept), sum(lacks)
    return tuple(x + cut * lack / total for x, lack in zip(kept, lacks, strict=True)) if total else law


def _rounded(floats: Iterable[float]) -> Vector:
    return tuple(Fraction(round(float(x) * GRID), GRID) for x in floats)
