"""What a picture is of: a verdict on a theorem or on one head; or a model and a task, of which a theorem is proved."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from constructions.evidence import Word
from constructions.heads import Classifier
from constructions.memory.attention import AttentionClassifier
from constructions.memory.model import MemoryHMM
from constructions.models import Model
from constructions.reading import InputError
from constructions.tasks import MemoryTask, Task
from verify.conclusion import Conclusion
from verify.prover import prove, recoverable_states
from verify.statements import STATEMENTS, THEOREMS, Statement, about
from verify.verdicts import HeadVerdict, Verdict
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Problem

Shown: TypeAlias = Verdict | HeadVerdict | Model


@dataclass(frozen=True)
class Subject:
    """A theorem on a model and a task, with its conclusion, and the head that this is about, if it is about one.

    `problem`: the vanilla problem; of a memory model that of Hbar. `memory`: the memory model's own, with its H*.
    """

    statement: Statement
    model: Model
    task: Task
    problem: Problem
    memory: MemoryProblem | None
    conclusion: Conclusion | None
    classifier: Classifier | AttentionClassifier | None

    @property
    def head(self) -> Classifier | AttentionClassifier:
        """The head. Raises `InputError`, with the reason, where there is none."""
        if self.classifier is None:
            found = "undecided" if self.conclusion is None else self.conclusion.evidence.sentence(self.model)
            raise InputError("head", f"none for {self.statement.id} ({found})", "a verdict with a head")
        return self.classifier

    @property
    def refuting(self) -> tuple[Word, ...]:
        """The inputs that refute the theorem, if it is refuted."""
        return () if self.conclusion is None else self.conclusion.inputs

    @property
    def linear(self) -> Classifier | None:
        """The head, if it is a linear one."""
        return self.classifier if isinstance(self.classifier, Classifier) else None

    @property
    def attention(self) -> AttentionClassifier | None:
        """The head, if it is an attention head."""
        return self.classifier if isinstance(self.classifier, AttentionClassifier) else None


def subject(shown: Shown, task: Task | None, *, prompted: bool | None = None) -> Subject:
    """Return what a picture is of.

    On a model and a task this is the first theorem that has a head, or else the first; `prompted` restricts them to
    those with a prompt, or without. Raises `InputError` for a model without a task, and for a lemma.
    """
    match shown:
        case Verdict() if shown.statement.head is None:
            raise InputError("verdict", f"one on {shown.statement.id}", "one on a theorem about heads")
        case Verdict():
            head = None if shown.conclusion is None else shown.conclusion.classifier
            return _subject(shown, shown.statement, shown.conclusion, head)
        case HeadVerdict():
            return _subject(shown, STATEMENTS[shown.statement], None, shown.classifier)
    if task is None:
        raise InputError("task", "none", "a task, as a model was given and no verdict")
    theorems = [one for one in THEOREMS.values() if about(one, shown) and prompted in (None, one.prompted)]
    first = prove(theorems[0], shown, task)
    later = (prove(one, shown, task) for one in theorems[1:])
    return subject(next((one for one in chain([first], later) if one.answer == "holds"), first), None)


def _subject(
    verdict: Verdict | HeadVerdict,
    statement: Statement,
    conclusion: Conclusion | None,
    classifier: Classifier | AttentionClassifier | None,
) -> Subject:
    model, task = verdict.model, verdict.task
    if isinstance(model, MemoryHMM) and isinstance(task, MemoryTask):
        states = verdict.recoverable or recoverable_states(statement, model, task)
        memory = MemoryProblem(model, task, states)
        return Subject(statement, model, task, memory.joint, memory, conclusion, classifier)
    if isinstance(model, MemoryHMM):
        raise InputError("task", "one on hidden states", "one on a memory cell, as the model has memory")
    return Subject(statement, model, task, Problem(model, task), None, conclusion, classifier)
