"""Evidence that no values are as C.4 wants them: section 11 of docs/certificate-format.md.

They would make the weighted sum of the values the sum of r (sum of y_l mu_l'P[M_j*|X=x]), r > 0, which is > 0. But it
is 0, since the outputs combine to 0 in each value row.
"""

from collections.abc import Sequence
from fractions import Fraction

from verify.kernel.base.exact import Scaled, Vector, Work, elementwise, inner, size
from verify.kernel.base.reading import Item, Rejected
from verify.kernel.hmm.words import Input, read_input, refuse_repeats
from verify.kernel.lemmas.no_keys import output
from verify.kernel.lemmas.shifted_time import scores
from verify.kernel.memory.inputs_in_r import attended, supports_of
from verify.kernel.memory.model import MemoryModel

Term = tuple[Input, int, list[Fraction]]


def check_no_values(evidence: Item, model: MemoryModel, recoverable: Sequence[int], work: Work) -> tuple[int, ...]:
    """Statement C.4; returns the lengths of the inputs used."""
    fields, joint = evidence.only("no-values", "inputs", "terms"), model.joint
    supports = supports_of(model, recoverable, work)
    inputs = [read_input(item, joint, work) for item in fields["inputs"].items()]
    refuse_repeats(fields["inputs"], (x.tokens for x in inputs))
    terms: list[Term] = []
    used, positive = set(), False
    for item in fields["terms"].items():
        index, position, weights = item.items(3)
        n = index.integer(0, len(inputs) - 1)
        i = position.integer(0, inputs[n].length - 1)
        if i not in attended(inputs[n].tokens, supports, work):
            raise position.expected("a position of Ihat(x)")
        if (n, i) in used:
            raise Rejected(item.where, "an input and position repeated", "each once")
        used.add((n, i))
        terms.append((inputs[n], i, weights.vector(joint.labels)))
        gain = scored(terms[-1], model, work)
        if gain < 0:
            raise Rejected(weights.where, "weights whose sum of y_l mu_l'P[M_j*|X=x] is < 0", "a sum >= 0")
        positive = positive or gain > 0
    if not positive:
        raise Rejected(fields["terms"].where, "sums of y_l mu_l'P[M_j*|X=x] that are all 0", "one > 0")
    for label in range(joint.labels):
        if any(map(any, summed(label, terms, model, work).values())):
            raise Rejected(fields["terms"].where, f"a sum other than 0 for label {label}", "0 at each token")
    return tuple(inputs[n].length for n in sorted({n for n, _ in used}))


def scored(term: Term, model: MemoryModel, work: Work) -> int:
    """The sum over l of y_l mu_l'P[M_j*, X=x], times a positive number."""
    x, _, numbers = term
    after = elementwise(model.joint.initial, x.beta, work)
    return inner(Scaled.of([numbers], work).rows[0], [inner(row, after, work) for row in scores(model)], work)


def summed(label: int, terms: list[Term], model: MemoryModel, work: Work) -> dict[int, Vector]:
    """For each token z the sum of y_l G_i(x) over the terms with x_i = z."""
    weights = Scaled.of([[numbers[label] for _, _, numbers in terms]], work).rows[0]
    outputs = Scaled.of([output(x.tokens, i, False, model, work) for x, i, _ in terms], work).rows
    sums: dict[int, Vector] = {}
    for (x, i, _), y, row in zip(terms, weights, outputs, strict=True):
        work.spend(2 * len(row), size(y), size(*row))
        before = sums.get(x.tokens[i], [0] * len(row))
        sums[x.tokens[i]] = [s + y * g for s, g in zip(before, row, strict=True)]
    return sums
