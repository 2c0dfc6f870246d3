"""Real numbers that need not be rational, enclosed between two rationals.

FLINT's balls are certified: the number lies inside. They are rounded outwards to `ENCLOSURE_DIGITS` significant digits.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import Any, TypeAlias

from flint import arb, ctx, fmpz_mat, fmpz_poly

from constructions.linear import Matrix, Vector, echelon, fraction, integer_rows, integers
from constructions.reading import as_text

Enclosure: TypeAlias = tuple[Fraction, Fraction]
"""(lo, hi) with lo <= the number <= hi; lo = hi where it is a rational that was found."""

ENCLOSURE_DIGITS = 12


def smallest_singular_value(matrix: Matrix) -> Enclosure:
    """Enclose sigma_min, the least ||M v||_2 over all v with ||v||_2 = 1: 0 iff the columns are dependent.

    It is the root of the least eigenvalue of M'M, the least root of an integer polynomial: M has the integers N over
    one denominator d, and sigma_min(M) = sigma_min(N) / d.
    """
    width = len(matrix[0])
    if len(echelon(matrix)[1]) < width:
        return Fraction(0), Fraction(0)
    rows, denominator = integer_rows(matrix)
    numerators = fmpz_mat(rows)
    return _divided(_square_root_of_least_root((numerators.transpose() * numerators).charpoly()), denominator)


def euclidean_norm(vector: Vector) -> Enclosure:
    """Enclose ||v||_2."""
    entries, denominator = integers(vector)
    return _divided(arb(sum(entry * entry for entry in entries)).sqrt(), denominator)


def _square_root_of_least_root(polynomial: fmpz_poly) -> arb:
    """Enclose the square root of the least root of a polynomial whose roots are all real and positive."""
    precision = 128
    while True:
        with ctx.workprec(precision):
            pairs: Any = polynomial.complex_roots()  # pairs (root, multiplicity), whatever its stub says
            roots: list[arb] = [root.real for root, _ in pairs]
            least: arb = min((root.lower() for root in roots), key=_exact)
            if least > 0:
                return arb(least.union(min((root.upper() for root in roots), key=_exact)).sqrt())
        precision *= 2


def _divided(number: arb, denominator: int) -> Enclosure:
    """Divide by a positive integer, and round outwards."""
    lo, hi = _exact(number.lower()) / denominator, _exact(number.upper()) / denominator
    return rounded(lo, floor, ENCLOSURE_DIGITS), rounded(hi, ceil, ENCLOSURE_DIGITS)


def rounded(number: Fraction, way: Callable[[Fraction], int], digits: int) -> Fraction:
    """Return a number >= 0 with so many significant digits, rounded down or up."""
    if not number:
        return number
    exponent = len(as_text(number.numerator)) - len(as_text(number.denominator))
    unit = Fraction(10) ** (exponent + (number >= Fraction(10) ** exponent) - digits)
    return way(number / unit) * unit


def _exact(number: arb) -> Fraction:
    """Return the rational that a ball of radius 0 is."""
    return fraction(number.fmpq())
