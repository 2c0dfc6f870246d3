"""The terminal prints the views that notebooks show: every entry with its names, and no colours in a file."""

from fractions import Fraction
from io import StringIO
from typing import Any

import pytest
from checks import MANY, shipped
from command import headproof
from html_tables import tables
from hypothesis import given
from hypothesis import strategies as st

from constructions import rendering
from constructions.heads import Classifier
from constructions.models import HMM
from constructions.reading import as_text
from constructions.rendering import MAX_SHOWN, InNotebooks, Table, View
from constructions.tasks import Task
from verify import verify
from verify.views import terminal
from verify.views.explain import Explanation, explain
from verify.views.overview import details
from verify.words.problem import Problem

MARKUP = "[red]a[/] :smile: \x1b[31m"


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def print_views(*views: View, stream: StringIO | None = None) -> list[str]:
    """Return the lines that views print to `stream`, by default a stream that is no terminal."""
    stream = StringIO() if stream is None else stream
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", stream)
        terminal.show(*views)
    return stream.getvalue().splitlines()


def cells(*views: View) -> list[list[str]]:
    return [line.split() for line in print_views(*views)]


def matrix(rows: list[list[Any]], row_names: list[str], column_names: list[str]) -> View:
    return View("", tables=(Table("A", rows, row_names, column_names),))


@st.composite
def named_matrices(draw: st.DrawFn) -> Table:
    height, width = draw(st.integers(2, 6)), draw(st.integers(1, MAX_SHOWN))
    entries, names = st.fractions(-99, 99, max_denominator=9), st.text("abcxyz_^[]", min_size=1, max_size=6)
    rows = draw(st.lists(st.lists(entries, min_size=width, max_size=width), min_size=height, max_size=height))
    row_names, column_names = (draw(st.lists(names, min_size=n, max_size=n)) for n in (height, width))
    return Table("A", rows, row_names, column_names, "what it is")


@MANY
@given(named_matrices())
def test_every_entry_stands_under_its_names_whatever_they_are(table: Table) -> None:
    words, heading, *rows = cells(View("", tables=(table,)))
    assert words == ["what", "it", "is"]
    assert heading == ["A", *table.column_names]
    assert rows == [[name, *map(as_text, row)] for name, row in zip(table.row_names, table.rows, strict=True)]


def test_the_symbol_names_a_row_that_has_no_name() -> None:
    assert cells(View("", tables=(Table("u", [[1, 0]], [""], ["a", "b"]),))) == [["a", "b"], ["u", "1", "0"]]


def test_wide_numbers_are_parted_and_none_is_broken() -> None:
    numbers = [Fraction(-(10 ** (20 + j)) - 1, 3) for j in range(MAX_SHOWN)]
    lines = cells(matrix([numbers, numbers], ["a", "b"], [f"x{j}" for j in range(MAX_SHOWN)]))
    assert [head for line in lines if line[0] == "A" for head in line[1:]] == [f"x{j}" for j in range(MAX_SHOWN)]
    for name in "ab":
        assert [x for line in lines if line[0] == name for x in line[1:]] == [rendering.brief(x) for x in numbers]
    assert sum(line[0] == "A" for line in lines) > 1


def test_what_is_cut_off_is_counted_and_words_are_not_cut_off() -> None:
    size = MAX_SHOWN + 3
    names = [f"x{j}" for j in range(size)]
    heading, *rows = cells(matrix([[0] * size for _ in names], names, names))
    assert heading == ["A", *names[:MAX_SHOWN], "...", "3", "more"]
    assert [row[0] for row in rows] == names  # a terminal scrolls down
    assert cells(matrix([["yes"] * size], ["m"], names)) == [["A", *names], ["m", *["yes"] * size]]


def test_a_long_number_is_shown_as_six_digits() -> None:
    assert cells(matrix([[Fraction(10**20 + 1, 3), 1.5]], ["a"], ["x", "y"]))[1] == ["a", "3.33333e+19~", "1.5"]


def test_a_view_is_its_title_with_its_badge_its_lines_its_tables_and_what_is_folded_away() -> None:
    table = Table("v", [[1]], [""], ["a"])
    view = View("title", ("a line", "another"), (table,), (View("folded", (), (table,)),), "proved")
    assert print_views(view) == ["title  proved", "a line", "another", "", "   a", "v  1", "", "folded", "   a", "v  1"]


def test_nothing_gets_through_as_markup_as_an_emoji_or_as_a_control_character() -> None:
    table = Table(MARKUP, [[MARKUP]], [MARKUP], [MARKUP], MARKUP)
    output = "\n".join(print_views(View(MARKUP, (MARKUP,), (table,), (View(MARKUP, (MARKUP,)),), MARKUP)))
    assert output.count(r"[red]a[/] :smile: \x1b[31m") == 10
    assert "\x1b" not in output


def test_what_goes_to_no_terminal_is_plain_and_its_lines_are_not_broken() -> None:
    line = f"refuted: {' '.join(['word'] * 50)}"
    assert print_views(View("title", (line,), badge="proved")) == ["title  proved", line]


def test_on_a_terminal_verdicts_are_coloured_and_lines_broken_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("TERM", "xterm"), ("COLUMNS", "60")):
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_COLOR", raising=False)
    table = Table("model", [["proved", "no"], ["provedly", "no one"]], ["a", "b"], ["verdict", "holds"])
    line, next_line, _, *rows = print_views(View("", ("refuted: " + "word " * 20,), (table,)), stream=Terminal())
    assert line.startswith("\x1b[1;31mrefuted\x1b[0m: word")
    assert (line.count("word") + next_line.count("word"), len(next_line) <= 60) == (20, True)
    assert "\x1b[32mproved\x1b[0m" in rows[1]
    assert "\x1b[31mno\x1b[0m" in rows[1]
    assert "\x1b" not in rows[2]


# The terminal prints all that notebooks show


def explained(model: HMM, task: Task, word: tuple[int, ...]) -> Explanation:
    conclusion = verify("3.6", model, task).conclusion
    assert conclusion is not None
    assert isinstance(conclusion.classifier, Classifier)
    explanation = explain(Problem(model, task), word, conclusion.classifier)
    assert isinstance(explanation, Explanation)
    return explanation


def all_rows_are_printed(display: InNotebooks) -> None:
    """Check that every row of a notebook's tables ends a line of the terminal. A vector's symbol may precede it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(terminal, "WIDTH", 10_000)
        lines = cells(display.view())
    rows = [" ".join(row).split() for table in tables(display._repr_html_()) for row in table]
    assert len(rows) > 1
    assert [row for row in rows if not any(line[len(line) - len(row) :] == row for line in lines)] == []


@pytest.mark.parametrize("name", ["umbrella", "only-3-5", "multiclass"])
def test_every_row_that_a_notebook_shows_is_printed(name: str) -> None:
    model, task = shipped(name)
    for display in (model, task, verify("3.6", model, task), explained(model, task, (0, 1))):
        all_rows_are_printed(display)


def test_verdicts_are_a_table_for_each_theorem_with_the_reasons_below_and_a_grid_of_lemmas() -> None:
    model, task = shipped("only-3-5")
    lines = cells(*details([verify(key, model, task) for key in ("3.3", "3.6", "3.4", "A.1", "section-3.1", "B.1")]))
    model_row = ["only-3-5", "3", "2"]
    assert [line for line in lines if line[:3] == model_row] == [
        [*model_row, "no", "yes", "yes", "not-applicable", "fails", "0:", "(1),", "1:", "(0)"],
        [*model_row, "yes", "yes", "yes", "proved", "holds", "0:", "(1),", "1:", "(0)"],
    ]
    [reason] = [" ".join(line) for line in lines if line[:2] == ["only-3-5", "W[:,a]"]]
    assert reason.endswith("+ W[:,c] = 0 no head serves inputs (0), (1)")
    assert ["only-3-5", "(no)", "yes", "no"] in lines
    sentences = [" ".join(line) for line in lines]
    assert any(line.startswith("section-3.1") and "is refuted on only-3-5: " in line for line in sentences)
    assert any(line.startswith("B.1") and "is true of every model" in line for line in sentences)


def test_the_witnesses_of_assumptions_are_printed() -> None:
    lines = [line.split() for line in headproof("assumptions", "--model", "only-3-5").out.splitlines()]
    for row in (["v", "1", "-2", "1"], ["a", "-1", "1"], ["b", "2", "0"]):  # W v = 0; a left inverse of W[:, H*]
        assert row in lines
    assert [line[:2] for line in lines if line and line[0].startswith("3.")] == [
        ["3.1", "no"],
        ["3.2:ergodic", "yes"],
        ["3.2:full-support", "yes"],
        ["3.5", "yes"],
    ]


def test_progress_is_shown_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert list(terminal.progress([1, 2], "verdicts")) == [1, 2]
    assert capsys.readouterr() == ("", "")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert list(terminal.progress([1, 2], "verdicts")) == [1, 2]
    out, err = capsys.readouterr()
    assert out == ""
    assert "verdicts" in err
