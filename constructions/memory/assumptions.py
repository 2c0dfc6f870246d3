"""The assumptions of section 4 and appendix C, decided exactly: 4.2, 4.4, 4.5, C.5.

With M* = supp(mu) (over all rows) and j* the task's cell, H* = {j*} x S*. The ground sets of columns (m,j,s) differ:

    4.2    all of them
    4.5    m in M*                                        one cell only
    C.5    m in M* where j = j*, and every m elsewhere    at N = 1 that is 4.5

`memory.coloops` does the rest. 4.4 is 3.2 of the chain H (never of Hbar) and P[H_0] = A P[H_0]. None of them
speaks of P[M].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from constructions.assumptions import DECIDE, LeftInverse, NullVector, ergodic, full_support
from constructions.evidence import Evidence, Finding, Json
from constructions.hidden_chain import HiddenChain
from constructions.linear import Matrix, Vector, columns, left_inverse, solve, transpose
from constructions.memory.coloops import Ground, Recoverable
from constructions.memory.model import MemoryHMM
from constructions.tasks import MemoryTask


class Projection(Evidence, kind="projection"):
    """A matrix with matrix w = w on the span of the columns of H*, and 0 on that of the others: they meet only in 0."""

    matrix: Matrix


class MoreCells(Evidence, kind="more-cells", says="there are {cells} cells"):
    """The model has this many cells, and the assumption is about one cell."""

    cells: int

    @property
    def document(self) -> Json:
        """The kind alone: whoever checks sees how many there are."""
        return {"kind": self.kind}


class Stationary(Evidence, kind="stationary", says="P[H_1] = P[H_0]"):
    """P[H_1] = P[H_0]."""


class Moves(Evidence, kind="moves", says="P(H_1 = {state}) is not P(H_0 = {state})"):
    """P(H_1 = state) is not P(H_0 = state)."""

    state: int


def ground(assumption_id: str, model: MemoryHMM, task: MemoryTask) -> Ground:
    """Return the ground set of 4.2, 4.5 or C.5, and which of its columns each (j*,s) has."""
    shape, needed = model.shape, task.support
    states = [shape.state(task.cell, s) for s in range(shape.syntax)]
    ground_columns = [
        shape.column(m, h)
        for m in range(shape.values)
        for h in range(shape.hidden)
        if assumption_id == "4.2" or m in needed or (assumption_id == "C.5" and h not in states)
    ]
    return Ground.among(model, ground_columns, states)


def recoverable(assumption_id: str, model: MemoryHMM, task: MemoryTask) -> Finding:
    """Assumption 4.2, 4.5 or C.5: the largest H* there is, or the one that the task asks for."""
    if assumption_id == "4.5" and model.shape.cells > 1:
        return Finding(assumption_id, False, MoreCells(model.shape.cells))
    evidence = ground(assumption_id, model, task).decide(chosen_states(model, task))
    return Finding(assumption_id, isinstance(evidence, Recoverable), evidence)


def chosen_states(model: MemoryHMM, task: MemoryTask) -> tuple[int, ...] | None:
    """Return the H* that the task chooses, as hidden states."""
    return None if task.recoverable is None else tuple(model.shape.state(task.cell, s) for s in task.recoverable)


def independence(assumption_id: str, model: MemoryHMM, task: MemoryTask, states: Sequence[int]) -> Finding:
    """The first part of 4.2, 4.5 or C.5 for a given H*: its columns in the ground set are independent."""
    family, own_columns = _ground_of(assumption_id, model, task, states)
    inverse = left_inverse(columns(model.emission, own_columns))
    if inverse is not None:
        return Finding(f"{assumption_id}:independence", True, LeftInverse(inverse))
    return Finding(f"{assumption_id}:independence", False, NullVector(family.null_vectors(own_columns)[0]))


def disjoint(assumption_id: str, model: MemoryHMM, task: MemoryTask, states: Sequence[int]) -> Finding:
    """The second part for a given H*: the span of its columns meets that of the others only in 0.

    It does iff some matrix is the identity on the one span and 0 on the other.
    """
    family, own_columns = _ground_of(assumption_id, model, task, states)
    ground_columns = transpose(columns(model.emission, family.columns))
    nothing = (Fraction(0),) * len(model.tokens)
    images = tuple(
        column if c in own_columns else nothing for c, column in zip(family.columns, ground_columns, strict=True)
    )
    solution = solve(ground_columns, images)
    if solution is not None:
        return Finding(f"{assumption_id}:disjoint", True, Projection(transpose(solution)))
    common = next(vector for vector in family.null_vectors() if _image(model, vector, own_columns))
    return Finding(f"{assumption_id}:disjoint", False, NullVector(common))


def _ground_of(
    assumption_id: str, model: MemoryHMM, task: MemoryTask, states: Sequence[int]
) -> tuple[Ground, tuple[int, ...]]:
    """Return the ground set, and the columns of an H* in it."""
    family = ground(assumption_id, model, task)
    return family, tuple(column for state in states for column in family.of[state])


def stationary(chain: HiddenChain) -> Finding:
    """Assumption 4.4, beside 3.2: P[H_0] = A P[H_0]."""
    moved = next((h for h, p in enumerate(chain.initial) if chain.first[h] != p), None)
    return Finding("4.4:stationary", moved is None, Stationary() if moved is None else Moves(moved))


def memory_assumptions(model: MemoryHMM, task: MemoryTask) -> list[Finding]:
    """Decide both parts of 3.2, the rest of 4.4, 4.2, C.5, and at one cell 4.5."""
    return [MEMORY_DECIDE[key](model, task) for key in MEMORY_DECIDE if key != "4.5" or model.shape.cells == 1]


MEMORY_DECIDE: dict[str, Callable[[MemoryHMM, MemoryTask], Finding]] = {
    "3.2:ergodic": lambda model, task: ergodic(model),
    "3.2:full-support": lambda model, task: full_support(model),
    "4.2": lambda model, task: recoverable("4.2", model, task),
    "4.4:stationary": lambda model, task: stationary(model),
    "4.5": lambda model, task: recoverable("4.5", model, task),
    "C.5": lambda model, task: recoverable("C.5", model, task),
}


DECIDE_BY_KIND: dict[str, Mapping[str, Callable[[Any, Any], Finding]]] = {"hmm": DECIDE, "memory-hmm": MEMORY_DECIDE}
"""How each assumption is decided on a model and a task, by the kind of the model."""


# What the paper says of them


@dataclass(frozen=True)
class Implication:
    """One claim on one model: where `premise` holds so does `conclusion`."""

    claim: str
    premise: bool
    conclusion: bool

    @property
    def holds(self) -> bool:
        """Tell whether this model is no counterexample."""
        return self.conclusion or not self.premise


def implications(model: MemoryHMM, task: MemoryTask) -> list[Implication]:
    """Decide what the paper says of these assumptions on a model: which is weaker than which, with the same H*.

    An H* meets an assumption iff it is part of the largest one, so "for every H*" compares two sets.
    """
    largest = {id: set(ground(id, model, task).admissible()) for id in ("4.2", "4.5", "C.5")}
    everything = {model.shape.state(task.cell, s) for s in range(model.shape.syntax)}
    independent = left_inverse(model.emission) is not None
    claims = [
        Implication("all columns independent: 4.2, every H*", independent, largest["4.2"] == everything),
        Implication("4.2: C.5, the same H*", bool(largest["4.2"]), largest["4.2"] <= largest["C.5"]),
    ]
    if model.shape.cells == 1:
        claims.append(Implication("4.2: 4.5, the same H*", bool(largest["4.2"]), largest["4.2"] <= largest["4.5"]))
        claims.append(Implication("one cell: C.5 is 4.5", True, largest["C.5"] == largest["4.5"]))
    return claims


def _image(model: MemoryHMM, vector: Vector, own_columns: Sequence[int]) -> bool:
    """Tell whether the columns of H* alone, with a null vector's weights, give a vector that is not 0."""
    return any(sum(row[column] * vector[column] for column in own_columns) for row in model.emission)
