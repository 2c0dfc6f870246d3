"""Claims about statements: sections 3, 4, 9 and 10 of docs/certificate-format.md, for models of both kinds.

A claim is accepted part by part: whatever it says either follows here from its other parts, or is shown by evidence
that a rule of another file checks against the model.
"""

from typing import cast

from verify.kernel.base.item import Item, Rejected
from verify.kernel.claims import Claim
from verify.kernel.hmm.agreement import ONE_LABEL, check_one_label
from verify.kernel.hmm.assumptions import DECIDED, check_decided
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.words import read_input
from verify.kernel.memory.inputs_in_r import attended_in_r, check_no_input
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory.supports import Case, read_case
from verify.kernel.model_file import HMM, MEMORY
from verify.kernel.statements import ASSUMPTIONS, STATEMENTS, Statement

Labels = dict[str, list[int] | None]


def check_statement(claim: dict[str, Item], evidence: Item, model: Model | MemoryModel) -> Claim:
    """A claim about a statement and the model."""
    given = evidence.fields("assumptions", "conclusion", "constant")
    kind = MEMORY if isinstance(model, MemoryModel) else HMM
    name = claim["statement"].one_of(*(name for name, statement in STATEMENTS.items() if statement.kind == kind))
    conclusion = claim["conclusion"].one_of("holds", "fails", "undecided")
    statement, values = STATEMENTS[name], claim["assumptions"].fields(*STATEMENTS[name].assumptions)
    held = {assumption: values[assumption].truth() for assumption in statement.assumptions}
    if isinstance(model, MemoryModel):
        model = read_case(claim["recoverable"], statement.speaks or held.get("C.5") is True, model)
    check_assumptions(values, given["assumptions"].fields(*statement.assumptions), model)
    labels = check_labels(claim["labels"], statement, model)
    return Claim(
        kind="statement",
        statement=name,
        conclusion=conclusion,
        model_name=model.joint.name,
        status=check_status(claim, held, conclusion),
        scope=claim["scope"].one_of("all-inputs"),
        vacuous=claim["vacuous"].truth(),
        assumptions=held,
        labels=labels,
        lengths=statement.rule(given["conclusion"], conclusion == "holds", model)
        if given["conclusion"].supplied(conclusion != "undecided")
        else (),
        only_label=check_vacuous(statement, claim["vacuous"], labels, given["constant"], model),
        recoverable=tuple(model.recoverable) if isinstance(model, Case) else (),
    )


def check_assumptions(claimed: dict[str, Item], evidence: dict[str, Item], model: Model | MemoryModel) -> None:
    """Which assumptions hold (true), are violated (false), or are not decided (null)."""
    for name, item in claimed.items():
        if name in DECIDED:
            check_decided(name, item, evidence[name], model.chain)
        elif evidence[name].supplied(item.value is not None):
            ASSUMPTIONS[name](evidence[name], item.value is True, model)


def check_status(claim: dict[str, Item], held: dict[str, bool | None], conclusion: str) -> str:
    """The status follows from the assumptions and the conclusion, where there is one."""
    if False in held.values():
        return claim["status"].one_of("not-applicable")
    if None in held.values():
        raise Rejected(claim["assumptions"].where, "null without a false", "one violated, or all decided")
    if conclusion == "undecided":
        raise claim["conclusion"].expected("a decision, since all assumptions hold")
    return claim["status"].one_of("proved" if conclusion == "holds" else "refuted")


def check_labels(labels: Item, statement: Statement, model: Model | MemoryModel) -> Labels:
    """An input for each label, or none; inputs in R for statements on R."""
    fields = labels.fields(*map(str, range(model.joint.labels)))
    for label in range(model.joint.labels):
        item = fields[str(label)]
        if item.value is None:
            continue
        x = read_input(item, model.joint)
        if x.label != label:
            raise Rejected(item.where, f"an input of label {x.label}", f"one of label {label}")
        if statement.on_r and isinstance(model, Case):
            attended_in_r(item.where, x.tokens, model)
    return {str(label): cast(list[int] | None, fields[str(label)].value) for label in range(model.joint.labels)}


def check_vacuous(
    statement: Statement, vacuous: Item, labels: Labels, constant: Item, model: Model | MemoryModel
) -> int | None:
    """Whether R has no input, or one label is all there is; if so, returns that label."""
    enough = sum(word is not None for word in labels.values()) >= (2 if statement.head else 1)
    if statement.head or statement.on_r:
        if enough != (vacuous.value is False):
            some = "two labels have" if statement.head else "a label has"
            raise vacuous.expected(f"false exactly where {some} an input")
    elif vacuous.value is not False:
        raise vacuous.expected("false, as always for a lemma" + " that is not on R" * (statement.kind == MEMORY))
    if not constant.supplied(vacuous.value is True):
        return None
    kinds = {"no-input-in-R": ()} if statement.on_r else {}
    kind, _ = constant.tagged({**kinds, **({"one-label": ONE_LABEL} if statement.head else {})})
    if kind == "one-label":
        return check_one_label(constant, model.joint)
    if isinstance(model, Case):
        check_no_input(constant, model)
    return None
