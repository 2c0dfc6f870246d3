"""Heads that bear more than the paper's: of least norm with the same scores, and of largest margin.

The paper's b goes through one left inverse of W, that of the first independent tokens, and its norm may be a thousand
times what it need be. An error e moves a score by e ||b||_1, so that

- the **least norm**: of all b with the same (W'b)[h] wherever c[h] > 0, one of least ||b||_1. Its scores are the same
  on every input, so it is right wherever the other is. Linear programming over floats says which tokens it needs, and
  the rest is an exact solve;
- the **largest margin**: of all b with ||b||_1 <= 1, one whose least score on a list of inputs is largest. The list
  grows by the inputs that are nearest to a mistake, as `verify.margin.everywhere` finds them. Floats propose it; that
  it is right, and by how much, is shown of it as of any other head.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
from scipy.optimize import linprog

from constructions.evidence import Word
from constructions.fields import Array
from constructions.heads import Classifier, LinearHead
from constructions.linear import Matrix, Vector, columns, combine, dot, minus, solve, spread, transpose
from constructions.models import HMM
from constructions.tasks import Task, class_rows, label_of
from verify.margin.everywhere import Everywhere, Prefix
from verify.margin.linear import Watch
from verify.words.problem import Inputs, Problem, beta

GRID = 10**6
"""Heads that floats propose have entries that are multiples of one over this."""

MAX_RIGHT_HEADS = 6
"""After so many heads without a mistake, each of which adds the inputs nearest to one, the search stops."""

MAX_WRONG_HEADS = 30
"""After so many heads with a mistake, each of which adds the input that it mislabels, the search stops."""

MAX_FIRST_INPUTS = 200
"""How many inputs the list begins with."""


def least_norm(model: HMM, classifier: Classifier) -> Classifier:
    """Return a head with the same scores whose rows have least 1-norm, for a row 0 of zeros."""
    rows = class_rows(classifier.head.b)
    states = [h for h, weight in enumerate(classifier.weights(model)) if weight]
    tokens = transpose(columns(model.emission, states))  # a row for each state that the output can come from
    least = tuple(_least(tokens, minus(row, rows[0])) for row in rows)
    return _like(classifier, least)


def _least(tokens: Matrix, row: Vector) -> Vector:
    """Return b with tokens b = tokens row, and ||b||_1 least among those that floats find; at worst row itself."""
    goal = combine(row, transpose(tokens))
    if not any(goal):
        return (Fraction(0),) * len(row)
    floats = np.array(tokens, dtype=float)
    split = np.hstack([floats, -floats])
    right = np.array([float(x) for x in goal])
    solution = linprog(np.ones(split.shape[1]), A_eq=split, b_eq=right, method="highs-ds").x
    if solution is None:
        return row
    b = solution[: len(row)] - solution[len(row) :]
    support = [z for z, x in enumerate(b) if abs(x) > 1e-9 * np.abs(b).max()]
    solved = solve(columns(tokens, support), tuple((x,) for x in goal))
    if solved is None:
        return row
    exact = spread(tuple(x for (x,) in solved), support, len(row))
    return min((exact, row), key=lambda b: sum(map(abs, b), Fraction(0)))


def largest_margin(
    model: HMM, task: Task, classifier: Classifier, nodes: int, more: Sequence[Word] = (), watch: Watch[Prefix] = iter
) -> Classifier | None:
    """Return a head behind the same prompt whose least score is large; None if no head is right on the inputs tried.

    The list of inputs begins with the shortest, and `more`.
    """
    problem = Problem(model, task)
    first = next((level for length in (4, 3, 2, 1) if (level := Inputs(problem, MAX_FIRST_INPUTS).up_to(length))), [])
    words = [*(input.word for input in first), *more]
    best: Classifier | None = None
    rounds = mistakes = 0
    while rounds < MAX_RIGHT_HEADS and mistakes < MAX_WRONG_HEADS:
        proposed = _widest(problem, classifier, words)
        if proposed is None:
            return best
        tree = Everywhere(model, task, proposed)
        for _ in watch(tree.grow(nodes)):
            pass
        if tree.mislabelled is not None:
            words.append(tree.mislabelled)
            mistakes += 1
            continue
        best, rounds = proposed, rounds + 1
        inputs = (prefix for prefix in tree.split.values() if prefix.radius is not None)
        nearest = sorted(inputs, key=lambda prefix: prefix.radius or 0)[:20]
        new = [prefix.word for prefix in nearest if prefix.word not in words]
        if not new:
            return best
        words += new
    return best


def _widest(problem: Problem, classifier: Classifier, words: Sequence[Word]) -> Classifier | None:
    """Return a head with ||b_l - b_m||_1 <= 1 for all l, m, whose least score on these inputs is largest."""
    labels, tokens = len(problem.task.labels), len(problem.model.tokens)
    pairs = list(combinations(range(labels), 2))
    width, apart = (labels - 1) * tokens, len(pairs) * tokens  # b_0 = 0; |b_l - b_m| for each pair; last the margin
    rows = [np.r_[row, np.zeros(apart), by] for row, by in _won(problem, classifier, words)]
    bounds = [0.0] * len(rows)
    for (l, m), pair in zip(pairs, np.eye(len(pairs)), strict=True):
        for row, unit in zip(_difference(labels, l, m, np.eye(tokens)), np.kron(pair, np.eye(tokens)), strict=True):
            rows += [np.r_[row, -unit, 0], np.r_[-row, -unit, 0]]
        rows.append(np.r_[np.zeros(width), np.kron(pair, np.ones(tokens)), 0])
        bounds += [0.0] * 2 * tokens + [1.0]
    objective = np.r_[np.zeros(width + apart), -1]
    solution = linprog(objective, A_ub=np.array(rows), b_ub=bounds, bounds=(None, None), method="highs-ds").x
    if solution is None or solution[-1] <= 0:
        return None
    b = np.vstack([np.zeros(tokens), solution[:width].reshape(labels - 1, tokens)])
    scale = max(float(np.abs(b).max()), 1e-12)
    return _like(classifier, tuple(tuple(Fraction(round(x / scale * GRID), GRID) for x in row) for row in b))


def _won(problem: Problem, classifier: Classifier, words: Sequence[Word]) -> Iterator[tuple[Array, bool]]:
    """Yield for each input and rival (b_rival - b_label)'output, and whether it is to be minus the margin: no tie."""
    features = problem.features(classifier.prompt)
    for word in words:
        likelihoods = beta(problem, word)
        output = np.array([float(dot(row, likelihoods)) for row in features])
        scores = [dot(row, likelihoods) for row in problem.task_functionals]
        label = label_of(scores)
        for rival in problem.task.labels if output.any() else ():
            if rival != label:
                row = _difference(len(scores), label, rival, output / output.sum())
                yield row, scores[rival] != scores[label]


def _difference(labels: int, l: int, m: int, outputs: Array) -> Array:
    """Return the coefficients of (b_m - b_l)'output in b_1, b_2, ..., for each row of outputs."""
    units = np.eye(labels)
    return np.kron(units[m] - units[l], outputs)[..., outputs.shape[-1] :]


def _like(classifier: Classifier, rows: Matrix) -> Classifier:
    """Return a head with these rows, the first of them 0, written as the given one is."""
    return Classifier(LinearHead(rows[1:] if len(classifier.head.b) == 1 else rows), classifier.prompt)
