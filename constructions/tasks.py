"""The downstream task: F*(x), a linear classifier on the posterior of H_0 (equation 3.1) or of a memory cell.

A binary task has one row mu: the label is 1 iff mu'P[H_0|X=x] >= 0. Other tasks have one row for each label, and the
label is the arg max. In a tie the largest label wins, so a binary task is the arg max over the two rows (0, mu).

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from constructions.linear import ExactMatrix, Indices, Matrix, Vector, know_arrays
from constructions.reading import InputError, Json, check_exact, is_rational, rows_text, texts
from constructions.rendering import InNotebooks, Named, View, by_label, state_names
from constructions.text.documents import Node
from constructions.text.entries import Entries, read_functionals


def class_rows(rows: Matrix) -> Matrix:
    """Return one row for each label: `rows` itself, or (0, row) where there is only one."""
    return rows if len(rows) > 1 else ((Fraction(0),) * len(rows[0]), rows[0])


def label_of(scores: Sequence[Any]) -> int:
    """Return the index of the largest score; in a tie the largest of these indices."""
    return max(range(len(scores)), key=lambda label: (scores[label], label))


@dataclass(frozen=True)
class Task(InNotebooks):
    """F*(x) = arg max of mu_l'P[H_0 | X = x] over the labels l; a binary label is 1 iff mu'P[H_0 | X = x] >= 0 (3.1).

    `mu` is exact. Its shape is (1, n) for a binary task, and (K, n), a row for each label, for others. In a tie the
    last label wins.
    """

    mu: ExactMatrix

    if TYPE_CHECKING:  # any tuples go in, and what comes out knows its arrays

        def __init__(self, mu: Matrix) -> None: ...

    def __post_init__(self) -> None:
        """Raise `InputError` unless mu has a row, its rows are exact and equally long, and some entry is not 0."""
        check_exact("mu", self.mu)
        for i, row in enumerate(self.mu):
            check_exact(f"mu[{i}]", row)
        if not self.mu or any(len(row) != len(self.mu[0]) for row in self.mu):
            raise InputError("mu", "rows of different lengths" if self.mu else "no row", "one row or several alike")
        if not any(any(row) for row in self.mu):
            raise InputError("mu", "only zeros", "a mu that is not 0")
        know_arrays(self, "mu")

    @classmethod
    def of(cls, mu: Entries) -> Task:
        """Read a task from its printed form: `Task.of("1 -1")`, or a row for each label, `Task.of("1 0; 0 1; 0 0")`.

        A list, an array or a matrix of exact numbers is read, too (`constructions.text.entries`). Raises `InputError`
        for a float, for anything else that is not a number, and for numbers that are not a task.
        """
        return cls(read_functionals(mu, "mu"))

    def __repr__(self) -> str:
        return f"Task.of({rows_text(self.mu)!r})" if is_rational(self.mu) else f"Task(mu={self.mu!r})"

    @classmethod
    def from_node(cls, node: Node, states: int) -> Task:
        """Read mu from a vector over the states, or from a list of at least two such vectors, one for each label.

        Raises `InputError` for anything else, and for a mu that is 0.
        """
        rows = read_rows(node, states)
        if not any(any(row) for row in rows):
            raise node.complain("a mu that is not 0", "only zeros")
        return cls(rows)

    @property
    def classes(self) -> Matrix:
        """The rows mu_0, mu_1, ..., one for each label."""
        return class_rows(self.mu)

    @property
    def labels(self) -> range:
        """The labels 0, 1, ..."""
        return range(len(self.classes))

    @cached_property
    def support(self) -> frozenset[int]:
        """supp(mu): the states, or the values of a cell, at which some row is not 0."""
        return frozenset(h for row in self.mu for h, weight in enumerate(row) if weight)

    @property
    def document(self) -> Json:
        """The task as JSON."""
        return {"mu": texts(row_or_rows(self.mu))}

    def view(self, model: Named | None = None) -> View:
        """Show mu and the rule for the label."""
        return View("task", (self._rule("H₀"),), (by_label("μ", self.mu, state_names(model, len(self.mu[0]))),))

    def _rule(self, of: str) -> str:
        binary = len(self.mu) == 1
        rule = f"1 iff μ′P[{of} | x] ≥ 0, else 0" if binary else f"the last of the rows with the largest μ′P[{of} | x]"
        return f"F*(x) = {rule}"


@dataclass(frozen=True)
class MemoryTask(Task):
    """F* of section 4: a linear classifier on the posterior of one memory cell, mu'P[M_j*|X=x].

    `mu` (1 or K, |M|) has rows over the values of a cell. `cell` is j*, counted from 0. `recoverable` is S*, the
    syntax states for which H* = {j*} x S*; None stands for the largest S* that meets the assumption at hand.
    """

    cell: int = 0
    recoverable: Indices | None = None

    if TYPE_CHECKING:

        def __init__(self, mu: Matrix, cell: int = 0, recoverable: Indices | None = None) -> None: ...

    def __post_init__(self) -> None:
        """Raise `InputError` as for any task, for a negative cell, and for an S* that is empty or repeats a state."""
        super().__post_init__()
        if self.cell < 0:
            raise InputError("cell", str(self.cell), "at least 0")
        states = self.recoverable
        if states is not None and not states:
            raise InputError("recoverable", "no state", "at least one")
        if states and len(set(states)) < len(states):
            raise InputError("recoverable", "a repeated state", "each once")

    @classmethod
    def of(cls, mu: Entries, cell: int = 0, recoverable: Sequence[int] | None = None) -> MemoryTask:
        """Read a task from its printed form, `MemoryTask.of("1 -1", cell=2)`. Raises `InputError` as `Task.of` does."""
        return cls(read_functionals(mu, "mu"), cell, None if recoverable is None else tuple(recoverable))

    def __repr__(self) -> str:
        chosen = "" if self.recoverable is None else f", recoverable={self.recoverable!r}"
        return f"Memory{super().__repr__().removesuffix(')')}, cell={self.cell}{chosen})"

    @property
    def document(self) -> Json:
        """The task as JSON."""
        chosen = {} if self.recoverable is None else {"recoverable": list(self.recoverable)}
        return {"cell": self.cell, **super().document, **chosen}

    def view(self, model: Named | None = None) -> View:
        """Show mu, the rule for the label, j*, and S* if the task has one."""
        values = getattr(model, "values", [f"m{i}" for i in range(len(self.mu[0]))])
        rule = f"{self._rule('M_j*')}, j* = {getattr(model, 'cells', range(self.cell + 1))[self.cell]}"
        chosen = f"S* = {{{', '.join(map(str, self.recoverable or ()))}}} is asked for"
        return View("task", (rule, *([chosen] if self.recoverable else [])), (by_label("μ", self.mu, values),))


def read_rows(node: Node, length: int) -> Matrix:
    """Read one vector, or a list of at least two vectors: (1, length) or (K, length).

    Raises `InputError` for anything else.
    """
    entries = node.items()
    if not entries or not entries[0].is_list():
        return (node.vector(length),)
    if len(entries) == 1:
        raise node.complain("a vector, or at least two rows", "one row")
    return node.matrix(None, length)


def read_b(node: Node, length: int, task: Task) -> Matrix:
    """Read a head's b, (rows of mu, length). Raises `InputError` for anything else."""
    b = read_rows(node, length)
    if len(b) != len(task.mu):
        raise node.complain(f"{len(task.mu)} row(s), as mu has", f"{len(b)}")
    return b


def row_or_rows(rows: Matrix) -> Vector | Matrix:
    """Return rows as they are written: a single row as a vector, several as a list. Undoes `read_rows`."""
    return rows[0] if len(rows) == 1 else rows


if sys.modules.get("hypothesis"):  # its entry point has been called before there was this type
    import_module("headproof_hypothesis").register()
