"""Inputs near the border between two labels: those that a wrong head, however close to the task's, mislabels.

The shortest inputs that tell two nearly equal scores apart may have twenty tokens, of more than anybody can list. But a
prefix w says nearly all of where beta(w y) is: so prefixes are kept by how close the task's score of w alone is to 0,
against what the other score adds to it, and only these are made longer. Floats choose the words; what is shown of them
is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from constructions.evidence import Word
from constructions.linear import Matrix, Vector, dot, minus
from verify.words.problem import Problem

Floats = NDArray[np.longdouble]

WIDTH, LENGTH, FOUND, CLOSE = 60, 40, 8, 1 / 32
"""How many prefixes are kept of each length, up to how many tokens; how many words are enough, and how close ones."""


class Border:
    """The words at which the sign of f'beta differs from that of (f + d)'beta, for a fixed f and any d."""

    def __init__(self, problem: Problem, score: Vector) -> None:
        """Prepare for f = `score`."""
        model = problem.model
        self.score = score
        self.tokens = range(len(model.tokens))
        steps = [floats([w * a for h, w in enumerate(row) for a in model.transition[h]]) for row in model.emission]
        n = problem.states
        self.steps = np.concatenate([step.reshape(n, n).T for step in steps], axis=1)

    def crossed(self, other: Vector) -> list[Word]:
        """Return some words, close ones first, at which the sign of other'beta differs from that of f'beta."""
        length = dot(self.score, self.score)
        scale = dot(self.score, other) / length
        change = [g / abs(scale) - f if scale else g for f, g in zip(self.score, other, strict=True)]
        size = len(self.score)
        rows = np.stack([floats(self.score), floats(change, max(map(abs, self.score)))])[None]
        words: list[Word] = [()]
        found: list[tuple[bool, int, Word]] = []
        for _ in range(LENGTH):
            longer = (rows.reshape(-1, size) @ self.steps).reshape(len(words), 2, len(self.tokens), size)
            rows = longer.transpose(0, 2, 1, 3).reshape(-1, 2, size)
            words = [(*word, token) for word in words for token in self.tokens]
            here, added = rows.sum(axis=2).T
            distance = np.abs(here) / np.maximum(np.abs(added), np.finfo(np.longdouble).tiny)
            crossing = np.flatnonzero(here * (here + added) < 0)
            found += [(bool(distance[i] > CLOSE), len(words[i]), words[i]) for i in crossing]
            if sum(not far for far, _, _ in found) >= FOUND:
                break
            kept = np.argsort(distance, kind="stable")[:WIDTH]
            largest = np.abs(rows[kept]).max(axis=(1, 2), keepdims=True)
            rows, words = rows[kept] / np.where(largest > 0, largest, 1), [words[i] for i in kept]
        return [word for _, _, word in sorted(found)[:FOUND]]


def mislabelled(problem: Problem, head: Matrix) -> list[Word]:
    """Return some words that a head, by its functionals, and the task may well label differently."""
    found: dict[Word, None] = {}
    task = problem.task_functionals
    for label, row in enumerate(task):
        for rival in range(label):
            border = Border(problem, minus(row, task[rival]))
            if any(border.score):
                found |= dict.fromkeys(border.crossed(minus(head[label], head[rival])))
    return list(found)


def floats(numbers: Sequence[Fraction], unit: Fraction | None = None) -> Floats:
    """Round numbers, in a unit or relative to the largest of them, as well as the machine can."""
    unit = unit or max(map(abs, numbers)) or Fraction(1)
    return np.array([_rounded(number / unit) for number in numbers], dtype=np.longdouble)


def _rounded(number: Fraction) -> np.longdouble:
    shift = 62 - number.numerator.bit_length() + number.denominator.bit_length()
    return np.ldexp(np.longdouble(int(number * Fraction(2) ** shift)), -shift)
