"""Certificates: verdicts as JSON, exactly as `docs/certificate-format.md` specifies.

A certificate is handed out only after the kernel has accepted it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from constructions.attention import AttentionClassifier
from constructions.evidence import Evidence, written
from constructions.heads import Classifier
from constructions.memory import MemoryHMM
from constructions.models import document
from verify import attending, kernel, lemmas
from verify.agreement import OneLabel
from verify.attention_heads import Meets
from verify.conclusions import Fails, Holds
from verify.functionals import Word
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
        "assumptions": {f.id: None if f.evidence is None else evidence_document(f.evidence) for f in verdict.findings},
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
        "version": 1,
        "claim": claim,
        "model": model,
        "evidence": evidence,
    }
    canonical = json.dumps(certificate, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return certificate | {"digest": f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}"}


FIELDS: dict[type, tuple[str, ...]] = {
    OneLabel: ("one-label-on-spans", "label", "scores", "nodes", "spans"),
    Meets: ("attention", "scale"),
    attending.NoInputInR: ("no-input-in-R",),
}
"""Evidence by its kind and keys, which are the names of its attributes, but for `input`: that is its `word`."""


def evidence_document(evidence: object) -> Json:
    """Write one piece of evidence: a witness, a violation, or what shows the conclusion."""
    match evidence:
        case Evidence():
            return evidence.document
        case Fails() | lemmas.Shown():
            return evidence_document(evidence.evidence)
        case Holds(classifier, agreement):
            return evidence_document(agreement) | _parts(classifier)
        case attending.Attends(classifier):
            return {"kind": "attention", **_parts(classifier), "scale": "1"}
        case OneLabel(label, nodes, None):
            return {"kind": "one-label", "label": label, "nodes": written(nodes)}
        case attending.NoKeys(inputs, terms, prompted):
            kind = "no-prompted-keys" if prompted else "no-keys"
            return {"kind": kind, "inputs": written(inputs), "terms": written(terms)}
    kind, *keys = FIELDS[type(evidence)]
    return {"kind": kind} | {key: written(getattr(evidence, "word" if key == "input" else key)) for key in keys}


def _parts(classifier: Classifier | AttentionClassifier) -> Json:
    head, prompt = classifier.documents
    return {"head": head, "prompt": prompt}
