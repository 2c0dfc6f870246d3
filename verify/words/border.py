"""Inputs near the border between two labels. If a wrong head has nearly the task's scores, it mislabels some of these.

The shortest inputs on which two nearly equal scores have different signs may have twenty tokens. There are too many
inputs of this length to list. But a prefix w nearly determines the direction of beta(w y), whatever y is. So
the search goes length by length, and extends only some prefixes w: those at which |f'beta(w)| is smallest in comparison
with |d'beta(w)|, where f is the task's score and f + d the other score. It drops a prefix after which both scores have
the same sign for every continuation.

Near the border most of the task's score cancels. So each number is a sum of two floats, which together have some 65
bits.

The floats only propose words. Callers decide the labels of these words exactly.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from constructions.evidence import Word
from constructions.linear import Matrix, Vector, dot, minus
from verify.words.linear_programs import Floats
from verify.words.problem import Problem

PREFIXES_PER_LENGTH, MAX_PREFIX_LENGTH, ENOUGH_WORDS, CLOSE_DISTANCE = 60, 40, 8, 1 / 32
"""Limits of a search: the number of prefixes of each length that it extends, a length that no word reaches, and the
number of close words that ends the search. A word is *close* if |f'beta| <= `CLOSE_DISTANCE` |d'beta|."""

ROW_BITS, STEP_BITS = 26, 20
"""The leading bits of an entry of a row, and of an entry of a step. Up to 2^7 products of such entries add exactly in a
float: 26 + 20 + 7 = 53 bits."""


class Border:
    """The words at which the sign of f'beta differs from that of (f + d)'beta, for a fixed f and any d."""

    def __init__(self, problem: Problem, score: Vector) -> None:
        """Prepare for f = `score`, a row over the states that is not 0."""
        model = problem.model
        self.score, self.unit = score, max(map(abs, score))
        self.tokens, self.states = len(model.tokens), problem.states
        transition = np.array(model.transition, dtype=np.float64)
        steps = [transition.T * np.array(row, dtype=np.float64) for row in model.emission]
        self.possible = np.flatnonzero([step.any() for step in steps])
        steps = [steps[token] / 2.0 ** np.ceil(np.log2(steps[token].max())) for token in self.possible]
        self.steps = np.stack(steps)  # apart: NumPy's threads wait for each other in products of larger matrices
        self.ones = np.ones(self.states)
        self.coarse = np.round(self.steps * 2.0**STEP_BITS) / 2.0**STEP_BITS
        self.fine = self.steps - self.coarse

    def crossed(self, change: Floats, longest: int = MAX_PREFIX_LENGTH, enough: int = ENOUGH_WORDS) -> list[Word]:
        """Return at most `enough` words of fewer than `longest` tokens at which f'beta and (f + d)'beta differ in sign.

        `change`: d, in units of `self.unit`. Words with |f'beta| <= `CLOSE_DISTANCE` |d'beta| come before others, and
        among words of either kind the short ones come first.
        """
        score, other = floats(self.score, self.unit)[None], change[None]
        rest, words = np.zeros_like(score), np.zeros((1, 0), dtype=int)
        crossings, close = list[tuple[bool, int, Word]](), 0
        for length in range(1, longest):
            score, rest = self.step(score, rest)
            other = self.flat(other @ self.steps)
            total = score + rest
            turned = total + other
            here, added = total @ self.ones, other @ self.ones
            low, high = np.minimum(total, turned), np.maximum(total, turned)
            open_ = np.flatnonzero((low < 0).any(axis=1) & (high > 0).any(axis=1))
            distance = np.abs(here[open_]) / np.maximum(np.abs(added[open_]), np.finfo(np.float64).tiny)
            order = np.argsort(distance, kind="stable")[:PREFIXES_PER_LENGTH]
            closest, distance = open_[order], distance[order]
            moves, before = np.divmod(closest, len(words))
            words = np.column_stack((words[before], self.possible[moves]))
            crosses, far = here[closest] * (here[closest] + added[closest]) < 0, distance > CLOSE_DISTANCE
            crossings += [(bool(far[i]), length, tuple(words[i].tolist())) for i in np.flatnonzero(crosses)]
            close += int(np.count_nonzero(crosses & ~far))
            if not len(words) or close >= enough:
                break
            largest = np.maximum(high[closest], -low[closest]).max(axis=1, keepdims=True)
            scale = 2.0 ** -np.ceil(np.log2(largest))
            score, rest, other = score[closest] * scale, rest[closest] * scale, other[closest] * scale
        return [word for _, _, word in sorted(crossings)[:enough]]

    def step(self, score: Floats, rest: Floats) -> tuple[Floats, Floats]:
        """Multiply rows by the step of each token. The rows and the results are sums of two floats: `score` + `rest`.

        The first float of a result is the product of the leading bits, which is exact.
        """
        leading = np.round(score * 2.0**ROW_BITS) / 2.0**ROW_BITS
        fine = leading @ self.fine + (score - leading + rest) @ self.steps
        return self.flat(leading @ self.coarse), self.flat(fine)

    def flat(self, rows: Floats) -> Floats:
        """Reshape (tokens, prefixes, states) to one row for each token and prefix."""
        return rows.reshape(-1, self.states)


def mislabelled(problem: Problem, head: Matrix) -> list[Word]:
    """Return some words that a head may label differently from the task. `head`: one functional per label."""
    words = list[Word]()
    for label, rival in combinations(range(len(head)), 2):
        task, head_row = (minus(rows[rival], rows[label]) for rows in (problem.task_functionals, head))
        if any(task):
            scale = abs(dot(task, head_row) / dot(task, task)) or Fraction(1)
            border = Border(problem, task)
            change = [g / scale - f for f, g in zip(task, head_row, strict=True)]
            words += border.crossed(floats(change, border.unit))
    return list(dict.fromkeys(words))


def floats(numbers: Sequence[Fraction], unit: Fraction) -> Floats:
    """Return numbers in units of `unit` as floats."""
    return np.array([float(number / unit) for number in numbers])
