"""Spans, for agreement on the words that can occur: section 5 of docs/certificate-format.md.

A subspace U_h for each state h contains every beta(y) with beta(y)[h] > 0: the all-ones vector is there, and beta(z
y) at h draws only on states g with A[g,h] W[z,g] beta(y)[g] > 0, where beta(y) is in U_g. An input x = z y has
beta(x)[h] > 0 for some h with p0[h] > 0, so functionals that vanish on the images of U_g for all such g, h vanish on
beta(x).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from verify.kernel.exact import Scaled, Vector, Work, elementwise, inner, size
from verify.kernel.model import Model
from verify.kernel.reading import Item, Rejected


@dataclass(frozen=True)
class Span:
    """A subspace with a basis in reduced form."""

    where: str
    pivots: list[int]
    basis: Scaled  # a row for each basis vector
    columns: Scaled  # its transpose

    def contains(self, vector: Vector, work: Work) -> bool:
        """Whether vector = sum_i vector[pivots[i]] basis[i]."""
        work.spend(len(vector), size(*vector), size(self.basis.denominator))
        combination = self.columns.times([vector[pivot] for pivot in self.pivots], work)
        return combination == [x * self.basis.denominator for x in vector]


def read_span(item: Item, model: Model, work: Work) -> Span:
    """A subspace that contains the all-ones vector."""
    fields = item.fields("pivots", "basis")
    pivots = fields["pivots"].ascending(model.states)
    basis = Scaled.of(fields["basis"].matrix(len(pivots), model.states), work)
    for i, vector in enumerate(basis.rows):
        if [vector[pivot] for pivot in pivots] != [basis.denominator if j == i else 0 for j in range(len(pivots))]:
            raise Rejected(f"{fields['basis'].where}[{i}]", "other entries", "1 at its pivot, 0 at the others")
    span = Span(item.where, pivots, basis, basis.transposed())
    if not pivots or not span.contains([1] * model.states, work):
        raise Rejected(item.where, "a span without it", "the all-ones vector in the span")
    return span


def check_spans(item: Item, functionals: list[Vector], model: Model, work: Work) -> None:
    """Spans on which the functionals vanish at every input."""
    fields = item.fields("of", "spans")
    spans = [read_span(span, model, work) for span in fields["spans"].items()]
    of = [index.integer(0, len(spans) - 1) for index in fields["of"].items(model.states)]
    for source, z, targets in successors(of, model, work):
        for vector in spans[source].basis.rows:
            image = model.transition_columns.times(elementwise(model.emission.rows[z], vector, work), work)
            for target, first in targets:
                if not spans[target].contains(image, work):
                    raise Rejected(spans[target].where, f"no image of token {z}", "A'(W[z,:] o v) in the span")
                if first and any(inner(row, image, work) for row in functionals):
                    raise Rejected(spans[source].where, f"scores that differ after token {z}", "equal scores")


def successors(of: list[int], model: Model, work: Work) -> Iterator[tuple[int, int, set[tuple[int, bool]]]]:
    """For each span and token, which spans must contain the image, and whether as one of U_h with p0[h] > 0."""
    work.spend(model.states * (model.states + 2 * model.tokens * len(set(of))))
    targets = [{(of[h], model.initial[h] > 0) for h, x in enumerate(row) if x} for row in model.transition.rows]
    states: dict[int, list[int]] = {}
    for g, index in enumerate(of):
        states.setdefault(index, []).append(g)
    for source, members in states.items():
        for z, emission in enumerate(model.emission.rows):
            needed: set[tuple[int, bool]] = set()
            yield source, z, needed.union(*(targets[g] for g in members if emission[g]))
