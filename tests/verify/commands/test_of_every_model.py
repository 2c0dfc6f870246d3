"""Statements that are true of every model: the terminal says so and names the theorem that proves them in Rocq."""

import pytest
from command import headproof, shipped

from verify.statements import STATEMENTS

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")

THEOREMS = {
    "message-passing": "lemma_message_passing",
    "footnote-1": "footnote_1",
    "B.1": "lemma_B_1",
    "C.1": "proposition_C_1",
    "C.7": "lemma_C_7",
    "C.11": "proposition_C_11",
}


def test_the_table_of_statements_names_these_theorems() -> None:
    assert {key: s.of_every_model for key, s in STATEMENTS.items() if s.of_every_model} == THEOREMS


@pytest.mark.parametrize("statement", THEOREMS)
def test_the_terminal_names_the_theorem_and_claims_no_proof_on_a_model(statement: str) -> None:
    model = shipped("umbrella" if STATEMENTS[statement].about == "hmm" else "topic")
    out = " ".join(headproof("verify", statement, "--model", model).out.split())
    assert f"of every model {statement} (theorem {THEOREMS[statement]})" in out
    assert "1 verdict, for inputs of every length: 1 true of every model" in out
    assert "proved" not in out
    assert headproof("verify", statement, "--model", model, "--json").json["results"][0]["status"] == "proved"


def test_the_terminal_names_the_theorem_once_for_all_models() -> None:
    out = headproof("verify", "B.1", "3.4", "--model", shipped("umbrella"), shipped("reducible")).out
    assert out.count("B.1 (theorem lemma_B_1)") == 1
    assert "4 verdicts on 2 models, for inputs of every length: 2 proved, 2 true of every model" in out
