"""Models from arrays and from hmmlearn: floats are lifted by the rule, the change is reported, nothing is guessed."""

import math
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import oracle
import pytest
from checks import SOME, plain, shipped
from hmmlearn.hmm import CategoricalHMM, MultinomialHMM
from hypothesis import given

from constructions.arrays import Lift, from_arrays
from constructions.hmmlearn import STARTS, Start, from_hmmlearn, to_hmmlearn
from constructions.linear import Vector, nonnegative_solution
from constructions.models import HMM
from constructions.reading import InputError
from constructions.tasks import Task
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.strategies import vanilla

INITIAL = [0.5, 0.5]
TRANSITION = [[0.75, 0.5], [0.25, 0.5]]
EMISSION = [[0.5, 0.125], [0.25, 0.125], [0.25, 0.75]]


def columns(**changes: Any) -> tuple[HMM, Lift]:
    """The model above, with some arguments changed."""
    arrays = {"initial": INITIAL, "transition": TRANSITION, "emission": EMISSION}
    return from_arrays(**{"orientation": "columns", **arrays, **changes})


def exact(*numbers: float | Fraction) -> Vector:
    return tuple(Fraction(number) for number in numbers)


def complaint(**changes: Any) -> str:
    with pytest.raises(InputError) as error:
        columns(**changes)
    return str(error.value)


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


# Lifting


def test_floats_that_sum_to_one_exactly_are_not_changed() -> None:
    model, lift = columns()
    assert model.emission == (
        (Fraction(1, 2), Fraction(1, 8)),
        (Fraction(1, 4), Fraction(1, 8)),
        (Fraction(1, 4), Fraction(3, 4)),
    )
    assert lift == Lift(Fraction(0), Fraction(0))


def test_floats_are_their_binary_values_over_their_exact_sum() -> None:
    model, lift = columns(initial=[0.1, 0.9])
    low, high = Fraction(0.1), Fraction(0.9)
    assert model.initial == (low / (low + high), high / (low + high))
    assert lift == Lift(abs(high - high / (low + high)), abs(low + high - 1))
    assert lift.defect > 0


def test_with_a_denominator_floats_become_what_they_were_meant_to_be() -> None:
    model, lift = columns(initial=[1 / 3, 2 / 3], denominator=1000)
    assert model.initial == (Fraction(1, 3), Fraction(2, 3))
    assert lift.change == max(abs(Fraction(1 / 3) - Fraction(1, 3)), abs(Fraction(2 / 3) - Fraction(2, 3)))


def test_zeros_stay_zero_and_positive_entries_positive() -> None:
    model, lift = columns(emission=[[1 - 1e-9, 0.0], [1e-9, 1.0]], denominator=100)
    assert model.emission == (exact(Fraction(100, 101), 0), exact(Fraction(1, 101), 1))
    assert lift.change == Fraction(1 - 1e-9) - Fraction(100, 101)


def test_single_precision_passes_and_is_reported() -> None:
    model, lift = columns(emission=np.array([[0.1, 0.3], [0.9, 0.7]], dtype=np.float32))
    assert sum(row[0] for row in model.emission) == 1
    assert 0 < lift.defect < Fraction(1, 10**6)


def test_integers_and_fractions_may_stand_beside_floats() -> None:
    model, _ = columns(transition=[[np.int64(1), Fraction(1, 2)], [0, 0.5]])
    assert model.transition == (exact(1, 0.5), exact(0, 0.5))


def test_the_report_reads_as_a_line() -> None:
    assert str(Lift(Fraction(1, 1000), Fraction(1, 3))) == "largest change 0.001, largest defect of a sum 0.333"


# Refusals


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"initial": [0.5, 0.4]}, "initial: found entries that sum to 0.9, expected a sum within 1e-06 of 1"),
        ({"initial": [1, 1]}, "initial: found entries that sum to 2, expected a sum of exactly 1"),
        ({"initial": [1.5, -0.5]}, "initial, entry 1: found -1/2, expected a probability, at least 0"),
        (
            {"initial": [0.5, math.nan]},
            "initial, entry 1: found nan, expected a finite float, an integer or a fraction",
        ),
        ({"initial": [0.5, np.inf]}, "initial, entry 1: found inf, expected a finite float, an integer or a fraction"),
        ({"initial": ["1/2", 0.5]}, "initial, entry 0: found 1/2, expected a finite float, an integer or a fraction"),
        ({"initial": 0.5}, "initial: found 0.5, expected a sequence"),
        ({"initial": [1.0]}, "transition: found 2 columns, expected 1, one for each state"),
        ({"transition": [[1.0, 0.5], [0.5]]}, "transition[1]: found 1 entries, expected 2, as in the first row"),
        ({"transition": [[1.0, 1.0]]}, "transition: found 1 rows, expected 2"),
        ({"emission": []}, "emission: found nothing, expected at least one entry"),
        ({"emission": [[1.0], [0.0]]}, "emission: found 1 columns, expected 2, one for each state"),
        ({"denominator": 0}, "denominator: found 0, expected at least 1, or None"),
    ],
)
def test_bad_arrays_are_refused_with_their_place(changes: dict[str, Any], expected: str) -> None:
    assert complaint(**changes) == expected


def test_a_wider_tolerance_can_be_chosen_and_the_defect_is_reported() -> None:
    model, lift = columns(initial=[0.5, 0.25], tolerance=0.5)
    assert model.initial == (Fraction(2, 3), Fraction(1, 3))
    assert lift == Lift(Fraction(1, 6), Fraction(1, 4))


# hmmlearn


def categorical(startprob: Any, transmat: Any, emissionprob: Any) -> CategoricalHMM:
    model = CategoricalHMM(n_components=len(startprob), n_features=len(emissionprob[0]))
    model.startprob_, model.transmat_, model.emissionprob_ = map(np.array, (startprob, transmat, emissionprob))
    return model


def log_likelihood(model: HMM, word: tuple[int, ...]) -> float:
    return math.log(oracle.probability(plain(model), word))


ROWS = [[0.75, 0.25], [0.5, 0.5]]
EMITS = [[0.5, 0.25, 0.25], [0.125, 0.125, 0.75]]


@SOME
@given(vanilla.hmms_satisfying("3.2"))
def test_hmmlearn_gives_every_word_our_likelihood(model: HMM) -> None:
    theirs = to_hmmlearn(model)
    for word in oracle.inputs(plain(model), 3):
        assert math.isclose(theirs.score(np.array(word)[:, None]), log_likelihood(model, word), abs_tol=1e-12)


@pytest.mark.parametrize("start", ["solve", "state"])
def test_a_model_from_hmmlearn_gives_every_word_its_likelihood(start: Start) -> None:
    theirs = categorical([0.625, 0.375], ROWS, EMITS)
    ours, lift = from_hmmlearn(theirs, start=start)
    assert lift == Lift()
    for word in oracle.inputs(plain(ours), 3):
        assert math.isclose(theirs.score(np.array(word)[:, None]), log_likelihood(ours, word), abs_tol=1e-12)


def test_solving_gives_a_law_one_step_before_the_first_token() -> None:
    model, _ = from_hmmlearn(categorical([0.625, 0.375], ROWS, EMITS))
    assert model.initial == (Fraction(1, 2), Fraction(1, 2))
    assert model.first == (Fraction(5, 8), Fraction(3, 8))


def test_a_start_that_nothing_leads_to_is_refused_and_the_choices_are_named() -> None:
    with pytest.raises(InputError) as error:
        from_hmmlearn(categorical([1.0, 0.0], ROWS, EMITS))
    assert str(error.value) == (
        'startprob_: found a law that no law one step before it leads to, expected start="stationary" or "state"'
    )


def test_the_stationary_choice_is_the_law_that_the_chain_keeps() -> None:
    model, _ = from_hmmlearn(categorical([1.0, 0.0], ROWS, EMITS), start="stationary")
    assert model.initial == model.first == (Fraction(2, 3), Fraction(1, 3))


def test_a_start_law_that_is_not_used_is_not_reported_as_changed() -> None:
    theirs = categorical([0.999999, 0.000001], ROWS, EMITS)
    assert from_hmmlearn(theirs, start="stationary", denominator=100)[1] == Lift()
    assert from_hmmlearn(theirs, start="state", denominator=100)[1].change > 0


def test_a_chain_with_two_stationary_laws_is_refused() -> None:
    with pytest.raises(InputError, match=r"^transmat_: found 2 independent stationary laws"):
        from_hmmlearn(categorical([1.0, 0.0], [[1.0, 0.0], [0.0, 1.0]], EMITS), start="stationary")


def test_a_start_state_is_left_at_once_and_for_good() -> None:
    model, _ = from_hmmlearn(categorical([1.0, 0.0], ROWS, EMITS), start="state")
    assert model.initial == exact(0, 0, 1)
    assert model.first == exact(1, 0, 0)
    assert model.transition[2] == exact(0, 0, 0)


def test_another_start_is_refused() -> None:
    with pytest.raises(InputError, match=r"^start: found 'guess', expected one of "):
        from_hmmlearn(categorical([1.0, 0.0], ROWS, EMITS), start="guess")  # type: ignore[arg-type]


def test_a_model_that_is_not_fitted_is_refused() -> None:
    with pytest.raises(InputError, match="found a CategoricalHMM without startprob_, expected a fitted CategoricalHMM"):
        from_hmmlearn(CategoricalHMM(n_components=2))


def test_a_model_of_another_kind_is_refused() -> None:
    with pytest.raises(InputError, match="found a MultinomialHMM, expected a CategoricalHMM"):
        from_hmmlearn(MultinomialHMM(n_components=2))


def test_without_hmmlearn_the_complaint_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hmmlearn.hmm", None)
    with pytest.raises(InputError, match=r"pip install 'headproof\[hmmlearn\]'"):
        to_hmmlearn(columns()[0])


def test_theorem_3_3_is_proved_of_a_fitted_model() -> None:
    [(ice_cream, _)] = shipped("ice-cream")
    diary, _ = to_hmmlearn(ice_cream).sample(1000, random_state=0)
    fitted = CategoricalHMM(n_components=2, n_features=3, random_state=1).fit(diary)
    model, lift = from_hmmlearn(fitted, start="stationary", denominator=1000)
    verdict = prove(STATEMENTS["3.3"], model, Task(((-model.initial[1], model.initial[0]),)))
    assert (verdict.status, verdict.vacuous) == ("proved", False)
    assert lift.change < Fraction(1, 1000)


@SOME
@given(vanilla.hmms_satisfying("3.2"))
def test_there_and_back_again_keeps_the_law_of_words_up_to_rounding(model: HMM) -> None:
    back, lift = from_hmmlearn(to_hmmlearn(model), start="state")
    assert lift.change < Fraction(1, 10**15)
    for word in oracle.inputs(plain(model), 2):
        assert math.isclose(log_likelihood(model, word), log_likelihood(back, word), abs_tol=1e-12)


# Non-negative solutions


@given(vanilla.hmms((1, 5), (1, 2)))
def test_a_law_one_step_before_is_found_where_there_is_one(model: HMM) -> None:
    before = nonnegative_solution(model.transition, model.first)
    assert before is not None
    assert min(before) >= 0
    assert sum(before) == 1
    assert model.step(before) == model.first


def test_a_singular_chain_may_have_solutions_or_none() -> None:
    half = Fraction(1, 2)
    assert nonnegative_solution(((half, half), (half, half)), (half, half)) == exact(1, 0)
    assert nonnegative_solution(((half, half), (half, half)), (Fraction(1), Fraction(0))) is None


def test_a_right_side_may_be_negative() -> None:
    assert nonnegative_solution(((Fraction(1),),), (Fraction(-1),)) is None
    assert nonnegative_solution(((Fraction(-2),),), (Fraction(-1),)) == exact(Fraction(1, 2))


def test_every_way_to_choose_the_start_is_documented() -> None:
    documentation = from_hmmlearn.__globals__["__doc__"]
    assert all(f'- "{start}":' in documentation for start in STARTS)
