from collections.abc import Callable
from fractions import Fraction
from operator import add, mul, sub, truediv
from typing import Any

import pytest
from checks import examples
from hypothesis import assume, given
from hypothesis import strategies as st

from verify.symbolic.rational_functions import RationalFunction, RationalFunctions, terms

FIELD = RationalFunctions(["x", "y", "W[0,1]"])
X, Y, W = FIELD.symbols.values()

numbers = st.fractions(min_value=-9, max_value=9, max_denominator=9)
points = st.fixed_dictionaries(dict.fromkeys(FIELD.names, numbers))
leaves = st.one_of(numbers, st.integers(-9, 9), st.sampled_from([X, Y, W]))
expressions = st.recursive(
    leaves, lambda inner: st.tuples(st.sampled_from([add, sub, mul, truediv]), inner, inner), max_leaves=12
)


def value(expression: Any, of: Callable[[Any], Any]) -> Any:
    """Compute an expression with each leaf taken by `of`."""
    if not isinstance(expression, tuple):
        return of(expression)
    operation, left, right = expression
    return operation(value(left, of), value(right, of))


@examples(50)
@given(expressions, points)
def test_a_function_at_a_point_is_what_the_same_steps_give_on_numbers(
    expression: Any, point: dict[str, Fraction]
) -> None:
    try:
        function = FIELD(value(expression, lambda leaf: leaf if isinstance(leaf, RationalFunction) else Fraction(leaf)))
        number = value(
            expression, lambda leaf: leaf.at(point) if isinstance(leaf, RationalFunction) else Fraction(leaf)
        )
    except ZeroDivisionError:
        assume(False)
    assert function.at(point) == number


@examples(50)
@given(expressions)
def test_functions_are_in_lowest_terms(expression: Any) -> None:
    try:
        function = FIELD(value(expression, lambda leaf: leaf if isinstance(leaf, RationalFunction) else Fraction(leaf)))
    except ZeroDivisionError:
        assume(False)
    assert function.numerator.gcd(function.denominator).is_one() or not function
    assert function.denominator.leading_coefficient() == 1


def test_equal_functions_are_equal_however_they_were_made() -> None:
    assert (X * X - Y * Y) / (X - Y) == X + Y
    assert Fraction(1, 2) * X + X / 2 == X
    assert X - X == 0
    assert X != Y


def test_a_field_keeps_what_was_divided_by() -> None:
    field = RationalFunctions(["x", "y"])
    x, y = field.symbols.values()
    assert (x * y / y + x / (x - y) - x / 3).at({"x": Fraction(3), "y": Fraction(1)}) == Fraction(7, 2)
    assert field.divisors == [y.numerator, (x - y).numerator]


def test_a_derivative_is_that_of_the_quotient_rule() -> None:
    assert (X / (X + Y)).derivative("x") == Y / ((X + Y) * (X + Y))


def test_terms_name_the_indeterminates_by_their_index() -> None:
    assert [(int(c), exponents) for c, exponents in terms((2 * X * X * W - Y).numerator)] == [
        (2, {0: 2, 2: 1}),
        (-1, {1: 1}),
    ]


def test_dividing_by_0_is_refused() -> None:
    with pytest.raises(ZeroDivisionError):
        X / (Y - Y)


def test_elements_of_another_field_do_not_mix() -> None:
    other = RationalFunctions(["x"]).symbols["x"]
    with pytest.raises(TypeError):
        X + other
    with pytest.raises(TypeError, match="no rational number"):
        FIELD(0.5)


def test_a_number_is_divided_by_a_function_and_not_the_function_by_it() -> None:
    assert (1 / X) * X == 1
    assert Fraction(1, 2) / (X + Y) == 1 / (2 * X + 2 * Y)
    assert 1 - X == -(X - 1)
