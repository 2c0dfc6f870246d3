"""The hypotheses of statements: their parts, whether each holds on a model, and what was reasoned out of some.

That is, why a theorem does without a hypothesis (`UNNEEDED`), or a model that shows that it needs one (`KNOWN`).
"""

from __future__ import annotations

from dataclasses import dataclass

from constructions.assumptions import DECIDE
from constructions.memory.assumptions import MEMORY_DECIDE
from constructions.memory.model import MemoryHMM
from constructions.models import HMM, Known, Model, is_memory
from constructions.tasks import MemoryTask, Task

ERGODIC, SUPPORT, STATIONARY = "3.2:ergodic", "3.2:full-support", "4.4:stationary"

REGULAR = {"3.2": (ERGODIC, SUPPORT), ERGODIC: (ERGODIC,), SUPPORT: (SUPPORT,)}
"""3.2 and its parts: the hypotheses one of which fails without it."""

CHAIN = REGULAR | {"4.4": (ERGODIC, SUPPORT, STATIONARY), STATIONARY: (STATIONARY,)}
"""And 4.4, which contains it."""


def holds(key: str, known: Known) -> bool | None:
    """Tell whether a hypothesis holds on a model with a task; None if that is undecided."""
    return MEMORY_DECIDE[key](*known).holds if is_memory(known) else DECIDE[key](*known).holds


@dataclass(frozen=True)
class Unneeded:
    """Why a theorem does without a hypothesis, and which hypotheses one of which fails if it does.

    `alone`: whether it can fail while all others hold.
    """

    violated: tuple[str, ...]
    reason: str
    alone: bool = True


DUALS = (
    "The head of the proof takes its keys and values from dual vectors of the columns of H*, which {0} gives. It gives "
    "x its label by identities between columns of W, and these say nothing of the chain."
)
KEPT = "{0} Behind the prompt, the input starts in the law of H_0, since P[H_0] = A P[H_0]; that is all that is used."
RESTORED = (
    "The paper says that it can be removed. Behind the prompt with u(m,h) in proportion to P(H_0=h) / P(H_1=h) where "
    "m_j* is in supp(mu), and 0 elsewhere, H_2 has the law that H_1 has without a prompt, as A(u o P[H_1]) is then in "
    "proportion to A P[H_0]; this is all that C.8 is used for. 3.2 gives P[H_1] > 0."
)
POSITIVE = "P[H_0] = A P[H_0] and A is irreducible, so P[H_0] > 0: full support cannot fail alone."


def _memory_cells() -> dict[tuple[str, str], Unneeded]:
    cells = {("4.3", part): Unneeded(violated, DUALS.format("4.2")) for part, violated in REGULAR.items()}
    for statement, assumption in (("4.6", "4.5"), ("C.6", "C.5")):
        reason = KEPT.format(DUALS.format(assumption))
        cells[statement, "3.2"] = Unneeded((ERGODIC, SUPPORT), reason)
        cells[statement, ERGODIC] = Unneeded((ERGODIC,), reason)
        cells[statement, SUPPORT] = Unneeded((SUPPORT,), POSITIVE, alone=False)
        cells[statement, STATIONARY] = Unneeded((STATIONARY,), RESTORED)
    return cells


UNNEEDED = _memory_cells()
"""By the statement and what it does without."""


@dataclass(frozen=True)
class Reasoned:
    """A model with a task on which a statement fails without a hypothesis: how, and why no smaller one does.

    Inputs of at most `length` tokens refute it.
    """

    model: Model
    task: Task
    length: int
    idea: str
    smallest: str | None = None


KNOWN = {
    ("3.6", "3.2:ergodic"): Reasoned(
        HMM.of(
            "1/4 1/4 1/4 1/4",
            "0 0 0 0; 1/2 0 0 0; 1/2 1 1/2 1/2; 0 0 1/2 1/2",
            "1 1 0 1; 0 0 1 0",
        ),
        Task.of("0 1 -1 0"),
        1,
        "No state leads to s0, which alone leads to s1: H_2 is s2 or s3, and from both the rest of the text has one "
        "law. So Gbar_2 does not depend on the input, whatever the prompt; but F* tells s1 from s2.",
        "If no row of A is 0, P[H_1] > 0 and the proof goes through. So some state is never entered again. With one or "
        "two states F* is then constant. With three, let s0 be that state. If H_2 can be s1 and s2, the prompt u = 1 "
        "serves H* = {s1, s2}; and where H* is one state, F* is constant or one sign where its likelihood is positive, "
        "which b can have. If H_2 can only be s2, all states that F* reads have likelihoods that are multiples of one. "
        "Four states with P[H_0] > 0 need the denominator 4; with one token F* is constant.",
    ),
    ("4.3", "4.2:disjoint"): Reasoned(
        MemoryHMM.of(
            "1/4 1/4 1/4 1/4",
            "0 0 1 0; 1/2 0 0 1; 0 1 0 0; 1/2 0 0 0",
            "1/2 1/2",
            "0 1 1/2 0 0 0 1/2 0; 0 0 1/2 0 0 1 1/2 0; 1 0 0 0 1 0 0 0; 0 0 0 1 0 0 0 1",
            cells=1,
        ),
        MemoryTask.of("1 -1", cell=0, recoverable=(1,)),
        4,
        "s1 shows the memory; s2, next to it, tosses a coin whose law is the mean of what s1 shows. Neither token says "
        "anything of its own position, so that a head reads the same law at s1 and at s2: its keys cannot tell them "
        "apart, and its positions cannot, as the two trade places from one input to the next.",
    ),
}
"""By the statement and what it does without."""
