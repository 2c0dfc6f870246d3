"""The shipped models: every verdict is the expected one, and the kernel accepts every certificate."""

import json
from pathlib import Path

import pytest

from verify import kernel
from verify.certificates import statement_certificate
from verify.expectations import expectations, surprises, verdicts_on_shipped_models
from verify.library import shipped
from verify.shown.readings import page
from verify.verdicts import Verdict

pytestmark = pytest.mark.xdist_group("library")  # one process decides, once, for all of them


@pytest.fixture(scope="module")
def verdicts() -> list[Verdict]:
    return verdicts_on_shipped_models()


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


def test_the_page_of_readings_and_its_certificates_are_those_of_the_verdicts(
    verdicts: list[Verdict], tmp_path: Path
) -> None:
    docs = Path(__file__).parents[2] / "docs"
    assert page(tmp_path, verdicts) == docs.joinpath("paper-readings.md").read_text("utf-8")
    written, committed = (sorted(folder.joinpath("certificates").iterdir()) for folder in (tmp_path, docs))
    assert [path.name for path in written] == [path.name for path in committed]
    for path, other in zip(written, committed, strict=True):
        assert path.read_bytes() == other.read_bytes()
        kernel.check(path.read_text("utf-8"))
