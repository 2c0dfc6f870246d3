"""Build the proofs in Rocq, and compare them with what was recorded. Python's standard library only.

python3 -m formal build     compile, and compare Print Assumptions and the SHA-256 of each file with results/formal.txt
python3 -m formal check     let coqchk, Rocq's independent checker, go over all that was compiled
python3 -m formal record    as build, but write results/formal.txt and docs/formal.md
python3 -m formal slips     plant the errors of formal/slips.py one by one: each must break the build
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from formal.page import page
from formal.slips import SLIPS, planted
from formal.sources import HERE, FormalError, Named, files, module, named_theorems, offences

RECORD = HERE.parent / "results" / "formal.txt"
PAGE = HERE.parent / "docs" / "formal.md"
MISSING = """\
The proofs need Rocq, and there is no coqc. On Debian 12 (formal/README.md has the versions):
    apt-get install coq libcoq-mathcomp-ssreflect libcoq-mathcomp-algebra"""
CLOSED = "Closed under the global context"


def compile_all(folder: Path = HERE) -> None:
    """Compile the files of `_CoqProject` that are not up to date.

    Raises `FormalError` where a file assumes something instead of proving it, or does not compile.
    """
    if found := offences(folder):
        raise FormalError("\n".join(found))
    _run("coq_makefile", "-f", "_CoqProject", "-o", "Makefile.coq", cwd=folder)
    _run("make", "-f", "Makefile.coq", f"-j{os.cpu_count() or 1}", cwd=folder)


def assumptions(theorems: Sequence[Named], folder: Path) -> list[str]:
    """Return, for each theorem, the axioms on which it rests: the output of Rocq's Print Assumptions.

    Raises `FormalError` for a theorem that does not prove its statement, or does not exist.
    """
    lines = [f"Require {module(file)}." for file in files(folder)]
    for i, theorem in enumerate(theorems):
        lines += [f"Definition proved_{i} : {theorem.statement} := {theorem.proof}."] if theorem.statement else []
        lines += [f'Goal True. idtac "=====". Abort. Print Assumptions {theorem.proof}.']
    with tempfile.TemporaryDirectory() as scratch:
        question = Path(scratch, "assumptions.v")
        question.write_text("\n".join(lines), encoding="utf-8")
        answer = _run("coqc", "-Q", ".", "Headproof", str(question), cwd=folder)
    return [" ".join(said.split()) for said in answer.split("=====")[1:]]


def record(theorems: Sequence[Named], said: Sequence[str], folder: Path = HERE) -> str:
    """Return the text of results/formal.txt: for each theorem its line of `said`, and the SHA-256 of each file.

    The lines of the SHA-256 have the form of sha256sum.
    """
    rests = [f"{', '.join(named.ids)}  {named.name}  {words}" for named, words in zip(theorems, said, strict=True)]
    paths = ("_CoqProject", *files(folder))
    sums = [f"{hashlib.sha256((folder / path).read_bytes()).hexdigest()}  formal/{path}" for path in paths]
    return "\n".join(["What each theorem rests on, by Print Assumptions", *rests, "", "SHA-256", *sums, ""])


def built(folder: Path = HERE) -> tuple[list[Named], str]:
    """Compile, ask Rocq what each theorem rests on, and print it; return the theorems and the record.

    Raises `FormalError` where something does not compile, or a theorem rests on an assumption.
    """
    theorems = named_theorems(folder)
    compile_all(folder)
    said = assumptions(theorems, folder)
    found = record(theorems, said, folder)
    print(found.partition("\n\n")[0])
    if open_ones := [theorem.name for theorem, words in zip(theorems, said, strict=True) if words != CLOSED]:
        raise FormalError(f"not closed under the global context: {', '.join(open_ones)}")
    return theorems, found


def build() -> None:
    """Compile, and compare the record with results/formal.txt. Raises `FormalError` if they differ."""
    _, found = built()
    recorded = RECORD.read_text(encoding="utf-8")
    if recorded != found:
        changes = difflib.unified_diff(recorded.split("\n"), found.split("\n"), "recorded", "found", lineterm="", n=0)
        told = "That is not what results/formal.txt has; if it is meant: make formal-record"
        raise FormalError("\n".join([*changes, told]))


def write() -> None:
    """Compile, and write results/formal.txt and docs/formal.md."""
    theorems, found = built()
    RECORD.write_text(found, encoding="utf-8")
    PAGE.write_text(page(theorems), encoding="utf-8")


def check(folder: Path = HERE) -> None:
    """Let coqchk check all modules, and the modules of MathComp that they use.

    Raises `FormalError` where coqchk names an axiom, or anything else that it does not check.
    """
    compile_all(folder)
    summary = _run("coqchk", "-silent", "-o", "-Q", ".", "Headproof", *map(module, files(folder)), cwd=folder)
    print(summary.strip())
    answers = dict(re.findall(r"^\* (.*?):(.*)$", summary, re.MULTILINE))
    if "Axioms" not in answers or {words.strip() for words in answers.values()} != {"<none>", "Set is predicative"}:
        raise FormalError("coqchk does not say that nothing is assumed")


def slips() -> None:
    """Plant each error (slip) in a copy; each must break the build. Raises `FormalError` if some do not."""
    compile_all()
    survivors = []
    for slip in SLIPS:
        broken = planted(slip, compile_all)
        print(f"{slip}\n    {broken or 'no proof minds'}", flush=True)
        survivors += [] if broken else [f"no proof minds {slip}"]
    if survivors:
        raise FormalError("\n".join(survivors))


def _run(*command: str, cwd: Path) -> str:
    """Run a command and return its output. Raises `FormalError`, with the output, where it fails."""
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise FormalError(f"{done.stdout}{command[0]} failed")
    return done.stdout


COMMANDS: dict[str, Callable[[], None]] = {"build": build, "check": check, "record": write, "slips": slips}


def main(arguments: Sequence[str]) -> int:
    """Run a command and return the exit status.

    2 if the command is unknown or Rocq is missing, 1 if the command raises `FormalError`, and 0 otherwise.
    """
    if len(arguments) != 1 or arguments[0] not in COMMANDS:
        print(__doc__, file=sys.stderr)
        return 2
    if not shutil.which("coqc"):
        print(MISSING, file=sys.stderr)
        return 2
    try:
        COMMANDS[arguments[0]]()
    except FormalError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
