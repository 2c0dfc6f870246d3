"""Verdicts as the JSON that commands print, and as short sentences for people."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from constructions import assumptions as found
from constructions.assumptions import Finding
from constructions.attention import AttentionClassifier
from constructions.coloops import Recoverable, Unrecoverable
from constructions.heads import Classifier
from constructions.models import Model
from constructions.reading import as_text, texts
from constructions.tasks import Task
from verify import alike_inputs, attended_sets, attending, lemmas, memory_lemmas, value_rows
from verify.agreement import Agreement
from verify.attention_heads import NoInputInR
from verify.candidates import Fits
from verify.certificates import Json, evidence_document, labels_document
from verify.conclusions import Fails, Holds
from verify.explain import Explanation
from verify.explain_memory import MemoryExplanation
from verify.functionals import Word
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
        "assumptions": [finding_document(finding) for finding in verdict.findings],
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
        and {"input": list(wrong.word), "label": wrong.labels[0], "head_label": wrong.labels[1]},
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


def finding_document(finding: Finding) -> Json:
    """Write one assumption: {"id", "holds", "witness" | "violation"}."""
    result: Json = {"id": finding.id, "holds": finding.holds}
    if finding.evidence is not None:
        result["witness" if finding.holds else "violation"] = evidence_document(finding.evidence)
    return result


def _counterexample(verdict: Verdict) -> Json | None:
    if not verdict.refuting:
        return None
    words = [list(word) for word in verdict.refuting]
    return {"input": words[0], "inputs": words, "length": verdict.lengths}


def witness_sentence(finding: Finding, model: Model) -> str:
    """Say in a few words why an assumption holds."""
    match finding.evidence:
        case found.PositivePower(power):
            return f"A^{power} has only positive entries"
        case found.Cover(prompt_states, recoverable, _):
            return f"B = {{{_names(prompt_states, model)}}} reaches H* = {{{_names(recoverable, model)}}}"
        case found.LeftInverse():
            return "W has a left inverse"
        case found.FullSupport():
            return "every state can be H_0"
        case found.Stationary():
            return "P[H_1] = P[H_0]"
        case Recoverable(states):
            return f"H* = {{{_names(states, model)}}}"
    return "shown by its certificate"


def violation_sentence(finding: Finding, model: Model) -> str:
    """Say in a few words why an assumption fails."""
    match finding.evidence:
        case found.NullVector(vector):
            terms = [f"{_coefficient(c)}W[:,{model.states[h]}]" for h, c in enumerate(vector) if c]
            return f"{_sum(terms)} = 0" if len(terms) <= 4 else f"{len(terms)} columns of W are dependent"
        case found.ClosedClass(states):
            return f"never leaves {{{_names(states, model)}}}"
        case found.Period(period, _):
            return f"the chain has period {period}"
        case found.Zero(state):
            return f"P(H_0 = {model.states[state]}) = 0"
        case found.Moves(state):
            return f"P(H_1 = {model.states[state]}) is not P(H_0 = {model.states[state]})"
        case found.MoreCells(cells):
            return f"there are {cells} cells"
        case Unrecoverable(states, _):
            return f"the columns of {{{_names(states, model)}}} depend on others"
        case found.NoCover(vectors, _):
            return "dependent columns on every H*(B)" if vectors else "no H*(B) covers mu"
    return "not decided"


def every_model_sentence(statement: Statement) -> str:
    """Say which theorem shows a statement of which no model has anything to check."""
    return f"true of every model (theorem {statement.of_every_model})"


def conclusion_sentence(verdict: Verdict) -> str:
    """Say in a few words why the conclusion holds or fails."""
    if verdict.statement.of_every_model:
        return every_model_sentence(verdict.statement)
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
        case Shown():
            return lemma_sentence(verdict.conclusion, verdict.model)
        case Fits():
            return candidate_sentence(verdict.conclusion, verdict.model)
    return "no head found, none excluded"


def candidate_sentence(candidate: Fits, model: Model) -> str:
    """Say of how many inputs something is known."""
    fits = f"none excluded; a head fits {len(candidate.inputs)} input{'s' * (len(candidate.inputs) > 1)}"
    if candidate.missed is None:
        return f"{fits}, of others nothing is known"
    return f"{fits} and mislabels ({word_text(candidate.missed, model)})"


def lemma_sentence(shown: Shown, model: Model) -> str:
    """Say in a few words why what a lemma concludes holds or fails."""
    match shown.evidence:
        case lemmas.Messages():
            return "the recursion's divisions cancel"
        case lemmas.Inverse(_, spans):
            return "a left inverse of W" if spans is None else "W is injective where tau can be"
        case lemmas.NoInverse(terms):
            return f"{len(terms)} messages depend on each other after W, and not before"
        case lemmas.NoDiagonal(position, state, word):
            return f"H_{position} and H_0 disagree on {model.states[state]} before ({word_text(word, model)})"
        case lemmas.PromptedPosition(_, word):
            return f"at the prompt's own position, before ({word_text(word, model)})"
        case lemmas.PriorMisses(state, word):
            return f"H_2 can be {model.states[state]} before ({word_text(word, model)}), H_0 cannot"
        case lemmas.NoOutputDiagonal(_, terms):
            return f"no D serves {input_words(tuple(word for word, _ in terms), model)}"
        case lemmas.Unreached(word):
            return f"({word_text(word, model)}) cannot follow the prompt, and its scores differ"
        case lemmas.Size():
            return f"{len(model.states)} states, {len(model.tokens)} tokens"
        case found.NoCover():
            return "3.5 fails"
        case NoInputInR():
            return "R is empty"
        case attending.NoKeys(words, _, _):
            return f"no keys serve {input_words(words, model)}"
        case attended_sets.NoAttentionHead(words, _):
            return f"no head serves {input_words(words, model)}"
        case alike_inputs.NoPromptedAttentionHead(words, _):
            return f"no prompt and head serve {input_words(words, model)}"
        case value_rows.NoValues(words, _):
            return f"no values serve {input_words(words, model)}"
        case memory_lemmas.NoDuals(state, terms):
            return f"{len(terms)} messages that differ at {model.states[state]} look alike after W"
        case memory_lemmas.Moved(state, _):
            return f"P(H_1 = {model.states[state]}) is not P(H_0 = {model.states[state]})"
        case memory_lemmas.PriorLacks(state):
            return f"H_2 can be {model.states[state]}, H_1 cannot"
        case memory_lemmas.PosteriorMoves(word):
            return f"another posterior on ({word_text(word, model)})"
        case memory_lemmas.PosteriorRemains(word):
            return f"not 0 on ({word_text(word, model)})"
    return "the paper's argument"


def example(model: Model, task: Task) -> str:
    """Return the line that makes a Hypothesis test try a model with a task first: `@example(HMM.of(...), Task...)`."""
    return f"@example({replace(model, name='', source='')!r}, {task!r})"


def input_words(words: tuple[Word, ...], model: Model) -> str:
    """Name some inputs by their tokens."""
    if len(words) > 3:
        lengths = sorted({len(word) for word in words})
        return f"{len(words)} inputs of length {', '.join(map(str, lengths))}"
    return "inputs " + ", ".join(f"({word_text(word, model)})" for word in words)


def word_text(word: Word, model: Model) -> str:
    """Write a word by the names of its tokens."""
    shown = [model.tokens[token] for token in word[:8]]
    return " ".join(shown) + (f" ... ({len(word)} tokens)" if len(word) > 8 else "")


def _names(states: tuple[int, ...], model: Model) -> str:
    shown = ", ".join(model.states[h] for h in states[:6])
    return shown + (", ..." if len(states) > 6 else "")


def _coefficient(value: Fraction) -> str:
    return {Fraction(1): "", Fraction(-1): "-"}.get(value, f"{as_text(value)} ")


def _sum(terms: list[str]) -> str:
    return terms[0] + "".join(f" - {term[1:]}" if term.startswith("-") else f" + {term}" for term in terms[1:])
