"""Claims on lemmas: section 9 of docs/certificate-format.md."""

import pytest
from altering import PROOF, Json, accepted, altered, rejection, signed
from by_hand import FILES, by_hand
from chain_assumptions import ASSUMED
from lemma_certificates import ALTERNATE, HOLD, lemma, span
from vanilla_certificates import MUTE, model

LEMMAS = FILES["lemmas"]

# --- what is accepted


@pytest.mark.parametrize("name", ["message-passing", "footnote-1", "B.1"])
def test_the_statements_on_messages_are_true_of_every_model(name: str) -> None:
    document = altered(by_hand("messages"), "claim/statement", name)
    assert accepted(document).status == "proved"
    assert accepted(altered(document, "model/emission", MUTE)).status == "proved"


@pytest.mark.parametrize("name", ["B.2", "eq-3.3"])
def test_a_prior_that_covers_serves_both_statements(name: str) -> None:
    assert accepted(altered(by_hand("covered"), "claim/statement", name)).status == "proved"


def test_the_words_that_show_a_failure_are_counted_with_the_position_left_out() -> None:
    assert accepted(by_hand("uninverted")).lengths == (1, 3)


def test_what_a_lemma_concludes_may_be_undecided_where_it_does_not_apply() -> None:
    document = lemma("A.1", "undecided", None, ALTERNATE, {})
    assert accepted(document).sentence().endswith("and it is undecided whether what it concludes is so")
    document = lemma("A.1", "undecided", None, model(), HOLD)
    assert rejection(altered(document, "claim/status", "proved")).where == "claim.conclusion"


# --- claims


@pytest.mark.parametrize("name", LEMMAS)
def test_a_lemma_is_never_vacuous_whatever_the_labels(name: str) -> None:
    for value in (True, None):
        assert rejection(altered(by_hand(name), "claim/vacuous", value)).expected == "false, as always for a lemma"
    constant = {
        "kind": "one-label",
        "label": 1,
        "nodes": [["split", [1, 2]], ["label", 1], ["label", 1]],
        "scores": None,
        "spans": None,
    }
    assert rejection(altered(by_hand(name), "evidence/constant", constant)).where == "evidence.constant"


def test_the_labels_of_a_lemma_are_checked_and_may_all_be_named() -> None:
    document = altered(altered(by_hand("messages"), "claim/labels/0", [1]), "claim/labels/1", [0])
    assert accepted(document).labels == {"0": [1], "1": [0]}
    assert rejection(altered(document, "claim/labels/1", [1])).where == 'claim.labels["1"]'


@pytest.mark.parametrize("name", LEMMAS)
def test_a_lemma_has_its_own_assumptions_and_no_others(name: str) -> None:
    document = by_hand(name)
    names = document["claim"]["assumptions"]
    assert tuple(names) == ASSUMED[document["claim"]["statement"]]
    for name in HOLD:
        copy = signed(document)
        for part in (copy["claim"]["assumptions"], copy["evidence"]["assumptions"]):
            part.pop(name) if name in names else part.update({name: None})
        assert rejection(signed(copy)).where == "claim.assumptions"


@pytest.mark.parametrize("name", sorted({entry["claim"]["statement"] for entry in LEMMAS.values()}))
def test_no_head_is_claimed_of_a_lemma(name: str) -> None:
    assert rejection(altered(by_hand("mislabelled"), "claim/statement", name)).where == "claim.statement"


@pytest.mark.parametrize("name", LEMMAS)
def test_the_contrary_conclusion_does_not_follow_from_the_same_evidence(name: str) -> None:
    document = by_hand(name)
    claim = document["claim"]
    claim["conclusion"] = {"holds": "fails", "fails": "holds"}[claim["conclusion"]]
    if claim["status"] != "not-applicable":
        claim["status"] = {"holds": "proved", "fails": "refuted"}[claim["conclusion"]]
    assert rejection(signed(document)).where.startswith("evidence.conclusion")


@pytest.mark.parametrize("name", LEMMAS)
def test_the_evidence_of_one_lemma_is_none_for_another(name: str) -> None:
    groups = [{"message-passing", "footnote-1", "B.1"}, {"B.2", "eq-3.3"}]
    document = by_hand(name)
    ours = document["claim"]["statement"]
    for other in LEMMAS:
        theirs, proof = (LEMMAS[other][part] for part in ("claim", "evidence"))
        if theirs["statement"] != ours and not any({theirs["statement"], ours} <= group for group in groups):
            assert rejection(altered(document, PROOF, proof["conclusion"])).where.startswith("evidence.conclusion")


# --- robustness


def test_a_single_state_and_a_single_token_are_enough() -> None:
    the_model = model([["1"]], [["1"]], ["1"], ["1"])
    decisions = {**HOLD, "3.1": (True, {"kind": "left-inverse", "matrix": [["1"]]})}
    line = span(["1"])
    proofs: Json = {
        "message-passing": {"kind": "messages"},
        "3.4": {"kind": "inverse", "matrix": [["1"]], "spans": {"predictions": line, "likelihoods": line}},
        "A.1": {"kind": "diagonals"},
        "B.2": {"kind": "prior-covers"},
        "remark-3.1": {"kind": "size"},
        "remark-3.5": {"kind": "cover", "prompt_states": [0], "recoverable": [0], "left_inverse": [["1"]]},
    }
    for name, proof in proofs.items():
        assert accepted(lemma(name, "holds", proof, the_model, decisions)).status == "proved"
