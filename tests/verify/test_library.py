"""The shipped models: every verdict is the expected one, and the kernel accepts every certificate."""

import json
from pathlib import Path
from typing import Any

import pytest
from command import headproof

from constructions.models import Model
from verify import expectations as expected
from verify import kernel, prover
from verify.certificates import statement_certificate
from verify.expectations import expectations, surprises, verdicts_on_shipped_models
from verify.library import shipped
from verify.shown import readings
from verify.statements import Statement
from verify.verdicts import Verdict
from verify.words.effort import EFFORT, USUAL

DOCS = Path(__file__).parents[2] / "docs"


LONG = ("3.6", "appendix-d-30")
"""It is undecided however long the prover tries: for 20 seconds, or for a few."""


@pytest.fixture(scope="module")
def verdicts() -> list[Verdict]:
    def prove(statement: Statement, model: Model, task: Any) -> Verdict:
        effort = EFFORT if (statement.id, model.name) == LONG else USUAL
        return prover.prove(statement, model, task, effort)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expected, "prove", prove)
        return verdicts_on_shipped_models()


@pytest.mark.thorough(reason="3.6 on 30 states: 20 s; with less effort it is quick, and so are the others")
def test_what_is_undecided_on_thirty_states_is_so_with_all_effort(verdicts: list[Verdict]) -> None:
    [hardly] = [verdict for verdict in verdicts if (verdict.statement.id, verdict.model.name) == LONG]
    assert expectations([prover.prove(hardly.statement, hardly.model, hardly.task)]) == expectations([hardly])


def test_every_verdict_is_the_one_that_is_expected(verdicts: list[Verdict]) -> None:
    assert surprises(verdicts) == []


def test_every_verdict_has_a_certificate_that_the_kernel_accepts(verdicts: list[Verdict]) -> None:
    for verdict in verdicts:
        if verdict.status == "undecided":
            continue
        claim = kernel.check(json.dumps(statement_certificate(verdict)))
        found = (claim.statement, claim.model_name, claim.status, claim.conclusion, claim.vacuous)
        assert found == (verdict.statement.id, verdict.model.name, verdict.status, verdict.answer, verdict.vacuous)


def test_a_verdict_that_is_missing_is_a_surprise(verdicts: list[Verdict]) -> None:
    [(key, expected)] = expectations(verdicts[:1]).items()
    assert surprises(verdicts[1:]) == [f"{key}: found no verdict, expected {json.dumps(expected)}"]


def test_every_shipped_model_has_another_name() -> None:
    names = [model.name for model, _ in shipped()]
    assert len(set(names)) == len(names) >= 22


def test_verify_without_arguments_shows_and_certifies_every_verdict(
    verdicts: list[Verdict], in_an_empty_folder: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided = {(verdict.statement.id, verdict.model): verdict for verdict in verdicts}

    def prove(statement: Statement, model: Any, _: Any) -> Verdict:
        return decided[statement.id, model]

    monkeypatch.setattr("verify.commands.verify.prove", prove)
    done = headproof("verify", "-v")
    assert (done.status, done.err) == (0, "")
    assert all(model.name in done.out for model, _ in shipped())
    assert f"All {len(verdicts)} verdicts are as expected." in done.out
    certificates = sorted(Path("certificates").iterdir())
    named = {f"{v.model.name}-{v.statement.id.replace(':', '-')}.json" for v in verdicts if v.status != "undecided"}
    assert {path.name for path in certificates} == named
    assert headproof("check", *certificates[::9]).status == 0  # of the verdicts' all, another test


def test_the_page_of_readings_and_its_certificates_are_those_of_the_verdicts(
    verdicts: list[Verdict], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for the two tables of drawn models, which the next test has."""
    committed_page = DOCS.joinpath("paper-readings.md").read_text("utf-8")
    tables = [part.strip() for part in committed_page.split("\n\n") if part.startswith("| statement | without |")]
    for name, table in zip(("_without", "_without_on_memory"), tables, strict=True):
        monkeypatch.setattr(readings, name, table.strip)
    assert readings.page(tmp_path, verdicts) == committed_page
    written, committed = (sorted(folder.joinpath("certificates").iterdir()) for folder in (tmp_path, DOCS))
    assert [path.name for path in written] == [path.name for path in committed]
    for path, other in zip(written, committed, strict=True):
        assert path.read_bytes() == other.read_bytes()
        kernel.check(path.read_text("utf-8"))


@pytest.mark.thorough(reason="decides 500 times on drawn models: 20 s; tests of the prover and of the draws are quick")
def test_the_tables_of_drawn_models_on_the_page_of_readings_are_what_is_decided() -> None:
    committed = DOCS.joinpath("paper-readings.md").read_text("utf-8")
    for table in (readings._without(), readings._without_on_memory()):
        assert table in committed
