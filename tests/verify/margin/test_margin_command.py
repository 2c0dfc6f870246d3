"""`headproof margin`: its JSON, its exit status, and what it refuses."""

from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from command import headproof, save, shipped

from verify import kernel
from verify.prover import prove
from verify.words.effort import Effort

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


def test_heads_bear_errors_on_inputs_of_every_length_and_certificates_say_so() -> None:
    heads = headproof("margin", "3.3", "--model", "umbrella", "--nodes", "200", "--json").json["every_length"]
    as_built, least_norm, largest_margin = heads
    assert as_built["error"] == "1257/25000"
    assert as_built["left_out"] == "0"
    assert Fraction(largest_margin["error"]) > Fraction(least_norm["error"]) >= Fraction(as_built["error"])
    for head in heads:
        assert Fraction(head["error"]) <= Fraction(head["nearest"]["value"])
        sentence = kernel.check(Path(head["certificate"]).read_text()).sentence()
        assert "gives every input of every length its label, also where its output errs by less than" in sentence
    assert headproof("check", *(head["certificate"] for head in heads)).status == 0


def test_no_row_vanishes_and_each_says_what_shows_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.margin.compared.largest_margin", lambda *_: None)
    done = headproof("margin", "3.3", "--model", "ice-cream", "--nodes", "20")
    assert "none: floats propose no head that gives each input its label" in " ".join(done.out.split())
    assert "--nodes 80 looks at more prefixes" in done.out
    undecided = headproof("margin", "3.3", "--model", "periodic", "--nodes", "20").out
    assert "Up to length 3 any error below" in " ".join(undecided.split())
    [as_built, least_norm, largest_margin] = headproof(
        "margin", "3.3", "--model", "ice-cream", "--nodes", "20", "--json"
    ).json["every_length"]
    assert Fraction(least_norm["error"]) > Fraction(as_built["error"]) > 0
    assert largest_margin["head"] is None


def test_the_figures_of_a_linear_head_are_one_object() -> None:
    done = headproof("margin", "3.3", "--model", shipped("ice-cream"), "--json")
    assert done.status == 0
    figures = done.json
    assert [head["which"] for head in figures.pop("every_length")] == ["as built", "least norm", "largest margin"]
    assert figures == {
        "statement": "3.3",
        "model": "ice-cream",
        "length": 3,
        "inputs": 27,
        "recoverable_columns": [0, 1],
        "singular_value": ["3/5", "3/5"],
        "recoverable_singular_value": ["3/5", "3/5"],
        "b": [{"labels": [0, 1], "norm_1": "10", "norm_2": ["745355992499/100000000000", "298142397/40000000"]}],
        "ties": {"count": 1, "input": [1]},
        "smallest_score": {"value": "497/10260", "input": [0, 2, 2]},
        "largest_error": {"value": "0", "input": [1]},
        "largest_error_apart_from_ties": {"value": "497/102600", "input": [0, 2, 2]},
        "mislabelled": None,
    }


def test_without_a_statement_the_first_theorem_that_has_a_head_is_measured() -> None:
    figures = headproof("margin", "--model", shipped("only-3-5"), "--json").json
    assert figures["statement"] == "3.6"
    assert figures["recoverable_columns"] == [0, 1]
    assert figures["singular_value"] == ["0", "0"]
    lo, hi = map(Fraction, figures["recoverable_singular_value"])
    assert 0 < lo < hi


def test_a_head_without_weights_bears_any_error() -> None:
    path = save("own.json", {"head": {"b": ["0", "0"]}})
    done = headproof("margin", "--head", path, "--model", "umbrella", "--length", "2", "--json")
    assert done.status == 1  # it mislabels
    assert done.json["largest_error"] is None
    assert done.json["b"] == []
    always = headproof("margin", "--head", path, "--model", "umbrella", "--mu", "1,1", "--json").json["every_length"]
    assert always[0]["nearest"] is None


def test_ones_own_head_is_measured_and_its_first_mistake_named() -> None:
    path = save("own.json", {"head": {"b": ["1", "1"]}})
    arguments = ("margin", "--head", path, "--model", shipped("umbrella"))
    done = headproof(*arguments, "--json")
    assert done.status == 1
    assert done.json["mislabelled"] == [1]
    assert done.json["b"][0]["norm_1"] == "2"
    assert done.json["smallest_score"]["value"] == "1"
    assert [head.get("reason") for head in done.json["every_length"]] == [
        None,
        "it has the same scores, and the same mistake",
        None,
    ]
    assert "mislabelled: (no umbrella)" in headproof(*arguments).out
    path = save("own.json", {"head": {"b": ["-62/11", "119/22", "0"]}})
    assert headproof("margin", "--head", path, "--model", shipped("healthy-fever"), "--length", "1").status == 1


def test_where_there_is_no_head_the_reason_is_given_and_undecided_comes_before_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = headproof("margin", "3.3", "--model", "only-3-5", "--json")
    assert done.status == 1
    assert done.json["head"] is None
    assert done.json["reason"] == "no head serves inputs (0), (1)"
    monkeypatch.setattr("verify.commands.margin.prove", partial(prove, effort=Effort(programs=1)))
    assert headproof("margin", "--model", "cpg-island").status == 3


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("4.3", "--model", "umbrella"), 'statement: found "4.3", expected a statement with a head: 3.3, 3.6'),
        (("--model", "topic"), 'topic: kind: found "memory-hmm", expected "hmm", which this command is about'),
        (("3.3", "--model", "umbrella", "--head", "x.json"), "--head: found a head and 3.3, expected one of them"),
        (("3.3", "--model", "appendix-d-8", "--length", "40"), "--length: found more inputs than can be looked at"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(arguments: tuple[str, ...], line: str) -> None:
    assert line in headproof("margin", *arguments).refusal
