"""Rocq itself: the library of `formal/`, compiled once into a cache, and `coqc` on the file of a certificate."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from graphlib import TopologicalSorter
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

CLOSED = "Closed under the global context"
"""What Rocq prints of a theorem that rests on no axiom."""

MISSING = """\
there is no coqc on the PATH, expected Coq 8.16 with MathComp 1.15. On Debian 12:
    apt-get install coq libcoq-mathcomp-ssreflect libcoq-mathcomp-algebra"""
REQUIRED = re.compile(r"From Headproof Require (?:Import|Export) ([\w.\s]+?)\.\s")


class NoRocqError(Exception):
    """There is no `coqc`, or it does not compile the library.

    The message says what to install, or has the output of `coqc`.
    """


@dataclass(frozen=True)
class Answer:
    """Whether Rocq proved a claim without any axiom, its output, and the seconds that it took."""

    proved: bool
    said: str
    seconds: float


def library(modules: tuple[str, ...], report: Callable[[str], None]) -> Path:
    """Return a folder that has these modules, and all modules that they need, compiled; compile the missing files.

    In a checkout this is `formal`, if `make formal` has compiled these files since they changed. Otherwise it is a
    folder in the user's cache, named by a digest of the sources and of the version of `coqc`. `report` gets a line
    before each file is compiled. Raises `NoRocqError`.
    """
    if not shutil.which("coqc"):
        raise NoRocqError(MISSING)
    sources = _closure(modules)
    if (checkout := _checkout(sources)) is not None:
        return checkout
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    version = subprocess.run(["coqc", "--version"], stdout=subprocess.PIPE, text=True, check=False).stdout
    folder = cache / "headproof" / f"rocq-{hashlib.sha256((digest(modules) + version).encode()).hexdigest()[:16]}"
    missing = [name for name in sources if not (folder / name).with_suffix(".whole").exists()]
    for i, name in enumerate(missing, 1):
        report(f"compiling formal/{name}, {i} of {len(missing)}: once, into {folder}")
        _compile(folder, name, sources[name])
    return folder


def digest(modules: tuple[str, ...]) -> str:
    """Return the SHA-256 of the sources of these modules and of all modules that they need."""
    sources = sorted(_closure(modules).items())
    return hashlib.sha256("\0".join(f"{name}\0{text}" for name, text in sources).encode()).hexdigest()


def prove(text: str, folder: Path, keep: Path | None) -> Answer:
    """Run `coqc` on the text of a file, with the library in `folder`. The text is also written to `keep`, if given."""
    with TemporaryDirectory() as scratch:
        file = Path(scratch, "certificate.v")
        file.write_text(text, encoding="utf-8")
        if keep is not None:
            keep.write_text(text, encoding="utf-8")
        start = monotonic()
        done = _coqc(folder, file)
    said = done.stdout.strip()
    return Answer(done.returncode == 0 and said.endswith(CLOSED), said, monotonic() - start)


def _compile(folder: Path, name: str, text: str) -> None:
    """Compile one file of the library. Then write an empty file beside it, as a sign that it is wholly compiled."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    done = _coqc(folder, file)
    if done.returncode:
        raise NoRocqError(
            f"coqc does not compile formal/{name}, which needs Coq 8.16 and MathComp 1.15:\n{done.stdout.strip()}"
        )
    file.with_suffix(".whole").touch()


def _coqc(folder: Path, file: Path) -> subprocess.CompletedProcess[str]:
    command = ["coqc", "-q", "-w", "none", "-Q", str(folder), "Headproof", str(file)]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def _checkout(sources: dict[str, str]) -> Path | None:
    """Return the folder of the sources if all of them are compiled there and up to date; None otherwise.

    A compiled file is up to date if it is no older than its source and the compiled files that it needs.
    """
    formal = files("headproof_formal")
    if not isinstance(formal, Path) or not all((formal / name).with_suffix(".vo").exists() for name in sources):
        return None
    compiled = {name: (formal / name).with_suffix(".vo").stat().st_mtime for name in sources}
    for name, text in sources.items():
        before = [compiled[need] for need in _needs(text)]
        if compiled[name] < max([(formal / name).stat().st_mtime, *before]):
            return None
    return formal


def _closure(modules: tuple[str, ...]) -> dict[str, str]:
    """Return the text of the files of these modules, and of all files that they need, by name.

    Each file comes after the files that it needs.
    """
    formal = files("headproof_formal")
    names = formal.joinpath("_CoqProject").read_text(encoding="utf-8").split()
    sources = {name: formal.joinpath(name).read_text(encoding="utf-8") for name in names if name.endswith(".v")}
    needs: dict[str, set[str]] = {}
    waiting = [_file(module) for module in modules]
    while waiting:
        name = waiting.pop()
        if name not in needs:
            needs[name] = _needs(sources[name])
            waiting += needs[name]
    return {name: sources[name] for name in TopologicalSorter(needs).static_order()}


def _needs(text: str) -> set[str]:
    return {_file(module) for modules in REQUIRED.findall(text) for module in modules.split()}


def _file(module: str) -> str:
    return f"{module.replace('.', '/')}.v"
