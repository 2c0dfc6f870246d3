"""docs/pictures.md shows the pictures that its calls draw, and their files are small."""

from pathlib import Path
from runpy import run_path

DOCS = Path(__file__).parents[4] / "docs"
drawings = run_path(str(DOCS / "draw.py"))["drawings"]
PAGE = (DOCS / "pictures.md").read_text(encoding="utf-8")


def test_each_picture_has_the_title_that_the_page_gives_it_and_there_are_no_others() -> None:
    names = []
    for title, name, ax in drawings(PAGE):
        assert " ".join(ax.get_title().split()) == title
        names.append(name)
    assert sorted(names) == sorted(file.name for file in (DOCS / "pictures").iterdir())
    assert PAGE.count("![") == len(names)
    assert max(file.stat().st_size for file in (DOCS / "pictures").iterdir()) < 60_000
