"""Real numbers that need not be rational, enclosed between two rationals.

FLINT computes a ball in which the number certainly lies. The ends of the ball are rounded outwards to
`ENCLOSURE_DIGITS` significant digits.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any, TypeAlias

from flint import ctx, fmpz_mat

from constructions.linear import Matrix, echelon, fraction, integer_rows

Enclosure: TypeAlias = tuple[Fraction, Fraction]
"""(lo, hi) with lo <= the number <= hi; lo = hi if the number is known to be this rational."""

ENCLOSURE_DIGITS = 12


def smallest_singular_value(matrix: Matrix) -> Enclosure:
    """Enclose sigma_min(M), the least ||M v||_2 over all v with ||v||_2 = 1. It is 0 iff the columns are dependent.

    If M has one column, sigma_min(M) is the 2-norm of this column. Write M = N / d, for a matrix N of integers and a
    common denominator d. Then sigma_min(M) = sigma_min(N) / d, and sigma_min(N) is the square root of the least
    eigenvalue of N'N. The eigenvalues are the roots, all of them real, of a polynomial with integer coefficients.
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
    """Round a number to so many significant digits. `way`: a rounding mode of `decimal`, such as ROUND_FLOOR."""
    numerator, denominator = map(Decimal, number.as_integer_ratio())
    return Fraction(Context(digits, way).divide(numerator, denominator))
