"""Heads that tolerate larger errors than the paper's: of least norm with the same scores, and of largest margin.

An error e in G moves a score by at most e ||b||_1. The paper's b comes from one left inverse of W, which reads the
first tokens whose rows of W are linearly independent. ||b||_1 may be a thousand times larger than necessary. There are
two kinds of better heads:

- the **least norm**: a b of least ||b||_1 among all b for which (W'b)[h] is that of the paper's b wherever c[h] > 0.
  Here c is P[H_1], or A(u o P[H_1]) behind a prompt u. If a head has one row for each label, this is done for each
  difference of a row and the row of label 0. So the differences of scores stay as they are, and the new head is right
  on the same inputs. A linear program in floats proposes the tokens at which b is not 0. The entries there are the
  solution of an exact linear system.
- the **largest margin**: of all b with ||b||_1 <= 1, a b of largest margin on a list of inputs. The margin is the least
  difference, on this list, between the scores of the label F* and of another label. The list grows by mislabelled
  inputs and by those nearest to a mistake, which `verify.margin.everywhere` finds. Floats propose this b. Whether it is
  right, and by how much, is decided exactly, as for any other head.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, takewhile

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
"""A head that floats propose is rounded: its entries are multiples of 1 / GRID."""

MAX_RIGHT_HEADS = 6
"""The search stops after so many heads without a mistake; each of them adds the inputs nearest to a mistake."""

MAX_WRONG_HEADS = 30
"""The search stops after so many heads with a mistake; each of them adds the input that it mislabels."""

MAX_FIRST_INPUTS = 200
"""At most this many words are enumerated for the inputs with which the list begins."""


def least_norm(model: HMM, classifier: Classifier) -> Classifier:
    """Return a head with the same differences of scores. Its row for label 0 is 0, the others have small 1-norms."""
    rows = class_rows(classifier.head.b)
    read = columns(model.emission, [h for h, weight in enumerate(classifier.weights(model)) if weight])
    return _with_rows(classifier, [_least(read, minus(row, rows[0])) for row in rows])


def _least(read: Matrix, row: Vector) -> Vector:
    """Return a row b of small ||b||_1 whose product with the matrix `read` is that of `row`.

    Floats propose where b is not 0. If this fails, b = row.
    """
    goal = combine(row, read)
    if not any(goal):
        return (Fraction(0),) * len(row)
    floats = np.array(read, dtype=float).T
    split, sides = np.hstack([floats, -floats]), np.array(goal, dtype=float)
    solution = linprog(np.ones(2 * len(row)), A_eq=split, b_eq=sides, method="highs-ds").x
    if solution is None:
        return row
    b = np.abs(np.subtract(*np.split(solution, 2)))
    support = [z for z, x in enumerate(b) if x > 1e-9 * b.max()]
    solved = solve(transpose([read[z] for z in support]), transpose([goal]))
    if solved is None:
        return row
    exact = spread(tuple(x for (x,) in solved), support, len(row))
    return min(exact, row, key=lambda b: sum(map(abs, b), Fraction(0)))


def largest_margin(
    model: HMM, task: Task, classifier: Classifier, nodes: int, more: Sequence[Word] = (), watch: Watch[Prefix] = iter
) -> Classifier | None:
    """Return a head of large margin, behind the same prompt, without a known mistake; None if no such head is found.

    The list of inputs begins with the shortest inputs and those in `more`. For each proposed head, a tree of at most
    `nodes` prefixes is searched for mistakes. Then the input that the head mislabels joins the list, or else up to 20
    inputs whose labels the smallest errors can change. `watch` gets the prefixes as they are split, and passes them on.
    """
    problem = Problem(model, task)
    first = takewhile(lambda input: len(input.word) <= 4, Inputs(problem, MAX_FIRST_INPUTS))
    words = [*(input.word for input in first), *more]
    best: Classifier | None = None
    rounds = mistakes = 0
    while rounds < MAX_RIGHT_HEADS and mistakes < MAX_WRONG_HEADS:
        if (proposed := _widest(problem, classifier, words)) is None:
            break
        tree = Everywhere(model, task, proposed)
        for _ in watch(tree.grow(nodes)):
            pass
        if tree.mislabelled is not None:
            words.append(tree.mislabelled)
            mistakes += 1
            continue
        best, rounds = proposed, rounds + 1
        nearest = sorted(filter(None, tree.split), key=lambda word: tree.split[word].radius or 0)[:20]
        new = [word for word in nearest if word not in words]
        if not new:
            break
        words += new
    return best


def _widest(problem: Problem, classifier: Classifier, words: Sequence[Word]) -> Classifier | None:
    """Propose, up to a scale, a head of largest margin on `words`, among heads with all ||b_l - b_m||_1 <= 1.

    A lead is the score of an input's label F* less the score of another label. Leads over labels that tie with F* in
    the task must be >= 0. The margin is the least of all other leads. Return None unless the margin is > 0.
    """
    labels, tokens = np.eye(len(problem.task.labels)), np.eye(len(problem.model.tokens))
    pairs = np.array([labels[m] - labels[l] for l, m in combinations(problem.task.labels, 2)])
    differences, sizes = np.kron(pairs, tokens), np.eye(len(pairs) * len(tokens))
    read = problem.features(classifier.prompt), problem.task_functionals
    rows = list[Array]()  # in b, |b_l - b_m| for each pair, and the margin
    for word in words:
        output, scores = ([dot(row, beta(problem, word)) for row in matrix] for matrix in read)
        label, law = label_of(scores), np.array(output, dtype=float)
        for rival in problem.task.labels if any(output) else ():
            if rival != label:
                row = np.kron(labels[rival] - labels[label], law / law.sum())
                rows.append(np.r_[row, 0 * sizes[0], scores[rival] != scores[label]])
    rows += [np.r_[sign * row, -size, 0] for row, size in zip(differences, sizes, strict=True) for sign in (1, -1)]
    limits = [0] * len(rows) + [1] * len(pairs)
    rows += [np.r_[0 * differences[0], np.repeat(pair, len(tokens)), 0] for pair in np.eye(len(pairs))]
    system = np.array(rows)[:, len(tokens) :]  # b_0 = 0
    solution = linprog(-np.eye(system.shape[1])[-1], system, limits, bounds=(None, None), method="highs-ds").x
    if solution is None or solution[-1] <= 0:
        return None
    b = np.r_[0 * tokens[0], solution][: len(labels) * len(tokens)].reshape(len(labels), len(tokens))
    scale = max(float(np.abs(b).max()), 1e-12)
    return _with_rows(classifier, [tuple(Fraction(round(x / scale * GRID), GRID) for x in row) for row in b])


def _with_rows(classifier: Classifier, rows: Sequence[Vector]) -> Classifier:
    """Replace the rows of a head. The first of `rows` must be 0; a binary head, which has one row, leaves it out."""
    return replace(classifier, head=LinearHead(tuple(rows[-len(classifier.head.b) :])))
