"""The lemmas of section 9 of docs/certificate-format.md: their assumptions, and who checks what they conclude.

A rule takes the evidence and whether it is to show that the conclusion holds; where the conclusion fails, it returns
the lengths of the words that show it.
"""

from collections.abc import Callable

from verify.kernel.base.exact import Work
from verify.kernel.base.reading import Item, Rejected
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.prompt_cover import check_cover
from verify.kernel.lemmas.diagonals import check_posteriors, check_prompted_outputs, check_prompted_posteriors
from verify.kernel.lemmas.inverse import check_inverse
from verify.kernel.lemmas.messages import check_messages, check_prompt_position
from verify.kernel.lemmas.zero_outputs import check_zero_outputs

Rule = Callable[[Item, bool, Model, Work], tuple[int, ...]]


def check_size(evidence: Item, holds: bool, model: Model, work: Work) -> tuple[int, ...]:
    """remark-3.1: at least as many tokens as states."""
    evidence.only("size")
    if holds != (model.states <= model.tokens):
        raise Rejected(evidence.where, f"{model.states} states and {model.tokens} tokens", "n <= k iff it holds")
    return ()


def check_covered(evidence: Item, holds: bool, model: Model, work: Work) -> tuple[int, ...]:
    """remark-3.5: assumption 3.5 as a conclusion."""
    check_cover(evidence, holds, model, work)
    return ()


ERGODIC = ("3.2:ergodic", "3.2:full-support")
LEMMAS: dict[str, tuple[tuple[str, ...], Rule]] = {
    "message-passing": (ERGODIC, check_messages),
    "footnote-1": (ERGODIC, check_messages),
    "3.4": (("3.1",), check_inverse),
    "A.1": (ERGODIC, check_posteriors),
    "section-3.1": (ERGODIC, check_prompt_position),
    "B.1": (ERGODIC, check_messages),
    "B.2": (ERGODIC, check_prompted_posteriors),
    "eq-3.3": (ERGODIC, check_prompted_outputs),
    "3.6:zero": ((*ERGODIC, "3.5"), check_zero_outputs),
    "remark-3.1": (("3.1",), check_size),
    "remark-3.5": (("3.1", *ERGODIC), check_covered),
}
