"""Spans, for agreement on the words that can occur: section 5 of docs/certificate-format.md.

A subspace U_h for each state h contains every beta(y) with beta(y)[h] > 0: the all-ones vector is there, and beta(z
y) at h draws only on states g with A[g,h] W[z,g] beta(y)[g] > 0, where beta(y) is in U_g. An input x = z y has
beta(x)[h] > 0 for some h with p0[h] > 0, so functionals that vanish on the images of U_g for all such g, h vanish on
beta(x).
"""

from collections.abc import Iterator

from verify.kernel.base.exact import Vector, inner
from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.subspaces import image, read_subspace


def check_spans(item: Item, functionals: list[Vector], model: Model) -> None:
    """Spans on which the functionals vanish at every input."""
    fields = item.fields("of", "spans")
    ones = [1] * model.states
    spans = [read_subspace(span, ones, "the all-ones vector", model) for span in fields["spans"].items()]
    of = [index.integer(0, len(spans) - 1) for index in fields["of"].items(model.states)]
    for source, z, targets in successors(of, model):
        for vector in spans[source].basis.rows:
            v1 = image(model.transition_columns, z, vector, model)
            for target, first in targets:
                if not spans[target].contains(v1):
                    raise Rejected(spans[target].where, f"no image of token {z}", "A'(W[z,:] o v) in the span")
                if first and any(inner(row, v1, model.work) for row in functionals):
                    raise Rejected(spans[source].where, f"scores that differ after token {z}", "equal scores")


def successors(of: list[int], model: Model) -> Iterator[tuple[int, int, set[tuple[int, bool]]]]:
    """For each span and token, which spans must contain the image, and whether as one of U_h with p0[h] > 0."""
    model.work.spend(model.states * (model.states + 2 * model.tokens * len(set(of))))
    targets = [{(of[h], model.initial[h] > 0) for h, x in enumerate(row) if x} for row in model.transition.rows]
    states: dict[int, list[int]] = {}
    for g, index in enumerate(of):
        states.setdefault(index, []).append(g)
    for source, members in states.items():
        for z, emission in enumerate(model.emission.rows):
            needed: set[tuple[int, bool]] = set()
            yield source, z, needed.union(*(targets[g] for g in members if emission[g]))
