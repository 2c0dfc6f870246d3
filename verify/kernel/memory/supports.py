"""Supports of Hbar's messages, on which R depends alone: section 10 of docs/certificate-format.md.

Sets of states of Hbar are bit sets (bit h stands for state h).
"""

from dataclasses import dataclass
from functools import cached_property

from verify.kernel.base.exact import Work
from verify.kernel.base.item import Item
from verify.kernel.hmm.patterns import support
from verify.kernel.memory.model import MemoryModel


@dataclass(frozen=True)
class Supports:
    """How supports move along tokens, both ways."""

    successors: list[int]
    predecessors: list[int]
    emits: list[int]  # for each token, the states that can emit it
    first: int  # the support of alpha(empty) = p1
    inside: int  # the states whose hidden state is in H*
    named: int  # those with m_j* in M*
    work: Work

    def forward(self, states: int, token: int) -> int:
        """From the support of alpha(w) to that of alpha(w z)."""
        return united(self.successors, states & self.emits[token], self.work)

    def backward(self, states: int, token: int) -> int:
        """From the support of beta(w) to that of beta(z w)."""
        return united(self.predecessors, states & self.emits[token], self.work)

    @property
    def everything(self) -> int:
        """The support of beta(empty)."""
        return (1 << len(self.successors)) - 1


def united(sets: list[int], members: int, work: Work) -> int:
    """The union of the sets of these members."""
    work.spend(len(sets), len(sets) // 64 + 1)
    union = 0
    for h, others in enumerate(sets):
        if members >> h & 1:
            union |= others
    return union


@dataclass(frozen=True)
class Case(MemoryModel):
    """A memory model, and the H* of a claim about it."""

    recoverable: list[int]  # H*, the hidden states; none where the claim does not speak of it

    @cached_property
    def supports(self) -> Supports:
        """How supports move, and which states are those of H*."""
        n, joint = self.hidden, self.joint
        self.work.spend(joint.states * (2 * n + joint.tokens + 3), joint.states // 64 + 1)
        rows, columns = self.chain.transition.rows, list(zip(*self.chain.transition.rows, strict=True))
        blocks = [i * n for i in range(len(self.memories))]
        return Supports(
            successors=[support(column) << block for block in blocks for column in columns],
            predecessors=[support(row) << block for block in blocks for row in rows],
            emits=[support(row) for row in joint.emission.rows],
            first=support(joint.p1),
            inside=sum(1 << block + h for block in blocks for h in self.recoverable),
            named=sum((1 << n) - 1 << i * n for i in self.named),
            work=self.work,
        )


def read_case(recoverable: Item, speaks: bool, model: MemoryModel) -> Case:
    """The H* of a claim that speaks of it: that of the task, if it has one."""
    states: list[int] = []
    if speaks:
        states = recoverable.ascending(model.hidden)
        if model.named_by_task is not None and states != model.named_by_task:
            raise recoverable.expected("the states that the task names")
        if not states or not set(states) <= set(model.readers):
            raise recoverable.expected(f"states (j*, s), which are {model.readers[0]} to {model.readers[-1]}")
    elif recoverable.value is not None:
        raise recoverable.expected("null, since the claim does not speak of H*")
    return Case(**vars(model), recoverable=states)
