"""Inputs near the border between two labels: those that a wrong head, however close to the task's, mislabels.

The shortest inputs that tell two nearly equal scores apart may have twenty tokens, of more than anybody can list. But a
prefix w says nearly all of where beta(w y) is: so prefixes are kept by how close the task's score of w alone is to 0,
against what the other score adds to it, and only these are made longer. Floats choose the words; what is shown of them
is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from constructions.evidence import Word
from constructions.linear import Matrix, Vector, dot, minus
from verify.words.problem import Problem

Floats = NDArray[np.float64]

WIDTH, LENGTH, FOUND, CLOSE = 60, 40, 8, 1 / 32
"""How many prefixes are kept of each length, up to how many tokens; how many words are enough, and how close ones."""


class Border:
    """The words at which the sign of f'beta differs from that of (f + d)'beta, for a fixed f and any d."""

    def __init__(self, problem: Problem, score: Vector) -> None:
        """Prepare for f = `score`, which is not 0."""
        model = problem.model
        self.score, self.unit = score, max(map(abs, score))
        self.tokens, self.states = len(model.tokens), problem.states
        transition = np.array(model.transition, dtype=np.float64)
        steps = [transition.T * np.array(row, dtype=np.float64) for row in model.emission]
        self.steps = np.concatenate([step / step.max() for step in steps if step.any()], axis=1)
        self.possible = [token for token, step in enumerate(steps) if step.any()]

    def crossed(self, change: Sequence[Fraction]) -> list[Word]:
        """Return some words, close ones first, at which d = `change` turns the sign."""
        rows = np.stack([floats(self.score, self.unit), floats(change, self.unit)])[None]
        words: list[Word] = [()]
        found: list[tuple[bool, int, Word]] = []
        for length in range(1, LENGTH):
            longer = rows.reshape(-1, self.states) @ self.steps
            rows = longer.reshape(len(words), 2, -1, self.states).transpose(0, 2, 1, 3).reshape(-1, 2, self.states)
            here, added = rows.sum(axis=2).T
            distance = np.abs(here) / np.maximum(np.abs(added), np.finfo(np.float64).tiny)
            kept = np.argsort(distance, kind="stable")[:WIDTH]
            ends = {i: (*words[i // len(self.possible)], self.possible[i % len(self.possible)]) for i in map(int, kept)}
            found += [(bool(distance[i] > CLOSE), length, ends[i]) for i in ends if here[i] * (here[i] + added[i]) < 0]
            if len(found) >= FOUND and sum(not far for far, _, _ in found) >= FOUND:
                break
            largest = np.abs(rows[kept]).max(axis=(1, 2), keepdims=True)
            rows, words = rows[kept] / np.where(largest > 0, largest, 1), list(ends.values())
        return [word for _, _, word in sorted(found)[:FOUND]]


def mislabelled(problem: Problem, head: Matrix) -> list[Word]:
    """Return some words that a head, by its functionals, and the task may well label differently."""
    found: dict[Word, None] = {}
    for label, rival in combinations(range(len(head)), 2):
        task, own = (minus(rows[rival], rows[label]) for rows in (problem.task_functionals, head))
        if any(task):
            scale = abs(dot(task, own) / dot(task, task)) or Fraction(1)
            found |= dict.fromkeys(
                Border(problem, task).crossed([g / scale - f for f, g in zip(task, own, strict=True)])
            )
    return list(found)


def floats(numbers: Sequence[Fraction], unit: Fraction) -> Floats:
    """Round numbers in some unit."""
    return np.array([float(number / unit) for number in numbers])
