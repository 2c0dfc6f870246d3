"""Linear algebra over the rationals: common denominators, null vectors, projections, products, bases modulo primes."""

from fractions import Fraction
from math import gcd
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from constructions.linear import basis_modulo, coprime, dot, identity, integer_rows, integers, null_basis, project
from constructions.text.entries import read_matrix
from verify.parametric.expressions import field_of

FRACTIONS = st.fractions(-3, 3, max_denominator=12)


@given(st.lists(FRACTIONS, min_size=1, max_size=4))
def test_integers_are_a_vector_times_the_least_factor_that_makes_them(vector: list[Fraction]) -> None:
    numbers, factor = integers(vector)
    assert numbers == tuple(factor * x for x in vector)
    assert not any(all((n * x).denominator == 1 for x in vector) for n in range(1, factor))


@given(st.lists(st.lists(FRACTIONS, min_size=3, max_size=3), min_size=1, max_size=3))
def test_rows_share_one_factor(rows: list[list[Fraction]]) -> None:
    numbers, factor = integer_rows(rows)
    assert numbers == tuple(tuple(factor * x for x in row) for row in rows)
    assert factor == integers([x for row in rows for x in row])[1]


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=4))
def test_coprime_integers_have_the_same_direction(vector: list[int]) -> None:
    quotients, divisor = coprime(vector), gcd(*vector)
    assert [divisor * x for x in quotients] == vector
    assert gcd(*quotients) in (0, 1)


@pytest.mark.parametrize(("row", "basis"), [("2 4", "2 -1"), ("2 -1", "1 2"), ("1 -2", "2 1")])
def test_null_vectors_are_coprime_integers_of_which_the_first_is_positive(row: str, basis: str) -> None:
    assert null_basis(read_matrix(row, "row")) == read_matrix(basis, "basis")
    assert null_basis(identity(2)) == ()


def test_a_row_is_projected_to_where_the_rest_is_orthogonal_to_the_basis() -> None:
    rows, basis = read_matrix("3 0 0; 1 2 1", "rows"), read_matrix("1 1 0; 0 1 1", "basis")
    assert project(rows, basis) == read_matrix("2 1 -1; 1 2 1", "projected")


def test_products_of_rational_functions_are_added_as_fractions_are() -> None:
    [x] = field_of(["x"]).gens
    vector: Any = (x, 1 / x)
    assert dot(vector, (Fraction(2), Fraction(3))) == 2 * x + 3 / x
    assert dot((Fraction(2), Fraction(1, 3)), (Fraction(3), Fraction(1, 2))) == Fraction(37, 6)
    assert basis_modulo(5, read_matrix("0 0 0; 0 1 0; 0 2 0; 1 0 0; 0 0 5; 0 0 1", "rows")) == [1, 3, 5]
