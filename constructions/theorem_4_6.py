"""Theorems 4.6 and C.6: a soft prompt and an attention head compute the label of a memory cell.

Assume 4.4 (3.2 and a stationary start), and 4.5 (N = 1) or C.5 (any N): with M* = supp(mu), each column of W in M* x
H* is in the span of no others, where columns (m,j*,s) with m outside M* do not count. Then some prompt u and attention
head have F*(x) = 1(Attn(Gbar_i(ehat(x)), ehat_i(x)) >= 0) for every x in R, ehat(x) = (u, eta(e(x_1)), ...,
eta(e(x_t))).

Proof, and construction: u is 1 where m_j* is in M* and 0 elsewhere (C.6), so behind the prompt M_j* is never seen
outside M* (C.11), and theorem 4.3's head works with dual vectors of the smaller ground set: keys (C.9, C.10) and
values (C.13). Stationarity moves the input by one position (C.8). The prompt's own position must not be attended to:
nothing masks its M_j* there, so Gbar_1 is any mixture of columns of W, or 0.

**Where the paper's position embeddings fall short.** It takes q's last entry 1, beta_1 = (0, -2) and beta_i = 0, and
claims a score of at most -1 at position 1, as if q'Theta1 Gbar_1 <= 1 held there too. But the columns (m,j*,s) with m
outside M*, which make up Gbar_1 as well, are under no assumption: q'Theta1 can be as large as one likes on them.
`construct` takes beta_1 = (0, -1 - K), K the largest entry of q'Theta1 W, at least 1. Gbar_1 is a mixture of columns
of W, or 0, so the score there is at most -1, and that of every other position at least 0. Where K = 1 that is the
paper's choice; `construct_as_written` always takes it.

**Stationarity is more than it needs.** All that C.8 gives is that behind the prompt H_2 has the law that H_1 has
without it. Where P[H_0] is not stationary, another prompt does that: u(m,h) in proportion to P(H_0=h) / P(H_1=h) where
m_j* is in M* (`restoring_prompt`), since A(u o P[H_1]) is then in proportion to A P[H_0]. It needs P(H_1=h) > 0 where
P(H_0=h) > 0, which 3.2 gives.

Shapes as in theorem 4.3; u (|Hbar|,).
"""

from __future__ import annotations

from fractions import Fraction

from constructions.heads import SoftPrompt
from constructions.linear import combine
from constructions.memory.attention import AttentionClassifier
from constructions.memory.coloops import Recoverable
from constructions.memory.model import MemoryHMM
from constructions.memory.prompts import prompt
from constructions.tasks import MemoryTask
from constructions.theorem_4_3 import AttentionConstruction, head, key_matrix


def construct(
    model: MemoryHMM,
    task: MemoryTask,
    witness: Recoverable,
    behind: SoftPrompt | None = None,
    shift: Fraction | None = None,
) -> AttentionConstruction:
    """Build the prompt and head, with position 1 kept out of the attended set. The witness is that of 4.5 or C.5.

    `behind`: a prompt that leaves the same memories as the proof's, in its place. `shift`: the last entry of beta_1, in
    the place of -1 - K.
    """
    shifts = (-1 - largest_key(model, witness) if shift is None else shift, Fraction(0))
    built = head(model, task, witness, key_matrix(model, witness), shifts)
    return AttentionConstruction(witness, AttentionClassifier(built, behind or prompt(model, task)))


def construct_as_written(model: MemoryHMM, task: MemoryTask, witness: Recoverable) -> AttentionConstruction:
    """Build the paper's prompt and head, with its beta_1 = (0, -2): position 1 may come to be attended to."""
    return construct(model, task, witness, shift=Fraction(-2))


def largest_key(model: MemoryHMM, witness: Recoverable) -> Fraction:
    """Return K: the largest q'Theta1 W[:,c] over all columns c, of the ground set or not."""
    query = [Fraction(h in witness.states) for h in range(model.shape.hidden)]
    return max(combine(combine(query, key_matrix(model, witness)), model.emission))
