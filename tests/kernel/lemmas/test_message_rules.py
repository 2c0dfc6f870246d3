"""Evidence on messages and the prompt's position: section 9 of docs/certificate-format.md."""

import pytest
from altering import PROOF, Json, accepted, altered, rejection
from by_hand import check_changes
from lemma_certificates import ALTERNATE, HOLD, lemma
from vanilla_certificates import model


@pytest.mark.parametrize("name", ["message-passing", "footnote-1", "B.1"])
def test_the_messages_cannot_fail(name: str) -> None:
    document = lemma(name, "fails", {"kind": "messages"}, model(), HOLD)
    assert rejection(document).expected == "that it holds, as it does on every model"


def test_the_position_of_the_prompt_cannot_be_right() -> None:
    document = lemma("section-3.1", "holds", {"kind": "messages"}, model(), HOLD)
    assert rejection(document).expected == "that it fails, as it does on every model"


test_a_prompt_must_be_possible_before_the_word = check_changes(
    "at_the_prompt",
    ("prompt/u", ["0", "0"], "", "u'(p1 o beta(x)) > 0"),
    ("prompt/u", ["2", "0"], "prompt.u[0]", "a number in [0,1]"),
    ("prompt/u", ["1", "-1"], "prompt.u[1]", "a number in [0,1]"),
    ("input", [], "input", "a word of at least one token"),
    ("input", [2], "input[0]", "an integer from 0 to 1"),
)


def test_a_word_after_the_prompt_follows_the_first_step_and_not_the_start() -> None:
    """H_1 is surely 1, and H_2 is 0. Behind the prompt the first token is emitted by H_2, without a prompt by H_1."""
    proof: Json = {"kind": "prompted-position", "prompt": {"u": ["0", "1"]}, "input": [0]}
    document = lemma("section-3.1", "fails", proof, ALTERNATE, {})
    assert accepted(document).conclusion == "fails"
    assert rejection(altered(document, f"{PROOF}/input", [1])).where == "evidence.conclusion"
    assert rejection(altered(document, f"{PROOF}/prompt/u", ["1", "0"])).where == "evidence.conclusion"
