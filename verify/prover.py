"""The prover: from a statement, a model and a task to a verdict over all inputs of every length."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from constructions.assumptions import DECIDE
from constructions.evidence import Finding, Word
from constructions.heads import Classifier, SoftPrompt
from constructions.memory.assumptions import MEMORY_DECIDE, asked_for
from constructions.memory.attention import AttentionClassifier
from constructions.memory.coloops import Recoverable
from constructions.memory.model import MemoryHMM
from constructions.models import HMM, Model
from constructions.tasks import MemoryTask, Task
from verify.conclusion import Conclusion
from verify.heads.one_attention import judge
from verify.statement import Statement, about
from verify.verdicts import HeadVerdict, Verdict
from verify.words.agreement import OneLabel, always, always_on_spans, compare
from verify.words.effort import Effort
from verify.words.memory_problem import MemoryProblem, NoInputInR
from verify.words.problem import Inputs, Problem, first_of_each_label
from verify.words.undefined import shortest_undefined

MAX_JOINT_STATES = 2_048
"""Hbar with more states is not built to learn that F* is constant: its matrix has their square of entries."""


def prove(
    statement: Statement, model: Model, task: Task, effort: Effort | None = None, decided: Conclusion | None = None
) -> Verdict:
    """Decide a statement on a model and a task. `decided`: its conclusion, where that is known already.

    Raises `ValueError` for a statement about the other kind of model.
    """
    problem = _problem(statement, model, task, effort or Effort())
    met = all(finding.holds for finding in problem.findings if finding.id == statement.states_of)
    if isinstance(problem, MemoryProblem):
        labels, constant = _labels_in_r(problem, statement) if statement.on_r else _labels(problem.joint)
        undefined: tuple[Word, ...] | None = ()
        states = problem.states if statement.needs or (statement.states_of and met) else None
    else:
        (labels, constant), states = _labels(problem), None
        prompt = SoftPrompt((Fraction(1),) * problem.states) if statement.prompted else None
        undefined = shortest_undefined(problem.model, problem.weights(prompt)) if statement.head else ()
    if isinstance(constant, NoInputInR) and not statement.head:
        decided = Conclusion(True, constant)  # where R is empty a lemma on it has nothing to show
    return Verdict(
        statement=statement,
        model=model,
        task=task,
        findings=problem.findings,
        conclusion=decided or statement.decide(problem),
        labels=labels,
        constant=constant if statement.head or statement.on_r else None,
        undefined=undefined,
        recoverable=states,
    )


def _problem(statement: Statement, model: Model, task: Task, effort: Effort) -> Problem | MemoryProblem:
    """Decide the hypotheses of a statement, and return the problem on which its conclusion is decided."""
    if not about(statement, model):
        raise ValueError(f"{statement.id} is about a model of the kind {statement.about}")
    if isinstance(model, HMM):
        return Problem(model, task, tuple(DECIDE[key](model, task) for key in statement.hypotheses), effort)
    assert isinstance(task, MemoryTask)
    findings = findings_with_states = tuple(MEMORY_DECIDE[key](model, task) for key in statement.hypotheses)
    if statement.needs == "4.5" and model.shape.cells > 1:  # 4.6 is then about the heads of C.6, and has its H*
        findings_with_states = (MEMORY_DECIDE["C.5"](model, task),)
    states = _recoverable(model, task, findings_with_states, "4.4:stationary" in statement.hypotheses)
    return MemoryProblem(model, task, states, findings, effort)


def _recoverable(model: MemoryHMM, task: MemoryTask, findings: Sequence[Finding], prompted: bool) -> tuple[int, ...]:
    """Return the H* of the assumption, where that holds; or else the one that the task names.

    Where neither is there: the largest H* that the possible columns allow (if `prompted`, those possible behind the
    prompt), or else all states (j*, s).
    """
    of_assumption = next((f.evidence.states for f in findings if isinstance(f.evidence, Recoverable)), None)
    if states := of_assumption or asked_for(model, task):
        return states
    everything = tuple(model.shape.state(task.cell, s) for s in range(model.shape.syntax))
    problem = MemoryProblem(model, task, everything)
    columns = problem.behind if prompted else problem.possible
    return problem.ground(columns).admissible() or everything


def recoverable_states(statement: Statement, model: MemoryHMM, task: MemoryTask) -> tuple[int, ...]:
    """Return the H* that a statement's verdict on a model is about, as hidden states."""
    problem = _problem(statement, model, task, Effort())
    assert isinstance(problem, MemoryProblem)
    return problem.states


def _labels(problem: Problem) -> tuple[tuple[Word | None, ...], OneLabel | None]:
    """Find a shortest input of each label; where only one label occurs, prove that."""
    nodes = problem.effort.nodes
    inputs = Inputs(problem, limit=3 * nodes)
    first = next(iter(inputs))
    constant = always(problem, first.label, nodes)
    labels = {first.label: first.word} if constant else first_of_each_label(inputs, problem.task)
    if constant is None and len(labels) == 1:
        constant = always_on_spans(problem, first.label, nodes)
    return tuple(map(labels.get, problem.task.labels)), constant


def _labels_in_r(
    problem: MemoryProblem, statement: Statement
) -> tuple[tuple[Word | None, ...], OneLabel | NoInputInR | None]:
    """Find inputs in R of each label; prove that R is empty or, of a theorem, that only one label occurs on it."""
    if problem.empty:
        return (None,) * len(problem.task.labels), NoInputInR()
    labels, constant = problem.first_of_each_label(), None
    if (
        statement.head
        and len(labels) == 1
        and len(problem.model.memory) * problem.model.shape.hidden <= MAX_JOINT_STATES
    ):
        (label,), nodes = labels, problem.effort.nodes
        constant = always(problem.joint, label, nodes) or always_on_spans(problem.joint, label, nodes)
    return tuple(map(labels.get, problem.task.labels)), constant


def judge_head(
    model: Model, task: Task, classifier: Classifier | AttentionClassifier, effort: Effort | None = None
) -> HeadVerdict:
    """Compare one head, with or without a prompt, with F*: on all inputs; of an attention head, on those in R.

    H* is the one that the task names, or the largest that 4.2 allows, with a prompt C.5.
    """
    if isinstance(classifier, Classifier):
        assert isinstance(model, HMM)
        vanilla = Problem(model, task)
        result = compare(vanilla, vanilla.head_functionals(classifier), 10 * (effort or Effort()).nodes)
        return HeadVerdict(model, task, classifier, result)
    assert isinstance(model, MemoryHMM)
    assert isinstance(task, MemoryTask)
    prompted = classifier.prompt is not None
    finding = MEMORY_DECIDE["C.5" if prompted else "4.2"](model, task)
    problem = MemoryProblem(model, task, _recoverable(model, task, [finding], prompted))
    return HeadVerdict(model, task, classifier, judge(problem, classifier), problem.states)
