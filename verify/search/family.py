"""How many of a list of models a statement speaks of, and on how many it is true.

A statement is decided where its hypotheses are met, or where one is violated that it may do without, and every verdict
is counted only once the kernel has accepted its certificate. Section 3.1 is false on every model (at i = 1), and C.9 on
some.
"""

from __future__ import annotations

from dataclasses import dataclass

from constructions.models import Known
from verify.certificates import statement_certificate
from verify.prover import prove
from verify.search.hypotheses import Answers, met
from verify.statements import Statement
from verify.verdicts import Verdict
from verify.words.effort import EFFORT


@dataclass
class Tally:
    """Counts of models for one statement.

    `checked`: all models. `applicable`: those that meet its hypotheses, or all of them but the `violated` ones.
    `proved`: applicable ones on which the conclusion holds. `undecided`: those where the conclusion, or whether the
    statement applies, is undecided. `non_vacuous`: applicable ones on which F* takes two labels, or for a lemma on R, R
    has an input; `telling` is the verdict on the first of them. `complete`: no model was left out.
    """

    statement: Statement
    violated: tuple[str, ...] = ()
    checked: int = 0
    applicable: int = 0
    non_vacuous: int = 0
    proved: int = 0
    undecided: int = 0
    telling: Verdict | None = None
    complete: bool = True

    @property
    def confirmed(self) -> bool:
        """Whether it was proved wherever it applied."""
        return self.complete and self.proved == self.applicable

    def count(self, known: Known, answers: Answers) -> None:
        """Decide the statement on one more model, if it applies."""
        self.checked += 1
        held = [key for key in self.statement.hypotheses if key not in self.violated]
        applies = met(held, self.violated, answers)
        self.undecided += applies is None
        if not applies:
            return
        model, task = known
        verdict = prove(self.statement, model, task, EFFORT)
        statement_certificate(verdict)
        self.applicable += 1
        self.proved += verdict.answer == "holds"
        self.undecided += verdict.answer == "undecided"
        if verdict.vacuous is False:
            self.non_vacuous += 1
            self.telling = self.telling or verdict
