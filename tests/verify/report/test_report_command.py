"""`headproof report`: its arguments, the files that it writes, and the input that it refuses."""

import sys
from pathlib import Path

import pytest
from command import headproof, shipped

from verify.statements import VANILLA

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


def test_a_model_is_one_that_ships_or_a_file_and_both_have_a_page() -> None:
    ran = headproof("report", "umbrella", str(shipped("tie")), "-o", "pages", "--jobs", "1")
    assert ran.status == 0
    assert ran.out.split("\n")[0] == f"2 models, {2 * len(VANILLA)} verdicts: {Path('pages/index.html')}"
    first = Path("pages/index.html").read_text(encoding="utf-8")
    assert 'href="model-umbrella.html"' in first
    assert 'href="model-tie.html"' in first
    assert not Path("pages/necessity.html").exists()


def test_what_is_neither_is_refused_in_one_line() -> None:
    line = 'headproof: model: found "umbrela", expected a model file, or one of appendix-d-30, '
    assert headproof("report", "umbrela").refusal.startswith(line)
    assert not list(Path().iterdir())


def test_a_file_where_the_folder_should_be_is_refused_before_any_work() -> None:
    Path("pages").write_text("")
    assert "found a file, expected a folder for the report" in headproof("report", "-o", "pages").refusal


def test_a_style_sheet_of_someone_else_is_not_replaced() -> None:
    Path("style.css").write_text("body {}")
    assert "a file that Headproof did not write" in headproof("report", "umbrella", "-o", ".").refusal
    assert [path.name for path in Path().iterdir()] == ["style.css"]


def test_without_its_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert "pip install 'headproof[report]'" in headproof("report", "umbrella").refusal
