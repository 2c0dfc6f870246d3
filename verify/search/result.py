"""The result of a search: its counterexample, to be displayed, saved, or written as a test."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from constructions.evidence import Json, Word, input_words
from constructions.models import Model, document, text
from constructions.reading import InputError
from constructions.rendering import InNotebooks, Named, View
from constructions.tasks import Task
from verify.certificates import statement_certificate, write
from verify.library import as_test, asserts, example
from verify.search.outcomes import Examiner, Outcome
from verify.search.small_models import Bounds
from verify.search.stored_table import Decoys
from verify.strategies import generate
from verify.verdicts import Verdict


@dataclass(frozen=True)
class SearchResult(InNotebooks):
    """A search up to some bounds, with its outcome and the verdict on the counterexample.

    `verdict`: None if there is no counterexample, or if the statement is a user's own. `undefined`: the refuting inputs
    on which every masked output that a head may read is 0/0 (for a theorem with a prompt: behind every prompt).
    `remark`: how far the search went, or where the result comes from.
    """

    search: Examiner
    bounds: Bounds
    outcome: Outcome
    verdict: Verdict | None = None
    undefined: tuple[Word, ...] = ()
    remark: str = ""

    def __repr__(self) -> str:
        return f"SearchResult({self.sentence})"

    @property
    def counterexample(self) -> tuple[Model, Task] | None:
        """The model that is the counterexample, and its task; None if there is no counterexample."""
        source = self.verdict or self.outcome.hit
        return None if source is None else (source.model, source.task)

    @property
    def exhaustive(self) -> bool:
        """Whether every model was examined and decided. If so, the counterexample, if there is one, is the smallest."""
        return self.outcome.complete and not self.outcome.undecided

    def document(self, certificate: str | None) -> Json:
        """The result as JSON. `certificate`: the path of the counterexample's certificate, if it was written."""
        verdict, counterexample = self.verdict, self.counterexample
        return {
            "found": counterexample is not None,
            "model": counterexample and document(*counterexample),
            "inputs": [] if verdict is None else [list(word) for word in verdict.counterexample],
            "undefined_inputs": [list(word) for word in self.undefined],
            "certificate": certificate,
            **self.outcome.counts,
            "exhaustive": self.exhaustive,
            "bounds": self.bounds._asdict() | ({"length": self.search.length} if self.search.length else {}),
        }

    @property
    def sentence(self) -> str:
        """The result in one line."""
        if self.counterexample is None:
            none = "none up to these bounds" if self.outcome.complete else "none found before the time was up"
            return f"{self.search.title}: {none}"
        refuting = self.verdict and f": no head serves {input_words(self.verdict.counterexample, self.verdict.model)}"
        return f"{self.search.title} fails{refuting or ''}"

    def view(self, model: Named | None = None) -> View:
        """Show the counterexample with its task. The verdict, if there is one, is folded. `model` is not used."""
        if self.counterexample is None:
            return View(self.sentence)
        model, task = self.counterexample
        folded = () if self.verdict is None else (self.verdict.view(),)
        return View(self.sentence, (example(model, task),), (*model.view().tables, *task.view(model).tables), folded)

    @property
    def as_json(self) -> str:
        """The text of a model file with the counterexample and its task. Raises `InputError` if there is none."""
        return text(*self._model())

    @property
    def as_pytest(self) -> str:
        """The text of a file with a test of the counterexample.

        Raises `InputError` if there is no counterexample, or if its refutation is by `Decoys`. These
        come from a stored certificate: the prover, which the test calls, does not find them.
        """
        model, task = self._model()
        if self.verdict is None:
            module, _, name = self.search.statement.rpartition(":")
            module = Path(module.removesuffix(".py")).name
            lines = [f"answer = {name}(model, task)", 'assert getattr(answer, "answer", answer) in (False, "fails")']
            return as_test(self.search.title, model, task, lines, f"from {module} import {name}")
        if isinstance(self.verdict.conclusion and self.verdict.conclusion.evidence, Decoys):
            raise InputError("", "decoys, which no prover finds", "a verdict that can be tested", self.search.title)
        findings = {finding.id: finding.holds for finding in self.verdict.findings}
        lines = asserts(self.verdict.statement.id, findings, self.verdict.answer)
        return as_test(self.search.title, model, task, lines)

    def save(self, name: str | Path) -> Path:
        """Write NAME.json, and return its path.

        The file has the certificate, which Headproof also reads as a model file. For a user's own statement there is no
        certificate, and the file has the model with its task. Raises `InputError` if there is no counterexample.
        """
        model_and_task, path = self._model(), Path(name)
        at = path.parent, path.name.removesuffix(".json")
        certificate = self.verdict and statement_certificate(self.verdict)
        return write(certificate, *at) if certificate else generate.write(model_and_task, *at)

    def _model(self) -> tuple[Model, Task]:
        if self.counterexample is None:
            raise InputError("", "no model", "one on which it fails", self.search.title)
        return self.counterexample
