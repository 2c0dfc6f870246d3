"""Subspaces of R^n with a basis in reduced form: sections 5 and 9 of docs/certificate-format.md.

Basis vector i is 1 at pivots[i] and 0 at the other pivots, so that a vector v is in the subspace iff
v = sum_i v[pivots[i]] basis[i].
"""

from dataclasses import dataclass

from verify.kernel.base.exact import Scaled, Vector, elementwise, size
from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.model import Model


@dataclass(frozen=True)
class Subspace:
    """A subspace, and where it stands."""

    where: str
    pivots: list[int]
    basis: Scaled  # a row for each basis vector
    columns: Scaled  # its transpose

    def contains(self, vector: Vector) -> bool:
        """Whether vector = sum_i vector[pivots[i]] basis[i]."""
        self.basis.work.spend(len(vector), size(*vector), size(self.basis.denominator))
        combination = self.columns.times([vector[pivot] for pivot in self.pivots])
        return combination == [x * self.basis.denominator for x in vector]


def read_subspace(item: Item, member: Vector, name: str, model: Model) -> Subspace:
    """A subspace that contains this vector, which is not 0; so it has a basis vector."""
    fields = item.fields("pivots", "basis")
    pivots = fields["pivots"].ascending(model.states)
    basis = Scaled.of(fields["basis"].matrix(len(pivots), model.states), model.work)
    for i, vector in enumerate(basis.rows):
        if [vector[pivot] for pivot in pivots] != [basis.denominator if j == i else 0 for j in range(len(pivots))]:
            raise Rejected(f"{fields['basis'].where}[{i}]", "other entries", "1 at its pivot, 0 at the others")
    subspace = Subspace(item.where, pivots, basis, basis.transposed())
    if not pivots or not subspace.contains(member):
        raise Rejected(item.where, "a span without it", f"{name} in the span")
    return subspace


def image(step: Scaled, token: int, vector: Vector, model: Model) -> Vector:
    """The vector step (W[z,:] o v), where step is A (of a prediction alpha) or A' (of a likelihood beta)."""
    return step.times(elementwise(model.emission.rows[token], vector, model.work))
