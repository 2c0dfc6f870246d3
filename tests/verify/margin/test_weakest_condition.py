"""`headproof weakest`: its JSON, its certificate, and what it refuses."""

from fractions import Fraction
from pathlib import Path

import checks
import pytest
from command import headproof, shipped

from constructions.heads import SoftPrompt
from verify.margin.weakest import Condition, Weakest
from verify.prover import prove
from verify.shown import margins
from verify.statements import STATEMENTS


def test_a_condition_that_is_met_comes_with_a_head_and_a_certificate(tmp_path: Path) -> None:
    done = headproof("weakest", "3.3", "--model", shipped("neither-but-holds"), "--certificates", tmp_path, "--json")
    assert done.status == 0
    assert done.json["assumption"]["holds"] is False
    assert done.json["everywhere"] == {"dimension": 3, "kernel": 1, "unseen": 1, "every_mu": False, "met": True}
    assert done.json["obstruction"] is done.json["prompt"] is None
    assert done.json["head"]["b"]
    assert headproof("check", done.json["certificate"]).status == 0


def test_an_obstruction_is_shown_and_no_certificate_written(tmp_path: Path) -> None:
    arguments = ("weakest", "3.3", "--model", shipped("only-3-5"), "--certificates", tmp_path / "none")
    found = headproof(*arguments, "--json").json
    assert found["obstruction"] == ["3", "-3", "1"]
    assert found["head"] is found["certificate"] is None
    words, states, v = headproof(*arguments).out.splitlines()[-3:]
    assert words.startswith("obstruction in the kernel, seen by mu")
    assert (states.split(), v.split()) == (["a", "b", "c"], ["v", "3", "-3", "1"])
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(("prompt", "met"), [("b", True), ("1", True), ("a,c", False)])
def test_a_prompt_of_ones_own_is_decided(tmp_path: Path, prompt: str, met: bool) -> None:
    model = shipped("only-3-5")
    done = headproof("weakest", "3.6", "--model", model, "--prompt", prompt, "--certificates", tmp_path, "--json")
    assert done.json["on_inputs"]["met"] is met
    assert done.json["prompt"]["u"] == [str(int(name in prompt or str(h) in prompt)) for h, name in enumerate("abc")]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("3.3", "--prompt", "a"), "--prompt: found it with 3.3, expected it with 3.6"),
        (("3.6", "--prompt", "a,7"), '--prompt: state 1: found "7", expected an index from 0 to 2, or a state\'s name'),
        (("4.3",), 'statement: found "4.3", expected a statement with a head: 3.3, 3.6'),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(arguments: tuple[str, ...], line: str) -> None:
    done = headproof("weakest", *arguments, "--model", shipped("only-3-5"))
    assert done.status == 2
    assert line in done.err
    assert done.err.count("\n") == 1


def test_each_row_of_the_table_says_what_was_decided_on_its_space(capsys: pytest.CaptureFixture[str]) -> None:
    [(model, task)] = checks.shipped("only-3-5")
    unmet = Condition(4, 3, 2, True, (Fraction(0), Fraction(-7, 2), Fraction(5)))
    met = Condition(6, 1, 0, False, None)
    assumption = prove(STATEMENTS["3.3"], model, task).findings[0]
    for prompt, everywhere, on_inputs in ((None, unmet, met), (SoftPrompt.of("1 0 1"), met, unmet)):
        margins.show_weakest(STATEMENTS["3.3"], model, assumption, Weakest(prompt, everywhere, on_inputs, None))
        lines = [line.split() for line in capsys.readouterr().out.splitlines()]
        rows = {unmet: ["4", "3", "2", "no", "yes"], met: ["6", "1", "0", "yes", "no"]}
        assert ["R^n", *rows[everywhere]] in lines
        assert ["V", *rows[on_inputs]] in lines
        assert (["b", "c"] in lines and ["v", "-7/2", "5"] in lines) == (on_inputs is unmet)
        assert ("u = 1 on {a, c}?" in " ".join(lines[0])) == (prompt is not None)
