"""Which models a search looks at: those that meet all hypotheses of a theorem but the one dropped, and violate that.

A theorem on R is about an H* that is fixed first. Where the assumption on H* is met, H* is the largest set that the
assumption allows, since R grows with H*. Where that assumption or a part of it is dropped, the search tries every
H* = {j*} x S* that violates it (and meets the other part); the task then names the S*.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Any

from flint import fmpz_mat

from constructions.linear import columns
from constructions.memory.assumptions import DECIDE_BY_KIND, chosen_states, disjoint, independent
from constructions.memory.model import MemoryHMM
from constructions.models import HMM
from constructions.tasks import MemoryTask, Task
from verify.search.small_models import Shard
from verify.search.symmetry import is_vanilla
from verify.statement import REGULARITY, STATIONARY
from verify.statements import THEOREMS
from verify.words.problem import shared_integers

OF_TASKS = {"3.5", "4.2", "4.5", "C.5"}
"""The assumptions that depend on the task too."""


def parts_of(hypotheses: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the hypotheses that can be dropped, in order: each with its parts, of which one fails where it is dropped.

    3.2 and 4.4, which contains 3.2, can be dropped whole or in part; all others have one part.
    """
    parts: dict[str, tuple[str, ...]] = {key: (key,) for key in hypotheses}
    for key, of_it in (("3.2", REGULARITY), ("4.4", STATIONARY)):
        if parts.keys() >= set(of_it):
            parts[key] = of_it
    return dict(sorted(parts.items()))


class Answers(dict[str, bool | None]):
    """Whether each hypothesis holds on a model with a task; each is decided when it is first looked up.

    The task may be None where no hypothesis that depends on it is looked up. An answer is None if it is undecided.
    """

    def __init__(self, model: Any, task: Any, of_model: Mapping[str, bool | None] = {}) -> None:
        """Take over the answers on the same model with another task, without those that depend on the task."""
        super().__init__({key: answer for key, answer in of_model.items() if key not in OF_TASKS})
        self.model, self.task = model, task

    def __missing__(self, key: str) -> bool | None:
        """Decide it."""
        self[key] = DECIDE_BY_KIND[self.model.kind][key](self.model, self.task).holds
        return self[key]


def met(hypotheses: Collection[str], violated: Iterable[str], answers: Mapping[str, bool | None]) -> bool | None:
    """Tell whether all hypotheses hold and one of `violated` fails, if there are any; None if undecided."""
    if any(answers[key] is False for key in hypotheses):
        return False
    broken = [answers[key] for key in violated]
    if broken and False not in broken:
        return None if None in broken else False
    return None if any(answers[key] is None for key in hypotheses) else True


def may_break(hypotheses: Collection[str], violated: Iterable[str], shard: Shard) -> bool:
    """Tell whether a model of a shard can meet all hypotheses and violate one of `violated`, if there are any.

    This is decided from the emission and the start that its models share; for memory models the answer is yes.
    """
    if not is_vanilla(shard.shape):
        return True
    answers = {"3.1": fmpz_mat(shard.emission).rank() == len(shard.emission), "3.2:full-support": all(shard.initial)}
    return met(hypotheses, violated, defaultdict(lambda: None, answers)) is not False


# What is left of an assumption of which a part is dropped


def reachable_support(model: HMM, task: Task) -> bool:
    """Tell whether 3.5 holds but for independence: some set B of states leads to every state of supp(mu)."""
    states = range(len(model.states))
    return task.support <= frozenset[int]().union(*map(model.successors, states))


def some_recoverable_states(model: HMM, task: Task) -> bool:
    """Tell whether 3.5 holds but for the cover of supp(mu): some B leads only to states with independent columns of W.

    If any B does, each of its states alone does.
    """
    return any(_independent(model, model.successors(h)) for h in range(len(model.states)))


def recoverable_support(model: HMM, task: Task) -> bool:
    """Tell whether 3.5 holds but for B: some H* that contains supp(mu) has independent columns of W.

    If any H* has, supp(mu) has.
    """
    return _independent(model, task.support)


def _independent(model: HMM, states: Iterable[int]) -> bool:
    chosen = sorted(states)
    return not chosen or shared_integers(columns(model.emission, chosen)).rank() == len(chosen)


def other_part(part: Callable[..., bool], assumption: str, model: MemoryHMM, task: MemoryTask) -> bool:
    """Tell whether one part of an assumption, 4.2, 4.5 or C.5, holds for the H* that the task names."""
    return part(assumption, model, task, chosen_states(model, task) or ())


WITHOUT: dict[tuple[str, str], Callable[[Any, Any], bool]] = {
    **{
        (key, part): lambda model, task: True
        for key, theorem in THEOREMS.items()
        for part in parts_of(theorem.hypotheses)
    },
    ("3.6", "3.5:independence"): reachable_support,
    ("3.6", "3.5:cover"): some_recoverable_states,
    ("3.6", "3.5:B"): recoverable_support,
    **{
        (key, f"{theorem.needs}:{part}"): partial(other_part, left, theorem.needs)
        for key, theorem in THEOREMS.items()
        if theorem.needs
        for part, left in (("independence", disjoint), ("disjoint", independent))
    },
}
"""What a search can drop: the number of a theorem, and one of its hypotheses or a part of one.

Each function tells whether the rest of that hypothesis holds on a model with a task.
"""
