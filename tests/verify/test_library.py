"""The shipped models: every verdict is the expected one, and the kernel accepts every certificate."""

import json

import pytest

from verify import kernel
from verify.certificates import statement_certificate
from verify.library import about, expectations, shipped, surprises
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.verdicts import Verdict


@pytest.fixture(scope="module")
def verdicts() -> list[Verdict]:
    return [
        prove(statement, *known)
        for known in shipped()
        for statement in STATEMENTS.values()
        if about(statement, known[0])
    ]


def test_every_verdict_is_the_one_that_is_expected(verdicts: list[Verdict]) -> None:
    assert surprises(verdicts) == []


def test_every_verdict_has_a_certificate_that_the_kernel_accepts(verdicts: list[Verdict]) -> None:
    for verdict in verdicts:
        claim = kernel.check(json.dumps(statement_certificate(verdict)))
        found = (claim.statement, claim.model_name, claim.status, claim.conclusion, claim.vacuous)
        assert found == (verdict.statement.id, verdict.model.name, verdict.status, verdict.answer, verdict.vacuous)


def test_a_verdict_that_is_missing_is_a_surprise(verdicts: list[Verdict]) -> None:
    [(key, expected)] = expectations(verdicts[:1]).items()
    assert surprises(verdicts[1:]) == [f"{key}: found no verdict, expected {json.dumps(expected)}"]


def test_every_shipped_model_has_another_name() -> None:
    names = [model.name for model, _ in shipped()]
    assert len(set(names)) == len(names) >= 22
