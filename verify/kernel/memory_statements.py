"""The statements on memory models, section 10 of docs/certificate-format.md: their assumptions, and who checks what.

A rule takes the evidence, whether it is to show that the conclusion holds, and H* (empty where the claim has none,
whose statement then does not speak of it); where the conclusion fails, it returns the lengths of the words that show
it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from verify.kernel.base.exact import Work
from verify.kernel.base.reading import Item, Rejected
from verify.kernel.lemmas.no_keys import check_no_keys
from verify.kernel.lemmas.no_values import check_no_values
from verify.kernel.lemmas.shifted_time import (
    check_hidden_supports,
    check_impossible_scores,
    check_prompted_scores,
    check_shift,
)
from verify.kernel.memory.attention import check_attention
from verify.kernel.memory.columns import check_laws
from verify.kernel.memory.inputs_in_r import check_no_input, supports_of
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory.no_attention_head import check_no_attention_head
from verify.kernel.memory.no_prompted_attention_head import check_no_prompted_attention_head

Rule = Callable[[Item, bool, MemoryModel, Sequence[int], Work], tuple[int, ...]]


@dataclass(frozen=True)
class Statement:
    """Its assumptions, who checks its conclusion, and whether it is on R."""

    assumptions: tuple[str, ...]
    rule: Rule
    on_r: bool = False
    speaks: bool = True  # of H*


def check_head(
    statement: str, evidence: Item, holds: bool, model: MemoryModel, recoverable: Sequence[int], work: Work
) -> tuple[int, ...]:
    """A statement on R, by its head, or because R is empty; of some it can be shown that they fail."""
    if not holds:
        if statement not in FAILS:
            raise Rejected(evidence.where, f"evidence that {statement} fails", "none, as there is no rule for it")
        return FAILS[statement](evidence, model, recoverable, work)
    kind, _ = evidence.tagged({"attention": ("head", "prompt", "scale"), "no-input-in-R": ()})
    if kind == "no-input-in-R":
        check_no_input(evidence, supports_of(model, recoverable, work), work)
    else:
        check_attention(statement, evidence, model, recoverable, work)
    return ()


def check_always(
    kind: str, evidence: Item, holds: bool, model: MemoryModel, recoverable: Sequence[int], work: Work
) -> tuple[int, ...]:
    """C.1, C.7 and C.11, which are true of every model and cost no work: the section has the reasons."""
    if not holds:
        raise Rejected(evidence.where, "the claim that it fails", "that it holds, as it does on every model")
    evidence.only(kind)
    return ()


def without(rule: Callable[[Item, bool, MemoryModel, Work], tuple[int, ...]]) -> Rule:
    """A rule that does not depend on H*."""
    return lambda evidence, holds, model, _, work: rule(evidence, holds, model, work)


FAILS: dict[str, Callable[[Item, MemoryModel, Sequence[int], Work], tuple[int, ...]]] = {
    "4.3": check_no_attention_head,
    "C.2": partial(check_no_keys, "C.2"),
    "4.6": check_no_prompted_attention_head,
    "C.6": check_no_prompted_attention_head,
    "C.4": check_no_values,
    "C.9": partial(check_no_keys, "C.9"),
    "C.9:all-positions": partial(check_no_keys, "C.9:all-positions"),
}
ERGODIC = ("3.2:ergodic", "3.2:full-support")
PLAIN = ("4.2", *ERGODIC)
STATIONARY = (*ERGODIC, "4.4:stationary")
PROMPTED = (*STATIONARY, "C.5")
STATEMENTS = {
    "4.3": Statement(PLAIN, partial(check_head, "4.3"), on_r=True),
    "C.1": Statement(ERGODIC, partial(check_always, "messages"), speaks=False),
    "C.2": Statement(PLAIN, partial(check_head, "C.2"), on_r=True),
    "C.3": Statement(PLAIN, partial(check_laws, False)),
    "C.4": Statement(PLAIN, partial(check_head, "C.4"), on_r=True),
    "4.6": Statement((*STATIONARY, "4.5"), partial(check_head, "4.6"), on_r=True),
    "C.6": Statement(PROMPTED, partial(check_head, "C.6"), on_r=True),
    "C.7": Statement(ERGODIC, partial(check_always, "messages"), speaks=False),
    "C.8": Statement(STATIONARY, without(check_shift), speaks=False),
    "C.9": Statement(PROMPTED, partial(check_head, "C.9"), on_r=True),
    "C.9:all-positions": Statement(PROMPTED, partial(check_head, "C.9:all-positions"), on_r=True),
    "C.9:attends": Statement(PROMPTED, partial(check_head, "C.9:attends"), on_r=True),
    "C.10": Statement(PROMPTED, partial(check_laws, True)),
    "C.11": Statement(PROMPTED, partial(check_always, "prompt-masks"), speaks=False),
    "C.12": Statement(PROMPTED, without(check_hidden_supports), speaks=False),
    "C.13": Statement(PROMPTED, partial(check_head, "C.13"), on_r=True),
    "C.14": Statement(PROMPTED, without(check_prompted_scores), speaks=False),
    "C.15": Statement(PROMPTED, without(check_impossible_scores), speaks=False),
}
