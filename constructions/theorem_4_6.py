"""Theorems 4.6 and C.6: a soft prompt and an attention head compute the label of a memory cell.

The letters, Theta1 among them, are those of constructions/theorem_4_3.py. Hbar is the chain of memory and hidden
state, and eta maps a vector over the columns of W to one over the states of Hbar (`constructions.memory.joint_chain`).
M* = supp(mu), and ehat(x) = (u, eta(e(x_1)), ..., eta(e(x_t))), where u has the shape (|Hbar|,). Column (m,j*,s) of W
is the law of a token that is read from cell j*, which holds m, in the syntax state s.

**Claim.** Assume 4.4, which is 3.2 and a stationary start. Leave out the columns (m,j*,s) of W with m outside M*, and
assume that no column (m,h) with m in M* and h in H* is in the span of the others. This is 4.5 for models of one cell,
and C.5 for models of any number of cells. Then some prompt u and attention head have F*(x) = 1(Attn(Gbar_i(ehat(x)),
ehat_i(x)) >= 0) for every x in R.

**Proof, and construction.**

1. States of Hbar are pairs (m,h) of a whole memory m and h. Let u(m,h) be 1 where m_j* is in M*, and 0 elsewhere (C.6).
   So behind the prompt M_j* is surely in M* (C.11).
2. So the columns that were left out have no weight in Gbar_i for i >= 2, and theorem 4.3's head works there, with dual
   vectors for the columns that remain: keys by C.9 and C.10, values by C.13.
3. The prompt moves the input by one position. The start is stationary, so this changes no law (C.8).
4. Position 1, the prompt's own, must not be attended to: there nothing excludes an M_j* outside M*. So Gbar_1 may be
   any mixture of columns of W, or 0.

**The paper's position embeddings are not enough for step 4.** The paper sets the last entry of q to 1, beta_1 to
(0, -2), and every other beta_i to 0. It claims that position 1 has a score of at most -1, as if q'Theta1 Gbar_1 <= 1
held there. But columns (m,j*,s) with m outside M* take part in Gbar_1. No assumption limits q'Theta1 on these columns,
so it can be as large as one likes there. `construct` takes beta_1 = (0, -1 - K), where K >= 1 is the largest entry of
q'Theta1 W. Then the score at position 1 is at most -1, and at every other position it is at least 0. For K = 1 this
beta_1 is the paper's, which `construct_as_written` always takes.

**A stationary start is more than the proof needs.** The proof uses only one part of C.8: behind the prompt, H_2 has
the law that H_1 has without the prompt. If P[H_0] is not stationary, another prompt gives this: u(m,h) in proportion to
P(H_0=h) / P(H_1=h) where m_j* is in M*, and 0 elsewhere (`restoring_prompt`). Then A(u o P[H_1]) is in proportion to
A P[H_0]. This prompt needs P(H_1=h) > 0 wherever P(H_0=h) > 0; 3.2 gives it.

Notation: constructions/__init__.py.
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
    """Build the prompt and the head, which never attends to position 1, from a witness of 4.5 or C.5.

    `behind` replaces the proof's prompt; it must leave the same memories possible. `shift` replaces -1 - K, the last
    entry of beta_1; with a larger `shift` the head may attend to position 1.
    """
    shifts = (-1 - largest_key(model, witness) if shift is None else shift, Fraction(0))
    built = head(model, task, witness, key_matrix(model, witness), shifts)
    return AttentionConstruction(witness, AttentionClassifier(built, behind or prompt(model, task)))


def construct_as_written(model: MemoryHMM, task: MemoryTask, witness: Recoverable) -> AttentionConstruction:
    """Build the paper's prompt and head, with beta_1 = (0, -2). This head may attend to position 1."""
    return construct(model, task, witness, shift=Fraction(-2))


def largest_key(model: MemoryHMM, witness: Recoverable) -> Fraction:
    """Return K, the largest entry of q'Theta1 W. All columns of W count, also those that 4.5 and C.5 leave out."""
    query = [Fraction(h in witness.states) for h in range(model.shape.hidden)]
    return max(combine(combine(query, key_matrix(model, witness)), model.emission))
