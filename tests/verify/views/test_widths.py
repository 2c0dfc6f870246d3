"""The output of commands at 60 to 250 columns: no line is longer, no word is set vertically, nothing is lost."""

import re
from io import StringIO
from pathlib import Path

import pytest
from command import headproof, save, shipped
from contract import build, certify
from rich.cells import cell_len

from constructions.reading import printable
from constructions.rendering import MAX_SHOWN, Table, View, brief
from verify.views import terminal

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")

WIDTHS = (60, 72, 80, 100, 120, 160, 200, 250)
MODELS = [shipped(name) for name in ("only-3-5", "cpg-island", "constant-label", "appendix-d-8")]
MEMORY = [shipped(name) for name in ("sky-and-wind", "surely-open", "loud-outsider")]
SMALL = ("--max-states", "2", "--max-tokens", "2", "--max-denominator", "2")

COMMANDS = {
    "verify": ["verify", "3.3", "section-3.1", "3.4", "B.1", "--model", *MODELS],
    "verify -v": ["verify", "3.3", "3.4", "A.1", "eq-3.3", "remark-3.5", "section-3.1", "-v", "--model", *MODELS],
    "verify on memory": ["verify", "4.3", "4.6", "C.9", "-v", "--model", *MEMORY],
    "verify one model": ["verify", "-v", "--model", shipped("only-3-5")],
    "verify --symbolic": ["verify", "3.3", "--symbolic"],
    "assumptions": ["assumptions", "--model", shipped("only-3-5")],
    "assumptions on memory": ["assumptions", "--model", shipped("loud-outsider")],
    "build": ["build", "3.6", "--model", shipped("only-3-5")],
    "build, none": ["build", "3.6", "--model", shipped("neither")],
    "explain": ["explain", "3.6", "--model", shipped("appendix-d-8"), "--input", "0,2,1"],
    "explain on memory": ["explain", "C.6", "--model", shipped("surely-open"), "--input", "1,2,1,0"],
    "margin": ["margin", "3.3", "--model", shipped("ice-cream")],
    "search": ["search", "3.3", "--without", "3.1", *SMALL],
    "search row": ["search", "3.3"],
}


def printed_at(width: int, views: list[View]) -> str:
    to = StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width))
        patch.setattr("sys.stdout", to)
        terminal.show(*views)
    return to.getvalue()


def shown_by(arguments: list[str | Path]) -> list[View]:
    """Return the views that a command shows."""
    collected: list[View] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(terminal, "show", lambda *views: collected.extend(views))
        done = headproof(*arguments)
    assert done.status in {0, 1, 3}, done.err
    return collected


def all_tables(view: View) -> list[Table]:
    return [*view.tables, *(table for folded in view.folded for table in all_tables(folded))]


def lost(table: Table, out: str) -> list[str]:
    """Return a table's words that are missing in `out`.

    Words longer than `MAX_UNBROKEN_WORD` do not count, nor columns after the first `MAX_SHOWN`, nor columns that `out`
    itself names as left out.
    """
    named = " ".join(re.findall(r"not shown at this width: ([^(]*)\(", " ".join(out.split())))
    missing = []
    for name, column in zip(table.column_names[:MAX_SHOWN], zip(*table.rows, strict=True), strict=False):
        if name in named:
            continue
        words = [word for entry in (name, *map(brief, column)) for word in printable(entry).split()]
        missing += [word for word in words if len(word) <= terminal.MAX_UNBROKEN_WORD and word not in out]
    names = [word for name in table.row_names for word in printable(name).split()]
    return missing + [word for word in names if len(word) <= terminal.MAX_UNBROKEN_WORD and word not in out]


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_no_line_is_too_long_and_no_word_is_broken_or_lost_without_a_mark(arguments: list[str | Path]) -> None:
    views = shown_by(arguments)
    assert views
    for width in WIDTHS:
        out = printed_at(width, views)
        assert max(map(cell_len, out.splitlines())) <= width, width
        for view in views:
            for table in all_tables(view):
                assert lost(table, out) == [], width


def test_a_column_that_is_left_out_comes_back_at_the_width_that_is_named() -> None:
    quick = (model for model in MODELS if model.stem in ("only-3-5", "constant-label"))  # cpg-island is slow
    views = shown_by(["verify", "3.3", "3.6", "-v", "--model", *quick])
    out = printed_at(60, views)
    widths = [int(width) for width in re.findall(r"\(from (\d+) columns", " ".join(out.split()))]
    assert len(widths) == 2
    assert "not shown" not in printed_at(max(widths), views)
    assert printed_at(max(widths) - 1, views).count("not shown") == widths.count(max(widths))


def test_columns_are_left_out_by_their_rank_and_verdicts_stay() -> None:
    views = shown_by(["verify", "3.3", "-v", "--model", *MODELS])
    hidden = [re.findall(r"not shown at this width: ([^(]*)\(", " ".join(printed_at(w, views).split())) for w in WIDTHS]
    counts = [len(names[0].split(", ")) if names else 0 for names in hidden]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[2] > 0 == counts[-1]
    assert all(names[0].startswith("n, ") or names[0] == "n " for names in hidden if names)
    assert all("verdict" in printed_at(width, views) for width in WIDTHS)


def test_long_names_of_a_model_break_nothing() -> None:
    name = "x" * 150
    document = {
        "kind": "hmm",
        "name": name,
        "states": ["s" * 90, "t" * 90],
        "tokens": ["a" * 90, "b" * 90],
        "initial": ["1/2", "1/2"],
        "transition": [["1/3", "1/2"], ["2/3", "1/2"]],
        "emission": [["1/7", "2/7"], ["6/7", "5/7"]],
        "task": {"mu": ["1", "-1"]},
    }
    model = save("model.json", document)
    for arguments in (["verify", "3.3", "-v"], ["assumptions"], ["build", "3.3"], ["explain", "3.3", "--input", "0,1"]):
        views = shown_by([*arguments, "--model", model])
        for width in WIDTHS:
            out = printed_at(width, views)
            assert max(map(cell_len, out.splitlines())) <= width
            assert not re.search(r"(?m)^ *[xstab]{1,3} *\n *[xstab]{1,3} *$", out)


@pytest.mark.parametrize("width", [60, 80, 200])
def test_certificates_and_heads_are_answered_within_the_width(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    head, certificate = build("3.3"), certify()
    monkeypatch.setenv("COLUMNS", str(width))
    for arguments in (
        ["test", "--head", head, "--model", shipped("umbrella")],
        ["check", certificate, certificate],
        ["verify", "3.3", "--model", shipped("umbrella")],
        ["verify", "3.3", "-v", "--model", shipped("umbrella"), shipped("only-3-5")],
    ):
        lines = headproof(*arguments).out.splitlines()
        assert max(map(len, lines)) <= width
        assert not any("\x1b" in line for line in lines)


def test_without_columns_what_goes_to_no_terminal_has_its_lines_unbroken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    [line] = headproof("check", certify()).out.splitlines()
    assert len(line) > 120
    out = headproof("verify", "3.3", "-v", "--model", *MODELS).out
    assert max(len(line.rstrip()) for line in out.splitlines() if line.startswith("cpg-island")) <= terminal.WIDTH
    monkeypatch.setenv("COLUMNS", "not a number")
    assert headproof("verify", "3.3", "-v", "--model", *MODELS).out == out
