"""Print a `View` in the terminal. Colour and progress bars appear on a terminal only.

The width is that of the environment variable COLUMNS, or else of the terminal. Output that goes elsewhere, without
COLUMNS, has unbroken lines, and tables of at most `WIDTH` columns.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from constructions.evidence import Finding
from constructions.heads import Classifier
from constructions.models import Model
from constructions.reading import printable
from constructions.rendering import MAX_SHOWN, InNotebooks, Table, View, brief
from constructions.tasks import Task
from verify.built import Built
from verify.statements import Statement
from verify.verdicts import Verdict, decided
from verify.views import overview

if TYPE_CHECKING:
    from verify.views.explain import Explained

WIDTH = 120
"""The width of a table that goes to no terminal, where COLUMNS says nothing."""

MIN_WIDTH = 60
"""A narrower terminal is treated as this wide, and breaks the lines itself."""

MIN_TEXT_WIDTH, MAX_UNBROKEN_WORD = 14, 24
"""A column of words is at least as wide as the first, and as its longest word up to the second."""

STYLES = {
    **dict.fromkeys(
        ("yes", "holds", "proved", "both labels are the same", "not needed", overview.OF_EVERY_MODEL),
        "green",
    ),
    **dict.fromkeys(("no", "fails", "no head", "mislabelled", "the labels differ"), "red"),
    "refuted": "bold red",
    **dict.fromkeys(("not-applicable", "none found"), "yellow"),
    **dict.fromkeys(("undecided", "?", "open"), "magenta"),
    "vacuous": "cyan",
    "needed": "bold",
}
"""Colours of a text that is one of these, or begins with one of these and a colon."""

Item = TypeVar("Item")


def _console() -> Console:
    columns, terminal = os.environ.get("COLUMNS", ""), sys.stdout.isatty()
    width = int(columns) if columns.isdecimal() and int(columns) else None if terminal else WIDTH
    console = Console(file=sys.stdout, width=width, highlight=False)
    console.width = max(console.width, MIN_WIDTH)
    return console


# A View


def show(*views: View) -> None:
    """Print views, with an empty line between their parts."""
    console = _console()
    unbroken = not console.is_terminal and not os.environ.get("COLUMNS", "").isdecimal()
    for i, part in enumerate(part for view in views for part in _parts(view, console.width)):
        if i:
            console.print()
        for piece in part:
            console.print(piece, soft_wrap=isinstance(piece, Text) and unbroken)


def say(line: str) -> None:
    """Print a line."""
    show(View("", (line,)))


def _parts(view: View, width: int) -> Iterator[list[Text | RichTable]]:
    """Yield the parts of a view: title and lines, each table with its caption, then the folded views."""
    badge = [Text("  "), _text(view.badge)] if view.badge else []
    title = [Text.assemble((printable(view.title), "bold"), *badge)] if view.title else []
    tables: list[list[Text | RichTable]] = [
        [*([_text(table.words)] if table.words else []), *_fitting(table, width)] for table in view.tables
    ]
    above: list[Text | RichTable] = [*title, *map(_text, view.lines)]
    if tables and not view.lines:
        tables[0] = above + tables[0]
    elif above:
        yield above
    yield from tables
    for part in view.folded:
        yield from _parts(part, width)


@dataclass(frozen=True)
class _Column:
    """A column as it is printed: its head, its entries, and whether they are words."""

    head: str
    entries: Sequence[str]
    words: bool

    @property
    def widest(self) -> int:
        """The width at which no entry is broken."""
        return _widest([self.head, *self.entries])

    @property
    def least(self) -> int:
        """The least width: texts and heads may be broken, numbers may not."""
        texts = [self.head, *(self.entries if self.words else ())]
        word = min(MAX_UNBROKEN_WORD, _widest(word for text in texts for word in text.split()))
        return min(self.widest, max(MIN_TEXT_WIDTH, word) if self.words else max(word, _widest(self.entries)))


def _widest(texts: Iterable[str]) -> int:
    return max(map(cell_len, texts), default=0)


def _fitting(table: Table, width: int) -> Iterator[Text | RichTable]:
    """Fit a table to the width; its symbol stands in the corner, or names the only row.

    First spare columns are left out, and named below. Then the other columns are split into parts, one below the
    other. Then words are broken.
    """
    corner, row_names = ("", [table.symbol]) if list(table.row_names) == [""] else (table.symbol, table.row_names)
    names = _column(corner, row_names, True)
    columns = list(_columns(table))
    room = width - names.least
    spare = [name for name in table.spare if name in table.column_names]
    dropped = []
    while spare and sum(COLUMN_GAP + column.least for column in columns) > room:
        dropped.append(spare.pop(0))
        columns = [column for column in columns if column.head != dropped[-1]]
    for part in _runs([COLUMN_GAP + column.least for column in columns], room):
        yield _set([names, *columns[part]], width)
    if dropped:
        full_width = names.least + sum(COLUMN_GAP + column.least for column in _columns(table))
        yield Text(f"not shown at this width: {', '.join(dropped)} (from {full_width} columns on they are)", "dim")


COLUMN_GAP = 2
"""Between two columns."""


def _columns(table: Table) -> Iterator[_Column]:
    """Yield the columns of a table; a table of numbers is cut off, with a count of the rest."""
    words = any(isinstance(entry, str) for row in table.rows for entry in row)
    limit = len(table.column_names) if words else MAX_SHOWN
    for j, name in enumerate(table.column_names[:limit]):
        entries = [row[j] for row in table.rows]
        yield _column(name, map(brief, entries), any(isinstance(entry, str) and entry for entry in entries))
    if len(table.column_names) > limit:
        yield _column(f"... {len(table.column_names) - limit} more", ["" for _ in table.rows], False)


def _column(head: str, entries: Iterable[str], words: bool) -> _Column:
    return _Column(printable(head), [printable(entry) for entry in entries], words)


def _widths(columns: Sequence[_Column], width: int) -> list[int]:
    """Give each column its least width, and share the rest evenly among the columns that need more."""
    widths = [column.least for column in columns]
    left, needs = (
        width - sum(widths) - COLUMN_GAP * (len(columns) - 1),
        [column.widest - column.least for column in columns],
    )
    for i, j in enumerate(sorted(range(len(columns)), key=needs.__getitem__)):
        extra = max(0, min(left // (len(columns) - i), needs[j]))
        widths[j], left = widths[j] + extra, left - extra
    return widths


def _runs(widths: Sequence[int], room: int) -> Iterator[slice]:
    """Split columns into runs, each as long as fits into the room."""
    start = 0
    for stop in range(1, len(widths) + 1):
        if stop == len(widths) or sum(widths[start : stop + 1]) > room:
            yield slice(start, stop)
            start = stop


def _set(columns: Sequence[_Column], width: int) -> RichTable:
    """Set columns beside each other, numbers on the right."""
    numbers = not any(column.words for column in columns[1:])
    heads = any(column.head for column in columns)
    table = RichTable(box=None, pad_edge=False, padding=(0, COLUMN_GAP, 0, 0), header_style="dim", show_header=heads)
    for j, (column, wide) in enumerate(zip(columns, _widths(columns, width), strict=True)):
        table.add_column(
            Text(column.head),
            style="dim" if j == 0 and numbers else "",
            justify="left" if column.words else "right",
            width=wide,
            overflow="fold",
        )
    for row in zip(*(column.entries for column in columns), strict=True):
        table.add_row(Text(row[0]), *map(_text, row[1:]))
    return table


def _text(text: str) -> Text:
    """Print text as it stands, without markup or control characters; colour the word before the first colon."""
    head, colon, rest = printable(text).partition(": ")
    return Text.assemble((head, STYLES.get(head, "")), colon + rest)


def progress(items: Iterable[Item], what: str) -> Iterable[Item]:
    """Show on standard error, if that is a terminal, how many of some items are done."""
    console = Console(stderr=True)
    if not console.is_terminal:
        return items
    from rich.progress import track

    return track(items, what, console=console, transient=True)


# What commands print


def show_verdicts(verdicts: Sequence[Verdict], verbose: bool = False, unexpected: Sequence[str] = ()) -> None:
    """Print the answer, a line a theorem and what is notable; with `every`, each verdict in tables, too."""
    view = overview.Overview(verdicts, unexpected).view()
    show(view if verbose else replace(view, folded=()))


def show_findings(model: Model, findings: Sequence[Finding]) -> None:
    """Print the assumptions with their witnesses."""
    evidence: list[object] = [item.evidence for item in findings]
    witnesses = (table for item in evidence if isinstance(item, InNotebooks) for table in item.view(model).tables)
    tables = (decided("assumption", findings, model), *witnesses)
    show(View(model.name, (f"{len(model.states)} states, {len(model.tokens)} tokens",), tables))


def show_build(statement: Statement, model: Model, task: Task, built: Built) -> None:
    """Print a head and its prompt."""
    view = View("", (f"no head: {built.reason}",))
    if built.classifier is not None:
        view = built.classifier.view(model)
        view = replace(view, lines=(*task.view(model).lines, *view.lines))
    show(replace(view, title=f"{statement.id}  {statement.title}, on {model.name}"))


def show_explanation(statement: Statement, explanation: Explained, built: Built) -> None:
    """Print one input step by step, and of a vanilla model the head itself."""
    view, head = explanation.view(), built.classifier
    head_lines = head.view().lines if isinstance(head, Classifier) else ()
    lines = (f"no head: {built.reason}",) if head is None else head_lines
    show(replace(view, title=f"{statement.id} on {explanation.model.name}, {view.title}", lines=(*view.lines, *lines)))
