"""Margins over all lengths (section 13): each rule holds at its limit, and a small change breaks it.

Notation: verify/kernel/hmm/__init__.py.
"""

import json
from typing import Any

import pytest
from altering import altered, rejection, signed
from by_hand import FILES, by_hand
from judge import complaint
from margin_certificates import SURE, margin
from memory_certificates import NOTES
from vanilla_certificates import STAY, model

from verify.kernel import Rejected, check


def answer(body: Any) -> str:
    try:
        check(json.dumps(signed(body)))
    except Rejected:
        return "rejected"
    return "accepted"


@pytest.mark.parametrize("name", FILES["margins"])
def test_a_true_margin_is_accepted_by_the_kernel_and_the_judge(name: str) -> None:
    assert answer(by_hand(name)) == "accepted"
    assert complaint(by_hand(name)) is None


def changed(name: str, claim: Any = None, **evidence: Any) -> Any:
    body = by_hand(f"margin, {name}")
    return body | {"claim": body["claim"] | (claim or {}), "evidence": body["evidence"] | evidence}


FALSE = {
    "a little more": changed("one label, exactly", {"error": "5000001/10000000"}),
    "nothing": changed("one label, exactly", {"error": "0"}),
    "less than nothing": changed("one label, exactly", {"error": "-1/2"}),
    "the head's label, which is not the task's": margin(model(mu=["-1", "-1"]), ["1", "1"], "1/2", ["label", 1]),
    "the task's label, which is not the head's": margin(
        model(mu=[["0", "0"], ["2", "2"], ["1", "1"]]), [["0", "0"], ["1", "1"], ["1", "1"]], "1/2", ["label", 1]
    ),
    "another label": changed("one label, exactly", nodes=[["label", 0]]),
    "a word that is too close": changed("a word at the least score", {"error": "1000001/36000000"}),
    "words left out of nothing": changed("words left out", {"except": "0"}),
    "almost all that is left out": changed("words left out", {"except": "499999/1000000"}),
    "a part left out of too little": changed("a part left out", {"except": "499999/1000000"}),
    "two parts left out and one paid for": changed(
        "a part left out", nodes=[["split", [1, 2]], ["except"], ["except"]]
    ),
    "a label beyond the last": changed("one label, exactly", nodes=[["label", 2]]),
    "all left out": margin(SURE, ["1", "1"], "1000000", ["except"], left_out="1"),
    "all may be left out": changed("one label, exactly", {"except": "1"}),
    "more than all": changed("one label, exactly", {"except": "2"}),
    "less than none": changed("one label, exactly", {"except": "-1"}),
    "no word about ties": changed("one label, exactly", {"ties": None}),
    "equal rows, the smaller label": changed("equal rows", nodes=[["label", 1]]),
    "rows, too close to the second": changed("rows", {"error": "3/5"}),
    "impossible, but possible": changed("impossible", nodes=[["split", [1, 2]], ["impossible"], ["impossible"]]),
    "a node twice": changed("words left out", nodes=[["split", [1, 1]], ["label", 1]]),
    "no statement of a head": changed("one label, exactly", {"statement": "3.4"}),
    "a prompt of too little": changed("behind a prompt", {"prompt": None}),
    "another kind of node": changed("one label, exactly", nodes=[["equal", "1"]]),
    "one token too many": changed("words left out", nodes=[["split", [1, 2, 3]], *[["label", 1]] * 3]),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_margin_that_breaks_a_rule_is_rejected(name: str) -> None:
    assert answer(FALSE[name]) == "rejected"


def test_where_an_output_is_0_there_is_no_margin() -> None:
    """Behind u = (1, 0) the chain stays in state 0. So inputs that begin with token 1 have output 0.

    Their probability is 1/2. A claim is accepted only if it leaves out as much.
    """
    shut = model(transition=STAY, emission=[["1", "0"], ["0", "1"]], mu=["1", "1"])
    body = margin(shut, ["1", "1"], "1/2", ["label", 1], u=["1", "0"])
    assert complaint(body) is not None
    assert answer(body) == "rejected"
    split = margin(shut, ["1", "1"], "1/2", ["split", [1, 2]], ["label", 1], ["except"], u=["1", "0"], left_out="1/2")
    assert answer(split) == "accepted"


def test_a_tie_may_be_left_out_only_where_the_head_gives_it_its_label() -> None:
    """States 0 and 1 each lead to 0 and to 1 with probability 1/2.

    So b = (1, -1, 1) gives score 0, and label 1, to all inputs that these states emit.
    """
    halves, stay = ["1/2", "1/2", "0"], ["0", "0", "1"]
    pair = model(
        [halves, halves, stay], [["2/3", "1/3", "0"], ["1/3", "2/3", "0"], stay], initial=["1/4", "1/4", "1/2"]
    )
    nodes = [["split", [1, 2, 3]], ["split", [4, 5, 6]], ["except"], ["label", 1], *[["except"]] * 2, ["impossible"]]

    def tied(mu: list[str], ties: bool) -> str:
        return answer(margin({**pair, "task": {"mu": mu}}, ["1", "-1", "1"], "1/3", *nodes, ties=ties, left_out="1/2"))

    assert tied(["1", "-1", "1"], True) == "accepted"
    assert tied(["1", "-1", "1"], False) == "rejected"
    assert tied(["-1", "-1", "1"], True) == "rejected"  # the tied inputs have label 0


TIES_ALONE = altered({**by_hand("margin, one label, exactly"), "digest": ""}, "claim/ties", True)


def test_what_is_accepted_is_said_in_a_sentence() -> None:
    for name, but in (
        ("one label, exactly", ""),
        ("words left out", ", but for inputs of total probability at most 1/2 at each length"),
        ("ties", ", but for ties and inputs of total probability at most 1/2 at each length"),
        ("ties alone", ", but for ties"),
    ):
        body = TIES_ALONE if name == "ties alone" else by_hand(f"margin, {name}")
        claim, error = check(json.dumps(signed(body))), body["claim"]["error"]
        assert claim.conclusion == "holds"
        assert claim.sentence() == (
            "this linear head gives every input of every length its label, also where its output errs by less than "
            f"{error} in each entry{but}, on the model (statement 3.3)"
        )


def test_a_memory_model_has_no_such_claim() -> None:
    """A claim about a margin is rejected even where every word has label 1 and every token scores 1."""
    sure = {**NOTES, "task": {"cell": 0, "mu": ["1", "1"]}}
    body = margin(sure, ["1", "1", "1"], "1/2", ["label", 1], recoverable=[0])
    assert rejection(signed(body)).where == "claim.statement"
    assert answer(body) == "rejected"
