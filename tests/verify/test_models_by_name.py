"""Models by name; the exit status of `verify --model` as a gate; models of a kind that the statement is not about."""

import pytest
from command import certified, headproof, process, save, shipped
from contract import UMBRELLA

from verify import library

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


def test_a_shipped_model_goes_by_its_name_everywhere() -> None:
    for arguments in (
        ["verify", "3.3", "--json"],
        ["assumptions", "--json"],
        ["build", "3.3", "--json"],
        ["explain", "3.3", "--input", "umbrella", "--json"],
        ["margin", "3.3", "--json"],
    ):
        by_name = headproof(*arguments, "--model", "umbrella")
        by_path = headproof(*arguments, "--model", UMBRELLA)
        assert (by_name.status, by_name.err) == (0, "")
        assert by_name.out.replace("-2.json", ".json") == by_path.out.replace("-2.json", ".json")
    assert headproof("check", "certificates/umbrella-3.3.json", "--model", "umbrella").status == 0
    assert headproof("check", "certificates/umbrella-3.3.json", "--model", "tie").status == 1


def test_names_may_follow_the_option_beside_files() -> None:
    save("own.json", UMBRELLA.read_text())
    done = headproof("verify", "3.3", "--model", "umbrella", "own.json", "tie", "--json")
    assert [result["model"] for result in done.json["results"]] == ["umbrella", "umbrella", "tie"]
    line = "headproof: umbrella: found no --model, expected --model umbrella"
    assert headproof("verify", "umbrella").refusal == line


def test_a_file_and_a_shipped_model_never_hide_each_other() -> None:
    save("umbrella", shipped("tie").read_text())
    save("own", shipped("tie").read_text())
    for model, name in (("umbrella", "umbrella"), ("./umbrella", "tie"), ("./own", "tie")):
        assert headproof("verify", "3.3", "--model", model, "--json").json["results"][0]["model"] == name
    line = "headproof: own: found a name that no shipped model has, expected ./own for the file"
    assert headproof("verify", "3.3", "--model", "own").refusal == line


def test_the_list_of_models_has_a_line_for_each() -> None:
    done = headproof("models", "--json")
    assert [row["name"] for row in done.json["models"]] == [model.name for model, _ in library.shipped()]
    [ice_cream] = [row for row in done.json["models"] if row["name"] == "ice-cream"]
    assert ice_cream | {"for": ""} == {"name": "ice-cream", "kind": "hmm", "states": 2, "tokens": 3, "for": ""}
    table = headproof("models").out
    assert all(f"{row['name']} " in table and row["for"][:20] in table for row in done.json["models"])
    assert process("models").status == 0


def test_a_gate_passes_where_only_what_is_false_as_written_is_refuted() -> None:
    done = headproof("verify", "--model", "umbrella")
    assert done.status == 0
    assert "section-3.1, false as written" in done.out
    assert headproof("verify", "--model", "umbrella", "--strict").status == 1
    assert headproof("verify", "section-3.1", "--model", "umbrella").status == 1
    assert headproof("verify", "3.3", "--model", "umbrella", "--strict").status == 0


def test_a_gate_counts_what_is_undecided_and_is_not_false_as_written(hardly_trying: None) -> None:
    assert headproof("verify", "--model", "only-3-5").status == 3


def test_models_of_the_other_kind_are_skipped_with_a_line_each() -> None:
    done = headproof("verify", "3.3", "4.3", "--model", "umbrella", "topic")
    assert done.status == 0
    assert done.err.splitlines() == [
        'headproof: umbrella is skipped: 4.3 is about the kind "memory-hmm", not "hmm"',
        'headproof: topic is skipped: 3.3 is about the kind "hmm", not "memory-hmm"',
        certified(2).rstrip(),
    ]
    assert done.out.count("proved  ") + done.out.count("proved ") >= 2
    line = 'headproof: topic: kind: found "memory-hmm", expected "hmm", which 3.3 is about'
    assert headproof("verify", "3.3", "--model", "topic", "pasture").refusal == line
