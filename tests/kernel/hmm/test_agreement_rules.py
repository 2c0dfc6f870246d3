"""Evidence that a head gives F*, or that all inputs have one label: section 5 of docs/certificate-format.md.

Notation: verify/kernel/hmm/__init__.py.
"""

from typing import Any

import pytest
from altering import accepted, altered, check_place, rejection, signed
from by_hand import by_hand, check_changes
from vanilla_certificates import HALVES, MUTE, STAY, SWAP, TELLING, agreement, head_claim, model

SPLIT = ["split", [1, 2]]


@pytest.mark.parametrize(
    ("nodes", "where"),
    [
        ([SPLIT, ["equal", "1"], ["equal", "1"]], None),
        ([SPLIT, ["split", [3, 4]], ["equal", "1"], ["equal", "1"], ["equal", "1"]], None),
        ([["equal", "2"]], "[0][1]"),
        ([["equal", "0"]], "[0][1]"),
        ([["impossible"]], "[0]"),
        ([["label", 1]], "[0][1]"),
        ([["split", [1]], ["equal", "1"]], "[0][1]"),
        ([["split", [1, 1]], ["equal", "1"]], "[0][1][1]"),
        ([["split", [1, 0]], ["equal", "1"]], "[0][1][1]"),
        ([["split", [1, 3]], ["equal", "1"], ["equal", "1"]], "[0][1][1]"),
        ([SPLIT, ["equal", "1"], ["equal", "1"], ["equal", "1"]], "[3]"),
        ([["equal-on-spans", "1"]], "[0]"),
        ([SPLIT, ["equal-on-spans", "1"], ["equal", "1"]], "[1]"),
        ([], ""),
    ],
)
def test_agreement_needs_every_node_in_order(nodes: list[Any], where: str | None) -> None:
    document = head_claim(["3", "-3"], "holds", model(), agreement(*nodes))
    check_place(document, None if where is None else "evidence.nodes" + where)


def test_the_factor_of_equal_counts_every_denominator() -> None:
    for u, b, c in ((["1/3", "1/3"], ["3/7", "-3/7"], "1/21"), (["1", "1"], ["3/7", "-3/7"], "1/7")):
        document = head_claim(b, "holds", model(), agreement(["equal", c]), u)
        accepted(document)
        assert rejection(altered(document, "evidence/nodes/0/1", "1")).where == "evidence.nodes[0][1]"


def test_a_split_compares_the_labels_of_its_word() -> None:
    nodes = [SPLIT, ["split", [3, 4]], ["equal", "1"], ["equal", "1"], ["equal", "1"]]
    assert rejection(head_claim(["-3", "3"], "holds", model(), agreement(*nodes))).where == "evidence.nodes[1]"


test_labels_and_impossible_words_settle_a_tree = check_changes(
    "settled",
    ("evidence/nodes/2", ["label", 1], None),  # with p = 0 all scores are 0: label 1 wins, and no word is an input
    ("evidence/nodes/2", ["label", 0], None),  # with p = 0 there is no input at all
    ("evidence/nodes/3", ["label", 0], "evidence.nodes[3][1]"),
    ("evidence/nodes/3", ["impossible"], "evidence.nodes[3]"),
    ("claim/head", {"b": ["-1", "5"]}, "evidence.nodes[1]"),
    ("claim/head", {"b": ["0", "5"]}, None),  # a tie, which label 1 wins
    at="",
)


@pytest.mark.parametrize(("mu", "b"), [(["1", "1"], ["1", "-1"]), (["1", "-1"], ["1", "1"])])
def test_a_label_must_be_that_of_the_task_and_of_the_head(mu: list[str], b: list[str]) -> None:
    accepted(head_claim(["1", "1"], "holds", model(mu=["1", "1"]), agreement(["label", 1])))
    assert rejection(head_claim(b, "holds", model(mu=mu), agreement(["label", 1]))).where == "evidence.nodes[0][1]"


def test_the_smaller_label_must_be_ahead_wherever_p_is_positive() -> None:
    ahead = {"kind": "one-label", "label": 0, "nodes": [["label", 0]], "scores": None, "spans": None}
    document = altered(
        altered(by_hand("uncovered"), "evidence/constant", ahead), "claim/labels", {"0": None, "1": None}
    )
    for initial, mu, fine in ((["1", "0"], ["-1", "0"], True), (["1", "0"], ["0", "-1"], False)):
        document["model"] |= {"initial": initial, "task": {"mu": mu}}
        nodes = [["cover", 0, [[0, 1], [1, 2]]], ["dependent", 0], ["dependent", 0]]
        nodes[0][1] = 0 if mu[0] != "0" else 1
        document["evidence"]["assumptions"]["3.5"]["nodes"] = nodes
        if fine:
            assert accepted(signed(document)).only_label == 0
        else:
            assert rejection(signed(document)).where == "evidence.constant.nodes[0][1]"


test_spans_must_hold_every_beta_and_make_the_functionals_vanish = check_changes(
    "on_spans",
    ("evidence/nodes/0/1", "2", "evidence.spans.spans[0]"),
    ("evidence/nodes/0/1", "0", "evidence.nodes[0][1]"),
    ("evidence/spans", None, "evidence.nodes[0]"),
    ("evidence/nodes/0", ["equal", "1"], "evidence.spans"),
    ("evidence/nodes/0", ["impossible"], "evidence.spans"),
    ("evidence/nodes/0", 7, "evidence.spans"),
    ("evidence/nodes", [], "evidence.spans"),
    ("evidence/spans/of", [0], "evidence.spans.of"),
    ("evidence/spans/of", [0, 1], "evidence.spans.of[1]"),
    ("evidence/spans/spans", [], "evidence.spans.of[0]"),
    ("evidence/spans/spans/0/pivots", [1, 0], "evidence.spans.spans[0].pivots"),
    ("evidence/spans/spans/0/pivots", [], "evidence.spans.spans[0].basis"),
    ("evidence/spans/spans/0", {"pivots": [], "basis": []}, "evidence.spans.spans[0]"),
    ("evidence/spans/spans/0/basis/0", ["1", "2"], "evidence.spans.spans[0]"),
    ("evidence/spans/spans/0/basis/0", ["2", "2"], "evidence.spans.spans[0].basis[0]"),
    (
        "evidence/spans/spans/0",
        {"pivots": [0, 1], "basis": [["1", "1"], ["0", "1"]]},
        "evidence.spans.spans[0].basis[0]",
    ),
    (
        "evidence/spans/spans/0",
        {"pivots": [0, 1], "basis": STAY},
        "evidence.spans.spans[0]",
    ),  # f and g differ on this span
    ("model/emission", TELLING, "evidence.spans.spans[0]"),  # beta leaves the span
    at="",
)


def test_a_span_that_single_tokens_leave_is_rejected_though_scores_vanish_on_them() -> None:
    """mu o P[H_0] is 0 on beta(0) and beta(1), but not on beta(0 1). The head b = 0 gives input 0 1 the wrong label."""
    transition = [["0", "1/2", "1"], ["1/2", "1/2", "0"], ["1/2", "0", "0"]]
    the_model = model(transition, [["1/2", "1/2", "0"], ["1/2", "1/2", "1"]], ["0", "1", "-1"], ["1/3", "1/3", "1/3"])
    spans = {"of": [0, 0, 0], "spans": [{"pivots": [0], "basis": [["1", "1", "1"]]}]}
    rejected = rejection(head_claim(["0", "0"], "holds", the_model, agreement(["equal-on-spans", "1"], spans=spans)))
    assert rejected.where == "evidence.spans.spans[0]"
    assert "no image of token" in rejected.actual
    wrong = {"kind": "mislabelled", "input": [0, 1]}
    assert accepted(head_claim(["0", "0"], "fails", the_model, wrong)).conclusion == "fails"


def test_states_may_share_a_span() -> None:
    """States 0 and 1 swap, and each has a token of its own. Both have the same span, of all vectors.

    On this span, f = mu o P[H_0] and g = (W'b) o P[H_1] are equal.
    """
    the_model = model(transition=SWAP, emission=STAY, mu=["1", "-1"])
    spans = {"of": [0, 0], "spans": [{"pivots": [0, 1], "basis": STAY}]}
    document = head_claim(["1", "-1"], "holds", the_model, agreement(["equal-on-spans", "1"], spans=spans))
    accepted(document)
    assert rejection(altered(document, "claim/head", {"b": ["1", "-2"]})).where == "evidence.spans.spans[0]"


def test_functionals_need_not_vanish_at_a_state_that_h_0_cannot_be() -> None:
    """States 0 and 1 swap, H_0 is surely state 0, and mu[0] = 0. So f = mu o P[H_0] is the vector 0.

    The head's g = (W'b) o P[H_1] is (0, b[1]). It is not 0 on the evidence's span, which is all of R^2. But
    beta(x) is 0 at state 1 for every input x.
    """
    the_model = model(transition=SWAP, emission=STAY, mu=["0", "1"], initial=["1", "0"])
    proof = agreement(["equal-on-spans", "1"], spans={"of": [0, 0], "spans": [{"pivots": [0, 1], "basis": STAY}]})
    accepted(head_claim(["7", "5"], "holds", the_model, proof))
    first = {**the_model, "initial": HALVES}
    assert rejection(head_claim(["7", "5"], "holds", first, proof)).where == "evidence.spans.spans[0]"


test_one_label_must_be_shown_of_every_input = check_changes(
    "uncovered",
    ("evidence/constant/label", 0, "evidence.constant.nodes[1][1]"),
    ("evidence/constant/label", 2, "evidence.constant.label"),
    ("evidence/constant/nodes/0", ["equal", "1"], "evidence.constant.nodes[0][0]"),
    ("evidence/constant/nodes/0", ["equal-on-spans", "1"], "evidence.constant.nodes[0][0]"),
    ("evidence/constant/nodes/1", ["impossible"], "evidence.constant.nodes[1]"),
    ("evidence/constant/nodes/1/1", 0, "evidence.constant.nodes[1][1]"),
    ("model/task/mu", ["-2", "0"], 'claim.labels["1"]'),
    ("evidence/constant", None, "evidence.constant"),
    ("evidence/constant", {"kind": "no-input-in-R"}, "evidence.constant.kind"),  # a vanilla model has no R
    at="",
)


def test_a_split_of_a_constant_tree_has_the_label_of_the_tree() -> None:
    document = altered(by_hand("uncovered"), "model/task/mu", ["-2", "0"])
    document["claim"]["labels"] = {"0": None, "1": None}
    document["evidence"]["constant"]["nodes"] = [SPLIT, ["split", [3, 4]], ["label", 1], ["label", 1], ["label", 1]]
    assert rejection(signed(document)).where == "evidence.constant.nodes[1]"


def test_a_word_that_never_occurs_settles_a_constant_tree() -> None:
    document = altered(by_hand("uncovered"), "model/emission", [["1", "1"], ["0", "0"]])
    document["claim"]["labels"] = {"0": None, "1": [0]}
    document["evidence"]["constant"]["nodes"] = [SPLIT, ["label", 1], ["impossible"]]
    assert accepted(signed(document)).only_label == 1


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("scores", [["7", "-5"], ["29/4", "-19/4"]], None),  # 7 and -5 added for both labels
        ("scores", [["0", "0"], ["1", "-1/2"]], "nodes[0][1]"),  # the task's own scores: no label wins at once
        ("scores", [["0", "0"], ["1/3", "1/6"]], None),
        ("scores", [["0", "0"], ["1/4", "1/3"]], "spans.spans[0]"),
        ("scores", [["1/4", "1/4"], ["0", "0"]], "spans.spans[0]"),
        ("scores", [["0", "0"], ["0", "0"]], "spans.spans[0]"),
        ("scores", [["0", "0"], ["1", "1"]], "spans.spans[0]"),  # these differ by another factor
        ("scores", ["1/4", "1/4"], "scores[0]"),
        ("scores", [["1/4", "1/4"]], "scores"),
        ("scores/1", ["1/4"], "scores[1]"),
        ("spans/spans/0", {"pivots": [0], "basis": [["1", "2"]]}, "spans.spans[0]"),
        ("spans", None, "spans"),
        ("label", 0, "nodes[0][1]"),
        ("nodes", [["split", [1]], ["label", 1]], None),
        ("scores", None, "spans"),
        ("kind", "agreement", "kind"),
    ],
)
def test_other_scores_show_one_label_where_they_differ_as_those_of_the_task(
    path: str, value: Any, where: str | None
) -> None:
    document = altered(by_hand("silent"), f"evidence/constant/{path}", value)
    if where is None:
        assert accepted(document).only_label == 1
    else:
        assert rejection(document).where == f"evidence.constant.{where}".removesuffix(".")


def test_scores_that_tie_on_every_input_give_the_last_label() -> None:
    document = altered(by_hand("silent"), "model/task/mu", [["1", "-1"], ["-1", "1"], ["2", "-2"]])
    document["claim"]["labels"] = {"0": None, "1": None, "2": [0]}
    for label, fine in ((2, True), (1, False)):
        document["evidence"]["constant"] |= {"scores": [["0", "0"]] * 3, "label": label, "nodes": [["label", label]]}
        if fine:
            assert accepted(signed(document)).only_label == 2
        else:
            assert rejection(signed(document)).where == "evidence.constant.nodes[0][1]"


def test_what_one_state_alone_can_emit_is_possible() -> None:
    document = head_claim(["3", "-3"], "holds", model(initial=["1", "0"]), agreement(["impossible"]))
    assert rejection(document).where == "evidence.nodes[0]"


@pytest.mark.parametrize(("last", "where"), [("2", None), ("3", "evidence.spans.spans[0]")])
def test_every_label_has_to_be_scored_alike_on_the_spans(last: str, where: str | None) -> None:
    the_model = model(emission=MUTE, mu=[["0", "0"], ["2", "0"], ["4", "0"]])
    spans = {"of": [0, 0], "spans": [{"pivots": [0], "basis": [["1", "1"]]}]}
    rows = [["0", "0"], ["1", "1"], [last, last]]
    check_place(head_claim(rows, "holds", the_model, agreement(["equal-on-spans", "1"], spans=spans)), where)
