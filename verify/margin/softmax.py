"""From which scale on does softmax attention give the label of arg max attention, on one input?

With q -> t q the weights of the positions are proportional to exp(t s_i), s_i the key scores. Up to the positive factor
exp(-t max s) the score of the label minus that of a rival is an exponential sum

    F(t) = sum of c_j exp(-t g_j),   0 = g_0 < g_1 < ...,   c_j = sum of the value differences where max s - s_i = g_j.

As t grows, its first c_j that is not 0 decides: arg max attention reads c_0, so it is only at a tie, c_0 = 0, that the
limit of softmax attention can have another label. Signs at t = 2^k are decided by interval arithmetic. That always
comes to an end: for rational t > 0 and rational c_j, F(t) = 0 only if every c_j is 0 (Lindemann and Weierstrass).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

from flint import arb, ctx, fmpq

Term: TypeAlias = tuple[Fraction, Fraction]
"""(g, c): c exp(-t g)."""

Scale: TypeAlias = int | Literal["every", "none"]
"""The least k such that all t = 2^k, 2^(k+1), ... will do; every power of two does; or no k has that property."""

PRECISION = 64


def order(scale: Scale) -> tuple[int, int]:
    """Order scales by how hard it is to meet them."""
    return (scale == "none") - (scale == "every"), scale if isinstance(scale, int) else 0


def exponential_sum(scores: Sequence[Fraction], values: Iterable[Fraction]) -> list[Term]:
    """Return the terms of F for the key scores and value differences of all positions, by ascending g, no c = 0."""
    total: dict[Fraction, Fraction] = {}
    for score, value in zip(scores, values, strict=True):
        gap = max(scores) - score
        total[gap] = total.get(gap, Fraction(0)) + value
    return [(gap, total[gap]) for gap in sorted(total) if total[gap]]


def least_scale(terms: Sequence[Term]) -> Scale:
    """Return from which power of two on F is positive.

    From the first k at which c_0 exceeds the negative terms together it stays so: these fall as t grows. Below, each
    power of two is decided by itself, until F is shown to be positive on all of (0, 2^k], or is negative at 2^(k-1).
    """
    if not terms or all(c > 0 for _, c in terms):
        return "every"
    if terms[0][1] < 0:
        return "none"
    power, against = 0, [terms[0], *(term for term in terms[1:] if term[1] < 0)]
    while not positive(against, power):
        power += 1
    while not _positive_from_zero(terms, power):
        if not positive(terms, power - 1):
            return power
        power -= 1
    return "every"


def positive(terms: Sequence[Term], power: int) -> bool:
    """Decide whether F(2^power) > 0, with as much precision as that takes. F must have a term."""
    precision = PRECISION
    while True:
        with ctx.workprec(precision):
            value = _sum(terms, arb(fmpq(2) ** power))
            if value > 0 or value < 0:
                return bool(value > 0)
        precision *= 2


def _positive_from_zero(terms: Sequence[Term], power: int) -> bool:
    """Tell whether F > 0 on all of (0, 2^power], as far as one interval shows.

    Where F and its first p - 1 derivatives are 0 at t = 0, F(t) = t^p/p! times the p-th derivative at some point of
    (0, t): that one is to be positive on [0, 2^power].
    """
    derivative = list(terms)
    while sum(c for _, c in derivative) == 0:
        derivative = [(g, -g * c) for g, c in derivative]
    if sum(c for _, c in derivative) < 0:
        return False
    with ctx.workprec(PRECISION):
        half = arb(fmpq(2) ** (power - 1))
        return bool(_sum(derivative, arb(half, half)) > 0)


def _sum(terms: Sequence[Term], t: arb) -> arb:
    """Enclose F(t), divided by exp(-t g_0): a positive factor, without which nothing underflows."""
    first = terms[0][0]
    return sum((_ball(c) * (-t * _ball(g - first)).exp() for g, c in terms), arb(0))


def _ball(number: Fraction) -> arb:
    return arb(fmpq(number.numerator, number.denominator))
