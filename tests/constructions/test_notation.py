"""Models, tasks, heads and prompts are read from the text they print, and in other forms; errors say what is wrong."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import sympy
from checks import MANY, refusal
from flint import fmpq, fmpq_mat, fmpz, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.vendor import pretty

from constructions import heads, models, tasks
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.linear import Matrix, Vector
from constructions.memory import model as memory
from constructions.memory.model import MemoryHMM
from constructions.models import HMM
from constructions.reading import rows_text
from constructions.tasks import MemoryTask, Task
from constructions.text.entries import read_functionals, read_matrix, read_number, read_vector
from verify.strategies import memory as memory_strategies
from verify.strategies import vanilla

NAMED = HMM.of("1/2 1/2", "1/2 1; 1/2 0", "1 0; 0 1", states=("it's dry", 'a "b"'), name="weather")


def names(*modules: ModuleType) -> dict[str, object]:
    """The names of some modules with their values; a later module's value replaces an earlier one's."""
    return {name: value for module in modules for name, value in vars(module).items()}


def vectors(size: int = 3) -> st.SearchStrategy[Vector]:
    return st.tuples(*[st.fractions()] * size)


def matrices() -> st.SearchStrategy[Matrix]:
    return st.lists(vectors(), min_size=1, max_size=3).map(tuple)


@MANY
@given(matrices())
def test_a_matrix_is_read_as_it_is_written(rows: Matrix) -> None:
    assert read_matrix(rows_text(rows), "W") == rows


@MANY
@given(vectors())
def test_a_vector_is_read_as_it_is_written(entries: Vector) -> None:
    assert read_vector(rows_text((entries,)), "u") == entries


def test_decimals_are_taken_by_their_text() -> None:
    assert read_vector("0.1 1e-1  3", "u") == (Fraction(1, 10), Fraction(1, 10), Fraction(3))


@MANY
@given(vanilla.problems_satisfying("3.5", rows=2))
def test_a_model_and_its_task_evaluate_to_themselves(problem: tuple[HMM, Task]) -> None:
    assert eval(repr(problem), names(models)) == problem


@MANY
@given(memory_strategies.memory_problems("4.3", rows=2), st.none() | st.just((1, 0)))
def test_a_memory_model_and_its_task_evaluate_to_themselves(
    problem: tuple[MemoryHMM, MemoryTask], chosen: tuple[int, ...] | None
) -> None:
    model, task = problem[0], replace(problem[1], recoverable=chosen)
    again = eval(repr((model, task)), {**names(memory, tasks), "Fraction": Fraction})
    assert again == (model, task)
    assert type(again[1]) is MemoryTask


def test_names_come_back_and_names_that_were_made_up_are_not_printed() -> None:
    again = eval(repr(NAMED), names(models))
    assert (again.states, again.tokens, again.name) == (NAMED.states, NAMED.tokens, NAMED.name)
    assert "tokens" not in repr(NAMED)
    assert repr(HMM.of("1", "1", "1")) == "HMM.of(initial='1', transition='1', emission='1')"


@MANY
@given(matrices(), st.none() | vectors())
def test_a_head_and_its_prompt_evaluate_to_themselves(b: Matrix, u: Vector | None) -> None:
    classifier = Classifier(LinearHead(b), None if u is None else SoftPrompt(u))
    for text in (repr(classifier), pretty.pretty(classifier)):
        assert eval(text, names(heads)) == classifier


def test_a_head_without_rows_evaluates_to_itself() -> None:
    assert eval(repr(LinearHead(())), names(heads)) == LinearHead(())


def test_a_head_in_the_numbers_of_another_field_prints_its_array() -> None:
    assert repr(LinearHead(np.array([[0.5, 1.0]]))) == "LinearHead(b=array([[0.5, 1. ]]))"
    assert repr(SoftPrompt(np.array([0.5, 1.0]))) == "SoftPrompt(u=array([0.5, 1. ]))"


@pytest.mark.parametrize(
    ("read", "complaint"),
    [
        (lambda: HMM.of("", "1", "1"), "initial: found nothing, expected numbers"),
        (lambda: HMM.of("1/2 1/2", "1 0; 1", "1 1"), "transition[1]: found 1, expected 2 numbers"),
        (lambda: HMM.of("1", "1", "1;"), "emission[1]: found nothing, expected numbers"),
        (lambda: Task.of("1/0"), 'mu[0][0]: found "1/0", expected a denominator that is not 0'),
        (lambda: SoftPrompt.of(" "), "u: found nothing, expected numbers"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(read: Callable[[], object], complaint: str) -> None:
    assert refusal(read).startswith(complaint)


# What is read besides text


HALF = Fraction(1, 2)
MODEL = HMM.of("1/2 1/2", "1/2 1; 1/2 0", "1 0; 0 1")

VECTORS = {
    "commas": "1/2, -1",
    "commas alone": "1/2,-1",
    "a list": ["1/2", -1],
    "a generator": (entry for entry in (HALF, -1)),
    "a decimal": [Decimal("0.5"), -1],
    "an array of objects": np.array([HALF, -1], dtype=object),
    "an array of a column": np.array([[HALF], [-1]], dtype=object),
    "an array without axes": [HALF, np.array(-1)],
    "a column of SymPy": sympy.Matrix([sympy.Rational(1, 2), -1]),
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
    "lists": [["1/2", 1], [HALF, 0]],
    "a list of arrays": [np.array([HALF, 1]), np.array([HALF, 0])],
    "an array": np.array([[HALF, 1], [HALF, 0]]),
    "a matrix of SymPy": sympy.Matrix([[1, 2], [1, 0]]) / 2,
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
    assert read_functionals("p q", "mu", "{0} at {1}".format) == (("p at mu[0][0]", "q at mu[0][1]"),)


FLOAT = 'expected "0.5" for the decimal, Fraction(0.5) for what the float stores; hp.from_arrays lifts models'


@pytest.mark.parametrize(
    ("read", "line"),
    [
        (lambda: read_number(0.5, "mu[0]"), f"mu[0]: found the float 0.5, {FLOAT}"),
        (lambda: HMM.of(np.array([0.5, 0.5]), "1", "1"), f"initial[0]: found the float 0.5, {FLOAT}"),
        (lambda: read_number(sympy.Float(0.5), "mu[0]"), "mu[0]: found the float 0.5"),
        (lambda: read_number(True, "mu[0]"), "mu[0]: found True, expected a number: an integer, a fraction, or text"),
        (lambda: read_number(sympy.Symbol("p"), "mu[0]"), "mu[0]: found p, expected a number"),
        (lambda: read_number(Decimal("NaN"), "mu[0]"), "mu[0]: found NaN, expected a number"),
        (lambda: read_vector("1,,2", "mu"), 'mu[1]: found "", expected a number'),
        (lambda: read_vector(3, "mu"), "mu: found 3, expected a vector or a matrix: text, lists or an array"),
        (lambda: read_vector({0: 3}, "mu"), "mu: found {0: 3}, expected a vector or a matrix: text, lists or an array"),
        (lambda: read_matrix([[]], "W"), "W: found nothing, expected at least one entry"),
        (lambda: read_matrix([[1, 2], 3], "W"), "W: found rows among numbers, expected a vector or a matrix"),
        (lambda: read_vector([[1, 2], [3, 4]], "mu"), "mu: found 2 rows, expected a vector, one row or one column"),
        (lambda: read_matrix([[[1]]], "W"), "W[0][0]: found [1], expected a number"),
    ],
)
def test_what_is_not_exact_or_no_matrix_is_refused_in_one_line(read: Callable[[], object], line: str) -> None:
    assert refusal(read).startswith(line)
