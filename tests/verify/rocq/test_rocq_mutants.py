"""Mutants of certificates: the kernel and the checker in Rocq agree, and neither accepts what is false."""

from pathlib import Path

import pytest
from rocq_mutants import attack

pytestmark = pytest.mark.thorough(reason="some eighty files of Rocq, and its library if it is not compiled yet")


def test_the_kernel_and_rocq_agree_on_mutants(compiled: Path) -> None:
    lines: list[str] = []
    assert attack(1, 3, lines.append), lines
    assert "both reject" in lines[-1]


def test_a_kernel_that_accepts_whatever_it_is_shown_is_found_out(
    compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rocq_mutants.check", lambda text: None)
    lines: list[str] = []
    assert not attack(4, 3, lines.append, ["proved"])
    assert any("the kernel alone accepts" in line for line in lines)
