"""The remarks on 3.1 and 3.5: section 9 of docs/certificate-format.md."""

from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.prompt_cover import check_cover


def check_size(evidence: Item, holds: bool, model: Model) -> tuple[int, ...]:
    """remark-3.1: at least as many tokens as states."""
    evidence.only("size")
    if holds != (model.states <= model.tokens):
        raise Rejected(evidence.where, f"{model.states} states and {model.tokens} tokens", "n <= k iff it holds")
    return ()


def check_covered(evidence: Item, holds: bool, model: Model) -> tuple[int, ...]:
    """remark-3.5: assumption 3.5 as a conclusion."""
    check_cover(evidence, holds, model)
    return ()
