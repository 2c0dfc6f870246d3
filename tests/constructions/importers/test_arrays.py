"""Models from arrays: floats become fractions by a rule, the change is reported, and nothing is guessed."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from checks import refusal
from hypothesis import given
from hypothesis import strategies as st

from constructions.importers.arrays import Lift, from_arrays, on_grid, variation
from constructions.linear import Vector
from constructions.models import HMM
from verify.strategies import vanilla

TINY = Fraction(1, 10**9)
NINE_TENTHS = Fraction(9, 10)
HALF = Fraction(1, 2)
TENTH = Fraction(1, 10)

INITIAL = [0.5, 0.5]
TRANSITION = [[0.75, 0.5], [0.25, 0.5]]
EMISSION = [[0.5, 0.125], [0.25, 0.125], [0.25, 0.75]]


def columns(**changes: Any) -> tuple[HMM, Lift]:
    """Lift the arrays above, with some arguments changed."""
    arrays = {"initial": INITIAL, "transition": TRANSITION, "emission": EMISSION}
    return from_arrays(**{"orientation": "columns", **arrays, **changes})


def complaint(**changes: Any) -> str:
    return refusal(columns, **changes)


# Orientation


@given(vanilla.hmms())
def test_columns_of_fractions_are_taken_as_they_are(model: HMM) -> None:
    assert from_arrays(model.initial, model.transition, model.emission, orientation="columns") == (model, Lift())


@given(vanilla.hmms())
def test_rows_are_the_transpose_of_columns(model: HMM) -> None:
    transition, emission = (np.array(matrix, dtype=object).T for matrix in (model.transition, model.emission))
    assert from_arrays(model.initial, transition, emission, orientation="rows") == (model, Lift())


def test_the_orientation_has_no_default() -> None:
    with pytest.raises(TypeError, match="orientation"):
        from_arrays(INITIAL, TRANSITION, EMISSION)  # type: ignore[call-arg]


def test_another_word_for_the_orientation_is_refused() -> None:
    assert complaint(orientation="auto") == 'orientation: found \'auto\', expected "columns" or "rows"'


def test_arrays_in_the_other_orientation_are_refused_by_their_sums() -> None:
    assert complaint(orientation="rows") == (
        "transition row 0: found entries that sum to 5/4, expected a sum within 1e-06 of 1: "
        'each of the columns has it, so say orientation="columns" or transpose'
    )


def test_the_other_orientation_is_named_where_each_of_its_distributions_would_pass() -> None:
    exact_rows = [[TENTH, NINE_TENTHS], [Fraction(3, 10), Fraction(7, 10)]]
    off = [[TENTH, NINE_TENTHS + TINY], [Fraction(3, 10), Fraction(7, 10)]]
    assert complaint(transition=[[HALF + TINY, HALF - TINY], [HALF, HALF]]).endswith('orientation="rows" or transpose')
    assert complaint(transition=exact_rows).endswith('each of the rows has it, so say orientation="rows" or transpose')
    assert complaint(transition=off).endswith("expected a sum of exactly 1")
    assert complaint(transition=[[0.5, math.nan], [0.25, 0.75]]) == (  # a complaint about nan would name no place
        "transition column 0: found entries that sum to 3/4, expected a sum within 1e-06 of 1"
    )


@pytest.mark.parametrize(("digits", "total"), [(21, f"1/3{'0' * 21}"), (22, "3.33333333333e-23")])
def test_a_sum_of_more_than_24_characters_is_written_with_12_digits(digits: int, total: str) -> None:
    assert f"found entries that sum to {total}, " in complaint(initial=[Fraction(1, 3 * 10**digits), 0])


def test_exact_numbers_have_no_tolerance() -> None:
    assert complaint(initial=[HALF, HALF + TINY]) == (
        "initial: found entries that sum to 1000000001/1000000000, expected a sum of exactly 1"
    )


def test_a_grid_of_one_unit_is_enough_for_what_is_sure() -> None:
    assert from_arrays([1.0], [[1.0]], [[1.0]], orientation="rows", denominator=1)[1] == Lift()


# Lifting


def test_floats_that_sum_to_one_exactly_are_not_changed() -> None:
    model, lift = columns()
    assert model.emission == (
        (HALF, Fraction(1, 8)),
        (Fraction(1, 4), Fraction(1, 8)),
        (Fraction(1, 4), Fraction(3, 4)),
    )
    assert lift == Lift()


def test_floats_are_their_binary_values_over_their_exact_sum() -> None:
    model, lift = columns(initial=[0.1, 0.9])
    low, high = Fraction(0.1), Fraction(0.9)
    assert model.initial == (low / (low + high), high / (low + high))
    assert lift == Lift(abs(high - high / (low + high)), Fraction(0), abs(low + high - 1))
    assert lift.defect > 0


def test_with_a_denominator_floats_become_what_they_were_meant_to_be() -> None:
    model, lift = columns(initial=[0.1, 0.9], denominator=1000)
    assert model.initial == (TENTH, NINE_TENTHS)
    assert lift.change == max(abs(Fraction(0.1) - TENTH), abs(Fraction(0.9) - NINE_TENTHS))


def test_zeros_stay_zero_and_positive_entries_positive() -> None:
    model, lift = columns(emission=[[1 - 1e-9, 0.0], [1e-9, 1.0]], denominator=100)
    assert model.emission == ((Fraction(99, 100), 0), (Fraction(1, 100), 1))
    assert lift.change == Fraction(1 - 1e-9) - Fraction(99, 100)


@st.composite
def laws(draw: st.DrawFn) -> Vector:
    """Distributions with zeros, large entries and very small ones."""
    sizes = st.one_of(st.just(0), st.integers(1, 9), st.integers(10**6, 10**9))
    weights = draw(st.lists(sizes, min_size=1, max_size=9))
    total = sum(weights)
    return tuple(Fraction(weight, total) for weight in weights) if total else (Fraction(1),)


@given(laws(), st.integers(9, 40))
def test_the_grid_keeps_the_support_and_no_law_on_it_lies_nearer(law: Vector, denominator: int) -> None:
    grid_law = on_grid(law, denominator)
    assert sum(grid_law) == 1
    assert all((entry * denominator).denominator == 1 for entry in grid_law)
    assert [entry > 0 for entry in grid_law] == [entry > 0 for entry in law]
    units = [int(entry * denominator) for entry in grid_law]
    moves = [(i, j) for i in range(len(law)) for j in range(len(law)) if units[i] > 1 and law[j] and i != j]
    for i, j in moves:  # total variation is convex, so that it is enough that moving one unit brings the law no nearer
        nearby = [Fraction(unit + (h == j) - (h == i), denominator) for h, unit in enumerate(units)]
        assert variation(grid_law, law) <= variation(nearby, law)


def test_too_coarse_a_grid_is_refused() -> None:
    assert complaint(denominator=2) == (
        "denominator: found 2, expected at least 3, the positive entries of emission column 0"
    )


def test_a_decimal_is_the_number_that_it_writes() -> None:
    model, lift = columns(initial=[Decimal("0.1"), Decimal("0.9")])
    assert (model.initial, lift) == ((TENTH, NINE_TENTHS), Lift())


def test_single_precision_passes_and_is_reported() -> None:
    model, lift = columns(emission=np.array([[0.1, 0.3], [0.9, 0.7]], dtype=np.float32))
    assert sum(row[0] for row in model.emission) == 1
    assert 0 < lift.defect < Fraction(1, 10**6)


def test_integers_and_fractions_may_stand_beside_floats() -> None:
    model, _ = columns(transition=[[np.int64(1), HALF], [0, 0.5]])
    assert model.transition == ((1, HALF), (0, HALF))


def test_the_report_reads_as_a_line() -> None:
    assert str(Lift(Fraction(1, 1000), Fraction(1, 500), Fraction(1, 3))) == (
        "largest change 0.001, in total variation 0.002, largest defect of a sum 0.333"
    )


# Refusals


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"initial": [0.5, 0.4]}, "initial: found entries that sum to 0.9, expected a sum within 1e-06 of 1"),
        ({"initial": [1.5, -0.5]}, "initial, entry 1: found -1/2, expected a probability, at least 0"),
        (
            {"initial": [Decimal("nan"), 0.5]},
            "initial, entry 0: found NaN, expected a finite float, an integer or a fraction",
        ),
        (
            {"initial": [-math.inf, -1]},
            "initial, entry 0: found -inf, expected a finite float, an integer or a fraction"
            ": these look like log-probabilities, take exp of them",
        ),
        (
            {"initial": [-1, -2]},
            "initial, entry 0: found -1, expected a probability, at least 0"
            ": these look like log-probabilities, take exp of them",
        ),
        ({"initial": ["1/2", 0.5]}, "initial, entry 0: found 1/2, expected a finite float, an integer or a fraction"),
        (
            {"orientation": "rows", "transition": [[1, 1], [0, 1]]},
            "transition row 0: found entries that sum to 2, expected a sum of exactly 1",
        ),
        ({"initial": 0.5}, "initial: found 0.5, expected a sequence"),
        ({"initial": [1.0]}, "transition: found 2 columns, expected 1, one for each state"),
        ({"transition": [[1.0, 0.5], [0.5]]}, "transition[1]: found 1 entries, expected 2, as in the first row"),
        ({"emission": []}, "emission: found nothing, expected at least one entry"),
        ({"denominator": 2.5}, "denominator: found 2.5, expected a whole number, at least 1"),
        ({"denominator": 0}, "denominator: found 0, expected a whole number, at least 1"),
    ],
)
def test_bad_arrays_are_refused_with_their_place(changes: dict[str, Any], expected: str) -> None:
    assert complaint(**changes) == expected


def test_a_wider_tolerance_can_be_chosen_and_the_defect_is_reported() -> None:
    model, lift = columns(initial=[0.5, 0.25], tolerance=0.5)
    assert model.initial == (Fraction(2, 3), Fraction(1, 3))
    assert lift == Lift(Fraction(1, 6), Fraction(0), Fraction(1, 4))
