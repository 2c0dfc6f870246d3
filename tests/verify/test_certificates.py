"""A certificate is handed out only if the kernel accepts it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from checks import shipped

from constructions.heads import Classifier, LinearHead
from constructions.text.entries import read_matrix
from verify import kernel
from verify.certificates import Certificate, head_certificate, statement_certificate, write
from verify.prover import judge_head, prove
from verify.statements import STATEMENTS
from verify.words.agreement import Disagreement

UMBRELLA = shipped("umbrella")


def of_a_false_verdict() -> Certificate | None:
    verdict = prove(STATEMENTS["3.3"], *UMBRELLA)
    return statement_certificate(replace(verdict, labels=verdict.labels[::-1]))


def of_a_right_head_that_is_called_wrong() -> Certificate | None:
    verdict = judge_head(*UMBRELLA, Classifier(LinearHead(read_matrix("1 -1", ""))))
    return head_certificate(replace(verdict, evidence=Disagreement((0,), (0, 1))))


@pytest.mark.parametrize("false", [of_a_false_verdict, of_a_right_head_that_is_called_wrong])
def test_no_certificate_is_handed_out_of_what_is_false(false: Callable[[], Certificate | None]) -> None:
    with pytest.raises(kernel.Rejected):
        false()


def test_what_is_written_is_what_the_kernel_accepted(tmp_path: Path) -> None:
    certificate = statement_certificate(prove(STATEMENTS["3.3"], *UMBRELLA))
    assert certificate is not None
    assert kernel.check(write(certificate, tmp_path, "one").read_text("utf-8")).raw == certificate["claim"]


def test_a_verdict_that_takes_the_kernel_too_much_work_has_no_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.kernel.base.exact.MAX_WORK", 10)
    with pytest.raises(kernel.Rejected, match="too much work"):
        statement_certificate(prove(STATEMENTS["3.3"], *UMBRELLA))
