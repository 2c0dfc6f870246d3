"""A plane of heads, from which each input of a refutation cuts off the heads that mislabel it, until none is left.

Each input gives one inequality row'b >= 0 (or > 0) for each rival of its label: the label's score must win.

If the rows span at most two dimensions, the labels of a head depend on two numbers, and the plane is the whole set of
heads. If they span more, the plane goes through a head that serves all inputs but the last. So before the last input
the plane still has a head. After it there is none: no head at all is left, in this plane or in any other.

The two directions of the plane are chosen in floats, and all later steps are exact. The base is the head at the middle
of the plane: the head that serves all inputs but the last, or 0 if the plane is the whole set. Each row is scaled to
the value 1 or -1 at the base, or to length 1 if its value there is 0. The rows' principal components are scaled so that
the rows spread equally along each. Two components are the plane's directions: of all pairs, the one that minimises the
largest distance from the base to a line row'b = 0.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import hypot

import numpy as np

from constructions.evidence import Word
from constructions.linear import Matrix, Vector, dot, echelon
from constructions.reading import InputError
from verify.heads.no_linear import Inequalities, NoLinearHead
from verify.views.plots.clipping import Polygon, clip
from verify.views.plots.subject import Subject
from verify.words.linear_programs import Multipliers, Solution, decide
from verify.words.problem import Inputs, shared_integers


@dataclass(frozen=True)
class Cut:
    """The plane, and the inputs in the order in which they are added; after the last one no head is left.

    A head is the vector b of its differences b_l - b_0, l >= 1, one after the other. Heads that serve
    the input with index input_of[i] have rows[i]'b >= 0 (or > 0). `multipliers`: one t_i >= 0 for each row, with sum of
    t_i rows[i] = 0. The plane consists of the heads base + x across + y up, for all numbers x and y.
    """

    words: tuple[Word, ...]
    labels: tuple[int, ...]
    input_of: tuple[int, ...]
    rows: Matrix
    multipliers: Vector
    base: Vector
    across: Vector
    up: Vector

    @property
    def covers_all(self) -> bool:
        """Whether each head has, on the inputs in `words`, the same differences of scores as some head of the plane."""
        return not any(self.base)

    @cached_property
    def halves(self) -> Matrix:
        """The rows as functionals of (x, y, 1)."""
        return tuple((dot(row, self.across), dot(row, self.up), dot(row, self.base)) for row in self.rows)

    @cached_property
    def window(self) -> Polygon:
        """The square that is drawn, with the base in the middle. The border of every row's halfplane crosses it."""
        distances = [abs(float(at)) / length for x, y, at in self.halves if (length := hypot(x, y))]
        reach = Fraction(1.4 * max(distances, default=0.0)) or Fraction(1)
        return tuple((i * reach, j * reach, Fraction(1)) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1)))

    def serves(self, inputs: Collection[int]) -> Polygon:
        """Return the part of the window whose heads give these inputs their labels; () if it has no area."""
        part = clip(self.window, [half for i, half in zip(self.input_of, self.halves, strict=True) if i in inputs])
        return part if len(part) > 2 else ()

    def border(self, row: int) -> Polygon:
        """Return the two ends of a row's border in the window; () if it has none."""
        half = self.halves[row]
        ends = tuple(corner for corner in clip(self.window, [half]) if not dot(half, corner))
        return ends if len(ends) == 2 else ()

    @property
    def mixture(self) -> Vector:
        """The weight w of each input among the inputs of its label; only for a task with two labels.

        The weights of a label sum to 1, and mix the outputs G of the two labels to the same vector: sum of w G over the
        inputs of label 1 = sum of w G over the inputs of label 0.
        """
        weights, totals = [Fraction(0)] * len(self.words), [Fraction(0)] * 2
        for i, row, t in zip(self.input_of, self.rows, self.multipliers, strict=True):
            weight = t * abs(sum(row, Fraction(0)))
            weights[i] += weight
            totals[self.labels[i]] += weight
        return tuple(w / (totals[label] or 1) for w, label in zip(weights, self.labels, strict=True))


def cut(subject: Subject) -> Cut:
    """Return the plane of a refutation, and the refutation's inputs up to the first one after which no head is left.

    Raises `InputError` unless the evidence of the conclusion is a `NoLinearHead`. Also raises it if there is only one
    row, if b has only one entry, or if all rows are 0.
    """
    evidence = subject.conclusion.evidence if subject.conclusion is not None else None
    if not isinstance(evidence, NoLinearHead):
        other = "undecided" if subject.classifier is None else "one head"
        kind = other if evidence is None else f"{evidence.kind} for {subject.statement.id}"
        raise InputError("conclusion", kind, "no-linear-head: a verdict on 3.3 that no head serves some inputs")
    pool = Inputs(subject.problem)
    inputs = [input_ for word in evidence.inputs if (input_ := pool.of(word)) is not None]
    features = shared_integers(subject.problem.features(None))
    before: Vector = ()
    for count in range(1, len(inputs) + 1):
        system = Inequalities(subject.problem, features, inputs[:count])
        match decide(system.rows):
            case Solution() as solution:
                before = solution.b
            case Multipliers() as multipliers:
                break
    else:
        raise ArithmeticError("the inputs of a refutation exclude no head")
    rows = tuple(tuple(map(Fraction, row.coefficients)) for row in system.rows)
    base = before if len(echelon(rows)[1]) > 2 else (Fraction(0),) * len(rows[0])
    return Cut(
        tuple(input_.word for input_ in inputs[:count]),
        tuple(input_.label for input_ in inputs[:count]),
        tuple(row.of[0] for row in system.rows),
        rows,
        tuple(multipliers.of.get(i, Fraction(0)) for i in range(len(rows))),
        base,
        *_directions(rows, base),
    )


def _directions(rows: Matrix, base: Vector) -> Iterator[Vector]:
    """Yield the two directions of the plane: floats, written exactly as fractions."""
    scaled = np.array(rows, dtype=float)
    at_base = np.array([abs(float(dot(row, base))) for row in rows])
    lengths = np.where(at_base, at_base, np.linalg.norm(scaled, axis=1))
    scaled /= np.where(lengths, lengths, 1.0)[:, None]
    spread, sizes, axes = np.linalg.svd(scaled, full_matrices=False)
    rank = max(2, int((sizes > 1e-9 * sizes[0]).sum()))
    if len(sizes) < rank or not sizes[0]:  # one weight, one inequality, or only such as no head meets
        raise InputError("rows", "no two directions", "inequalities that differ")
    chosen = max(combinations(range(rank), 2), key=lambda pair: float(np.hypot(*spread[:, pair].T).min()))
    sizes = np.where(sizes > 1e-9 * sizes[0], sizes, 1.0)
    for i in chosen:
        yield tuple(map(Fraction, (axes[i] / sizes[i]).tolist()))
