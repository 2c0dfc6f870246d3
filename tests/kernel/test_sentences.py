"""The sentences that state accepted claims, case by case, and the forms that numbers in model files may have."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
from altering import accepted
from by_hand import by_hand

from verify.kernel import Claim
from verify.kernel.model_file import written


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "proved",
            '3.3 is proved on "umbrella": 3.1, 3.2:ergodic and 3.2:full-support hold, and one linear head gives every '
            "input of every length its label; labels 0 and 1 both occur",
        ),
        (
            "uncovered",
            "3.6 does not apply to the model: 3.2:full-support and 3.5 are violated, 3.2:ergodic holds, and it "
            "is undecided whether one prompt with a linear head gives every input its label; every input has label 1, "
            "so that the task is vacuous",
        ),
        (
            "headless",
            "3.3 does not apply to the model: 3.1 and 3.2:ergodic are violated, 3.2:full-support holds, and no linear "
            "head serves inputs of mixed lengths (shown by 3); labels 0 and 1 both occur",
        ),
        ("on_spans", "this linear head gives every input of every length its label on the model (statement 3.3)"),
        ("mislabelled", "this linear head mislabels an input of length 1 on the model (statement 3.3)"),
        (
            "4.3",
            '4.3 is proved on "notes": 4.2, 3.2:ergodic and 3.2:full-support hold with H* = {0}, and one attention '
            "head gives every input in R of every length its label; labels 0 and 1 both occur in R",
        ),
        (
            "no input",
            "C.4 does not apply to the model: 4.2 is violated, 3.2:ergodic and 3.2:full-support hold with H* = {0}, "
            "and what it concludes is so for every input in R of every length; no input is in R, so that it says "
            "nothing",
        ),
        (
            "C.2 fails",
            "C.2 does not apply to the model: 4.2 is violated, 3.2:ergodic and 3.2:full-support hold with H* = {0}, "
            "and what it concludes is not so (shown by 2 words of length 4); R has inputs",
        ),
        (
            "head of 4.3",
            'this attention head gives every input in R of every length its label on "notes" with H* = {0} '
            "(statement 4.3)",
        ),
        (
            "head of 4.3 fails",
            'this attention head mislabels an input in R of length 2 on "notes" with H* = {0} (statement 4.3)',
        ),
        (
            "head of no input",
            "this attention head gives every input in R of every length its label on the model with H* = {0} "
            "(statement 4.3); no input is in R, so that it says nothing",
        ),
        (
            "head of C.6",
            "this prompt with an attention head gives every input in R of every length its label on the model "
            "with H* = {1} (statement C.6)",
        ),
        (
            "messages",
            'message-passing is proved on "umbrella": 3.2:ergodic and 3.2:full-support hold, and what it concludes is '
            "so for every input of every length",
        ),
        (
            "undiagonal",
            "A.1 does not apply to the model: 3.2:ergodic and 3.2:full-support are violated, and what it "
            "concludes is not so (shown by a word of length 1)",
        ),
        (
            "no_output_diagonal",
            "eq-3.3 does not apply to the model: 3.2:full-support is violated, 3.2:ergodic holds, and what it "
            "concludes is not so (shown by 2 words of mixed lengths)",
        ),
        (
            "at_the_prompt",
            "section-3.1 is refuted on the model: 3.2:ergodic and 3.2:full-support hold, and what it concludes is not "
            "so (shown by a word of length 1)",
        ),
        ("size", "remark-3.1 is proved on the model: 3.1 holds, and what it concludes is so"),
        ("oversize", "remark-3.1 does not apply to the model: 3.1 is violated, and what it concludes is not so"),
    ],
)
def test_the_sentence_says_what_was_accepted(name: str, sentence: str) -> None:
    assert accepted(by_hand(name)).sentence() == sentence


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
    sentences = [claim(on_r=True, vacuous=vacuous).about_r() for vacuous in (True, False, None)]
    assert sentences == ["no input is in R, so that it says nothing", "R has inputs", "no input is shown to be in R"]


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
