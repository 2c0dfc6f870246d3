"""The shipped models: every verdict is the expected one, and the kernel accepts every certificate."""

import json
from pathlib import Path
from typing import Any

import pytest
from command import certified, headproof

from verify import kernel
from verify.certificates import head_certificate, statement_certificate
from verify.expectations import expectations, surprises, verdicts_on_shipped_models
from verify.library import shipped
from verify.report.failures import refutations
from verify.statements import Statement
from verify.verdicts import Verdict

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def verdicts() -> list[Verdict]:
    return verdicts_on_shipped_models()


def test_every_verdict_is_the_one_that_is_expected(verdicts: list[Verdict]) -> None:
    assert surprises(verdicts) == []


def test_a_verdict_that_is_missing_is_a_surprise(verdicts: list[Verdict]) -> None:
    [(key, expected)] = expectations(verdicts[:1]).items()
    assert surprises(verdicts[1:]) == [f"{key}: found no verdict, expected {json.dumps(expected)}"]


def test_every_shipped_model_has_another_name() -> None:
    names = [model.name for model, _ in shipped()]
    assert len(set(names)) == len(names) >= 22


def test_verify_without_arguments_shows_every_verdict_and_the_kernel_accepts_its_certificate(
    verdicts: list[Verdict], in_an_empty_folder: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided = {(verdict.statement.id, verdict.model): verdict for verdict in verdicts}

    def prove(statement: Statement, model: Any, _: Any) -> Verdict:
        return decided[statement.id, model]

    monkeypatch.setattr("verify.commands.verify.prove", prove)
    done = headproof("verify", "-v")
    certificates = sorted(Path("certificates").iterdir())
    assert (done.status, done.err) == (0, certified(len(certificates)))
    assert all(model.name in done.out for model, _ in shipped())
    assert f"All {len(verdicts)} verdicts are as expected." in done.out
    claims = {}
    for path in certificates:
        claim = kernel.check(path.read_bytes())
        claims[path.name] = (claim.statement, claim.model_name, claim.status, claim.conclusion, claim.vacuous)
    assert claims == {
        f"{model}-{statement.replace(':', '-')}.json": (statement, model, v.status, v.answer, v.vacuous)
        for v in verdicts
        for statement, model in [(v.statement.id, v.model.name)]
        if v.status != "undecided"
    }


def test_the_certificates_of_what_fails_as_written_are_those_of_the_verdicts(verdicts: list[Verdict]) -> None:
    page = DOCS.joinpath("paper-readings.md").read_text("utf-8")
    committed = {path.name: path.read_text("utf-8") for path in DOCS.joinpath("certificates").iterdir()}
    for verdict in refutations(verdicts).values():
        if isinstance(verdict, Verdict):
            certificate, name = statement_certificate(verdict), f"{verdict.statement.id}-{verdict.model.name}.json"
        else:
            certificate, name = head_certificate(verdict), f"{verdict.statement}-as-written-{verdict.model.name}.json"
        assert certificate == json.loads(committed.pop(name))
        assert f"(certificates/{name})" in page
        assert f"`{verdict.model.name}`" in page or verdict.model.name == "constant-label"
        kernel.check(json.dumps(certificate))
    assert committed == {}
