"""Evidence on A.1, B.2 and equation 3.3, which have diagonal matrices: section 9 of docs/certificate-format.md.

Notation: verify/kernel/hmm/__init__.py and memory/__init__.py.
"""

from typing import Any

import pytest
from altering import PROOF, accepted, altered, rejection
from by_hand import by_hand, check_changes
from lemma_certificates import ALTERNATE, DRIFT, lemma
from vanilla_certificates import MUTE, STAY, model

# --- A.1


def test_the_first_support_must_be_in_the_second() -> None:
    document = lemma("A.1", "holds", {"kind": "diagonals"}, ALTERNATE, {})
    assert (rejection(document).actual, rejection(document).expected) == (
        "P(H_1=0) = 0",
        "P(H_i=h) > 0 wherever P(H_0=h) > 0",
    )


def test_a_state_reached_later_must_have_no_input() -> None:
    """State 2 is reached in two steps. The word (0) is possible from there, and it is an input."""
    around = {**by_hand("onward")["model"], "transition": [["1/2", "0", "1"], ["1/2", "0", "0"], ["0", "1", "0"]]}
    error = rejection(lemma("A.1", "holds", {"kind": "diagonals"}, around, {}))
    assert error.actual == "state 2, from which the input [0] is possible"


def test_a_state_reached_later_may_have_words_that_are_no_inputs() -> None:
    assert accepted(by_hand("onward")).conclusion == "holds"  # a 2 is possible from 1 and 2, not from the start
    document = altered(by_hand("onward"), "model/initial", ["1/2", "0", "1/2"])  # now the word 2 is an input
    assert rejection(document).actual.startswith("state 1, from which the input [2]")


test_a_diagonal_is_refuted_at_a_state_where_one_side_is_zero = check_changes(
    "undiagonal",
    ("position", 0, "position", "an integer from 1 to 1000000"),
    ("position", 1_000_001, "position", "an integer from 1 to 1000000"),
    ("position", 2, "state", "a state h at which exactly one of P(H_0=h), P(H_2=h) is 0"),
    ("position", 1_000_000, "state"),
    ("state", 2, "state", "an integer from 0 to 1"),
    ("state", 1, "state", "a state h with beta(x)[h] > 0"),
    ("input", [0], "input", "an input (of probability > 0)"),
    ("input", [], "input", "a word of at least one token"),
)


def test_a_late_position_refutes_a_diagonal_too_and_so_does_either_zero() -> None:
    document = altered(by_hand("undiagonal"), f"{PROOF}/position", 999_999)
    assert accepted(document).conclusion == "fails"
    document = altered(altered(document, "model/emission", MUTE), f"{PROOF}/state", 1)  # P(H_0=1) = 0, P(H_i=1) = 1
    assert accepted(document).conclusion == "fails"
    assert rejection(altered(document, f"{PROOF}/position", 2)).where == "evidence.conclusion.state"  # both are 0


# --- B.2 and equation (3.3)


@pytest.mark.parametrize("name", ["B.2", "eq-3.3"])
def test_the_prior_must_cover_the_state_behind_the_prompt(name: str) -> None:
    document = lemma(name, "holds", {"kind": "prior-covers"}, DRIFT, {})
    assert rejection(document).actual == "P(H_0=1) = 0, P(H_2=1) > 0"
    document = lemma(name, "holds", {"kind": "prior-covers"}, ALTERNATE, {})  # H_2 = H_0, though H_1 is another state
    assert accepted(document).status == "not-applicable"


ONE_WAY = model([["3/4", "0"], ["1/4", "1"]], STAY, ["1", "-1"], ["1", "0"])


@pytest.mark.parametrize(
    ("the_model", "state", "word", "where", "expected"),
    [
        (DRIFT, 0, [0], ".state", "a state h with p0[h] = 0 and (A p1)[h] > 0"),
        (ALTERNATE, 1, [0], ".state", "a state h with p0[h] = 0 and (A p1)[h] > 0"),
        (ONE_WAY, 1, [0], ".input", "beta(x)[h] > 0"),
        (ONE_WAY, 1, [], ".input", "a word of at least one token"),
        (DRIFT, 2, [0], ".state", "an integer from 0 to 1"),
    ],
)
def test_a_missed_state_must_be_possible_behind_the_prompt_and_with_the_word(
    the_model: Any, state: int, word: list[int], where: str, expected: str
) -> None:
    error = rejection(lemma("B.2", "fails", {"kind": "prior-misses", "state": state, "input": word}, the_model, {}))
    assert (error.where, error.expected) == (f"evidence.conclusion{where}", expected)


def test_a_word_that_is_sure_is_possible() -> None:
    """Each state leads to the next for sure, and there is one token. So every probability is 0 or 1."""
    turns = [["0", "0", "1"], ["1", "0", "0"], ["0", "1", "0"]]
    the_model = model(turns, [["1", "1", "1"]], ["1", "-1", "1"], ["1", "0", "0"])
    accepted(lemma("B.2", "fails", {"kind": "prior-misses", "state": 2, "input": [0]}, the_model, {}))


def test_a_missed_state_is_shown_by_a_word_that_need_not_be_an_input() -> None:
    """H_0 is state 0, so x_1 cannot be token 1. Hence the word x = 1 is no input, and P[H_0|X=x] is not defined."""
    transition = [["1/2", "0", "0"], ["1/2", "0", "0"], ["0", "1", "1"]]
    the_model = model(transition, [["1", "1", "0"], ["0", "0", "1"]], ["1", "0", "0"], ["1", "0", "0"])
    document = lemma("B.2", "fails", {"kind": "prior-misses", "state": 1, "input": [1]}, the_model, {})
    assert accepted(document).conclusion == "fails"
    assert rejection(altered(document, "claim/labels/1", [1])).actual == "a word of probability 0"


test_rows_must_combine_the_outputs_to_a_contradiction = check_changes(
    "no_output_diagonal",
    ("prompt/u", ["0", "0"], "prompt", "u'p1 > 0"),
    ("prompt/u", ["1", "3/2"], "prompt.u[1]", "a number in [0,1]"),
    ("terms", [], "terms", "one that is > 0"),
    ("terms", [[[0], ["0", "0"]]], "terms", "one that is > 0"),
    ("terms", [[[0], ["1", "1"]]], "terms", "one that is 0"),
    ("terms", [[[0], ["-1", "3"]]], "terms", "one that is 0"),
    ("terms", [[[0], ["1", "-2"]]], "terms[0]", "a number >= 0"),
    ("terms", [[[0], ["-1", "2"]], [[1], ["1", "-2"]]], "terms[1]", "a number >= 0"),
    ("terms", [[[0], ["-1", "2"]], [[0], ["-1", "2"]]], "terms[1]", "each once"),
    ("terms", [[[], ["-1", "2"]]], "terms[0][0]", "a word of at least one token"),
    ("terms/1/1/0", "-402/47", "terms", "one that is 0"),
    ("terms/1/0", [0, 1], "terms", "one that is 0"),
)


def test_one_input_can_contradict_a_diagonal_alone() -> None:
    document = altered(by_hand("no_output_diagonal"), f"{PROOF}/terms", [[[0], ["-1", "2"]]])
    assert accepted(document).lengths == (1,)
    assert rejection(altered(document, f"{PROOF}/terms/0/1", ["1", "0"])).expected == "one that is 0"
    assert accepted(altered(document, f"{PROOF}/terms", [[[0], ["-1", "2"]], [[1], ["0", "0"]]])).lengths == (1, 1)


def test_a_word_of_probability_zero_contradicts_no_diagonal() -> None:
    proof = {"kind": "no-output-diagonal", "prompt": {"u": ["1", "1"]}, "terms": [[[0], ["1", "0"]]]}
    assert rejection(lemma("eq-3.3", "fails", proof, ALTERNATE, {})).expected == "an input (of probability > 0)"
