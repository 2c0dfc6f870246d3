"""Real numbers that need not be rational, enclosed between two rationals.

FLINT's balls are certified: the number lies inside. They are rounded outwards to `ENCLOSURE_DIGITS` significant digits.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any, TypeAlias

from flint import ctx, fmpz_mat

from constructions.linear import Matrix, echelon, fraction, integer_rows

Enclosure: TypeAlias = tuple[Fraction, Fraction]
"""(lo, hi) with lo <= the number <= hi; lo = hi where it is a rational that was found."""

ENCLOSURE_DIGITS = 12


def smallest_singular_value(matrix: Matrix) -> Enclosure:
    """Enclose sigma_min, the least ||M v||_2 over all v with ||v||_2 = 1: 0 iff the columns are dependent.

    Of a matrix with one column it is the column's 2-norm.
    It is the root of the least eigenvalue of M'M, the least root of an integer polynomial whose roots are all real: M
    has the integers N over one denominator d, and sigma_min(M) = sigma_min(N) / d.
    """
    if len(echelon(matrix)[1]) < len(matrix[0]):
        return Fraction(0), Fraction(0)
    rows, denominator = integer_rows(matrix)
    numerators = fmpz_mat(rows)
    with ctx.workprec(128):
        roots: Any = (numerators.transpose() * numerators).charpoly().complex_roots()  # with multiplicities
        numbers = [root.real.sqrt() for root, _ in roots]
    ends = [(fraction(number.lower().fmpq()), fraction(number.upper().fmpq())) for number in numbers]
    lo, hi = (min(several) / denominator for several in zip(*ends, strict=True))
    return rounded(lo, ROUND_FLOOR, ENCLOSURE_DIGITS), rounded(hi, ROUND_CEILING, ENCLOSURE_DIGITS)


def rounded(number: Fraction, way: str, digits: int) -> Fraction:
    """Return a number with so many significant digits, rounded as `decimal` calls it."""
    numerator, denominator = map(Decimal, number.as_integer_ratio())
    return Fraction(Context(digits, way).divide(numerator, denominator))
