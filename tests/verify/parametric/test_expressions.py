"""SymPy and FLINT agree on exact linear algebra, and functions come back from SymPy in lowest terms."""

from fractions import Fraction

import pytest
import sympy
from checks import examples
from hypothesis import example, given
from hypothesis import strategies as st

from constructions.linear import Matrix, echelon, left_inverse, null_basis
from constructions.reading import InputError
from constructions.text.entries import read_matrix
from verify.parametric import expressions

FIELD = expressions.field_of(["p", "q"])
P, Q = FIELD.gens

numbers = st.fractions(min_value=-3, max_value=3, max_denominator=4)


@st.composite
def matrices(draw: st.DrawFn) -> Matrix:
    row = st.tuples(*[st.one_of(st.just(Fraction(0)), numbers)] * draw(st.integers(1, 4)))
    return tuple(draw(st.lists(row, min_size=1, max_size=4)))


@examples(60)
@given(matrices())
def test_sympy_and_flint_reduce_alike(rows: Matrix) -> None:
    reduced, pivots = expressions.matrix(rows).rref()
    echelon_rows, echelon_pivots = echelon(rows)
    assert list(pivots) == echelon_pivots
    assert read_matrix(reduced, "reduced")[: len(echelon_pivots)] == echelon_rows
    kernel = null_basis(rows)
    assert all(not any(expressions.matrix(rows) * expressions.matrix(vector)) for vector in kernel)
    assert len(kernel) == len(rows[0]) - expressions.matrix(rows).rank()


@examples(60)
@given(matrices())
@example(read_matrix("0 1; 1 0", "matrix"))
def test_sympy_and_flint_invert_alike(rows: Matrix) -> None:
    symbolic, inverse = expressions.left_inverse(rows, FIELD), left_inverse(rows)
    assert (symbolic is None) == (inverse is None)
    assert inverse is None or not any(
        x - y for rows in zip(symbolic, inverse, strict=True) for x, y in zip(*rows, strict=True)
    )
    assert (inverse is None) == (expressions.gram(rows, FIELD) == 0)


def test_a_function_comes_back_in_lowest_terms() -> None:
    function = expressions.function("(p**2 - q**2)/(p - q)/3", FIELD, "entry")
    assert not function - (P + Q) / 3
    assert str(expressions.expression(function)) == "(p + q)/3"


@pytest.mark.parametrize("entry", ["p + r", "sqrt(p)", "0.5", sympy.Float(0.5), "1/(p - p)", "p +", [1], "eye(2)"])
def test_what_is_no_rational_function_with_exact_numbers_is_refused(entry: object) -> None:
    with pytest.raises(InputError, match="expected a rational function of p, q with exact numbers"):
        expressions.function(entry, FIELD, "entry")
