"""Constraints on a head: the opening of section 6 of docs/certificate-format.md.

A head that gives x its label l has score(l) - score(rival) >= 0, and > 0 where rival > l; so the sum of these,
weighted by numbers t > 0, is > 0 once a constraint is strict. Heads score x linearly in beta(x), so that the sum is
known from the vectors B_l: the sum of t beta(x) over the constraints whose label is l, minus that over those whose
rival is l.
"""

from verify.kernel.base.exact import Scaled, Vector, Work, size
from verify.kernel.base.reading import Item, Rejected
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.words import Input, lifted, read_input, refuse_repeats


class Inputs:
    """The inputs of a piece of evidence, and which of them it used."""

    def __init__(self, item: Item, model: Model, work: Work) -> None:
        self.listed = [read_input(word, model, work) for word in item.items()]
        refuse_repeats(item, (x.tokens for x in self.listed))
        self.used: set[int] = set()

    def at(self, index: Item) -> Input:
        """The input with this index."""
        i = index.integer(0, len(self.listed) - 1)
        self.used.add(i)
        return self.listed[i]

    def lengths(self) -> tuple[int, ...]:
        """The lengths of the inputs used."""
        return tuple(self.listed[i].length for i in sorted(self.used))


def combined(constraints: Item, inputs: Inputs, model: Model, work: Work) -> tuple[list[Vector], int]:
    """B_0..B_{K-1}, times one positive factor, and that factor."""
    seen, terms, weights, strict = set(), [], [], False
    for item in constraints.items():
        index, other, weight = item.items(3)
        x, rival = inputs.at(index), other.integer(0, model.labels - 1)
        if rival == x.label:
            raise other.expected("another label than that of the input")
        if (index.value, rival) in seen:
            raise Rejected(item.where, "an input and rival repeated", "each once")
        seen.add((index.value, rival))
        terms.append((x, rival))
        weights.append(weight.positive())
        strict = strict or rival > x.label
    if not strict:
        raise Rejected(constraints.where, "no strict constraint", "a rival greater than the label")

    work.spend(model.labels * model.states)
    sums = [[0] * model.states for _ in range(model.labels)]
    longest = max(x.length for x, _ in terms)
    numbers = Scaled.of([weights], work)
    for (x, rival), t in zip(terms, numbers.rows[0], strict=True):
        factor = lifted(t, longest - x.length, model, work)  # so that all are carried as if they had that length
        work.spend(model.states, size(factor), size(*x.beta))
        for h, entry in enumerate(x.beta):
            sums[x.label][h] += factor * entry
            sums[rival][h] -= factor * entry
    return sums, lifted(numbers.denominator, longest, model, work)
