"""The record of altered code, results/mutation.json, and what docs/testing.md says of it between two marks."""

from collections import Counter
from collections.abc import Collection, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ROOMS = {
    "verify/kernel": ["tests/kernel"],  # but for those beside it in adversaries/, which are slow
    "verify/heads": ["tests/verify/heads", "tests/verify/test_prover.py", "tests/verify/search/test_sifted.py"],
    "constructions": [
        *("tests/constructions", "tests/test_oracle.py", "tests/test_memory_oracle.py"),
        "tests/verify/words/test_written_words.py",  # of constructions/evidence.py
    ],
}
"""What is altered, and which tests are run on it."""

LEFT = ("untested", "survived", "timed out")
ANSWERS = ("killed", "timed out", "survived", "untested")
MARKS = ("<!-- mutants -->\n", "<!-- /mutants -->\n")
NEW, CHANGED = "Files that have not been begun: ", "Changed since, so that the figures are of the files as they were: "

FileRecord = dict[str, Any]
"""What is known of a file."""


def digest(files: Iterable[Path]) -> str:
    """Of the files as they are."""
    found = sha256()
    for file in files:
        found.update(file.read_bytes())
    return found.hexdigest()[:16]


def current(file: str, known: FileRecord) -> bool:
    """Whether what is known of a file is of the file as it is."""
    return (ROOT / file).exists() and known.get("digest") == digest([ROOT / file])


def written(files: dict[str, FileRecord]) -> str:
    """The page, with what it says of a record written anew."""
    text = (ROOT / "docs/testing.md").read_text(encoding="utf-8")
    before, _, rest = text.partition(MARKS[0])
    code = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py") if "def " in path.read_text("utf-8"))
    new = [short(file) for path in code if (file := str(path.relative_to(ROOT))) not in files]
    changed = [short(file) for file, known in sorted(files.items()) if known["mutants"] and not current(file, known)]
    return before + MARKS[0] + said(files, new, changed) + MARKS[1] + rest.partition(MARKS[1])[2]


def said(files: dict[str, FileRecord], new: Collection[str], changed: Collection[str]) -> str:
    """Figures folder by folder, what they are not of, and why mutants survive."""
    rooms: dict[str, list[FileRecord]] = {}
    for file, known in sorted(files.items()):
        if known["mutants"]:
            rooms.setdefault(str(Path(file).parent), []).append(known)
    rows = [row(f"`{room}/`", found) for room, found in rooms.items()]
    part = {file: known for file, known in sorted(files.items()) if counted(known).total() < known["mutants"]}
    left = sum(known["mutants"] - counted(known).total() for known in part.values())
    shares = [f"`{short(file)}` ({share(known)})" for file, known in part.items()]
    unseen = {file: len(known["survived"]) - len(known["reasons"]) for file, known in sorted(files.items())}
    reasons = Counter(why for known in files.values() for why in known["reasons"].values())
    why = [
        f"| {reason} | {count:,} |" for reason, count in sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
    ]
    lines = [
        "| folder | mutants | killed | out of time | survived | run by no test | noticed |",
        *("|---|---|---|---|---|---|---|", *rows, row("all", list(files.values())), ""),
        f"{NEW}{listed(f'`{file}`' for file in new)}",
        f"Tried in part (1 in so many, drawn by the digests of their names): {listed(shares)[:-1]}; "
        f"{left:,} mutants of these are left.",
        f"{CHANGED}{listed(f'`{file}`' for file in changed)}",
        f"Survivors that were not looked at are in: {listed(f'`{short(f)}` ({n})' for f, n in unseen.items() if n)}",
        *("", "| what survived, because | mutants |", "|---|---|", *why),
        f"| not looked at | {sum(unseen.values()):,} |",
    ]
    return "\n".join([*lines, ""])


def row(name: str, files: Collection[FileRecord]) -> str:
    """A row of the table: the mutants of some files, those of each answer, and the share that a test noticed."""
    found = sum(map(counted, files), Counter())
    noticed = found["killed"] + found["timed out"]
    made = sum(known["mutants"] for known in files)
    shown = [f"{count:,}" for count in (made, *(found[answer] for answer in ANSWERS))]
    return f"| {name} | {' | '.join(shown)} | {100 * noticed / max(found.total(), 1):.1f}% |"


def counted(known: FileRecord) -> Counter[str]:
    """How many mutants of a file had which answer."""
    return Counter({answer: known[answer] if answer == "killed" else len(known[answer]) for answer in ANSWERS})


def share(known: FileRecord) -> str:
    """How many of a file's mutants were tried."""
    return f"1 in {known['draw']}" if "draw" in known else f"{counted(known).total():,} of {known['mutants']:,}"


def listed(names: Iterable[str]) -> str:
    """Names as a sentence ends."""
    return f"{', '.join(names) or 'none'}."


def short(file: str) -> str:
    """A file's name on the page."""
    return file.removesuffix(".py")
