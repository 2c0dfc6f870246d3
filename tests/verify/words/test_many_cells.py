"""Where 4.2 or C.5 holds, theorems are proved and checked without a matrix of Hbar: of ten cells, 10^8 entries."""

import json
from fractions import Fraction
from itertools import chain
from typing import Any

import pytest

from constructions.linear import Matrix, Vector, identity, transpose
from constructions.memory import joint_chain
from constructions.memory.model import MemoryHMM, Shape
from constructions.tasks import MemoryTask
from verify import kernel, second_checker
from verify.certificates import statement_certificate
from verify.kernel.memory import model as kernel_model
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.words.effort import Effort

CELLS = 10


def weighted(*weights: int) -> Vector:
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def of_cells(cells: int) -> tuple[MemoryHMM, MemoryTask]:
    """H* is the first cell's state, alone after the last one's, which alone emits token 4; all others mix 2 and 3."""
    shape = Shape(2, cells, 1)
    others = weighted(*range(1, cells))
    columns = [(Fraction(0), *others[-h:], *others[:-h]) for h in range(1, cells)]
    columns.append(identity(cells)[0])
    emission = []
    for c in range(shape.columns):
        m, j, _ = shape.parts(c)
        own = weighted(2, 1, 0, 0) if m else weighted(1, 2, 0, 0)
        law = weighted(0, 0, 1 + c, 2 * cells) if j else own
        emission.append((*(p / 2 for p in law), Fraction(1, 2)) if j == cells - 1 else (*law, Fraction(0)))
    memory = weighted(*(1 + (7 * i * i) % 11 for i in range(2**cells)))
    ones = weighted(*[1] * cells)
    model = MemoryHMM(ones, transpose(columns), shape, memory, transpose(emission), name=f"{cells} cells")
    first = sum(memory[: 2 ** (cells - 1)], Fraction(0))
    return model, MemoryTask(((1 - first, -first),), cell=0)


def refuse(*_: Any) -> Matrix:
    raise AssertionError("a matrix of Hbar")


@pytest.mark.parametrize("statement", ["4.3", "C.6"])
def test_ten_cells_are_proved_and_checked_without_the_matrix_of_hbar(
    statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in ((joint_chain, "_joint_model"), (kernel_model, "joint_chain")):
        monkeypatch.setattr(module, name, refuse)
    monkeypatch.setattr(second_checker.Memory, "build", refuse)
    verdict = prove(STATEMENTS[statement], *of_cells(CELLS))
    assert verdict.status == "proved"
    assert None not in verdict.labels
    text = json.dumps(statement_certificate(verdict))
    claim = kernel.check(text)
    assert (claim.statement, claim.status, claim.vacuous) == (statement, "proved", False)
    assert second_checker.check(text).startswith(f"{statement} is proved")


def test_where_hbar_is_large_one_label_is_left_undecided_and_the_theorem_is_proved() -> None:
    """mu > 0: the label is 1 everywhere, and to say so would take the matrix of Hbar."""
    model, _ = of_cells(CELLS)
    task = MemoryTask(((Fraction(1), Fraction(2)),), cell=0)
    verdict = prove(STATEMENTS["4.3"], model, task, Effort(words=20))
    assert (verdict.status, verdict.vacuous) == ("proved", None)
    assert kernel.check(json.dumps(statement_certificate(verdict))).vacuous is None


def test_the_chain_of_the_model_is_what_it_says() -> None:
    model, _ = of_cells(3)
    assert model.first == model.initial
    assert set(chain(*model.transition)) == {Fraction(0), Fraction(1), Fraction(1, 3), Fraction(2, 3)}
