"""Evidence that no values are as C.4 wants them: section 11 of docs/certificate-format.md.

They would make the weighted sum of the values the sum of r (sum of y_l mu_l'P[M_j*|X=x]), r > 0, which is > 0. But it
is 0, since the outputs combine to 0 in each value row.
"""

from fractions import Fraction

from verify.kernel.base.exact import Scaled, Vector, elementwise, inner, size
from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.constraints import Inputs
from verify.kernel.hmm.words import Input
from verify.kernel.lemmas.shifted_time import scores
from verify.kernel.memory.inputs_in_r import attended
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory.positions import output
from verify.kernel.memory.supports import Case

Term = tuple[Input, int, list[Fraction]]  # an input, a position of it, and weights y


def check_no_values(evidence: Item, case: Case) -> tuple[int, ...]:
    """Statement C.4; returns the lengths of the inputs used."""
    fields = evidence.only("no-values", "inputs", "terms")
    inputs = Inputs.of(fields["inputs"], case.joint)
    terms: dict[tuple[int, int], Term] = {}
    gains = []
    for item in fields["terms"].items():
        index, position, weights = item.items(3)
        n = inputs.find(index)
        x = inputs.listed[n]
        i = position.integer(0, x.length - 1)
        if i not in attended(x.tokens, case.supports):
            raise position.expected("a position of Ihat(x)")
        if (n, i) in terms:
            raise Rejected(item.where, "an input and position repeated", "each once")
        terms[n, i] = x, i, weights.vector(case.joint.labels)
        gains.append(gain(terms[n, i], case))
        if gains[-1] < 0:
            raise Rejected(weights.where, "weights whose sum of y_l mu_l'P[M_j*|X=x] is < 0", "a sum >= 0")
    if not any(gains):
        raise Rejected(fields["terms"].where, "sums of y_l mu_l'P[M_j*|X=x] that are all 0", "one > 0")
    for label in range(case.joint.labels):
        if any(map(any, summed(label, list(terms.values()), case).values())):
            raise Rejected(fields["terms"].where, f"a sum other than 0 for label {label}", "0 at each token")
    return inputs.lengths()


def gain(term: Term, model: MemoryModel) -> int:
    """The sum over l of y_l mu_l'P[M_j*, X=x], times a positive number."""
    x, _, numbers = term
    after = elementwise(model.joint.initial, x.beta, model.work)
    [weights] = Scaled.of([numbers], model.work).rows
    return inner(weights, [inner(row, after, model.work) for row in scores(model)], model.work)


def summed(label: int, terms: list[Term], model: MemoryModel) -> dict[int, Vector]:
    """For each token z the sum of y_l G_i(x) over the terms with x_i = z."""
    weights = Scaled.of([[numbers[label] for _, _, numbers in terms]], model.work).rows[0]
    outputs = Scaled.of([output(x.tokens, i, model) for x, i, _ in terms], model.work).rows
    sums: dict[int, Vector] = {}
    for (x, i, _), y, row in zip(terms, weights, outputs, strict=True):
        model.work.spend(2 * len(row), size(y), size(*row))
        before = sums.get(x.tokens[i], [0] * len(row))
        sums[x.tokens[i]] = [s + y * g for s, g in zip(before, row, strict=True)]
    return sums
