"""Which theorem a picture is of: that of a verdict, or of one head; or one that is proved of a model and a task."""

from __future__ import annotations

from itertools import chain
from typing import TypeAlias

from constructions.models import Model
from constructions.reading import InputError
from constructions.tasks import Task
from verify.prover import prove
from verify.shown.plots.subject import Subject
from verify.statements import STATEMENTS, THEOREMS, about
from verify.verdicts import HeadVerdict, Verdict, posed
from verify.words.memory_problem import MemoryProblem

Shown: TypeAlias = Verdict | HeadVerdict | Model


def choose_subject(shown: Shown, task: Task | None = None, *, prompted: bool | None = None) -> Subject:
    """Return what a picture is of.

    On a model and a task this is the first theorem that has a head, or else the first; `prompted` restricts them to
    those with a prompt, or without. Raises `InputError` for a model without a task, and for a lemma.
    """
    if isinstance(shown, Model):
        if task is None:
            raise InputError("task", "none", "a task, as a model was given and no verdict")
        theorems = [one for one in THEOREMS.values() if about(one, shown) and prompted in (None, one.prompted)]
        first = prove(theorems[0], shown, task)
        later = (prove(one, shown, task) for one in theorems[1:])
        shown = next((one for one in chain([first], later) if one.answer == "holds"), first)
    if isinstance(shown, Verdict):
        if shown.statement.head is None:
            raise InputError("verdict", f"one on {shown.statement.id}", "one on a theorem about heads")
        statement, conclusion = shown.statement, shown.conclusion
        classifier = None if conclusion is None else conclusion.classifier
    else:
        statement, conclusion, classifier = STATEMENTS[shown.statement], None, shown.classifier
    problem = posed(shown)
    memory = problem if isinstance(problem, MemoryProblem) else None
    joint = problem.joint if isinstance(problem, MemoryProblem) else problem
    return Subject(statement, problem.model, problem.task, joint, memory, conclusion, classifier)
