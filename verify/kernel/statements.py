"""The statements of docs/certificate-format.md: what each assumes, and who checks what it concludes.

Theorems are decided by rules of hmm and memory alone, lemmas also by those of lemmas. (Claims about all models of a
shape, section 12, have rules of their own, in shapes.) A rule takes the evidence, whether it is to show that the
conclusion holds, and the model, or for a memory model the `Case`, with the H* of the claim. Where the conclusion fails,
it returns the lengths of the words that show it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from verify.kernel.base.item import Item
from verify.kernel.hmm.assumptions import check_recoverable
from verify.kernel.hmm.linear_heads import check_some_head
from verify.kernel.hmm.model import KIND as HMM
from verify.kernel.hmm.prompt_cover import check_cover
from verify.kernel.lemmas import attending
from verify.kernel.lemmas.diagonals import check_posteriors, check_prompted_outputs, check_prompted_posteriors
from verify.kernel.lemmas.inverse import check_inverse
from verify.kernel.lemmas.laws import check_laws
from verify.kernel.lemmas.messages import check_always, check_prompt_position
from verify.kernel.lemmas.no_keys import check_no_keys, check_no_prompted_keys
from verify.kernel.lemmas.no_values import check_no_values
from verify.kernel.lemmas.remarks import check_covered, check_size
from verify.kernel.lemmas.shifted_time import (
    check_hidden_supports,
    check_impossible_scores,
    check_prompted_scores,
    check_shift,
)
from verify.kernel.lemmas.zero_outputs import check_zero_outputs
from verify.kernel.memory.attention import Fails, Rules, check_on_r, serves, serves_behind
from verify.kernel.memory.columns import check_recoverable_columns
from verify.kernel.memory.model import KIND as MEMORY
from verify.kernel.memory.no_attention_head import check_no_attention_head
from verify.kernel.memory.no_prompted_attention_head import check_no_prompted_attention_head

Rule = Callable[[Item, bool, Any], tuple[int, ...]]


@dataclass(frozen=True)
class Statement:
    """A statement on models of one kind."""

    kind: str  # of its models
    assumptions: tuple[str, ...]
    rule: Rule
    head: str = ""  # of a theorem: what it says that there is
    on_r: bool = False  # whether it is on the inputs in R alone
    speaks: bool = False  # of H*
    of_inputs: bool = True  # whether it speaks of inputs


REGULAR = ("3.2:ergodic", "3.2:full-support")
PLAIN = ("4.2", *REGULAR)
STATIONARY = (*REGULAR, "4.4:stationary")
PROMPTED = (*STATIONARY, "C.5")

vanilla, memory = partial(Statement, HMM), partial(Statement, MEMORY)


def on_r(assumptions: tuple[str, ...], rules: Rules, fails: Fails | None = None, head: str = "") -> Statement:
    """A statement on the inputs in R of a memory model."""
    return memory(assumptions, partial(check_on_r, rules, fails), head, on_r=True, speaks=True)


MESSAGES = partial(check_always, "messages")
BEHIND = serves_behind, check_no_prompted_attention_head, "prompt with an attention head"
STATEMENTS = {
    "3.3": vanilla(("3.1", *REGULAR), partial(check_some_head, "3.3"), "linear head"),
    "3.6": vanilla((*REGULAR, "3.5"), partial(check_some_head, "3.6"), "prompt with a linear head"),
    "message-passing": vanilla(REGULAR, MESSAGES),
    "footnote-1": vanilla(REGULAR, MESSAGES),
    "3.4": vanilla(("3.1",), check_inverse),
    "A.1": vanilla(REGULAR, check_posteriors),
    "section-3.1": vanilla(REGULAR, check_prompt_position),
    "B.1": vanilla(REGULAR, MESSAGES),
    "B.2": vanilla(REGULAR, check_prompted_posteriors),
    "eq-3.3": vanilla(REGULAR, check_prompted_outputs),
    "3.6:zero": vanilla((*REGULAR, "3.5"), check_zero_outputs),
    "remark-3.1": vanilla(("3.1",), check_size, of_inputs=False),
    "remark-3.5": vanilla(("3.1", *REGULAR), check_covered, of_inputs=False),
    "4.3": on_r(PLAIN, serves, check_no_attention_head, "attention head"),
    "C.1": memory(REGULAR, MESSAGES),
    "C.2": on_r(PLAIN, attending.attends, check_no_keys),
    "C.3": memory(PLAIN, partial(check_laws, False), speaks=True),
    "C.4": on_r(PLAIN, attending.values, check_no_values),
    "4.6": on_r((*STATIONARY, "4.5"), *BEHIND),
    "C.6": on_r(PROMPTED, *BEHIND),
    "C.7": memory(REGULAR, MESSAGES),
    "C.8": memory(STATIONARY, check_shift),
    "C.9": on_r(PROMPTED, attending.attends_to_the_letter, partial(check_no_prompted_keys, False)),
    "C.9:all-positions": on_r(PROMPTED, attending.attends_at_all_positions, partial(check_no_prompted_keys, True)),
    "C.9:attends": on_r(PROMPTED, attending.attends_behind),
    "C.10": memory(PROMPTED, partial(check_laws, True), speaks=True),
    "C.11": memory(PROMPTED, partial(check_always, "prompt-masks")),
    "C.12": memory(PROMPTED, check_hidden_supports),
    "C.13": on_r(PROMPTED, attending.values_behind),
    "C.14": memory(PROMPTED, check_prompted_scores),
    "C.15": memory(PROMPTED, check_impossible_scores),
}
ASSUMPTIONS: dict[str, Callable[[Item, bool, Any], None]] = {  # those that need evidence
    "3.1": check_recoverable,
    "3.5": check_cover,
    **{name: partial(check_recoverable_columns, name) for name in ("4.2", "4.5", "C.5")},
}


def theorems(kind: str) -> list[str]:
    """Those on models of a kind."""
    return [name for name, statement in STATEMENTS.items() if statement.kind == kind and statement.head]
