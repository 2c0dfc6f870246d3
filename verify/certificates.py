"""Certificates: verdicts as JSON, exactly as `docs/certificate-format.md` specifies.

A certificate is handed out only after the kernel has accepted it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import singledispatch
from pathlib import Path
from typing import TypeAlias

from constructions import assumptions as found
from constructions.coloops import Recoverable, Unrecoverable
from constructions.heads import SoftPrompt
from constructions.memory import MemoryHMM
from constructions.models import document
from constructions.reading import as_text, texts
from verify import attended_sets, attending, kernel, lemmas, memory_lemmas, value_rows
from verify.agreement import Agreement, Disagreement, Equal, Impossible, Settled, Split, Tree
from verify.agreement import Node as PrefixNode
from verify.attention_heads import Meets
from verify.conclusions import Fails, Holds
from verify.functionals import Word
from verify.impossibility import Constraint, NoLinearHead
from verify.prompted import Excluded, Halve, Largest, Node, NoPromptedHead, Sign, ZeroPrompt
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
        "assumptions": {f.id: None if f.evidence is None else evidence_document(f.evidence) for f in verdict.findings},
        "conclusion": None if verdict.answer == "undecided" else evidence_document(verdict.conclusion),
        "constant": None if verdict.vacuous is not True else _one_label(verdict),
    }
    return sealed(claim, document(verdict.model, verdict.task), evidence)


def head_certificate(verdict: HeadVerdict) -> Json | None:
    """Write the verdict on one head as a certificate; None if it was not decided."""
    if verdict.found is None:
        return None
    head, prompt = verdict.classifier.documents
    claim: Json = {
        "kind": "head",
        "statement": verdict.statement,
        "head": head,
        "prompt": prompt,
        "conclusion": verdict.answer,
    }
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


def _one_label(verdict: Verdict) -> Json:
    if isinstance(verdict.constant, attending.NoInputInR):
        return evidence_document(verdict.constant)
    label = next(label for label, word in enumerate(verdict.labels) if word is not None)
    return {"kind": "one-label", "label": label, "nodes": _nodes(verdict.constant or ())}


@singledispatch
def evidence_document(evidence: object) -> Json:
    """Write one piece of evidence: a witness, a violation, or what shows the conclusion."""
    raise TypeError(f"no certificate has {type(evidence).__name__}")


@evidence_document.register
def _(evidence: found.LeftInverse) -> Json:
    return {"kind": "left-inverse", "matrix": texts(evidence.matrix)}


@evidence_document.register
def _(evidence: found.NullVector) -> Json:
    return {"kind": "null-vector", "vector": texts(evidence.vector)}


@evidence_document.register
def _(evidence: found.PositivePower) -> Json:
    return {"kind": "positive-power", "power": evidence.power}


@evidence_document.register
def _(evidence: found.ClosedClass) -> Json:
    return {"kind": "closed-class", "states": list(evidence.states)}


@evidence_document.register
def _(evidence: found.Period) -> Json:
    return {"kind": "period", "period": evidence.period, "phases": list(evidence.phases)}


@evidence_document.register
def _(evidence: found.FullSupport) -> Json:
    return {"kind": "full-support"}


@evidence_document.register
def _(evidence: found.Zero) -> Json:
    return {"kind": "zero", "state": evidence.state}


@evidence_document.register
def _(evidence: found.Cover) -> Json:
    return {
        "kind": "cover",
        "prompt_states": list(evidence.prompt_states),
        "recoverable": list(evidence.recoverable),
        "left_inverse": texts(evidence.left_inverse),
    }


@evidence_document.register
def _(evidence: found.NoCover) -> Json:
    nodes = [
        ["dependent", node] if isinstance(node, int) else ["cover", node[0], [list(branch) for branch in node[1]]]
        for node in evidence.nodes
    ]
    return {"kind": "no-cover", "null_vectors": texts(evidence.null_vectors), "nodes": nodes}


@evidence_document.register
def _(evidence: Holds) -> Json:
    head, prompt = evidence.classifier.documents
    return evidence_document(evidence.agreement) | {"head": head, "prompt": prompt}


@evidence_document.register
def _(evidence: Fails) -> Json:
    return evidence_document(evidence.evidence)


@evidence_document.register
def _(evidence: Agreement) -> Json:
    spans = None if evidence.spans is None else _spans(evidence.spans)
    return {"kind": "agreement", "nodes": _nodes(evidence.nodes), "spans": spans}


@evidence_document.register
def _(evidence: Disagreement) -> Json:
    return {"kind": "mislabelled", "input": list(evidence.word)}


@evidence_document.register
def _(evidence: NoLinearHead) -> Json:
    return {
        "kind": "no-linear-head",
        "inputs": [list(word) for word in evidence.inputs],
        "constraints": _constraints(evidence.constraints),
    }


@evidence_document.register
def _(evidence: NoPromptedHead) -> Json:
    return {
        "kind": "no-prompted-head",
        "inputs": [list(word) for word in evidence.inputs],
        "nodes": [_region(node) for node in evidence.nodes],
    }


@evidence_document.register
def _(evidence: lemmas.Shown) -> Json:
    return evidence_document(evidence.evidence)


@evidence_document.register
def _(evidence: lemmas.Messages) -> Json:
    return {"kind": "messages"}


@evidence_document.register
def _(evidence: lemmas.Inverse) -> Json:
    spans = evidence.spans and dict(zip(("predictions", "likelihoods"), map(_span, evidence.spans), strict=True))
    return {"kind": "inverse", "matrix": texts(evidence.matrix), "spans": spans}


@evidence_document.register
def _(evidence: lemmas.NoInverse) -> Json:
    terms = [[list(before), list(after), as_text(t)] for before, after, t in evidence.terms]
    return {"kind": "no-inverse", "terms": terms}


@evidence_document.register
def _(evidence: lemmas.Diagonals) -> Json:
    return {"kind": "diagonals"}


@evidence_document.register
def _(evidence: lemmas.NoDiagonal) -> Json:
    place = {"position": evidence.position, "state": evidence.state}
    return {"kind": "no-diagonal", **place, "input": list(evidence.word)}


@evidence_document.register
def _(evidence: lemmas.PromptedPosition) -> Json:
    return {"kind": "prompted-position", "prompt": _prompt(evidence.prompt), "input": list(evidence.word)}


@evidence_document.register
def _(evidence: lemmas.PriorCovers) -> Json:
    return {"kind": "prior-covers"}


@evidence_document.register
def _(evidence: lemmas.PriorMisses) -> Json:
    return {"kind": "prior-misses", "state": evidence.state, "input": list(evidence.word)}


@evidence_document.register
def _(evidence: lemmas.NoOutputDiagonal) -> Json:
    terms = [[list(word), texts(row)] for word, row in evidence.terms]
    return {"kind": "no-output-diagonal", "prompt": _prompt(evidence.prompt), "terms": terms}


@evidence_document.register
def _(evidence: lemmas.PromptReaches) -> Json:
    return {"kind": "prompt-reaches", "prompt_states": list(evidence.prompt_states)}


@evidence_document.register
def _(evidence: lemmas.Unreached) -> Json:
    return {"kind": "unreached", "input": list(evidence.word)}


@evidence_document.register
def _(evidence: lemmas.Size) -> Json:
    return {"kind": "size"}


@evidence_document.register
def _(evidence: Recoverable) -> Json:
    ordered = sorted(zip(evidence.columns, evidence.dual, strict=True))
    return {"kind": "dual-vectors", "columns": [c for c, _ in ordered], "rows": texts(row for _, row in ordered)}


@evidence_document.register
def _(evidence: Unrecoverable) -> Json:
    return {
        "kind": "unrecoverable",
        "states": list(evidence.states),
        "null_vectors": texts(evidence.null_vectors),
    }


@evidence_document.register
def _(evidence: found.MoreCells) -> Json:
    return {"kind": "more-cells"}


@evidence_document.register
def _(evidence: found.Stationary) -> Json:
    return {"kind": "stationary"}


@evidence_document.register
def _(evidence: found.Moves) -> Json:
    return {"kind": "moves", "state": evidence.state}


@evidence_document.register
def _(evidence: attending.Attends) -> Json:
    head, prompt = evidence.classifier.documents
    return {"kind": "attention", "head": head, "prompt": prompt, "scale": "1"}


@evidence_document.register
def _(evidence: Meets) -> Json:
    return {"kind": "attention", "scale": as_text(evidence.scale)}


@evidence_document.register
def _(evidence: attending.NoInputInR) -> Json:
    return {"kind": "no-input-in-R"}


@evidence_document.register
def _(evidence: attending.NoKeys) -> Json:
    return {
        "kind": "no-prompted-keys" if evidence.prompted else "no-keys",
        "inputs": [list(word) for word in evidence.inputs],
        "terms": [[index, i, other, as_text(t)] for index, i, other, t in evidence.terms],
    }


@evidence_document.register
def _(evidence: attended_sets.NoAttentionHead) -> Json:
    return {
        "kind": "no-attention-head",
        "inputs": [list(word) for word in evidence.inputs],
        "nodes": [_attended(node) for node in evidence.nodes],
    }


@evidence_document.register
def _(evidence: value_rows.NoValues) -> Json:
    terms = [[index, i, texts(weights)] for index, i, weights in evidence.terms]
    return {"kind": "no-values", "inputs": [list(word) for word in evidence.inputs], "terms": terms}


@evidence_document.register
def _(evidence: memory_lemmas.NoDuals) -> Json:
    terms = [[list(before), list(after), as_text(t)] for before, after, t in evidence.terms]
    return {"kind": "no-duals", "state": evidence.state, "terms": terms}


@evidence_document.register
def _(evidence: memory_lemmas.Moved) -> Json:
    return {"kind": "moved", "state": evidence.state, "input": list(evidence.word)}


@evidence_document.register
def _(evidence: memory_lemmas.PromptMasks) -> Json:
    return {"kind": "prompt-masks"}


@evidence_document.register
def _(evidence: memory_lemmas.PriorReaches) -> Json:
    return {"kind": "prior-reaches"}


@evidence_document.register
def _(evidence: memory_lemmas.PriorLacks) -> Json:
    return {"kind": "prior-lacks", "state": evidence.state}


@evidence_document.register
def _(evidence: memory_lemmas.PosteriorMoves) -> Json:
    return {"kind": "posterior-moves", "input": list(evidence.word)}


@evidence_document.register
def _(evidence: memory_lemmas.FirstReaches) -> Json:
    return {"kind": "first-reaches"}


@evidence_document.register
def _(evidence: memory_lemmas.PosteriorRemains) -> Json:
    return {"kind": "posterior-remains", "input": list(evidence.word)}


def _prompt(prompt: SoftPrompt) -> Json:
    return {"u": texts(prompt.u)}


def _nodes(tree: Tree) -> list[object]:
    return [_node(node) for node in tree]


def _node(node: PrefixNode) -> list[object]:
    match node:
        case Split(children):
            return ["split", list(children)]
        case Impossible():
            return ["impossible"]
        case Settled(label):
            return ["label", label]
        case Equal(scale, on_spans):
            return ["equal-on-spans" if on_spans else "equal", as_text(scale)]


def _region(node: Node) -> list[object]:
    match node:
        case Largest(children, zero):
            return ["largest", list(children), zero]
        case ZeroPrompt(word):
            return ["zero", word]
        case Sign(label, state, children):
            return ["sign", label, state, *children]
        case Halve(state, at, children):
            return ["halve", state, as_text(at), *children]
        case Excluded(constraints, parts):
            return ["motzkin", _constraints(constraints), [[label, h, texts(part)] for label, h, part in parts]]


def _attended(node: attended_sets.Node) -> list[object]:
    match node:
        case attended_sets.Attend(index, children):
            return ["attends", index, list(children)]
        case attended_sets.KeysExcluded(terms):
            return ["keys", [[index, i, other, as_text(t)] for index, i, other, t in terms]]
        case attended_sets.ValuesExcluded(constraints):
            return ["values", _constraints(constraints)]


def _constraints(constraints: Sequence[Constraint]) -> list[object]:
    return [[i, rival, as_text(multiplier)] for i, rival, multiplier in constraints]


def _spans(spans: Spans) -> Json:
    return {
        "of": list(spans.of),
        "spans": [_span(span) for span in spans.spans],
    }


def _span(span: Span) -> Json:
    return {"pivots": list(span.pivots), "basis": texts(span.basis)}
