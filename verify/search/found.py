"""What came of a whole search: the model found, shown or written down."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from constructions.display import view
from constructions.evidence import Json, Word, input_words
from constructions.models import Model, document, text
from constructions.reading import InputError
from constructions.rendering import InNotebooks, Named, View
from constructions.tasks import Task
from verify.certificates import statement_certificate, write
from verify.library import as_test, asserts, example
from verify.search.outcomes import Examiner, Outcome
from verify.search.small_models import Bounds
from verify.strategies import generate
from verify.verdicts import Verdict


@dataclass(frozen=True)
class Searched(InNotebooks):
    """A search up to some bounds, with all that was found, and the verdict on the model found.

    Where one's own statement fails there is no verdict. `undefined`: the refuting inputs whose masked output is 0/0; of
    a memory model, whose masked outputs all are 0. `remark`: how far it went, or where it comes from.
    """

    search: Examiner
    bounds: Bounds
    outcome: Outcome
    verdict: Verdict | None = None
    undefined: tuple[Word, ...] = ()
    remark: str = ""

    @property
    def known(self) -> tuple[Model, Task] | None:
        """The model found, with its task, if there is one."""
        found = self.verdict or self.outcome.hit
        return None if found is None else (found.model, found.task)

    @property
    def exhaustive(self) -> bool:
        """Whether every model within the bounds that is smaller than the one found was decided."""
        return self.outcome.complete and not self.outcome.undecided

    def document(self, certificate: str | None) -> Json:
        """The outcome as JSON."""
        verdict, known = self.verdict, self.known
        return {
            "found": known is not None,
            "model": known and document(*known),
            "inputs": [] if verdict is None else [list(word) for word in verdict.refuting],
            "undefined_inputs": [list(word) for word in self.undefined],
            "certificate": certificate,
            **self.outcome.counts,
            "exhaustive": self.exhaustive,
            "bounds": self.bounds.document | ({"length": self.search.length} if self.search.length else {}),
        }

    @property
    def sentence(self) -> str:
        """What came of it, in a line."""
        if self.known is None:
            none = "none up to these bounds" if self.outcome.complete else "none found before the time was up"
            return f"{self.search.title}: {none}"
        refuting = self.verdict and f": no head serves {input_words(self.verdict.refuting, self.verdict.model)}"
        return f"{self.search.title} fails{refuting or ''}"

    def view(self, model: Named | None = None) -> View:
        """Show the model with its task; folded away the verdict on it, if there is one."""
        if self.known is None:
            return View(self.sentence)
        found, task = self.known
        folded = () if self.verdict is None else (self.verdict.view(),)
        return View(self.sentence, (example(found, task),), (*view(found).tables, *view(task, found).tables), folded)

    @property
    def as_json(self) -> str:
        """The model with its task, as a model file. Raises `InputError` where none was found."""
        return text(*self._model())

    @property
    def as_pytest(self) -> str:
        """A file with a test that what was found is so. Raises `InputError` where no model was."""
        model, task = self._model()
        if self.verdict is None:
            module, _, name = self.search.statement.rpartition(":")
            module = Path(module).stem if module.endswith(".py") else module
            lines = [f"assert {name}(model, task) is False"]
            return as_test(self.search.title, model, task, lines, f"from {module} import {name}")
        findings = {finding.id: finding.holds for finding in self.verdict.findings}
        lines = asserts(self.verdict.statement.id, findings, self.verdict.answer)
        return as_test(self.search.title, model, task, lines)

    def save(self, name: str | Path) -> Path:
        """Write NAME.json: the certificate, which is read as a model; of one's own statement the model with its task.

        Raises `InputError` where no model was found.
        """
        model, task = self._model()
        at = Path(name).parent, Path(name).name.removesuffix(".json")
        certificate = self.verdict and statement_certificate(self.verdict)
        return write(certificate, *at) if certificate else generate.write((model, task), *at)

    def _model(self) -> tuple[Model, Task]:
        if self.known is None:
            raise InputError("", "no model", "one on which it fails", self.search.title)
        return self.known
