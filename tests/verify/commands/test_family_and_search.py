"""`headproof verify --family`: its JSON, its exit status and what it refuses."""

import json
from pathlib import Path

import pytest
from command import headproof

SMALL = ("--max-states", "2", "--max-tokens", "2", "--max-denominator", "1", "--random", "3")


def test_a_family_counts_every_statement_and_keeps_the_first_model_that_refutes_one(tmp_path: Path) -> None:
    done = headproof("verify", "--family", "3.3", "section-3.1", "C.1", *SMALL, "--out", tmp_path, "--json")
    found = {tally["statement"]: tally for tally in done.json["family"]}
    assert done.status == 1
    assert done.json["complete"]
    assert done.json["bounds"]["hmm"] == {"states": 2, "tokens": 2, "denominator": 1}
    for tally in found.values():
        assert tally["checked"] > tally["applicable"] >= tally["non_vacuous"]
        assert tally["applicable"] == tally["proved"] + tally["refuted"]
    assert found["section-3.1"]["refuted"] == found["section-3.1"]["applicable"] > 0
    assert found["3.3"]["refuted"] == found["C.1"]["refuted"] == 0
    [path] = tmp_path.iterdir()
    assert json.loads(path.read_text()) == found["section-3.1"]["first_refuted"]
    again = headproof("verify", "section-3.1", "--model", path, "--certificates", tmp_path / "certificates", "--json")
    assert again.json["results"][0]["status"] == "refuted"


def test_a_family_where_nothing_is_refuted_exits_0_and_says_how_many() -> None:
    done = headproof("verify", "--family", "3.3", *SMALL)
    assert done.status == 0
    assert "every model with a task up to 2 states, 2 tokens, denominator 1" in done.out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("verify", "--max-states", "2"), "headproof: --max-states: found no --family, expected it with --family"),
        (("verify", "--family", "--mu", "1"), "headproof: --family: found --mu, expected none"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(arguments: tuple[str, ...], line: str) -> None:
    done = headproof(*arguments)
    assert done.status == 2
    assert done.err.startswith(line)
    assert done.err.count("\n") == 1
