"""Evidence of inputs near the border of F* that no prompt and head serve them: docs/certificate-format.md, section 6.

A prompt u and a head b score an input x by g'beta(x), g = y o c, y = W'(b_1 - b_0), c = A(u o p1) >= 0. Suppose that
they serve the inputs. Then g'v > 0 for the weighted sum v of each list of constraints.

*Bounds.* Write z_h = g_h / sizes[h], and N for the largest |z_h|; N > 0. The form of v makes g'v = a z_first + w z_h,
but for at most N / 4. Take an h with |z_h| = N: one of its lists gives z_first >= 3/4 N. Then the second list of any
other signed j gives z_j >= N / 8. So |z_h| <= 8 z_j for all states h and signed j; there c_j > 0, and y_j has the sign
of sizes[j].

*Tree.* It branches over the f that contributes most to c_j: u[f] p1[f] A[j,f] >= c_j / m, where m states that can be
H_1 lead to j. Then c_h >= A[h,f] / (m A[j,f]) c_j, and |y_h| <= 8 |sizes[h] / sizes[j]| m A[j,f] / A[h,f] |y_j|. A leaf
has a relation sum t |y_j| = sum r y_h between such y. By these bounds its right side is smaller than its left side: no
(u, b) serves.
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
"""For states j, the state f that contributes most to c_j: what a node assumes."""


Bound = tuple[int, int, int | None]
"""What a list of constraints must have: w, and the least and the largest a (None: no limit)."""


def check_near_border(
    model: Model, listed: Item, first: Item, signed: Item, numbers: Item, bounds: Item, nodes: Item
) -> Lengths:
    """Check that 3.6 fails: the bounds, and the tree; return the lengths of inputs that no prompt and head serve."""
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
    """Check one list of constraints at h: v o sizes = a e_first + w e_h + d, where the |d_m| sum to <= 1/4."""
    totals, factor = combined(constraints, inputs, model)
    z = elementwise(totals[1], sizes.rows[0], model.work)
    model.work.spend(2 * model.states, size(factor), size(sizes.denominator))
    unit, (weight, low, high) = factor * sizes.denominator, bound
    within = low * unit <= z[first] and (high is None or z[first] <= high * unit)
    constraints.must(within, "a weight at the first state within its bounds", "another weight there")
    rest = sum(abs(x - weight * unit * (m == h)) for m, x in enumerate(z) if m != first)
    constraints.must(4 * rest <= unit, "the weights of a bound, but for 1/4", "other weights")


def check_relation(positive: Item, others: Item, causes: Causes, signed: set[int], sizes: Vector, model: Model) -> None:
    """Check that sum t sign(sizes[j]) W[:,j] = sum r W[:,h], and that |y_j| bounds the |y_h| so that this cannot be.

    `positive` has the pairs (j, t), `others` the triples (h, j, r): there y_h is bounded by y_j.
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
