"""docs/pictures.md is what its command writes, and its pictures are small."""

import re
from pathlib import Path

import pytest

from verify.views.plots import page

DOCS = Path(__file__).parents[4] / "docs"
WRITTEN = (DOCS / "pictures.md").read_text(encoding="utf-8")


def test_the_page_is_what_the_examples_and_docstrings_make_of_it() -> None:
    titles = {name: title for title, name in re.findall(r"!\[(.*)\]\(pictures/(.*)\.png\)", WRITTEN)}
    assert page.page(titles) == WRITTEN


@pytest.mark.parametrize("example", page.EXAMPLES, ids=lambda example: example.name)
def test_a_picture_has_the_title_that_the_page_gives_it(example: page.Example) -> None:
    title = " ".join(example.drawn().get_title().split())
    assert f"![{title}](pictures/{example.name}.png)" in WRITTEN


def test_there_are_these_pictures_and_no_others_and_each_is_small() -> None:
    files = sorted((DOCS / "pictures").iterdir())
    assert [file.name for file in files] == sorted(f"{example.name}.png" for example in page.EXAMPLES)
    assert max(file.stat().st_size for file in files) < 60_000
