"""The record of altered code, results/mutation.json, and what docs/testing.md says of it between two marks."""

import ast
from collections import Counter
from collections.abc import Collection, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ROOMS = {
    "verify/kernel": ["tests/kernel"],  # but for its folder adversaries/, whose tests are slow
    "verify/heads": ["tests/verify/heads", "tests/verify/test_prover.py", "tests/verify/search/test_sifted.py"],
    "constructions": [
        *("tests/constructions", "tests/test_oracle.py", "tests/test_memory_oracle.py"),
        "tests/verify/test_interface.py::test_samples_have_the_law_of_the_model_and_no_impossible_text",
        "tests/verify/words/test_linear_programs.py",  # of constructions/simplex.py
        "tests/verify/words/test_written_words.py",  # of constructions/evidence.py
    ],
}
"""The folders whose code is altered, each with the tests that are run on it."""

LEFT = ("untested", "survived", "timed out")
ANSWERS = ("killed", "timed out", "survived", "untested")
MARKS = ("<!-- mutants -->\n", "<!-- /mutants -->\n")

FileRecord = dict[str, Any]
"""A file's digest, number of mutants, number killed, names of the others by answer, and reasons by name."""


def digest(files: Iterable[Path]) -> str:
    """Return the digest of the files' code. Docstrings and lines of comments do not count: tests do not notice them."""
    return sha256("\0".join(code(file.read_text(encoding="utf-8")) for file in files).encode()).hexdigest()[:16]


def code(text: str) -> str:
    """Return the lines of a source file, except docstrings, lines of comments and blank lines.

    Comments at the end of a line of code are kept: a mutant's name quotes the lines that it changes.
    """
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(ast.Constant(str()), lineno=first, end_lineno=int(last)):
                lines[first - 1 : last] = [""] * (last - first + 1)
    return "\n".join(line for line in lines if line.strip() and not line.lstrip().startswith("#"))


def current(file: str, entry: FileRecord) -> bool:
    """Return whether the file still has the code whose digest is in its entry."""
    return (ROOT / file).exists() and entry.get("digest") == digest([ROOT / file])


def written(files: dict[str, FileRecord]) -> str:
    """Return the text of docs/testing.md with the figures of a record between the marks."""
    before, _, rest = (ROOT / "docs/testing.md").read_text(encoding="utf-8").partition(MARKS[0])
    code = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py") if "def " in path.read_text("utf-8"))
    new = sum(str(path.relative_to(ROOT)) not in files for path in code)
    changed = sum(entry["mutants"] > 0 and not current(file, entry) for file, entry in files.items())
    return before + MARKS[0] + sentences(files, new, changed) + MARKS[1] + rest.partition(MARKS[1])[2]


def sentences(files: dict[str, FileRecord], new: int, changed: int) -> str:
    """Return figures folder by folder, how many files have changed or are not in the record, and why mutants live."""
    rooms: dict[str, list[FileRecord]] = {}
    for file, entry in sorted(files.items()):
        if entry["mutants"]:
            rooms.setdefault(str(Path(file).parent), []).append(entry)
    rows = [row(f"`{room}/`", records) for room, records in rooms.items()]
    untried = [number for entry in files.values() if (number := entry["mutants"] - counted(entry).total())]
    pending = {file: len(entry["survived"]) - len(entry["reasons"]) for file, entry in sorted(files.items())}
    reasons = Counter(reason for entry in files.values() for reason in entry["reasons"].values())
    explanations = [
        f"| {reason} | {count:,} |" for reason, count in sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
    ]
    lines = [
        "| folder | mutants | killed | out of time | survived | run by no test | noticed |",
        *("|---|---|---|---|---|---|---|", *rows, row("all", list(files.values())), ""),
        f"{new} files have not been begun. Of {len(untried)} files some mutants were tried, drawn by the digests of",
        f"their names: {sum(untried):,} are left. {changed} files have changed since, and the figures are of these as",
        "they were: `make mutants ARGS=--stale` lists them.",
        f"Survivors that were not looked at are in: {listed(f'`{short(f)}` ({n})' for f, n in pending.items() if n)}",
        *("", "| what survived, because | mutants |", "|---|---|", *explanations),
        f"| not looked at | {sum(pending.values()):,} |",
    ]
    return "\n".join([*lines, ""])


def row(name: str, files: Collection[FileRecord]) -> str:
    """Return a row of the table: the number of mutants, the number of each answer, and the share that was noticed."""
    counts = sum(map(counted, files), Counter())
    noticed = counts["killed"] + counts["timed out"]
    total = sum(entry["mutants"] for entry in files)
    cells = [f"{count:,}" for count in (total, *(counts[answer] for answer in ANSWERS))]
    return f"| {name} | {' | '.join(cells)} | {100 * noticed / max(counts.total(), 1):.1f}% |"


def counted(entry: FileRecord) -> Counter[str]:
    """Return, for each answer, how many mutants of a file got it."""
    return Counter({answer: entry[answer] if answer == "killed" else len(entry[answer]) for answer in ANSWERS})


def listed(names: Iterable[str]) -> str:
    """Return names with commas between them and a full stop at the end; "none." if there is no name."""
    return f"{', '.join(names) or 'none'}."


def short(file: str) -> str:
    """A file's name as docs/testing.md writes it."""
    return file.removesuffix(".py")
