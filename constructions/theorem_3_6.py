"""Theorem 3.6: a soft prompt and a linear head compute the downstream label where W is degenerate.

**Claim.** Assume 3.2 and 3.5. By 3.5 there is a set B of states with the following properties. Let H* be the states
that B reaches in one step, the union of supp(A[:,h]) over h in B. The columns W[:,H*] are linearly independent, and
supp(mu) lies in H*. Then some u in [0,1]^n and b in R^k have F*(x) = 1(b'Gbar_2(u, e(E), e(x)) >= 0) for every x in
supp(P[X]).

**Proof, and construction.**

1. Take u_h = 1 if h is in B, and 0 otherwise. Let c = A(u o P[H_1]), which is P[prompt, H_2]: the law of H_2 together
   with the event that H_1 emits the prompt.
2. By B.2, P[H_2 | prompt, x] = r D (c o P[H_0 | X = x]) with some r > 0 and D = diag(1 / P[H_0]).
3. c is 0 outside H*. So Gbar_2 is a mixture of the columns W[:,H*], which have a left inverse.
4. b' is the sum over h in H* of mu_h P(H_0=h) / c_h times row h of that left inverse. So b'Gbar_2 is r mu'P[H_0 | X =
   x].

**Departure from the paper.** If mu has several rows, b has a row for each. Shapes, for n states and k tokens: u (n,),
left inverse (|H*|, k), the numbers P(H_0=h) / c_h (|H*|,), b (rows of mu, k).

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from constructions.assumptions import Cover
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.hmm import HMM
from constructions.linear import Indices, Vector, columns, multiply
from constructions.rendering import InNotebooks, Named, View, by_label, state_names
from constructions.tasks import Task


@dataclass(frozen=True)
class PromptConstruction(InNotebooks):
    """The construction: B, H* and their witness (`cover`), P(H_0=h) / c_h on H* (`scale`), and the head behind u."""

    cover: Cover
    scale: Vector
    classifier: Classifier

    def view(self, model: Named | None = None) -> View:
        """Show B, H*, the left inverse if `cover` has it, the scale, u and b."""
        cover = self.cover.view(model)
        states = state_names(model, 1 + max(self.cover.recoverable))
        reached = [states[h] for h in self.cover.recoverable]
        tables = (
            *cover.tables,
            by_label("s", [self.scale], reached, "P(H_0=h) / c_h on H^*, c = A(u ∘ P[H_1])"),
            *self.classifier.view(model).tables,
        )
        return View("theorem 3.6", (*cover.lines, "u = 1 on B, 0 elsewhere; b′ = (μ ∘ s)′ W⁺"), tables)


def indicator(states: Indices, size: int) -> SoftPrompt:
    """Return the prompt that is 1 on a set of states."""
    return SoftPrompt(tuple(Fraction(h in states) for h in range(size)))


def construct(model: HMM, task: Task, witness: Cover) -> PromptConstruction:
    """Build the paper's prompt and head.

    Raises `ZeroDivisionError` if c = A(u o P[H_1]) is 0 at a state of H*. If 3.2 holds, this does not happen: P[H_1] >
    0, so c is positive on H*.
    """
    prompt = indicator(witness.prompt_states, len(model.states))
    weights = Classifier(LinearHead(()), prompt).weights(model)
    scale = tuple(model.initial[h] / weights[h] for h in witness.recoverable)
    rows = tuple(multiply(row, scale) for row in columns(task.mu, witness.recoverable))
    b = witness.inverse.through(rows, columns(model.emission, witness.recoverable))
    return PromptConstruction(witness, scale, Classifier(LinearHead(b), prompt))
