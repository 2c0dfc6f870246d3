"""Each statement on every small model, and then on drawn ones: on how many it is true, and of how many it speaks.

A statement is decided where its hypotheses are met, or where one is violated that it may do without, and every verdict
is counted only once the kernel has accepted its certificate. Section 3.1 is false on every model (at i = 1), and C.9 on
some.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from constructions.models import Known, Model
from constructions.tasks import Task
from verify.certificates import statement_certificate
from verify.prover import prove
from verify.search.hypotheses import Answers, met
from verify.search.small_models import Kind
from verify.statements import Statement
from verify.verdicts import Verdict
from verify.words.effort import EFFORT

DENOMINATORS: dict[Kind, int] = {"hmm": 3, "memory-hmm": 2}
"""Up to which denominator models of each kind are soon listed."""


@dataclass
class Tally:
    """What was found of one statement.

    It was `checked` on so many models, met its hypotheses on (`applicable`) so many of them, or all but those of which
    one is to be `violated`, and there its conclusion was `proved`, `refuted` or left `undecided`. `non_vacuous`: on so
    many of these F* is known to take two labels, or for a lemma on R, R to have an input; `telling` is the first.
    `complete`: no model was left out.
    """

    statement: Statement
    violated: tuple[str, ...] = ()
    checked: int = 0
    applicable: int = 0
    non_vacuous: int = 0
    proved: int = 0
    refuted: int = 0
    undecided: int = 0
    telling: Verdict | None = None
    first_refuted: tuple[Model, Task] | None = None
    complete: bool = True

    @property
    def name(self) -> str:
        """The name of the first model that refutes it."""
        return f"refutes-{self.statement.id}".replace(":", "-")

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
        if verdict.answer == "fails":
            self.refuted += 1
            self.first_refuted = self.first_refuted or (replace(model, name=self.name), task)
