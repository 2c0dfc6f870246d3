"""Ihat(x), R, and evidence that R is empty: section 10 of docs/certificate-format.md.

Hbar is the vanilla model of the pairs (m, h), a memory and a hidden state. Ihat(x) has the positions i of x at which
tau_i(x) = alpha(x_1..x_{i-1}) o beta(x_{i+1}..x_t) is positive only at states (m, h) with h in H*. So Ihat(x) depends
only on the supports of the predictions alpha and of the likelihoods beta of Hbar. An input x is in R iff Ihat(x) is not
empty. One more token changes a support in a way that depends on the support alone. There are finitely many supports,
so a search over supports covers all words. Supports are bit sets.

Notation: verify/kernel/memory/__init__.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from verify.kernel.base.exact import Tokens, Work
from verify.kernel.base.item import Item

WORDS_PER_SET = 4  # a set of states takes as much memory as so many numbers of its length


@dataclass(frozen=True)
class Supports:
    """How one token changes the supports of alpha and beta, and the sets of states that R and the prompt u* need.

    The prompt u* is 1 where m_j* is in M* = supp(mu), and 0 elsewhere. The states are those of Hbar.
    """

    successors: list[int]  # for each hidden state those to which one step leads, as states of the first memory
    predecessors: list[int]  # likewise, those from which one step leads to it
    copies: int  # hidden state 0 of every memory
    emits: list[int]  # for each token, the states that can emit it
    first: int  # the support of alpha(empty) = p1
    inside: int  # the states (m, h) with h in H*
    named: int  # the states (m, h) of possible memories m with m_j* in M*
    work: Work

    @property
    def words(self) -> int:
        """The number of 64-bit words that a set of states takes."""
        return self.everything.bit_length() // 64 + 1

    @property
    def everything(self) -> int:
        """The support of beta(empty)."""
        return self.copies * ((1 << len(self.successors)) - 1)

    def step(self, states: int, token: int, sets: list[int]) -> int:
        """The states (m, h') with h' in sets[h], for all states (m, h) of `states` that can emit the token.

        If `sets` are the successors, this takes the support of alpha(w) to that of alpha(w z), for the token z. If they
        are the predecessors, it takes the support of beta(w) to that of beta(z w). One multiplication of integers puts
        sets[h] at every memory m for which (m, h) is in `states` and can emit the token.
        """
        self.work.spend(4 * len(sets), self.words)
        emitting, union = states & self.emits[token], 0
        for h, others in enumerate(sets):
            union |= (emitting >> h & self.copies) * others
        return union

    def messages(self, word: Tokens, first: int) -> list[tuple[int, int]]:
        """The supports of alpha(x_1..x_{i-1}) and beta(x_{i+1}..x_t) for each i; `first` is that of alpha(empty)."""
        self.work.hold(2 * WORDS_PER_SET * len(word), self.words)
        before, after = [first], [self.everything]
        for token in word[:-1]:
            before.append(self.step(before[-1], token, self.successors))
        for token in reversed(word[1:]):
            after.append(self.step(after[-1], token, self.predecessors))
        return list(zip(before, reversed(after), strict=True))

    def attended(self, word: Tokens) -> set[int]:
        """Ihat(x) of an input x, with positions counted from 0."""
        return {i for i, (f, b) in enumerate(self.messages(word, self.first)) if not f & b & ~self.inside}

    def attended_in_r(self, item: Item, word: Tokens) -> set[int]:
        """Ihat(x) of an input; reject an input that is not in R."""
        positions = self.attended(word)
        item.must(bool(positions), "one in R", "an input that is not in R")
        return positions

    def all_attended_in_r(self, items: Item, words: list[Tokens]) -> dict[int, set[int]]:
        """Ihat(x) of each input, by its index in `items`. Rejects the certificate if an input is not in R."""
        return {n: self.attended_in_r(item, words[n]) for n, item in enumerate(items.inside())}

    def closure(self, first: int, sets: list[int]) -> list[int]:
        """All supports to which words lead from the support `first`, in ascending order as integers."""
        supports, waiting = {first}, [first]
        while waiting:
            states = waiting.pop()
            for token in range(len(self.emits)):
                moved = self.step(states, token, sets)
                if moved not in supports:
                    self.work.hold(WORDS_PER_SET, self.words)
                    supports.add(moved)
                    waiting.append(moved)
        return sorted(supports)

    def common(self) -> Iterator[int]:
        """The supports of tau_i(x) for all words x: the intersections of a support of alpha and a support of beta."""
        forwards = self.closure(self.first, self.successors)
        backwards = self.closure(self.everything, self.predecessors)
        self.work.spend(4 * len(forwards) * len(backwards), self.words)
        yield from (f & b for f in forwards for b in backwards)

    def check_no_input(self, evidence: Item) -> None:
        """Check that R is empty: every tau_i(x) that is not 0 is positive at some state (m, h) with h not in H*."""
        empty = all(not states or states & ~self.inside for states in self.common())
        evidence.must(empty, "none, as no position of any input is sure of H*", "an input in R")
