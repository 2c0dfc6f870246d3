"""Evidence that C.2, C.4, C.9 or C.13 holds, by parts of an attention head: section 10 of docs/certificate-format.md.

The rules are those of memory/attention.py: C.2 and the readings of C.9 are about keys alone, C.4 and C.13 about values.
These two say what the value of each label is, not only which is largest.
"""

from verify.kernel.base.item import Item, Rejected
from verify.kernel.memory.attention import (
    Attention,
    check_embedding,
    check_keys,
    check_prompted_keys,
    check_values,
    promptless_columns,
    sure,
)
from verify.kernel.memory.inputs_in_r import closure, common
from verify.kernel.memory.prompts import columns_behind
from verify.kernel.memory.supports import Case


def attends(head: Attention, prompt: Item, scale: Item, case: Case) -> None:
    """The rules of C.2."""
    check_keys(head, promptless_columns("C.2", prompt, case), case)


def values(head: Attention, prompt: Item, scale: Item, case: Case) -> None:
    """The rules of C.4."""
    check_values(head, scale, sure(promptless_columns("C.4", prompt, case), case), set(), True, case)


def values_behind(head: Attention, prompt: Item, scale: Item, case: Case) -> None:
    """The rules of C.13."""
    columns = columns_behind(prompt, True, case)
    check_embedding(head, case)
    inside = sure(columns, case)
    check_values(head, scale, inside, columns - inside, True, case)


def attends_behind(head: Attention, prompt: Item, scale: Item, case: Case) -> None:
    """The rules of C.9:attends."""
    check_prompted_keys(head, columns_behind(prompt, True, case), case)


def attends_at_all_positions(head: Attention, prompt: Item, scale: Item, case: Case) -> None:
    """The rules of C.9:all-positions."""
    attends_behind(head, prompt, scale, case)
    check_same_positions(prompt.where, case)


def attends_to_the_letter(head: Attention, prompt: Item, scale: Item, case: Case) -> None:
    """The rules of C.9."""
    columns = columns_behind(prompt, True, case)
    check_prompted_keys(head, columns, case)
    check_same_positions(prompt.where, case)
    check_no_law_at_the_end(head, sure(columns, case), case)


def check_same_positions(where: str, case: Case) -> None:
    """Behind u*, a position is sure of H* only where it is without it."""
    supports = case.supports
    for states in common(supports):
        behind = states & supports.named
        if behind and not behind & ~supports.inside and states & ~supports.inside:
            raise Rejected(where, "a position that is sure of H* behind the prompt alone", "the same positions")


def check_no_law_at_the_end(head: Attention, inside: set[int], case: Case) -> None:
    """A last position to which the prompt leaves no law scores as those of Ihat, if it is one of them, or less."""
    supports = case.supports
    for past in closure(supports.first, supports.forward, supports):
        for token in range(len(supports.emits)) if past & supports.named else ():
            states = supports.forward(past, token)
            if not states or states & supports.named:
                continue
            sure_of_it = not states & ~supports.inside
            if not inside or any(head.keys[c] < 0 or (head.keys[c] == 0) != sure_of_it for c in inside):
                expected = "0 at the columns of H*" if sure_of_it else "more than 0 at the columns of H*"
                raise Rejected(f"{head.where}.key", "another score than where there is no law", expected)
