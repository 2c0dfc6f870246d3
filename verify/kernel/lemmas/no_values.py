"""Evidence that no values are as C.4 wants them: section 11 of docs/certificate-format.md.

They would make the weighted sum of the values the sum of r (sum of y_l mu_l'P[M_j*|X=x]), r > 0, which is > 0. But it
is 0, since the outputs combine to 0 in each value row.
"""

from fractions import Fraction

from verify.kernel.base.exact import Scaled, Vector, elementwise, inner, sums
from verify.kernel.base.item import Item
from verify.kernel.hmm.inputs import Input
from verify.kernel.hmm.words import output, read_inputs
from verify.kernel.memory.model import MemoryModel

Term = tuple[Input, int, list[Fraction]]  # an input, a position of it, and weights y


def check_no_values(evidence: Item, model: MemoryModel) -> tuple[int, ...]:
    """Statement C.4; returns the lengths of the inputs used."""
    listed, items = evidence.only("no-values", "inputs", "terms")
    inputs = read_inputs(listed, model.joint)
    terms: dict[tuple[int, int], Term] = {}
    positive = False
    for item in items.items():
        index, position, weights = item.items(3)
        n = inputs.find(index)
        x = inputs.listed[n]
        i = position.integer(0, x.length - 1)
        position.must(i in model.supports.attended(x.tokens), "a position of Ihat(x)")
        item.must((n, i) not in terms, "each once", "an input and position repeated")
        terms[n, i] = x, i, weights.vector(model.joint.labels)
        found = gain(terms[n, i], model)
        weights.must(found >= 0, "a sum >= 0", "weights whose sum of y_l mu_l'P[M_j*|X=x] is < 0")
        positive = positive or found > 0
    items.must(positive, "one > 0", "sums of y_l mu_l'P[M_j*|X=x] that are all 0")
    for label in range(model.joint.labels):
        nothing = not any(map(any, summed(label, list(terms.values()), model).values()))
        items.must(nothing, "0 at each token", f"a sum other than 0 for label {label}")
    return inputs.lengths()


def gain(term: Term, model: MemoryModel) -> int:
    """The sum over l of y_l mu_l'P[M_j*, X=x], times a positive number."""
    x, _, numbers = term
    after = elementwise(model.joint.initial, x.beta, model.work)
    [weights] = Scaled.of([numbers], model.work).rows
    return inner(weights, [inner(row, after, model.work) for row in model.lifted.rows], model.work)


def summed(label: int, used: list[Term], model: MemoryModel) -> dict[int, Vector]:
    """For each token z the sum of y_l G_i(x) over the terms with x_i = z."""
    weights = Scaled.of([[numbers[label] for _, _, numbers in used]], model.work).rows[0]
    outputs = Scaled.of([output(x.tokens, i, model.joint) for x, i, _ in used], model.work).rows
    terms = ((x.tokens[i], y, law) for (x, i, _), y, law in zip(used, weights, outputs, strict=True))
    return sums(terms, model.work)
