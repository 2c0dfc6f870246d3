"""The statements of docs/certificate-format.md: the assumptions of each, and the rules for its conclusion.

A rule is a function of the evidence and the model. It raises Rejected if the evidence does not meet the rule.
Otherwise it returns None, or, where words show that the conclusion fails, the lengths of these words.

Theorems are decided by rules of the packages hmm and memory alone. Lemmas are decided by these and by rules of the
package lemmas.

Notation: verify/kernel/hmm/__init__.py and verify/kernel/memory/__init__.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from verify.kernel.base.exact import Lengths
from verify.kernel.base.item import Item
from verify.kernel.hmm.agreement import check_some_head
from verify.kernel.hmm.assumptions import check_cover, check_dependent, check_independent, check_no_cover
from verify.kernel.hmm.model import KIND as HMM
from verify.kernel.hmm.near_border import check_near_border
from verify.kernel.hmm.no_linear_head import check_no_linear_head
from verify.kernel.hmm.no_prompted_head import check_no_prompted_head
from verify.kernel.lemmas import diagonals, keys_and_values, laws, messages, shifted_time, zero_outputs
from verify.kernel.memory.attention import Requirements
from verify.kernel.memory.columns import check_dual_vectors, check_unrecoverable
from verify.kernel.memory.model import KIND as MEMORY
from verify.kernel.memory.no_attention_head import check_no_attention_head
from verify.kernel.memory.no_prompted_attention_head import check_no_prompted_attention_head

Rule = Callable[[Item, Any], Lengths | None]


@dataclass(frozen=True)
class Statement:
    """A statement on models of one kind, with the rules by which its conclusion holds and by which it fails."""

    kind: str  # of its models
    assumptions: tuple[str, ...]
    holds: Rule
    fails: Rule
    head: str = ""  # the class of heads, in words, that a theorem says exists
    requirements: Requirements | None = None  # on an attention head; then the statement is on the inputs in R alone
    has_recoverable: bool = False  # whether it speaks of H*
    of_inputs: bool = True  # whether it speaks of inputs

    @property
    def on_r(self) -> bool:
        """Whether the statement is on the inputs in R alone."""
        return self.requirements is not None


NEVER_HOLDS = partial(messages.reject, "the claim that it holds", "that it fails, as it does on every model")
NO_RULE = partial(messages.reject, "evidence that it fails", "none, as there is no rule for it")

vanilla, memory = partial(Statement, HMM), partial(Statement, MEMORY)


def on_r(assumptions: tuple[str, ...], requirements: Requirements, fails: Rule, head: str = "") -> Statement:
    """A statement on the inputs in R of a memory model; it holds if an attention head meets the requirements."""
    return memory(assumptions, requirements.check_evidence, fails, head, requirements, has_recoverable=True)


def always(kind: str) -> tuple[Rule, Rule]:
    """The two rules of a lemma that is true of every model.

    The first accepts evidence that is tagged `kind`: the lemma holds. The second rejects every claim that it fails.
    """
    never = partial(messages.reject, "the claim that it fails", "that it holds, as it does on every model")
    return partial(messages.check_always, kind), never


ASSUMPTIONS: dict[str, tuple[Rule, Rule]] = {  # that need evidence: by which rules they hold, and are violated
    "3.1": (check_independent, check_dependent),
    "3.5": (check_cover, check_no_cover),
    **{name: (partial(check_dual_vectors, name), partial(check_unrecoverable, name)) for name in ("4.2", "4.5", "C.5")},
}
ASSUMPTIONS_3_2 = ("3.2:ergodic", "3.2:full-support")
ASSUMPTIONS_4_3 = ("4.2", *ASSUMPTIONS_3_2)
ASSUMPTIONS_3_2_AND_4_4 = (*ASSUMPTIONS_3_2, "4.4:stationary")
ASSUMPTIONS_C_6 = (*ASSUMPTIONS_3_2_AND_4_4, "C.5")

NO_PROMPT_KINDS = {
    "no-prompted-head": ("inputs", "nodes"),
    "near-border": ("inputs", "first", "signed", "sizes", "bounds", "nodes"),
}


def check_no_prompt(evidence: Item, model: Any) -> Lengths:
    """Check that 3.6 fails. Evidence is a tree of regions of (u, b), or inputs near the border of F*.

    Here u is a prompt, and b has the rows of a linear head.
    """
    kind, members = evidence.tagged(NO_PROMPT_KINDS)
    return (check_near_border if kind == "near-border" else check_no_prompted_head)(model, *members)


PROMPTED_ATTENTION_FAILS = check_no_prompted_attention_head, "prompt with an attention head"
behind_u_star = partial(Requirements, prompted=True, proof=True)
STATEMENTS = {
    "3.3": vanilla(("3.1", *ASSUMPTIONS_3_2), partial(check_some_head, "3.3"), check_no_linear_head, "linear head"),
    "3.6": vanilla(
        (*ASSUMPTIONS_3_2, "3.5"), partial(check_some_head, "3.6"), check_no_prompt, "prompt with a linear head"
    ),
    "message-passing": vanilla(ASSUMPTIONS_3_2, *always("messages")),
    "footnote-1": vanilla(ASSUMPTIONS_3_2, *always("messages")),
    "3.4": vanilla(("3.1",), laws.check_inverse, laws.check_no_inverse),
    "A.1": vanilla(ASSUMPTIONS_3_2, diagonals.check_posteriors, diagonals.check_no_posteriors),
    "section-3.1": vanilla(ASSUMPTIONS_3_2, NEVER_HOLDS, messages.check_prompt_position),
    "B.1": vanilla(ASSUMPTIONS_3_2, *always("messages")),
    "B.2": vanilla(ASSUMPTIONS_3_2, diagonals.check_prior_covers, diagonals.check_prior_misses),
    "eq-3.3": vanilla(ASSUMPTIONS_3_2, diagonals.check_prior_covers, diagonals.check_no_output_diagonal),
    "3.6:zero": vanilla((*ASSUMPTIONS_3_2, "3.5"), zero_outputs.check_zero_outputs, zero_outputs.check_unreached),
    "remark-3.1": vanilla(
        ("3.1",), partial(messages.check_size, True), partial(messages.check_size, False), of_inputs=False
    ),
    "remark-3.5": vanilla(("3.1", *ASSUMPTIONS_3_2), *ASSUMPTIONS["3.5"], of_inputs=False),
    "4.3": on_r(ASSUMPTIONS_4_3, Requirements("4.3"), check_no_attention_head, "attention head"),
    "C.1": memory(ASSUMPTIONS_3_2, *always("messages")),
    "C.2": on_r(ASSUMPTIONS_4_3, Requirements("C.2", values=False), keys_and_values.check_no_keys),
    "C.3": memory(
        ASSUMPTIONS_4_3, partial(check_dual_vectors, "C.3"), partial(laws.check_no_duals, False), has_recoverable=True
    ),
    "C.4": on_r(
        ASSUMPTIONS_4_3, Requirements("C.4", keys=False, exact=True), partial(keys_and_values.check_no_values, False)
    ),
    "4.6": on_r((*ASSUMPTIONS_3_2_AND_4_4, "4.5"), Requirements("4.6", prompted=True), *PROMPTED_ATTENTION_FAILS),
    "C.6": on_r(ASSUMPTIONS_C_6, Requirements("C.6", prompted=True), *PROMPTED_ATTENTION_FAILS),
    "C.7": memory(ASSUMPTIONS_3_2, *always("messages")),
    "C.8": memory(ASSUMPTIONS_3_2_AND_4_4, shifted_time.check_stationary, shifted_time.check_moved),
    "C.9": on_r(
        ASSUMPTIONS_C_6,
        behind_u_star(
            "C.9", values=False, extra_rules=(keys_and_values.same_positions, keys_and_values.no_law_at_the_end)
        ),
        partial(keys_and_values.check_no_prompted_keys, False),
    ),
    "C.9:all-positions": on_r(
        ASSUMPTIONS_C_6,
        behind_u_star("C.9:all-positions", values=False, extra_rules=(keys_and_values.same_positions,)),
        partial(keys_and_values.check_no_prompted_keys, True),
    ),
    "C.9:attends": on_r(ASSUMPTIONS_C_6, behind_u_star("C.9:attends", values=False), NO_RULE),
    "C.10": memory(
        ASSUMPTIONS_C_6, partial(check_dual_vectors, "C.10"), partial(laws.check_no_duals, True), has_recoverable=True
    ),
    "C.11": memory(ASSUMPTIONS_C_6, *always("prompt-masks")),
    "C.12": memory(ASSUMPTIONS_C_6, shifted_time.check_prior_reaches, shifted_time.check_prior_lacks),
    "C.13": on_r(
        ASSUMPTIONS_C_6, behind_u_star("C.13", keys=False, exact=True), partial(keys_and_values.check_no_values, True)
    ),
    "C.14": memory(ASSUMPTIONS_C_6, shifted_time.check_stationary, shifted_time.check_posterior_moves),
    "C.15": memory(ASSUMPTIONS_C_6, shifted_time.check_first_reaches, shifted_time.check_posterior_remains),
}
