"""Which theorem a picture is of: that of a verdict, or of one head; or one that is proved of a model and a task."""

from __future__ import annotations

from itertools import chain
from typing import TypeAlias

from constructions.heads import Classifier
from constructions.memory.attention import AttentionClassifier
from constructions.models import Model
from constructions.reading import InputError
from constructions.tasks import Task
from verify.conclusion import Conclusion
from verify.prover import prove
from verify.shown.plots.subject import Subject
from verify.statements import STATEMENTS, THEOREMS, Statement, about
from verify.verdicts import HeadVerdict, Verdict, posed
from verify.words.memory_problem import MemoryProblem

Shown: TypeAlias = Verdict | HeadVerdict | Model


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
    problem = posed(verdict)
    if isinstance(problem, MemoryProblem):
        return Subject(statement, problem.model, problem.task, problem.joint, problem, conclusion, classifier)
    return Subject(statement, problem.model, problem.task, problem, None, conclusion, classifier)
