"""Which models a search looks at: those that meet all hypotheses of a theorem but the one dropped, and violate that.

A theorem on R is about an H* that is fixed first. Where the assumption on H* is met, H* is the largest set that the
assumption allows, since R grows with H*. Where that assumption or a part of it is dropped, the search tries every
H* = {j*} x S* that violates it (and meets the other part); the task then names the S*.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from flint import fmpz_mat

from constructions.linear import columns
from constructions.memory.assumptions import chosen_states, disjoint, independent
from constructions.memory.model import MemoryHMM
from constructions.models import HMM
from constructions.tasks import MemoryTask, Task
from verify.search.hypotheses import CHAIN, REGULAR, met
from verify.search.small_models import Shard
from verify.search.symmetry import is_vanilla
from verify.words.problem import shared_integers


def may_break(hypotheses: Collection[str], violated: Iterable[str], shard: Shard) -> bool:
    """Tell whether a model of a shard can meet all hypotheses and violate one of `violated`, if there are any.

    This is decided from the emission and the start that its models share; for memory models the answer is yes.
    """
    if not is_vanilla(shard.shape):
        return True
    answers = {"3.1": fmpz_mat(shard.emission).rank() == len(shard.emission), "3.2:full-support": all(shard.initial)}
    return met(hypotheses, violated, defaultdict(lambda: None, answers)) is not False


@dataclass(frozen=True)
class Dropped:
    """What a search drops: one of the hypotheses `violated` fails on its models.

    Where only a part of an assumption is dropped, `rest_holds` tells whether the rest of it does.
    """

    violated: tuple[str, ...]
    rest_holds: Callable[[Any, Any], bool] = lambda model, task: True


# What is left of an assumption of which a part is dropped


def reachable_support(model: HMM, task: Task) -> bool:
    """Tell whether 3.5 holds without independence: some B has supp(mu) in H*(B)."""
    states = range(len(model.states))
    return task.support <= frozenset[int]().union(*(model.successors(h) for h in states))


def some_recoverable_states(model: HMM, task: Task) -> bool:
    """Tell whether 3.5 holds without the cover of supp(mu): some B has independent columns in H*(B).

    If any B has, a B of one state has.
    """
    return any(_independent(model, model.successors(h)) for h in range(len(model.states)))


def recoverable_support(model: HMM, task: Task) -> bool:
    """Tell whether 3.5 holds without B: some H* has independent columns and contains supp(mu).

    If any H* has, supp(mu) has.
    """
    return _independent(model, task.support)


def _independent(model: HMM, states: Iterable[int]) -> bool:
    chosen = sorted(states)
    return not chosen or shared_integers(columns(model.emission, chosen)).rank() == len(chosen)


def other_part(part: Callable[..., bool], assumption: str, model: MemoryHMM, task: MemoryTask) -> bool:
    """Tell whether one part of 4.2, 4.5 or C.5 holds of the H* that the task names."""
    return part(assumption, model, task, chosen_states(model, task) or ())


ON_R = (("4.3", "4.2", REGULAR), ("4.6", "4.5", CHAIN), ("C.6", "C.5", CHAIN))
"""The theorems on R, each with its assumption on H* and its hypotheses on the chain."""

WITHOUT = {
    (theorem, part): Dropped(violated)
    for theorem, parts in [
        ("3.3", {"3.1": ("3.1",)} | REGULAR),
        ("3.6", REGULAR | {"3.5": ("3.5",)}),
        *((theorem, chain | {assumption: (assumption,)}) for theorem, assumption, chain in ON_R),
    ]
    for part, violated in parts.items()
} | {
    ("3.6", "3.5:independence"): Dropped(("3.5",), reachable_support),
    ("3.6", "3.5:cover"): Dropped(("3.5",), some_recoverable_states),
    ("3.6", "3.5:B"): Dropped(("3.5",), recoverable_support),
    **{
        (theorem, f"{assumption}:{part}"): Dropped((assumption,), partial(other_part, left, assumption))
        for theorem, assumption, _ in ON_R
        for part, left in (("independence", disjoint), ("disjoint", independent))
    },
}
"""The hypotheses, and parts of hypotheses, that a search can drop, by theorem."""
