"""No prompt and head exist (theorem 3.6, two labels): inputs near the border of F* exclude them.

There are two labels. A head b behind a prompt u scores an input x by g'beta(x), and the task scores it by f'beta(x).
Here

    g = y o c,    y = W'(b_1 - b_0),    c = A(u o p1),    p1 = P[H_1].

The argument names finitely many inputs, and shows that no (u, b) gives each of them its label:

1. Inputs on both sides of the border f'beta = 0, and close to it, leave g little choice. Multipliers of such inputs
   show that every g_h with f_h = 0 is tiny beside the g_j with f_j != 0.
2. So y_h is tiny beside y_j, or c_h is tiny beside c_j.
3. How small c_h can be beside c_j depends on A and p1 alone. Some state i contributes the largest part of c_j, namely
   A[j,i] p1[i] u_i. Then c_h is at least A[h,i] / A[j,i] times this part.
4. A tree branches over this state i, for some states j. At each leaf, y_h is tiny where f_h = 0 and A[h,i] > 0.
5. Each leaf has a linear relation between columns of W. The entries of y meet it, too. But by the bounds the y_h in it
   are too small to balance the y_j.

See `docs/certificate-format.md`, section 6.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache, partial
from itertools import chain, compress, starmap
from math import inf
from operator import mul
from random import Random
from typing import TypeAlias

import numpy as np
from flint import arb, arb_mat, ctx, fmpq

from constructions.evidence import TreeNode, Word
from constructions.linear import Vector, dot, fraction, identity, integers, minus, product, spread, transpose
from constructions.models import HMM
from constructions.simplex import inequalities
from verify.heads.no_linear import Constraint, Refutation
from verify.words.border import ENOUGH_WORDS, MAX_PREFIX_LENGTH, Border, floats
from verify.words.linear_programs import Floats, pass_program, quiet_solver
from verify.words.problem import Input, Inputs, Problem, beta, multiply

ROUNDS_WITHOUT_PROGRESS = 3
"""The search ends after this many rounds in a row in which the bounds do not shrink."""

LARGEST_E = 8.0
"""Linear programs limit every |e| to this number (see `_Bounds`). A bound on e counts only if it is smaller."""

LARGEST_EXPONENT = 200
"""2^-LARGEST_EXPONENT stands for 0: no search begins unless a tree excludes all g of this size where f_h = 0.

No exponent falls below -LARGEST_EXPONENT.
"""

STEPS_PER_UNKNOWN = 50
"""A linear program that takes this many steps for each unknown is begun anew, since it may cycle."""

MULTIPLIER_BITS = 300
"""Multipliers are computed with this many bits."""

DRAWN_BITS, DIRECTIONS, WORDS_PER_DIRECTION, MAX_DRAWN_LENGTH = range(2, 14, 2), 8, 24, 20
"""How the first inputs are drawn: at these the task's score and a nearby score have different signs.

A nearby score is that of the functional f + d or f - d. For each of DRAWN_BITS, d is 2^-bits times a random vector, in
DIRECTIONS directions. Each nearby score gives at most WORDS_PER_DIRECTION words of fewer than MAX_DRAWN_LENGTH tokens.
"""

FACTOR, SLACK = 8, Fraction(1, 4)
"""From `docs/certificate-format.md`, section 6: 8, a factor in the rule of relations; 1/4, the limit of sum |d_m|."""


class By(TreeNode, tag="by"):
    """Branch on the cause of c[state]: this is the state i with the largest A[state,i] p1[i] u_i.

    There is a child for each state i with A[state,i] p1[i] > 0.
    """

    state: int
    children: tuple[int, ...]


class Relation(TreeNode, tag="relation"):
    """A contradiction: a relation between columns of W makes two sums equal, but the bounds make the first larger.

    The first sum is that of t |y_j| over the pairs (j, t) of `positive`. The second is that of r y_h over the triples
    (h, j, r) of `others`, in which |y_h| is bounded by a multiple of |y_j|.
    """

    positive: tuple[tuple[int, Fraction], ...]
    others: tuple[tuple[int, int, Fraction], ...]


Node: TypeAlias = By | Relation
Weights: TypeAlias = dict[Word, Fraction]
Causes: TypeAlias = tuple[tuple[int, int], ...]
"""Pairs of states (j, f), where f is no functional: f contributes the largest part A[j,f] p1[f] u_f of c_j."""


class NearBorder(Refutation, kind="near-border", says="no head serves {inputs} near the border"):
    """Bounds on g for every prompt and head that serve the inputs, and a tree that shows: no g meets these bounds.

    `signed`: the states h with f_h != 0. `first`: the signed state to whose g all others are compared. `sizes` (n,):
    the unit of each g_h. `bounds`: for each state h, the lists of constraints that bound g_h.
    """

    first: int
    signed: tuple[int, ...]
    sizes: Vector
    bounds: tuple[tuple[tuple[Constraint, ...], ...], ...]
    nodes: tuple[Node, ...]


class StuckError(Exception):
    """Raised at a node that has a cause for each signed state, but no relation."""


def tree(model: HMM, signed: Sequence[int], sizes: Vector) -> tuple[Node, ...] | None:
    """Return a tree whose leaves are relations that exclude all g of these sizes; None if a leaf has no relation.

    `signed`: the states h with f_h != 0. `sizes` (n,): the unit of each g_h.
    """
    nodes, relation = list[Node](), cache(partial(_relation, model, signed, sizes))

    def grow(causes: Causes) -> int:
        """Add the node for these causes and the nodes below it, and return its index. Raises `StuckError`."""
        here = len(nodes)
        if leaf := relation(causes):
            nodes.append(leaf)
            return here
        free = sorted(set(signed).difference(j for j, _ in causes))
        below = {j: [tuple(sorted((*causes, (j, f)))) for f in _sources(model, j)] for j in free}
        if not below:
            raise StuckError
        state = min(below, key=lambda j: sum(relation(longer) is None for longer in below[j]))
        nodes.append(By(state, ()))
        nodes[here] = By(state, tuple(map(grow, below[state])))
        return here

    try:
        grow(())
    except StuckError:
        return None
    return tuple(nodes)


def _sources(model: HMM, state: int) -> list[int]:
    """Return the states in which H_1 can be and from which one step leads to `state`."""
    return [f for f, a in enumerate(model.transition[state]) if a and model.first[f]]


def _relation(model: HMM, signed: Sequence[int], sizes: Vector, causes: Causes) -> Relation | None:
    """Find the relation of a leaf: weights t and r which show that the y_h cannot balance the `signed` y_j.

    A cause (j, f) is a pair of states: here f is not the functional. A cause gives a bound |y_h| <= cost |y_j| for each
    h != j with A[h,f] > 0. The weights are multipliers: t >= 0 for each signed j, and r >= 0 for each of these bounds
    and each sign s of y_h, 1 or -1. The weights meet two conditions:

    - for each token z, an equation: the sum of sign(sizes[j]) t_j W[z,j] equals the sum of s r W[z,h];
    - for each state j with a cause, an inequality: t_j is at least the sum of cost * r over the bounds by |y_j|.

    Return None if there are no such weights, or if this is undecided.
    """
    A, columns = model.transition, transpose(model.emission)
    others = [(h, j, f) for j, f in causes for h in range(len(sizes)) if h != j and A[h][f]]
    states = [j for j, _ in causes]
    rows = []
    for j in signed:
        sign = 1 if sizes[j] > 0 else -1
        rows.append([*(sign * w for w in columns[j]), *(Fraction(-(j == other)) for other in states)])
    for h, j, f in others:
        ratio = abs(sizes[h] / sizes[j]) * A[j][f] / A[h][f]
        cost = Fraction(17, 16) * FACTOR * len(_sources(model, j)) * ratio  # |y_h| <= cost |y_j| where f causes c_j
        rows += [[*(s * w for w in columns[h]), *(cost * (j == other) for other in states)] for s in (-1, 1)]
    rows += [[*(Fraction(0) for _ in columns[0]), *row] for row in identity(len(states))]
    integer_rows, scales = zip(*map(integers, rows), strict=True)
    count = len(signed)
    solution = inequalities(integer_rows, [i < count for i in range(len(rows))])
    if solution is None or solution[0]:
        return None
    t = [scale * x for scale, x in zip(scales, solution[1], strict=True)]
    positive = tuple((j, x) for j, x in zip(signed, t, strict=False) if x)
    signs = zip(others, t[count::2], t[count + 1 :: 2], strict=False)
    return Relation(positive, tuple((h, j, a - b) for (h, j, _), a, b in signs if a != b))


def near_border(problem: Problem) -> NearBorder | None:
    """Refute all prompts and heads by inputs near the border, for a task of two labels.

    Return None for more labels, and if no tree excludes even the smallest sizes (`LARGEST_EXPONENT`). Return None, too,
    if the bounds stop shrinking, or the effort is spent, before a tree excludes all g within the bounds.
    """
    if len(problem.task.labels) != 2 or not problem.effort.rounds:
        return None
    bounds = _Bounds(problem)
    if not bounds.signed or not tree(problem.model, bounds.signed, bounds.sizes([LARGEST_EXPONENT] * problem.states)):
        return None
    bounds.add_drawn()
    largest, since = -inf, 0
    while since < ROUNDS_WITHOUT_PROGRESS:
        corners = bounds.shrink()
        nodes = tree(problem.model, bounds.signed, bounds.sizes(bounds.exponents)) if bounds.settled else None
        if refutation := nodes and bounds.evidence(nodes):
            return refutation
        total = int(bounds.exponents.sum())
        largest, since = max(total, largest), 0 if total > largest else since + 1
        longest = 2 * MAX_PREFIX_LENGTH if since and bounds.settled else MAX_PREFIX_LENGTH
        new = bounds.add_beyond(corners, longest, ENOUGH_WORDS)
        if not (bounds.settled or new) or len(bounds.rows) > 2 * problem.effort.constraints:  # those let go are counted
            break
    return None


class _Bounds:
    """Bounds on g by inputs near the border.

    Write g = sizes o z, with g scaled so that z[first] = 1. There are numbers e[h], all 0 if g is f, the task's
    functional, such that for all h but `first`

        z[h] = 1/2 + e[h] 2^-exponents[h]    where f[h] != 0,
        z[h] = e[h]                          where f[h] = 0; there sizes[h] has the factor 2^-exponents[h].

    Linear programs bound every |e[h]|. If a bound is below 0.475, exponents[h] grows: then e[h] is measured in a
    smaller unit. If it is above 0.95, exponents[h] falls.

    `score`: f. `signed`: the states h with f[h] != 0. `free`: all states but `first`. `inputs`: the inputs in use.
    `rows`: for every input so far, in floats, r beta (n,) and r beta'f / |f[first]|, where the number r is > 0 for
    label 1 and < 0 for label 0. `active`: for each (h, direction), direction = 1 or -1, the inputs whose inequalities
    are equalities where direction * e[h] is largest. `settled`: whether the last bounds are small enough for evidence.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem, self.pool = problem, Inputs(problem)
        self.score = minus(problem.task_functionals[1], problem.task_functionals[0])
        self.signed = tuple(h for h, f in enumerate(self.score) if f)
        self.first = max(self.signed, key=lambda h: abs(self.score[h]), default=0)
        self.free = [h for h in range(problem.states) if h != self.first]
        self.border = Border(problem, self.score)
        self.integer_score = integers(self.score)[0]
        self.unit = abs(self.integer_score[self.first]) or 1  # where f is 0 nothing is signed, and nothing is cut off
        self.exponents = np.zeros(problem.states, dtype=int)
        self.inputs: dict[Word, Input] = {}
        self.rows: dict[Word, tuple[Floats, float]] = {}
        self.active: dict[tuple[int, int], list[Input]] = {}
        self.settled = False
        self.add(input_.word for input_ in self.pool.up_to(1) or [])

    def units(self, exponents: Iterable[int]) -> Vector:
        """Return by how much each g_h changes if e_h grows by 1, (n,).

        Entry h is 2^-exponents[h] times a factor: f_h if h is `first`, the largest entry of |f| if f_h = 0, else 2 f_h.
        """
        largest = abs(self.score[self.first])
        sizes = (f * (2 - (h == self.first)) or largest for h, f in enumerate(self.score))
        return tuple(size / Fraction(2) ** int(small) for size, small in zip(sizes, exponents, strict=True))

    def sizes(self, exponents: Iterable[int]) -> Vector:
        """Return the vector `sizes` of g = sizes o z for these exponents."""
        return self.units(small * (h not in self.signed) for h, small in enumerate(exponents))

    def add(self, words: Iterable[Word]) -> None:
        """Add those of these words that are inputs."""
        for input_ in filter(None, map(self.pool.of, words)):
            self.inputs[input_.word] = input_
            sign, largest = 2 * input_.label - 1, max(input_.beta)
            score = sum(map(mul, self.integer_score, input_.beta))
            row = sign * np.array([entry / largest for entry in input_.beta])
            self.rows[input_.word] = row, sign * (score / (largest * self.unit))

    def add_drawn(self) -> None:
        """Add inputs on both sides of the border, ever closer to it, in random directions."""
        draw, steps = Random(0).uniform, [2.0**-bits for bits in DRAWN_BITS for _ in range(DIRECTIONS)]
        directions = (step * np.array([draw(-1, 1) for _ in self.score]) for step in steps)
        changes = (sign * direction for direction in directions for sign in (1, -1))
        self.add_beyond(changes, MAX_DRAWN_LENGTH, WORDS_PER_DIRECTION)

    def add_beyond(self, changes: Iterable[Floats], longest: int, enough: int) -> bool:
        """Add words at which one of these changes turns the sign of the task's score. Return whether any word is new.

        `changes`: vectors (n,) that are added to f, in units of |f[first]|. `longest`, `enough`: see `Border.crossed`.
        """
        words = (word for change in changes for word in self.border.crossed(change, longest, enough))
        new = [word for word in dict.fromkeys(words) if word not in self.inputs]
        self.add(new)
        return bool(new)

    def shrink(self) -> list[Floats]:
        """Bound each e[h] by the inputs in use, and drop the inputs that bound no e[h].

        Return for each (h, direction) the corner where direction * e[h] is largest, as a change of f, (n,), in units of
        |f[first]|.
        """
        program, corners, self.active, self.settled = _Program(self), list[Floats](), {}, True
        for i, h in enumerate(self.free):
            distances, minimum = list[float](), 0 if h in self.signed else -LARGEST_EXPONENT
            for direction, room in ((1, 0.49), (-1, 0.24)):
                corner, self.active[h, direction] = program.furthest(i, direction)
                distances.append(abs(corner[i]))
                corners.append(np.insert(corner * program.sizes, self.first, 0.0))
                self.settled &= h not in self.signed or distances[-1] * 2.0 ** -float(self.exponents[h]) <= room
            self.settled &= max(distances) < LARGEST_E
            shift = int(np.ceil(np.log2(max(*distances, 2.0**-20) / 0.95)))
            self.exponents[h] = max(minimum, self.exponents[h] - shift)
        self.inputs = {input_.word: input_ for input_ in compress(program.inputs, program.binds)}
        return corners

    def evidence(self, nodes: tuple[Node, ...]) -> NearBorder | None:
        """Return the tree and the bounds, with rounded multipliers, as evidence.

        Return None if a bound has no multipliers or does not hold, or if no `active` input has label 0.
        """
        inputs = {input_.word: input_ for active in self.active.values() for input_ in active}
        strict = next((input_ for input_ in inputs.values() if input_.label == 0), None)
        multipliers, sizes = self.multipliers(), self.sizes(self.exponents)
        if strict is None or len(multipliers) < len(self.active):
            return None
        sums = {h: [multipliers[h, direction] for direction in (1, -1)] for h in self.free}
        above, below = sums[self.free[0]]
        both = {word: above.get(word, Fraction(0)) + below.get(word, Fraction(0)) for word in above | below}
        ahead = (t * abs(sum(map(mul, self.score, inputs[word].beta))) for word, t in both.items())
        factor = Fraction(9, 8) / sum(ahead)
        sums[self.first] = [{word: t * factor for word, t in both.items()}]
        for h in set(self.free).intersection(self.signed):
            unit = Fraction(1, 2 ** int(self.exponents[h]))
            factors = unit, unit * Fraction(39, 10)
            sums[h] = [{word: t * x for word, t in w.items()} for w, x in zip(sums[h], factors, strict=True)]
        largest = dot(list(map(abs, sizes)), [Fraction(b) for b in strict.beta])
        for weights in chain.from_iterable(sums.values()):
            if all(inputs[word].label == 1 for word in weights):  # what is shown is to be > 0
                weights[strict.word] = 1 / (64 * largest)
        digits = 16 + int(0.31 * max(self.exponents[list(self.signed)]))
        words = sorted(set().union(*chain.from_iterable(sums.values())), key=lambda word: (len(word), word))
        scale = {word: sum(inputs[word].beta) / sum(beta(self.problem, word), Fraction(0)) for word in words}

        def constraint(word: Word, t: Fraction) -> Constraint:
            return words.index(word), 1 - inputs[word].label, _short(t * scale[word], digits)

        bounds = tuple(
            tuple(tuple(starmap(constraint, weights.items())) for weights in sums[h]) for h in range(len(sums))
        )
        refutation = NearBorder(tuple(words), self.first, self.signed, sizes, bounds, nodes)
        return refutation if self.holds(refutation) else None

    def multipliers(self) -> dict[tuple[int, int], Weights]:
        """Solve for the weights t > 0 of the `active` inputs that bound direction * e[h], for each (h, direction).

        Weights have more digits than floats. Pairs whose active inputs do not determine the corner are left out.
        """
        units, result = self.units(self.exponents), dict[tuple[int, int], Weights]()
        with ctx.workprec(MULTIPLIER_BITS):
            arbs = [arb(fmpq(units[h].numerator, units[h].denominator)) for h in self.free]
            rows = {
                input_.word: [
                    (2 * input_.label - 1) * input_.beta[h] * unit for h, unit in zip(self.free, arbs, strict=True)
                ]
                for input_ in chain.from_iterable(self.active.values())
            }
            for (h, direction), active in self.active.items():
                goal = arb_mat([[-direction * (f == h)] for f in self.free])
                with suppress(ValueError, ZeroDivisionError):  # fewer inputs than unknowns
                    solution = arb_mat([rows[input_.word] for input_ in active]).transpose().solve(goal)
                    weights = (fraction(t.mid().fmpq()) for t in solution.entries())
                    result[h, direction] = {input_.word: t for input_, t in zip(active, weights, strict=True) if t > 0}
        return result

    def holds(self, refutation: NearBorder) -> bool:
        """Tell, in exact arithmetic, whether every bound holds."""
        goals: list[tuple[int, int, int, float]] = []  # a state, the weight there, and limits of that at the first one
        for h in range(self.problem.states):
            others = [(h, -1, 0, 1), (h, 4, -2, -1) if h in self.signed else (h, 1, 0, 1)]
            goals += [(h, 0, 1, inf)] if h == self.first else others
        rows = [
            spread(tuple(-t if rival else t for _, rival, t in bound), [i for i, *_ in bound], len(refutation.inputs))
            for bound in chain.from_iterable(refutation.bounds)
        ]
        sums = product(rows, [beta(self.problem, word) for word in refutation.inputs])
        for (h, goal, low, high), row, total in zip(goals, rows, sums, strict=True):
            z = list(multiply(total, refutation.sizes))
            ahead, z[self.first] = z[self.first], Fraction(0)
            z[h] -= goal
            if not (min(row) < 0 and low <= ahead <= high and sum(map(abs, z)) <= SLACK):
                return False
        return True


def _short(number: Fraction, digits: int) -> Fraction:
    """Round a number to `digits` or `digits` + 1 significant decimal digits."""
    shift = digits - round((number.numerator.bit_length() - number.denominator.bit_length()) * 0.30103)
    power = Fraction(10) ** shift
    return round(number * power) / power


class _Program:
    """The inequalities of the inputs on e, in floats, with a solver (HiGHS) that keeps its basis between programs.

    `sizes`: by how much g changes per unit of each e_i, in units of |f[first]|. `inputs`: the inputs that may bound an
    e_i. `binds`: for each of these inputs, whether it has bound an e_i. Entries of e are numbered as the states in
    `free`.
    """

    def __init__(self, bounds: _Bounds) -> None:
        units, width = bounds.units(bounds.exponents), len(bounds.free)
        self.sizes = floats([units[h] for h in bounds.free], abs(bounds.score[bounds.first]))
        betas, scores = map(np.array, zip(*(bounds.rows[word] for word in bounds.inputs), strict=True))
        rows = betas[:, bounds.free] * self.sizes
        scale = np.abs(rows).max(axis=1)
        scale[scale == 0] = 1  # an input that says nothing of any e
        limits = -scores / scale
        reach = 2 * np.abs(rows).sum(axis=1) / scale  # no other binds where all |e| <= 2
        may_bind = -limits < reach
        self.inputs = list(compress(bounds.inputs.values(), may_bind))
        self.binds = np.zeros(len(self.inputs), dtype=bool)
        self.highs = quiet_solver(presolve="off", simplex_iteration_limit=STEPS_PER_UNKNOWN * width)
        far, none = np.full(width, LARGEST_E), np.full(len(self.inputs), inf)
        matrix = (rows / scale[:, None])[may_bind]
        pass_program(self.highs, matrix, np.zeros(width), (-far, far), (limits[may_bind], none))

    def furthest(self, i: int, direction: int) -> tuple[Floats, list[Input]]:
        """Maximise direction * e_i. Return the corner e, and the inputs whose inequalities are equalities there.

        Mark in `binds` the inputs that bound e_i.
        """
        import highspy

        self.highs.changeColCost(i, -float(direction))
        self.highs.run()
        if self.highs.getModelStatus() == highspy.HighsModelStatus.kIterationLimit:  # from a basis where it may cycle
            self.highs.clearSolver()
            self.highs.run()
        self.highs.changeColCost(i, 0.0)
        solution = self.highs.getSolution()
        self.binds |= np.array(solution.row_dual) != 0
        basic = -1 - np.array(self.highs.getBasicVariables()[1])  # row n is variable -1 - n
        nonbasic = np.setdiff1d(np.arange(len(self.inputs)), basic)
        return np.array(solution.col_value), [self.inputs[n] for n in nonbasic]
