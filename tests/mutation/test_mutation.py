"""The record of altered code, and what docs/testing.md says of it. It is made by `make mutants`, which takes long."""

import json
import re

from mutation.record import ANSWERS, CHANGED, MARKS, NEW, ROOT, FileRecord, counted, current, said

PAGE = (ROOT / "docs/testing.md").read_text(encoding="utf-8").partition(MARKS[0])[2].partition(MARKS[1])[0]
FILES: dict[str, FileRecord] = json.loads((ROOT / "results/mutation.json").read_text(encoding="utf-8"))["files"]


def named(opening: str) -> list[str]:
    """The files that a line of the page names."""
    line = next(line for line in PAGE.splitlines() if line.startswith(opening))
    return re.findall("`(.+?)`", line)


def test_the_page_is_that_of_the_record() -> None:
    """If not, `make mutants ARGS=--page` writes it. What is new or changed since it was written may be missing."""
    assert said(FILES, named(NEW), named(CHANGED)) == PAGE
    assert not [file for file in named(NEW) if f"{file}.py" in FILES or not (ROOT / f"{file}.py").exists()]
    assert not [file for file in named(CHANGED) if current(f"{file}.py", FILES[f"{file}.py"])]


def test_the_record_counts_each_mutant_once() -> None:
    for file, known in FILES.items():
        assert counted(known).total() <= known["mutants"], file
        assert set(known["reasons"]) <= set(known["survived"]), file
        names = [name for answer in ANSWERS[1:] for name in known[answer]]
        assert len(set(names)) == len(names), file
