"""Claims on memory models: section 10 of docs/certificate-format.md."""

import pytest
from altering import GONE, altered, rejection, signed
from by_hand import by_hand, check_changes
from memory_certificates import EMPTY

from verify.kernel import Rejected
from verify.kernel.base.item import Item
from verify.kernel.memory.attention import Requirements
from verify.kernel.statements import NO_RULE, always, on_r

# --- claims


test_a_claim_says_no_more_than_is_shown = check_changes(
    "{}",
    ("4.3", "claim/recoverable", GONE, "claim"),
    ("4.3", "claim/recoverable", None, "claim.recoverable"),
    ("4.3", "claim/recoverable", [], "claim.recoverable"),
    ("4.3", "claim/recoverable", [0, 1], 'evidence.assumptions["4.2"].columns'),
    ("C.6", "claim/recoverable", [0], "claim.recoverable"),  # state 0 reads the other cell
    ("4.3", "model/task/recoverable", [1], "claim.recoverable"),  # the claim says [0]
    ("C.1", "claim/recoverable", [0], "claim.recoverable"),
    ("C.15 fails", "claim/recoverable", [0], "claim.recoverable"),
    ("C.15", "claim/recoverable", None, "claim.recoverable"),
    ("C.14", "claim/recoverable", [1], 'evidence.assumptions["C.5"].columns'),
    ("4.3", "claim/statement", "3.3", "claim.statement"),
    ("4.3", "claim/status", "refuted", "claim.status"),
    ("4.3", "claim/conclusion", "fails", "claim.status"),
    ("4.3", "claim/conclusion", "undecided", "claim.conclusion"),
    ("4.3", "claim/assumptions/4.2", None, 'evidence.assumptions["4.2"]'),
    ("4.6 on cells", "claim/status", "proved", "claim.status"),
    ("4.3", "claim/labels/0", [0], 'claim.labels["0"]'),  # label 1
    ("4.3", "claim/labels/0", [2, 2], 'claim.labels["0"]'),  # no input
    ("4.3", "claim/labels/1", [0, 0], 'claim.labels["1"]'),  # not in R
    ("C.2", "claim/labels/1", [0, 0], 'claim.labels["1"]'),
    ("C.1", "claim/labels/1", [0, 0], None),
    ("C.3", "claim/labels/1", [0, 0], None),
    ("4.3", "claim/labels/0", None, "claim.vacuous"),
    ("C.2", "claim/labels/1", None, "claim.vacuous"),
    ("C.2", "claim/vacuous", None, "claim.vacuous"),
    ("C.3", "claim/vacuous", None, "claim.vacuous"),
    ("C.3", "evidence/constant", EMPTY, "evidence.constant"),
    ("no input", "evidence/constant", None, "evidence.constant"),
    ("no input", "evidence/constant", {"kind": "one-label", "label": 1, "nodes": []}, "evidence.constant.kind"),
    ("one label", "evidence/constant", EMPTY, "evidence.constant"),
    ("one label", "evidence/constant/label", 0, "evidence.constant.nodes[0][1]"),
    at="",
)


def test_a_claim_on_a_vanilla_model_has_no_statement_on_memory() -> None:
    assert rejection(altered(by_hand("proved"), "claim/recoverable", [0])).where == "claim"
    assert rejection(altered(by_hand("proved"), "claim/statement", "C.1")).where == "claim.statement"


def test_the_theorems_on_memory_do_not_fail_by_evidence_that_they_hold() -> None:
    for name in ("C.1", "C.7", "C.11"):
        document = by_hand(name)
        document["claim"] |= {"conclusion": "fails", "status": "refuted"}
        assert rejection(signed(document)).where == "evidence.conclusion"
    for name in ("4.3", "4.6", "C.6", "C.4", "C.13"):
        document = by_hand(name)
        document["claim"] |= {"conclusion": "fails", "status": "refuted"}
        assert rejection(signed(document)).where == "evidence.conclusion.kind"


# --- robustness


def test_what_is_on_r_speaks_of_h_star_and_what_is_always_so_never_fails() -> None:
    statement = on_r(("4.2",), Requirements("4.3"), NO_RULE, "attention head")
    assert (statement.on_r, statement.has_recoverable, statement.head) == (True, True, "attention head")
    holds, fails = always("messages")
    assert holds(Item({"kind": "messages"}, "evidence"), None) is None
    for rule, kind in ((holds, "prompt-masks"), (fails, "messages")):
        with pytest.raises(Rejected):
            rule(Item({"kind": kind}, "evidence"), None)
