"""The paper's statements, each once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Statement:
    """A statement of the paper: its number, what it says in a line, and the ids of its hypotheses.

    `head` says of which class a theorem's heads are; a lemma has none.
    """

    id: str
    title: str
    hypotheses: tuple[str, ...]
    head: Literal["linear", "prompted"] | None = None

    @property
    def prompted(self) -> bool:
        """Whether its heads read Gbar behind a prompt."""
        return self.head == "prompted"


REGULARITY = ("3.2:ergodic", "3.2:full-support")

STATEMENTS = {
    statement.id: statement
    for statement in (
        Statement("3.3", "a linear head on G computes F*", ("3.1", *REGULARITY), "linear"),
        Statement("3.6", "a soft prompt and a linear head on Gbar compute F*", (*REGULARITY, "3.5"), "prompted"),
        Statement("message-passing", "tau_i(e(x)) = P[H_i, X_-i = x_-i] and Gbar_i(e(x)) = G_i(x)", REGULARITY),
        Statement("footnote-1", "G_1(x') does not depend on x'_1", REGULARITY),
        Statement("3.4", "one matrix maps every G_i(x) to P[H_i | X_-i = x_-i]", ("3.1",)),
        Statement("A.1", "P[H_i | X_{i+1:T+i} = x] = r_x D P[H_0 | X_{1:T} = x]", REGULARITY),
        Statement("section-3.1", "Gbar_i(u, e(x)) = P[Xhat_i | Xhat_-i] for every i", REGULARITY),
        Statement("B.1", "the same for i > 1, and what tau_i is for every i", REGULARITY),
        Statement("B.2", "P[H_2 | ztilde, x] = r_x D (P[ztilde, H_2] o P[H_0 | x])", REGULARITY),
        Statement("eq-3.3", "Gbar_2(ehat(x)) = r_x W D (P[H_2 | ztilde] o P[H_0 | x])", REGULARITY),
        Statement("3.6:zero", "where Gbar_2 = 0, mu'P[H_0 | x] = 0", (*REGULARITY, "3.5")),
        Statement("remark-3.1", "3.1 needs |H| <= |X|", ("3.1",)),
        Statement("remark-3.5", "3.1 and 3.2 imply 3.5", ("3.1", *REGULARITY)),
    )
}

THEOREMS = {key: statement for key, statement in STATEMENTS.items() if statement.head}
