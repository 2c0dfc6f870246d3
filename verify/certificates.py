"""Certificates: verdicts as JSON, exactly as `docs/certificate-format.md` specifies.

Only `sealed` makes certificates, and it returns none that the kernel has not accepted. If the kernel finds a mistake,
or would exceed its limit of work, it raises `kernel.Rejected`. A command then ends with the status for "undecided".
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NewType, TypeAlias

from constructions.models import Model, document
from constructions.system.writing import put
from constructions.tasks import Task
from verify.kernel.certificate import check

Json: TypeAlias = dict[str, object]

Certificate = NewType("Certificate", Json)
"""A certificate as JSON, which the kernel has accepted."""


def statement_certificate(verdict: Any) -> Certificate | None:
    """Return the certificate of a `Verdict`; None if the verdict is undecided."""
    if verdict.status == "undecided":
        return None
    document = verdict.document
    claim = {
        "kind": "statement",
        **{key: document[key] for key in CLAIMED},
        "assumptions": {finding.id: finding.holds for finding in verdict.findings},
        "labels": document["labels"],
    }
    if verdict.model.kind == "memory-hmm":
        claim["recoverable"] = document.get("recoverable")
    evidence = {
        "assumptions": {
            f.id: None if f.evidence is None or f.id in SELF_EVIDENT else f.evidence.document for f in verdict.findings
        },
        "conclusion": verdict.conclusion.document if verdict.conclusion and verdict.answer != "undecided" else None,
        "constant": verdict.constant.document if verdict.constant and verdict.vacuous else None,
    }
    return sealed(claim, model_document(verdict.model, verdict.task), evidence)


def head_certificate(verdict: Any) -> Certificate | None:
    """Return the certificate of a `HeadVerdict`; None if the verdict is undecided."""
    if verdict.evidence is None:
        return None
    head, prompt = verdict.classifier.documents
    claim = {
        "kind": "head",
        "statement": verdict.statement,
        "head": head,
        "prompt": prompt,
        "conclusion": verdict.answer,
    }
    if verdict.recoverable is not None:
        claim["recoverable"] = list(verdict.recoverable)
    return sealed(claim, model_document(verdict.model, verdict.task), verdict.evidence.document)


def model_document(model: Model, task: Task) -> Json:
    """Return a certificate's model and task as JSON.

    The `rounding` of a model file is left out, since the numbers of a certificate are exact.
    """
    written = document(model, task)
    written.pop("rounding", None)
    return written


def write(certificate: Certificate, folder: Path, name: str) -> Path:
    """Write a certificate to `folder`/`name`.json, whole or not at all, and return the path."""
    return put(folder / f"{name}.json", json.dumps(certificate, indent=1) + "\n")


def sealed(claim: Mapping[str, object], model: Mapping[str, object], evidence: Mapping[str, object]) -> Certificate:
    """Put the parts of a certificate together, with its digest, and let the kernel check it.

    Raises `kernel.Rejected` unless the kernel accepts.
    """
    certificate: Json = {
        "format": "headproof-certificate",
        "version": 2,
        "claim": claim,
        "model": model,
        "evidence": evidence,
    }
    canonical = json.dumps(certificate, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    certificate["digest"] = f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}"
    check(json.dumps(certificate))
    return Certificate(certificate)


CLAIMED = ("statement", "status", "scope", "conclusion", "vacuous")
"""The members of `Verdict.document` that a claim has unchanged."""

SELF_EVIDENT = ("3.2:ergodic", "3.2:full-support", "4.4:stationary")
"""The assumptions without evidence in a certificate: a checker decides them itself."""
