"""Theorem 4.3: an attention head on the masked language model computes the label of a memory cell.

Assume 4.2 (H* = {j*} x S*: each column of W in H* is in the span of no others) and 3.2. Then some attention head on
G(x) and token embeddings has F*(x) = 1(Attn >= 0) for every x in R, the x in supp(P[X]) with a position i such that
supp(P[H_i | X_-i = x_-i]) lies in H*.

Proof, and construction, with a dual vector theta_c for each column c of H*, theta_c'W_c = 1 and theta_c'W_d = 0 for d
!= c:

- keys (C.2, C.3): row h of Theta1 is the sum of theta_(m,h) over m, for h in H*, so that it reads Pr(H_i=h |
  X_-i=x_-i) off G_i(x). Theta_K is Theta1 over a row of zeros, q the indicator of H* and 0 at the end, beta = 0: the
  score of i is Pr(H_i in H* | X_-i), which is 1 exactly on Ihat.
- values (C.4): row c of Theta_V is theta_c for c in H*, else 0; e(z) = W[z,:]; b_(m,h) = mu_m at j*, else 0. At an
  attended i, V = mu'P[M_j*, X_i=x_i | X_-i=x_-i], a positive multiple of mu'P[M_j* | X=x], since x has positive
  probability.

Both rest on two identities between finite matrices, which speak of no x at all: q'Theta_K W_c = 1(c in H*) for every
column c of the ground set, and v_l'W_(m,h) = mu_l[m] W[z,(m,h)] on H*, 0 elsewhere, for all labels l and tokens z.

Readings, where the paper leaves a choice: its B^(h) is the sum of W_c theta_c' over the columns of h. Its row 1'B for
"some arbitrary h not in H*", which makes the entries of Theta1 G sum to 1, is 1' minus all theta_c here, in the first
such row; if H* is everything there is no such h, and no need. Several rows of mu give one row of b each.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from constructions.linear import Matrix, Vector, combine
from constructions.memory.attention import AttentionClassifier, AttentionHead
from constructions.memory.coloops import Recoverable
from constructions.memory.model import MemoryHMM, column_names
from constructions.rendering import InNotebooks, Named, Table, View, token_names
from constructions.tasks import MemoryTask


@dataclass(frozen=True)
class AttentionConstruction(InNotebooks):
    """H* with its dual vectors (`witness`), and the head, with its prompt if it has one."""

    witness: Recoverable
    classifier: AttentionClassifier

    def view(self, model: Named | None = None) -> View:
        """Show the dual vectors, and what is made of them."""
        columns = column_names(model, self.witness.columns)
        tokens = token_names(model, len(self.classifier.head.key[0]))
        dual = Table("θ_c", self.witness.dual, columns, tokens, "dual vectors: θ_c′ W_c = 1, and 0 for other columns")
        title = "theorem 4.3" if self.classifier.prompt is None else "theorem 4.6"
        return View(title, (), (dual, *self.classifier.view(model).tables))


def construct(model: MemoryHMM, task: MemoryTask, witness: Recoverable) -> AttentionConstruction:
    """Build the paper's head from a witness of 4.2."""
    return AttentionConstruction(witness, AttentionClassifier(head(model, task, witness, key_matrix(model, witness))))


def head(
    model: MemoryHMM, task: MemoryTask, witness: Recoverable, theta1: Matrix, shifts: Vector = ()
) -> AttentionHead:
    """Assemble a head: q is the indicator of H*, and beta is 0. With `shifts` q ends in 1, and beta_i in shift i."""
    shape, nothing = model.shape, (Fraction(0),) * len(model.tokens)
    dual = dict(zip(witness.columns, witness.dual, strict=True))
    return AttentionHead(
        query=(*(Fraction(h in witness.states) for h in range(shape.hidden)), Fraction(bool(shifts))),
        key=(*theta1, nothing),
        position=tuple((Fraction(0),) * shape.hidden + (shift,) for shift in shifts or (Fraction(0),)),
        value=tuple(dual.get(c, nothing) for c in range(shape.columns)),
        b=tuple(
            tuple(row[m] if j == task.cell else Fraction(0) for m, j, _ in map(shape.parts, range(shape.columns)))
            for row in task.mu
        ),
        embedding=model.emission,
    )


def key_matrix(model: MemoryHMM, witness: Recoverable) -> Matrix:
    """Return Theta1: on the span of the ground set, row h reads off the weight of h, and all rows sum to 1'."""
    shape, nothing, ones = model.shape, (Fraction(0),) * len(model.tokens), (Fraction(1),) * len(model.tokens)
    theta1 = [
        combine([Fraction(shape.state_of(c) == h) for c in witness.columns], witness.dual) or nothing
        for h in range(shape.hidden)
    ]
    other = next((h for h in range(shape.hidden) if h not in witness.states), None)
    if other is not None:
        theta1[other] = combine((Fraction(1), *(Fraction(-1),) * len(witness.dual)), (ones, *witness.dual))
    return tuple(theta1)
