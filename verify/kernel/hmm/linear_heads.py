"""Statements 3.3 and 3.6, and claims about one head: sections 3, 5, 6 and 7 of docs/certificate-format.md."""

from collections.abc import Callable

from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.agreement import check_agreement
from verify.kernel.hmm.heads import read_head
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.no_linear_head import check_no_linear_head
from verify.kernel.hmm.no_prompted_head import check_no_prompted_head
from verify.kernel.hmm.words import read_input

NO_HEAD: dict[str, Callable[[Item, Model], tuple[int, ...]]] = {
    "3.3": check_no_linear_head,
    "3.6": check_no_prompted_head,
}


def check_some_head(statement: str, evidence: Item, holds: bool, model: Model) -> tuple[int, ...]:
    """That there is a head, by this one; or that there is none, with the lengths of the inputs that show it."""
    if not holds:
        return NO_HEAD[statement](evidence, model)
    fields = evidence.only("agreement", "head", "prompt", "nodes", "spans")
    head = read_head(fields["head"], fields["prompt"], statement, model)
    check_agreement(fields["nodes"], fields["spans"], head, model)
    return ()


def check_this_head(
    statement: str, given: Item, prompt: Item, evidence: Item, conclusion: str, model: Model
) -> tuple[int, ...]:
    """That this head serves all inputs; or that it does not, with the length of one."""
    head = read_head(given, prompt, statement, model)
    if conclusion == "holds":
        fields = evidence.only("agreement", "nodes", "spans")
        check_agreement(fields["nodes"], fields["spans"], head, model)
        return ()
    word = evidence.only("mislabelled", "input")["input"]
    x = read_input(word, model)
    if head.label(x.beta, model.work) == x.label:
        raise Rejected(word.where, f"an input that the head labels {x.label}, as the task", "another label")
    return (x.length,)
