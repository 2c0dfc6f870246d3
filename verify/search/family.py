"""Each statement on every small model, and then on drawn ones: on how many it is true, and of how many it speaks.

A statement is decided where its hypotheses are met, and every verdict is counted only once the kernel has accepted its
certificate. Section 3.1 is false on every model (at i = 1), and C.9 on some.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from constructions.evidence import Json
from constructions.models import Known, Model, document
from constructions.tasks import Task
from verify.certificates import statement_certificate
from verify.prover import prove
from verify.search.hypotheses import Answers, met
from verify.search.small_models import Kind
from verify.statements import Statement, about
from verify.words.effort import EFFORT

DENOMINATORS: dict[Kind, int] = {"hmm": 3, "memory-hmm": 2}
"""Up to which denominator models of each kind are soon listed."""


@dataclass
class Tally:
    """What was found of one statement.

    It was `checked` on so many models, met its hypotheses on (`applicable`) so many of them, and there was `proved`,
    `refuted` or left `undecided`. `non_vacuous`: on so many of these F* is known to take two labels, or for a lemma on
    R, R to have an input.
    """

    statement: Statement
    checked: int = 0
    applicable: int = 0
    non_vacuous: int = 0
    proved: int = 0
    refuted: int = 0
    undecided: int = 0
    first_refuted: tuple[Model, Task] | None = None

    @property
    def name(self) -> str:
        """The name of the first model that refutes it."""
        return f"refutes-{self.statement.id}".replace(":", "-")

    def count(self, known: Known, answers: Answers) -> None:
        """Decide the statement on one more model, if its hypotheses are met."""
        self.checked += 1
        applies = met(self.statement.hypotheses, (), answers)
        if applies is None:
            self.undecided += 1
        if not applies:
            return
        model, task = known
        verdict = prove(self.statement, model, task, EFFORT)
        statement_certificate(verdict)
        self.applicable += 1
        self.non_vacuous += verdict.vacuous is False
        self.proved += verdict.status == "proved"
        self.undecided += verdict.status == "undecided"
        if verdict.status == "refuted":
            self.refuted += 1
            self.first_refuted = self.first_refuted or (replace(model, name=self.name), task)

    @property
    def document(self) -> Json:
        """The tally as JSON."""
        counts = ("checked", "applicable", "non_vacuous", "proved", "refuted", "undecided")
        first = None if self.first_refuted is None else document(*self.first_refuted)
        return {"statement": self.statement.id, **{key: getattr(self, key) for key in counts}, "first_refuted": first}


def count(tallies: Sequence[Tally], problems: Iterable[Known]) -> None:
    """Decide every statement on every model that is of its kind."""
    for known in problems:
        answers = Answers(known)
        for tally in tallies:
            if about(tally.statement, known[0]):
                tally.count(known, answers)
