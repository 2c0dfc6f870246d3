"""Rounded models: how far the columns of W may move and stay independent, and which labels rounding changes.

Notation: constructions/__init__.py.
"""

import json
from dataclasses import replace
from fractions import Fraction
from random import Random
from unittest.mock import patch

import oracle
import pytest
from checks import SOME, shipped
from hypothesis import given, settings
from hypothesis import strategies as st

from constructions.importers.arrays import from_arrays, variation
from constructions.linear import Vector, echelon, exact, left_inverse, transpose
from constructions.models import HMM
from constructions.tasks import Task
from verify.certificates import model_document
from verify.margin import rounding
from verify.margin.rounding import independent_up_to, lifted_entries, relabelled, sentences, within
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.strategies import vanilla

TASK = Task.of("1 -1")

THEOREM_3_3 = STATEMENTS["3.3"]

HALF = Fraction(1, 2)


def moved(model: HMM, size: Fraction, seed: int) -> HMM:
    """Move each column of W towards a random law: by `size` in total variation, or all the way if that is less."""
    draw, laws = Random(seed), []
    for law in transpose(model.emission):
        weights = [Fraction(draw.randint(0, 9)) for _ in law]
        goal = tuple(weight / sum(weights) for weight in weights) if any(weights) else law
        apart = variation(law, goal)
        share = min(Fraction(1), size / apart) if apart else Fraction(0)
        laws.append(tuple(p + share * (q - p) for p, q in zip(law, goal, strict=True)))
    return replace(model, emission=exact(transpose(laws)))


@SOME
@given(vanilla.hmms(satisfying="3.1", states=(2, 3), tokens=(2, 4)), st.integers(0, 99))
def test_no_smaller_change_makes_columns_dependent(model: HMM, seed: int) -> None:
    size = independent_up_to(model.emission)
    assert size > 0
    assert len(echelon(moved(model, size * Fraction(999, 1000), seed).emission)[1]) == len(model.states)


def test_columns_are_independent_until_they_meet() -> None:
    """The two columns of W become dependent when both have moved to their mean.

    Each moves by 1/4 in the first W, by 1/2 in the second, whose columns share no token, and by 0 in the third.
    """
    sizes = {"3/4 1/4; 1/4 3/4": Fraction(1, 4), "1 0; 0 1/2; 0 1/2": HALF, "3/4 3/4; 1/4 1/4": Fraction(0)}
    for emission, size in sizes.items():
        assert independent_up_to(HMM.of("1/2 1/2", "1/2 1/2; 1/2 1/2", emission).emission) == size


@pytest.mark.parametrize("share", [Fraction(0), HALF, Fraction(2)])
def test_what_floats_propose_is_made_a_left_inverse_before_it_counts(
    share: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No proposal here is a left inverse.

    If the zero matrix counted as one, columns would seem to be independent after any change.
    """
    emission = HMM.of("1/2 1/2", "1/2 1/2; 1/2 1/2", "3/4 1/4; 1/4 3/4").emission
    proposed = tuple(tuple(share * x for x in row) for row in left_inverse(emission) or ())
    monkeypatch.setattr(rounding, "_flat_left_inverse", lambda matrix: proposed)
    assert independent_up_to(emission) == Fraction(1, 4)


def lifted(denominator: int) -> HMM:
    return from_arrays(
        [0.51, 0.49], [[0.7, 0.31], [0.3, 0.69]], [[0.53, 0.47], [0.47, 0.53]],
        orientation="columns", denominator=denominator,
    )[0]  # fmt: skip


def test_a_proof_holds_within_a_rounding_that_is_smaller_than_the_distance() -> None:
    fine, coarse = lifted(10), replace(lifted(100), rounding=Fraction(1, 10))
    task = TASK
    verdict = prove(THEOREM_3_3, replace(lifted(100), rounding=Fraction(1, 100)), task)
    assert within(verdict) is True
    assert sentences([verdict]) == (
        "3.3: proved of every model within the rounding, too (0.01 in total variation, the same zeros)",
    )
    assert within(prove(THEOREM_3_3, coarse, task)) is None, "W may move by 3/100 only"
    assert fine.rounding > 0
    assert within(prove(THEOREM_3_3, fine, task)) is None, "on the grid of tenths the columns are dependent"


def rounded(size: str, transition: str = "1/2 1/2; 1/2 1/2") -> HMM:
    return replace(HMM.of("1/2 1/2", transition, "3/4 1/4; 1/4 3/4"), rounding=Fraction(size))


def test_3_6_holds_within_a_rounding_by_the_columns_that_its_prompt_reaches() -> None:
    model, task = shipped("only-3-5")
    verdict = prove(STATEMENTS["3.6"], replace(model, rounding=Fraction(1, 10**6)), task)
    assert verdict.status == "proved"
    assert independent_up_to(model.emission) == 0
    assert within(verdict) is True


def test_what_is_not_proved_or_rounded_as_far_as_the_distance_is_not_proved_within_a_rounding() -> None:
    assert within(prove(THEOREM_3_3, rounded("1/4"), TASK)) is None
    assert within(prove(THEOREM_3_3, rounded("249999/1000000"), TASK)) is True
    verdict = prove(THEOREM_3_3, rounded("1/100", transition="0 1; 1 0"), TASK)
    assert verdict.status == "not-applicable"
    assert within(verdict) is None


LAWS = st.sampled_from([(Fraction(k, 8), 1 - Fraction(k, 8)) for k in range(9)])


@settings(max_examples=5)
@given(st.tuples(LAWS, LAWS, LAWS), st.tuples(LAWS, LAWS))
def test_what_is_counted_is_what_paths_say(laws: tuple[Vector, ...], emits: tuple[Vector, ...]) -> None:
    model = HMM(laws[0], transpose(laws[1:]), transpose(emits))
    other = replace(model, initial=exact((HALF, HALF)), transition=exact(transpose(((HALF, HALF), laws[2]))))
    with patch.object(rounding, "MAX_WORDS", 30):  # up to length 4 if every word is an input
        comparison = relabelled(model, other, TASK)
    truths = [oracle.parse(json.dumps(model_document(hmm, TASK))) for hmm in (model, other)]
    words = [
        x
        for x in oracle.inputs(truths[0], 4)
        if len({oracle.label(truth, [Fraction(1), Fraction(-1)], x) for truth in truths}) > 1
    ]
    assert [x for x in comparison.others if len(x) <= 4] == words
    likely = [sum(oracle.probability(truths[0], x) for x in words if len(x) == length) for length in range(1, 5)]
    assert comparison.probability >= max(likely)


def test_the_probability_is_that_of_the_length_at_which_it_is_largest() -> None:
    """The state never changes. Words (0, 1) and (1, 0), of probability 3/8 together, leave the label to P[H_0]."""
    model, other = (HMM.of(start, "1 0; 0 1", "3/4 1/4; 1/4 3/4") for start in ("51/100 49/100", "1/4 3/4"))
    assert relabelled(model, other, TASK).probability == Fraction(3, 8)


@patch.object(rounding, "MAX_WORDS", 100)
def test_words_that_no_input_is_may_end_one() -> None:
    """H_0 is state 0. A word that is no input itself is not counted, but it may be the end of an input."""
    model = HMM.of("1 0 0", "0 1 1/2; 1 0 0; 0 0 1/2", "0 1 1/2; 1 0 1/2")
    task = Task.of("1 -1 1")
    comparison = relabelled(model, model, task)
    inputs = oracle.inputs(oracle.parse(json.dumps(model_document(model, task))), comparison.length)
    assert comparison.inputs == len(inputs)
    alternating = HMM.of("1 0", "0 1; 1 0", "1 0; 0 1")
    alternation = relabelled(alternating, alternating, TASK)
    assert alternation.inputs == alternation.length  # one input of each length


def test_entries_of_almost_nothing_are_counted_and_3_2_may_hold_because_of_them() -> None:
    """Three transition matrices A have entries of 10^-9.

    In the first, the chain changes its state only by two such entries. In the second, only such an entry leads to the
    third state. In the third, other entries lead there, too.
    """
    little = 1e-9
    lazy = [[1 - little, little], [little, 1 - little]]
    three = [0.5, 0.5 - little, little]
    for moves, ending in (
        (lazy, "; with 0 for the 2 of A 3.2:ergodic fails: it holds because of them"),
        ([three, [0.5, 0.5, 0], [0.5, 0.5, 0]], "; with 0 for the 1 of A 3.2:ergodic fails: it holds because of them"),
        ([three, [0.5, 0.25, 0.25], [0.25, 0.5, 0.25]], "; with 0 for the 1 of A 3.2:ergodic holds, too"),
    ):
        n = len(moves)
        arrays = ([Fraction(1, n)] * n, moves, [[little, 1 - little]] + [[HALF, HALF]] * (n - 1))
        original, model = (from_arrays(*arrays, orientation="rows", denominator=d)[0] for d in (None, 100))
        count = 1 + int(ending[ending.index("the ") + 4])
        assert lifted_entries(model, original) == (
            f"{count} entries of A and W were almost 0 (less than 1/200) and became 1/100{ending}"
        )
        assert lifted_entries(model) == f"{count} entries of A and W are 1/100, as small as can be{ending}"
        assert lifted_entries(original) == lifted_entries(replace(model, rounding=Fraction(0))) == ""


def test_a_tie_that_rounding_broke_is_called_a_tie() -> None:
    model = HMM.of("1/2 1/2", "2/3 1/3; 1/3 2/3", "1/2 1/4; 1/4 1/2; 1/4 1/4")
    moved = replace(model, initial=exact((Fraction(499, 1000), Fraction(501, 1000))))
    for before in (model, replace(model, initial=exact((HALF + Fraction(1, 10**15), HALF - Fraction(1, 10**15))))):
        result = relabelled(before, moved, TASK)
        assert (2,) in result.ties
        assert (0,) not in result.others
        assert f"{len(result.ties)} of them at a tie that rounding broke or made" in result.sentence(model)


def test_the_sentence_says_how_many_labels_lifting_changes() -> None:
    model = HMM.of("1/2 1/2", "9/10 1/5; 1/10 4/5", "3/5 2/5; 2/5 3/5")
    changed = relabelled(model, replace(model, initial=exact((Fraction(2, 5), Fraction(3, 5)))), TASK)
    assert "have another label, the first is (" in changed.sentence(model)
    assert relabelled(model, model, TASK).sentence(model).endswith("each has the label that it had")
