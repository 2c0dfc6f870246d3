"""The command on memory models: build and assumptions, with another cell or S*, and what it refuses."""

from pathlib import Path

import pytest
from command import headproof
from memory_checks import plain, shipped
from memory_oracle import PROMPT, Sums, head_label, read_head

MODELS = Path(__file__).resolve().parents[2] / "models"


def model(name: str) -> str:
    return str(MODELS / f"{name}.json")


@pytest.mark.parametrize(("statement", "name"), [("4.3", "topic"), ("4.6", "loud-outsider"), ("C.6", "sky-and-wind")])
def test_build_prints_a_head_that_labels_an_input_rightly(statement: str, name: str) -> None:
    done = headproof("build", statement, "--model", model(name), "--json")
    truth = plain(*shipped(name))
    head = read_head(truth, done.json["head"], done.json["prompt"])
    word = (0, 2)
    seen = word if head.prompt is None else (PROMPT, *word)
    sums = Sums(truth, head.prompt)
    assert (done.status, done.json["statement"]) == (0, statement)
    assert head_label(head, [sums.output(seen, i + 1) for i in range(len(seen))], seen) == Sums(truth).label(word)


@pytest.mark.parametrize(
    ("statement", "name", "reason"),
    [
        (
            "4.3",
            "topic-mixed",
            "4.2 fails: the columns of {topic/article, topic/filler, topic/keyword} depend on others",
        ),
        ("4.6", "pasture", "4.5 fails: there are 3 cells"),
        ("C.6", "appendix-d-memory", "4.4:stationary fails: P(H_1 = cell0/s0) is not P(H_0 = cell0/s0)"),
    ],
)
def test_build_says_which_hypothesis_leaves_no_head(statement: str, name: str, reason: str) -> None:
    done = headproof("build", statement, "--model", model(name), "--json")
    assert done.status == 1
    assert done.json == {"statement": statement, "head": None, "prompt": None, "reason": reason}


def test_the_table_names_the_parts_of_the_head() -> None:
    done = headproof("build", "4.6", "--model", model("loud-outsider"))
    assert done.status == 0
    for title in (
        "query and positions",
        "keys Theta_K",
        "values Theta_V",
        "beta_2, and on",
        "outsider in topic/keyword",
    ):
        assert title in done.out


def test_assumptions_name_the_recoverable_states() -> None:
    done = headproof("assumptions", "--model", model("sky-and-wind"), "--json")
    holds = {entry["id"]: entry["holds"] for entry in done.json["assumptions"]}
    assert holds == {"3.2:ergodic": True, "3.2:full-support": True, "4.2": False, "4.4:stationary": True, "C.5": True}


def test_another_cell_and_another_s_are_taken_from_the_options() -> None:
    other = headproof("assumptions", "--model", model("sky-and-wind"), "--cell", "1")
    assert "H* = {wind/word}" in other.out
    asked = headproof("assumptions", "--model", model("sky-and-wind"), "--recoverable", "0,1", "--json")
    assert {entry["id"]: entry["holds"] for entry in asked.json["assumptions"]}["C.5"] is False


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["assumptions", "--model", model("topic"), "--cell", "1"], "--cell: found 1, expected 0"),
        (["assumptions", "--model", model("topic"), "--recoverable", "0,x"], "--recoverable[1]: found x, expected"),
        (["assumptions", "--model", model("topic"), "--recoverable", "0,0"], "--recoverable[1]: found a second 0"),
        (
            ["assumptions", "--model", model("tie"), "--cell", "0"],
            'kind: found "hmm", expected "memory-hmm", which --cell',
        ),
        (["build", "3.3", "--model", model("topic")], 'kind: found "memory-hmm", expected "hmm", which 3.3 is about'),
        (["build", "4.3", "--model", model("tie")], 'kind: found "hmm", expected "memory-hmm", which 4.3 is about'),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(arguments: list[str], complaint: str) -> None:
    done = headproof(*arguments)
    assert done.status == 2
    assert complaint in done.err
    assert done.err.count("\n") == 1
    assert not done.out
