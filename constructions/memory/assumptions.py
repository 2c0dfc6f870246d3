"""The assumptions of section 4 and appendix C, decided exactly: 4.2, 4.4, 4.5, C.5.

M* is supp(mu), over all rows of mu, and j* is the task's cell. H* = {j*} x S*, for a set S* of syntax states. A column
(m,j,s) of W is the law of a token in syntax state s, if the cell j that is read has the value m. Each of 4.2, 4.5 and
C.5 is about some of these columns, its ground set. `memory.coloops` says and decides what must hold of them:

    4.2    all columns
    4.5    the columns with m in M*; for models of one cell only
    C.5    the columns with j = j* and m in M*, and all columns with another j; for one cell this is 4.5

4.4 says that the chain H (not Hbar) meets assumption 3.2, and that P[H_0] = A P[H_0]. None of these assumptions is
about P[M].

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from constructions.assumptions import DECIDE, ergodic, full_support
from constructions.evidence import Evidence, Finding, Json
from constructions.hidden_chain import HiddenChain
from constructions.hmm import HMM
from constructions.memory.coloops import Ground, Recoverable
from constructions.memory.model import MemoryHMM
from constructions.tasks import MemoryTask, Task


class MoreCells(Evidence, kind="more-cells", says="there are {cells} cells"):
    """The model has this many cells, and the assumption is about one cell."""

    cells: int

    @property
    def document(self) -> Json:
        """The kind alone. The model itself shows how many cells it has."""
        return {"kind": self.kind}


class Stationary(Evidence, kind="stationary", says="P[H_1] = P[H_0]"):
    """P[H_1] = P[H_0], by the model's numbers."""


class Moves(Evidence, kind="moves", says="P(H_1 = {state}) is not P(H_0 = {state})"):
    """A state h with P(H_1 = h) other than P(H_0 = h)."""

    state: int


def ground(assumption_id: str, model: MemoryHMM, task: MemoryTask) -> Ground:
    """Return the ground set of 4.2, 4.5 or C.5, and with it the hidden states that H* may have, all (j*,s)."""
    shape, needed = model.shape, task.support
    states = [shape.state(task.cell, s) for s in range(shape.syntax)]
    ground_columns = tuple(
        shape.column(m, h)
        for m in range(shape.values)
        for h in range(shape.hidden)
        if assumption_id == "4.2" or m in needed or (assumption_id == "C.5" and h not in states)
    )
    return Ground(model, ground_columns, states)


def recoverable(assumption_id: str, model: MemoryHMM, task: MemoryTask) -> Finding:
    """Decide assumption 4.2, 4.5 or C.5 for the task's H*, or, if the task has none, for the largest possible H*."""
    if assumption_id == "4.5" and model.shape.cells > 1:
        return Finding(assumption_id, False, MoreCells(model.shape.cells))
    evidence = ground(assumption_id, model, task).decide(chosen_states(model, task))
    return Finding(assumption_id, isinstance(evidence, Recoverable), evidence)


def chosen_states(model: MemoryHMM, task: MemoryTask) -> tuple[int, ...] | None:
    """Return the hidden states of the task's H*, or None if the task has no S*."""
    return None if task.recoverable is None else tuple(model.shape.state(task.cell, s) for s in task.recoverable)


def independent(assumption_id: str, model: MemoryHMM, task: MemoryTask, states: Sequence[int]) -> bool:
    """Tell whether H* meets the first part of 4.2, 4.5 or C.5: its columns in the ground set are independent."""
    family = ground(assumption_id, model, task)
    return not family.null_vectors(family.columns_of(states))


def disjoint(assumption_id: str, model: MemoryHMM, task: MemoryTask, states: Sequence[int]) -> bool:
    """Tell whether H* meets the second part: the span of its columns meets the span of the others only in 0.

    In a null vector of the ground set, the combination of the columns of H* is minus that of the other columns. So
    this combination is in both spans. The spans share a vector other than 0 iff for some null vector this combination
    is not 0. It is enough to try a basis of null vectors.
    """
    family = ground(assumption_id, model, task)
    chosen, nulls = family.columns_of(states), family.null_vectors()
    return not any(sum(row[c] * vector[c] for c in chosen) for vector in nulls for row in model.emission)


def stationary(chain: HiddenChain) -> Finding:
    """Decide the part of assumption 4.4 that is not in 3.2: P[H_0] = A P[H_0]."""
    moved = next((h for h, p in enumerate(chain.initial) if chain.first[h] != p), None)
    return Finding("4.4:stationary", moved is None, Stationary() if moved is None else Moves(moved))


MEMORY_DECIDE: dict[str, Callable[[MemoryHMM, MemoryTask], Finding]] = {
    "3.2:ergodic": lambda model, task: ergodic(model),
    "3.2:full-support": lambda model, task: full_support(model),
    "4.2": partial(recoverable, "4.2"),
    "4.4:stationary": lambda model, task: stationary(model),
    "4.5": partial(recoverable, "4.5"),
    "C.5": partial(recoverable, "C.5"),
}


DECIDE_BY_KIND: dict[str, Mapping[str, Callable[[Any, Any], Finding]]] = {"hmm": DECIDE, "memory-hmm": MEMORY_DECIDE}
"""For each kind of model, the function that decides each assumption on a model and a task."""


def decide_all(model: HMM | MemoryHMM, task: Task) -> list[Finding]:
    """Decide every assumption about this kind of model; 4.5 is left out if the model has several cells."""
    one_cell = isinstance(model, HMM) or model.shape.cells == 1
    return [decide(model, task) for key, decide in DECIDE_BY_KIND[model.kind].items() if one_cell or key != "4.5"]
