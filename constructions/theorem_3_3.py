"""Theorem 3.3: a linear head on the masked language model computes the downstream label.

**Claim.** Assume 3.1 (W has linearly independent columns) and 3.2 (the chain is ergodic, P[H_0] has full support). Then
some b in R^k has F*(x) = 1(b'G_1(E, x) >= 0) for every x in supp(P[X]).

**Proof, and construction.** G_1(E, x) = W q, where q = P[H_1 | X_2.. = x] is the law of the masked position's state. By
A.1, P[H_0 | X = x] = r D q with some r > 0 and D = diag(P[H_0] / P[H_1]). So b' = mu' D W^+ gives b'G_1(E, x) =
mu'P[H_0 | X = x] / r, for any left inverse W^+ of W.

**Departures from the paper.** The paper writes D for the inverse of our D, and so mu' D^-1 W^+ for our b'. The paper
assumes "full row rank", but the left inverse needs full column rank. A task of several rows mu gives b one row for
each. Shapes: W^+ (n, k), D (n,), b (rows of mu, k).

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from constructions.assumptions import LeftInverse, Minor
from constructions.heads import Classifier, LinearHead
from constructions.hmm import HMM
from constructions.linear import Vector, multiply
from constructions.rendering import InNotebooks, Named, View, by_label, state_names
from constructions.tasks import Task


@dataclass(frozen=True)
class LinearConstruction(InNotebooks):
    """The construction: W^+ or a proof that it exists (`inverse`), the diagonal of D (`diagonal`), and the head b."""

    inverse: LeftInverse | Minor
    diagonal: Vector
    classifier: Classifier

    def view(self, model: Named | None = None) -> View:
        """Show D and b; also W^+, unless `inverse` is a `Minor`."""
        states = state_names(model, len(self.diagonal))
        tables = (
            *self.inverse.tables(states, model),
            by_label("D", [self.diagonal], states, "its diagonal, P[H_0] / P[H_1]"),
            *self.classifier.view(model).tables,
        )
        return View("theorem 3.3", ("b′ = μ′ D W⁺",), tables)


def construct(model: HMM, task: Task, witness: LeftInverse | Minor) -> LinearConstruction:
    """Build the paper's head. Raises `ZeroDivisionError` if P[H_1] = 0 < P[H_0] at a state; 3.2 excludes this."""
    diagonal = tuple(p0 / p1 if p0 else p0 for p0, p1 in zip(model.initial, model.first, strict=True))
    rows = tuple(multiply(row, diagonal) for row in task.mu)
    return LinearConstruction(witness, diagonal, Classifier(LinearHead(witness.through(rows, model.emission))))
