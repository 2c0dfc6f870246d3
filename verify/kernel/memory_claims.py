"""Claims about statements on memory models: section 10 of docs/certificate-format.md, in the order of core.py."""

from collections.abc import Sequence
from typing import cast

from verify.kernel.base.exact import Work
from verify.kernel.base.reading import Item, Rejected
from verify.kernel.claims import ATTENTION, Claim
from verify.kernel.hmm.agreement import ONE_LABEL, check_one_label
from verify.kernel.hmm.assumptions import DECIDED, check_decided
from verify.kernel.hmm.words import read_input
from verify.kernel.memory.columns import check_recoverable_columns
from verify.kernel.memory.inputs_in_r import Supports, attended, check_no_input, supports_of
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory_statements import STATEMENTS
from verify.kernel.status import check_status, check_truths, supplied


def check_memory_statement(
    fields: dict[str, Item], raw: dict[str, object], evidence: Item, model: MemoryModel, work: Work
) -> Claim:
    """A claim about a statement and the memory model."""
    given = evidence.fields("assumptions", "conclusion", "constant")
    statement = fields["statement"].one_of(*STATEMENTS)
    conclusion = fields["conclusion"].one_of("holds", "fails", "undecided")
    rule = STATEMENTS[statement]
    held = check_truths(rule.assumptions, fields["assumptions"])
    recoverable = read_recoverable(fields["recoverable"], rule.speaks or held.get("C.5") is True, model)
    proofs = given["assumptions"].fields(*rule.assumptions)
    for name, value in held.items():
        if name in DECIDED:
            claimed = fields["assumptions"].fields(*rule.assumptions)[name]
            check_decided(name, claimed, proofs[name], model.chain, work)
        elif supplied(proofs[name], value is not None):
            check_recoverable_columns(name, proofs[name], value is True, model, recoverable, work)
    supports = supports_of(model, recoverable, work) if rule.on_r else None
    labels = check_labels(fields["labels"], supports, model, work)
    return Claim(
        kind="statement",
        statement=statement,
        conclusion=conclusion,
        model_name=model.joint.name,
        raw=raw,
        status=check_status(fields, held, conclusion),
        scope=fields["scope"].one_of("all-inputs"),
        vacuous=fields["vacuous"].truth(),
        assumptions=held,
        labels=labels,
        lengths=rule.rule(given["conclusion"], conclusion == "holds", model, recoverable, work)
        if supplied(given["conclusion"], conclusion != "undecided")
        else (),
        only_label=check_vacuous(statement, fields["vacuous"], labels, given["constant"], supports, model, work),
        recoverable=tuple(recoverable),
        on_r=rule.on_r,
    )


def read_recoverable(item: Item, wanted: bool, model: MemoryModel) -> list[int]:
    """H*, where the claim speaks of it: that of the task, if it has one."""
    if not wanted:
        if item.value is not None:
            raise item.expected("null, since the claim does not speak of H*")
        return []
    states = item.ascending(model.hidden)
    if model.recoverable is not None and states != model.recoverable:
        raise item.expected("the states that the task names")
    if not states or not set(states) <= set(model.readers):
        raise item.expected(f"states (j*, s), which are {model.readers[0]} to {model.readers[-1]}")
    return states


def check_labels(
    labels: Item, supports: Supports | None, model: MemoryModel, work: Work
) -> dict[str, Sequence[int] | None]:
    """An input for each label, or none; inputs in R for statements on R."""
    fields = labels.fields(*map(str, range(model.joint.labels)))
    for label in range(model.joint.labels):
        item = fields[str(label)]
        if item.value is None:
            continue
        x = read_input(item, model.joint, work)
        if x.label != label:
            raise Rejected(item.where, f"an input of label {x.label}", f"one of label {label}")
        if supports is not None and not attended(x.tokens, supports, work):
            raise Rejected(item.where, "an input that is not in R", "one in R")
    return {str(label): cast(list[int] | None, fields[str(label)].value) for label in range(model.joint.labels)}


def check_vacuous(
    statement: str,
    vacuous: Item,
    labels: dict[str, Sequence[int] | None],
    constant: Item,
    supports: Supports | None,
    model: MemoryModel,
    work: Work,
) -> int | None:
    """Whether R has no input, or one label is all there is; if so, returns that label."""
    theorem = statement in ATTENTION
    enough = sum(word is not None for word in labels.values()) >= (2 if theorem else 1)
    if supports is None:
        if vacuous.value is not False:
            raise vacuous.expected("false, as always for a lemma that is not on R")
    elif enough != (vacuous.value is False):
        raise vacuous.expected(f"false exactly where {'two labels have' if theorem else 'a label has'} an input")
    if not supplied(constant, vacuous.value is True) or supports is None:
        return None
    kind, _ = constant.tagged({"no-input-in-R": (), **({"one-label": ONE_LABEL} if theorem else {})})
    if kind == "one-label":
        return check_one_label(constant, model.joint, work)
    check_no_input(constant, supports, work)
    return None
