"""Which models a search looks at: those that violate the dropped hypothesis of a theorem and meet all others.

A theorem on R needs an H*. The search takes it in one of two ways:

- If the assumption on H* is not dropped, H* is the largest set that the assumption allows, since R grows with H*.
- If the assumption or one of its two parts is dropped, the search tries every H* that violates what is dropped. If
  only one part is dropped, H* must meet the other part. Each H* is {j*} x S*, where j* is the task's cell and S* a set
  of syntax states.

Notation: constructions/__init__.py.
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
"""The assumptions that depend on the task as well as on the model."""


def parts_of(hypotheses: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return each hypothesis that can be dropped, with its parts. It fails on a model iff one of its parts fails.

    `hypotheses`: those of a theorem, with 3.2 and 4.4 split into their parts. 3.2 can be dropped as a whole, and so can
    4.4, which contains 3.2. Each part of them can also be dropped alone. Every other hypothesis has one part: itself.
    The keys are in ascending order.
    """
    parts: dict[str, tuple[str, ...]] = {key: (key,) for key in hypotheses}
    for key, of_it in (("3.2", REGULARITY), ("4.4", STATIONARY)):
        if parts.keys() >= set(of_it):
            parts[key] = of_it
    return dict(sorted(parts.items()))


class Answers(dict[str, bool | None]):
    """Whether each hypothesis holds on a model with a task. A hypothesis is decided when it is first looked up.

    The answer is None if the hypothesis is undecided. The task may be None if no hypothesis of `OF_TASKS` is looked up.
    """

    def __init__(self, model: Any, task: Any, of_model: Mapping[str, bool | None] = {}) -> None:
        """`of_model`: answers for this model and another task. Those that do not depend on the task are copied."""
        super().__init__({key: answer for key, answer in of_model.items() if key not in OF_TASKS})
        self.model, self.task = model, task

    def __missing__(self, key: str) -> bool | None:
        """Decide the hypothesis with this number, and store the answer."""
        self[key] = DECIDE_BY_KIND[self.model.kind][key](self.model, self.task).holds
        return self[key]


def met(hypotheses: Collection[str], violated: Iterable[str], answers: Mapping[str, bool | None]) -> bool | None:
    """Tell whether all `hypotheses` hold and one of `violated` fails; None if undecided.

    If `violated` is empty, tell whether all `hypotheses` hold.
    """
    if any(answers[key] is False for key in hypotheses):
        return False
    broken = [answers[key] for key in violated]
    if broken and False not in broken:
        return None if None in broken else False
    return None if any(answers[key] is None for key in hypotheses) else True


def may_break(hypotheses: Collection[str], violated: Iterable[str], shard: Shard) -> bool:
    """Tell whether some model of a shard may meet all `hypotheses` and fail one of `violated`, as in `met`.

    For vanilla models, the answer is False only if W and P[H_0], which the models of a shard share, exclude such a
    model. For memory models it is always True.
    """
    if not is_vanilla(shard.shape):
        return True
    answers = {"3.1": fmpz_mat(shard.emission).rank() == len(shard.emission), "3.2:full-support": all(shard.initial)}
    return met(hypotheses, violated, defaultdict(lambda: None, answers)) is not False


# An assumption without one of its parts


def reachable_support(model: HMM, task: Task) -> bool:
    """Tell whether 3.5 without its part "independence" holds: some set B of states leads to every state of supp(mu)."""
    return task.support <= frozenset[int]().union(*map(model.successors, range(len(model.states))))


def some_recoverable_states(model: HMM, task: Task) -> bool:
    """Tell whether 3.5 without its part "cover" holds: some B leads only to states with independent columns of W.

    If a set B does, so does each state of B by itself. So only sets of one state are tried.
    """
    return any(_independent(model, model.successors(h)) for h in range(len(model.states)))


def recoverable_support(model: HMM, task: Task) -> bool:
    """Tell whether 3.5 without its part "B" holds: some H* that contains supp(mu) has independent columns of W.

    If the columns of such an H* are independent, so are those of supp(mu). So only H* = supp(mu) is tried.
    """
    return _independent(model, task.support)


def _independent(model: HMM, states: Iterable[int]) -> bool:
    chosen = sorted(states)
    return not chosen or shared_integers(columns(model.emission, chosen)).rank() == len(chosen)


def other_part(part: Callable[..., bool], assumption: str, model: MemoryHMM, task: MemoryTask) -> bool:
    """Tell whether one part of an assumption (4.2, 4.5 or C.5) holds for the H* that the task names.

    `part`: decides this part, as `independent` and `disjoint` do.
    """
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
"""What a search can drop. A key is a theorem's number, and one of its hypotheses or a part of a hypothesis.

The function at a key takes a model and a task. It tells whether the rest of the hypothesis holds; it returns True if
the hypothesis is dropped as a whole.
"""
