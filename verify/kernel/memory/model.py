"""Memory models: section 10 of docs/certificate-format.md.

A memory (m_1..m_N) never changes, while a chain of hidden states h = (j, s) says which cell j of it is read. Seen as
one chain on (m_1..m_N, h), it is a vanilla model, Hbar, for which all that is said about words and labels holds. What
a token tells is the column (m_j, h) alone.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from verify.kernel.base.exact import Scaled, Vector, Work, elementwise
from verify.kernel.base.item import Item
from verify.kernel.hmm.model import Chain, Family, Model, check_names, differences, distributions, read_mu

KIND = "memory-hmm"
REQUIRED = ("kind", "memory", "initial", "transition", "emission", "task")
NAMES = ("values", "cells", "syntax", "tokens")
OPTIONAL = ("name", "source", *NAMES)


@dataclass(frozen=True)
class MemoryModel:
    """A memory model with its task, in integers. Column (m, h) has the number m |H| + h."""

    chain: Chain  # pi and T
    joint: Model  # Hbar
    memories: list[tuple[int, ...]]  # in the order of the states of Hbar, |H| of which each has
    emission: Scaled  # W, over columns
    emission_columns: Scaled  # W'
    columns: list[int]  # for each state of Hbar
    syntax: int  # |S|
    cell: int  # j*
    mu: Scaled  # a row over values for each label
    named_by_task: list[int] | None  # the hidden states of H*, if the task says which

    @property
    def work(self) -> Work:
        """What a check that is about this model may still spend."""
        return self.chain.work

    @property
    def hidden(self) -> int:
        """The number |H| of hidden states."""
        return self.chain.states

    @property
    def values(self) -> set[int]:
        """M*: the values at which some row of mu is not 0."""
        return {m for row in self.mu.rows for m, x in enumerate(row) if x}

    @property
    def possible(self) -> list[int]:
        """The indices of the memories of positive probability; some hidden state is possible at first."""
        n = self.hidden
        return [i for i in range(len(self.memories)) if any(self.joint.initial[i * n : (i + 1) * n])]

    @property
    def named(self) -> list[int]:
        """The indices of the memories with m_j* in M*."""
        values = self.values
        return [i for i, memory in enumerate(self.memories) if memory[self.cell] in values]

    @property
    def readers(self) -> list[int]:
        """The hidden states (j*, s)."""
        return list(range(self.cell * self.syntax, (self.cell + 1) * self.syntax))

    def split(self, column: int) -> tuple[int, int]:
        """The value m and the hidden state h of a column."""
        return divmod(column, self.hidden)

    def collected(self, vector: Vector) -> Vector:
        """col(v): the entries of a vector over the states of Hbar, summed for each column."""
        sums = [0] * len(self.emission_columns.rows)
        for column, x in zip(self.columns, vector, strict=True):
            sums[column] += x
        return sums


def read_memory_model(item: Item, work: Work) -> MemoryModel:
    """The memory model of a certificate."""
    fields = item.fields(*REQUIRED, optional=OPTIONAL)
    fields["kind"].one_of(KIND)
    cells, values = shape(fields["memory"])
    hidden, tokens = fields["initial"].length(), fields["emission"].length()
    if hidden == 0 or hidden % cells:
        raise fields["initial"].expected(f"as many entries for each of {cells} cells")
    if tokens == 0:
        raise fields["emission"].expected("at least one entry")
    syntax = hidden // cells
    check_names(fields, {"values": values, "cells": cells, "syntax": syntax, "tokens": tokens})

    memory = distributions(fields["memory"], [[x.number()] for x in nested(fields["memory"], cells, values)], work)
    initial = distributions(fields["initial"], [[x] for x in fields["initial"].vector(hidden)], work)
    transition = distributions(fields["transition"], fields["transition"].matrix(hidden, hidden), work)
    emission = distributions(fields["emission"], emission_rows(fields["emission"], values, cells, syntax), work)
    pi = [row[0] for row in initial.rows]
    chain = Chain(pi, initial.denominator, transition, transition.times(pi))

    task = fields["task"].fields("cell", "mu", optional=("recoverable",))
    cell = task["cell"].integer(0, cells - 1)
    chosen = task["recoverable"].ascending(syntax) if "recoverable" in task else None
    if chosen == []:
        raise task["recoverable"].expected("at least one syntax state")
    numbers, binary = read_mu(task["mu"], values)
    mu = Scaled.of(numbers, work)

    states = hidden * len(memory.rows)
    work.hold(states * (states + tokens), 0)  # the tables of Hbar
    work.hold(len(mu.rows) * states, mu.words + memory.words + initial.words)
    memories = list(product(range(values), repeat=cells))
    columns = [m[h // syntax] * hidden + h for m in memories for h in range(hidden)]
    lifted = replace(mu, rows=[[row[m[cell]] for m in memories for _ in range(hidden)] for row in mu.rows])
    name = fields["name"].text() if "name" in fields else None
    return MemoryModel(
        chain=chain,
        joint=joint_model(name, chain, memory.transposed(), emission, columns, lifted, binary),
        memories=memories,
        emission=emission,
        emission_columns=emission.transposed(),
        columns=columns,
        syntax=syntax,
        cell=cell,
        mu=mu,
        named_by_task=None if chosen is None else [cell * syntax + s for s in chosen],
    )


def shape(memory: Item) -> tuple[int, int]:
    """The number of cells, which is how deep `memory` is nested, and the number of values, its length."""
    values, cells, inner = memory.length(), 0, memory
    while isinstance(inner.value, list):
        first = next(inner.inside(), None)
        if first is None:
            raise inner.expected("at least one entry")
        cells, inner = cells + 1, first
    return cells, values


def nested(memory: Item, cells: int, values: int) -> list[Item]:
    """The entries of lists in lists, in C order."""
    entries = [memory]
    for _ in range(cells):
        entries = [entry for inner in entries for entry in inner.items(values)]
    return entries


def emission_rows(emission: Item, values: int, cells: int, syntax: int) -> list[list[Fraction]]:
    """W[z, (m, h)], h = (j, s)."""
    return [
        [number for m in token.items(values) for row in m.matrix(cells, syntax) for number in row]
        for token in emission.items()
    ]


def joint_model(
    name: str | None,
    chain: Chain,
    memory: Scaled,
    emission: Scaled,
    columns: list[int],
    mu: Scaled,
    binary: bool,
) -> Model:
    """Hbar: the memory stays as it is, and h moves as the chain does; `memory` is one row, `mu` is over states."""
    n, T, [weights] = chain.states, chain.transition, memory.rows
    size = n * len(weights)
    chain.work.spend(size * (size + 2 + len(emission.rows)), max(chain.transition.words, emission.words))
    rows = [[0] * (i * n) + row + [0] * (size - n - i * n) for i in range(len(weights)) for row in T.rows]
    transition = replace(T, rows=rows)
    seen = replace(emission, rows=[[row[c] for c in columns] for row in emission.rows])
    p0 = elementwise([p for p in weights for _ in range(n)], chain.initial * len(weights), chain.work)
    return Model(
        initial=p0,
        initial_scale=memory.denominator * chain.initial_scale,
        transition=transition,
        p1=elementwise([p for p in weights for _ in range(n)], chain.p1 * len(weights), chain.work),
        name=name,
        transition_columns=transition.transposed(),
        emission=seen,
        emission_columns=seen.transposed(),
        task=Family(
            [elementwise(row, p0, chain.work) for row in differences(mu)],
            mu.denominator * memory.denominator * chain.initial_scale,
        ),
        support={h for row in mu.rows for h, x in enumerate(row) if x},
        binary=binary,
    )
