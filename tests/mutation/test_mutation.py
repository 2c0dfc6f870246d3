"""The record of altered code, and what docs/testing.md says of it. It is made by `make mutants`, which takes long."""

import json
import re

from mutation.record import ANSWERS, CHANGED, MARKS, NEW, ROOT, Known, counted, current, said

PAGE = (ROOT / "docs/testing.md").read_text(encoding="utf-8").partition(MARKS[0])[2].partition(MARKS[1])[0]
FILES: dict[str, Known] = json.loads((ROOT / "results/mutation.json").read_text(encoding="utf-8"))["files"]


def named(opening: str) -> list[str]:
    """The files that a line of the page names."""
    line = next(line for line in PAGE.splitlines() if line.startswith(opening))
    return re.findall("`(.+?)`", line)


def test_the_page_is_that_of_the_record() -> None:
    """If not, `make mutants ARGS=--page` writes it. What is new or changed since it was written may be missing."""
    assert said(FILES, named(NEW), named(CHANGED)) == PAGE
    assert not [file for file in named(NEW) if f"{file}.py" in FILES or not (ROOT / f"{file}.py").exists()]
    assert not [file for file in named(CHANGED) if current(f"{file}.py", FILES[f"{file}.py"])]


def test_the_page_says_what_was_counted_and_what_was_not() -> None:
    names = [f"f: - {i}" for i in range(6)]
    whole = {"mutants": 9, "killed": 6, "timed out": names[:1], "survived": names[1:3], "untested": [], "reasons": {}}
    drawn = {**whole, "mutants": 40, "draw": 4, "reasons": {names[1]: "why", names[2]: "why"}, "untested": names[3:5]}
    files = {"a/b.py": whole, "a/c.py": drawn, "d/e.py": {**whole, "mutants": 2000}, "d/__init__.py": row_of_nothing()}
    assert said(files, ["a/new"], []).splitlines() == [
        "| folder | mutants | killed | out of time | survived | run by no test | noticed |",
        "|---|---|---|---|---|---|---|",
        "| `a/` | 49 | 12 | 2 | 4 | 2 | 70.0% |",
        "| `d/` | 2,000 | 6 | 1 | 2 | 0 | 77.8% |",
        "| all | 2,049 | 18 | 3 | 6 | 2 | 72.4% |",
        "",
        "Files that have not been begun: `a/new`.",
        "Tried in part (1 in so many, drawn by the digests of their names): `a/c` (1 in 4), `d/e` (9 of 2,000); "
        "2,020 mutants of these are left.",
        "Changed since, so that the figures are of the files as they were: none.",
        "Survivors that were not looked at are in: `a/b` (2), `d/e` (2).",
        "",
        "| what survived, because | mutants |",
        "|---|---|",
        "| why | 2 |",
        "| not looked at | 4 |",
    ]


def row_of_nothing() -> Known:
    """What is known of a file without a function."""
    return {"mutants": 0, "killed": 0, "timed out": [], "survived": [], "untested": [], "reasons": {}}


def test_the_record_counts_each_mutant_once() -> None:
    for file, known in FILES.items():
        assert counted(known).total() <= known["mutants"], file
        assert set(known["reasons"]) <= set(known["survived"]), file
        names = [name for answer in ANSWERS[1:] for name in known[answer]]
        assert len(set(names)) == len(names), file
