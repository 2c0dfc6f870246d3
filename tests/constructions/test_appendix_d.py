"""The random models of appendix D are exact and reproducible. No probability of a softmax is rounded to 0."""

from fractions import Fraction

import numpy as np
import pytest
from checks import refusal, shipped
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from constructions.appendix_d import appendix_d, appendix_d_memory
from constructions.assumptions import full_support, independent_columns
from constructions.linear import Vector, transpose
from constructions.models import from_node, text
from constructions.text.documents import parse

seeds = st.integers(0, 2**32)
states = st.integers(3, 8)
denominators = st.integers(10, 10**6)


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def percent(numbers: Vector) -> list[Fraction]:
    return [100 * number for number in numbers]


class Draws:
    """The model of a seed, computed in floats from the random numbers that `appendix_d` draws."""

    def __init__(self, n: int, k: int, seed: int) -> None:
        draw = np.random.Generator(np.random.PCG64(seed)).random
        self.permutations = [sorted(range(n), key=row.__getitem__) for row in draw((n, n)).tolist()]
        self.mix = softmax(draw(n) / 0.01)
        self.initial = softmax(draw(n) / 10)
        self.emission = softmax(draw((n, k)) / 0.01).T
        self.transition = np.zeros((n, n))
        for permutation, weight in zip(self.permutations, self.mix, strict=True):
            self.transition[permutation, range(n)] += weight


def test_a_seed_gives_this_model_on_every_platform() -> None:
    model, task = appendix_d(3, 4, seed=2021, denominator=100)
    assert percent(model.initial) == [32, 33, 35]
    assert [percent(row) for row in model.transition] == [[11, 89, 0], [0, 0, 100], [89, 11, 0]]
    assert [percent(row) for row in model.emission] == [[1, 97, 1], [54, 1, 1], [44, 1, 1], [1, 1, 97]]
    assert [percent(row) for row in task.mu] == [[121, 25, -44], [28, 94, 57]]


def test_an_entry_of_mu_is_rounded_and_at_least_one_unit() -> None:
    appendix_d(3, 4, 2021, denominator=10**400)
    _, task = appendix_d(3, 4, seed=2021, denominator=4)
    assert [[4 * entry for entry in row] for row in task.mu] == [[5, 1, -2], [1, 4, 2]]


def test_another_seed_gives_another_model() -> None:
    models = [appendix_d(4, 10, seed) for seed in range(20)]
    assert len({model for model, _ in models}) == len({task for _, task in models}) == 20


@given(states, seeds, denominators)
def test_every_probability_is_a_multiple_of_one_over_the_denominator(n: int, seed: int, d: int) -> None:
    model, _ = appendix_d(n, 10, seed, d)
    laws = (model.initial, *transpose(model.transition), *transpose(model.emission))
    assert all((d * p).denominator == 1 for law in laws for p in law)


@given(states, seeds, denominators)
def test_what_a_softmax_makes_positive_stays_positive(n: int, seed: int, d: int) -> None:
    model, _ = appendix_d(n, 10, seed, d)
    assert full_support(model).holds
    assert all(p > 0 for row in model.emission for p in row)


@given(states, seeds, st.sampled_from((10**3, 10**6, 10**9)))
def test_the_model_is_that_of_the_paper_up_to_some_units_of_the_denominator(n: int, seed: int, d: int) -> None:
    model, _ = appendix_d(n, 10, seed, d)
    floats = Draws(n, 10, seed)
    for key in ("initial", "emission", "transition"):
        assert np.abs(np.array(getattr(model, key), dtype=float) - getattr(floats, key)).max() < 11 / d


@given(states, seeds, denominators)
def test_mu_has_six_entries_over_two_rows_that_are_not_zero(n: int, seed: int, d: int) -> None:
    _, task = appendix_d(n, 10, seed, d)
    assert len(task.mu) == 2
    assert sum(entry != 0 for row in task.mu for entry in row) == 6
    assert all((d * entry).denominator == 1 for row in task.mu for entry in row)


def test_a_model_keeps_its_seed_in_its_source_and_comes_back_from_its_file() -> None:
    model, task = appendix_d(8, 10, seed=3, denominator=1000)
    assert "seed=3, denominator=1000" in model.source
    assert from_node(parse(text(model, task))) == (model, task)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((2, 10, 0), "states: found 2, expected at least 3"),
        ((3, 0, 0), "tokens: found 0, expected at least 1"),
        ((3, 10, -1), "seed: found -1, expected at least 0"),
        ((3, 10, 0, 9), "denominator: found 9, expected at least 10"),
    ],
)
def test_what_cannot_be_drawn_is_refused(arguments: tuple[int, ...], complaint: str) -> None:
    assert refusal(appendix_d, *arguments) == complaint


@pytest.mark.parametrize(("denominator", "holds"), [(10**6, False), (10**12, True)])
def test_a_coarse_denominator_may_break_assumption_3_1(denominator: int, holds: bool) -> None:
    assert independent_columns(appendix_d(8, 10, seed=0, denominator=denominator)[0]).holds is holds


def test_the_shipped_model_is_that_of_its_seed() -> None:
    shipped_problem = shipped("appendix-d-8")
    problem = appendix_d(8, 10, 1, 10**6)
    assert shipped_problem == problem
    assert shipped_problem[0].source == problem[0].source


def test_a_seed_gives_this_memory_model_on_every_platform() -> None:
    model, task = appendix_d_memory(3, 2, 3, seed=2021, denominator=100)
    assert (model.shape.values, model.shape.cells, model.shape.syntax) == (3, 1, 2)
    call = "appendix_d_memory(values=3, states=2, tokens=3, seed=2021, denominator=100)"
    assert f"appendix D: constructions.appendix_d.{call}. Every probability is a multiple of 1/100:" in model.source
    assert percent(model.initial) == [49, 51]
    assert [percent(row) for row in model.transition] == [[99, 1], [1, 99]]
    assert percent(model.memory) == [32, 34, 34]
    assert [percent(row) for row in model.emission] == [
        *([98, 98, 98, 98, 1, 1], [1, 1, 1, 1, 10, 98], [1, 1, 1, 1, 89, 1])
    ]
    assert [percent(row) for row in task.mu] == [[25, 94, 104], [28, 7, 121]]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((1, 2, 3, 0), "values: found 1, expected at least 2"),
        ((2, 0, 3, 0), "states: found 0, expected at least 1"),
        ((2, 2, 3, 0, 2), "denominator: found 2, expected at least 3"),
        ((3, 2, 2, 0, 2), "denominator: found 2, expected at least 3"),
        ((2, 3, 2, 0, 2), "denominator: found 2, expected at least 3"),
    ],
)
def test_what_cannot_be_drawn_of_memory_models_is_refused(arguments: tuple[int, ...], complaint: str) -> None:
    assert refusal(appendix_d_memory, *arguments) == complaint
