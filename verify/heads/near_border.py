"""No prompt and head exist (theorem 3.6), by inputs near the border of F*, which bound g = y o c.

With two labels a prompt u and a head b score an input by g'beta, g = y o c with y = W'(b_1 - b_0) and c = A(u o p1).
Inputs on both sides of the border, and close to it, leave g little choice: their multipliers show that every entry g_h
where the task has 0 is tiny beside those where it has not. Where c_h is not, y_h must be; and y is a vector of only k
dimensions. How small c_h can be beside c_j is a property of A: of the states f from which the prompt leads to j, one
gives c_j its largest part, and c_h has at least A[h,f] / A[j,f] of that. So the tree branches over these f for some
states j, and a leaf has a linear relation between columns of W in which the y_h are too small to balance the y_j.
`docs/certificate-format.md`, section 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from operator import mul
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from constructions.evidence import Evidence, TreeNode, Word
from constructions.linear import Vector, dot, identity, integers, minus, solve, transpose
from constructions.simplex import inequalities
from verify.heads.no_linear import Constraint
from verify.words.border import MAX_PREFIX_LENGTH, Border, floats
from verify.words.linear_programs import quiet_solver
from verify.words.problem import Input, Inputs, Problem, beta

ROUNDS_WITHOUT_PROGRESS = 8
"""The search ends after this many rounds in which no bound shrinks."""

LARGEST_E = 8.0
"""Linear programs bound every |e| by this."""

LARGEST_EXPONENT = 200
"""2 to the minus this is as good as 0."""

STEPS_PER_UNKNOWN = 50
"""A linear program that takes this many steps for each unknown is begun anew, since it may cycle."""

MULTIPLIER_BITS = 200
"""Entries from which multipliers are computed are rounded to this many bits."""

FACTOR, SLACK = 8, Fraction(1, 4)
"""Section 6 of the format: the bounds say |z_h - z(f)_h| <= 1/4, and weights of relations grow by this factor."""


class By(TreeNode, tag="by"):
    """A child for each state f that leads to `state` with p1[f] > 0: the prompt gives c its largest part there."""

    state: int
    children: tuple[int, ...]


class Relation(TreeNode, tag="relation"):
    """sum of t |y_j| over `positive` (j, t) is the sum of r y_h over `others` (h, j, r), which is smaller."""

    positive: tuple[tuple[int, Fraction], ...]
    others: tuple[tuple[int, int, Fraction], ...]


Node: TypeAlias = By | Relation
Causes: TypeAlias = tuple[tuple[int, int], ...]
"""(j, f): of what the prompt gives to state j, most comes from state f."""


class NearBorder(Evidence, kind="near-border", says="no head serves {inputs} near the border"):
    """Bounds on the scores of every head that serves the inputs, and a tree in which they exclude all of them."""

    inputs: tuple[Word, ...]
    first: int
    signed: tuple[int, ...]
    sizes: Vector
    bounds: tuple[tuple[tuple[Constraint, ...], ...], ...]
    nodes: tuple[Node, ...]


class Tree:
    """The tree for given sizes of g. If there is none, `stuck` has pairs (j, f) that allow no relation."""

    def __init__(self, problem: Problem, signed: Sequence[int], sizes: Vector) -> None:
        """Build it as far as it goes."""
        model = problem.model
        self.transition, self.columns = model.transition, transpose(model.emission)
        self.sources = [[f for f, a in enumerate(row) if a and model.first[f]] for row in model.transition]
        self.signed, self.sizes = signed, sizes
        self.relations: dict[Causes, Relation | None] = {}
        self.nodes: list[Node] = []
        self.stuck: Causes | None = None
        self.grow(())

    def grow(self, causes: Causes) -> int:
        """Add the node for these causes and those below it, and return its index."""
        here = len(self.nodes)
        relation = self.relation(causes)
        if relation:
            self.nodes.append(relation)
            return here
        causes_by_state = dict(causes)
        undecided = [j for j in self.signed if j not in causes_by_state]
        if not undecided or self.stuck:
            self.stuck = self.stuck or causes
            return here
        state = min(undecided, key=lambda j: sum(self.relation((*causes, (j, f))) is None for f in self.sources[j]))
        self.nodes.append(By(state, ()))
        children = tuple(self.grow((*causes, (state, f))) for f in self.sources[state] if not self.stuck)
        self.nodes[here] = By(state, children)
        return here

    def fits(self, sizes: Vector) -> bool:
        """Tell whether every leaf has a relation for other sizes, too, and take these relations."""
        self.sizes, self.relations = sizes, {}
        leaves = {}

        def below(i: int, causes: Causes) -> bool:
            node = self.nodes[i]
            if isinstance(node, By):
                causes_below = ((*causes, (node.state, f)) for f in self.sources[node.state])
                return all(map(below, node.children, causes_below))
            leaves[i] = self.relation(causes)
            return leaves[i] is not None

        if not below(0, ()):
            return False
        self.nodes = [leaves.get(i) or node for i, node in enumerate(self.nodes)]
        return True

    def relation(self, causes: Causes) -> Relation | None:
        """Find weights t of signed states, and r of other states whose y is too small to balance them."""
        key = tuple(sorted(causes))
        if key not in self.relations:
            self.relations[key] = self._relation(key)
        return self.relations[key]

    def _relation(self, causes: Causes) -> Relation | None:
        others = [(h, j, f) for j, f in causes for h in range(len(self.sizes)) if h != j and self.transition[h][f]]
        states = [j for j, _ in causes]
        rows = []
        for j in self.signed:  # t: it has to outweigh what leans on it
            sign = 1 if self.sizes[j] > 0 else -1
            rows.append([*(sign * w for w in self.columns[j]), *(Fraction(-(j == other)) for other in states)])
        for h, j, f in others:
            cost = Fraction(17, 16) * self.weight(h, j, f)
            rows += [[*(s * w for w in self.columns[h]), *(cost * (j == other) for other in states)] for s in (-1, 1)]
        rows += [[*(Fraction(0) for _ in self.columns[0]), *row] for row in identity(len(causes))]
        integer_rows, scales = zip(*(integers(row) for row in rows), strict=True)
        strict = [i < len(self.signed) for i in range(len(rows))]
        solution = inequalities(integer_rows, strict)
        if solution is None or solution[0]:
            return None
        t = [Fraction(scale) * x for scale, x in zip(scales, solution[1], strict=True)]
        count = len(self.signed)
        positive = tuple((j, x) for j, x in zip(self.signed, t, strict=False) if x)
        signs = zip(others, t[count::2], t[count + 1 :: 2], strict=False)
        return Relation(positive, tuple((h, j, a - b) for (h, j, _), a, b in signs if a != b))

    def weight(self, h: int, j: int, f: int) -> Fraction:
        """Bound |y_h| / |y_j| where state f gives most of c_j."""
        ratio = abs(self.sizes[h] / self.sizes[j]) * self.transition[j][f] / self.transition[h][f]
        return FACTOR * len(self.sources[j]) * ratio


def near_border(problem: Problem) -> NearBorder | Causes | None:
    """Refute all prompts and heads for two labels, or return causes that leave no relation.

    Return None if the inputs near the border that the effort allows refute nothing.
    """
    if len(problem.task.labels) != 2 or not problem.effort.rounds:
        return None
    bounds = _Bounds(problem)
    if not bounds.signed:
        return None
    tree = Tree(problem, bounds.signed, bounds.at(LARGEST_EXPONENT))
    if tree.stuck:
        return tree.stuck
    smallest, since = 0, 0
    while since < ROUNDS_WITHOUT_PROGRESS and bounds.shrink(
        2 * MAX_PREFIX_LENGTH if since and bounds.settled else MAX_PREFIX_LENGTH
    ):
        refutation = bounds.evidence(tree) if bounds.settled and tree.fits(bounds.sizes) else None
        if refutation:
            return refutation
        total = int(bounds.exponents.sum())
        smallest, since = max(total, smallest), 0 if total > smallest else since + 1
        if len(bounds.rows) > 2 * problem.effort.constraints:  # those let go are counted, too
            break
    return None


class _Bounds:
    """What inputs near the border leave of g = sizes o z, where z[first] = 1: z - z(f), e in units of 2^-exponent.

    z(f) is 1/2 at the other states of the task, and 0 elsewhere, where the exponents are those of the sizes.
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
        self.rows: dict[Word, tuple[NDArray[np.float64], float]] = {}
        self.settled = False
        self.add(input_.word for input_ in self.pool.up_to(1) or [])

    def at(self, exponents: NDArray[np.int_] | int) -> Vector:
        """The sizes: 2^-exponent beside the largest of f where f is 0."""
        small = np.broadcast_to(exponents, self.problem.states)
        unit = abs(self.score[self.first])
        return tuple(
            f * (2 - (h == self.first)) if f else unit / Fraction(2) ** int(small[h]) for h, f in enumerate(self.score)
        )

    @property
    def sizes(self) -> Vector:
        return self.at(self.exponents)

    @property
    def units(self) -> Vector:
        """What e = 1 is in g."""
        return tuple(
            size / Fraction(2) ** int(small) if h in self.signed else size
            for h, (size, small) in enumerate(zip(self.sizes, self.exponents, strict=True))
        )

    def add(self, words: Iterable[Word]) -> None:
        for word in words:
            input_ = None if word in self.inputs else self.pool.of(word)
            if input_:
                self.inputs[word] = input_
                sign, largest = _sign(input_), max(input_.beta)
                score = sum(map(mul, self.integer_score, input_.beta))
                row = sign * np.array([entry / largest for entry in input_.beta])
                self.rows[word] = row, sign * (score / (largest * self.unit))

    def shrink(self, longest: int) -> bool:
        """Bound each e by new inputs that cut off its furthest corners, and tell whether bounds may shrink further."""
        program, units = _Program(self), self.units
        crossing, self.settled = list[Word](), True
        for i, h in enumerate(self.free):
            out = []
            for direction, room in ((1, 0.49), (-1, 0.24)):
                distance, corner = program.furthest(i, direction)
                out.append(distance)
                e = dict(zip(self.free, corner, strict=True))
                crossing += self.border.crossed(
                    [unit * Fraction(e.get(k, 0.0)) for k, unit in enumerate(units)], longest
                )
                self.settled &= h not in self.signed or distance * 2.0 ** -float(self.exponents[h]) <= room
            self.settled &= max(out) < LARGEST_E
            minimum = 0 if h in self.signed else -LARGEST_EXPONENT
            self.exponents[h] = max(minimum, self.exponents[h] - int(np.ceil(np.log2(max(*out, 2.0**-20) / 0.95))))
        new = [word for word in dict.fromkeys(crossing) if word not in self.inputs]
        listed = list(self.inputs)
        self.inputs = {word: self.inputs[word] for word in (listed[n] for n in sorted(program.binding))}
        self.add(new)
        return self.settled or bool(new)

    def evidence(self, tree: Tree) -> NearBorder | None:
        """Write the bounds down with rounded multipliers, or return None if rounding leaves too large a remainder."""
        program, sums = _Program(self), dict[int, list[dict[int, Fraction]]]()
        for i, h in enumerate(self.free):
            above, below = program.multipliers(i, 1), program.multipliers(i, -1)
            if not above or not below:
                return None
            if self.first not in sums:
                both = {n: above.get(n, Fraction(0)) + below.get(n, Fraction(0)) for n in above | below}
                sums[self.first] = [_times(both, Fraction(9, 8) / self.ahead(both))]
            sums[h] = [above, below]
            if h in self.signed:
                unit = Fraction(1, 2 ** int(self.exponents[h]))
                sums[h] = [_times(above, unit), _times(below, unit * Fraction(39, 10))]
        listed = list(self.inputs.values())
        strict = next((n for n, input_ in enumerate(listed) if input_.label == 0), None)
        if strict is None:
            return None
        largest = dot([abs(size) for size in self.sizes], [Fraction(b) for b in listed[strict].beta])
        smallest_weight = 1 / (64 * largest)
        for weights in (weights for lists in sums.values() for weights in lists):
            if all(listed[n].label == 1 for n in weights):  # what is shown is to be > 0
                weights[strict] = smallest_weight
        digits = 16 + int(0.31 * max(self.exponents[list(self.signed)]))
        used = sorted({n for lists in sums.values() for weights in lists for n in weights})
        inputs = [listed[n] for n in used]
        index = {n: i for i, n in enumerate(used)}
        true = [sum(beta(self.problem, input_.word), Fraction(0)) / sum(input_.beta) for input_ in inputs]

        def constraints(weights: dict[int, Fraction]) -> tuple[Constraint, ...]:
            terms = ((index[n], t) for n, t in weights.items())
            return tuple((i, 1 - inputs[i].label, _short(t / true[i], digits)) for i, t in terms)

        bounds = tuple(tuple(map(constraints, sums[h])) for h in range(self.problem.states))
        words = tuple(input_.word for input_ in inputs)
        refutation = NearBorder(words, self.first, self.signed, self.sizes, bounds, tuple(tree.nodes))
        return refutation if self.holds(refutation) else None

    def ahead(self, weights: dict[int, Fraction]) -> Fraction:
        """Return the coefficient of z[first] in the weighted sum of inputs at e = 0."""
        inputs = list(self.inputs.values())
        scores = {n: sum(map(mul, self.score, inputs[n].beta), Fraction(0)) for n in weights}
        return sum((t * _sign(inputs[n]) * scores[n] for n, t in weights.items()), Fraction(0))

    def holds(self, refutation: NearBorder) -> bool:
        """Check every bound exactly."""
        for h, lists in enumerate(refutation.bounds):
            for which, constraints in enumerate(lists):
                total = [Fraction(0)] * len(refutation.sizes)
                for i, rival, t in constraints:
                    values = beta(self.problem, refutation.inputs[i])
                    total = [x + (t if rival == 0 else -t) * y for x, y in zip(total, values, strict=True)]
                z = [x * size for x, size in zip(total, refutation.sizes, strict=True)]
                ahead = z.pop(refutation.first)
                place = h - (h > refutation.first)
                low, high, goal = 0, 1, 2 * which - 1
                if h == refutation.first:
                    low, high, goal = 1, 10**9, 0
                elif which and h in refutation.signed:
                    low, high, goal = -2, -1, 4
                if h != refutation.first:
                    z[place] -= goal
                strict = any(rival == 1 for _, rival, _ in constraints)
                if not (strict and low <= ahead <= high and sum(map(abs, z)) <= SLACK):
                    return False
        return True


def _sign(input_: Input) -> int:
    return 1 if input_.label == 1 else -1


def _times(weights: dict[int, Fraction], factor: Fraction) -> dict[int, Fraction]:
    return {n: t * factor for n, t in weights.items()}


def _short(number: Fraction, digits: int) -> Fraction:
    """Round to some digits, with zeros behind them or a power of ten below."""
    shift = digits - round((number.numerator.bit_length() - number.denominator.bit_length()) * 0.30103)
    power = Fraction(10) ** shift
    return round(number * power) / power


class _Program:
    """The inputs' inequalities on e, in floats, and HiGHS, which keeps its basis from one question to the next."""

    def __init__(self, bounds: _Bounds) -> None:
        import highspy

        sizes = floats([bounds.units[h] for h in bounds.free], abs(bounds.score[bounds.first]))
        betas, scores = map(np.array, zip(*(bounds.rows[word] for word in bounds.inputs), strict=True))
        rows = betas[:, bounds.free] * sizes
        self.binding = set[int]()
        scale = np.abs(rows).max(axis=1)
        scale[scale == 0] = 1  # an input that says nothing of any e
        limits = (-scores / scale).astype(float)
        reach = 2 * np.abs(rows).sum(axis=1) / scale  # no other binds where all |e| <= 2
        self.binding_rows = np.flatnonzero(-limits < reach)
        values = (rows / scale[:, None]).astype(float)[self.binding_rows]
        self.inputs, self.units = list(bounds.inputs.values()), [bounds.units[h] for h in bounds.free]
        self.width, self.free = len(bounds.free), bounds.free
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = self.width, len(self.binding_rows)
        program.col_cost_ = np.zeros(self.width)
        program.col_lower_, program.col_upper_ = np.full(self.width, -LARGEST_E), np.full(self.width, LARGEST_E)
        program.row_lower_ = limits[self.binding_rows]
        program.row_upper_ = np.full(len(self.binding_rows), highspy.kHighsInf)
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_ = np.arange(len(self.binding_rows) + 1) * self.width
        program.a_matrix_.index_ = np.tile(np.arange(self.width), len(self.binding_rows))
        program.a_matrix_.value_ = values.ravel()
        self.highs = quiet_solver(presolve="off", simplex_iteration_limit=STEPS_PER_UNKNOWN * self.width)
        self.highs.passModel(program)

    def furthest(self, i: int, direction: int) -> tuple[float, list[float]]:
        """Maximise direction * e_i: how far out it is, and where."""
        import highspy

        self.highs.changeColCost(i, -float(direction))
        self.highs.run()
        if self.highs.getModelStatus() == highspy.HighsModelStatus.kIterationLimit:  # from a basis where it may cycle
            self.highs.clearSolver()
            self.highs.run()
        self.highs.changeColCost(i, 0.0)
        solution = self.highs.getSolution()
        self.binding |= set(self.binding_rows[np.flatnonzero(solution.row_dual)].tolist())
        return abs(solution.col_value[i]), list(solution.col_value)

    def multipliers(self, i: int, direction: int) -> dict[int, Fraction] | None:
        """Solve for the weights of inputs that bound direction * e_i, to more digits than floats have.

        HiGHS says which inputs. None where others than inputs bound it.
        """
        import highspy

        self.furthest(i, direction)
        statuses = self.highs.getBasis().row_status
        ends = zip(self.binding_rows, statuses, strict=True)
        active = [int(n) for n, status in ends if status != highspy.HighsBasisStatus.kBasic]
        if len(active) != self.width:
            return None
        rows, scales = [], []
        for input_ in (self.inputs[n] for n in active):
            row = [_sign(input_) * input_.beta[h] * unit for h, unit in zip(self.free, self.units, strict=True)]
            scales.append(2**MULTIPLIER_BITS / max(map(abs, row)))
            rows.append(tuple(Fraction(round(entry * scales[-1])) for entry in row))
        goal = tuple((Fraction(-direction * (j == i)),) for j in range(self.width))
        solution = solve(transpose(rows), goal)
        if solution is None:
            return None
        return {n: t * scale for n, (t,), scale in zip(active, solution, scales, strict=True) if t > 0}
