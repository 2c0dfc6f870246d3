"""Where 4.2 or C.5 holds, theorems are proved and checked without a matrix of Hbar: of ten cells, 10^8 entries."""

import json
from fractions import Fraction
from typing import Any

import pytest

from benchmarks.growth import of_cells
from constructions.linear import Matrix
from constructions.memory import joint_chain
from constructions.tasks import MemoryTask
from verify import kernel
from verify.certificates import statement_certificate
from verify.kernel.memory import model as kernel_model
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.words.effort import Effort

CELLS = 10


def refuse(*_: Any) -> Matrix:
    raise AssertionError("a matrix of Hbar")


@pytest.mark.parametrize("statement", ["4.3", "C.6"])
def test_ten_cells_are_proved_and_checked_without_the_matrix_of_hbar(
    statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in ((joint_chain, "joint_names"), (kernel_model, "joint_chain")):
        monkeypatch.setattr(module, name, refuse)
    verdict = prove(STATEMENTS[statement], *of_cells(CELLS))
    assert verdict.status == "proved"
    assert None not in verdict.labels
    text = json.dumps(statement_certificate(verdict))
    claim = kernel.check(text)
    assert (claim.statement, claim.status, claim.vacuous) == (statement, "proved", False)


def test_where_hbar_is_large_one_label_is_left_undecided_and_the_theorem_is_proved() -> None:
    """mu > 0: the label is 1 everywhere, and to say so would take the matrix of Hbar."""
    model, _ = of_cells(CELLS)
    task = MemoryTask(((Fraction(1), Fraction(2)),), cell=0)
    verdict = prove(STATEMENTS["4.3"], model, task, Effort(words=20))
    assert (verdict.status, verdict.vacuous) == ("proved", None)
    assert kernel.check(json.dumps(statement_certificate(verdict))).vacuous is None
