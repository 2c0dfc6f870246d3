"""Mutants of certificates: the kernel and the checker in Rocq agree, and neither accepts what is false."""

import shutil
from pathlib import Path

import pytest
from rocq_mutants import attack

with_rocq = pytest.mark.skipif(not shutil.which("coqc"), reason="there is no coqc")
pytestmark = pytest.mark.thorough(reason="thirty files of Rocq, and its library if it is not compiled yet: a minute")


@with_rocq
def test_the_kernel_and_rocq_agree_on_mutants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(Path(__file__).parents[3] / "build/cache"))
    lines: list[str] = []
    assert attack(2, 3, lines.append), lines
    assert "both reject" in lines[-1]


@with_rocq
def test_a_kernel_that_accepts_whatever_it_is_shown_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(Path(__file__).parents[3] / "build/cache"))
    monkeypatch.setattr("rocq_mutants.check", lambda text: None)
    lines: list[str] = []
    assert not attack(4, 3, lines.append, ["proved"])
    assert any("the kernel alone accepts" in line for line in lines)
