"""The scale from which softmax attention agrees with arg max, against exponential sums evaluated to 80 digits."""

from fractions import Fraction

import mpmath
import pytest
from checks import SOME
from hypothesis import given
from hypothesis import strategies as st

from verify.margin.softmax import Scale, Term, exponential_sum, least_scale

POWERS = range(-24, 14)

scores = st.fractions(0, 5, max_denominator=20)
positions = st.lists(st.tuples(scores, st.integers(-4, 4).map(Fraction)), min_size=1, max_size=5)


def signs(terms: list[Term]) -> dict[int, bool]:
    """Whether F(2^k) > 0, for each power k."""
    with mpmath.workdps(80):

        def number(value: Fraction) -> mpmath.mpf:
            return mpmath.mpf(value.numerator) / value.denominator

        return {
            k: bool(mpmath.fsum(number(c) * mpmath.exp(-(mpmath.mpf(2) ** k) * number(g)) for g, c in terms) > 0)
            for k in POWERS
        }


@SOME
@given(positions)
def test_from_the_least_scale_on_and_not_before_the_sum_is_positive(positions: list[tuple[Fraction, Fraction]]) -> None:
    terms = exponential_sum(*zip(*positions, strict=True))
    scale = least_scale(terms)
    if not terms:
        assert scale == "every"
        return
    found = signs(terms)
    if scale == "none":
        assert not found[POWERS[-1]]
    elif scale == "every":
        assert all(found.values())
    else:
        assert all(positive for k, positive in found.items() if k >= scale)
        assert not found[scale - 1]


@pytest.mark.parametrize(
    ("scores", "values", "scale"),
    [
        ([1, 0], [1, 2], "every"),  # no position says otherwise
        ([1, 0], [1, -2], 0),  # 2 exp(-t) < 1 from t = 0.69 on
        ([1, 0, 0, 0], [1, -1, -1, -1], 1),  # 3 exp(-t) < 1 from t = 1.10 on
        ([1, 1, 0], [1, -1, 5], "every"),  # a tie at the top, broken in favour
        ([1, 1, 0], [1, -1, -5], "none"),  # and against
        ([1, 1, 1], [2, -1, -1], "every"),  # nothing but a tie
        ([1, 0], [1, -1], "every"),  # 0 at t = 0, positive behind
        ([2, 1, 0], [1, -3, 2], 0),  # (1 - y)(1 - 2y) at y = exp(-t): negative up to t = 0.69, 0 at t = 0
    ],
)
def test_ties_and_cancellations(scores: list[int], values: list[int], scale: Scale) -> None:
    assert least_scale(exponential_sum(list(map(Fraction, scores)), map(Fraction, values))) == scale


def test_a_sum_that_is_positive_at_small_and_large_scales_needs_the_large_one() -> None:
    values = [Fraction(1), Fraction(-12), Fraction(30)]  # 1 - 12 y + 30 y^2 < 0 for y between 0.12 and 0.28
    assert least_scale(exponential_sum([Fraction(2), Fraction(1), Fraction(0)], values)) == 2
