"""Certificates: verdicts as JSON, exactly as `docs/certificate-format.md` specifies.

A certificate is handed out only after the kernel has accepted it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

from constructions import assumptions as found
from constructions.attention import AttentionClassifier
from constructions.coloops import Recoverable, Unrecoverable
from constructions.heads import Classifier, SoftPrompt
from constructions.memory import MemoryHMM
from constructions.models import document
from constructions.reading import as_text, texts
from verify import alike_inputs, attended_sets, attending, kernel, lemmas, memory_lemmas, value_rows
from verify.agreement import Agreement, Disagreement, Equal, Impossible, OneLabel, Settled, Split
from verify.attention_heads import Meets
from verify.conclusions import Fails, Holds
from verify.functionals import Word
from verify.impossibility import NoLinearHead
from verify.prompted import Excluded, Halve, Largest, NoPromptedHead, Sign, ZeroPrompt
from verify.reachable import Span, Spans
from verify.verdicts import HeadVerdict, Verdict

Json: TypeAlias = dict[str, object]


def statement_certificate(verdict: Verdict) -> Json | None:
    """Write a verdict as a certificate; None if it claims nothing that could be checked."""
    if verdict.status == "undecided":
        return None
    claim: Json = {
        "kind": "statement",
        "statement": verdict.statement.id,
        "status": verdict.status,
        "scope": verdict.scope,
        "conclusion": verdict.answer,
        "vacuous": verdict.vacuous,
        "assumptions": {finding.id: finding.holds for finding in verdict.findings},
        "labels": labels_document(verdict.labels),
    }
    if isinstance(verdict.model, MemoryHMM):
        claim["recoverable"] = None if verdict.recoverable is None else list(verdict.recoverable)
    evidence = {
        "assumptions": {
            f.id: None if f.evidence is None or f.id in SELF_EVIDENT else evidence_document(f.evidence)
            for f in verdict.findings
        },
        "conclusion": None if verdict.answer == "undecided" else evidence_document(verdict.conclusion),
        "constant": None if verdict.vacuous is not True else evidence_document(verdict.constant),
    }
    return sealed(claim, document(verdict.model, verdict.task), evidence)


def head_certificate(verdict: HeadVerdict) -> Json | None:
    """Write the verdict on one head as a certificate; None if it was not decided."""
    if verdict.found is None:
        return None
    claim: Json = {"kind": "head", "statement": verdict.statement, **_parts(verdict.classifier)}
    claim["conclusion"] = verdict.answer
    if verdict.recoverable is not None:
        claim["recoverable"] = list(verdict.recoverable)
    return sealed(claim, document(verdict.model, verdict.task), evidence_document(verdict.found))


def labels_document(labels: Sequence[Word | None]) -> Json:
    """Write the shortest input of each label."""
    return {str(label): None if word is None else list(word) for label, word in enumerate(labels)}


def write(certificate: Json, folder: Path, name: str) -> Path:
    """Check a certificate with the kernel, and write it to `folder`/`name`.json in one step."""
    text = json.dumps(certificate, indent=1) + "\n"
    kernel.check(text)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    partial = path.with_suffix(".partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
    return path


def sealed(claim: Mapping[str, object], model: Mapping[str, object] | None, evidence: Mapping[str, object]) -> Json:
    """Put the parts of a certificate together, with its digest; a claim about every model has none."""
    certificate: Json = {
        "format": "headproof-certificate",
        "version": 2,
        "claim": claim,
        "model": model,
        "evidence": evidence,
    }
    canonical = json.dumps(certificate, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return certificate | {"digest": f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}"}


SELF_EVIDENT = ("3.2:ergodic", "3.2:full-support", "4.4:stationary")
"""The assumptions that need no evidence in a certificate: whoever checks it decides them."""

FIELDS: dict[type, tuple[str, ...]] = {
    found.LeftInverse: ("left-inverse", "matrix"),
    found.NullVector: ("null-vector", "vector"),
    found.PositivePower: ("positive-power", "power"),
    found.ClosedClass: ("closed-class", "states"),
    found.Period: ("period", "period", "phases"),
    found.FullSupport: ("full-support",),
    found.Zero: ("zero", "state"),
    found.Cover: ("cover", "prompt_states", "recoverable", "left_inverse"),
    found.Stationary: ("stationary",),
    found.Moves: ("moves", "state"),
    found.MoreCells: ("more-cells",),
    Unrecoverable: ("unrecoverable", "states", "null_vectors"),
    Agreement: ("agreement", "nodes", "spans"),
    OneLabel: ("one-label", "label", "nodes", "scores", "spans"),
    Disagreement: ("mislabelled", "input"),
    NoLinearHead: ("no-linear-head", "inputs", "constraints"),
    NoPromptedHead: ("no-prompted-head", "inputs", "nodes"),
    lemmas.Messages: ("messages",),
    lemmas.NoInverse: ("no-inverse", "terms"),
    lemmas.Diagonals: ("diagonals",),
    lemmas.NoDiagonal: ("no-diagonal", "position", "state", "input"),
    lemmas.PromptedPosition: ("prompted-position", "prompt", "input"),
    lemmas.PriorCovers: ("prior-covers",),
    lemmas.PriorMisses: ("prior-misses", "state", "input"),
    lemmas.NoOutputDiagonal: ("no-output-diagonal", "prompt", "terms"),
    lemmas.PromptReaches: ("prompt-reaches",),
    lemmas.Size: ("size",),
    Meets: ("attention", "scale"),
    attending.NoInputInR: ("no-input-in-R",),
    attended_sets.NoAttentionHead: ("no-attention-head", "inputs", "nodes"),
    alike_inputs.NoPromptedAttentionHead: ("no-prompted-attention-head", "inputs", "constraints"),
    value_rows.NoValues: ("no-values", "inputs", "terms"),
    memory_lemmas.NoDuals: ("no-duals", "state", "terms"),
    memory_lemmas.Moved: ("moved", "state", "input"),
    memory_lemmas.PromptMasks: ("prompt-masks",),
    memory_lemmas.PriorReaches: ("prior-reaches",),
    memory_lemmas.PriorLacks: ("prior-lacks", "state"),
    memory_lemmas.PosteriorMoves: ("posterior-moves", "input"),
    memory_lemmas.FirstReaches: ("first-reaches",),
    memory_lemmas.PosteriorRemains: ("posterior-remains", "input"),
}
"""Evidence by its kind and keys, which are the names of its attributes, but for `input`: that is its `word`."""


def evidence_document(evidence: object) -> Json:
    """Write one piece of evidence: a witness, a violation, or what shows the conclusion."""
    match evidence:
        case Fails() | lemmas.Shown():
            return evidence_document(evidence.evidence)
        case Holds(classifier, agreement):
            return evidence_document(agreement) | _parts(classifier)
        case attending.Attends(classifier):
            return {"kind": "attention", **_parts(classifier), "scale": "1"}
        case found.NoCover(null_vectors, nodes):
            return {"kind": "no-cover", "null_vectors": texts(null_vectors), "nodes": [_cover(node) for node in nodes]}
        case lemmas.Unreached(word, cover):
            return evidence_document(cover) | {"kind": "unreached", "input": list(word)}
        case lemmas.Inverse(matrix, spans):
            named = spans and {"predictions": _value(spans[0]), "likelihoods": _value(spans[1])}
            return {"kind": "inverse", "matrix": texts(matrix), "spans": named}
        case Recoverable():
            ordered = sorted(zip(evidence.columns, evidence.dual, strict=True))
            columns, rows = [c for c, _ in ordered], texts(row for _, row in ordered)
            return {"kind": "dual-vectors", "columns": columns, "rows": rows}
        case attending.NoKeys(inputs, terms, prompted):
            kind = "no-prompted-keys" if prompted else "no-keys"
            return {"kind": kind, "inputs": _value(inputs), "terms": _value(terms)}
    kind, *keys = FIELDS[type(evidence)]
    return {"kind": kind} | {key: _value(getattr(evidence, "word" if key == "input" else key)) for key in keys}


def _parts(classifier: Classifier | AttentionClassifier) -> Json:
    head, prompt = classifier.documents
    return {"head": head, "prompt": prompt}


def _cover(node: int | tuple[int, tuple[tuple[int, int], ...]]) -> list[object]:
    return ["dependent", node] if isinstance(node, int) else ["cover", node[0], _value(node[1])]


def _value(value: object) -> object:
    """Numbers as text, indices as they are; the node of a tree as a list that begins with its kind."""
    match value:
        case Fraction():
            return as_text(value)
        case tuple():
            return [_value(entry) for entry in value]
        case SoftPrompt(u):
            return {"u": texts(u)}
        case Spans(of, spans):
            return {"of": list(of), "spans": _value(spans)}
        case Span(pivots, basis):
            return {"pivots": list(pivots), "basis": texts(basis)}
        case Split(children):
            return ["split", list(children)]
        case Impossible():
            return ["impossible"]
        case Settled(label):
            return ["label", label]
        case Equal(scale, on_spans):
            return ["equal-on-spans" if on_spans else "equal", as_text(scale)]
        case Largest(children, zero):
            return ["largest", list(children), zero]
        case ZeroPrompt(word):
            return ["zero", word]
        case Sign(label, state, children):
            return ["sign", label, state, *children]
        case Halve(state, at, children):
            return ["halve", state, as_text(at), *children]
        case Excluded(constraints, parts):
            return ["motzkin", _value(constraints), _value(parts)]
        case attended_sets.Attend(index, children):
            return ["attends", index, list(children)]
        case attended_sets.KeysExcluded(terms):
            return ["keys", _value(terms)]
        case attended_sets.ValuesExcluded(constraints):
            return ["values", _value(constraints)]
    return value
