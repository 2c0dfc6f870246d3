"""Scores of positions that would have to be > 0 and are 0: what sections 10 and 11 of docs/certificate-format.md share.

A head that attends to certain positions of an input scores each as high as any other of them, and higher than all
that are not among them; so the sum of t (score(i) - score(i')) over the terms is > 0. But it is 0 where the masked
outputs combine to 0 and the positions' own scores cancel.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.kernel.base.exact import DIVISION, Scaled, Vector, Work, elementwise, size
from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.constraints import Inputs, X
from verify.kernel.hmm.words import Tokens, backward, forward
from verify.kernel.memory.model import MemoryModel

FRACTION = 12  # the words that a fraction takes besides those of its two numbers
Chosen = Mapping[int, Collection[int]]  # for an input, the positions to which it attends


@dataclass(frozen=True)
class Term:
    """A position of an input that is attended to, another, and a weight."""

    n: int
    position: int
    other: int
    weight: Fraction


def find(index: Item, inputs: Inputs[X], chosen: Chosen) -> int:
    """An input of which it is known where it attends."""
    n = inputs.find(index)
    if n not in chosen:
        raise index.expected("an input of which it is known where it attends")
    return n


def read_terms(terms: Item, inputs: Inputs[X], chosen: Chosen, prompted: bool = False) -> list[Term]:
    """Terms of which one has a position that is not attended to; `prompted`: position 0 is that of the prompt."""
    found = []
    for item in terms.items():
        index, first, second, weight = item.items(4)
        n = find(index, inputs, chosen)
        last = inputs.listed[n].length - (not prompted)
        i, other, t = first.integer(0, last), second.integer(0, last), weight.number()
        if i not in chosen[n]:
            raise first.expected("a position of Ihat(x)")
        if other == i:
            raise second.expected("another position")
        if t == 0 or (t < 0 and other not in chosen[n]):
            raise weight.expected("a number > 0, or < 0 where both positions are in Ihat(x)")
        found.append(Term(n, i, other, t))
    if all(term.other in chosen[term.n] for term in found):
        raise Rejected(terms.where, "attended positions alone", "another that is not attended to")
    return found


def check_balance(where: str, terms: list[Term], work: Work) -> None:
    """The scores of the positions themselves cancel, whatever they are."""
    weights = Scaled.of([[term.weight for term in terms]], work).rows[0]
    work.spend(2 * len(terms), size(*weights))
    totals: Counter[int] = Counter()
    for term, t in zip(terms, weights, strict=True):
        totals[term.position] += t
        totals[term.other] -= t
    if any(totals.values()):
        raise Rejected(where, "weights that leave a position's own score", "sums that cancel at each position")


def check_sum(where: str, terms: list[Term], outputs: list[list[Fraction]], work: Work) -> None:
    """The sum of t (G_i - G_i') is 0, `outputs` being G_i and G_i' of each term."""
    weights = Scaled.of([[term.weight for term in terms]], work).rows[0]
    total = [0] * len(outputs[0])
    rows = iter(Scaled.of(outputs, work).rows)
    for t, attended_to, other in zip(weights, rows, rows, strict=True):
        work.spend(len(total), size(t), size(*attended_to, *other))
        total = [x + t * (y - z) for x, y, z in zip(total, attended_to, other, strict=True)]
    if any(total):
        raise Rejected(where, "a sum other than 0", "a sum of t (G_i - G_i') that is 0")


def output(word: Tokens, position: int, model: MemoryModel) -> list[Fraction]:
    """G_i(x)."""
    before = forward(word[:position], model.joint.p1, model.joint)
    return normalised(before, backward(word[position + 1 :], model.joint), model)


def normalised(before: Vector, after: Vector, model: MemoryModel) -> list[Fraction]:
    """The emission matrix of Hbar times tau = before o after, over the sum of tau; 0 where that is 0."""
    law = model.joint.emission.times(elementwise(before, after, model.work))
    total = sum(law)
    model.work.spend(DIVISION * len(law), size(total), size(total))
    model.work.hold(len(law), 2 * size(total) + FRACTION)
    return [Fraction(x, total) if total else Fraction(0) for x in law]
