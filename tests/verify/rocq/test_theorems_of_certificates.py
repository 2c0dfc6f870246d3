"""Certificates that Rocq proves, and falsified ones that it does not."""

import copy
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from by_hand import by_hand
from command import Done, process

import headproof as hp
from verify.commands.rocq import status
from verify.rocq.certificate import rocq_file, seconds
from verify.rocq.coqc import CLOSED, library, prove
from verify.rocq.theorem import NotCoveredError, WrongClaimError

ROOT = Path(__file__).parents[3]
CERTIFICATES = ROOT / "results/necessity/certificates"
thorough = pytest.mark.thorough(reason="the library is compiled once, for a minute; what is written is tested without")


def check(*arguments: str | Path) -> Done:
    return process("check", "--rocq", *arguments)


@pytest.fixture
def held(tmp_path: Path) -> Path:
    """A certificate of 3.6, which holds."""
    folder = tmp_path / "certificates"
    assert process("verify", "3.6", "--model", "umbrella", "--certificates", str(folder)).status == 0
    return next(folder.glob("*.json"))


@thorough
def test_a_certificate_that_holds_is_a_theorem(compiled: Path, held: Path, tmp_path: Path) -> None:
    done = check(held, "--keep", tmp_path / "kept")
    assert (done.status, done.err) == (0, "")
    assert re.match(rf"proved {held}: 3\.6 is proved on .*closed under the global context", done.out)
    page = (tmp_path / "kept" / held.with_suffix(".v").name).read_text()
    assert "[:: [:: 7#10; 3#10];\n    [:: 3#10; 7#10]]%coqQ" in page
    assert page.index("Definition claim") < page.index("nothing below needs to be read")


@thorough
def test_a_violated_assumption_and_a_conclusion_that_fails_are_theorems(compiled: Path) -> None:
    done = check(CERTIFICATES / "3.6-without-3.5.json", "--json")
    assert done.json["rocq"]["rests_on"] == "Closed under the global context"
    assert done.json["rocq"]["theorem"] == done.json["sentence"]


@thorough
def test_what_the_checker_in_rocq_does_not_read_is_said_with_3(compiled: Path, tmp_path: Path) -> None:
    (tmp_path / "unreached.json").write_text(json.dumps(by_hand("unreached")))
    done = check(tmp_path / "unreached.json")
    assert done.status == 3
    assert done.out.startswith("not covered ")


@thorough
def test_verify_proves_each_certificate_and_lists_what_is_not_covered(compiled: Path, tmp_path: Path) -> None:
    model = tmp_path / "late.json"
    model.write_text(json.dumps(by_hand("unreached")["model"]))
    arguments = ("verify", "3.3", "3.6:zero", "--model", str(model), "--rocq", "--certificates", str(tmp_path))
    done = process(*arguments)
    assert done.status == 3
    *_, theorem, lemma, count = done.out.splitlines()
    assert theorem.startswith(f"proved {tmp_path}/late-3.3.json: 3.3 does not apply to ")
    missing = "the checker in Rocq does not read 3.6:zero by unreached"
    assert lemma == f"not covered {tmp_path}/late-3.6-zero.json: {missing}"
    assert count == "1 of 2 proved by Rocq, each closed under the global context"
    answers = process(*arguments, "--json").json["results"]
    assert [entry["rocq"]["answer"] for entry in answers] == ["proved", "not covered"]


def test_a_verdict_hands_out_its_file(tmp_path: Path) -> None:
    verdict = hp.verify("3.3", *hp.load("umbrella"))
    text = verdict.rocq()
    assert text.startswith(f"(** 3.3: {verdict.check()}".replace('"', "'"))
    assert "Theorem proved : claim." in text
    model = tmp_path / "late.json"
    model.write_text(json.dumps(by_hand("unreached")["model"]))
    with pytest.raises(ValueError, match=r"3\.6:zero by unreached"):
        hp.verify("3.6:zero", *hp.load(model)).rocq()


@pytest.mark.parametrize(
    "command", [["check", CERTIFICATES / "3.3-without-3.1.json"], ["verify", "3.3", "--model", "umbrella"]]
)
def test_without_coqc_two_lines_say_how_to_get_it(command: list[str | Path], tmp_path: Path) -> None:
    done = process(*command, "--rocq", environment={"PATH": str(tmp_path)})
    assert (done.status, done.out) == (2, "")
    assert "apt-get install coq" in done.err


def certificate(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((CERTIFICATES / f"{name}.json").read_text())
    return document


def falsified_entry(document: dict[str, Any]) -> None:
    """A column that sums to 1 as before, of other numbers."""
    for row, number in zip(document["model"]["emission"], ("1/3", "2/3"), strict=True):
        row[0] = number


def no_law(document: dict[str, Any]) -> None:
    document["model"]["emission"][0][0] = "5/7"


def negative_multiplier(document: dict[str, Any]) -> None:
    constraint = document["evidence"]["conclusion"]["constraints"][0]
    constraint[2] = f"-{constraint[2]}"


def another_label(document: dict[str, Any]) -> None:
    labels = document["claim"]["labels"]
    labels["0"], labels["1"] = labels["1"], labels["0"]


def denied_assumption(document: dict[str, Any]) -> None:
    assumptions = document["claim"]["assumptions"]
    assumptions["3.2:full-support"] = not assumptions["3.2:full-support"]


@thorough
@pytest.mark.parametrize("falsify", [falsified_entry, no_law, negative_multiplier, another_label, denied_assumption])
def test_rocq_does_not_prove_what_is_falsified(compiled: Path, falsify: Callable[[dict[str, Any]], None]) -> None:
    sound = certificate("3.3-without-3.1")
    assert prove(rocq_file("sound", sound, ""), compiled, None).proved
    false = copy.deepcopy(sound)
    falsify(false)
    assert false != sound
    assert not prove(rocq_file("false", false, ""), compiled, None).proved


@thorough
def test_rocq_does_not_prove_that_another_head_serves(compiled: Path, held: Path) -> None:
    document = json.loads(held.read_text())
    assert prove(rocq_file("sound", document, ""), compiled, None).proved
    document["evidence"]["conclusion"]["head"]["b"][0] = "17"
    assert not prove(rocq_file("false", document, ""), compiled, None).proved


def place_coqc(script: str, folder: Path, patch: pytest.MonkeyPatch) -> None:
    program = folder / "coqc"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    patch.setenv("PATH", str(folder))


@pytest.mark.parametrize(
    ("script", "proved"),
    [(f"echo {CLOSED}", True), ("echo Axioms:", False), (f"echo {CLOSED}; exit 1", False)],
)
def test_proved_is_what_compiles_without_axioms(
    script: str, proved: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place_coqc(script, tmp_path, monkeypatch)
    assert prove("", tmp_path, None).proved is proved


def test_what_a_checkout_has_compiled_serves_until_a_source_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in ("_CoqProject", "a.v b.v"), ("a.v", ""), ("b.v", "From Headproof Require Import a.\n"):
        (tmp_path / name).write_text(text)
        (tmp_path / name).with_suffix(".vo").touch()
    place_coqc("", tmp_path, monkeypatch)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("verify.rocq.coqc.files", lambda package: tmp_path)
    assert library(("b",), print) == tmp_path
    os.utime(tmp_path / "a.v", (2**32, 2**32))
    assert library(("b",), print).parent == tmp_path / "cache/headproof"


def test_a_rejected_certificate_counts_more_than_one_that_is_not_covered() -> None:
    answers = [{"answer": answer} for answer in ("proved", "not covered", "rejected")]
    assert [status({str(i): one for i, one in enumerate(answers[:n])}) for n in (1, 2, 3)] == [0, 3, 1]


def test_the_estimate_grows_with_states_and_digits() -> None:
    document = certificate("3.3-without-3.1")
    assert seconds(document) == 2
    assert seconds(document | {"model": document["model"] | {"initial": ["1/30"] * 30}}) == 8
    assert seconds(document | {"evidence": ["9" * 100] * 300}) == 8


def test_a_comment_cannot_close_itself() -> None:
    document = certificate("3.3-without-3.1")
    page = rocq_file('*) Axiom false : False. (* "', document, "")
    assert page.startswith("(** * ) Axiom false : False. ( * '")


@pytest.mark.parametrize(
    ("part", "value"), [("status", "proved"), ("vacuous", True), ("conclusion", "holds"), ("assumptions", {})]
)
def test_no_file_is_written_of_a_claim_that_contradicts_itself(part: str, value: object) -> None:
    document = certificate("3.3-without-3.1")
    document["claim"][part] = value
    with pytest.raises(WrongClaimError):
        rocq_file("", document, "")


def test_a_claim_about_a_shape_is_not_covered() -> None:
    with pytest.raises(NotCoveredError, match="all-models"):
        rocq_file("", {"claim": {"kind": "all-models"}}, "")
