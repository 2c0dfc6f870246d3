"""The prover: from a statement, a model and a task to a verdict over all inputs of every length.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from typing import Any

from constructions.evidence import Word
from constructions.heads import Classifier
from constructions.memory.assumptions import MEMORY_DECIDE
from constructions.memory.attention import AttentionClassifier
from constructions.models import HMM, Model, is_memory
from constructions.tasks import Task
from verify.conclusion import Conclusion
from verify.heads.one_attention import judge
from verify.statement import Statement
from verify.verdicts import HeadVerdict, Verdict
from verify.words.agreement import OneLabel, always, always_on_spans, compare
from verify.words.effort import Effort
from verify.words.memory_problem import MemoryProblem, NoInputInR, find_recoverable_states
from verify.words.problem import Inputs, Problem, first_of_each_label
from verify.words.undefined import shortest_undefined

MAX_JOINT_STATES = 2_048
"""With more states Hbar is not built if its only use is to prove that F* is constant: its transition is too large."""


def prove(
    statement: Statement, model: Model, task: Task, effort: Effort | None = None, decided: Conclusion | None = None
) -> Verdict:
    """Decide a statement on a model and a task. `decided`: the statement's conclusion, if it is known already.

    Raises `ValueError` unless the statement is about models of this kind, vanilla or with memory.
    """
    problem = statement.problem(model, task, effort or Effort())
    met = all(finding.holds for finding in problem.findings if finding.id == statement.states_of)
    labels, constant = _labels_in_r(problem, statement) if statement.on_r else _labels(problem.joint)
    undefined: tuple[Word, ...] | None = ()
    if statement.head and statement.about == "hmm":
        prompt = problem.joint.ones if statement.prompted else None
        undefined = shortest_undefined(problem.joint.model, problem.joint.weights(prompt))
    if isinstance(constant, NoInputInR) and not statement.head:
        decided = Conclusion(True, constant)  # where R is empty a lemma on it has nothing to show
    return Verdict(
        statement,
        model,
        task,
        problem.findings,
        conclusion=decided or statement.decide(problem),
        labels=labels,
        constant=constant if statement.head or statement.on_r else None,
        undefined=undefined,
        recoverable=problem.recoverable_states if statement.needs or (statement.states_of and met) else None,
    )


def _labels(problem: Problem) -> tuple[tuple[Word | None, ...], OneLabel | None]:
    """Return a shortest input of each label (None where none is known), and the evidence if only one label occurs.

    The evidence is None if several labels occur, or if it is unknown that only one does.
    """
    nodes = problem.effort.nodes
    inputs = Inputs(problem, limit=3 * nodes)
    first = next(iter(inputs))
    constant = always(problem, first.label, nodes)
    labels = {first.label: first.word} if constant else first_of_each_label(inputs, problem.task)
    if constant is None and len(labels) == 1:
        constant = always_on_spans(problem, first.label, nodes)
    return tuple(map(labels.get, problem.task.labels)), constant


def _labels_in_r(problem: Any, statement: Statement) -> tuple[tuple[Word | None, ...], OneLabel | NoInputInR | None]:
    """Return a shortest input in R of each label (None where none is known), and evidence.

    The evidence shows that R is empty or, for a theorem, that only one label occurs on R. It is None if neither is
    known.
    """
    if problem.empty:
        return (None,) * len(problem.task.labels), NoInputInR()
    labels, constant = first_of_each_label(problem.in_r(problem.inputs()), problem.task), None
    size = len(problem.model.memory) * problem.model.shape.hidden
    if statement.head and len(labels) == 1 and size <= MAX_JOINT_STATES:
        (label,), nodes = labels, problem.effort.nodes
        constant = always(problem.joint, label, nodes) or always_on_spans(problem.joint, label, nodes)
    return tuple(map(labels.get, problem.task.labels)), constant


def judge_head(
    model: Model, task: Task, classifier: Classifier | AttentionClassifier, effort: Effort | None = None
) -> HeadVerdict:
    """Decide whether one head gives every input its label F*; for an attention head, every input in R.

    R depends on H* (`find_recoverable_states`). If the task names H*, that is taken. Otherwise H* is the largest set of
    states that meets 4.2, or C.5 if there is a prompt. If no set does, the columns of W whose states cannot occur
    (behind the paper's prompt, if there is a prompt) are dropped. H* is then the largest set of states whose columns
    are independent of all other columns that remain. If there is no such set, H* is all hidden states of the task's
    cell. `effort` limits the work for a linear head; for an attention head it is not used.
    """
    if isinstance(classifier, Classifier):
        assert isinstance(model, HMM)
        vanilla = Problem(model, task)
        result = compare(vanilla, vanilla.head_functionals(classifier), 10 * (effort or Effort()).nodes)
        return HeadVerdict(model, task, classifier, result)
    model_and_task = model, task
    assert is_memory(model_and_task)
    prompted = classifier.prompt is not None
    finding = MEMORY_DECIDE["C.5" if prompted else "4.2"](*model_and_task)
    problem = MemoryProblem(*model_and_task, find_recoverable_states(*model_and_task, [finding], prompted))
    return HeadVerdict(model, task, classifier, judge(problem, classifier), problem.recoverable_states)
