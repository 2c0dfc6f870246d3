"""The statements of docs/certificate-format.md: what each assumes, and who checks what it concludes.

Theorems are decided by rules of hmm and memory alone, lemmas also by those of lemmas. A rule takes the evidence and
the model, and returns the lengths of the words that show that a conclusion fails, where words do.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from verify.kernel.base.item import Item
from verify.kernel.hmm.agreement import check_some_head
from verify.kernel.hmm.assumptions import check_cover, check_dependent, check_independent, check_no_cover
from verify.kernel.hmm.model import KIND as HMM
from verify.kernel.hmm.near_border import check_near_border
from verify.kernel.hmm.no_linear_head import check_no_linear_head, check_no_prompted_head
from verify.kernel.lemmas import diagonals, keys_and_values, laws, messages, shifted_time, zero_outputs
from verify.kernel.memory.attention import Asks
from verify.kernel.memory.columns import check_dual_vectors, check_unrecoverable
from verify.kernel.memory.model import KIND as MEMORY
from verify.kernel.memory.no_attention_head import check_no_attention_head
from verify.kernel.memory.no_prompted_attention_head import check_no_prompted_attention_head

Rule = Callable[[Item, Any], tuple[int, ...] | None]


@dataclass(frozen=True)
class Statement:
    """A statement on models of one kind."""

    kind: str  # of its models
    assumptions: tuple[str, ...]
    holds: Rule
    fails: Rule
    head: str = ""  # of a theorem: what it says that there is
    asks: Asks | None = None  # of an attention head; then the statement is on the inputs in R alone
    speaks: bool = False  # of H*
    of_inputs: bool = True  # whether it speaks of inputs

    @property
    def on_r(self) -> bool:
        """Whether it is on the inputs in R alone."""
        return self.asks is not None


NEVER = partial(messages.never, "the claim that it holds", "that it fails, as it does on every model")
NO_RULE = partial(messages.never, "evidence that it fails", "none, as there is no rule for it")

vanilla, memory = partial(Statement, HMM), partial(Statement, MEMORY)


def on_r(assumptions: tuple[str, ...], asks: Asks, fails: Rule, head: str = "") -> Statement:
    """A statement on the inputs in R of a memory model."""
    return memory(assumptions, asks.check_evidence, fails, head, asks, speaks=True)


def always(kind: str) -> tuple[Rule, Rule]:
    """The rules of a lemma that is true of every model."""
    never = partial(messages.never, "the claim that it fails", "that it holds, as it does on every model")
    return partial(messages.check_always, kind), never


ASSUMPTIONS: dict[str, tuple[Rule, Rule]] = {  # those that need evidence, and their violation
    "3.1": (check_independent, check_dependent),
    "3.5": (check_cover, check_no_cover),
    **{name: (partial(check_dual_vectors, name), partial(check_unrecoverable, name)) for name in ("4.2", "4.5", "C.5")},
}
REGULAR = ("3.2:ergodic", "3.2:full-support")
PLAIN = ("4.2", *REGULAR)
STATIONARY = (*REGULAR, "4.4:stationary")
PROMPTED = (*STATIONARY, "C.5")

NO_PROMPT = {
    "no-prompted-head": ("inputs", "nodes"),
    "near-border": ("inputs", "first", "signed", "sizes", "bounds", "nodes"),
}


def check_no_prompt(evidence: Item, model: Any) -> tuple[int, ...]:
    """3.6, fails: by regions of prompts and heads, or by inputs near the border."""
    kind, members = evidence.tagged(NO_PROMPT)
    return (check_near_border if kind == "near-border" else check_no_prompted_head)(model, *members)


BEHIND = check_no_prompted_attention_head, "prompt with an attention head"
PROOF = partial(Asks, prompted=True, proof=True)
STATEMENTS = {
    "3.3": vanilla(("3.1", *REGULAR), partial(check_some_head, "3.3"), check_no_linear_head, "linear head"),
    "3.6": vanilla((*REGULAR, "3.5"), partial(check_some_head, "3.6"), check_no_prompt, "prompt with a linear head"),
    "message-passing": vanilla(REGULAR, *always("messages")),
    "footnote-1": vanilla(REGULAR, *always("messages")),
    "3.4": vanilla(("3.1",), laws.check_inverse, laws.check_no_inverse),
    "A.1": vanilla(REGULAR, diagonals.check_posteriors, diagonals.check_no_posteriors),
    "section-3.1": vanilla(REGULAR, NEVER, messages.check_prompt_position),
    "B.1": vanilla(REGULAR, *always("messages")),
    "B.2": vanilla(REGULAR, diagonals.check_prior_covers, diagonals.check_prior_misses),
    "eq-3.3": vanilla(REGULAR, diagonals.check_prior_covers, diagonals.check_no_output_diagonal),
    "3.6:zero": vanilla((*REGULAR, "3.5"), zero_outputs.check_zero_outputs, zero_outputs.check_unreached),
    "remark-3.1": vanilla(
        ("3.1",), partial(messages.check_size, True), partial(messages.check_size, False), of_inputs=False
    ),
    "remark-3.5": vanilla(("3.1", *REGULAR), *ASSUMPTIONS["3.5"], of_inputs=False),
    "4.3": on_r(PLAIN, Asks("4.3"), check_no_attention_head, "attention head"),
    "C.1": memory(REGULAR, *always("messages")),
    "C.2": on_r(PLAIN, Asks("C.2", values=False), keys_and_values.check_no_keys),
    "C.3": memory(PLAIN, partial(check_dual_vectors, "C.3"), partial(laws.check_no_duals, False), speaks=True),
    "C.4": on_r(PLAIN, Asks("C.4", keys=False, exact=True), partial(keys_and_values.check_no_values, False)),
    "4.6": on_r((*STATIONARY, "4.5"), Asks("4.6", prompted=True), *BEHIND),
    "C.6": on_r(PROMPTED, Asks("C.6", prompted=True), *BEHIND),
    "C.7": memory(REGULAR, *always("messages")),
    "C.8": memory(STATIONARY, shifted_time.check_stationary, shifted_time.check_moved),
    "C.9": on_r(
        PROMPTED,
        PROOF("C.9", values=False, further=(keys_and_values.same_positions, keys_and_values.no_law_at_the_end)),
        partial(keys_and_values.check_no_prompted_keys, False),
    ),
    "C.9:all-positions": on_r(
        PROMPTED,
        PROOF("C.9:all-positions", values=False, further=(keys_and_values.same_positions,)),
        partial(keys_and_values.check_no_prompted_keys, True),
    ),
    "C.9:attends": on_r(PROMPTED, PROOF("C.9:attends", values=False), NO_RULE),
    "C.10": memory(PROMPTED, partial(check_dual_vectors, "C.10"), partial(laws.check_no_duals, True), speaks=True),
    "C.11": memory(PROMPTED, *always("prompt-masks")),
    "C.12": memory(PROMPTED, shifted_time.check_prior_reaches, shifted_time.check_prior_lacks),
    "C.13": on_r(PROMPTED, PROOF("C.13", keys=False, exact=True), partial(keys_and_values.check_no_values, True)),
    "C.14": memory(PROMPTED, shifted_time.check_stationary, shifted_time.check_posterior_moves),
    "C.15": memory(PROMPTED, shifted_time.check_first_reaches, shifted_time.check_posterior_remains),
}
