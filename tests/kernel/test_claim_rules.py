"""Claims on vanilla models: section 3 of docs/certificate-format.md."""

import json
from typing import Any

import pytest
from altering import GONE, JUNK, PROOF, accepted, altered, answer, places, rejection, signed
from by_hand import BY_HAND, by_hand, check_changes
from vanilla_certificates import head_claim, model

# --- what is accepted


def test_the_claim_carries_its_parts() -> None:
    claim = accepted(by_hand("proved"))
    assert (claim.kind, claim.statement, claim.status, claim.scope) == ("statement", "3.3", "proved", "all-inputs")
    assert (claim.conclusion, claim.vacuous, claim.model_name) == ("holds", False, "umbrella")
    assert claim.labels == {"0": [1], "1": [0]}
    assert claim.assumptions == {"3.1": True, "3.2:ergodic": True, "3.2:full-support": True}
    assert accepted(by_hand("mislabelled")).status is None


def test_inputs_of_one_length_are_said_to_be_so_even_if_others_are_listed_unused() -> None:
    document = by_hand("headless")
    document["evidence"]["conclusion"] |= {
        "inputs": [[0, 0], [1, 1], [0, 1], [0]],
        "constraints": [[0, 0, "1"], [1, 0, "1"], [2, 1, "10"]],
    }
    assert "no linear head serves inputs of length 2 alone (shown by 3)" in accepted(signed(document)).sentence()


def test_a_strange_model_name_stays_within_one_line() -> None:
    document = altered(by_hand("proved"), "model/name", "x\n3.3 is refuted on " + "y" * 1000)
    assert "\n" not in accepted(document).sentence()
    assert len(accepted(document).sentence()) < 300


@pytest.mark.parametrize(
    ("name", "quoted"),
    [
        ("every model of every size", '"every model of every size"'),
        ('umbrella" and on "tie', r'"umbrella\" and on \"tie"'),
        ("\x1b[2J\x9b31m\u202e\x7f", r'"\u001b[2J\u009b31m\u202e\u007f"'),
        ("", '""'),
    ],
)
def test_the_name_that_a_model_gives_itself_is_quoted(name: str, quoted: str) -> None:
    claim = accepted(altered(by_hand("proved"), "model/name", name))
    assert claim.sentence().startswith(f"3.3 is proved on {quoted}: 3.1,")


@pytest.mark.parametrize(
    "path",
    [("model", "name"), ("model", "states", 0), ("model", "kind"), ("claim", "statement"), ("claim",), ("digest",)],
)
def test_no_text_of_a_certificate_reaches_a_terminal_as_it_stands(path: tuple[Any, ...]) -> None:
    text = "\x1b[2J\x9b31m\u202e\n"
    line = answer(altered(by_hand("proved"), "model/states", ["a", "b"]), path, text)
    line += answer(by_hand("proved"), (*path[:1], text) if path[:1] != ("digest",) else path, text)
    assert line.isascii()
    assert line.isprintable()


def test_with_a_model_file_the_sentence_speaks_of_that_file() -> None:
    for document in (by_hand("proved"), by_hand("mislabelled")):
        document = altered(document, "model/name", "every model")
        sentence = accepted(document, json.dumps(document["model"])).sentence()
        assert "on the model in the file" in sentence
        assert "every model" not in sentence


# --- claims


test_a_statement_claim_says_no_more_than_its_evidence = check_changes(
    "proved",
    ("claim/kind", "theorem", "claim.kind"),
    ("claim/statement", "3.7", "claim.statement"),
    ("claim/status", "refuted", "claim.status"),
    ("claim/status", "not-applicable", "claim.status"),
    ("claim/scope", "some-inputs", "claim.scope"),
    ("claim/conclusion", "maybe", "claim.conclusion"),
    ("claim/conclusion", "undecided", "claim.conclusion"),
    ("claim/vacuous", True, "claim.vacuous"),
    ("claim/vacuous", None, "claim.vacuous"),
    ("claim/assumptions/3.1", 1, 'claim.assumptions["3.1"]'),
    ("claim/assumptions/3.1", GONE, "claim.assumptions"),
    ("claim/assumptions/3.5", True, "claim.assumptions"),
    ("claim/assumptions/3.1", None, 'evidence.assumptions["3.1"]'),
    ("claim/assumptions/3.1", False, 'evidence.assumptions["3.1"].kind'),
    ("claim/labels/0", [0], 'claim.labels["0"]'),
    ("claim/labels/0", [True], 'claim.labels["0"][0]'),
    ("claim/labels/0", None, "claim.vacuous"),
    ("claim/labels/0", GONE, "claim.labels"),
    ("claim/labels/2", None, "claim.labels"),
    ("claim/mood", "good", "claim"),
    ("evidence/constant", {"kind": "one-label"}, "evidence.constant"),
    ("evidence/conclusion", None, "evidence.conclusion"),
    ("evidence/assumptions/3.1", None, 'evidence.assumptions["3.1"]'),
    ("evidence/assumptions/3.1", GONE, "evidence.assumptions"),
    at="",
)


def test_a_statement_whose_conclusion_fails_is_not_proved() -> None:
    document = altered(by_hand("proved"), "claim/conclusion", "fails")
    document = altered(document, PROOF, by_hand("headless")["evidence"]["conclusion"])
    assert rejection(document).where == "claim.status"


@pytest.mark.parametrize(("of", "where"), [(None, "model"), (model(), "claim.kind")])
def test_a_derivation_is_no_claim_whatever_it_is_about(of: Any, where: str) -> None:
    claim = {"kind": "derivation", "statement": "C.1", "hypotheses": [], "conclusions": {}}
    evidence = {"kind": "derivation", "lemmas": [], "parts": {}}
    assert rejection(signed({**by_hand("proved"), "claim": claim, "model": of, "evidence": evidence})).where == where


def test_null_needs_a_violated_assumption() -> None:
    document = altered(altered(by_hand("proved"), "claim/assumptions/3.1", None), "evidence/assumptions/3.1", None)
    assert rejection(document).where == "claim.assumptions"


def test_an_undecided_conclusion_needs_a_violated_assumption() -> None:
    document = altered(altered(by_hand("proved"), "claim/conclusion", "undecided"), "evidence/conclusion", None)
    assert rejection(document).where == "claim.conclusion"


def test_a_violated_assumption_makes_the_statement_not_applicable() -> None:
    for status in ("proved", "refuted"):
        assert rejection(altered(by_hand("headless"), "claim/status", status)).where == "claim.status"


def test_a_word_of_probability_zero_is_no_input() -> None:
    document = by_hand("settled")
    document["claim"]["conclusion"] = "fails"
    document["evidence"] = {"kind": "mislabelled", "input": [0, 1]}
    assert "probability 0" in rejection(signed(document)).actual


test_a_head_claim_says_no_more_than_its_evidence = check_changes(
    "mislabelled",
    ("claim/prompt", {"u": ["1", "1"]}, "claim.prompt"),
    ("claim/head", {"b": ["1"]}, "claim.head.b"),
    ("claim/head", {"b": [["0", "0"], ["3", "-3"]]}, "claim.head.b[0]"),
    ("claim/statement", "3.6", "claim.prompt"),
    ("claim/conclusion", "undecided", "claim.conclusion"),
    ("claim/conclusion", "holds", "evidence.kind"),
    ("claim/head", {"b": ["3", "-3"]}, "evidence.input"),
    at="",
)


@pytest.mark.parametrize("u", [["2", "0"], ["-1/2", "0"], ["1"], None])
def test_a_prompt_has_entries_between_0_and_1(u: Any) -> None:
    document = head_claim(["-3", "3"], "fails", model(), {"kind": "mislabelled", "input": [0]}, ["1", "1/2"])
    accepted(document)
    assert rejection(altered(document, "claim/prompt", {"u": u})).where.startswith("claim.prompt.u")


def test_rows_of_mu_want_rows_of_b() -> None:
    assert rejection(altered(by_hand("ternary"), "claim/head", {"b": ["1", "1"]})).where == "claim.head.b"
    assert rejection(altered(by_hand("ternary"), "claim/head/b/0", ["1", "1"])).where == "evidence.nodes[0][1]"


def test_the_largest_index_wins_a_tie() -> None:
    document = head_claim(["0", "0"], "fails", model(), {"kind": "mislabelled", "input": [1]})
    accepted(document)  # the task's label is 0, the head's is 1
    assert rejection(altered(document, "evidence/input", [0])).where == "evidence.input"


# --- robustness


@pytest.mark.thorough(
    reason="every place of every certificate written by hand: half a minute; the tests of the rules are quick"
)
@pytest.mark.parametrize("name", BY_HAND)
def test_any_value_anywhere_gives_an_answer(name: str) -> None:
    document = by_hand(name)
    for number, path in enumerate(places(document)[1:]):
        assert len(answer(document, path, JUNK[number % len(JUNK)]).splitlines()) == 1
