"""Inputs of a memory model with their labels: section 10 of docs/certificate-format.md.

A token reads one cell. So P[M_j* = m, X = x] is a sum over the values that hidden paths read, of at most as many cells
as x has tokens, with the margins of P(M) on these cells. Where there are fewer memories than such values, the sum is
over memories.
"""

from dataclasses import dataclass, field
from operator import add, mul

from verify.kernel.base.exact import Vector, size
from verify.kernel.base.item import Item
from verify.kernel.hmm.inputs import Tokens
from verify.kernel.hmm.model import differences, label_of
from verify.kernel.hmm.words import read_word
from verify.kernel.memory.model import MemoryModel

UNREAD = -1

Read = tuple[int, ...]  # for each cell the value that was read there, or UNREAD


def read_labelled(item: Item, model: MemoryModel) -> tuple[Tokens, int]:
    """An input, and its label."""
    word = read_word(item, 1, model)
    law = law_of_cell(word, model)
    item.must(any(law), "an input (of probability > 0)", "a word of probability 0")
    model.work.spend(len(law) * model.labels, size(*law), model.mu.words)
    return word, label_of([sum(map(mul, row, law)) for row in differences(model.mu)])


def law_of_cell(word: Tokens, model: MemoryModel) -> Vector:
    """P(M_j* = m, X = word) for each value m, up to a positive factor."""
    cells, margins = model.cells, Margins(model)
    every_memory = (cells * model.size) ** (len(word) - 1) >= len(model.memories)
    weights_by_read = dict.fromkeys(model.memories if every_memory else [(UNREAD,) * cells], model.chain.initial)
    for token in word:
        weights_by_read = extended(weights_by_read, token, model)
    law = [0] * model.size
    for values_read, weights in weights_by_read.items():
        total = sum(weights)
        for m in values_at(model.cell, values_read, model):
            probability = margins.probability(put(values_read, model.cell, m))
            model.work.spend(cells, size(total), size(probability))
            law[m] += total * probability
    return law


def extended(before: dict[Read, Vector], token: int, model: MemoryModel) -> dict[Read, Vector]:
    """For each choice of the values read so far, the law of H_i and x_1..x_i, from that of H_{i-1} and x_1..x_{i-1}."""
    T, W, n = model.chain.transition, model.emission, model.hidden
    longest = max(size(*weights) for weights in before.values()) if before else 1
    model.work.spend(len(before) * n * (n + model.size), longest + T.words, max(T.words, W.words))
    after: dict[Read, Vector] = {}
    for read, weights in before.items():
        for h, row in enumerate(T.rows):
            if not (weight := sum(map(mul, row, weights))):
                continue
            cell = h // model.syntax
            for m in values_at(cell, read, model):
                if p := W.rows[token][m * n + h]:
                    further = put(read, cell, m)
                    if further not in after:
                        model.work.hold(n + model.cells, longest + T.words + W.words)
                        after[further] = [0] * n
                    after[further][h] += weight * p
    return after


def values_at(cell: int, read: Read, model: MemoryModel) -> range:
    """The values that a cell can have: that which was read, or any."""
    return range(model.size) if read[cell] == UNREAD else range(read[cell], read[cell] + 1)


def put(read: Read, cell: int, value: int) -> Read:
    """The values read, with this value of this cell."""
    return (*read[:cell], value, *read[cell + 1 :])


@dataclass(frozen=True)
class Margins:
    """The laws of some cells of the memory, in C order, up to the factor of P(M)."""

    model: MemoryModel
    laws: dict[Read, Vector] = field(default_factory=dict)

    def probability(self, read: Read) -> int:
        """The probability that the memory has the values that were read."""
        place = 0
        for m in read:
            if m != UNREAD:
                place = place * self.model.size + m
        return self.law(tuple(j for j, m in enumerate(read) if m != UNREAD))[place]

    def law(self, cells: Read) -> Vector:
        """The law of these cells: the law of these and the last other cell, summed over that cell."""
        if cells not in self.laws:
            others = [j for j in range(self.model.cells) if j not in cells]
            self.laws[cells] = self.summed(cells, others[-1]) if others else self.model.memory.rows[0]
        return self.laws[cells]

    def summed(self, cells: Read, other: int) -> Vector:
        """The law of these cells and another, summed over the other."""
        wider, size_of = self.law(tuple(sorted((*cells, other)))), self.model.size
        width = size_of ** sum(j > other for j in cells)
        words = self.model.memory.words
        self.model.work.spend(len(wider), words)
        self.model.work.hold(len(wider) // size_of, words)
        law = []
        for start in range(0, len(wider), size_of * width):
            total = wider[start : start + width]
            for i in range(start + width, start + size_of * width, width):
                total = list(map(add, total, wider[i : i + width]))
            law += total
        return law
