"""Checking a certificate: sections 1, 3 and 4 of docs/certificate-format.md.

A claim is checked part by part. Some parts follow from other parts of the claim: this file checks that they do. The
kernel decides some assumptions from the model alone. Any other part needs evidence, which a rule of another file checks
against the model.

Notation: verify/kernel/hmm/__init__.py.
"""

import hashlib
import json
from dataclasses import replace
from typing import cast

from verify.kernel.base.exact import Work
from verify.kernel.base.item import Fields, Item, Rejected
from verify.kernel.base.reading import load
from verify.kernel.claims import Claim
from verify.kernel.hmm.agreement import ONE_LABEL, check_one_label
from verify.kernel.hmm.agreement import check_this_head as check_linear_head
from verify.kernel.hmm.assumptions import DECIDED
from verify.kernel.hmm.margins import check_margin
from verify.kernel.hmm.model import Model, read_model
from verify.kernel.hmm.words import read_input
from verify.kernel.memory.attention_heads import check_this_head as check_attention_head
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory.read_model import read_memory_model
from verify.kernel.model_file import HMM, MEMORY, check_same_model, kind_of
from verify.kernel.statements import ASSUMPTIONS, STATEMENTS, Statement

VERSION = 2
CLAIM_KEYS = {
    "statement": ("statement", "status", "scope", "conclusion", "vacuous", "assumptions", "labels"),
    "head": ("statement", "head", "prompt", "conclusion"),
    "margin": ("statement", "head", "prompt", "error", "ties", "except"),
}

AnyModel = Model | MemoryModel
Labels = dict[str, list[int] | None]


def check(text: str | bytes, model_text: str | bytes | None = None) -> Claim:
    """Check a certificate and return its claim.

    If `model_text`, the text of a model file, is given, the certificate must be about the model of that file.

    Raise Rejected if the claim does not follow, Unparseable if the certificate is not JSON, and BadModel if
    `model_text` is not the text of a model file.
    """
    try:
        work = Work()
        parts = load(text, pay=work.read_number).fields("format", "version", "claim", "model", "evidence", "digest")
        parts["format"].one_of("headproof-certificate")
        version = parts["version"]
        old = type(version.value) is int and version.value == 1  # some of its claims meant something else
        version.must(not old, f"{VERSION}: version 1 is no longer read; write the certificate anew")
        version.integer(VERSION, VERSION)
        check_digest(parts)
        return check_model(parts["claim"], parts["model"], parts["evidence"], model_text, work)
    except MemoryError:
        raise Rejected("certificate", "more than the memory holds", "a smaller certificate") from None


def check_digest(parts: Fields) -> None:
    """Check the digest. It guards against accidents only: no claim depends on it."""
    body = {key: item.value for key, item in parts.items() if key != "digest"}
    written = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    expected = "sha256:" + hashlib.sha256(written.encode()).hexdigest()
    parts["digest"].must(parts["digest"].value == expected, expected)


def check_model(claim: Item, item: Item, evidence: Item, model_text: str | bytes | None, work: Work) -> Claim:
    """Check a claim about the model in `item`. A claim about a memory model has one key more, "recoverable": H*."""
    memory = kind_of(item) == MEMORY
    model = (read_memory_model if memory else read_model)(item, work)
    of_file = model_text is not None
    own_task = model_text is not None and not check_same_model(item, model_text)
    kinds = {kind: (*keys, *["recoverable"] * memory) for kind, keys in CLAIM_KEYS.items()}
    kind, values = claim.tagged(kinds)
    fields = dict(zip(kinds[kind], values, strict=True))
    rules = {"statement": check_statement, "head": check_head, "margin": check_this_margin}
    raw = cast(dict[str, object], claim.value)
    return replace(rules[kind](fields, evidence, model), raw=raw, of_file=of_file, own_task=own_task)


def open_claim(kind: str, name: Item, model: AnyModel) -> tuple[Statement, Claim]:
    """Return the statement that a claim names, and an unfinished Claim, to which the caller adds the checked fields.

    The statement must be about models like `model`, vanilla or with memory. A claim of kind "head" or "margin" must
    name a theorem: a statement which says that some head labels the inputs.
    """
    models = MEMORY if isinstance(model, MemoryModel) else HMM
    names = [key for key, entry in STATEMENTS.items() if entry.kind == models and (entry.head or kind == "statement")]
    statement = STATEMENTS[name.one_of(*names)]
    return statement, Claim(kind, name.text(), "holds", model.name, statement.head, statement.on_r, statement.of_inputs)


def check_head(claim: Fields, evidence: Item, model: AnyModel) -> Claim:
    """Check a claim that a given head serves all inputs, or that it does not serve some input.

    A claim about an attention head is about the inputs in R; it is vacuous if the evidence shows that R is empty. A
    claim about a linear head is never vacuous.
    """
    statement, opening = open_claim("head", claim["statement"], model)
    conclusion, empty = claim["conclusion"].one_of("holds", "fails"), False
    if isinstance(model, MemoryModel) and statement.requirements:
        model = model.with_recoverable(claim["recoverable"], True)
        empty, lengths = check_attention_head(statement.requirements, claim, evidence, model)
    else:
        lengths = check_linear_head(claim, evidence, model.joint)
    return replace(
        opening, conclusion=conclusion, vacuous=empty or None, lengths=lengths, recoverable=model.recoverable
    )


def check_this_margin(claim: Fields, evidence: Item, model: AnyModel) -> Claim:
    """Check a claim that a linear head serves inputs even if the outputs that it reads have an error: section 13."""
    claim["statement"].one_of("3.3", "3.6")
    _, opening = open_claim("margin", claim["statement"], model)
    check_margin(claim, evidence, model.joint)
    but_for = claim["ties"].value is True, claim["except"].text()
    return replace(opening, error=claim["error"].text(), but_for=but_for)


def check_statement(claim: Fields, evidence: Item, model: AnyModel) -> Claim:
    """Check a claim that a statement is proved or refuted on this model, or not applicable to it."""
    assumptions, proof, constant = evidence.parts("assumptions", "conclusion", "constant")
    statement, opening = open_claim("statement", claim["statement"], model)
    conclusion = claim["conclusion"].one_of("holds", "fails", "undecided")
    values = claim["assumptions"].fields(*statement.assumptions)
    truths = {name: values[name].truth() for name in statement.assumptions}
    if isinstance(model, MemoryModel):
        model = model.with_recoverable(claim["recoverable"], statement.has_recoverable or truths.get("C.5") is True)
    check_assumptions(values, assumptions.fields(*statement.assumptions), model)
    labels = check_labels(claim["labels"], statement, model)
    status, scope = check_status(claim, truths, conclusion), claim["scope"].one_of("all-inputs")
    vacuous, lengths = claim["vacuous"].truth(), None
    if proof.supplied(conclusion != "undecided"):
        rule = statement.holds if conclusion == "holds" else statement.fails
        lengths = rule(proof, model)
    return replace(
        opening,
        conclusion=conclusion,
        status=status,
        scope=scope,
        vacuous=vacuous,
        assumptions=truths,
        labels=labels,
        lengths=lengths or (),
        only_label=check_vacuous(statement, claim["vacuous"], labels, constant, model),
        recoverable=model.recoverable,
    )


def check_assumptions(claimed: Fields, evidence: Fields, model: AnyModel) -> None:
    """Check the claim about each assumption: true (it holds), false (it is violated) or null (undecided).

    The kernel decides the assumptions in `DECIDED` itself: for these, reject null, and any evidence.
    """
    for name, item in claimed.items():
        if name in DECIDED:
            evidence[name].supplied(False)
            decision = DECIDED[name](model.chain)
            item.must(item.value is decision, "true" if decision else "false")
        elif evidence[name].supplied(item.value is not None):
            holds, violated = ASSUMPTIONS[name]
            (holds if item.value is True else violated)(evidence[name], model)


def check_status(claim: Fields, truths: dict[str, bool | None], conclusion: str) -> str:
    """Check that the status follows from the assumptions and the conclusion; return it."""
    if False in truths.values():
        return claim["status"].one_of("not-applicable")
    claim["assumptions"].must(None not in truths.values(), "one violated, or all decided", "null without a false")
    claim["conclusion"].must(conclusion != "undecided", "a decision, since all assumptions hold")
    return claim["status"].one_of("proved" if conclusion == "holds" else "refuted")


def check_labels(labels: Item, statement: Statement, model: AnyModel) -> Labels:
    """Return for each label the input that the claim names for it, or None where the claim has null.

    Check that this input has the label, and that it is in R if the statement is on R.
    """
    fields = labels.fields(*map(str, range(model.labels)))
    words: Labels = {}
    for label in range(model.labels):
        item = fields[str(label)]
        words[str(label)] = cast(list[int] | None, item.value)
        if item.value is not None:
            x = read_input(item, model.joint)
            item.must(x.label == label, f"one of label {label}", f"an input of label {x.label}")
            if statement.on_r and isinstance(model, MemoryModel):
                model.supports.attended_in_r(item, x.tokens)
    return words


def check_vacuous(statement: Statement, vacuous: Item, labels: Labels, constant: Item, model: AnyModel) -> int | None:
    """Check `vacuous`: false, true or null, which means undecided. Return the label that all inputs have, if shown.

    A theorem is vacuous if all its inputs have one label, or if it is on R and R is empty, so that it has no inputs. A
    lemma on R is vacuous if R is empty; any other lemma is never vacuous. The claim must say false exactly where
    `labels` names inputs of two labels (theorem) or one input (lemma on R). Where the claim says true, the evidence
    `constant` must show that the statement is vacuous. If this evidence is that all inputs have one label, the label is
    returned, otherwise None.
    """
    enough = sum(word is not None for word in labels.values()) >= (2 if statement.head else 1)
    if statement.head or statement.on_r:
        some = "two labels have" if statement.head else "a label has"
        vacuous.must(enough == (vacuous.value is False), f"false exactly where {some} an input")
    else:
        only = " that is not on R" * (statement.kind == MEMORY)
        vacuous.must(vacuous.value is False, f"false, as always for a lemma{only}")
    if not constant.supplied(vacuous.value is True):
        return None
    kinds: dict[str, tuple[str, ...]] = {"no-input-in-R": ()} if statement.on_r else {}
    kind, parts = constant.tagged(kinds | ({"one-label": ONE_LABEL} if statement.head else {}))
    if kind == "one-label":
        return check_one_label(parts, model.joint)
    if isinstance(model, MemoryModel):
        model.supports.check_no_input(constant)
    return None
