"""Patterns of the chain: which entries are > 0, as bit sets of states (bit h stands for state h).

Whether a power of A is positive, and at which states the chain can be after i steps, are questions about patterns
alone.
"""

from collections.abc import Sequence
from fractions import Fraction

from verify.kernel.hmm.model import Chain


def support(vector: Sequence[Fraction | int]) -> int:
    """The states at which the vector is not 0."""
    return sum(1 << h for h, x in enumerate(vector) if x)


def lowest(states: int) -> int:
    """The first state of a set that is not empty."""
    return (states & -states).bit_length() - 1


def steps(count: int, chain: Chain) -> list[int]:
    """The pattern of A ** count: row h is the set of the states that lead to h in so many steps; by squaring."""
    n = chain.states
    chain.work.spend(2 * n * n * count.bit_length(), n // 64 + 1)
    square = [support(row) for row in chain.transition.rows]
    result = [1 << h for h in range(n)]
    while count:
        if count & 1:
            result = product(result, square)
        square, count = product(square, square), count >> 1
    return result


def onward(states: int, chain: Chain) -> int:
    """The states to which one step leads from some of these."""
    return support([sum(1 for g, x in enumerate(row) if x and states >> g & 1) for row in chain.transition.rows])


def reached(states: int, chain: Chain) -> int:
    """These states, and all to which any number of steps leads from them."""
    chain.work.spend(chain.states**3, chain.states // 64 + 1)
    for _ in range(chain.states):
        states |= onward(states, chain)
    return states


def product(left: list[int], right: list[int]) -> list[int]:
    """The product of two patterns."""
    rows = []
    for bits in left:
        row = 0
        for g, others in enumerate(right):
            if bits >> g & 1:
                row |= others
        rows.append(row)
    return rows


def occupied(position: int, chain: Chain) -> int:
    """The support of P[H_i]."""
    first = support(chain.initial)
    return support([sources & first for sources in steps(position, chain)])
