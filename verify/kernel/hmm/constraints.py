"""Constraints on a head: the opening of section 6 of docs/certificate-format.md.

A head that gives x its label l has score(l) - score(rival) >= 0, and > 0 where rival > l; so the sum of these,
weighted by numbers t > 0, is > 0 once a constraint is strict. Heads score x linearly in beta(x), so that the sum is
known from the vectors B_l: the sum of t beta(x) over the constraints whose label is l, minus that over those whose
rival is l.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Generic, TypeVar

from verify.kernel.base.exact import Scaled, Vector, size
from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.words import Input, lifted, read_input, refuse_repeats

X = TypeVar("X", bound=Input)
Constraint = tuple[int, int, Fraction]  # the index of an input, the rival of its label, and the weight t


class Inputs(Generic[X]):
    """The inputs of a piece of evidence, all of them different, and which of them it used."""

    def __init__(self, items: Item, read: Callable[[Item], X]) -> None:
        self.listed = [read(item) for item in items.items()]
        refuse_repeats(items, (x.tokens for x in self.listed))
        self.used: set[int] = set()

    @classmethod
    def of(cls, items: Item, model: Model) -> "Inputs[Input]":
        """Those of a model."""
        return Inputs(items, partial(read_input, model=model))

    def find(self, index: Item) -> int:
        """The index of an input, which is now used."""
        n = index.integer(0, len(self.listed) - 1)
        self.used.add(n)
        return n

    def lengths(self) -> tuple[int, ...]:
        """The lengths of the inputs used."""
        return tuple(self.listed[n].length for n in sorted(self.used))


def read_constraints(
    constraints: Item, inputs: Inputs[X], labels: int, find: Callable[[Item], int] | None = None
) -> list[Constraint]:
    """Constraints of which one is strict; `find` may refuse an input."""
    found: dict[tuple[int, int], Fraction] = {}
    for item in constraints.items():
        index, other, weight = item.items(3)
        n, rival = (find or inputs.find)(index), other.integer(0, labels - 1)
        if rival == inputs.listed[n].label:
            raise other.expected("another label than that of the input")
        if (n, rival) in found:
            raise Rejected(item.where, "an input and rival repeated", "each once")
        found[n, rival] = weight.positive()
    if not any(rival > inputs.listed[n].label for n, rival in found):
        raise Rejected(constraints.where, "no strict constraint", "a rival greater than the label")
    return [(n, rival, t) for (n, rival), t in found.items()]


def combined(constraints: Item, inputs: Inputs[Input], model: Model) -> tuple[list[Vector], int]:
    """B_0..B_{K-1}, times one positive factor, and that factor."""
    terms = [(inputs.listed[n], rival, t) for n, rival, t in read_constraints(constraints, inputs, model.labels)]
    model.work.spend(model.labels * model.states)
    sums = [[0] * model.states for _ in range(model.labels)]
    longest = max(x.length for x, _, _ in terms)
    numbers = Scaled.of([[t for _, _, t in terms]], model.work)
    for (x, rival, _), t in zip(terms, numbers.rows[0], strict=True):
        factor = lifted(t, longest - x.length, model)  # so that all are carried as if they had that length
        model.work.spend(model.states, size(factor), size(*x.beta))
        for h, entry in enumerate(x.beta):
            sums[x.label][h] += factor * entry
            sums[rival][h] -= factor * entry
    return sums, lifted(numbers.denominator, longest, model)
