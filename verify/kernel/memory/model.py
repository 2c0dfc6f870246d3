"""Memory models: section 10 of docs/certificate-format.md.

A memory (m_1..m_N) never changes, while a chain of hidden states h = (j, s) says which cell j of it is read. Seen as
one chain on (m_1..m_N, h), it is a vanilla model, Hbar, for which all that is said about words and labels holds. What
a token tells is the column (m_j, h) alone.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product

from verify.kernel.base.exact import Scaled, Vector, Work, elementwise, size, support, united
from verify.kernel.base.item import Item
from verify.kernel.hmm.model import Chain, Model, check_names, distributions, model_of, read_chain, read_mu
from verify.kernel.memory.inputs_in_r import Supports

KIND = "memory-hmm"
REQUIRED = ("kind", "memory", "initial", "transition", "emission", "task")
NAMES = ("values", "cells", "syntax", "tokens")
OPTIONAL = ("name", "source", *NAMES)


@dataclass(frozen=True)
class MemoryModel:
    """A memory model with its task, in integers, and the H* of a claim. Column (m, h) has the number m |H| + h."""

    chain: Chain  # pi and T
    joint: Model  # Hbar
    memories: list[tuple[int, ...]]  # in the order of the states of Hbar, |H| of which each has
    emission: Scaled  # W, over columns
    emission_columns: Scaled  # W'
    columns: list[int]  # for each state of Hbar
    syntax: int  # |S|
    cell: int  # j*
    mu: Scaled  # a row over values for each label
    lifted: Scaled  # the same over states of Hbar
    named_by_task: list[int] | None  # the hidden states of H*, if the task says which
    recoverable: tuple[int, ...] = ()  # H*, the hidden states; none where the claim does not speak of it

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

    def sure(self, columns: set[int]) -> set[int]:
        """Those of the columns whose hidden state is in H*."""
        return {c for c in columns if self.split(c)[1] in self.recoverable}

    def collected(self, vector: Vector) -> Vector:
        """col(v): the entries of a vector over the states of Hbar, summed for each column."""
        sums = [0] * len(self.emission_columns.rows)
        for column, x in zip(self.columns, vector, strict=True):
            sums[column] += x
        return sums

    def columns_of(self, memories: list[int], *, later: bool = False) -> set[int]:
        """The columns of these memories and of the hidden states of some H_i, i >= 1, or i >= 2."""
        first = support(self.chain.p1)
        if later:
            self.work.spend(self.hidden**2)
            first = united(self.chain.successors, first)
        reached, n = self.chain.reached(first), self.hidden
        return {self.columns[i * n + h] for i in memories for h in range(n) if reached >> h & 1}

    @property
    def possible_columns(self) -> set[int]:
        """Those of a possible memory and a hidden state of some H_i, i >= 1."""
        return self.columns_of(self.possible)

    def masked(self, vector: Vector) -> Vector:
        """The vector u* o v, where u* is the proof's prompt: 1 where m_j* is in M*, and 0 elsewhere."""
        n, left = self.hidden, set(self.named)
        return [x if h // n in left else 0 for h, x in enumerate(vector)]

    def prompted_prediction(self) -> Vector:
        """alphahat(empty) = A(u* o p1), times the factors of A and of p1."""
        return self.joint.transition.times(self.masked(self.joint.p1))

    @cached_property
    def supports(self) -> Supports:
        """How supports move, and which states are those of H*."""
        n, joint = self.hidden, self.joint
        self.work.spend(joint.states * (2 * n + joint.tokens + 3), joint.states // 64 + 1)
        blocks = [i * n for i in range(len(self.memories))]
        return Supports(
            successors=[states << block for block in blocks for states in self.chain.successors],
            predecessors=[states << block for block in blocks for states in self.chain.sources],
            emits=[support(row) for row in joint.emission.rows],
            first=support(joint.p1),
            inside=sum(1 << block + h for block in blocks for h in self.recoverable),
            named=sum((1 << n) - 1 << i * n for i in self.named),
            work=self.work,
        )

    def with_recoverable(self, item: Item, speaks: bool) -> "MemoryModel":
        """The same with the H* of a claim, if that speaks of it: that of the task, if it has one."""
        if not speaks:
            item.must(item.value is None, "null, since the claim does not speak of H*")
            return self
        states, readers = item.ascending(self.hidden), self.readers
        item.must(self.named_by_task in (None, states), "the states that the task names")
        known = bool(states) and set(states) <= set(readers)
        item.must(known, f"states (j*, s), which are {readers[0]} to {readers[-1]}")
        return replace(self, recoverable=tuple(states))


def read_memory_model(item: Item, work: Work) -> MemoryModel:
    """The memory model of a certificate."""
    fields = item.fields(*REQUIRED, optional=OPTIONAL)
    fields["kind"].one_of(KIND)
    cells, values = shape(fields["memory"])
    hidden, tokens = fields["initial"].length(), fields["emission"].length()
    fields["initial"].must(hidden > 0 and hidden % cells == 0, f"as many entries for each of {cells} cells")
    fields["emission"].must(tokens > 0, "at least one entry")
    syntax = hidden // cells
    check_names(fields, {"values": values, "cells": cells, "syntax": syntax, "tokens": tokens})
    memory = distributions(fields["memory"], [[x.number()] for x in nested(fields["memory"], cells, values)], work)
    chain = read_chain(fields, hidden, work)
    emission = distributions(fields["emission"], emission_rows(fields["emission"], values, cells, syntax), work)

    task = fields["task"].fields("cell", "mu", optional=("recoverable",))
    cell = task["cell"].integer(0, cells - 1)
    named = None
    if "recoverable" in task:
        named = [cell * syntax + s for s in task["recoverable"].ascending(syntax)]
        task["recoverable"].must(bool(named), "at least one syntax state")
    numbers, binary = read_mu(task["mu"], values)
    mu = Scaled.of(numbers, work)

    states = hidden * len(memory.rows)
    work.hold(states * (states + tokens), 0)  # the tables of Hbar
    work.hold(len(mu.rows) * states, mu.words + memory.words + size(*chain.initial))
    memories = list(product(range(values), repeat=cells))
    columns = [m[h // syntax] * hidden + h for m in memories for h in range(hidden)]
    lifted = replace(mu, rows=[[row[m[cell]] for m in memories for _ in range(hidden)] for row in mu.rows])
    both = joint_chain(chain, memory, emission)
    seen = replace(emission, rows=[[row[c] for c in columns] for row in emission.rows])
    return MemoryModel(
        chain=chain,
        joint=model_of(fields, both, seen, lifted, binary),
        memories=memories,
        emission=emission,
        emission_columns=emission.transposed(),
        columns=columns,
        syntax=syntax,
        cell=cell,
        mu=mu,
        lifted=lifted,
        named_by_task=named,
    )


def shape(memory: Item) -> tuple[int, int]:
    """The number of cells, which is how deep `memory` is nested, and the number of values, its length."""
    values, cells, inner = memory.length(), 0, memory
    while isinstance(inner.value, list):
        inner.must(inner.length() > 0, "at least one entry")
        cells, inner = cells + 1, next(inner.inside())
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


def joint_chain(chain: Chain, memory: Scaled, emission: Scaled) -> Chain:
    """The chain of Hbar: the memory stays as it is, and h moves as the chain does."""
    n, T, [weights] = chain.states, chain.transition, memory.transposed().rows
    states = n * len(weights)
    chain.work.spend(states * (states + 2 + len(emission.rows)), max(T.words, emission.words))
    each = [p for p in weights for _ in range(n)]
    rows = [[0] * (i * n) + row + [0] * (states - n - i * n) for i in range(len(weights)) for row in T.rows]
    return Chain(
        initial=elementwise(each, chain.initial * len(weights), chain.work),
        initial_scale=memory.denominator * chain.initial_scale,
        transition=replace(T, rows=rows),
        p1=elementwise(each, chain.p1 * len(weights), chain.work),
    )
