"""The memory-augmented hidden Markov model of section 4 of the paper.

    M = (M_1, ..., M_N)             the memory: any joint law, drawn once
    H_i = (J_i, S_i)                the chain: which cell is read, and a syntax state
    X_i ~ W[:, (m, j, s)]           m the value of cell j = J_i, s = S_i;   H_0 emits nothing

M and H_0 are independent. Hbar is the chain of the pairs (M, H_i), with states (m_1, ..., m_N, j, s). Indices in the
code count from 0: the cell j = 0 has the value M_1. Hidden states (j,s) are flattened in C order, h = j|S| + s, and so
are the columns of W, c = m|H| + h, and the |M|^N memories (m_1, ..., m_N).

**Columns are conditional distributions**: `transition[h'][h]` = Pr(H_i = h' | H_{i-1} = h),
`emission[z][c]` = Pr(X_i = z | M_j = m, H_i = (j,s)).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from constructions.fields import Array
from constructions.hidden_chain import HiddenChain, check_distribution, draw
from constructions.linear import ExactMatrix, ExactVector, Matrix, Vector, know_arrays, transpose
from constructions.reading import InputError, Json, Names, texts, whole_number
from constructions.rendering import InNotebooks, Named, View, by_label, view_of
from constructions.text.entries import Entries, read_matrix, read_vector


@dataclass(frozen=True)
class Shape:
    """The numbers |M| `values`, N `cells` and |S| `syntax` states, and the indices of states and columns."""

    values: int
    cells: int
    syntax: int

    @property
    def hidden(self) -> int:
        """|H| = N|S|."""
        return self.cells * self.syntax

    @property
    def columns(self) -> int:
        """|M||H|: the columns of W."""
        return self.values * self.hidden

    @property
    def memories(self) -> list[tuple[int, ...]]:
        """Every (m_1, ..., m_N), in C order."""
        return list(product(range(self.values), repeat=self.cells))

    @property
    def read(self) -> list[int]:
        """For each state (m_1, ..., m_N, j, s) of Hbar, the index of the column (m_j, j, s) of W by which it emits."""
        return [self.column(memory[h // self.syntax], h) for memory in self.memories for h in range(self.hidden)]

    def state(self, j: int, s: int) -> int:
        """Return the hidden state (j,s)."""
        return j * self.syntax + s

    def column(self, m: int, h: int) -> int:
        """Return the column of W for value m in hidden state h."""
        return m * self.hidden + h

    def value_of(self, column: int) -> int:
        """Return the value m of a column of W."""
        return column // self.hidden

    def state_of(self, column: int) -> int:
        """Return the hidden state h of a column of W, or of a state of Hbar."""
        return column % self.hidden

    def parts(self, column: int) -> tuple[int, int, int]:
        """Return the (m, j, s) of a column of W."""
        return (self.value_of(column), *divmod(self.state_of(column), self.syntax))


@dataclass(frozen=True)
class MemoryHMM(HiddenChain, InNotebooks):
    """A memory-augmented HMM with k tokens, in exact rational numbers (section 4).

    `initial` (|H|,): P[H_0]. `transition` (|H|, |H|): A. `memory` (|M|^N,): P[M]. `emission` (k, |M||H|): W. All names
    are for people only. Raises `InputError` unless shapes and names fit, all entries are >= 0, and `memory`, `initial`
    and every column sum to exactly 1.
    """

    kind: ClassVar[Literal["memory-hmm"]] = "memory-hmm"

    shape: Shape
    memory: ExactVector
    emission: ExactMatrix
    values: Names = field(default=(), compare=False)
    cells: Names = field(default=(), compare=False)
    syntax: Names = field(default=(), compare=False)
    tokens: Names = field(default=(), compare=False)
    name: str = field(default="", compare=False)
    source: str = field(default="", compare=False)

    if TYPE_CHECKING:  # any tuples go in, and what comes out knows its arrays

        def __init__(
            self,
            initial: Vector,
            transition: Matrix,
            shape: Shape,
            memory: Vector,
            emission: Matrix,
            values: Names = (),
            cells: Names = (),
            syntax: Names = (),
            tokens: Names = (),
            name: str = "",
            source: str = "",
        ) -> None: ...

    def __post_init__(self) -> None:
        """Fill in missing names and validate."""
        shape = self.shape
        counts = {"values": ("m", shape.values), "cells": ("cell", shape.cells), "syntax": ("s", shape.syntax)}
        counts["tokens"] = ("x", len(self.emission))
        self._number(**counts)
        for key, (_, count) in counts.items():
            if len(getattr(self, key)) != count or not count:
                raise InputError(key, f"{len(getattr(self, key))} names", f"{count or 'at least 1'}")
        if len(self.memory) != shape.values**shape.cells:
            raise InputError("memory", f"{len(self.memory)} entries", f"{shape.values}^{shape.cells}")
        if len(self.initial) != shape.hidden:
            raise InputError("initial", f"{len(self.initial)} entries", f"{shape.cells} x {shape.syntax}")
        check_distribution("memory", self.memory)
        know_arrays(self, "memory")
        self._check(*counts, columns=column_names(self, range(shape.columns)))

    @classmethod
    def of(
        cls,
        initial: Entries,
        transition: Entries,
        memory: Entries,
        emission: Entries,
        cells: int = 1,
        name: str = "",
    ) -> MemoryHMM:
        """Read a model from its printed form, with semicolons between the rows of a matrix.

        `memory` is over (m_1, ..., m_N), `initial` and `transition` are over (j,s), and the columns of `emission` over
        (m,j,s), each in C order; N = `cells`, at least 1. `HMM.of` says in what other forms the numbers may be given,
        and when `InputError` is raised.
        """
        cells = whole_number("cells", cells)
        W = read_matrix(emission, "emission")
        start = read_vector(initial, "initial")
        if len(start) % cells:
            raise InputError("initial", f"{len(start)} entries", f"as many for each of {cells} cells")
        shape = Shape(len(W[0]) // len(start), cells, len(start) // cells)
        moves, law = read_matrix(transition, "transition"), read_vector(memory, "memory")
        return cls(start, moves, shape, law, W, name=name)

    def __repr__(self) -> str:
        law = ", ".join(self._law("initial", "transition", "memory", "emission"))
        return f"MemoryHMM.of({law}, cells={self.shape.cells}{f', name={self.name!r}' if self.name else ''})"

    def sample(self, count: int, length: int, seed: int = 0) -> Array:
        """Draw `count` texts of `length` tokens, as `HMM.sample` does. Each text has a memory of its own."""
        generator, count = np.random.default_rng(seed), whole_number("count", count)
        chosen = draw(transpose([self.memory]), np.zeros(count, dtype=np.int64), generator)
        states = self.paths(count, length, generator)
        values = np.array(self.shape.memories)[chosen[:, None], states // self.shape.syntax]
        return draw(self.emission, values * self.shape.hidden + states, generator)

    @property
    def states(self) -> Names:
        """The names of the hidden states (j,s)."""
        return tuple(f"{cell}/{syntax}" for cell in self.cells for syntax in self.syntax)

    def column_name(self, column: int) -> str:
        """Name a column of W: its value, cell and syntax state."""
        m, j, s = self.shape.parts(column)
        return f"{self.values[m]} in {self.cells[j]}/{self.syntax[s]}"

    def memory_name(self, memory: Sequence[int]) -> str:
        """Name one (m_1, ..., m_N) by its values."""
        return ",".join(self.values[m] for m in memory)

    @property
    def document(self) -> Json:
        """The model as a JSON document, without its task."""
        shape = self.shape
        document = self._document(("values", "cells", "syntax", "tokens"), ("memory", "initial", "transition"))
        document["memory"] = _nested(self.memory, [shape.values] * shape.cells)
        emission = [_nested(row, [shape.values, shape.cells, shape.syntax]) for row in self.emission]
        return document | {"emission": emission}

    def view(self, model: Named | None = None) -> View:
        """Show P[M], P[H_0], A and W."""
        shape = self.shape
        size = f"{shape.cells} cells of {shape.values} values, {shape.syntax} syntax states, {len(self.tokens)} tokens"
        columns = column_names(self, range(shape.columns))
        memories = [self.memory_name(memory) for memory in shape.memories]
        return view_of(self, "memory HMM", size, columns, by_label("P[M]", [self.memory], memories))


def column_names(model: Named | None, columns: Iterable[int]) -> list[str]:
    """Return names of columns of W: a memory model's own, or made-up names if `model` is not a memory model."""
    return [model.column_name(c) if isinstance(model, MemoryHMM) else f"c{c}" for c in columns]


def _nested(entries: Vector, lengths: Sequence[int]) -> object:
    """Return the entries, in C order, as texts in nested lists of these lengths."""
    nested = texts(entries)
    for length in lengths[:0:-1]:
        nested = [nested[i : i + length] for i in range(0, len(nested), length)]
    return nested
