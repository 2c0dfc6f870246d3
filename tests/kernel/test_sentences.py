"""The sentences of claims, case by case, and the numbers of model files: what people read, and what they may write."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

from verify.kernel import Claim
from verify.kernel.model_file import written


def claim(**parts: Any) -> Claim:
    return Claim(**{"kind": "statement", "statement": "3.3", "conclusion": "holds", "model_name": "m"} | parts)


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        ({"0": None, "1": None}, "no label is shown to occur"),
        ({"0": None, "1": [0]}, "only label 1 is shown to occur"),
        ({"0": [1], "1": [0]}, "labels 0 and 1 both occur"),
        ({"0": [1], "1": [0], "2": [1, 1]}, "labels 0, 1 and 2 all occur"),
    ],
)
def test_the_labels_that_occur_are_named(labels: Mapping[str, Sequence[int] | None], sentence: str) -> None:
    assert claim(labels=labels).about_labels() == sentence
    assert claim(labels=labels, on_r=True).about_labels() == f"{sentence} in R"


def test_whether_r_has_inputs_is_said() -> None:
    said = [claim(on_r=True, vacuous=vacuous).about_r() for vacuous in (True, False, None)]
    assert said == ["no input is in R, so that it says nothing", "R has inputs", "no input is shown to be in R"]


def test_inputs_of_one_length_are_said_to_be_so() -> None:
    for lengths, words in (((3, 3), "length 3 alone"), ((2, 3), "mixed lengths"), ((4,), "length 4 alone")):
        refuted = claim(head="linear head", conclusion="fails", lengths=lengths)
        assert refuted.about_heads() == f"no linear head serves inputs of {words} (shown by {len(lengths)})"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12e1", Fraction(120)),
        ("-1.25e2", Fraction(-125)),
        ("1.25e1", Fraction(25, 2)),
        ("25e-2", Fraction(1, 4)),
        ("0.5", Fraction(1, 2)),
        ("10/4", Fraction(5, 2)),
        ("1e9999", Fraction(10**9999)),
        ("1e-9999", Fraction(1, 10**9999)),
    ],
)
def test_a_model_file_writes_numbers_with_points_exponents_and_bars(text: str, number: Fraction) -> None:
    assert written(text) == number
