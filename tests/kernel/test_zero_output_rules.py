"""Evidence on 3.6:zero and the remarks: section 9 of docs/certificate-format.md."""

from typing import Any

import pytest
from altering import PROOF, accepted, altered, rejection
from lemma_certificates import ALTERNATE, CYCLE, DEPENDENT, HOLD, START, implied, lemma, reached, unimplied, unreached
from vanilla_certificates import LINES, model


def test_the_prompt_must_lead_to_every_state_of_mu_that_can_be_the_first() -> None:
    assert rejection(altered(reached(), f"{PROOF}/prompt_states", [])).expected.startswith(
        "states that lead to state 0"
    )
    assert rejection(altered(reached(), f"{PROOF}/prompt_states", [1, 0])).expected == "a list in ascending order"
    for states, fine in ([1], True), ([0], False), ([0, 1], True), ([], False):  # H_1 = 1 for sure
        document = lemma("3.6:zero", "holds", {"kind": "prompt-reaches", "prompt_states": states}, ALTERNATE, START)
        if fine:
            assert accepted(document).conclusion == "holds"
        else:
            assert rejection(document).where == "evidence.conclusion.prompt_states"


def test_a_prompt_state_counts_only_where_it_can_be() -> None:
    """State 2 leads to 0, but H_1 = 1."""
    document = lemma("3.6:zero", "holds", {"kind": "prompt-reaches", "prompt_states": [0, 1, 2]}, CYCLE, START)
    assert rejection(document).where == "evidence.conclusion.prompt_states"


def test_a_state_of_mu_counts_only_where_it_can_be_the_first() -> None:
    document = lemma("3.6:zero", "holds", {"kind": "prompt-reaches", "prompt_states": []}, CYCLE, START)
    assert rejection(document).where == "evidence.conclusion.prompt_states"
    assert accepted(altered(document, "model/task/mu", ["0", "1", "1"])).conclusion == "holds"


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("model/emission", [["0", "0", "0"], ["1", "1", "1"]], "c o beta(x) = 0"),  # the 1 follows every state
        ("model/task/mu", ["0", "2", "0"], "scores that differ"),
        ("model/task/mu", [["1", "0", "0"], ["1", "3", "0"]], "scores that differ"),
        (f"{PROOF}/input", [0], "an input (of probability > 0)"),
        (f"{PROOF}/input", [], "a word of at least one token"),
    ],
)
def test_an_unreached_input_has_scores_that_differ(path: str, value: Any, expected: str) -> None:
    assert rejection(altered(unreached(), path, value)).expected == expected


def test_rows_of_mu_may_differ_where_a_vector_of_mu_is_not_zero() -> None:
    document = altered(unreached(), "model/task/mu", [["1", "0", "0"], ["2", "0", "0"]])
    assert accepted(document).conclusion == "fails"


def test_the_size_decides_the_remark_on_3_1() -> None:
    small = lemma("remark-3.1", "fails", {"kind": "size"}, model(), HOLD)
    assert rejection(small).found == "2 states and 2 tokens"
    large = lemma("remark-3.1", "holds", {"kind": "size"}, LINES, DEPENDENT)
    assert rejection(large).found == "3 states and 2 tokens"


def test_the_remark_on_3_5_wants_the_evidence_of_3_5() -> None:
    assert rejection(altered(implied(), f"{PROOF}/recoverable", [0])).where == "evidence.conclusion.recoverable"
    assert rejection(altered(unimplied(), f"{PROOF}/nodes/0/2", [[0, 1]])).where == "evidence.conclusion.nodes[0][2]"
    assert accepted(implied()).status == "proved"
