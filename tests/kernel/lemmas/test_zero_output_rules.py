"""Evidence on 3.6:zero (an output 0 behind a prompt) and on the remarks 3.1 and 3.5: section 9 of the format.

Notation: verify/kernel/hmm/__init__.py and memory/__init__.py.
"""

from typing import Any

import pytest
from altering import PROOF, accepted, altered, rejection
from by_hand import by_hand, check_changes
from lemma_certificates import CYCLE, DEPENDENT, HOLD, SIDE_DOOR, UNREACHED, lemma
from vanilla_certificates import LINES, model


@pytest.mark.parametrize("the_model", [SIDE_DOOR, CYCLE])
def test_a_state_of_mu_must_be_reached_whatever_the_set_is(the_model: Any) -> None:
    document = lemma("3.6:zero", "holds", {"kind": "prompt-reaches"}, the_model, {})
    assert rejection(document).where == PROOF.replace("/", ".")
    assert "state 0" in rejection(document).actual


def test_what_leads_to_another_state_of_mu_may_lead_there() -> None:
    """Every set B that meets 3.5 contains state 2, since no other state leads to state 0.

    State 2 leads to state 1, too. So c = A (u o P[H_1]) has c[1] > 0.
    """
    transition = [["0", "0", "1/2"], ["1", "1/2", "1/4"], ["0", "1/2", "1/4"]]
    the_model = model(transition, [["1", "0", "0"], ["0", "1", "1"]], ["1", "-1", "0"], ["1/2", "1/2", "0"])
    document = lemma("3.6:zero", "holds", {"kind": "prompt-reaches"}, the_model, {})
    assert accepted(document).conclusion == "holds"
    assert rejection(altered(document, "model/task/mu", ["0", "1", "0"])).where == PROOF.replace("/", ".")


def test_a_state_of_mu_counts_only_where_it_can_be_the_first() -> None:
    document = lemma("3.6:zero", "holds", {"kind": "prompt-reaches"}, CYCLE, {})
    assert accepted(altered(document, "model/task/mu", ["0", "1", "1"])).conclusion == "holds"


def test_where_no_set_meets_3_5_there_is_nothing_to_check() -> None:
    document = altered(by_hand("unimplied"), "claim", lemma("3.6:zero", "holds", None, model(), {})["claim"])
    proof = document["evidence"]["conclusion"]
    document = lemma("3.6:zero", "holds", proof, document["model"], {"3.5": (False, proof)})
    assert accepted(document).sentence().endswith("and no set B meets 3.5, so that it says nothing")
    assert rejection(altered(document, f"{PROOF}/nodes/0/2", [[0, 1]])).where == "evidence.conclusion.nodes[0][2]"


test_the_set_that_refutes_it_meets_3_5 = check_changes(
    "unreached",
    ("prompt_states", [2], "recoverable"),  # state 2 leads to itself, too
    ("prompt_states", [], "recoverable"),
    ("recoverable", [0, 2], "recoverable"),
    ("left_inverse", [["0", "1"]], "left_inverse"),
)


def test_a_set_on_which_columns_are_dependent_refutes_nothing() -> None:
    """The set B = {0, 1} leads to states 0 and 2, whose columns of W are equal. So this B does not meet 3.5.

    H_1 is surely state 2, which is not in B. So outputs are 0 behind the prompt that is 1 on B, but this does not
    refute the statement.
    """
    assert accepted(by_hand("unreached")).status == "not-applicable"
    both = altered(by_hand("unreached"), f"{PROOF}/prompt_states", [0, 1])
    both = altered(both, f"{PROOF}/recoverable", [0, 2])
    assert rejection(altered(both, f"{PROOF}/left_inverse", [["1", "0"], ["1", "0"]])).where.endswith("left_inverse")


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("model/task/mu", ["0", "2", "0"], "a list that contains supp(mu)"),
        ("model/task/mu", [["1", "0", "0"], ["1", "0", "0"]], "scores that differ"),
        (f"{PROOF}/input", [1], "an input (of probability > 0)"),
        (f"{PROOF}/input", [], "a word of at least one token"),
    ],
)
def test_an_unreached_input_has_scores_that_differ(path: str, value: Any, expected: str) -> None:
    assert rejection(altered(by_hand("unreached"), path, value)).expected == expected


def test_an_unreached_input_cannot_follow_the_prompt() -> None:
    entered = {**SIDE_DOOR, "transition": [["0", "1", "1/2"], ["1/2", "0", "0"], ["1/2", "0", "1/2"]]}
    assert rejection(lemma("3.6:zero", "fails", UNREACHED, entered, {})).expected == "c o beta(x) = 0"


def test_rows_of_mu_may_differ_where_a_vector_of_mu_is_not_zero() -> None:
    document = altered(by_hand("unreached"), "model/task/mu", [["1", "0", "0"], ["2", "0", "0"]])
    assert accepted(document).conclusion == "fails"


def test_the_size_decides_the_remark_on_3_1() -> None:
    assert rejection(lemma("remark-3.1", "fails", {"kind": "size"}, model(), HOLD)).actual == "2 states and 2 tokens"
    assert rejection(lemma("remark-3.1", "holds", {"kind": "size"}, LINES, DEPENDENT)).actual == "3 states and 2 tokens"


def test_the_remark_on_3_5_wants_the_evidence_of_3_5() -> None:
    assert (
        rejection(altered(by_hand("implied"), f"{PROOF}/recoverable", [0])).where == "evidence.conclusion.recoverable"
    )
    assert (
        rejection(altered(by_hand("unimplied"), f"{PROOF}/nodes/0/2", [[0, 1]])).where
        == "evidence.conclusion.nodes[0][2]"
    )
    assert accepted(by_hand("implied")).status == "proved"
