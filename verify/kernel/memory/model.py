"""Memory models: section 10 of docs/certificate-format.md.

The memory (m_1..m_N) never changes. The hidden state h = (j, s) names the cell j that is read; h moves as a chain. A
token depends on the column (m_j, h) alone. Hbar is the vanilla model whose states are the pairs (m_1..m_N, h); its
words and labels are those of the memory model. __init__.py has the notation.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from verify.kernel.base.exact import Scaled, Vector, Work, elementwise, size, support, united
from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.model import Chain, Model, model_of
from verify.kernel.memory.inputs_in_r import Supports

KIND = "memory-hmm"
REQUIRED = ("kind", "memory", "initial", "transition", "emission", "task")
NAMES = ("values", "cells", "syntax", "tokens")
OPTIONAL = ("name", "source", *NAMES)
MAX_JOINT_STATES = 4096


@dataclass(frozen=True)
class MemoryModel:
    """A memory model with its task, in integers, and the H* of a claim. Column (m, h) has the index m |H| + h."""

    name: str | None
    size: int  # |M|
    cells: int  # N
    memory: Scaled  # P(M), one row
    chain: Chain  # pi and T
    emission: Scaled  # W, over columns
    emission_columns: Scaled  # W'
    syntax: int  # |S|
    cell: int  # j*
    mu: Scaled  # a row over values for each label
    binary: bool  # mu is a vector, standing for the rows 0, mu
    named_by_task: list[int] | None  # the hidden states of H*, if the task says which
    recoverable: tuple[int, ...] = ()  # H*, the hidden states; none where the claim does not speak of it

    @property
    def work(self) -> Work:
        """The rest of the budget of this check."""
        return self.chain.work

    @property
    def hidden(self) -> int:
        """The number |H| of hidden states."""
        return self.chain.states

    @property
    def states(self) -> int:
        """The number of states of Hbar."""
        return self.hidden * len(self.memory.rows[0])

    @property
    def width(self) -> int:
        """The number |M||H| of columns."""
        return self.size * self.hidden

    @property
    def tokens(self) -> int:
        """The number k of tokens."""
        return len(self.emission.rows)

    @property
    def labels(self) -> int:
        """The number K of labels."""
        return len(self.mu.rows)

    @cached_property
    def memories(self) -> list[tuple[int, ...]]:
        """All memories (m_1..m_N), in the order of the states of Hbar: the last cell changes fastest."""
        self.work.hold(len(self.memory.rows[0]), self.cells)
        return list(product(range(self.size), repeat=self.cells))

    @cached_property
    def columns(self) -> list[int]:
        """The column of each state of Hbar."""
        self.work.hold(self.states, 1)
        n = self.hidden
        return [m[h // self.syntax] * n + h for m in self.memories for h in range(n)]

    @cached_property
    def lifted(self) -> Scaled:
        """The task mu lifted to Hbar: mu_l[m_j*] at every state (m, h)."""
        mu, words = self.mu, self.memory.words + size(*self.chain.initial)
        self.work.hold(len(mu.rows) * self.states, mu.words + words)
        hidden = range(self.hidden)
        return replace(mu, rows=[[row[m[self.cell]] for m in self.memories for _ in hidden] for row in mu.rows])

    @cached_property
    def joint(self) -> Model:
        """Hbar, built only for the rules that need its tables. Reject a model whose tables are too large."""
        if self.states > MAX_JOINT_STATES:
            raise Rejected("model", f"{self.states} joint states (m_1..m_N, h)", f"at most {MAX_JOINT_STATES}")
        self.work.hold(self.states * (self.states + self.tokens), 0)  # its tables
        lifted = self.lifted
        emission = replace(self.emission, rows=[[row[c] for c in self.columns] for row in self.emission.rows])
        return model_of(self.name, joint_chain(self.chain, self.memory, emission), emission, lifted, self.binary)

    @property
    def values(self) -> set[int]:
        """M*: the values at which some row of mu is not 0."""
        return {m for row in self.mu.rows for m, x in enumerate(row) if x}

    @property
    def possible(self) -> list[int]:
        """The indices of the possible memories, those of positive probability."""
        return [i for i, p in enumerate(self.memory.rows[0]) if p]

    @property
    def named(self) -> list[int]:
        """The indices of the possible memories with m_j* in M*."""
        values = self.values
        return [i for i in self.possible if self.memories[i][self.cell] in values]

    @property
    def readers(self) -> list[int]:
        """The hidden states (j*, s)."""
        return list(range(self.cell * self.syntax, (self.cell + 1) * self.syntax))

    def split(self, column: int) -> tuple[int, int]:
        """The value m and the hidden state h of a column."""
        return divmod(column, self.hidden)

    def sure(self, columns: set[int]) -> set[int]:
        """The columns (m, h) among `columns` with h in H*."""
        return {c for c in columns if self.split(c)[1] in self.recoverable}

    def collected(self, vector: Vector) -> Vector:
        """The vector col(v): for each column the sum of v over the states of Hbar that have it."""
        sums = [0] * self.width
        for column, x in zip(self.columns, vector, strict=True):
            sums[column] += x
        return sums

    def columns_of(self, memories: list[int], *, later: bool = False) -> set[int]:
        """The columns (m_j, h) for the memories m with these indices, and all h = (j, s) possible for some H_i, i >= 1.

        With `later`, for some H_i, i >= 2.
        """
        first = support(self.chain.p1)
        if later:
            self.work.spend(self.hidden**2)
            first = united(self.chain.successors, first)
        reached, n = self.chain.reached(first), self.hidden
        self.work.spend(len(memories) * self.cells)
        values = [{self.memories[i][cell] for i in memories} for cell in range(self.cells)]
        return {m * n + h for h in range(n) if reached >> h & 1 for m in values[h // self.syntax]}

    @property
    def possible_columns(self) -> set[int]:
        """The columns (m_j, h) for the possible memories m, and all h possible for some H_i, i >= 1."""
        return self.columns_of(self.possible)

    @property
    def masked(self) -> Vector:
        """The vector u* o p1 in integers, with the denominator of p1. u* is 1 where m_j* is in M*, and 0 elsewhere."""
        n, left = self.hidden, set(self.named)
        return [x if h // n in left else 0 for h, x in enumerate(self.joint.p1)]

    def prompted_prediction(self) -> Vector:
        """alphahat(empty) = A(u* o p1) in integers, with the denominators of A and of p1."""
        return self.joint.transition.times(self.masked)

    @cached_property
    def supports(self) -> Supports:
        """Tables of how a token changes supports. Also the set of states with h in H*, and the set that u* keeps."""
        n, count = self.hidden, len(self.memories)
        self.work.spend(self.states * (self.tokens + 4) + 2 * n * n)
        named = set(self.named)
        return Supports(
            successors=self.chain.successors,
            predecessors=self.chain.sources,
            copies=((1 << n * count) - 1) // ((1 << n) - 1),
            emits=[support([row[c] for c in self.columns]) for row in self.emission.rows],
            first=support([p and q for p in self.memory.rows[0] for q in self.chain.p1]),
            inside=support([h in self.recoverable for h in range(n)] * count),
            named=support([i in named for i in range(count) for _ in range(n)]),
            work=self.work,
        )

    def with_recoverable(self, item: Item, has_recoverable: bool) -> "MemoryModel":
        """The model with the H* of a claim, read from `item`. If the task names an H*, the two must be equal.

        Without `has_recoverable` the claim does not speak of H*, and `item` must be null.
        """
        if not has_recoverable:
            item.must(item.value is None, "null, since the claim does not speak of H*")
            return self
        states, readers = item.ascending(self.hidden), self.readers
        item.must(self.named_by_task in (None, states), "the states that the task names")
        of_cell = bool(states) and set(states) <= set(readers)
        item.must(of_cell, f"states (j*, s), which are {readers[0]} to {readers[-1]}")
        return replace(self, recoverable=tuple(states))


def joint_chain(chain: Chain, memory: Scaled, emission: Scaled) -> Chain:
    """The chain of Hbar: the memory stays the same, and h moves as in `chain`."""
    n, T, [weights] = chain.states, chain.transition, memory.rows
    states = n * len(weights)
    chain.work.spend(states * (states + 2 + len(emission.rows)), max(T.words, emission.words))
    memory_weights = [p for p in weights for _ in range(n)]
    rows = [[0] * (i * n) + row + [0] * (states - n - i * n) for i in range(len(weights)) for row in T.rows]
    return Chain(
        initial=elementwise(memory_weights, chain.initial * len(weights), chain.work),
        initial_scale=memory.denominator * chain.initial_scale,
        transition=replace(T, rows=rows),
        p1=elementwise(memory_weights, chain.p1 * len(weights), chain.work),
    )
