"""Spans, the evidence that functionals vanish on all inputs: section 5 of docs/certificate-format.md.

A functional f vanishes on an input x if f'beta(x) = 0. The evidence has a subspace U_h of R^n for each of the n
states h. Let p0 = P[H_0], and o be the elementwise product. The rules for all states g, h and tokens z:

- U_h contains the all-ones vector.
- If A[g,h] W[z,g] > 0, then U_h contains the image A'(W[z,:] o v) of every v in U_g.
- If p0[h] > 0 as well, then the functionals are 0 on these images.

The rules show that the functionals vanish on every input:

1. U_h contains every beta(y) with beta(y)[h] > 0, by induction on the length of y. First, beta(empty) is the all-ones
   vector. Next, if beta(z y)[h] > 0, some state g has A[g,h] W[z,g] > 0 and beta(y)[g] > 0. By induction beta(y) is in
   U_g. So its image beta(z y) is in U_h.
2. An input x = z y has beta(x)[h] > 0 for some h with p0[h] > 0. As in step 1, beta(x) is the image of a vector of U_g,
   for some g with A[g,h] W[z,g] > 0. So the functionals are 0 on it.

A subspace has a basis in reduced form: basis vector i is 1 at pivots[i] and 0 at the other pivots. So a vector v is in
the subspace iff v = sum_i v[pivots[i]] basis[i].

Notation: verify/kernel/hmm/__init__.py.
"""

from dataclasses import dataclass

from verify.kernel.base.exact import Scaled, Vector, elementwise, inner, size
from verify.kernel.base.item import Item
from verify.kernel.hmm.model import Model


@dataclass(frozen=True)
class Subspace:
    """A subspace of R^n, and its place in the certificate."""

    item: Item
    pivots: list[int]
    basis: Scaled  # a row for each basis vector
    columns: Scaled  # its transpose

    def contains(self, vector: Vector) -> bool:
        """Whether vector = sum_i vector[pivots[i]] basis[i]."""
        self.basis.work.spend(len(vector), size(*vector), size(self.basis.denominator))
        combination = self.columns.times([vector[pivot] for pivot in self.pivots])
        return combination == [x * self.basis.denominator for x in vector]


def read_subspace(item: Item, member: Vector, name: str, model: Model) -> Subspace:
    """Read a subspace, with its basis in reduced form. It must contain `member`, called `name` in rejections."""
    listed, rows = item.parts("pivots", "basis")
    pivots = listed.ascending(model.states)
    basis = Scaled.of(rows.matrix(len(pivots), model.states), model.work)
    for i, (row, vector) in enumerate(zip(rows.inside(), basis.rows, strict=True)):
        reduced = [vector[pivot] for pivot in pivots] == [basis.denominator * (j == i) for j in range(len(pivots))]
        row.must(reduced, "1 at its pivot, 0 at the others", "other entries")
    subspace = Subspace(item, pivots, basis, basis.transposed())
    item.must(bool(pivots) and subspace.contains(member), f"{name} in the span", "a span without it")
    return subspace


def image(step: Scaled, token: int, vector: Vector, model: Model) -> Vector:
    """The product of `step` and W[z,:] o v for token z. `step` is A for a prediction v, and A' for a likelihood v."""
    return step.times(elementwise(model.emission.rows[token], vector, model.work))


def check_spans(item: Item, functionals: list[Vector], model: Model) -> None:
    """Check spans which show that the functionals vanish on every input. Several U_h may share a span."""
    indices, listed = item.parts("of", "spans")
    ones = [1] * model.states
    spans = [read_subspace(span, ones, "the all-ones vector", model) for span in listed.items()]
    of = [index.index(len(spans)) for index in indices.items(model.states)]
    model.work.spend(model.states * (model.states + 2 * model.tokens * len(set(of))))
    targets = [{(of[h], model.initial[h] > 0) for h, x in enumerate(row) if x} for row in model.transition.rows]
    for source in dict.fromkeys(of):
        members = [g for g, index in enumerate(of) if index == source]
        for z, emission in enumerate(model.emission.rows):
            needed = {target for g in members if emission[g] for target in targets[g]}
            for vector in spans[source].basis.rows:
                moved = image(model.transition_columns, z, vector, model)
                for target, is_start in needed:  # a span that must contain the image; if it is a U_h with p0[h] > 0
                    inside = spans[target].contains(moved)
                    spans[target].item.must(inside, "A'(W[z,:] o v) in the span", f"no image of token {z}")
                    vanish = not is_start or not any(inner(row, moved, model.work) for row in functionals)
                    spans[source].item.must(vanish, "equal scores", f"scores that differ after token {z}")
