"""The paper's statements, each once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from constructions.memory.model import MemoryHMM
from constructions.models import Model


@dataclass(frozen=True)
class Statement:
    """A statement of the paper: its number, what it says in a line, and the ids of its hypotheses.

    `about`: the kind of model that it is about. `head`: of which class a theorem's heads are; a lemma has none.
    `on_r`: whether it speaks of the inputs in R alone. `needs`: the assumption whose H* it speaks of, if any;
    `states_of` also where the H* stands only in that assumption. `of_every_model`: the theorem in `formal/statements`
    by which it is true of every model, also where its hypotheses fail, so that nothing is checked of any.
    """

    id: str
    title: str
    hypotheses: tuple[str, ...]
    head: Literal["linear", "prompted", "attention", "prompted-attention"] | None = None
    about: Literal["hmm", "memory-hmm"] = "hmm"
    on_r: bool = False
    needs: str | None = None
    of_every_model: str | None = None

    @property
    def states_of(self) -> str | None:
        """The hypothesis that has an H*, if any."""
        return next((key for key in self.hypotheses if key in {"4.2", "4.5", "C.5"}), None)

    @property
    def true_of_every_model(self) -> str:
        """Say which theorem shows a statement of which no model has anything to check."""
        return f"true of every model (theorem {self.of_every_model})"

    @property
    def prompted(self) -> bool:
        """Whether its heads read Gbar behind a prompt."""
        return self.head in {"prompted", "prompted-attention"}


REGULARITY = ("3.2:ergodic", "3.2:full-support")
STATIONARY = (*REGULARITY, "4.4:stationary")

VANILLA = (
    Statement("3.3", "a linear head on G computes F*", ("3.1", *REGULARITY), "linear"),
    Statement("3.6", "a soft prompt and a linear head on Gbar compute F*", (*REGULARITY, "3.5"), "prompted"),
    Statement(
        "message-passing",
        "tau_i(e(x)) = P[H_i, X_-i = x_-i] and Gbar_i(e(x)) = G_i(x)",
        REGULARITY,
        of_every_model="lemma_message_passing",
    ),
    Statement("footnote-1", "G_1(x') does not depend on x'_1", REGULARITY, of_every_model="footnote_1"),
    Statement("3.4", "one matrix maps every G_i(x) to P[H_i | X_-i = x_-i]", ("3.1",)),
    Statement("A.1", "P[H_i | X_{i+1:T+i} = x] = r_x D P[H_0 | X_{1:T} = x]", REGULARITY),
    Statement("section-3.1", "Gbar_i(u, e(x)) = P[Xhat_i | Xhat_-i] for every i", REGULARITY),
    Statement("B.1", "the same for i > 1, and what tau_i is for every i", REGULARITY, of_every_model="lemma_B_1"),
    Statement("B.2", "P[H_2 | ztilde, x] = r_x D (P[ztilde, H_2] o P[H_0 | x])", REGULARITY),
    Statement("eq-3.3", "Gbar_2(ehat(x)) = r_x W D (P[H_2 | ztilde] o P[H_0 | x])", REGULARITY),
    Statement("3.6:zero", "where Gbar_2 = 0, mu'P[H_0 | x] = 0", (*REGULARITY, "3.5")),
    Statement("remark-3.1", "3.1 needs |H| <= |X|", ("3.1",)),
    Statement("remark-3.5", "3.1 and 3.2 imply 3.5", ("3.1", *REGULARITY)),
)


def _memory(
    id: str,
    title: str,
    needs: str | None,
    stationary: bool,
    head: Literal["attention", "prompted-attention"] | None = None,
    on_r: bool = False,
    states: bool = True,
    of_every_model: str | None = None,
) -> Statement:
    hypotheses = (*(STATIONARY if stationary else REGULARITY), *([needs] if needs else []))
    return Statement(id, title, hypotheses, head, "memory-hmm", on_r, needs if states else None, of_every_model)


MEMORY = (
    _memory("4.3", "an attention head on G computes F* on R", "4.2", False, "attention", on_r=True),
    _memory("4.6", "a prompt and an attention head compute F* on R, N = 1", "4.5", True, "prompted-attention", True),
    _memory("C.6", "a prompt and an attention head compute F* on R", "C.5", True, "prompted-attention", on_r=True),
    _memory("C.1", "G_i is W times the law of (M_{J_i}, H_i)", None, False, of_every_model="proposition_C_1"),
    _memory("C.2", "some keys attend to Ihat", "4.2", False, on_r=True),
    _memory("C.3", "Theta1 and Theta2 read H* and M_j* off G_i", "4.2", False),
    _memory("C.4", "some values are mu'P[M_j* | x] on Ihat", "4.2", False, on_r=True),
    _memory("C.7", "Gbar behind a prompt, as in B.1", None, False, of_every_model="lemma_C_7"),
    _memory("C.8", "P[M, H_i, X_{i+1:i+t}] = P[M, H_0, X_{1:t}]", None, True),
    _memory("C.9", "behind the prompt some keys attend to Ihat", "C.5", True, on_r=True),
    _memory("C.9:all-positions", "the same where xhat has laws at all positions", "C.5", True, on_r=True),
    _memory("C.9:attends", "the same, to where H_i is surely in H*", "C.5", True, on_r=True),
    _memory("C.10", "behind the prompt Theta1 and Theta2 read H* and M_j*", "C.5", True),
    _memory(
        "C.11", "behind the prompt M_j* is in supp(mu)", "C.5", True, states=False, of_every_model="proposition_C_11"
    ),
    _memory("C.12", "behind the prompt H_i has no new states", "C.5", True, states=False),
    _memory("C.13", "behind the prompt some values are mu'P[M_j* | x]", "C.5", True, on_r=True),
    _memory("C.14", "the posterior of M_j* behind the prompt", "C.5", True, states=False),
    _memory("C.15", "where the prompt excludes x, mu'P[M_j* | x] = 0", "C.5", True, states=False),
)

STATEMENTS = {statement.id: statement for statement in (*VANILLA, *MEMORY)}

THEOREMS = {key: statement for key, statement in STATEMENTS.items() if statement.head}


def about(statement: Statement, model: Model) -> bool:
    """Tell whether a statement is about a model of this kind."""
    return isinstance(model, MemoryHMM) == (statement.about == "memory-hmm")
