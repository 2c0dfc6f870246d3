"""Commands on memory models: heads, assumptions, explanations, the options --cell and --recoverable, refusals."""

import json
from pathlib import Path
from typing import Any

import pytest
from command import headproof, save, shipped

from verify import kernel
from verify.library import shipped_memory_models

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


QUICK = {"loud-outsider", "never-sure", "surely-open"}
WITHOUT_4_2 = {"last-position", "further-positions", "loud-outsider", "sky-and-wind", "topic-mixed"}


SEARCHED = pytest.mark.thorough(reason="a head is looked for: 4 s; the option is read by quick tests of assumptions")


def every_model() -> list[Any]:
    slow = pytest.mark.thorough(reason="three statements, each decided three times, on each model")
    names = [memory_model.name for memory_model, _ in shipped_memory_models()]
    return [pytest.param(name, marks=() if name in QUICK else slow) for name in names]


@pytest.mark.parametrize("statement", ["4.3", "4.6", "C.6"])
@pytest.mark.parametrize("name", every_model())
def test_the_head_that_verify_certifies_is_what_build_prints_and_test_proves(name: str, statement: str) -> None:
    [verdict] = headproof("verify", statement, "--model", shipped(name), "--json").json["results"]
    construction = headproof("build", statement, "--model", shipped(name), "--json")
    assert (construction.status == 0) == (verdict["conclusion"] == "holds")
    if construction.status:
        assert (statement, name in WITHOUT_4_2) == ("4.3", True)
        return
    evidence = json.loads(Path(verdict["certificate"]).read_text("utf-8"))["evidence"]["conclusion"]
    if evidence["kind"] == "attention":
        assert (evidence["head"], evidence["prompt"]) == (construction.json["head"], construction.json["prompt"])
    else:
        assert evidence["kind"] == "no-input-in-R"
    judgement = headproof("test", "--head", save("head.json", construction.out), "--model", shipped(name), "--json")
    assert (judgement.status, judgement.json["status"]) == (0, "proved")
    claim = kernel.check(Path(judgement.json["certificate"]).read_text("utf-8"))
    assert claim.recoverable == tuple(verdict["recoverable"])


def test_build_says_which_hypothesis_fails_where_no_head_is_found() -> None:
    done = headproof("build", "4.3", "--model", shipped("topic-mixed"), "--json")
    assert (done.status, done.json["head"], done.json["prompt"]) == (3, None, None)
    assert done.json["reason"].startswith("undecided: none excluded; some head is right on all inputs in R of up to ")
    assert "nor trees over attended sets that exclude all" in done.json["reason"]
    why = "4.2 fails: the columns of {topic/article, topic/filler, topic/keyword} depend on others"
    assert done.json["reason"].endswith(f"; {why}")


def test_the_table_names_the_parts_of_the_head() -> None:
    done = headproof("build", "4.6", "--model", shipped("loud-outsider"))
    assert done.status == 0
    for title in ("the query", "Θ_K", "Θ_V", "positions; the last repeats", "outsider in topic/keyword"):
        assert title in done.out


def test_assumptions_name_the_recoverable_states() -> None:
    done = headproof("assumptions", "--model", shipped("sky-and-wind"), "--json")
    holds = {entry["id"]: entry["holds"] for entry in done.json["assumptions"]}
    assert holds == {"3.2:ergodic": True, "3.2:full-support": True, "4.2": False, "4.4:stationary": True, "C.5": True}


def test_another_cell_and_another_s_are_taken_from_the_options() -> None:
    assert "H* = {wind/word}" in headproof("assumptions", "--model", shipped("sky-and-wind"), "--cell", "1").out
    other_states = headproof("assumptions", "--model", shipped("sky-and-wind"), "--recoverable", "0,1", "--json")
    assert {entry["id"]: entry["holds"] for entry in other_states.json["assumptions"]}["C.5"] is False


@pytest.mark.parametrize(
    ("option", "status", "recoverable"),
    [
        (("--cell", "1"), "proved", [3]),
        pytest.param(("--recoverable", "0,1"), "not-applicable", [0, 1], marks=SEARCHED),
    ],
)
def test_a_verdict_is_on_the_cell_and_the_s_of_the_options(
    option: tuple[str, str], status: str, recoverable: list[int]
) -> None:
    [result] = headproof("verify", "C.6", "--model", shipped("sky-and-wind"), *option, "--json").json["results"]
    claim = json.loads(Path(result["certificate"]).read_text())["claim"]
    assert (result["status"], claim["recoverable"]) == (status, recoverable)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["assumptions", "--model", shipped("topic"), "--cell", "1"], "--cell: found 1, expected 0"),
        (["verify", "--cell", "1"], "--cell: found no --model, expected --model with --cell"),
        (["assumptions", "--model", shipped("topic"), "--recoverable", "0,x"], "--recoverable[1]: found x, expected"),
        (["assumptions", "--model", shipped("topic"), "--recoverable", "0,0"], "--recoverable[1]: found a second 0"),
        (
            ["assumptions", "--model", shipped("tie"), "--cell", "0"],
            'kind: found "hmm", expected "memory-hmm", which --cell',
        ),
        (["build", "3.3", "--model", shipped("topic")], 'kind: found "memory-hmm", expected "hmm", which 3.3 is about'),
        (["build", "4.3", "--model", shipped("tie")], 'kind: found "hmm", expected "memory-hmm", which 4.3 is about'),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(arguments: list[str | Path], complaint: str) -> None:
    assert complaint in headproof(*arguments).refusal


def test_explain_shows_each_position_whether_it_is_in_Ihat_and_both_labels() -> None:
    explanation = headproof("explain", "4.3", "--model", shipped("pasture"), "--input", "sadly,.", "--json").json
    assert (explanation["in_R"], explanation["label"], explanation["head_label"]) == (True, 0, 0)
    assert [(entry["token"], entry["in_Ihat"], entry["attended"]) for entry in explanation["positions"]] == [
        ("sadly", True, True),
        (".", False, False),
    ]


def test_explain_says_of_an_input_that_it_is_not_in_R() -> None:
    arguments = ("explain", "4.3", "--model", shipped("never-sure"), "--input", "0,1,1")
    explanation = headproof(*arguments, "--json").json
    assert explanation["in_R"] is any(entry["in_Ihat"] for entry in explanation["positions"]) is False
    assert "the input is not in R" in headproof(*arguments).out


def test_explain_shows_the_prompts_position_and_what_it_makes_sure() -> None:
    explanation = headproof("explain", "C.6", "--model", shipped("surely-open"), "--input", "y,z,y,mark", "--json").json
    rows = [(entry["token"], entry["in_Ihat"], entry["attended"]) for entry in explanation["positions"]]
    assert rows[0] == ("u", False, False)
    assert [row for row in rows if row[2] and not row[1]] == [("y", False, True)]  # lemma C.9 fails here


@pytest.mark.usefixtures("hardly_trying")
def test_explain_of_a_head_that_is_undecided_exits_as_on_a_vanilla_model() -> None:
    done = headproof("explain", "4.3", "--model", shipped("topic-mixed"), "--input", "0", "--json")
    assert (done.status, done.json["head"]) == (3, None)


def test_an_attention_head_that_attends_to_the_prompt_is_refuted_with_an_input() -> None:
    path = shipped("loud-outsider")
    construction = headproof("build", "C.6", "--model", path, "--json").json
    construction["head"]["position"][0][-1] = "-2"  # as the paper has it
    done = headproof("test", "--head", save("head.json", construction), "--model", path, "--json")
    assert (done.status, done.json["status"]) == (1, "refuted")
    assert done.json["counterexample"] == {"input": [1, 0, 1], "label": 0, "head_label": 1}
    assert headproof("check", done.json["certificate"]).status == 0


def test_a_candidate_can_be_held_against_all_inputs_as_it_is_printed() -> None:
    [result] = headproof("verify", "4.3", "--model", shipped("further-positions"), "--json").json["results"]
    assert result["conclusion"] == "undecided"
    assert set(result["candidate"]) == {"head", "prompt", "inputs", "missed", "length"}
    assert result["candidate"]["inputs"]
    head = save("head.json", result["candidate"])
    done = headproof("test", "--head", head, "--model", shipped("further-positions"), "--json")
    assert (done.status, done.json["status"], done.json["counterexample"]) == (3, "undecided", None)
