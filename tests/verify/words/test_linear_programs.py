"""Systems of inequalities: solutions and multipliers are exact, and small systems are always decided."""

import os
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from threading import Barrier

import pytest
from checks import MANY
from hypothesis import given
from hypothesis import strategies as st

from constructions.simplex import inequalities
from verify.words.linear_programs import Multipliers, Row, Solution, decide, quiet_solver


@st.composite
def systems(draw: st.DrawFn) -> list[Row]:
    """Draw small systems with at least one strict row."""
    entries = st.tuples(*[st.integers(-5, 5)] * draw(st.integers(1, 4)))
    return [Row(draw(entries), strict=True), *draw(st.lists(st.builds(Row, entries, st.booleans()), max_size=7))]


def solves(rows: list[Row], b: tuple[Fraction, ...]) -> bool:
    values = [(sum(c * x for c, x in zip(row.coefficients, b, strict=True)), row.strict) for row in rows]
    return all(value > 0 if strict else value >= 0 for value, strict in values)


def excludes(rows: list[Row], multipliers: dict[int, Fraction]) -> bool:
    sums = [sum(t * rows[i].coefficients[j] for i, t in multipliers.items()) for j in range(len(rows[0].coefficients))]
    return not any(sums) and all(t > 0 for t in multipliers.values()) and any(rows[i].strict for i in multipliers)


@MANY
@given(systems())
def test_a_small_system_has_a_solution_or_multipliers(rows: list[Row]) -> None:
    result = decide(rows)
    assert (isinstance(result, Solution) and solves(rows, result.b)) or (
        isinstance(result, Multipliers) and excludes(rows, result.of)
    )


@MANY
@given(st.lists(st.integers(-5, 5), min_size=3, max_size=3), st.lists(st.tuples(*[st.integers(-9, 9)] * 3), min_size=1))
def test_a_system_that_has_a_solution_gets_one(b: list[int], coefficients: list[tuple[int, int, int]]) -> None:
    values = [sum(c * x for c, x in zip(row, b, strict=True)) for row in coefficients]
    signs = [1 if value >= 0 else -1 for value in values]
    rows = [
        Row(tuple(sign * c for c in row), strict=value != 0)
        for sign, row, value in zip(signs, coefficients, values, strict=True)
    ]
    assert isinstance(decide(rows), Solution)


def test_numbers_far_apart_do_no_harm() -> None:
    big = 10**30
    rows = [Row((1, -big), strict=True), Row((-1, big + 1), strict=True)]
    solution = decide(rows)
    assert isinstance(solution, Solution)
    assert solves(rows, solution.b)


@MANY
@given(systems())
def test_the_simplex_method_over_q_decides_every_small_system(rows: list[Row]) -> None:
    result = inequalities([row.coefficients for row in rows], [row.strict for row in rows])
    assert result is not None
    solved, numbers = result
    positive = {i: t for i, t in enumerate(numbers) if t}
    assert solves(rows, tuple(numbers)) if solved else excludes(rows, positive)


def test_a_system_that_is_too_large_is_left_undecided() -> None:
    assert inequalities([[1] * 600] * 600, [True] * 600) is None


def test_steps_are_counted_by_the_entries_that_they_work_on() -> None:
    """Each step works on 12 entries. This system takes three steps, and a limit `work` allows work // 12 + 1."""
    opposite, strict = [[1], [-1]], [True, True]
    assert inequalities(opposite, strict, work=12) is None
    assert inequalities(opposite, strict, work=24) == (False, [Fraction(1, 2)] * 2)


def test_what_leaves_a_basis_is_what_first_becomes_0() -> None:
    """The row with the least ratio must leave the basis. Otherwise some multipliers would be negative."""
    rows = [[1, -3, -3], [-2, 3, 3], [3, 1, -3], [-3, 0, 3], [3, -1, 0]]
    assert inequalities(rows, [True, True, False, True, True]) == (False, [Fraction(t, 19) for t in (3, 0, 11, 14, 2)])


def test_nothing_that_the_solver_prints_is_on_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    quiet_solver(solver="simplex").run()
    os.write(1, b"what was asked for")
    assert capfd.readouterr() == ("what was asked for", "")


def test_a_solver_is_made_where_standard_output_is_closed_and_leaves_it_so() -> None:
    descriptor = os.dup(1)
    os.close(1)
    try:
        quiet_solver()
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(1)
    finally:
        os.dup2(descriptor, 1)
        os.close(descriptor)


def test_each_thread_has_a_solver_of_its_own() -> None:
    """The threads decide systems of different sizes at once, which a shared solver would mix up."""
    barrier = Barrier(2)

    def decide_often(width: int) -> list[bool]:
        rows = [Row(tuple(int(i == j) for i in range(width)), strict=True) for j in range(width)]
        barrier.wait()
        return [isinstance(decide(rows), Solution) for _ in range(300)]

    with ThreadPoolExecutor(2) as threads:
        assert all(map(all, threads.map(decide_often, (3, 40))))
