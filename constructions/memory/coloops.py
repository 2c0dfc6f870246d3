"""Which columns of a family are independent of all the others: the form that assumptions 4.2, 4.5 and C.5 share.

Each assumption is about a family of columns of W, its *ground set*. It says that the columns of the states in H* are
independent, and that their span meets the span of the other columns only in 0. Both together say that each column of H*
is a *coloop*: it is in the span of no other columns of the ground set. (Of two equal columns none is a coloop.) So the
null space of the ground set decides the assumption:

- A state is *admissible* iff every null vector is 0 at all of the state's columns.
- The set of all admissible states is the largest H*, and each subset of it is an H*, too.

A coloop c has a dual vector theta: theta'W_c = 1, and theta'W_d = 0 for every other column d of the ground set.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from constructions.evidence import Evidence, Json
from constructions.linear import Indices, Matrix, Vector, columns, null_basis, solve, spread, transpose
from constructions.memory.model import MemoryHMM
from constructions.reading import texts


class Recoverable(Evidence, kind="dual-vectors", says="H* = {states}"):
    """H* = `states`, and the evidence that it meets the assumption.

    `ground`: the ground set, as indices of columns of W. `columns`: the columns of H*. `dual`: for each of them a dual
    vector (k,), where k is the number of tokens.
    """

    states: Indices
    ground: Indices
    columns: Indices
    dual: Matrix

    @property
    def document(self) -> Json:
        """The columns of H*, ascending, with their dual vectors."""
        ordered = sorted(zip(self.columns, self.dual, strict=True))
        return {"kind": self.kind, "columns": [c for c, _ in ordered], "rows": texts(row for _, row in ordered)}


class Unrecoverable(Evidence, kind="unrecoverable", says="the columns of {states} depend on others"):
    """States that are not admissible, each with a null vector on the ground set.

    A null vector has an entry for each column of W, and is not 0 at some column of its state. If `Ground.decide` is
    given a nonempty H*, the states are in this H*.
    """

    states: Indices
    null_vectors: Matrix


@dataclass(frozen=True)
class Ground:
    """A ground set of columns of W, and the candidates for H*: the states that it may have."""

    model: MemoryHMM
    columns: Indices
    states: Sequence[int]

    @cached_property
    def of(self) -> dict[int, Indices]:
        """For each state that H* may have, its columns in the ground set."""
        state_of = self.model.shape.state_of
        return {h: tuple(c for c in self.columns if state_of(c) == h) for h in self.states}

    def admissible(self) -> Indices:
        """Return the states whose columns are all coloops: the largest H*."""
        return tuple(state for state in self.of if state not in self._violations)

    def decide(self, states: Sequence[int] | None = None) -> Recoverable | Unrecoverable:
        """Decide whether H* = `states` meets the assumption. Without `states`, decide whether any nonempty H* does."""
        chosen = self.admissible() if states is None else tuple(states)
        bad = tuple(state for state in (chosen or self.of) if state in self._violations)
        if bad:
            return Unrecoverable(bad, tuple(self._violations[state] for state in bad))
        state_columns = self.columns_of(chosen)
        if not state_columns:  # none of these states can occur: there is nothing to tell apart
            return Recoverable(chosen, self.columns, (), ())
        units = tuple(tuple(Fraction(column == goal) for goal in state_columns) for column in self.columns)
        dual = solve(transpose(columns(self.model.emission, self.columns)), units)
        if dual is None:
            raise ArithmeticError("coloops must have dual vectors")
        return Recoverable(chosen, self.columns, state_columns, transpose(dual))

    def columns_of(self, states: Iterable[int]) -> Indices:
        """Return the columns of some states."""
        return tuple(column for state in states for column in self.of[state])

    def null_vectors(self, chosen: Sequence[int] | None = None) -> Matrix:
        """Return a basis of the null vectors of W on the ground set, or on the `chosen` columns of it."""
        ground_columns = self.columns if chosen is None else tuple(chosen)
        basis = null_basis(columns(self.model.emission, ground_columns))
        return tuple(spread(vector, ground_columns, len(self.model.emission[0])) for vector in basis)

    @cached_property
    def _violations(self) -> dict[int, Vector]:
        """Map every state that is not admissible to a null vector that is not 0 at a column of the state."""
        violations: dict[int, Vector] = {}
        for vector in self.null_vectors():
            for state, state_columns in self.of.items():
                if any(vector[column] for column in state_columns):
                    violations.setdefault(state, vector)
        return violations
