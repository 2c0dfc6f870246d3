"""Inputs near a border refute every head with a prompt: docs/certificate-format.md, section 6.

There are two labels. The border is where F* changes from one to the other. With a prompt u and a head b, score 1 minus
score 0 of an input x is g'beta(x), up to a positive factor, where g = y o c, y = W'(b_1 - b_0), c = A(u o p1) >= 0 and
p1 = P[H_1]. A constraint has an input x and a weight t > 0. A list of constraints has the vector v: the sum of t
beta(x) over its constraints on inputs of label 1, minus the sum over those on inputs of label 0. Suppose that u and b
serve the inputs. Then g'v > 0 for each list (inputs.py). The bounds and the tree below lead to a contradiction.

*Bounds.* The evidence has numbers E_h other than 0 (`sizes`), a set of states that are called signed, and one of these,
called first. Write z_h = g_h / E_h, and N for the largest |z_h|; N > 0, as g is not 0.

1. Each state h has one or two lists. Such a list has v o E = a e_first + w e_h + d for numbers a and w, where e_h is
   the unit vector of h, and the |d_m| sum to at most 1/4. So a z_first + w z_h >= g'v - N / 4 > -N / 4.
2. Some h has |z_h| = N. Then z_first >= 3/4 N:
   - If h is first, its list has w = 0 and a >= 1, which gives z_first = N.
   - If h is signed, a list with w = 4 and -2 <= a <= -1 excludes z_h = -N. So z_h = N, and by a list with w = -1 and
     0 <= a <= 1 we have a z_first > 3/4 N.
   - Any other h has two lists with 0 <= a <= 1, for w = -1 and w = 1. One of them has w z_h = -N, and again
     a z_first > 3/4 N.
3. For each signed j other than first, the list with w = 4 and -2 <= a <= -1 gives 4 z_j > 3/4 N - N / 4.
4. So z_j >= N / 8 and |z_h| <= 8 z_j, for all signed j and all states h. As z_j > 0, we have c_j > 0, and y_j has the
   sign of E_j.

*Tree.* It branches over causes: for signed states j, the state f that contributes most to c_j.

1. Let m states f with p1[f] > 0 lead to j. Then the cause f of j has u[f] p1[f] A[j,f] >= c_j / m.
2. Let f lead to a state h, too. Then c_h >= A[h,f] u[f] p1[f] >= A[h,f] / (m A[j,f]) c_j.
3. Since y_h = E_h z_h / c_h, we have |y_h| <= 8 m |E_h / E_j| A[j,f] / A[h,f] |y_j|.
4. A leaf has a linear relation between columns of W. It gives one for y = W'(b_1 - b_0): sum t |y_j| = sum r y_h over
   signed j and any h. Each y_h is bounded as in step 3 by a y_j of the left side. By these bounds the right side is
   smaller than the left side: a contradiction.

Notation: verify/kernel/hmm/__init__.py.
"""

from collections.abc import Iterator
from fractions import Fraction

from verify.kernel.base.exact import DIVISION_COST, Lengths, Scaled, Vector, cancel, elementwise, size
from verify.kernel.base.item import Item
from verify.kernel.hmm.inputs import Inputs
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.words import combined, read_inputs

MAX_RATIO = 8

Causes = dict[int, int]
"""The assumption of a node: for some signed states j, the state f that contributes most to c_j."""


Bound = tuple[int, int, int | None]
"""The form of a list of constraints: w, the least a, and the largest a (None: no limit)."""


def check_near_border(
    model: Model, listed: Item, first: Item, signed: Item, numbers: Item, bounds: Item, nodes: Item
) -> Lengths:
    """Check, by the bounds and the tree, that 3.6 fails; return the lengths of the inputs of constraints.

    No head with a prompt serves all these inputs. The arguments after `model` are the inputs, the first state, the
    signed states, the numbers E_h, the lists of constraints of each state, and the tree.
    """
    inputs = read_inputs(listed, model)
    signed.must(model.labels == 2, "a task of two labels")
    signed_states = set(signed.ascending(model.states))
    start = first.index(model.states)
    first.must(start in signed_states, "one of the signed states")
    sizes = Scaled.of([numbers.vector(model.states)], model.work)
    numbers.must(all(sizes.rows[0]), "numbers other than 0")
    for h, lists in enumerate(bounds.items(model.states)):
        others: list[Bound] = [(-1, 0, 1), (4, -2, -1) if h in signed_states else (1, 0, 1)]
        bounds_of_state = [(0, 1, None)] if h == start else others
        for constraints, bound in zip(lists.items(len(bounds_of_state)), bounds_of_state, strict=True):
            check_bound(constraints, h, bound, start, sizes, inputs, model)

    def step(node: Item, causes: Causes) -> Iterator[tuple[Item, Causes]]:
        kind, args = node.node({"by": 2, "relation": 2})
        model.work.spend(2 * model.states)
        if kind == "relation":
            check_relation(args[0], args[1], causes, signed_states, sizes.rows[0], model)
            return
        state = args[0].index(model.states)
        args[0].must(state in signed_states and state not in causes, "a signed state that is not above")
        leading = sources(state, model)
        for f, child in zip(leading, args[1].items(len(leading)), strict=True):
            model.work.spend(len(causes) + 1)
            model.work.hold(2 * (len(causes) + 1), 2)
            yield child, {**causes, state: f}

    nodes.walk(Causes(), step)
    return inputs.lengths()


def sources(state: int, model: Model) -> list[int]:
    """The states f with p1[f] > 0 and A[state,f] > 0, ascending."""
    return [f for f, a in enumerate(model.transition.rows[state]) if a and model.p1[f]]


def check_bound(
    constraints: Item, h: int, bound: Bound, first: int, sizes: Scaled, inputs: Inputs, model: Model
) -> None:
    """Check one list of constraints at h: v o E = a e_first + w e_h + d, where the |d_m| sum to at most 1/4.

    `bound` has w and the limits of a; `sizes` has the E_h. The entry of d at the first state is 0.
    """
    totals, factor = combined(constraints, inputs, model)
    z = elementwise(totals[1], sizes.rows[0], model.work)
    model.work.spend(2 * model.states, size(factor), size(sizes.denominator))
    unit, (weight, low, high) = factor * sizes.denominator, bound
    within = low * unit <= z[first] and (high is None or z[first] <= high * unit)
    constraints.must(within, "a weight at the first state within its bounds", "another weight there")
    rest = sum(abs(x - weight * unit * (m == h)) for m, x in enumerate(z) if m != first)
    constraints.must(4 * rest <= unit, "the weights of a bound, but for 1/4", "other weights")


def check_relation(positive: Item, others: Item, causes: Causes, signed: set[int], sizes: Vector, model: Model) -> None:
    """Check a leaf: sum t sign(E_j) W[:,j] = sum r W[:,h], and the bounds make sum r y_h < sum t |y_j|.

    `positive` has the pairs (j, t), and `others` the triples (h, j, r). For each triple, step 3 of the tree bounds
    |y_h| by a multiple of |y_j|. So the cause of j must lead to h. `sizes` has the E_h, times one positive factor.
    """
    weights_of_signed: dict[int, Fraction] = {}
    for item in positive.items():
        state, weight = item.items(2)
        j = state.index(model.states)
        state.must(j in signed and j not in weights_of_signed, "a signed state, each once")
        weights_of_signed[j] = weight.positive()
    positive.must(bool(weights_of_signed), "at least one state")
    leaning: dict[tuple[int, int], Fraction] = {}
    followers: dict[int, list[int]] = {j: [] for j in weights_of_signed}
    for item in others.items():
        at, by, weight = item.items(3)
        h, j = at.index(model.states), by.index(model.states)
        by.must(j in causes and j in weights_of_signed, "a state of the relation that is above")
        at.must(bool(model.transition.rows[h][causes[j]]), "a state to which the same state leads")
        item.must((h, j) not in leaning, "each once", "a pair of states repeated")
        leaning[h, j] = weight.number()
        followers[j].append(h)
    scaled = Scaled.of([[*weights_of_signed.values(), *leaning.values()]], model.work)
    weights = dict(zip([*weights_of_signed, *leaning], scaled.rows[0], strict=True))
    W = model.emission_columns.rows
    terms = [
        *((0, weights[j] if sizes[j] > 0 else -weights[j], W[j]) for j in weights_of_signed),
        *((0, -weights[h, j], W[h]) for h, j in leaning),
    ]
    positive.must(cancel(terms, model.work), "a relation between columns of W", "another sum")
    words_besides = scaled.words + size(*sizes)
    for j in weights_of_signed:
        words = (len(followers[j]) + 1) * model.transition.words + words_besides
        model.work.spend(4 * DIVISION_COST * (len(followers[j]) + 1), words, words)
        model.work.spend(2 * model.states)
        rows, factor = model.transition.rows, MAX_RATIO * len(sources(j, model))
        total = Fraction(0)
        for h in followers[j]:
            above = factor * abs(weights[h, j] * sizes[h]) * rows[j][causes[j]]
            total += Fraction(above, rows[h][causes[j]])
        positive.must(total < weights[j] * abs(sizes[j]), f"a weight at state {j} that outweighs what leans on it")
