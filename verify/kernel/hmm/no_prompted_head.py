"""Evidence that no prompt and linear head serve every input (statement 3.6): docs/certificate-format.md, section 6.

*Tree.* A node stands for a region, a set of pairs (u, b) of a prompt and a head. The root has all pairs. A node splits
its region by the state f* of the largest entry of u, where u is scaled so that u[f*] = 1; by the sign of some y_l[h] =
W[:,h]'(b_l - b_0); or at a number c inside the interval of some u[f], into u[f] <= c and u[f] >= c. The parts cover the
region. So the leaves cover all (u, b).

*Leaf.* It has a list of constraints (inputs.py), which show that no (u, b) of its region serves:

1. Take the sum of t (score(label) - score(rival)) over the constraints, each with its weight t > 0. If (u, b) serves,
   this sum is > 0.
2. The sum is linear in the products b_l[z] u[f], and for fixed z and f its coefficients for all labels l add up to 0.
   So it is the sum over l >= 1, z and f of (b_l - b_0)[z] u[f] T[l,z,f], for some numbers T.
3. The leaf has numbers S with T[l,z,f] = sum over h of W[z,h] S[l,h,f]. So the sum is that of y_l[h] S[l,h,:]'u over l
   and h.
4. In the region S[l,h,:]'u <= 0 for every u if y_l[h] may be > 0, and S[l,h,:]'u >= 0 if y_l[h] may be < 0. So no term
   is > 0, and no (u, b) of the region serves.

The prompt u = 0 has a leaf of its own, with an input of a label other than the last: all scores are 0, and the last
label wins.

Notation: verify/kernel/hmm/__init__.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from verify.kernel.base.exact import Lengths, Scaled, elementwise, size
from verify.kernel.base.item import Item
from verify.kernel.hmm.inputs import Inputs
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.words import combined, read_inputs


@dataclass(frozen=True)
class Region:
    """A set of (u, b): low <= u <= high, with some signs of y_l[h] fixed."""

    low: list[Fraction]
    high: list[Fraction]
    root: bool = False
    zero: bool = False  # it is u = 0
    largest: int | None = None  # the state f* with u[f*] = 1, where it is known
    signs: dict[tuple[int, int], int] = field(default_factory=dict)  # by (l, h): 1 for y_l[h] >= 0, -1 for <= 0


Children = Iterator[tuple[Item, Region]]


def check_no_prompted_head(model: Model, listed: Item, nodes: Item) -> Lengths:
    """Check that no prompt with a head serves all inputs of the leaves, so that 3.6 fails; return their lengths."""
    inputs = read_inputs(listed, model)

    def step(node: Item, region: Region) -> Children:
        kind, args = node.node({"largest": 2, "zero": 1, "sign": 4, "halve": 4, "motzkin": 2})
        model.work.spend(2 * model.states + len(region.signs))
        model.work.hold(2 * (model.states + len(region.signs)), 8)
        placed = region.zero == (kind == "zero") and (kind != "largest" or region.root)
        node.must(placed, "largest at the root only, zero for its i_zero only", kind)
        if kind in SPLITS:
            yield from SPLITS[kind](args, region, model)
        elif kind == "motzkin":
            check_motzkin(args[0], args[1], region, inputs, model)
        else:  # u = 0 makes all scores 0, and the last label wins ties
            label = inputs.listed[inputs.find(args[0])].label
            args[0].must(label != model.labels - 1, "an input of a label other than the last")

    nodes.walk(Region([Fraction(0)] * model.states, [Fraction(1)] * model.states, root=True), step)
    return inputs.lengths()


def by_largest(args: list[Item], region: Region, model: Model) -> Children:
    """Branch on the state f* of the largest entry of u, and on u = 0.

    Any other u can be scaled so that u[f*] = 1: the head gives the same labels.
    """
    model.work.spend(model.states**2)
    model.work.hold(model.states**2, 8)
    for f, child in enumerate(args[0].items(model.states)):
        yield child, replace(region, low=with_entry(region.low, f, Fraction(1)), root=False, largest=f)
    yield args[1], replace(region, root=False, zero=True)


def by_sign(args: list[Item], region: Region, model: Model) -> Children:
    """Branch on the sign of y_l[h]: it is >= 0 in one child, and <= 0 in the other."""
    key = (args[0].integer(1, model.labels - 1), args[1].index(model.states))
    args[1].must(key not in region.signs, "a state whose sign is not fixed yet")
    yield args[2], replace(region, root=False, signs={**region.signs, key: 1})
    yield args[3], replace(region, root=False, signs={**region.signs, key: -1})


def by_halves(args: list[Item], region: Region, model: Model) -> Children:
    """Branch on an entry of u: u[f] <= c in one child, and u[f] >= c in the other."""
    f, c = args[0].index(model.states), args[1].number()
    args[0].must(region.largest not in (None, f), "a state other than f*, below a largest node")
    ends = [part for end in (region.low[f], region.high[f]) for part in end.as_integer_ratio()]
    model.work.spend(4, size(c.numerator, c.denominator), size(*ends))
    args[1].must(region.low[f] < c < region.high[f], "a number inside the interval of the state")
    yield args[2], replace(region, high=with_entry(region.high, f, c))
    yield args[3], replace(region, low=with_entry(region.low, f, c))


SPLITS = {"largest": by_largest, "sign": by_sign, "halve": by_halves}


def with_entry(numbers: list[Fraction], f: int, number: Fraction) -> list[Fraction]:
    """A copy of the list, with this number at index f."""
    return [*numbers[:f], number, *numbers[f + 1 :]]


def check_motzkin(constraints: Item, parts: Item, region: Region, inputs: Inputs, model: Model) -> None:
    """Check a leaf: no (u, b) of the region meets the constraints. `parts` has the numbers S."""
    totals, factor = combined(constraints, inputs, model)
    keys, weights = read_parts(parts, region, model)
    rows_of = dict(zip(keys, weights.rows, strict=True))
    nothing = [0] * model.states

    # T[l,:,f] = W v with v = p1[f] A[:,f] o B_l; no_linear_head.py has B_l. The rule is W v = W S[l,:,f].
    # The gap is v - S[l,:,f], times `scale` (the factor of v) and times the denominator of S.
    model.work.spend(2, model.transition.words, size(model.initial_scale, model.transition.denominator))
    scale = model.work.product(model.initial_scale * model.transition.denominator**2, factor)
    for label in range(1, model.labels):
        total = elementwise([weights.denominator] * model.states, totals.get(label, nothing), model.work)
        rows = [rows_of.get((label, h), nothing) for h in range(model.states)]
        for f, column in enumerate(model.transition_columns.rows):
            moved = elementwise(column, total, model.work)
            model.work.spend(model.states, size(*moved), size(model.p1[f]))
            model.work.spend(model.states, size(scale), weights.words)
            gap = [model.p1[f] * x - scale * row[f] for x, row in zip(moved, rows, strict=True)]
            equal = not any(gap) or not any(model.emission.times(gap))
            parts.must(equal, "T[l,z,f] = W S[l,:,f]", f"other weights at label {label}, state {f}")


def read_parts(parts: Item, region: Region, model: Model) -> tuple[list[tuple[int, int]], Scaled]:
    """Read pairs (l, h) and their rows S[l,h,:]; reject a pair if y_l[h] S[l,h,:]'u can be > 0 in the region."""
    keys, numbers = [], []
    for part in parts.items():
        label, state, weights = part.items(3)
        keys.append((label.integer(1, model.labels - 1), state.index(model.states)))
        numbers.append(weights.vector(model.states))
    parts.must(len(set(keys)) == len(keys), "each once", "a label and state repeated")
    scaled, box = Scaled.of(numbers, model.work), Scaled.of([region.low, region.high], model.work)
    model.work.spend(4 * model.states * len(keys), scaled.words, box.words)
    for part, key, row in zip(parts.inside(), keys, scaled.rows, strict=True):
        for sign in (region.signs[key],) if key in region.signs else (1, -1):
            maximum = sum(max(sign * x * low, sign * x * high) for x, low, high in zip(row, *box.rows, strict=True))
            part.must(maximum <= 0, "<= 0 in the region", f"a term > 0 where y has the sign {sign:+}")
    return keys, scaled
