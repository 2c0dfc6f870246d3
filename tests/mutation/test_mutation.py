"""The record of altered code, and what docs/testing.md says of it. `make mutants` makes the record, and takes long."""

import json
import re

from mutation.record import ANSWERS, MARKS, ROOT, FileRecord, code, counted, sentences

PAGE = (ROOT / "docs/testing.md").read_text(encoding="utf-8").partition(MARKS[0])[2].partition(MARKS[1])[0]
FILES: dict[str, FileRecord] = json.loads((ROOT / "results/mutation.json").read_text(encoding="utf-8"))["files"]


def test_the_page_is_that_of_the_record() -> None:
    """If this fails, run `make mutants ARGS=--page`. The page's counts of new and changed files are not checked."""
    [(new, changed)] = re.findall(
        r"^(\d+) files have not been begun.*?(\d+) files have changed since", PAGE, re.M | re.S
    )
    assert sentences(FILES, int(new), int(changed)) == PAGE


def test_the_record_counts_each_mutant_once() -> None:
    for file, record in FILES.items():
        assert counted(record).total() <= record["mutants"], file
        assert set(record["reasons"]) <= set(record["survived"]), file
        names = [name for answer in ANSWERS[1:] for name in record[answer]]
        assert len(set(names)) == len(names), file


def test_docstrings_and_lines_of_comments_leave_figures_current() -> None:
    bare = "def half(x):\n    return x / 2  # exact"
    text = '"""Halves."""\n\n\ndef half(x):\n    """Half\n    of x."""\n    # Why\n    return x / 2  # exact\n'
    assert code(text) == code(bare) == bare
