"""The prover: from a statement, a model and a task to a verdict over all inputs of every length."""

from __future__ import annotations

from fractions import Fraction

from constructions.assumptions import DECIDE
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.models import HMM
from constructions.tasks import Task
from verify.agreement import always, compare
from verify.conclusions import Effort, conclude
from verify.functionals import Inputs, Problem, Word
from verify.statements import Statement
from verify.supports import shortest_undefined
from verify.verdicts import HeadVerdict, Verdict


def prove(statement: Statement, model: HMM, task: Task, effort: Effort | None = None) -> Verdict:
    """Decide a statement on a model and a task."""
    effort = effort or Effort()
    problem = Problem(model, task)
    findings = tuple(DECIDE[key](model, task) for key in statement.hypotheses)
    first = next(iter(Inputs(problem)))
    constant = always(problem, first.label, effort.nodes)
    labels = {first.label: first.word} if constant is not None else _shortest_inputs(problem)
    return Verdict(
        statement=statement,
        model=model,
        task=task,
        findings=findings,
        conclusion=conclude(statement, problem, findings, effort),
        labels=tuple(labels.get(label) for label in task.labels),
        constant=constant,
        undefined=_shortest_undefined(statement, model),
    )


def judge_head(model: HMM, task: Task, classifier: Classifier, effort: Effort | None = None) -> HeadVerdict:
    """Hold one head, with or without a prompt, against F* on all inputs."""
    problem = Problem(model, task)
    found = compare(problem, problem.head_functionals(classifier), 10 * (effort or Effort()).nodes)
    return HeadVerdict(model, task, classifier, found)


def _shortest_inputs(problem: Problem) -> dict[int, Word]:
    labels: dict[int, Word] = {}
    for one in Inputs(problem):
        labels.setdefault(one.label, one.word)
        if len(labels) == len(problem.task.labels):
            break
    return labels


def _shortest_undefined(statement: Statement, model: HMM) -> tuple[Word, ...] | None:
    """Find an input to which the unprompted model gives no output: Pr(X = x) > 0 but not after a special token."""
    prompt = SoftPrompt((Fraction(1),) * len(model.states)) if statement.prompted else None
    return shortest_undefined(model, Classifier(LinearHead(()), prompt).weights(model))
