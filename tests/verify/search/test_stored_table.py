"""The stored table of theorems and hypotheses: its cells, and the README's table, which must agree with them."""

from pathlib import Path

from verify.search import stored_table
from verify.search.without import WITHOUT
from verify.statements import THEOREMS

README = Path(__file__).parents[3] / "README.md"


def test_every_hypothesis_that_a_search_can_drop_has_a_cell_that_is_decided() -> None:
    cells = stored_table.cells()
    assert cells.keys() == WITHOUT.keys()
    for cell in cells.values():
        assert cell["answer"] == ("needed" if cell["counterexample"] else "not needed")


def test_the_readme_has_the_stored_table() -> None:
    rows = [line.strip("| ").split(" | ") for line in README.read_text(encoding="utf-8").splitlines()]
    for theorem in THEOREMS:
        answers = {part: cell["answer"] for (key, part), cell in stored_table.cells().items() if key == theorem}
        needed, not_needed = (
            ", ".join(part for part in answers if answers[part] == answer) for answer in ("needed", "not needed")
        )
        assert [theorem, needed, not_needed] in [[*row, ""][:3] for row in rows]
