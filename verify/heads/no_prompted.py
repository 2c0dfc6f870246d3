"""Fit a prompt u and a head b of theorem 3.6 to finitely many inputs, or refute all (u, b), by branch and bound.

The scores are linear in the products Q = b u'. Without the condition that Q has rank one, the inputs and their labels
are a linear system in Q. If it is infeasible, no (u, b) fits. Otherwise trees of regions of (u, b) add inequalities:

1. The first tree splits by the sign of y_h = W[:,h]'b for each state h. All y_h u_f have this sign, since u_f >= 0.
   This gives weak inequalities in Q.
2. If some leaf of the first tree is still feasible, a second tree replaces the first. It splits by the state f* whose
   u_f is largest (u is scaled so that u_{f*} = 1), by the signs of the y_h, and by halves of the intervals of the other
   u_f. With u in a box and the sign of y_h fixed, y_h u_f lies between multiples of y_h = y_h u_{f*}.

Each leaf has multipliers that exclude it, except the leaf `zero`, where u = 0. See `docs/certificate-format.md`,
section 6.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from flint import fmpz_mat

from constructions.evidence import TreeNode
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.linear import (
    Matrix,
    Vector,
    dot,
    identity,
    integer_rows,
    integers,
    minus,
    primitive,
    transpose,
)
from verify.heads.no_linear import Constraint, FitsError, Inequalities, Refutation, linear_head
from verify.words.effort import SpentError
from verify.words.linear_programs import Multipliers, Row, Solution, decide
from verify.words.problem import Input, Problem, multiply


class Largest(TreeNode, tag="largest"):
    """Branch on the largest entry of u: a child for each f, where u_f = 1 is largest, and `zero`, where u = 0."""

    children: tuple[int, ...]
    zero: int


class ZeroPrompt(TreeNode, tag="zero"):
    """With u = 0 all scores are 0, so the last label wins; `input` has another label."""

    input: int


class Sign(TreeNode, tag="sign"):
    """W[:,state]'(b_label - b_0) is >= 0 in the child `upper`, and <= 0 in the child `lower`."""

    label: int
    state: int
    upper: int
    lower: int


class Halve(TreeNode, tag="halve"):
    """u[state] is <= `at` in the child `lower`, and >= `at` in the child `upper`."""

    state: int
    at: Fraction
    lower: int
    upper: int


class Excluded(TreeNode, tag="motzkin"):
    """Multipliers t of the inputs' inequalities that exclude this region.

    If (u, b) gave the inputs their labels, the sum of t (score of the label - score of the rival) would be > 0. This
    sum is also the sum of the `parts`, each of which is <= 0 in the region. A part (l, h, weights) is y_l[h] times the
    sum of weights[f] u_f over f, where y_l[h] = W[:,h]'(b_l - b_0).
    """

    constraints: tuple[Constraint, ...]
    parts: tuple[tuple[int, int, Vector], ...] = ()


Form: TypeAlias = tuple[int, int]
"""(l, h): y_l[h] = W[:,h]'(b_l - b_0)."""

Node: TypeAlias = Largest | ZeroPrompt | Sign | Halve | Excluded


class NoPromptedHead(Refutation, kind="no-prompted-head"):
    """A tree of regions of (u, b). Each leaf is excluded, by multipliers of the inputs or because u = 0 there."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Region:
    """A region of (u, b): the box low <= u <= high, and the `signs` (1 or -1) of the y_l[h] that are fixed, by (l, h).

    `largest`: the state f* with the largest u_f, or None in a tree without f*.
    """

    low: Vector
    high: Vector
    largest: int | None = None
    signs: Mapping[Form, int] = field(default_factory=dict)


class SignsLeaveError(Exception):
    """Raised in the first tree for a region with all signs fixed that is not excluded. A second tree is then made."""


class Allowance:
    """How many entries of linear programs a search may still use; in the module `no_attention`, how many programs."""

    def __init__(self, entries: int) -> None:
        self.left = entries

    def spend(self, entries: int) -> None:
        """Spend entries; raise `SpentError` if fewer are left."""
        self.left -= entries
        if self.left < 0:
            raise SpentError


def prompted_head(
    problem: Problem, inputs: Sequence[Input], allowance: Allowance
) -> Classifier | NoPromptedHead | None:
    """Fit a prompt and a head to the inputs, or refute all pairs.

    Returns None if the allowance is spent, or if a region remains in which all intervals of u are shorter than 2^-10.
    """
    try:
        return _Search(problem, inputs, allowance).run()
    except FitsError as fit:
        classifier: Classifier = fit.args[0]
        return classifier
    except SpentError:
        return None


def prompted_features(problem: Problem) -> Matrix:
    """Return Phi, (k n, n), with row (z, f) = p1[f] W[z,:] o A[:,f], where p1 = P[H_1] and o is elementwise.

    The entry of the masked output at token z is, up to a scale, the sum over f of u_f times row (z, f) times beta(x).
    """
    model = problem.model
    into = [tuple(p * a for a in column) for p, column in zip(model.first, transpose(model.transition), strict=True)]
    return tuple(multiply(row, weights) for row in model.emission for weights in into)


class _Search:
    """A tree of regions in the making.

    `nodes`: its nodes. `index` has the inputs that nodes use. It maps an input's place in `inputs` to its place in the
    refutation.
    """

    def __init__(self, problem: Problem, inputs: Sequence[Input], allowance: Allowance) -> None:
        model = problem.model
        self.problem, self.inputs, self.allowance = problem, inputs, allowance
        self.n, self.k = problem.states, len(model.tokens)
        features, self.scale = integer_rows(prompted_features(problem))
        self.system = Inequalities(problem, fmpz_mat(features), inputs)
        self.columns = transpose(model.emission)
        self.integral = [integers(column) for column in self.columns]
        directions = list(map(primitive, self.columns))
        states = list(map(directions.index, dict.fromkeys(directions)))
        self.forms = list(product(problem.task.labels[1:], states))
        self.index: dict[int, int] = {}
        self.nodes: list[Node | None] = []

    def run(self) -> NoPromptedHead:
        """Return a refutation of all pairs. Raises `FitsError` with a prompt and a head if they fit all inputs."""
        everything = Region((Fraction(0),) * self.n, (Fraction(1),) * self.n)
        other = next((i for i, input_ in enumerate(self.inputs) if input_.label != self.problem.task.labels[-1]), None)
        if other is None:  # scores that are all 0 fit
            zeros = ((Fraction(0),) * self.k,) * len(self.problem.task.mu)
            raise FitsError(Classifier(LinearHead(zeros), SoftPrompt(everything.high)))
        try:
            self.visit(everything)
        except SignsLeaveError:
            self.nodes, self.index = [None], {}
            regions = (replace(everything, low=low, largest=f) for f, low in enumerate(identity(self.n)))
            self.nodes[0] = Largest(tuple(map(self.visit, regions)), len(self.nodes))
            self.nodes.append(ZeroPrompt(self.index.setdefault(other, len(self.index))))
        return NoPromptedHead(tuple(self.inputs[i].word for i in self.index), tuple(filter(None, self.nodes)))

    def visit(self, region: Region) -> int:
        """Exclude a region, and return the index of its node. Raises `FitsError` with a prompt and a head that fit."""
        here, rows = len(self.nodes), [*self.system.rows, *self.bounds(region)]
        self.nodes.append(None)
        self.allowance.spend(len(rows) * len(rows[0].coefficients))
        solution = decide(rows)
        self.nodes[here] = (
            self.excluded(solution, rows) if isinstance(solution, Multipliers) else self.branch(region, solution)
        )
        return here

    def excluded(self, multipliers: Multipliers, rows: Sequence[Row]) -> Excluded:
        """Write the node of a region that multipliers of `rows` exclude.

        The multipliers of bounds become the parts, after a division by `scale`: the system's features are multiplied by
        `scale`.
        """
        parts: dict[Form, Vector] = {}
        for i, t in multipliers.of.items():
            if i >= len(self.system.rows):
                form, weights = rows[i].of
                part = (t / self.scale * weight for weight in weights)
                parts[form] = minus(parts.get(form, (Fraction(0),) * self.n), tuple(part))
        return Excluded(
            self.system.constraints(multipliers, self.index),
            tuple((*form, part) for form, part in sorted(parts.items())),
        )

    def bounds(self, region: Region) -> Iterator[Row]:
        """Yield the inequalities in Q that a region implies, for each y = y_l[h] whose sign s is known.

        With an f*:       s y u_{f*} >= 0    and    low_f s y u_{f*} <= s y u_f <= high_f s y u_{f*} for the other f
        Without an f*:    s y u_f >= 0 for every f
        """
        star = region.largest
        for form, sign in region.signs.items():
            for f in range(self.n):
                if star is None or f == star:
                    yield self.bound(form, {f: Fraction(sign)})
                else:
                    yield self.bound(form, {f: Fraction(sign), star: -sign * region.low[f]})
                    yield self.bound(form, {f: Fraction(-sign), star: sign * region.high[f]})

    def bound(self, form: Form, weights: Mapping[int, Fraction]) -> Row:
        """Return the inequality y_l[h] (sum over f of weights[f] u_f) >= 0 as a row in Q, scaled to integers.

        The row's `of` is (form, weights of all states), where the weights are scaled as the row is.
        """
        label, h = form
        column, stretch = self.integral[h]
        u, _ = integers([weights.get(f, Fraction(0)) for f in range(self.n)])
        block = [w * weight for w in column for weight in u]
        coefficients = tuple((l == label) * entry for l in self.problem.task.labels[1:] for entry in block)
        return Row(coefficients, False, (form, [stretch * weight for weight in u]))

    def try_head(self, region: Region, solution: Solution) -> None:
        """Read a prompt u off Q. Raises `FitsError` with u and a head, if some head behind u fits all inputs."""
        columns, star = [solution.b[f :: self.n] for f in range(self.n)], region.largest
        largest = max(columns, key=lambda column: sum(map(abs, column))) if star is None else columns[star]
        square = dot(largest, largest)
        if not square:
            return
        u = tuple(
            min(max(dot(column, largest) / square, low), high).limit_denominator(2**12)
            for column, low, high in zip(columns, region.low, region.high, strict=True)
        )
        head = linear_head(self.problem, self.inputs, SoftPrompt(u))
        if isinstance(head, LinearHead):
            raise FitsError(Classifier(head, SoftPrompt(u)))

    def branch(self, region: Region, solution: Solution | None) -> Node:
        """Try to read a prompt and a head off the solution, then split the region and return its node.

        Split by the sign of the y_l[h] at which the solution is furthest from a product b u'. If all signs are fixed,
        halve the widest interval of u. In that case, raises `SignsLeaveError` if there is no f*, and `SpentError` if
        the widest interval is shorter than 2^-10.
        """
        if solution:
            self.try_head(region, solution)
        free = [form for form in self.forms if form not in region.signs]
        if free:
            form = max(free, key=lambda form: self.spread(solution, form, region.largest))
            signed = (replace(region, signs={**region.signs, form: sign}) for sign in (1, -1))
            return Sign(*form, *map(self.visit, signed))
        if region.largest is None:
            raise SignsLeaveError
        low, high = list(region.low), list(region.high)
        width, state = max((b, f) for f, b in enumerate(minus(high, low)))
        if width < Fraction(1, 2**10):
            raise SpentError
        low[state] = high[state] = at = (low[state] + high[state]) / 2
        halves = replace(region, high=tuple(high)), replace(region, low=tuple(low))
        return Halve(state, at, *map(self.visit, halves))

    def spread(self, solution: Solution | None, form: Form, star: int | None) -> Fraction:
        """Return how far a solution Q is from a product b u' at y = y_l[h]; 0 without a solution.

        If Q is b u', some linear function q_f of Q is y u_f. With an f*, and s the sign of q_{f*}, return the sum over
        f of the amounts by which 0 <= s q_f <= s q_{f*} is violated. Without an f*, return how much the q_f of
        different signs cancel: the sum of all |q_f| minus the absolute value of the sum of all q_f.
        """
        if solution is None:
            return Fraction(0)
        (label, h), size = form, self.k * self.n
        block = solution.b[(label - 1) * size : label * size]
        row = [dot(self.columns[h], block[f :: self.n]) for f in range(self.n)]
        if star is None:
            return sum(map(abs, row), Fraction(0)) - abs(sum(row, Fraction(0)))
        sign = 1 if row[star] >= 0 else -1
        return sum((max(-sign * q, sign * q - abs(row[star]), Fraction(0)) for q in row), Fraction(0))
