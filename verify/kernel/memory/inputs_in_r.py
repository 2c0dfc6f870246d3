"""The inputs in R, and that there are none: section 10 of docs/certificate-format.md.

Whether x is in R, and where it attends, depends on nothing but which states are possible: on the supports of the
predictions alpha and of the likelihoods beta of Hbar. There are finitely many, so that all words can be gone through.
"""

from collections.abc import Callable, Iterator

from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.words import Tokens
from verify.kernel.memory.supports import Case, Supports

HELD = 4  # what a set of states takes besides its bits, against a number


def messages(word: Tokens, first: int, supports: Supports) -> list[tuple[int, int]]:
    """For each position i the supports of alpha(x_1..x_{i-1}), or what `first` starts instead, and beta(x_{i+1}..)."""
    supports.work.hold(2 * HELD * len(word), len(supports.successors) // 64 + 1)
    before, after = [first], [supports.everything]
    for token in word[:-1]:
        before.append(supports.forward(before[-1], token))
    for token in reversed(word[1:]):
        after.append(supports.backward(after[-1], token))
    return list(zip(before, reversed(after), strict=True))


def attended(word: Tokens, supports: Supports) -> set[int]:
    """Ihat(x), counted from 0, of an input x; it is in R iff this is not empty."""
    pairs = messages(word, supports.first, supports)
    return {i for i, (f, b) in enumerate(pairs) if not f & b & ~supports.inside}


def attended_in_r(where: str, word: Tokens, case: Case) -> set[int]:
    """Ihat(x) of an input that is to be in R."""
    found = attended(word, case.supports)
    if not found:
        raise Rejected(where, "an input that is not in R", "one in R")
    return found


def closure(first: int, move: Callable[[int, int], int], supports: Supports) -> list[int]:
    """All supports to which words lead."""
    found, waiting = {first}, [first]
    while waiting:
        states = waiting.pop()
        for token in range(len(supports.emits)):
            moved = move(states, token)
            if moved not in found:
                supports.work.hold(HELD, len(supports.successors) // 64 + 1)
                found.add(moved)
                waiting.append(moved)
    return sorted(found)


def common(supports: Supports) -> Iterator[int]:
    """The states that F and B have in common, for all supports F of alpha and B of beta: those of every tau_i(x)."""
    forwards = closure(supports.first, supports.forward, supports)
    backwards = closure(supports.everything, supports.backward, supports)
    supports.work.spend(4 * len(forwards) * len(backwards), len(supports.successors) // 64 + 1)
    yield from (f & b for f in forwards for b in backwards)


def check_no_input(evidence: Item, case: Case) -> None:
    """No input is in R: every tau_i(x) is positive at a state off H*."""
    evidence.only("no-input-in-R")
    if any(states and not states & ~case.supports.inside for states in common(case.supports)):
        raise Rejected(evidence.where, "an input in R", "none, as no position of any input is sure of H*")
