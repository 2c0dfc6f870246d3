"""Checking a certificate: docs/certificate-format.md, section 1, and who checks which kind of claim."""

import hashlib
import json
from dataclasses import replace
from typing import cast

from verify.kernel.base.exact import Work
from verify.kernel.base.item import Item, Rejected
from verify.kernel.base.reading import load
from verify.kernel.claims import Claim
from verify.kernel.head_claims import check_head
from verify.kernel.hmm.model import read_model
from verify.kernel.memory.model import read_memory_model
from verify.kernel.model_file import MEMORY, check_same_model, kind_of
from verify.kernel.shape_claims import check_all_models
from verify.kernel.shapes.cases import is_shape
from verify.kernel.statement_claims import check_statement

VERSION = 2
CLAIMS = {
    "statement": ("statement", "status", "scope", "conclusion", "vacuous", "assumptions", "labels"),
    "head": ("statement", "head", "prompt", "conclusion"),
}


def check(text: str | bytes, model_text: str | bytes | None = None) -> Claim:
    """The claim of a certificate, if it follows; with `model_text`, if also it is about the model in that file.

    Otherwise raises Rejected, Unparseable (the certificate is not JSON) or BadModel (the model file is not one).
    """
    try:
        work = Work()
        parts = load(text, pay=work.read_number).fields("format", "version", "claim", "model", "evidence", "digest")
        parts["format"].one_of("headproof-certificate")
        check_version(parts["version"])
        check_digest(parts)
        rule = check_shape if is_shape(parts["model"]) else check_model
        claim = rule(parts["claim"], parts["model"], parts["evidence"], model_text, work)
    except MemoryError:
        raise Rejected("certificate", "more than the memory holds", "a smaller certificate") from None
    raw = cast(dict[str, object], parts["claim"].value)
    return replace(claim, raw=raw, of_file=model_text is not None)


def check_version(version: Item) -> None:
    """Version 1 meant something else by some of its claims."""
    if type(version.value) is int and version.value == 1:
        raise version.expected(f"{VERSION}: version 1 is no longer read; write the certificate anew")
    version.integer(VERSION, VERSION)


def check_digest(parts: dict[str, Item]) -> None:
    """The digest guards against accidents; a certificate is as true without it."""
    body = {key: item.value for key, item in parts.items() if key != "digest"}
    written = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    expected = "sha256:" + hashlib.sha256(written.encode()).hexdigest()
    if parts["digest"].value != expected:
        raise parts["digest"].expected(expected)


def check_model(claim: Item, model: Item, evidence: Item, model_text: str | bytes | None, work: Work) -> Claim:
    """A claim about one model; of a memory model it says in addition what H* is."""
    memory = kind_of(model) == MEMORY
    read = (read_memory_model if memory else read_model)(model, work)
    if model_text is not None:
        check_same_model(model, model_text)
    kind, fields = claim.tagged({kind: (*keys, *["recoverable"] * memory) for kind, keys in CLAIMS.items()})
    return (check_statement if kind == "statement" else check_head)(fields, evidence, read)


def check_shape(claim: Item, shape: Item, evidence: Item, model_text: str | bytes | None, work: Work) -> Claim:
    """A claim about all models of a shape."""
    if model_text is not None:
        raise shape.expected("the model in the file, not a shape")
    return check_all_models(shape, claim, evidence, work)
