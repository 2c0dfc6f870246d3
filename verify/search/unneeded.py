"""Hypotheses that a theorem does without: the reason for each, and a check on every small model and on drawn ones.

Either the hypothesis cannot fail while all others hold, and then it fails alone on none. Or the conclusion
follows from the others, and then on each of these models that meets them and violates it, the conclusion is proved for
inputs of every length, by a certificate that the kernel accepts. The reason is what covers all other models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from math import inf
from time import time

from constructions.models import Known
from verify.certificates import statement_certificate
from verify.prover import prove
from verify.search.hypotheses import ERGODIC, REGULAR, STATIONARY, SUPPORT, holds
from verify.search.small_models import Bounds, larger, small
from verify.statements import Statement
from verify.verdicts import Verdict
from verify.words.effort import EFFORT

DRAWN = 1000
"""How many models are drawn beyond the bounds."""


@dataclass(frozen=True)
class Unneeded:
    """Why a theorem does without a hypothesis, and which hypotheses one of which fails if it does.

    `alone`: whether it can fail while all others hold.
    """

    violated: tuple[str, ...]
    reason: str
    alone: bool = True


@dataclass(frozen=True)
class Tried:
    """The check: of so many models with a task, `candidates` violate the hypothesis alone, and on `proved` it holds.

    On `telling` of these F* is known to take two labels in R; the `first` is shown. `complete`: none was left out.
    """

    examined: int
    candidates: int
    proved: int
    telling: int
    first: Verdict | None
    complete: bool = True

    @property
    def confirmed(self) -> bool:
        """Whether every candidate was proved."""
        return self.complete and self.proved == self.candidates


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


def attempt(
    statement: Statement,
    unneeded: Unneeded,
    bounds: Bounds,
    watch: Callable[[Iterable[Known]], Iterable[Known]],
    until: float = inf,
) -> Tried:
    """Prove the conclusion where the hypothesis alone is violated, within the bounds and on drawn models beyond them.

    What there is no time for is left out.
    """
    examined = candidates = proved = telling = 0
    first = None
    for known in watch(chain(small(statement.about, bounds), larger(statement.about, bounds, DRAWN, 0))):
        if time() > until:
            return Tried(examined, candidates, proved, telling, first, complete=False)
        examined += 1
        if not _violates_alone(statement, unneeded, known):
            continue
        model, task = known
        verdict = prove(statement, model, task, EFFORT)
        candidates += 1
        proved += statement_certificate(verdict) is not None and verdict.answer == "holds"
        if verdict.vacuous is False:
            telling += 1
            first = first or verdict
    return Tried(examined, candidates, proved, telling, first)


def _violates_alone(statement: Statement, unneeded: Unneeded, known: Known) -> bool:
    """Tell whether one of the violated hypotheses fails, and all others hold."""
    others = (key for key in statement.hypotheses if key not in unneeded.violated)
    return not all(holds(key, known) for key in unneeded.violated) and all(holds(key, known) for key in others)
