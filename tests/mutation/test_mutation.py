"""The record of altered code, and what docs/testing.md says of it. It is made by `make mutants`, which takes long."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/testing.md").read_text(encoding="utf-8")
FILES: dict[str, Any] = json.loads((ROOT / "results/mutation.json").read_text(encoding="utf-8"))["files"]
ROOMS = ("verify/kernel", "verify/heads", "constructions")
ANSWERS = ("killed", "timed out", "survived", "untested")


def counted(known: dict[str, Any]) -> Counter[str]:
    """How many mutants of a file had which answer."""
    return Counter({answer: known[answer] if answer == "killed" else len(known[answer]) for answer in ANSWERS})


def row(name: str, files: list[dict[str, Any]]) -> str:
    """A row of the table: the mutants of some files, those of each answer, and the share that a test noticed."""
    found = sum(map(counted, files), Counter())
    noticed = found["killed"] + found["timed out"]
    made = sum(known["mutants"] for known in files)
    shown = [f"{count:,}" for count in (made, *(found[answer] for answer in ANSWERS))]
    return f"| {name} | {' | '.join(shown)} | {100 * noticed / max(found.total(), 1):.1f}% |"


def test_the_page_has_the_figures_of_the_record() -> None:
    rooms: dict[str, list[dict[str, Any]]] = {}
    for file, known in FILES.items():
        if known["mutants"]:
            rooms.setdefault(str(Path(file).parent), []).append(known)
    for room, files in rooms.items():
        assert row(f"`{room}/`", files) in PAGE, row(f"`{room}/`", files)
    assert row("all", list(FILES.values())) in PAGE, row("all", list(FILES.values()))


def test_the_page_says_which_folders_have_not_been_begun() -> None:
    """New files are no matter here, as long as the room has been begun."""
    begun = {str(Path(file).parent) for file, known in FILES.items() if known["mutants"]}
    folders = {path.parent for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    left = sorted({str(folder.relative_to(ROOT)) for folder in folders} - begun)
    assert f"Folders that have not been begun: {', '.join(f'`{folder}/`' for folder in left) or 'none'}." in PAGE


def test_the_page_says_of_which_files_a_part_was_drawn() -> None:
    drawn = {file: known for file, known in FILES.items() if "draw" in known}
    named = [f"`{file.removesuffix('.py')}` (1 in {known['draw']})" for file, known in drawn.items()]
    left = sum(known["mutants"] - counted(known).total() for known in drawn.values())
    said = f"Drawn, and not tried whole: {', '.join(named) or 'none'}; {left:,} mutants of these are left."
    assert said in PAGE, said


def test_the_page_explains_what_survived() -> None:
    """Each reason has a row, with the number of mutants that survive for it; some may have none yet."""
    given = Counter(why for known in FILES.values() for why in known["reasons"].values())
    open_still = sum(len(known["survived"]) - len(known["reasons"]) for known in FILES.values())
    for why, count in given.items():
        assert f"| {why} | {count:,} |" in PAGE, (why, count)
    assert f"| not looked at | {open_still:,} |" in PAGE, open_still


def test_the_record_counts_each_mutant_once() -> None:
    for file, known in FILES.items():
        assert counted(known).total() <= known["mutants"], file
        assert set(known["reasons"]) <= set(known["survived"]), file
        names = [name for answer in ANSWERS[1:] for name in known[answer]]
        assert len(set(names)) == len(names), file
