"""The prover: from a statement, a model and a task to a verdict over all inputs of every length."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from constructions.assumptions import DECIDE
from constructions.evidence import Finding, Word
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.memory.assumptions import MEMORY_DECIDE, asked_for
from constructions.memory.attention import AttentionClassifier
from constructions.memory.coloops import Recoverable
from constructions.memory.model import MemoryHMM
from constructions.models import HMM
from constructions.tasks import MemoryTask, Task
from verify.conclusion import Conclusion
from verify.heads import no_prompted_attention
from verify.heads.attention import heads, prompted_heads
from verify.heads.fitted import fit
from verify.heads.linear import conclude
from verify.heads.no_attention import NoAttentionHead
from verify.heads.one_attention import NoInputInR, first_met, judge
from verify.lemmas.every_model import OF_EVERY_MODEL
from verify.lemmas.keys_and_values import KEYS_AND_VALUES
from verify.lemmas.memory import MEMORY_LEMMAS, MemoryLemma
from verify.lemmas.vanilla import LEMMAS
from verify.statements import STATEMENTS, Statement
from verify.verdicts import HeadVerdict, Verdict
from verify.words.agreement import OneLabel, always, always_on_spans, compare
from verify.words.effort import Effort
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Inputs, Problem
from verify.words.undefined import shortest_undefined


def attention_head(problem: MemoryProblem) -> Conclusion | None:
    """Theorem 4.3: some attention head on G gives every x in R its label."""
    found = first_met(problem, heads(problem)) or fit(problem)
    return Conclusion(False, found) if isinstance(found, NoAttentionHead) else found


def prompted_head(problem: MemoryProblem) -> Conclusion | None:
    """Theorems 4.6 and C.6: some prompt and attention head give every x in R its label.

    That none behind the proof's prompt does refutes nothing; that some inputs look alike behind every prompt may.
    """
    shown = first_met(problem, prompted_heads(problem)) or no_prompted_attention.refute(problem)
    if shown:
        return shown
    found = fit(problem, problem.prompt)
    return None if isinstance(found, NoAttentionHead) else found


ON_MEMORY: dict[str, MemoryLemma] = {
    "4.3": attention_head,
    "4.6": prompted_head,
    "C.6": prompted_head,
    **KEYS_AND_VALUES,
    **MEMORY_LEMMAS,
}
"""How each statement about memory models is decided."""


def prove(statement: Statement, model: HMM | MemoryHMM, task: Task, effort: Effort | None = None) -> Verdict:
    """Decide a statement on a model and a task.

    Raises `ValueError` for a statement about the other kind of model.
    """
    effort = effort or Effort()
    if isinstance(model, MemoryHMM) and isinstance(task, MemoryTask) and statement.about == "memory-hmm":
        return _prove_on_memory(statement, model, task, effort)
    if not isinstance(model, HMM) or statement.about != "hmm":
        raise ValueError(f"{statement.id} is about a model of the kind {statement.about}")
    findings = tuple(DECIDE[key](model, task) for key in statement.hypotheses)
    problem = Problem(model, task, findings, effort)
    labels, constant = _labels(problem)
    return Verdict(
        statement=statement,
        model=model,
        task=task,
        findings=findings,
        conclusion=_conclude(statement, problem),
        labels=labels,
        constant=constant if statement.head else None,
        undefined=_shortest_undefined(statement, model) if statement.head else (),
    )


def _conclude(statement: Statement, problem: Problem) -> Conclusion | None:
    if statement.of_every_model:
        return Conclusion(True, OF_EVERY_MODEL[statement.id])
    return conclude(statement, problem) if statement.head else LEMMAS[statement.id](problem)


def _prove_on_memory(statement: Statement, model: MemoryHMM, task: MemoryTask, effort: Effort) -> Verdict:
    findings = tuple(MEMORY_DECIDE[key](model, task) for key in statement.hypotheses)
    problem = MemoryProblem(model, task, _recoverable(statement, model, task, findings), findings, effort)
    met = all(finding.holds for finding in findings if finding.id == statement.states_of)
    if statement.on_r:
        labels, constant = _labels_in_r(problem, bool(statement.head))
    else:
        labels, constant = _labels(problem.joint)[0], None
    return Verdict(
        statement=statement,
        model=model,
        task=task,
        findings=findings,
        conclusion=_conclude_on_memory(statement, problem),
        labels=labels,
        constant=constant,
        undefined=(),
        recoverable=problem.states if statement.needs or (statement.states_of and met) else None,
    )


def _conclude_on_memory(statement: Statement, problem: MemoryProblem) -> Conclusion | None:
    """Conclude; where R is empty a lemma on it has nothing to show."""
    if statement.of_every_model:
        return Conclusion(True, OF_EVERY_MODEL[statement.id])
    if statement.on_r and not statement.head and problem.empty:
        return Conclusion(True, NoInputInR())
    return ON_MEMORY[statement.id](problem)


def _recoverable(
    statement: Statement, model: MemoryHMM, task: MemoryTask, findings: Sequence[Finding]
) -> tuple[int, ...]:
    """Return H*: that of the assumption, where it holds; or else the one asked for.

    Or the largest that would do with the columns that can occur, or if none does every (j*,s). On several cells, where
    4.5 fails, 4.6 is about the heads of C.6, and has its H*.
    """
    if statement.needs == "4.5" and model.shape.cells > 1:
        findings = [MEMORY_DECIDE["C.5"](model, task)]
    witness = next((f.evidence.states for f in findings if isinstance(f.evidence, Recoverable)), None)
    everything = tuple(model.shape.state(task.cell, s) for s in range(model.shape.syntax))
    problem = MemoryProblem(model, task, everything)
    columns = problem.behind if "4.4:stationary" in statement.hypotheses else problem.possible
    return witness or asked_for(model, task) or problem.ground(columns).admissible() or everything


def recoverable_states(statement: Statement, model: MemoryHMM, task: MemoryTask) -> tuple[int, ...]:
    """Return the H* that a statement's verdict on a model is about, as hidden states."""
    return _recoverable(statement, model, task, [MEMORY_DECIDE[key](model, task) for key in statement.hypotheses])


def _labels_in_r(
    problem: MemoryProblem, by_label: bool
) -> tuple[tuple[Word | None, ...], OneLabel | NoInputInR | None]:
    """Find inputs of R of each label, and show that R is empty, or that there is only one label, where that is so."""
    if problem.empty:
        return (None,) * len(problem.task.labels), NoInputInR()
    labels = problem.first_of_each_label()
    first = next(iter(labels), None)
    constant = None
    if by_label and len(labels) == 1 and first is not None:
        joint, nodes = problem.joint, problem.effort.nodes
        constant = always(joint, first, nodes) or always_on_spans(joint, first, nodes)
    return tuple(labels.get(label) for label in problem.task.labels), constant


def judge_head(model: HMM, task: Task, classifier: Classifier, effort: Effort | None = None) -> HeadVerdict:
    """Hold one head, with or without a prompt, against F* on all inputs."""
    problem = Problem(model, task)
    found = compare(problem, problem.head_functionals(classifier), 10 * (effort or Effort()).nodes)
    return HeadVerdict(model, task, classifier, found)


def _labels(problem: Problem) -> tuple[tuple[Word | None, ...], OneLabel | None]:
    """Find a shortest input of each label, and show that there is only one label where that is so."""
    nodes = problem.effort.nodes
    inputs = Inputs(problem, most=3 * nodes)
    first = next(iter(inputs))
    constant = always(problem, first.label, nodes)
    labels: dict[int, Word] = {first.label: first.word}
    for one in inputs if constant is None else ():
        labels.setdefault(one.label, one.word)
        if len(labels) == len(problem.task.labels):
            break
    if constant is None and len(labels) == 1:
        constant = always_on_spans(problem, first.label, nodes)
    return tuple(labels.get(label) for label in problem.task.labels), constant


def judge_attention(model: MemoryHMM, task: MemoryTask, classifier: AttentionClassifier) -> HeadVerdict:
    """Hold one attention head, with or without a prompt, against F* on R.

    H* is the one asked for, or the largest that 4.2, or with a prompt C.5, allows.
    """
    statement = STATEMENTS["4.3" if classifier.prompt is None else "C.6"]
    problem = MemoryProblem(model, task, recoverable_states(statement, model, task))
    return HeadVerdict(model, task, classifier, judge(problem, classifier), problem.states)


def _shortest_undefined(statement: Statement, model: HMM) -> tuple[Word, ...] | None:
    """Find an input to which the unprompted model gives no output: Pr(X = x) > 0 but not after a special token."""
    prompt = SoftPrompt((Fraction(1),) * len(model.states)) if statement.prompted else None
    return shortest_undefined(model, Classifier(LinearHead(()), prompt).weights(model))
