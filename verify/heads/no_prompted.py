"""No prompt and head exist (theorem 3.6), or a pair that fits: branch and bound over (u, b).

The scores are linear in the products Q = b u'. Dropping that Q has rank one leaves a linear system; if it is
infeasible, so is every (u, b). Otherwise the region is split by the sign of y_h = W[:,h]'b for each state h, which is
the sign of all y_h u_f: weak inequalities in Q. If some leaf stays open, a new tree splits by which u_f is largest (u
is scaled so that this entry is 1), by the signs, and by halves of the other u_f. With u in a box and the sign of y_h
fixed, y_h u_f lies between multiples of y_h = y_h u_{f*}. Each leaf has its own multipliers.
`docs/certificate-format.md`, section 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from flint import fmpz_mat

from constructions.evidence import Evidence, TreeNode, Word
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.linear import Matrix, Vector, combine, integer_rows, integers, primitive, transpose
from verify.heads.no_linear import Constraint, Inequalities, linear_head
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


Node: TypeAlias = Largest | ZeroPrompt | Sign | Halve | Excluded


class NoPromptedHead(Evidence, kind="no-prompted-head", says="no head serves {inputs}"):
    """A tree of regions of (u, b), each of them excluded by its inputs."""

    inputs: tuple[Word, ...]
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Region:
    """A box for u, the state whose u is 1 or none, and the known signs of y_l[h] = W[:,h]'(b_l - b_0) by (l, h)."""

    low: tuple[Fraction, ...]
    high: tuple[Fraction, ...]
    largest: int | None = None
    signs: tuple[tuple[tuple[int, int], int], ...] = ()


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
        first = {primitive(column): h for h, column in reversed(list(enumerate(self.columns)))}
        self.forms = [(label, h) for label in problem.task.labels[1:] for h in sorted(first.values())]
        self.index: dict[int, int] = {}
        self.nodes: list[Node | None] = []

    def run(self) -> NoPromptedHead | Classifier:
        everything = Region((Fraction(0),) * self.n, (Fraction(1),) * self.n)
        other = next((i for i, input_ in enumerate(self.inputs) if input_.label != self.problem.task.labels[-1]), None)
        if other is None:  # scores that are all 0 fit
            zeros = ((Fraction(0),) * self.k,) * len(self.problem.task.mu)
            return Classifier(LinearHead(zeros), SoftPrompt(everything.high))
        try:
            tree = self.visit(everything)
        except SignsLeaveError:
            self.nodes, self.index = [], {}
            tree = self.split_by_largest(everything, other)
        if isinstance(tree, Classifier):
            return tree
        return NoPromptedHead(
            tuple(self.inputs[i].word for i in self.index), tuple(node for node in self.nodes if node)
        )

    def split_by_largest(self, region: Region, other: int) -> int | Classifier:
        self.nodes.append(None)
        lows = (tuple(Fraction(h == f) for h in range(self.n)) for f in range(self.n))
        children = self.visit_all(replace(region, low=low, largest=f) for f, low in enumerate(lows))
        if isinstance(children, Classifier):
            return children
        self.nodes.append(ZeroPrompt(self.index.setdefault(other, len(self.index))))
        self.nodes[0] = Largest(children, len(self.nodes) - 1)
        return 0

    def visit_all(self, regions: Iterable[Region]) -> tuple[int, ...] | Classifier:
        """Exclude regions one by one; return the first prompt and head that fit."""
        nodes: list[int] = []
        for region in regions:
            node = self.visit(region)
            if isinstance(node, Classifier):
                return node
            nodes.append(node)
        return tuple(nodes)

    def visit(self, region: Region) -> int | Classifier:
        """Exclude a region, and return the index of its node; or return a prompt in it, and a head, that fit."""
        here, bounds = len(self.nodes), self.bounds(region)
        self.nodes.append(None)
        rows = [*self.system.rows, *bounds]
        self.allowance.spend(len(rows) * len(rows[0].coefficients))
        solution = decide(rows)
        if isinstance(solution, Multipliers):
            self.nodes[here] = self.excluded(solution, bounds)
            return here
        node = (self.rounded(region, solution) if solution else None) or self.branch(region, solution)
        if isinstance(node, Classifier):
            return node
        self.nodes[here] = node
        return here

    def excluded(self, multipliers: Multipliers, bounds: Sequence[Row]) -> Excluded:
        """Write the inputs' multipliers for the true features, and the bounds' as the parts that they cancel."""
        parts: dict[tuple[int, int], Vector] = {}
        input_rows = len(self.system.rows)
        for (form, weights), t in Multipliers({i - input_rows: t for i, t in multipliers.of.items()}).over(bounds):
            before = parts.get(form, (Fraction(0),) * self.n)
            share = t / self.scale
            parts[form] = tuple(x - share * y if y else x for x, y in zip(before, weights, strict=True))
        return Excluded(
            self.system.constraints(multipliers, self.index),
            tuple((*form, part) for form, part in sorted(parts.items())),
        )

    def bounds(self, region: Region) -> list[Row]:
        """Return 0 <= low_f y <= y u_f <= high_f y, for each y_l[h] whose sign is known, with y = y u_{f*}.

        Without an f*, 0 <= y u_f.
        """
        star, result = region.largest, []
        for form, sign in region.signs:
            for f in range(self.n):
                if star is None or f == star:
                    result.append(self.bound(form, {f: Fraction(sign)}))
                else:
                    result.append(self.bound(form, {f: Fraction(sign), star: -sign * region.low[f]}))
                    result.append(self.bound(form, {f: Fraction(-sign), star: sign * region.high[f]}))
        return result

    def bound(self, form: tuple[int, int], weights: dict[int, Fraction]) -> Row:
        """Spell out one bound, `weights` of u times a column of W, scaled to integers; it is of (form, these)."""
        (label, h), width = form, self.k * self.n
        column, stretch = self.integral[h]
        scale = lcm(*(weight.denominator for weight in weights.values()))
        row = [0] * (width * len(self.problem.task.labels[1:]))
        for f, weight in weights.items():
            start, times = (label - 1) * width + f, int(scale * weight)
            row[start : start + width : self.n] = [entry * times for entry in column]
        nothing = Fraction(0)
        spread = tuple(stretch * scale * weights[f] if f in weights else nothing for f in range(self.n))
        return Row(tuple(row), False, (form, spread))

    def rounded(self, region: Region, solution: Solution) -> Classifier | None:
        """Read a prompt off Q, and return it with a head that fits all inputs, if there is one."""
        products = [solution.b[i : i + self.n] for i in range(0, len(solution.b), self.n)]
        star = region.largest
        if star is None:
            star = max(range(self.n), key=lambda f: sum(abs(q[f]) for q in products))
        square = sum(q[star] ** 2 for q in products)
        if not square:
            return None
        u = tuple(
            min(max(sum((q[f] * q[star] for q in products), Fraction(0)) / square, low), high).limit_denominator(2**12)
            for f, (low, high) in enumerate(zip(region.low, region.high, strict=True))
        )
        head = linear_head(self.problem, self.inputs, SoftPrompt(u))
        return Classifier(head, SoftPrompt(u)) if isinstance(head, LinearHead) else None

    def branch(self, region: Region, solution: Solution | None) -> Node | Classifier:
        """Split where the solution is furthest from a product b u'."""
        signs = dict(region.signs)
        free = [form for form in self.forms if form not in signs]
        if free:
            form = max(free, key=lambda form: self.spread(solution, form, region.largest))
            plus, minus = (replace(region, signs=(*region.signs, (form, sign))) for sign in (1, -1))
            children = self.visit_all((plus, minus))
            return children if isinstance(children, Classifier) else Sign(*form, *children)
        if region.largest is None:
            raise SignsLeaveError
        low, high = list(region.low), list(region.high)
        width, state = max((b - a, f) for f, (a, b) in enumerate(zip(low, high, strict=True)))
        if width < Fraction(1, 2**10):
            raise SpentError
        low[state] = high[state] = at = (low[state] + high[state]) / 2
        children = self.visit_all((replace(region, high=tuple(high)), replace(region, low=tuple(low))))
        return children if isinstance(children, Classifier) else Halve(state, at, *children)

    def spread(self, solution: Solution | None, form: tuple[int, int], star: int | None) -> Fraction:
        """Tell how much the solution's y_l[h] u violates 0 <= y u_f <= y u_{f*}, up to the sign of y.

        Without an f*, how much of it is of either sign.
        """
        if solution is None:
            return Fraction(0)
        start = (form[0] - 1) * self.k * self.n
        products = [solution.b[i : i + self.n] for i in range(start, start + self.k * self.n, self.n)]
        row = combine(self.columns[form[1]], products)
        if star is None:
            return sum(map(abs, row), Fraction(0)) - abs(sum(row, Fraction(0)))
        sign = 1 if row[star] >= 0 else -1
        return sum((max(-sign * q, sign * q - abs(row[star]), Fraction(0)) for q in row), Fraction(0))
