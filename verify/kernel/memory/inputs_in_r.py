"""The inputs in R, and that there are none: section 10 of docs/certificate-format.md.

Whether x is in R, and where it attends, depends on nothing but which states are possible: on the supports of the
predictions alpha and of the likelihoods beta of Hbar. There are finitely many, so that all words can be gone through.
Sets of states of Hbar are bit sets (bit h stands for state h).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from verify.kernel.base.exact import Work
from verify.kernel.base.reading import Item, Rejected
from verify.kernel.hmm.patterns import support
from verify.kernel.hmm.words import Tokens
from verify.kernel.memory.model import MemoryModel

HELD = 4  # what a set of states takes besides its bits, against a number


@dataclass(frozen=True)
class Supports:
    """How supports move along tokens, both ways."""

    successors: list[int]
    predecessors: list[int]
    emits: list[int]  # for each token, the states that can emit it
    first: int  # the support of alpha(empty) = p1
    inside: int  # the states whose hidden state is in H*
    named: int  # those with m_j* in M*

    def forward(self, states: int, token: int, work: Work) -> int:
        """From the support of alpha(w) to that of alpha(w z)."""
        return self.after(states & self.emits[token], work)

    def backward(self, states: int, token: int, work: Work) -> int:
        """From the support of beta(w) to that of beta(z w)."""
        return united(self.predecessors, states & self.emits[token], work)

    def after(self, states: int, work: Work) -> int:
        """One step onwards."""
        return united(self.successors, states, work)

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


def supports_of(model: MemoryModel, recoverable: Sequence[int], work: Work) -> Supports:
    """The supports of a model, for H*."""
    n, joint = model.hidden, model.joint
    work.spend(joint.states * (2 * n + joint.tokens + 3), joint.states // 64 + 1)
    rows, columns = model.chain.transition.rows, list(zip(*model.chain.transition.rows, strict=True))
    blocks = [i * n for i in range(len(model.memories))]
    return Supports(
        successors=[support(column) << block for block in blocks for column in columns],
        predecessors=[support(row) << block for block in blocks for row in rows],
        emits=[support(row) for row in joint.emission.rows],
        first=support(joint.p1),
        inside=sum(1 << block + h for block in blocks for h in recoverable),
        named=sum((1 << n) - 1 << i * n for i in model.named),
    )


def messages(word: Tokens, first: int, supports: Supports, work: Work) -> list[tuple[int, int]]:
    """For each position i the supports of alpha(x_1..x_{i-1}), or what `first` starts instead, and beta(x_{i+1}..)."""
    work.hold(2 * HELD * len(word), len(supports.successors) // 64 + 1)
    before, after = [first], [supports.everything]
    for token in word[:-1]:
        before.append(supports.forward(before[-1], token, work))
    for token in reversed(word[1:]):
        after.append(supports.backward(after[-1], token, work))
    return list(zip(before, reversed(after), strict=True))


def attended(word: Tokens, supports: Supports, work: Work) -> set[int]:
    """Ihat(x), counted from 0, of an input x; it is in R iff this is not empty."""
    pairs = messages(word, supports.first, supports, work)
    return {i for i, (f, b) in enumerate(pairs) if not f & b & ~supports.inside}


def closure(first: int, move: Callable[[int, int, Work], int], supports: Supports, work: Work) -> list[int]:
    """All supports to which words lead."""
    found, waiting = {first}, [first]
    while waiting:
        states = waiting.pop()
        for token in range(len(supports.emits)):
            moved = move(states, token, work)
            if moved not in found:
                work.hold(HELD, len(supports.successors) // 64 + 1)
                found.add(moved)
                waiting.append(moved)
    return sorted(found)


def common(supports: Supports, work: Work) -> Iterator[int]:
    """The states that F and B have in common, for all supports F of alpha and B of beta: those of every tau_i(x)."""
    forwards = closure(supports.first, supports.forward, supports, work)
    backwards = closure(supports.everything, supports.backward, supports, work)
    work.spend(4 * len(forwards) * len(backwards), len(supports.successors) // 64 + 1)
    yield from (f & b for f in forwards for b in backwards)


def check_no_input(evidence: Item, supports: Supports, work: Work) -> None:
    """No input is in R: every tau_i(x) is positive at a state off H*."""
    evidence.only("no-input-in-R")
    if any(states and not states & ~supports.inside for states in common(supports, work)):
        raise Rejected(evidence.where, "an input in R", "none, as no position of any input is sure of H*")
