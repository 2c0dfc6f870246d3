"""Print a `View` in the terminal. Colour and progress bars appear on a terminal only.

The width is that of the environment variable COLUMNS, or else of the terminal. With neither of them, lines are
unbroken, and tables have at most `WIDTH` characters in a line.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Any, TypeVar

from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table as RichTable
from rich.text import Text

from constructions.reading import printable
from constructions.rendering import MAX_SHOWN, Table, View, brief, cut

WIDTH = 120
"""The width of tables, in characters, without a terminal and without COLUMNS."""

MIN_WIDTH = 60
"""A narrower terminal gets lines of this width, and breaks them itself."""

MIN_TEXT_WIDTH, MAX_UNBROKEN_WORD = 14, 24
"""A column of words with an entry of MIN_TEXT_WIDTH characters or more is at least this wide. It is also at least as
wide as its longest word, up to MAX_UNBROKEN_WORD."""

STYLES = {
    **dict.fromkeys(("yes", "holds", "proved", "both labels are the same", "not needed"), "green"),
    **dict.fromkeys(("no", "fails", "no head", "mislabelled", "the labels differ"), "red"),
    "refuted": "bold red",
    **dict.fromkeys(("not-applicable", "none found"), "yellow"),
    **dict.fromkeys(("undecided", "?", "open"), "magenta"),
    "vacuous": "cyan",
    "needed": "bold",
}
"""The colours of words, where such a word is a whole text, or stands before its first colon."""

COLUMN_GAP = 2
"""The number of spaces between two columns."""

Item = TypeVar("Item")


def show(*views: View) -> None:
    """Print views, with an empty line between their parts."""
    console = Console(highlight=False)
    unbroken = not (console.is_terminal or os.environ.get("COLUMNS", "").isdecimal())
    console.width = WIDTH if unbroken else max(console.width, MIN_WIDTH)
    for i, part in enumerate(part for view in views for part in _parts(view, console.width)):
        if i:
            console.print()
        for piece in part:
            console.print(piece, soft_wrap=isinstance(piece, Text) and unbroken)


def _parts(view: View, width: int) -> Iterator[list[Text | RichTable]]:
    """Yield the parts of a view: title and lines, each table with its caption, then the folded views."""
    badge = [Text("  "), _text(view.badge)] if view.badge else []
    title = [Text.assemble((printable(view.title), "bold"), *badge)] if view.title else []
    above: list[Text | RichTable] = [*title, *map(_text, view.lines)]
    tables = [[*map(_text, filter(None, [table.words])), *_fitting(table, width)] for table in view.tables]
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

    @cached_property
    def width(self) -> Measurement:
        """The least width, which may wrap texts and heads but no numbers; and the width at which nothing wraps."""
        widest = max(map(cell_len, [self.head, *self.entries]))
        texts = " ".join([self.head, *self.entries] if self.words else [self.head])
        word = min(MAX_UNBROKEN_WORD, max(map(cell_len, texts.split()), default=0))
        if self.words:
            return Measurement(min(widest, max(MIN_TEXT_WIDTH, word)), widest)
        return Measurement(max([word, *map(cell_len, self.entries)]), widest)


def _fitting(table: Table, width: int) -> Iterator[Text | RichTable]:
    """Yield a table in parts that fit the width. The table's symbol stands in the corner, or names the only row.

    Texts are wrapped, and words of more than `MAX_UNBROKEN_WORD` characters broken, as far as the width asks for it. If
    the table is still too wide, spare columns are left out, and named below. If that is not enough, the other columns
    are split into parts, one below the other.
    """
    names, *columns = _columns(table)
    room, dropped = width - names.width.minimum, list[str]()
    full_width = names.width.minimum + _needed(columns)
    for name in table.spare:
        if _needed(columns) > room:
            columns = [column for column in columns if column.head != name]
            dropped.append(name)
    part = [names]
    for column in columns:
        if len(part) > 1 and _needed([*part[1:], column]) > room:
            yield _set(part, width)
            part = [names]
        part.append(column)
    yield _set(part, width)
    if dropped:
        yield Text(f"not shown at this width: {', '.join(dropped)} (from {full_width} columns on they are)", "dim")


def _needed(columns: Iterable[_Column]) -> int:
    """Return the least width of columns, with a gap before each."""
    return sum(COLUMN_GAP + column.width.minimum for column in columns)


def _columns(table: Table) -> Iterator[_Column]:
    """Yield the column of row names, then the others.

    Of a table of numbers, columns after the first `MAX_SHOWN` are left out; a last head says how many.
    """
    limit = MAX_SHOWN
    if any(isinstance(entry, str) for row in table.rows for entry in row):
        limit = len(table.column_names)
    heads = cut(table.column_names, limit, f"... {len(table.column_names) - limit} more")
    columns = zip(*(cut(row, limit, "") for row in table.rows), strict=True)
    names = ("", [table.symbol]) if list(table.row_names) == [""] else (table.symbol, table.row_names)
    rest: Any = zip_longest(heads, columns, fillvalue=())  # without rows there are no columns, but heads
    for head, entries in (names, *rest):
        words = any(isinstance(entry, str) and entry for entry in entries)
        yield _Column(printable(head), [printable(brief(entry)) for entry in entries], words)


def _set(columns: Sequence[_Column], width: int) -> RichTable:
    """Set columns beside each other; numbers are aligned on the right.

    Each column first gets its least width. The remaining width is shared evenly by columns that need more.
    """
    widths, left = [column.width.minimum for column in columns], max(0, width + COLUMN_GAP - _needed(columns))
    for i, j in enumerate(sorted(range(len(columns)), key=lambda j: columns[j].width.span)):
        extra = min(left // (len(columns) - i), columns[j].width.span)
        widths[j], left = widths[j] + extra, left - extra
    numbers = not any(column.words for column in columns[1:])
    heads = any(column.head for column in columns)
    table = RichTable(box=None, pad_edge=False, padding=(0, COLUMN_GAP, 0, 0), header_style="dim", show_header=heads)
    for j, (column, wide) in enumerate(zip(columns, widths, strict=True)):
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
    """Return text without markup, in which control characters are escaped.

    The whole text, or what stands before its first colon, is coloured if `STYLES` has it.
    """
    head, colon, rest = printable(text).partition(": ")
    return Text.assemble((head, STYLES.get(head, "")), colon + rest)


def progress(items: Iterable[Item], what: str) -> Iterable[Item]:
    """Yield the items unchanged; show on standard error how many are done, if it is a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        return items
    from rich.progress import track

    return track(items, what, console=console, transient=True)
