"""Theorem 4.3: an attention head on the masked language model computes the label of a memory cell.

A hidden state h = (j,s) is the cell j that is read, and a syntax state s. H* = {j*} x S*, where j* is the cell of the
task, and S* a set of syntax states. Ihat(x) is the set of positions i with supp(P[H_i | X_-i = x_-i]) in H*, and R the
set of possible x whose Ihat(x) is not empty. A column c = (m,h) of W is the law of a token in the hidden state h, if
the cell that h reads has the value m. It is a column in H* if h is in H*.

**Claim.** Assume 3.2 and 4.2: no column of W in H* is in the span of the other columns. Then some attention head on
G(x) and the token embeddings has F*(x) = 1(Attn >= 0) for every x in R, where Attn is the head's output.

**Proof, and construction.** Each column c in H* has a dual vector theta_c: theta_c'W_c = 1, and theta_c'W_d = 0 for
every other column d.

- Keys (C.2, C.3). For h in H*, row h of Theta1 is the sum of theta_(m,h) over m. So (Theta1 G_i(x))_h is
  Pr(H_i=h | X_-i=x_-i). Theta_K is Theta1 with a row of zeros below it, q is the indicator of H* with a 0 at the end,
  and beta is 0. So the score of position i is Pr(H_i in H* | X_-i=x_-i), which is 1 exactly on Ihat(x).
- Values (C.4). Row c of Theta_V is theta_c for c in H*, and 0 for other c; e(z) = W[z,:]; b_(m,h) is mu_m if h reads
  cell j*, and 0 otherwise. At an attended position the value is mu'P[M_j*, X_i=x_i | X_-i=x_-i]. This is a positive
  multiple of mu'P[M_j* | X=x], as x has positive probability.

Both rest on identities between finite matrices, in which no x occurs. Let c run through the columns, (m,h) through
those in H*, l through the labels and z through the tokens. Then q'Theta_K W_c is 1 if c is in H*, and 0 otherwise. The
value row v_l of token z has v_l'W_(m,h) = mu_l[m] W[z,(m,h)], and v_l'W_c = 0 for c outside H*.

**Where the paper leaves a choice.** The matrix that the paper's proof of C.3 calls B^(h) is here the sum of W_c
theta_c' over the columns c of h. The paper also has a row of Theta1 for "some arbitrary h not in H*", which makes the
entries of Theta1 G sum to 1. Here it is the row of the first h outside H*, and is 1' minus the sum of theta_c' over all
columns c in H*. If H* has all states, there is no such row, and none is needed. If the task has several rows mu_l, b
has a row for each.

Notation: constructions/__init__.py.
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
    """The construction: H* with its dual vectors (`witness`), and the head with its prompt, if it has one."""

    witness: Recoverable
    classifier: AttentionClassifier

    def view(self, model: Named | None = None) -> View:
        """Show the dual vectors, the head that is made of them, and the prompt if there is one."""
        columns = column_names(model, self.witness.columns)
        tokens = token_names(model, len(self.classifier.head.key[0]))
        dual = Table("θ_c", self.witness.dual, columns, tokens, "dual vectors: θ_c′ W_c = 1, and 0 for other columns")
        title = "theorem 4.3" if self.classifier.prompt is None else "theorems 4.6 and C.6"
        return View(title, (), (dual, *self.classifier.view(model).tables))


def construct(model: MemoryHMM, task: MemoryTask, witness: Recoverable) -> AttentionConstruction:
    """Build the paper's head from a witness of 4.2."""
    return AttentionConstruction(witness, AttentionClassifier(head(model, task, witness, key_matrix(model, witness))))


def head(
    model: MemoryHMM, task: MemoryTask, witness: Recoverable, theta1: Matrix, shifts: Vector = ()
) -> AttentionHead:
    """Assemble the head from the dual vectors of H* and Theta1 (states, tokens).

    q is the indicator of H*, followed by one more entry. Without `shifts` this entry is 0, and so is every beta_i. With
    `shifts` it is 1, and the last entry of beta_i is the i-th shift. All further positions have the last shift.
    """
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
    """Return Theta1 (states, tokens). For h in H*, row h maps a mixture of columns of W to the weight of h in it.

    The mixture is of columns in the ground set (`coloops`). Under 4.2 the ground set has all columns. If some state is
    outside H*, the sum of all rows of Theta1 is 1', the row of ones.
    """
    shape, nothing, ones = model.shape, (Fraction(0),) * len(model.tokens), (Fraction(1),) * len(model.tokens)
    theta1 = [
        combine([Fraction(shape.state_of(c) == h) for c in witness.columns], witness.dual) or nothing
        for h in range(shape.hidden)
    ]
    other = next((h for h in range(shape.hidden) if h not in witness.states), None)
    if other is not None:
        theta1[other] = combine((Fraction(1), *(Fraction(-1),) * len(witness.dual)), (ones, *witness.dual))
    return tuple(theta1)
