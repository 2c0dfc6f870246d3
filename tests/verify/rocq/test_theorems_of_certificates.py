"""`headproof check --rocq` and `headproof verify --rocq`: their output, exit status, and the files that they write."""

import json
import os
import re
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


@thorough
def test_a_certificate_that_holds_is_a_theorem(compiled: Path, tmp_path: Path) -> None:
    assert process("verify", "3.6", "--model", "umbrella", "--certificates", str(tmp_path)).status == 0
    [path] = tmp_path.glob("*.json")
    done = check(path, "--keep", tmp_path / "kept")
    assert (done.status, done.err) == (0, "")
    assert re.match(rf"proved {path}: 3\.6 is proved on .*closed under the global context", done.out)
    page = (tmp_path / "kept" / path.with_suffix(".v").name).read_text()
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


def test_two_certificates_of_one_name_are_not_kept_in_one_file() -> None:
    line = "headproof: --keep: found two certificates called a, expected different names"
    assert check("--keep", "kept", "1/a.json", "2/a.json").refusal == line


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


def certificate() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((CERTIFICATES / "3.3-without-3.1.json").read_text())
    return document


def place_coqc(script: str, folder: Path, patch: pytest.MonkeyPatch) -> None:
    program = folder / "coqc"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    patch.setenv("PATH", str(folder))


@pytest.mark.parametrize(
    ("script", "proved"), [(f"echo {CLOSED}", True), ("echo Axioms:", False), (f"echo {CLOSED}; exit 1", False)]
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
    assert [status({str(i): answer for i, answer in enumerate(answers[:n])}) for n in (1, 2, 3)] == [0, 3, 1]


def test_the_estimate_grows_with_states_and_digits() -> None:
    document = certificate()
    assert seconds(document) == 2
    assert seconds(document | {"model": document["model"] | {"initial": ["1/30"] * 30}}) == 8
    assert seconds(document | {"evidence": ["9" * 100] * 300}) == 8


def test_a_comment_cannot_close_itself() -> None:
    assert rocq_file('*) Axiom false : False. (* "', certificate(), "").startswith("(** * ) Axiom false : False. ( * '")


@pytest.mark.parametrize(
    ("part", "value"), [("status", "proved"), ("vacuous", True), ("conclusion", "holds"), ("assumptions", {})]
)
def test_no_file_is_written_of_a_claim_that_contradicts_itself(part: str, value: object) -> None:
    document = certificate()
    document["claim"][part] = value
    with pytest.raises(WrongClaimError):
        rocq_file("", document, "")


def test_a_claim_about_a_shape_is_not_covered() -> None:
    with pytest.raises(NotCoveredError, match="all-models"):
        rocq_file("", {"claim": {"kind": "all-models"}}, "")
