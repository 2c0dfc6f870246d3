"""Lists of inputs, and constraints on a head: the opening of section 6 of docs/certificate-format.md.

A constraint names an input x of label l, a rival (a label other than l), and a weight t > 0. A head that gives x its
label has score(l) - score(rival) >= 0. If rival > l, the difference is > 0, as the larger label wins a tie: then the
constraint is *strict*.

Take a list of constraints, at least one of them strict, and a head that gives each of their inputs its label. Then the
sum of t (score(l) - score(rival)) over the constraints is > 0. So if a rule shows that this sum is 0 for every head, no
head gives all these inputs their labels. Rules get the sum as two terms for each constraint: t score(l) and
-t score(rival).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from verify.kernel.base.exact import Lengths, Scaled, Tokens, Vector, Work
from verify.kernel.base.item import Item


@dataclass(frozen=True)
class Input:
    """An input: a word of length >= 1 and probability > 0."""

    tokens: Tokens
    beta: Vector  # times step_scale ** length
    label: int  # F*

    @property
    def length(self) -> int:
        """The number of its tokens."""
        return len(self.tokens)


Chosen = dict[int, set[int]]  # by the index of an input: the positions to which a head attends
Scores = list[tuple[int, int, int]]  # terms of a sum: input (its index), label, and weight of this score


def refuse_repeats(items: Item, inputs: Sequence[Input]) -> None:
    """Reject a list that has a word twice."""
    words: set[Tokens] = set()
    for item, x in zip(items.inside(), inputs, strict=True):
        item.must(x.tokens not in words, "each once", "an input repeated")
        words.add(x.tokens)


@dataclass(frozen=True)
class Inputs:
    """The inputs that a piece of evidence lists, no two the same, and the indices of those that rules have used."""

    listed: list[Input]
    used: set[int] = field(default_factory=set)

    @property
    def words(self) -> list[Tokens]:
        """The tokens of each input."""
        return [x.tokens for x in self.listed]

    def find(self, index: Item, chosen: Chosen | None = None) -> int:
        """Read the index of an input, and count the input as used. `chosen`, if given, must contain the index."""
        n = index.index(len(self.listed))
        self.used.add(n)
        index.must(chosen is None or n in chosen, "an input of which it is known where it attends")
        return n

    def lengths(self) -> Lengths:
        """The lengths of the inputs used."""
        return tuple(self.listed[n].length for n in sorted(self.used))

    def constraints(self, items: Item, labels: int, work: Work, chosen: Chosen | None = None) -> tuple[Scores, int]:
        """Read constraints, at least one of them strict; return the terms of their sum, and a factor > 0.

        The weight of a term is an integer: t or -t, times this factor. `labels` is the number of labels. `chosen`, if
        given, must contain the index of each input.
        """
        multipliers: dict[tuple[int, int], Fraction] = {}
        for item in items.items():
            index, other, weight = item.items(3)
            n, rival = self.find(index, chosen), other.index(labels)
            other.must(rival != self.listed[n].label, "another label than that of the input")
            item.must((n, rival) not in multipliers, "each once", "an input and rival repeated")
            multipliers[n, rival] = weight.positive()
        strict = any(rival > self.listed[n].label for n, rival in multipliers)
        items.must(strict, "a rival greater than the label", "no strict constraint")
        weights = Scaled.of([list(multipliers.values())], work)
        used = [(n, rival, t) for (n, rival), t in zip(multipliers, weights.rows[0], strict=True)]
        scores = [term for n, rival, t in used for term in ((n, self.listed[n].label, t), (n, rival, -t))]
        return scores, weights.denominator
