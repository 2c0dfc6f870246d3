"""Verdicts: what was decided of a statement on a model, with everything that a certificate needs."""

from __future__ import annotations

from dataclasses import dataclass

from constructions.attention import AttentionClassifier
from constructions.evidence import Finding
from constructions.heads import Classifier
from constructions.memory import MemoryHMM
from constructions.models import Model
from constructions.tasks import Task
from verify.agreement import Agreement, Disagreement, OneLabel
from verify.attention_heads import Meets, NoInputInR
from verify.candidates import Fits
from verify.conclusions import Fails, Holds
from verify.functionals import Word
from verify.impossibility import one_length
from verify.lemmas import Shown
from verify.statements import Statement


@dataclass(frozen=True)
class Verdict:
    """A statement on a model and a task, over all inputs of every length.

    `recoverable` is the H* of a statement that has one. `labels` has a shortest input of each label (in R, where the
    statement speaks of R), or None where none is known. `constant` shows that only one label occurs, or that R
    is empty. `undefined` has a shortest input whose masked output is 0/0 (only where 3.2 fails), none, or is
    None if unknown.
    """

    statement: Statement
    model: Model
    task: Task
    findings: tuple[Finding, ...]
    conclusion: Holds | Fails | Fits | Shown | None
    labels: tuple[Word | None, ...]
    constant: OneLabel | NoInputInR | None
    undefined: tuple[Word, ...] | None
    recoverable: tuple[int, ...] | None = None

    scope = "all-inputs"

    @property
    def answer(self) -> str:
        """Does the conclusion hold? holds, fails or undecided."""
        match self.conclusion:
            case Holds() | Shown(holds=True):
                return "holds"
            case Fails() | Shown(holds=False):
                return "fails"
        return "undecided"

    @property
    def status(self) -> str:
        """Return proved, refuted, not-applicable or undecided."""
        if any(finding.holds is False for finding in self.findings):
            return "not-applicable"
        if any(finding.holds is None for finding in self.findings):
            return "undecided"
        return {"holds": "proved", "fails": "refuted"}.get(self.answer, "undecided")

    @property
    def vacuous(self) -> bool | None:
        """Is F* constant, or R empty? None if that is not known. A lemma speaks of inputs whatever their labels."""
        if not self.statement.head and not self.statement.on_r:
            return False
        if sum(word is not None for word in self.labels) > (1 if self.statement.head else 0):
            return False
        return True if self.constant is not None else None

    @property
    def lengths(self) -> int | None:
        """The one length of the refuting inputs, if they have one length."""
        return one_length(self.refuting)

    @property
    def refuting(self) -> tuple[Word, ...]:
        """The inputs that refute the conclusion."""
        match self.conclusion:
            case Fails() | Shown(holds=False):
                return self.conclusion.inputs
        return ()

    @property
    def candidate(self) -> Fits | None:
        """A head that fits the inputs tried, where the conclusion is undecided."""
        return self.conclusion if isinstance(self.conclusion, Fits) else None

    def _repr_html_(self) -> str:
        from verify.display import verdict_view

        return verdict_view(self)._repr_html_()


@dataclass(frozen=True)
class HeadVerdict:
    """Does this one head give every input its label? An attention head: every input in R, for the H* `recoverable`."""

    model: Model
    task: Task
    classifier: Classifier | AttentionClassifier
    found: Agreement | Meets | NoInputInR | Disagreement | None
    recoverable: tuple[int, ...] | None = None

    @property
    def statement(self) -> str:
        """The statement whose class the head belongs to."""
        prompted = self.classifier.prompt is not None
        if not isinstance(self.model, MemoryHMM):
            return "3.6" if prompted else "3.3"
        return "4.3" if not prompted else "4.6" if self.model.shape.cells == 1 else "C.6"

    @property
    def answer(self) -> str:
        """Return holds, fails or undecided."""
        if isinstance(self.found, Disagreement):
            return "fails"
        return "undecided" if self.found is None else "holds"

    @property
    def counterexample(self) -> Disagreement | None:
        """A shortest input that the head mislabels, with F* and the head's label."""
        return self.found if isinstance(self.found, Disagreement) else None

    def _repr_html_(self) -> str:
        from verify.display import head_verdict_view

        return head_verdict_view(self)._repr_html_()
