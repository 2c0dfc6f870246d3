"""The hypotheses of statements: their parts, whether each holds on a model, and what was reasoned out of some.

That is, why a theorem does without a hypothesis (`UNNEEDED`), or a model that shows that it needs one (`KNOWN`); and of
each model that shows that, what goes wrong there (`IDEAS`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from constructions.assumptions import DECIDE
from constructions.memory.assumptions import MEMORY_DECIDE
from constructions.memory.model import MemoryHMM
from constructions.models import HMM
from constructions.tasks import Task

ERGODIC, SUPPORT, STATIONARY = "3.2:ergodic", "3.2:full-support", "4.4:stationary"

REGULAR = {"3.2": (ERGODIC, SUPPORT), ERGODIC: (ERGODIC,), SUPPORT: (SUPPORT,)}
"""3.2 and its parts: the hypotheses one of which fails without it."""

CHAIN = REGULAR | {"4.4": (ERGODIC, SUPPORT, STATIONARY), STATIONARY: (STATIONARY,)}
"""And 4.4, which contains it."""


OF_TASKS = {"3.5", "4.2", "4.5", "C.5"}
"""The assumptions that are about the task too."""


def holds(key: str, known: Any) -> bool | None:
    """Tell whether a hypothesis holds on a model with a task; None if that is undecided.

    One that is about the model alone is asked of it without a task as well.
    """
    decide: Any = (MEMORY_DECIDE if isinstance(known[0], MemoryHMM) else DECIDE)[key]
    found: bool | None = decide(*known).holds
    return found


class Answers(dict[str, bool | None]):
    """Which hypotheses hold on a model with a task, of those that were asked for: each is decided once."""

    def __init__(self, known: Any, before: Mapping[str, bool | None] | None = None) -> None:
        """Take over `before`: what was found of the model with another task."""
        super().__init__({key: found for key, found in (before or {}).items() if key not in OF_TASKS})
        self.known = known

    def __missing__(self, key: str) -> bool | None:
        """Decide it."""
        self[key] = holds(key, self.known)
        return self[key]


def met(held: Collection[str], violated: Iterable[str], answers: Mapping[str, bool | None]) -> bool | None:
    """Tell whether all that is held holds, and one of what is violated fails, if there is any; None if undecided."""
    if any(answers[key] is False for key in held):
        return False
    broken = [answers[key] for key in violated]
    if broken and False not in broken:
        return None if None in broken else False
    return None if any(answers[key] is None for key in held) else True


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
"""The one reason by which there is no model that violates a hypothesis alone."""

UNNEEDED = {
    **{("4.3", part): DUALS.format("4.2") for part in REGULAR},
    **{
        (theorem, part): reason
        for theorem, kept in (("4.6", KEPT.format(DUALS.format("4.5"))), ("C.6", KEPT.format(DUALS.format("C.5"))))
        for part, reason in (("3.2", kept), (ERGODIC, kept), (SUPPORT, POSITIVE), (STATIONARY, RESTORED))
    },
}
"""Why a theorem does without a hypothesis, by the theorem and what it does without."""


@dataclass(frozen=True)
class Reasoned:
    """A model with a task on which a statement fails without a hypothesis, and why no smaller one does."""

    model: HMM
    task: Task
    smallest: str


KNOWN = {
    ("3.6", "3.2:ergodic"): Reasoned(
        HMM.of(
            "1/4 1/4 1/4 1/4",
            "0 0 0 0; 1/2 0 0 0; 1/2 1 1/2 1/2; 0 0 1/2 1/2",
            "1 1 0 1; 0 0 1 0",
        ),
        Task.of("0 1 -1 0"),
        "If no row of A is 0, P[H_1] > 0 and the proof goes through. So some state is never entered again. With one or "
        "two states F* is then constant. With three, let s0 be that state. If H_2 can be s1 and s2, the prompt u = 1 "
        "serves H* = {s1, s2}; and where H* is one state, F* is constant or one sign where its likelihood is positive, "
        "which b can have. If H_2 can only be s2, all states that F* reads have likelihoods that are multiples of one. "
        "Four states with P[H_0] > 0 need the denominator 4; with one token F* is constant.",
    ),
}
"""By the statement and what it does without."""


ALIKE = (
    "s0 and s1 emit the same token, so that {0} cannot tell whether the text began in s0, which F* counts against the "
    "input, or in s1, of which it makes nothing"
)
BEHIND = "; and no prompt lets s0 in and keeps s1 out, as only s1 leads to s0, and to itself, too"
NEVER = "The text can begin in s{0}, but no state leads there; G_1 shows what comes next, F* asks for the first state."
CIRCLE = (
    "The chain runs in a circle, and behind a prompt the text begins one state further on, where s0 and s1 emit one "
    "token: what is read tells nothing."
)
ONE_LAW = (
    "No state leads to s0, which alone leads to s1: H_2 is s2 or s3, and from both the rest of the text has one law: "
    "Gbar_2 does not depend on the input, whatever the prompt; but F* tells s1 from s2."
)
NOT_YET = "H_2 is never s0: only s1 leads there, only s2 to s1, and no text begins in s2; F* asks if H_0 was s0."
SILENT = (
    "s0 emits one token whatever the memory is, and counts as recoverable all the same: no head can tell what it says "
    "nothing with from what tells the memory."
)
COIN = (
    "s1 tosses a coin whose law is what s0 shows as long as the memory is not known; the two trade places in the text, "
    "and no head can tell the one that knows from the coin."
)
LATE = (
    "Two states take turns, one shows the memory, the other tosses a coin; behind a prompt the text begins one step "
    "late, so that coins are read where the memory was shown."
)
DOUBLES = (
    "s1 plays s0 with the one value of the memory, s2 with the other, whatever it is: whatever a prompt makes s0 look "
    "like, one of its doubles looks it as much, and stands where s0 stands in another text."
)

IDEAS = {
    ("3.3", "3.1"): f"{ALIKE.format('G_1')}.",
    ("3.3", "3.2"): NEVER.format(1),
    ("3.3", ERGODIC): NEVER.format(0),
    ("3.3", SUPPORT): "H_1 is never s0: only s1 leads there, and no text begins in s1; F* asks whether H_0 was s0.",
    ("3.6", "3.2"): CIRCLE,
    ("3.6", ERGODIC): ONE_LAW,
    ("3.6", SUPPORT): NOT_YET,
    **{("3.6", f"3.5{part}"): f"{ALIKE.format('Gbar_2')}{BEHIND}." for part in ("", ":B", ":cover", ":independence")},
    **{("4.3", f"4.2{part}"): SILENT for part in ("", ":independence")},
    ("4.3", "4.2:disjoint"): COIN,
    **{(statement, "4.4"): LATE for statement in ("4.6", "C.6")},
    **{
        (statement, f"{assumption}{part}"): DOUBLES
        for statement, assumption in (("4.6", "4.5"), ("C.6", "C.5"))
        for part in ("", ":disjoint", ":independence")
    },
}
"""By the statement and what it does without: a sentence to remember the counterexample by."""
