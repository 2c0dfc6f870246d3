"""What a check may cost: section 8 of docs/certificate-format.md."""

from typing import Any

import pytest
from altering import accepted, altered, rejection, signed
from by_hand import by_hand
from lemma_certificates import HOLD, lemma
from memory_certificates import NOTES, claim
from vanilla_certificates import agreement, head_claim, model
from worst_cases import labelled

from verify.kernel import Rejected, check

# --- section 8: bounded work


def test_a_long_word_over_a_model_with_long_denominators_is_rejected_quickly() -> None:
    q = str(10**49 + 9)
    fine = [[f"{10**49 + 2}/{q}", f"7/{q}"], [f"7/{q}", f"{10**49 + 2}/{q}"]]
    document = head_claim(["0", "0"], "fails", model(fine, fine), {"kind": "mislabelled", "input": [0] * 100_000})
    assert "too much work" in rejection(document).actual


def test_words_have_at_most_100000_tokens_in_total() -> None:
    document = by_hand("proved")
    document["claim"]["labels"] = {"0": [1] * 90, "1": [0] * 99_911}
    assert "too many tokens" in rejection(signed(document)).actual


def test_values_are_counted_before_they_are_parsed() -> None:
    for text in ("[" + "[]," * 2**23, '"' * 2**24, '"' + "\\\\" * 2**23 + '"'):
        with pytest.raises(Rejected, match="at most 4194304"):
            check(text)


def test_a_deep_tree_is_rejected_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.kernel.base.exact.MAX_MEMORY", 10**5)
    accepted(by_hand("settled"))
    accepted(by_hand("promptless"))
    nodes: list[Any] = [["split", [i + 1, i + 2]] if i % 2 == 0 else ["label", 1] for i in range(2000)]
    document = head_claim(["1", "1"], "holds", model(mu=["1", "1"]), agreement(*nodes, ["label", 1]))
    assert "too much memory" in rejection(document).actual
    halves = [["halve", 1, f"1/{2**i}", i + 1, 3997 - i] for i in range(1, 1990)]
    nodes = [["largest", [1, 3997, 3998], 3999], *halves, *[["zero", 2]] * 2010]
    assert "too much memory" in rejection(altered(by_hand("promptless"), "evidence/conclusion/nodes", nodes)).actual


def test_the_sums_of_many_labels_are_paid_for_before_they_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.kernel.base.exact.MAX_MEMORY", 20_000)
    document = labelled(by_hand("headless"), 400)
    document["evidence"]["conclusion"]["constraints"] = [[0, rival, "1"] for rival in range(1, 399)]
    assert "too much memory" in rejection(signed(document)).actual


# --- robustness


def test_a_long_word_before_a_position_is_paid_for() -> None:
    digits = "3" * 2000
    the_model = model([[f"1/{digits}", "1/2"], [f"{int(digits) - 1}/{digits}", "1/2"]])
    proof = {"kind": "no-inverse", "terms": [[[0] * 50_000, [], "1"]]}
    assert rejection(lemma("3.4", "fails", proof, the_model, HOLD)).actual == "too much work"


def test_the_tokens_of_terms_are_counted() -> None:
    proof = {"kind": "no-inverse", "terms": [[[0] * 60_000, [0] * 60_000, "1"]]}
    assert rejection(lemma("3.4", "fails", proof, model(), HOLD)).actual == "too many tokens"


def test_a_model_of_many_memories_is_rejected_where_a_rule_needs_its_joint_chain() -> None:
    entries: Any = "1/1024"
    for _ in range(10):
        entries = [entries, entries]
    initial = ["0", "1/5", *["1/10"] * 8]
    emission = [[[["1"]] * 10] * 2]
    model = {**NOTES, "memory": entries, "initial": initial, "transition": [["1/10"] * 10] * 10, "emission": emission}
    accepted(claim("C.1", model, {}, {"kind": "messages"}))  # C.1 does not need the joint chain
    moved = claim("C.8", model, {}, {"kind": "moved", "state": 0, "input": [0]}, "fails")
    assert str(rejection(moved)) == "model: found 10240 joint states (m_1..m_N, h), expected at most 4096"
