"""The prover: from a statement, a model and a task to a verdict over all inputs of every length."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from constructions.assumptions import DECIDE
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.models import HMM
from constructions.tasks import Task
from verify.agreement import Tree, always, compare
from verify.conclusions import Effort, conclude
from verify.functionals import Inputs, Problem, Word
from verify.lemmas import LEMMAS
from verify.statements import Statement
from verify.supports import shortest_undefined
from verify.verdicts import HeadVerdict, Verdict


def prove(statement: Statement, model: HMM, task: Task, effort: Effort | None = None) -> Verdict:
    """Decide a statement on a model and a task."""
    effort = effort or Effort()
    problem = Problem(model, task)
    findings = tuple(DECIDE[key](model, task) for key in statement.hypotheses)
    labels, constant = _labels(problem, effort.nodes)
    lemma = LEMMAS.get(statement.id)
    return Verdict(
        statement=statement,
        model=model,
        task=task,
        findings=findings,
        conclusion=lemma(problem, findings) if lemma else conclude(statement, problem, findings, effort),
        labels=labels,
        constant=constant if statement.head else None,
        undefined=_shortest_undefined(statement, model) if statement.head else (),
    )


def judge_head(model: HMM, task: Task, classifier: Classifier, effort: Effort | None = None) -> HeadVerdict:
    """Hold one head, with or without a prompt, against F* on all inputs."""
    problem = Problem(model, task)
    found = compare(problem, problem.head_functionals(classifier), 10 * (effort or Effort()).nodes)
    return HeadVerdict(model, task, classifier, found)


@lru_cache(maxsize=2)  # the statements on one model follow each other
def _labels(problem: Problem, nodes: int) -> tuple[tuple[Word | None, ...], Tree | None]:
    """Find a shortest input of each label, and show that there is only one label where that is so."""
    first = next(iter(Inputs(problem)))
    constant = always(problem, first.label, nodes)
    labels: dict[int, Word] = {first.label: first.word}
    for one in Inputs(problem) if constant is None else ():
        labels.setdefault(one.label, one.word)
        if len(labels) == len(problem.task.labels):
            break
    return tuple(labels.get(label) for label in problem.task.labels), constant


def _shortest_undefined(statement: Statement, model: HMM) -> tuple[Word, ...] | None:
    """Find an input to which the unprompted model gives no output: Pr(X = x) > 0 but not after a special token."""
    prompt = SoftPrompt((Fraction(1),) * len(model.states)) if statement.prompted else None
    return shortest_undefined(model, Classifier(LinearHead(()), prompt).weights(model))
