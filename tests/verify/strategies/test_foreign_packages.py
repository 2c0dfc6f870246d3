"""Another project has a module with one of our names: Hypothesis still works, and a line says what is hidden."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter in a folder, whose modules come first on the path; every warning is an error."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )


def foreign(folder: Path, name: str, kind: str) -> Path:
    """Write another project's module, package or namespace (`kind`) with this name, and return its path."""
    path = {"module": f"{name}.py", "package": f"{name}/__init__.py", "namespace": f"{name}/other.py"}[kind]
    folder.joinpath(path).parent.mkdir(exist_ok=True)
    folder.joinpath(path).write_text("HMM = Task = int\n", encoding="utf-8")
    return folder / (name if kind == "namespace" else path)


@pytest.mark.parametrize(
    ("name", "kind"), [("verify", "module"), ("constructions", "package"), ("headproof", "namespace")]
)
def test_hypothesis_is_imported_beside_another_package_of_the_name(name: str, kind: str, tmp_path: Path) -> None:
    foreign(tmp_path, name, kind)
    run = python("import hypothesis.strategies as st; print(st.integers())", tmp_path)
    assert (run.returncode, run.stdout, run.stderr) == (0, "integers()\n", "")


@pytest.mark.parametrize(
    ("name", "kind"), [("verify", "module"), ("verify", "package"), ("constructions", "namespace")]
)
def test_the_facade_says_which_file_hides_ours(name: str, kind: str, tmp_path: Path) -> None:
    file = foreign(tmp_path, name, kind)
    run = python("import headproof as hp; hp.load", tmp_path)
    hidden = f"hides Headproof's package {name} ({ROOT / name}): rename it, or take its folder off sys.path"
    assert run.returncode == 1
    assert run.stderr.splitlines()[-1].removeprefix("ImportError: ").endswith(hidden), run.stderr
    assert str(file) in run.stderr.splitlines()[-1]


@pytest.mark.parametrize("name", ["verify", "constructions", "learned"])
def test_the_command_says_which_file_hides_ours(name: str, tmp_path: Path) -> None:
    file = foreign(tmp_path, name, "module")
    program = Path(sys.executable).with_name("headproof")
    environment = os.environ | {"PYTHONPATH": "."}
    run = subprocess.run(
        [program, "models"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    hidden = f"{file} hides Headproof's package {name} ({ROOT / name}): rename it, or take its folder off sys.path\n"
    assert (run.returncode, run.stdout, run.stderr) == (2, "", f"headproof: {hidden}")


def test_the_facade_says_so_of_a_module_that_is_loaded_already(tmp_path: Path) -> None:
    run = python(
        "import sys, types; sys.modules['verify'] = types.ModuleType('verify'); import headproof as hp; hp.load",
        tmp_path,
    )
    assert "ImportError: a module without a file hides Headproof's package verify" in run.stderr


@pytest.mark.thorough(reason="a pytest of its own: 3 s; that the quick tests run shows it of theirs")
def test_tests_are_collected_by_whichever_command_pytest_is_started() -> None:
    """While Hypothesis is imported, the folder tests/verify must not be taken for the package `verify`."""
    program = Path(sys.executable).with_name("pytest")
    options = ["tests/verify/words/test_reachable.py", "-q", "--collect-only", "-p", "no:cacheprovider"]
    run = subprocess.run([program, *options], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
