"""Verdicts as the JSON that commands print, and as short sentences for people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from constructions.assumptions import NoCover
from constructions.attention import AttentionClassifier
from constructions.evidence import input_words, word_text
from constructions.heads import Classifier
from constructions.models import Model
from constructions.reading import as_text, texts
from constructions.tasks import Task
from verify.agreement import Agreement
from verify.attention_heads import NoInputInR
from verify.candidates import Fits
from verify.certificates import Json, labels_document
from verify.conclusions import Fails, Holds
from verify.explain import Explanation
from verify.explain_memory import MemoryExplanation
from verify.lemmas import Shown
from verify.reachable import Spans
from verify.statements import Statement
from verify.verdicts import HeadVerdict, Verdict


def verdict_document(verdict: Verdict, certificate: Path | None) -> Json:
    """Write a verdict as an entry of `headproof verify --json`."""
    return {
        "statement": verdict.statement.id,
        "model": verdict.model.name,
        "status": verdict.status,
        "scope": verdict.scope,
        "vacuous": verdict.vacuous,
        "labels": labels_document(verdict.labels),
        "conclusion": verdict.answer,
        "assumptions": [finding.document for finding in verdict.findings],
        "counterexample": _counterexample(verdict),
        "candidate": verdict.candidate and candidate_document(verdict.candidate),
        "undefined_inputs": None if verdict.undefined is None else [list(word) for word in verdict.undefined],
        "certificate": None if certificate is None else str(certificate),
    } | ({} if verdict.recoverable is None else {"recoverable": list(verdict.recoverable)})


def candidate_document(candidate: Fits) -> Json:
    """Write a head that fits some inputs, and may do no more: {"head", "prompt", "inputs", "missed"}."""
    head, prompt = candidate.classifier.documents
    missed = None if candidate.missed is None else list(candidate.missed)
    return {"head": head, "prompt": prompt, "inputs": [list(word) for word in candidate.inputs], "missed": missed}


def head_document(verdict: HeadVerdict, certificate: Path | None) -> Json:
    """Write the verdict on one head, for `headproof test --json`."""
    wrong = verdict.counterexample
    return {
        "statement": verdict.statement,
        "model": verdict.model.name,
        "status": {"holds": "proved", "fails": "refuted"}.get(verdict.answer, "undecided"),
        "scope": "all-inputs",
        "counterexample": wrong
        and {"input": list(wrong.input), "label": wrong.labels[0], "head_label": wrong.labels[1]},
        "certificate": None if certificate is None else str(certificate),
    }


def explanation_document(statement: Statement, found: Explanation, classifier: Classifier | None, reason: str) -> Json:
    """Write one input step by step, for `headproof explain --json`.

    `read` is the index of the step that the head reads.
    """
    head, prompt = (None, None) if classifier is None else classifier.documents
    return {
        "statement": statement.id,
        "model": found.model.name,
        "input": list(found.word),
        "posterior": texts(found.posterior),
        "task_scores": texts(found.task_scores),
        "label": found.label,
        "head": head,
        "prompt": prompt,
        "reason": reason or None,
        "messages": [
            {"token": step.token}
            | {key: texts(getattr(step, key)) for key in ("embedding", "right", "left", "tau", "output")}
            for step in found.steps
        ],
        "read": found.read,
        "head_scores": None if found.head_scores is None else texts(found.head_scores),
        "head_label": found.head_label,
    }


def memory_explanation_document(
    statement: Statement, found: MemoryExplanation, classifier: AttentionClassifier | None, reason: str
) -> Json:
    """Write one input of a memory model step by step, for `headproof explain --json`.

    `states`: supp(P[H_i | X_-i = x_-i]), null at the prompt's position.
    """
    head, prompt = (None, None) if classifier is None else classifier.documents
    return {
        "statement": statement.id,
        "model": found.model.name,
        "input": list(found.word),
        "recoverable": list(found.recoverable),
        "in_R": found.in_r,
        "posterior": texts(found.posterior),
        "task_scores": texts(found.task_scores),
        "label": found.label,
        "head": head,
        "prompt": prompt,
        "reason": reason or None,
        "positions": [
            {
                "token": step.token,
                "columns": texts(step.columns),
                "output": texts(step.output),
                "states": None if step.states is None else list(step.states),
                "in_Ihat": step.in_ihat,
                "key": None if step.key is None else as_text(step.key),
                "values": None if step.values is None else texts(step.values),
                "attended": step.attended,
            }
            for step in found.steps
        ],
        "head_scores": None if found.head_scores is None else texts(found.head_scores),
        "head_label": found.head_label,
    }


def _counterexample(verdict: Verdict) -> Json | None:
    if not verdict.refuting:
        return None
    words = [list(word) for word in verdict.refuting]
    return {"input": words[0], "inputs": words, "length": verdict.lengths}


def conclusion_sentence(verdict: Verdict) -> str:
    """Say in a few words why the conclusion holds or fails."""
    match verdict.conclusion:
        case Holds(_, NoInputInR()):
            return "R is empty"
        case Holds() if verdict.status == "proved":
            return "the paper's construction"
        case Holds(_, Agreement(spans=Spans())):
            return "a head that is exact on the reachable subspace"
        case Holds(_, Agreement(nodes=(_, _, *_) as nodes)):
            return f"a head that agrees on a tree of {len(nodes)} prefixes"
        case Holds():
            return "a head that is exact all the same"
        case Fails() as fails:
            return f"no head serves {input_words(fails.inputs, verdict.model)}"
        case Shown(holds=True, evidence=NoCover()):
            return "no B meets 3.5, so that there is nothing to check"
        case Shown():
            return verdict.conclusion.evidence.sentence(verdict.model)
        case Fits():
            return candidate_sentence(verdict.conclusion, verdict.model)
    return "no head found, none excluded"


def candidate_sentence(candidate: Fits, model: Model) -> str:
    """Say of how many inputs something is known."""
    fits = f"none excluded; a head fits {len(candidate.inputs)} input{'s' * (len(candidate.inputs) > 1)}"
    if candidate.missed is None:
        return f"{fits}, of others nothing is known"
    return f"{fits} and mislabels ({word_text(candidate.missed, model)})"


def example(model: Model, task: Task) -> str:
    """Return the line that makes a Hypothesis test try a model with a task first: `@example(HMM.of(...), Task...)`."""
    return f"@example({replace(model, name='', source='')!r}, {task!r})"
