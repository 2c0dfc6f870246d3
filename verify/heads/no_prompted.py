"""No prompt and head exist (theorem 3.6), or a pair that fits: branch and bound over (u, b).

The scores are linear in the products Q = b u'. Dropping that Q has rank one leaves a linear system; if it is
infeasible, so is every (u, b). Otherwise the region is split by the sign of y_h = W[:,h]'b for each state h, which is
the sign of all y_h u_f: weak inequalities in Q. If some leaf stays open, a new tree splits by which u_f is largest (u
is scaled so that this entry is 1), by the signs, and by halves of the other u_f. With u in a box and the sign of y_h
fixed, y_h u_f lies between multiples of y_h = y_h u_{f*}. Each leaf has its own multipliers.
`docs/certificate-format.md`, section 6.
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
    """A child for each f, where u_f = 1 is largest, and one for u = 0."""

    children: tuple[int, ...]
    zero: int


class ZeroPrompt(TreeNode, tag="zero"):
    """With u = 0 all scores are 0: this input has another label."""

    input: int


class Sign(TreeNode, tag="sign"):
    """W[:,state]'(b_label - b_0) is >= 0 in the one child and <= 0 in the other."""

    label: int
    state: int
    upper: int
    lower: int


class Halve(TreeNode, tag="halve"):
    """u_f <= at in the one child and >= at in the other."""

    state: int
    at: Fraction
    lower: int
    upper: int


class Excluded(TreeNode, tag="motzkin"):
    """The multipliers exclude this region: the sum that they give splits into `parts` (l, h, weights of u)."""

    constraints: tuple[Constraint, ...]
    parts: tuple[tuple[int, int, Vector], ...] = ()


Form: TypeAlias = tuple[int, int]
"""(l, h): y_l[h] = W[:,h]'(b_l - b_0)."""

Node: TypeAlias = Largest | ZeroPrompt | Sign | Halve | Excluded


class NoPromptedHead(Refutation, kind="no-prompted-head"):
    """A tree of regions of (u, b), each of them excluded by its inputs."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Region:
    """A box for u, the state whose u is 1 or none, and the known signs of y_l[h]."""

    low: Vector
    high: Vector
    largest: int | None = None
    signs: Mapping[Form, int] = field(default_factory=dict)


class SignsLeaveError(Exception):
    """Raised where all signs are fixed and no multipliers exclude the region: branch on the largest u_f instead."""


class Allowance:
    """How many entries of linear programs may still be solved."""

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
    """Fit the inputs with a prompt and a head, or refute that there are any; None once the allowance is spent."""
    try:
        return _Search(problem, inputs, allowance).run()
    except FitsError as fit:
        classifier: Classifier = fit.args[0]
        return classifier
    except SpentError:
        return None


def prompted_features(problem: Problem) -> Matrix:
    """Return what a head reads of beta(x) for each token z and state f that the prompt can name: rows (z, f)."""
    model = problem.model
    into = [tuple(p * a for a in column) for p, column in zip(model.first, transpose(model.transition), strict=True)]
    return tuple(multiply(row, weights) for row in model.emission for weights in into)


class _Search:
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
        """Exclude a region, and return the index of its node. Raises `FitsError` with a prompt in it, and a head."""
        here, rows = len(self.nodes), [*self.system.rows, *self.bounds(region)]
        self.nodes.append(None)
        self.allowance.spend(len(rows) * len(rows[0].coefficients))
        solution = decide(rows)
        self.nodes[here] = (
            self.excluded(solution, rows) if isinstance(solution, Multipliers) else self.branch(region, solution)
        )
        return here

    def excluded(self, multipliers: Multipliers, rows: Sequence[Row]) -> Excluded:
        """Write the inputs' multipliers for the true features, and the bounds' as the parts that they cancel."""
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
        """Yield 0 <= low_f y <= y u_f <= high_f y, for each y_l[h] whose sign is known, with y = y u_{f*}.

        Without an f*, 0 <= y u_f.
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
        """Spell out one bound, `weights` of u times a column of W, scaled to integers; it is of (form, these)."""
        label, h = form
        column, stretch = self.integral[h]
        u, _ = integers([weights.get(f, Fraction(0)) for f in range(self.n)])
        block = [w * weight for w in column for weight in u]
        coefficients = tuple((l == label) * entry for l in self.problem.task.labels[1:] for entry in block)
        return Row(coefficients, False, (form, [stretch * weight for weight in u]))

    def try_head(self, region: Region, solution: Solution) -> None:
        """Read a prompt off Q. Raises `FitsError` with it and a head, if some head behind it fits all inputs."""
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
        """Split where the solution is furthest from a product b u', if this gives no prompt and head that fit."""
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
        """Tell how much the solution's y_l[h] u violates 0 <= y u_f <= y u_{f*}, up to the sign of y.

        Without an f*, how much of it is of either sign.
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
