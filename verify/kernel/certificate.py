"""Checking a certificate: docs/certificate-format.md, sections 1 and 3, and which evidence a claim needs (4 to 7, 9).

Claims about memory models, section 10, are those of memory_claims.py and attention_heads.py; those about all models of
a shape, section 12, are in all_models.py.

A claim is accepted part by part: whatever it says either follows here from its other parts, or is shown by evidence
that one of the other files checks against the model.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import cast

from verify.kernel.base.exact import Work
from verify.kernel.base.reading import Item, Rejected, load
from verify.kernel.claims import Claim
from verify.kernel.hmm.agreement import check_agreement, check_one_label
from verify.kernel.hmm.assumptions import DECIDED, check_decided, check_recoverable
from verify.kernel.hmm.heads import read_head
from verify.kernel.hmm.model import Model, read_model
from verify.kernel.hmm.no_linear_head import check_no_linear_head
from verify.kernel.hmm.no_prompted_head import check_no_prompted_head
from verify.kernel.hmm.prompt_cover import check_cover
from verify.kernel.hmm.words import read_input
from verify.kernel.memory.attention_heads import check_attention_head
from verify.kernel.memory.model import MemoryModel, read_memory_model
from verify.kernel.memory_claims import check_memory_statement
from verify.kernel.model_file import check_same_model, kind_of
from verify.kernel.shapes.all_models import check_all_models
from verify.kernel.shapes.cases import is_shape
from verify.kernel.status import check_status, check_truths, supplied
from verify.kernel.vanilla_statements import LEMMAS

VERSION = 2
RULES: dict[str, Callable[[Item, bool, Model, Work], None]] = {"3.1": check_recoverable, "3.5": check_cover}
THEOREMS = {
    "3.3": ("3.1", "3.2:ergodic", "3.2:full-support"),
    "3.6": ("3.2:ergodic", "3.2:full-support", "3.5"),
}
ASSUMPTIONS = THEOREMS | {lemma: assumptions for lemma, (assumptions, _) in LEMMAS.items()}
NO_HEAD = {"3.3": check_no_linear_head, "3.6": check_no_prompted_head}
CLAIMS = {
    "statement": ("statement", "status", "scope", "conclusion", "vacuous", "assumptions", "labels"),
    "head": ("statement", "head", "prompt", "conclusion"),
}
MEMORY_CLAIMS = {kind: (*keys, "recoverable") for kind, keys in CLAIMS.items()}


def check(text: str | bytes, model_text: str | bytes | None = None) -> Claim:
    """The claim of a certificate, if it follows; with `model_text`, if also it is about the model in that file.

    Otherwise raises Rejected, Unparseable (the certificate is not JSON) or BadModel (the model file is not one).
    """
    try:
        work = Work()
        document = load(text, pay=work.read_number)
        parts = document.fields("format", "version", "claim", "model", "evidence", "digest")
        parts["format"].one_of("headproof-certificate")
        check_version(parts["version"])
        check_digest(parts)
        if is_shape(parts["model"]):
            if model_text is not None:
                raise parts["model"].expected("the model in the file, not a shape")
            claim_of_shape = cast(dict[str, object], parts["claim"].value)
            return check_all_models(parts["model"], parts["claim"], parts["evidence"], claim_of_shape, work)
        read = read_memory_model if kind_of(parts["model"]) == "memory-hmm" else read_model
        model: Model | MemoryModel = read(parts["model"], work)
        if model_text is not None:
            check_same_model(parts["model"], model_text)
        memory = isinstance(model, MemoryModel)
        kind, claim = parts["claim"].tagged(MEMORY_CLAIMS if memory else CLAIMS)
        raw, evidence = cast(dict[str, object], parts["claim"].value), parts["evidence"]
        if isinstance(model, MemoryModel):
            memory_rule = check_memory_statement if kind == "statement" else check_attention_head
            return replace(memory_rule(claim, raw, evidence, model, work), of_file=model_text is not None)
        rule = check_statement if kind == "statement" else check_head
        return replace(rule(claim, raw, evidence, model, work), of_file=model_text is not None)
    except MemoryError:
        raise Rejected("certificate", "more than the memory holds", "a smaller certificate") from None


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


def check_statement(claim: dict[str, Item], raw: dict[str, object], evidence: Item, model: Model, work: Work) -> Claim:
    """A claim about a statement and the model."""
    given = evidence.fields("assumptions", "conclusion", "constant")
    statement = claim["statement"].one_of(*ASSUMPTIONS)
    conclusion = claim["conclusion"].one_of("holds", "fails", "undecided")
    assumptions = check_assumptions(statement, claim["assumptions"], given["assumptions"], model, work)
    labels = check_labels(claim["labels"], model, work)
    return Claim(
        kind="statement",
        statement=statement,
        conclusion=conclusion,
        model_name=model.name,
        raw=raw,
        status=check_status(claim, assumptions, conclusion),
        scope=claim["scope"].one_of("all-inputs"),
        vacuous=claim["vacuous"].truth(),
        assumptions=assumptions,
        labels=labels,
        lengths=check_conclusion(statement, conclusion, given["conclusion"], model, work),
        only_label=check_vacuous(statement, claim["vacuous"], labels, given["constant"], model, work),
    )


def check_assumptions(
    statement: str, claimed: Item, evidence: Item, model: Model, work: Work
) -> dict[str, bool | None]:
    """Which assumptions hold (true), are violated (false), or are not decided (null)."""
    names = ASSUMPTIONS[statement]
    held, given = check_truths(names, claimed), evidence.fields(*names)
    for name, value in held.items():
        if name in DECIDED:
            check_decided(name, claimed.fields(*names)[name], given[name], model, work)
        elif supplied(given[name], value is not None):
            RULES[name](given[name], value is True, model, work)
    return held


def check_conclusion(statement: str, conclusion: str, evidence: Item, model: Model, work: Work) -> tuple[int, ...]:
    """Whether there is a head, or a lemma's conclusion is so; if not, returns the lengths of the words that show it."""
    if not supplied(evidence, conclusion != "undecided"):
        return ()
    if statement in LEMMAS:
        _, rule = LEMMAS[statement]
        return rule(evidence, conclusion == "holds", model, work)
    if conclusion == "fails":
        return NO_HEAD[statement](evidence, model, work)
    fields = evidence.only("agreement", "head", "prompt", "nodes", "spans")
    head = read_head(fields["head"], fields["prompt"], statement, model, work)
    check_agreement(fields["nodes"], fields["spans"], head, model, work)
    return ()


def check_labels(labels: Item, model: Model, work: Work) -> dict[str, list[int] | None]:
    """An input for each label, or none."""
    fields = labels.fields(*map(str, range(model.labels)))
    for label in range(model.labels):
        item = fields[str(label)]
        found = label if item.value is None else read_input(item, model, work).label
        if found != label:
            raise Rejected(item.where, f"an input of label {found}", f"one of label {label}")
    return {str(label): cast(list[int] | None, fields[str(label)].value) for label in range(model.labels)}


def check_vacuous(
    statement: str, vacuous: Item, labels: dict[str, list[int] | None], constant: Item, model: Model, work: Work
) -> int | None:
    """Whether one label is all there is; if so, returns that label. A lemma speaks of all inputs, whatever theirs."""
    several = sum(word is not None for word in labels.values()) >= 2
    if statement in LEMMAS:
        if vacuous.value is not False:
            raise vacuous.expected("false, as always for a lemma")
    elif several != (vacuous.value is False):
        raise vacuous.expected("false exactly where two labels have an input")
    return check_one_label(constant, model, work) if supplied(constant, vacuous.value is True) else None


def check_head(claim: dict[str, Item], raw: dict[str, object], evidence: Item, model: Model, work: Work) -> Claim:
    """A claim about one head."""
    statement = claim["statement"].one_of(*THEOREMS)
    conclusion = claim["conclusion"].one_of("holds", "fails")
    head = read_head(claim["head"], claim["prompt"], statement, model, work)
    lengths: tuple[int, ...] = ()
    if conclusion == "holds":
        given = evidence.only("agreement", "nodes", "spans")
        check_agreement(given["nodes"], given["spans"], head, model, work)
    else:
        word = evidence.only("mislabelled", "input")["input"]
        found = read_input(word, model, work)
        if head.label(found.beta, work) == found.label:
            raise Rejected(word.where, f"an input that the head labels {found.label}, as the task", "another label")
        lengths = (found.length,)
    return Claim("head", statement, conclusion, model.name, raw, lengths=lengths)
