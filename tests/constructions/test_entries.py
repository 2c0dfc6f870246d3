"""Whatever holds exact numbers becomes the same vectors and matrices; what does not is refused in one line."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
from flint import fmpq, fmpq_mat, fmpz, fmpz_mat

from constructions.entries import read_functionals, read_matrix, read_number, read_vector
from constructions.heads import LinearHead, SoftPrompt
from constructions.memory.model import MemoryHMM
from constructions.models import HMM
from constructions.reading import InputError
from constructions.tasks import MemoryTask, Task

HALF = Fraction(1, 2)
MODEL = HMM.of("1/2 1/2", "1/2 1; 1/2 0", "1 0; 0 1")

VECTORS = {
    "commas": "1/2, -1",
    "commas alone": "1/2,-1",
    "spaces": " 1/2  -1 ",
    "a list": ["1/2", -1],
    "a tuple": (HALF, -1),
    "a generator": (entry for entry in (HALF, -1)),
    "a decimal": [Decimal("0.5"), -1],
    "an array of objects": np.array([HALF, -1], dtype=object),
    "an array of a row": np.array([[HALF, -1]], dtype=object),
    "an array of a column": np.array([[HALF], [-1]], dtype=object),
    "integers of NumPy": [HALF, np.int8(-1)],
    "an array without axes": [HALF, np.array(-1)],
    "a row of SymPy": sympy.Matrix([[sympy.Rational(1, 2), -1]]),
    "a column of SymPy": sympy.Matrix([sympy.Rational(1, 2), -1]),
    "numbers of SymPy": [sympy.Rational(1, 2), sympy.Integer(-1)],
    "numbers of FLINT": [fmpq(1, 2), fmpz(-1)],
    "a matrix of FLINT": fmpq_mat(1, 2, [fmpq(1, 2), fmpq(-1)]),
}


@pytest.mark.parametrize("entries", VECTORS.values(), ids=VECTORS)
def test_a_vector_may_be_written_in_many_ways(entries: Any) -> None:
    read = read_vector(entries, "mu")
    assert read == (HALF, Fraction(-1))
    assert all(type(entry) is Fraction for entry in read)


MATRICES = {
    "spaces": "1/2 1; 1/2 0",
    "commas": "1/2, 1; 1/2,0",
    "both": "1/2, 1; 1/2 0",
    "lists": [["1/2", 1], [HALF, 0]],
    "a list of arrays": [np.array([HALF, 1]), np.array([HALF, 0])],
    "an array": np.array([[HALF, 1], [HALF, 0]]),
    "a matrix of SymPy": sympy.Matrix([[1, 2], [1, 0]]) / 2,
    "an immutable one": sympy.ImmutableMatrix([[1, 2], [1, 0]]) / 2,
    "a matrix of FLINT": fmpq_mat(2, 2, [fmpq(1, 2), fmpq(1), fmpq(1, 2), fmpq(0)]),
}


@pytest.mark.parametrize("entries", MATRICES.values(), ids=MATRICES)
def test_a_matrix_may_be_written_in_many_ways(entries: Any) -> None:
    assert HMM.of([HALF, HALF], entries, fmpz_mat(2, 2, [1, 0, 0, 1])) == MODEL
    assert MemoryHMM.of("1/2, 1/2", entries, [1], np.eye(2, dtype=int)).transition == MODEL.transition


@pytest.mark.parametrize("mu", ["1,-1", "1 -1", [1, -1], np.array([1, -1]), sympy.Matrix([1, -1]), ((1, -1),)])
def test_tasks_and_heads_are_read_in_the_same_ways(mu: Any) -> None:
    assert Task.of(mu) == Task(((Fraction(1), Fraction(-1)),))
    assert MemoryTask.of(mu, cell=1).mu == LinearHead.of(mu).b == Task.of(mu).mu
    assert SoftPrompt.of([1, np.int64(0)]) == SoftPrompt.of("1 0")


def test_rows_for_labels_stay_rows() -> None:
    assert read_functionals(np.array([[1, 0], [0, 1]]), "mu") == read_matrix("1 0; 0 1", "mu")
    assert read_functionals("1; 0", "mu") == ((Fraction(1),), (Fraction(0),))


FLOAT = 'expected "0.5" for the decimal, Fraction(0.5) for what the float stores; hp.from_arrays lifts models'


@pytest.mark.parametrize(
    ("read", "line"),
    [
        (lambda: read_number(0.5, "mu[0]"), f"mu[0]: found the float 0.5, {FLOAT}"),
        (lambda: read_number(np.float32(0.5), "mu[0]"), f"mu[0]: found the float 0.5, {FLOAT}"),
        (lambda: HMM.of(np.array([0.5, 0.5]), "1", "1"), f"initial[0]: found the float 0.5, {FLOAT}"),
        (lambda: read_number(sympy.Float(0.5), "mu[0]"), "mu[0]: found the float 0.5000"),
        (lambda: read_number(True, "mu[0]"), "mu[0]: found True, expected a number: an integer, a fraction, or text"),
        (lambda: read_number(np.True_, "mu[0]"), "mu[0]: found True, expected a number"),
        (lambda: read_number(sympy.Symbol("p"), "mu[0]"), "mu[0]: found p, expected a number"),
        (lambda: read_number(sympy.sqrt(2), "mu[0]"), "mu[0]: found sqrt(2), expected a number"),
        (lambda: read_number(Decimal("NaN"), "mu[0]"), "mu[0]: found NaN, expected a number"),
        (lambda: read_number(None, "mu[0]"), "mu[0]: found None, expected a number"),
        (lambda: read_vector("1,,2", "mu"), 'mu[1]: found "", expected a number'),
        (lambda: read_vector(3, "mu"), "mu: found 3, expected a vector or a matrix: text, lists or an array"),
        (lambda: read_vector([], "mu"), "mu: found nothing, expected at least one entry"),
        (lambda: read_matrix([[]], "W"), "W: found nothing, expected at least one entry"),
        (lambda: read_matrix([[1, 2], 3], "W"), "W: found rows among numbers, expected a vector or a matrix"),
        (lambda: read_matrix([[1, 2], [3]], "W"), "W[1]: found 1, expected 2 numbers"),
        (lambda: read_vector([[1, 2], [3, 4]], "mu"), "mu: found 2 rows, expected a vector, one row or one column"),
        (lambda: read_matrix([[[1]]], "W"), "W[0][0]: found [1], expected a number"),
    ],
)
def test_what_is_not_exact_or_no_matrix_is_refused_in_one_line(read: Callable[[], object], line: str) -> None:
    with pytest.raises(InputError) as refused:
        read()
    assert str(refused.value).startswith(line)
    assert "\n" not in str(refused.value)
