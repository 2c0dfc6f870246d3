"""Enclosures of the smallest singular value contain the number that another library computes to 60 digits."""

from fractions import Fraction

import mpmath
from checks import SOME, shipped
from hypothesis import given
from hypothesis import strategies as st
from oracle import dot, rank

from constructions.linear import Matrix, transpose
from verify.margin.enclosures import ENCLOSURE_DIGITS, Enclosure, smallest_singular_value

entries = st.fractions(-3, 3, max_denominator=7)
matrices = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.tuples(*[entries] * width), min_size=1, max_size=5).map(tuple)
)


def holds(enclosure: Enclosure, number: mpmath.mpf) -> bool:
    """Whether the enclosure is narrow, and contains the number up to an error of 10^-25."""
    lo, hi = (mpmath.mpf(end.numerator) / end.denominator for end in enclosure)
    slack = mpmath.mpf(10) ** -25
    return bool(lo - slack <= number <= hi + slack and hi - lo <= hi * mpmath.mpf(10) ** (2 - ENCLOSURE_DIGITS))


@SOME
@given(matrices)
def test_the_smallest_singular_value_is_the_root_of_the_least_eigenvalue(matrix: Matrix) -> None:
    columns = transpose(matrix)
    with mpmath.workdps(60):
        gram = mpmath.zeros(len(columns))
        for i, left in enumerate(columns):
            for j, right in enumerate(columns):
                product = dot(left, right)
                gram[i, j] = mpmath.mpf(product.numerator) / product.denominator
        least = min(mpmath.eigsy(gram, eigvals_only=True))
        assert holds(smallest_singular_value(matrix), mpmath.sqrt(max(least, mpmath.mpf(0))))


@SOME
@given(matrices)
def test_the_smallest_singular_value_is_exactly_0_iff_the_columns_are_dependent(matrix: Matrix) -> None:
    lo, hi = smallest_singular_value(matrix)
    dependent = rank([list(row) for row in matrix]) < len(matrix[0])
    assert dependent == (lo == hi == 0)
    assert dependent or lo > 0


def test_a_rational_singular_value_is_given_as_such() -> None:
    (ice_cream, _), (umbrella, _) = map(shipped, ("ice-cream", "umbrella"))
    assert smallest_singular_value(ice_cream.emission) == (Fraction(3, 5), Fraction(3, 5))
    lo, hi = smallest_singular_value(umbrella.emission)
    assert lo < hi
