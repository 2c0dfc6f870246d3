"""A `View` printed in the terminal, and what each command prints there. Colour and progress on a terminal only.

One rule for the width: what is printed is as wide as the environment's COLUMNS says, and else as the terminal is. What
goes to no terminal, without COLUMNS, has its lines unbroken and tables of at most `WIDTH` columns.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable
from rich.text import Text

from constructions.evidence import Finding
from constructions.heads import Classifier
from constructions.models import Model
from constructions.reading import printable
from constructions.rendering import WIDEST, InNotebooks, Table, View, brief
from constructions.tasks import Task
from verify.statements import Statement
from verify.verdicts import Built, Verdict, decided
from verify.views import overview

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

    from verify.views.explain import Explained

WIDTH = 120
"""The width of a table that goes to no terminal, where COLUMNS says nothing."""

NARROWEST = 60
"""What is narrower is taken for this: the terminal breaks the lines then."""

LEAST, LONGEST = 14, 24
"""A column of words is no narrower than the first of these, nor than its longest word, if that is up to the second."""

STYLES = {
    **dict.fromkeys(
        ("yes", "holds", "proved", "both labels are the same", "not needed", overview.OF_EVERY_MODEL),
        "green",
    ),
    **dict.fromkeys(("no", "fails", "no head", "mislabelled", "the labels differ"), "red"),
    "refuted": "bold red",
    **dict.fromkeys(("not-applicable", "(yes)", "(no)", "(?)", "none found"), "yellow"),
    **dict.fromkeys(("undecided", "?", "open"), "magenta"),
    "vacuous": "cyan",
    "needed": "bold",
}
"""What is coloured: a text that is one of these, or begins with one and a colon."""

Item = TypeVar("Item")


def _console() -> Console:
    told, terminal = os.environ.get("COLUMNS", ""), sys.stdout.isatty()
    width = int(told) if told.isdecimal() and int(told) else None if terminal else WIDTH
    console = Console(file=sys.stdout, width=width, highlight=False)
    console.width = max(console.width, NARROWEST)
    return console


# A View


def show(*shown: View) -> None:
    """Print views, with an empty line between their parts."""
    console = _console()
    unbroken = not console.is_terminal and not os.environ.get("COLUMNS", "").isdecimal()
    for i, part in enumerate(part for one in shown for part in _parts(one, console.width)):
        if i:
            console.print()
        for piece in part:
            console.print(piece, soft_wrap=isinstance(piece, Text) and unbroken)


def say(line: str) -> None:
    """Print a line."""
    show(View("", (line,)))


def _parts(shown: View, width: int) -> Iterator[list[Text | RichTable]]:
    """Yield title and lines, each table with what it is, and what is folded away elsewhere."""
    badge = [Text("  "), _text(shown.badge)] if shown.badge else []
    title = [Text.assemble((printable(shown.title), "bold"), *badge)] if shown.title else []
    tables: list[list[Text | RichTable]] = [
        [*([_text(table.words)] if table.words else []), *_fitting(table, width)] for table in shown.tables
    ]
    above: list[Text | RichTable] = [*title, *map(_text, shown.lines)]
    if tables and not shown.lines:
        tables[0] = above + tables[0]
    elif above:
        yield above
    yield from tables
    for view in shown.folded:
        yield from _parts(view, width)


@dataclass(frozen=True)
class _Column:
    """A column as it is printed: its head, its entries, and whether they are words."""

    head: str
    entries: Sequence[str]
    words: bool

    @property
    def widest(self) -> int:
        """The width at which nothing in it is broken."""
        return _widest([self.head, *self.entries])

    @property
    def least(self) -> int:
        """The least width: texts, and heads, are broken, but numbers never are."""
        texts = [self.head, *(self.entries if self.words else ())]
        word = min(LONGEST, _widest(word for text in texts for word in text.split()))
        return min(self.widest, max(LEAST, word) if self.words else max(word, _widest(self.entries)))


def _widest(texts: Iterable[str]) -> int:
    return max(map(cell_len, texts), default=0)


def _fitting(table: Table, width: int) -> Iterator[Text | RichTable]:
    """Set a table, whose symbol stands in the corner or names the one row, so that no line is longer than the width.

    Columns that it can do without are left out where they do not fit, and named; others are set in parts below each
    other. Then words are broken, and inputs shortened.
    """
    corner, row_names = ("", [table.symbol]) if list(table.row_names) == [""] else (table.symbol, table.row_names)
    names = _column(corner, row_names, True)
    columns = list(_columns(table))
    room = width - names.least
    spare = [name for name in table.spare if name in table.column_names]
    dropped = []
    while spare and sum(GAP + column.least for column in columns) > room:
        dropped.append(spare.pop(0))
        columns = [column for column in columns if column.head != dropped[-1]]
    for part in _runs([GAP + column.least for column in columns], room):
        yield _set([names, *columns[part]], width, table.cut)
    if dropped:
        whole = names.least + sum(GAP + column.least for column in _columns(table))
        yield Text(f"not shown at this width: {', '.join(dropped)} (from {whole} columns on they are)", "dim")


GAP = 2
"""Between two columns."""


def _columns(table: Table) -> Iterator[_Column]:
    """Yield the columns of a table: of numbers the first, with how many more there are."""
    words = any(isinstance(entry, str) for row in table.rows for entry in row)
    most = len(table.column_names) if words else WIDEST
    for j, name in enumerate(table.column_names[:most]):
        entries = [row[j] for row in table.rows]
        yield _column(name, map(brief, entries), any(isinstance(entry, str) and entry for entry in entries))
    if len(table.column_names) > most:
        yield _column(f"... {len(table.column_names) - most} more", ["" for _ in table.rows], False)


def _column(head: str, entries: Iterable[str], words: bool) -> _Column:
    return _Column(printable(head), [printable(entry) for entry in entries], words)


def _widths(columns: Sequence[_Column], width: int) -> list[int]:
    """Share what the least widths leave of the width evenly among the columns that need more."""
    widths = [column.least for column in columns]
    left, needs = width - sum(widths) - GAP * (len(columns) - 1), [column.widest - column.least for column in columns]
    for i, j in enumerate(sorted(range(len(columns)), key=needs.__getitem__)):
        more = max(0, min(left // (len(columns) - i), needs[j]))
        widths[j], left = widths[j] + more, left - more
    return widths


def _runs(widths: Sequence[int], room: int) -> Iterator[slice]:
    """Yield one run of columns after the other, each as long as there is room for it."""
    start = 0
    for stop in range(1, len(widths) + 1):
        if stop == len(widths) or sum(widths[start : stop + 1]) > room:
            yield slice(start, stop)
            start = stop


def _set(columns: Sequence[_Column], width: int, cut: Container[str]) -> RichTable:
    """Set columns beside each other, numbers on the right."""
    numbers = not any(column.words for column in columns[1:])
    heads = any(column.head for column in columns)
    table = RichTable(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="dim", show_header=heads)
    for j, (column, wide) in enumerate(zip(columns, _widths(columns, width), strict=True)):
        table.add_column(
            Text(column.head),
            style="dim" if j == 0 and numbers else "",
            justify="left" if column.words else "right",
            width=wide,
            overflow="ellipsis" if column.head in cut else "fold",
            no_wrap=column.head in cut,
        )
    for row in zip(*(column.entries for column in columns), strict=True):
        table.add_row(Text(row[0]), *map(_text, row[1:]))
    return table


def _text(text: str) -> Text:
    """Take text of a model file as it stands, without markup or control characters; colour the word it begins with."""
    head, colon, rest = printable(text).partition(": ")
    return Text.assemble((head, STYLES.get(head, "")), colon + rest)


# Progress, on standard error


@contextmanager
def bar(*columns: ProgressColumn) -> Iterator[Progress]:
    """Show on standard error how far something has come, if that is a terminal."""
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        yield shown


@contextmanager
def progress(items: Sequence[Item], of: Callable[[Item], str], name: Callable[[Item], str]) -> Iterator[Iterator[Item]]:
    """Show which item is worked at, and how many are done; a line stays for all that are `of` the same."""
    if not Console(stderr=True).is_terminal:
        yield iter(items)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

    with bar(TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn()) as shown:
        task = shown.add_task("", total=len(items))

        def watch() -> Iterator[Item]:
            for what, group in groupby(items, of):
                start, names = monotonic(), []
                for item in group:
                    names.append(name(item))
                    shown.update(task, description=escape(printable(f"{what}: {names[-1]}")))
                    yield item
                    shown.advance(task)
                said = f"{what}: {len(names)} decided in {monotonic() - start:.1f} s"
                shown.print(printable(said), markup=False)

        yield watch()


@contextmanager
def counting(what: str) -> Iterator[Callable[[Iterable[Item]], Iterator[Item]]]:
    """Show how many items have been taken so far, and how fast."""
    from rich.progress import TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.completed}"), TimeElapsedColumn(), TextColumn("{task.fields[rate]}")
    with bar(TextColumn(what), *columns) as shown:
        task = shown.add_task(what, total=None, rate="")

        def watch(items: Iterable[Item]) -> Iterator[Item]:
            for item in items:
                yield item
                speed = shown.tasks[0].speed
                shown.update(task, advance=1, rate=f"{speed:.0f} a second" if speed else "")

        yield watch


# What commands print


def show_verdicts(verdicts: Sequence[Verdict], every: bool = False, unexpected: Sequence[str] = ()) -> None:
    """Print the answer, a line a theorem and what is notable; with `every`, each verdict in tables, too."""
    shown = overview.Overview(verdicts, unexpected).view()
    show(shown if every else replace(shown, folded=()))


def show_findings(model: Model, findings: Sequence[Finding]) -> None:
    """Print the assumptions with their witnesses."""
    shown: list[object] = [one.evidence for one in findings]
    witnesses = (table for one in shown if isinstance(one, InNotebooks) for table in one.view(model).tables)
    tables = (decided("assumption", findings, model), *witnesses)
    show(View(model.name, (f"{len(model.states)} states, {len(model.tokens)} tokens",), tables))


def show_build(statement: Statement, model: Model, task: Task, built: Built) -> None:
    """Print a head and its prompt."""
    shown = View("", (f"no head: {built.reason}",))
    if built.classifier is not None:
        shown = built.classifier.view(model)
        shown = replace(shown, lines=(*task.view(model).lines, *shown.lines))
    show(replace(shown, title=f"{statement.id}  {statement.title}, on {model.name}"))


def show_explanation(statement: Statement, found: Explained, built: Built) -> None:
    """Print one input step by step, and of a vanilla model the head itself."""
    shown, head = found.view(), built.classifier
    own = head.view().lines if isinstance(head, Classifier) else ()
    lines = (f"no head: {built.reason}",) if head is None else own
    show(replace(shown, title=f"{statement.id} on {found.model.name}, {shown.title}", lines=(*shown.lines, *lines)))
