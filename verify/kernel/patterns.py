"""Patterns of the chain: which entries are > 0, as bit sets of states (bit h stands for state h).

Whether a power of A is positive, and at which states the chain can be after i steps, are questions about patterns
alone.
"""

from collections.abc import Sequence
from fractions import Fraction

from verify.kernel.exact import Work
from verify.kernel.model import Model


def support(vector: Sequence[Fraction | int]) -> int:
    """The states at which the vector is not 0."""
    return sum(1 << h for h, x in enumerate(vector) if x)


def steps(count: int, model: Model, work: Work) -> list[int]:
    """The pattern of A ** count: row h is the set of the states that lead to h in so many steps; by squaring."""
    n = model.states
    work.spend(2 * n * n * count.bit_length(), n // 64 + 1)
    square = [support(row) for row in model.transition.rows]
    result = [1 << h for h in range(n)]
    while count:
        if count & 1:
            result = product(result, square)
        square, count = product(square, square), count >> 1
    return result


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


def occupied(position: int, model: Model, work: Work) -> int:
    """The support of P[H_i]."""
    first = support(model.initial)
    return support([sources & first for sources in steps(position, model, work)])
