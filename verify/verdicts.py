"""Verdicts: the decision on a statement for one model, with what its certificate needs and the sentences about it.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from constructions.assumptions import NoCover
from constructions.evidence import Evidence, Finding, Json, Word, word_text
from constructions.heads import Classifier
from constructions.memory.attention import AttentionClassifier
from constructions.memory.joint_chain import joint_model
from constructions.memory.model import MemoryHMM
from constructions.models import Model, is_memory
from constructions.rendering import InNotebooks, Named, Table, View
from constructions.system.writing import put
from constructions.tasks import Task
from verify.built import Built
from verify.certificates import Certificate, head_certificate, statement_certificate
from verify.conclusion import Conclusion, Fits
from verify.heads.no_linear import one_length
from verify.kernel.certificate import check
from verify.statement import Statement
from verify.words.agreement import Agreement, Disagreement
from verify.words.memory_problem import MemoryProblem, NoInputInR
from verify.words.problem import Problem
from verify.words.reachable import Spans

MAX_NAMED_INPUTS = 20
"""How many of the inputs that refute a conclusion are named."""


class Certified(InNotebooks):
    """A base class of verdicts: their certificate, its check by the kernel, and its proof in Rocq."""

    def _certificate(self) -> Certificate | None:
        raise NotImplementedError

    def certificate(self, path: str | Path | None = None) -> Certificate | None:
        """Return the certificate as JSON, accepted by the kernel. With a `path`, also write it to that file.

        If the verdict is undecided: None, and no file. The format is that of `docs/certificate-format.md`. Raises
        `verify.kernel.Rejected` if the kernel does not accept the certificate.
        """
        certificate = self._certificate()
        if certificate is not None and path is not None:
            put(Path(path), json.dumps(certificate, indent=1) + "\n")
        return certificate

    def check(self) -> str:
        """Let the kernel alone check the certificate, and return as a sentence the claim that the kernel accepts.

        Raises `ValueError` if the verdict is undecided, and `verify.kernel.Rejected` if the kernel rejects the
        certificate. A colleague who has the file checks it with `headproof check FILE`.
        """
        if (certificate := self._certificate()) is None:
            raise ValueError("undecided: there is no certificate")
        return check(json.dumps(certificate)).sentence()

    def rocq(self) -> str:
        """Return the text of a Rocq file that states the claim of the certificate.

        If `coqc` accepts the file, the claim is proved. Raises `ValueError` if the verdict is undecided, or if the
        checker in Rocq does not read the evidence of the certificate.
        """
        from verify.rocq.certificate import rocq_file

        if (certificate := self._certificate()) is None:
            raise ValueError("undecided: there is no certificate")
        claim = check(json.dumps(certificate))
        return rocq_file(claim.statement, dict(certificate), claim.sentence())


@dataclass(frozen=True)
class Verdict(Certified):
    """What was decided of a statement on a model and a task, for inputs of every length.

    `findings`: on each hypothesis. `labels`: for each label a shortest input that has it (in R, for a statement about
    R), or None where none is known. `constant`: evidence that only one label occurs, or that R is empty. `undefined`:
    for 3.3 and 3.6, a shortest input whose masked output is 0/0 (for 3.6: behind every prompt). The field is () for
    other statements, and if there is no such input. It is None if this is unknown. `recoverable`: the H* of a statement
    with one.
    """

    statement: Statement
    model: Model
    task: Task
    findings: tuple[Finding, ...]
    conclusion: Conclusion | None
    labels: tuple[Word | None, ...]
    constant: Evidence | None
    undefined: tuple[Word, ...] | None
    recoverable: tuple[int, ...] | None = None

    scope = "all-inputs"
    _certificate = statement_certificate

    def __repr__(self) -> str:
        return f"Verdict({self.statement.id} on {self.model.name or 'a model'}: {self.status})"

    def __str__(self) -> str:
        why = self.because if self.status in ("proved", "undecided") else f"{self.answer} ({self.because})"
        shortest = "" if self.vacuous else "shortest inputs: "
        title = f"{self.statement.id} {self.status} on {self.model.name or 'a model'}: {why}"
        return f"{title}\n{shortest}{self.labelled('F* is always')}"

    @property
    def holds(self) -> bool | None:
        """Whether the conclusion holds on this model, whatever the hypotheses; None if undecided."""
        return self.conclusion.holds if self.conclusion else None

    @property
    def answer(self) -> str:
        """Return holds, fails or undecided, for the conclusion on this model, whatever the hypotheses."""
        return {True: "holds", False: "fails", None: "undecided"}[self.holds]

    @property
    def status(self) -> str:
        """Return proved, refuted, not-applicable or undecided."""
        holds = {finding.holds for finding in self.findings}
        if False in holds:
            return "not-applicable"
        if None in holds:
            return "undecided"
        return {"holds": "proved", "fails": "refuted"}.get(self.answer, "undecided")

    @property
    def vacuous(self) -> bool | None:
        """Whether F* is constant (on R, if the statement is about R), or R is empty; None if that is unknown.

        A lemma is vacuous only if it is about the inputs in R, and R is empty.
        """
        if not self.statement.head and not self.statement.on_r:
            return False
        if sum(word is not None for word in self.labels) > (1 if self.statement.head else 0):
            return False
        return True if self.constant is not None else None

    @property
    def lengths(self) -> int | None:
        """The length of the refuting inputs; None if they have several lengths, or there are none."""
        return one_length(self.counterexample)

    @property
    def counterexample(self) -> tuple[Word, ...]:
        """The inputs that refute the conclusion together, as token indices; empty where none is known."""
        return () if self.conclusion is None else self.conclusion.inputs

    @property
    def candidate(self) -> Conclusion | None:
        """The undecided conclusion, if it has a head that fits the inputs named in its evidence; otherwise None."""
        return self.conclusion if self.conclusion is not None and isinstance(self.conclusion.evidence, Fits) else None

    @property
    def built(self) -> Built:
        """The certified head of a theorem: the paper's, or another where the paper's hypotheses fail.

        If the conclusion fails or is undecided, the result has no head, and its `reason` says why. For a lemma that
        holds: the head by which the lemma is shown, which need not compute F*; raises `ValueError` if there is none.
        """
        if self.conclusion and self.conclusion.holds:
            head, construction = self.conclusion.head, self.conclusion.construction
            return Built(self.model, head, construction=construction, recoverable=self.recoverable)
        if self.answer == "fails":
            return Built(self.model, None, self.because, self.answer)
        candidate = " (headproof verify --json has it)" if self.candidate else ""
        failed = [f"{f.id} fails: {f.sentence(self.model)}" for f in self.findings if f.holds is False]
        return Built(self.model, None, "; ".join([f"undecided: {self.because}{candidate}", *failed]), self.answer)

    @property
    def because(self) -> str:
        """Say in a few words why the conclusion holds, fails, or is undecided."""
        if self.statement.of_every_model:
            return self.statement.true_of_every_model
        if self.conclusion is None or self.conclusion.holds is None:
            fits = self.conclusion and self.conclusion.evidence.sentence(self.model)
            return (fits or "no head found, none excluded") + self._obstruction
        evidence, model = self.conclusion.evidence, self.model
        if not self.statement.head or isinstance(evidence, NoInputInR) or not self.holds:
            nothing = isinstance(evidence, NoCover) and self.holds
            return "no B meets 3.5, so that there is nothing to check" if nothing else evidence.sentence(model)
        match evidence:
            case _ if self.status == "proved":
                return "the paper's construction"
            case Agreement(spans=Spans()):
                return "a head that is exact on the reachable subspace"
            case Agreement(nodes=(_, _, *_) as nodes):
                return f"a head that agrees on a tree of {len(nodes)} prefixes"
        return "a head that is exact all the same"

    @property
    def _obstruction(self) -> str:
        """Say what was tried in vain, or what is in the way, where a conclusion about a memory model is undecided."""
        if self.statement.head and self.statement.on_r:
            alike = "inputs that look alike behind every prompt"
            behind = alike if self.statement.prompted else "trees over attended sets"
            return f"; no identities of columns were found that prove a head right, nor {behind} that exclude all"
        moved = any(finding.id == "4.4:stationary" and finding.holds is False for finding in self.findings)
        law = "; behind the prompt H_2 has another law than H_1, and the proof's identities want the same"
        return law * moved

    @property
    def document(self) -> Json:
        """The verdict as an entry of `headproof verify --json`, without what the command adds."""
        words = [list(word) for word in self.counterexample]
        entry: Json = {
            "statement": self.statement.id,
            "model": self.model.name,
            "status": self.status,
            "scope": self.scope,
            "vacuous": self.vacuous,
            "labels": self.shortest,
            "conclusion": self.answer,
            "assumptions": [finding.document for finding in self.findings],
            "counterexample": {"input": words[0], "inputs": words, "length": self.lengths} if words else None,
            "candidate": self.candidate and self.candidate.as_candidate,
            "reason": self.because,
            "undefined_inputs": None if self.undefined is None else [list(word) for word in self.undefined],
        }
        if self.recoverable is not None:
            entry["recoverable"] = list(self.recoverable)
        return entry

    @property
    def shortest(self) -> Json:
        """The shortest input of each label, as JSON."""
        return {str(label): None if word is None else list(word) for label, word in enumerate(self.labels)}

    def labelled(self, always: str) -> str:
        """Name the shortest input of each label.

        If the verdict is vacuous, say instead that R is empty, or write `always` and the only label of F*.
        """
        inputs = {label: word for label, word in enumerate(self.labels) if word is not None}
        if self.vacuous:
            return f"vacuous: {always} {next(iter(inputs))}" if inputs else "vacuous: R is empty"
        return ", ".join(f"{label}: ({word_text(word, self.model)})" for label, word in inputs.items())

    def view(self, model: Named | None = None) -> View:
        """Show the answer, the hypotheses, and the head or the inputs that decide it."""
        title = f"{self.statement.id} on {self.model.name or 'a hidden Markov model'}"
        of_every_model = self.statement.of_every_model
        why = self.because if of_every_model else f"{self.answer} ({self.because})"
        sentence = f"{self.statement.title}, for inputs of every length: {why}"
        findings = decided("hypotheses", self.findings, self.model, "because")
        folded = (*_evidence(self), *_problem(self.model, self.task))
        labels = f"{'' if self.vacuous else 'shortest inputs: '}{self.labelled('F* is always')}"
        return View(title, (sentence, labels), (findings,), folded, "" if of_every_model else self.status)


@dataclass(frozen=True)
class HeadVerdict(Certified):
    """The verdict on one head: whether it gives every input its label.

    An attention head needs to do this only on inputs in R, for the H* `recoverable`. `evidence` is None if undecided.
    """

    model: Model
    task: Task
    classifier: Classifier | AttentionClassifier
    evidence: Evidence | None
    recoverable: tuple[int, ...] | None = None

    _certificate = head_certificate

    def __repr__(self) -> str:
        return f"HeadVerdict({self.statement} on {self.model.name or 'a model'}: {self.answer})"

    def __str__(self) -> str:
        return f"{self.document['status']}: {self.because}"

    @property
    def holds(self) -> bool | None:
        """Whether the head is right on every input (an attention head, on every input in R); None if undecided."""
        return {"holds": True, "fails": False}.get(self.answer)

    @property
    def statement(self) -> str:
        """The number of the theorem that is about heads of this class."""
        prompted = self.classifier.prompt is not None
        if not isinstance(self.model, MemoryHMM):
            return "3.6" if prompted else "3.3"
        return "4.3" if not prompted else "4.6" if self.model.shape.cells == 1 else "C.6"

    @property
    def answer(self) -> str:
        """Return holds, fails or undecided."""
        return "fails" if self.counterexample else "undecided" if self.evidence is None else "holds"

    @property
    def counterexample(self) -> Disagreement | None:
        """A shortest input that the head mislabels, with F* and the head's label; None if none is known."""
        return self.evidence if isinstance(self.evidence, Disagreement) else None

    @property
    def document(self) -> Json:
        """The verdict on one head, for `headproof test --json`, without the member "certificate"."""
        wrong = self.counterexample
        return {
            "statement": self.statement,
            "model": self.model.name,
            "status": {"holds": "proved", "fails": "refuted"}.get(self.answer, "undecided"),
            "scope": "all-inputs",
            "counterexample": wrong
            and {"input": list(wrong.input), "label": wrong.labels[0], "head_label": wrong.labels[1]},
        }

    @property
    def because(self) -> str:
        """Say in a sentence whether the head is right, and if not, on which input it is wrong."""
        if (wrong := self.counterexample) is not None:
            word = word_text(wrong.input, self.model)
            return f"input ({word}) has label {wrong.labels[0]}, the head says {wrong.labels[1]}"
        if self.evidence is None:
            return "no mislabelled input was found, and no proof that there is none"
        return f"the head gives every input{' in R' * (self.recoverable is not None)} of every length its label"

    def view(self, model: Named | None = None) -> View:
        """Show whether the head gives every input its label, or a shortest input that it mislabels."""
        folded = (self.classifier.view(self.model), *_problem(self.model, self.task))
        return View(
            f"one head on {self.model.name or 'a hidden Markov model'}", (self.because,), (), folded, self.answer
        )


def decided(of: str, findings: Sequence[Finding], model: Model, why: str = "witness or violation") -> Table:
    """Return a table with a row for each finding: whether it holds, and its evidence in words.

    `of`: the heading of the column of row names. `why`: the heading of the column of evidence.
    """
    marks = {True: "yes", False: "no", None: "undecided"}
    rows = {finding.id: [marks[finding.holds], finding.sentence(model)] for finding in findings}
    return Table.of(of, rows, ["holds", why])


def first_that_holds(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the first verdict whose conclusion holds, or else the first; no more verdicts are drawn than needed."""
    verdicts = iter(verdicts)
    first = next(verdicts)
    return first if first.holds else next((verdict for verdict in verdicts if verdict.holds), first)


def posed(verdict: Verdict | HeadVerdict) -> Problem | MemoryProblem:
    """Return the problem that a verdict is about; for a memory model, the problem with the verdict's H*."""
    model_and_task = verdict.model, verdict.task
    if is_memory(model_and_task):
        return MemoryProblem(*model_and_task, verdict.recoverable or ())
    return Problem(joint_model(verdict.model), verdict.task)


def listed(document: Json, certificate: Path | None) -> Json:
    """Add to a verdict's document the path of its certificate, or null."""
    return document | {"certificate": None if certificate is None else str(certificate)}


def _evidence(verdict: Verdict) -> list[View]:
    conclusion = verdict.conclusion
    if conclusion is not None and conclusion.classifier is not None:
        head = conclusion.classifier.view(verdict.model)
        title = head.title if conclusion.holds else "a candidate: a head that fits the inputs tried"
        return [View(title, head.lines, head.tables, head.folded)]
    inputs = [f"({word_text(word, verdict.model)})" for word in verdict.counterexample]
    rest = [f"and {len(inputs) - MAX_NAMED_INPUTS} more"] if len(inputs) > MAX_NAMED_INPUTS else []
    title = "the inputs that no head serves together" if verdict.statement.head else "the inputs that refute it"
    return [View(title, (*inputs[:MAX_NAMED_INPUTS], *rest))] if inputs else []


def _problem(model: Model, task: Task) -> list[View]:
    model_view = model.view()
    return [View("model and task", model_view.lines, (*model_view.tables, *task.view(model).tables))]
