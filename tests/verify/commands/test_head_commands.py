"""`headproof build` and `headproof test`: constructing heads, and comparing heads with F*."""

import json
from fractions import Fraction
from pathlib import Path

import oracle
import pytest
from command import certified, headproof, save, shipped
from contract import HYPOTHESES, UMBRELLA, assert_numbers_are_exact, build

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


# build


def test_build_exits_1_with_a_reason_where_there_is_no_head() -> None:
    done = headproof("build", "3.3", "--model", shipped("only-3-5"), "--json")
    assert done.status == 1
    assert set(done.json) == {"statement", "head", "prompt", "reason"}
    assert (done.json["head"], done.json["prompt"]) == (None, None)
    assert "no head serves" in headproof("build", "3.3", "--model", shipped("only-3-5")).out


def test_build_exits_3_where_that_is_undecided(hardly_trying: None) -> None:
    done = headproof("build", "3.3", "--model", shipped("only-3-5"), "--json")
    assert done.status == 3
    assert done.json["head"] is None
    assert "undecided" in done.json["reason"]


# test


@pytest.mark.parametrize(
    ("statement", "model"),
    [(s, model) for s in HYPOTHESES for model in ("umbrella", "multiclass")]
    + [("3.6", "only-3-5"), ("3.6", "initial-zero"), ("3.3", "neither-but-holds")],
)
def test_what_build_prints_is_proved_by_test(statement: str, model: str) -> None:
    head = build(statement, model)
    printed = json.loads(Path(head).read_text())
    assert (printed.keys(), printed["statement"]) == ({"statement", "head", "prompt"}, statement)
    assert (printed["head"].keys(), (printed["prompt"] or {}).keys()) == ({"b"}, {"u"} if statement == "3.6" else set())
    assert_numbers_are_exact(printed)
    done = headproof("test", "--head", head, "--model", shipped(model), "--json")
    assert done.status == 0
    assert set(done.json) == {"statement", "model", "status", "scope", "counterexample", "certificate"}
    assert (done.json["statement"], done.json["status"]) == (statement, "proved")
    assert done.json["counterexample"] is None
    assert headproof("check", done.json["certificate"], "--model", shipped(model)).status == 0


def test_a_wrong_head_exits_1_with_an_input_that_it_mislabels() -> None:
    done = headproof("test", "--head", save("head.json", {"head": {"b": [-1, 1]}}), "--model", UMBRELLA, "--json")
    plain = oracle.parse(UMBRELLA.read_text())
    wrong = done.json["counterexample"]
    assert (done.status, done.json["status"]) == (1, "refuted")
    assert set(wrong) == {"input", "label", "head_label"}
    assert wrong["label"] == oracle.label(plain, plain["task"]["mu"], wrong["input"])
    assert wrong["head_label"] == oracle.linear_head_label(plain, [Fraction(-1), Fraction(1)], wrong["input"])
    assert wrong["label"] != wrong["head_label"]
    assert headproof("check", done.json["certificate"]).status == 0


def test_a_wrong_head_is_named_refuted_without_json_too() -> None:
    done = headproof("test", "--head", save("head.json", {"head": {"b": [-1, 1]}}), "--model", UMBRELLA)
    assert (done.status, done.err) == (1, certified(1))
    assert done.out.startswith("refuted: input (umbrella) has label 1, the head says 0")


@pytest.mark.parametrize("form", [["--json"], []])
def test_a_head_that_stays_open_exits_3(form: list[str], hardly_trying: None) -> None:
    # b is no multiple of the paper's b: only a tree of prefixes could decide, and `hardly_trying` allows none
    head = save("head.json", {"head": {"b": [1, "-1000001/1000000"]}, "prompt": None})
    done = headproof("test", "--head", head, "--model", UMBRELLA, *form)
    assert (done.status, done.err) == (3, "")
    assert "undecided" in done.out
    assert not Path("certificates").exists()
