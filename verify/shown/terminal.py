"""A `View` printed in the terminal, and what each command prints there. Colour and progress on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table as RichTable
from rich.text import Text

from constructions.evidence import Finding
from constructions.heads import Classifier
from constructions.memory.attention import AttentionClassifier
from constructions.models import Model
from constructions.reading import printable
from constructions.rendering import WIDEST, InNotebooks, Table, View, brief
from constructions.tasks import Task
from verify.shown import overview
from verify.shown.explain import Explained
from verify.statements import Statement
from verify.verdicts import HeadVerdict, Verdict

WIDTH = 120
"""The width of a table that does not go to a terminal."""

STYLES = {
    **dict.fromkeys(
        ("yes", "holds", "proved", "accepted", "both labels are the same", "not needed", overview.OF_EVERY_MODEL),
        "green",
    ),
    **dict.fromkeys(("no", "fails", "no head", "mislabelled", "the labels differ"), "red"),
    **dict.fromkeys(("refuted", "rejected"), "bold red"),
    **dict.fromkeys(("not-applicable", "(yes)", "(no)", "(?)", "none found"), "yellow"),
    **dict.fromkeys(("undecided", "?", "open"), "magenta"),
    "vacuous": "cyan",
    "needed": "bold",
}
"""What is coloured: a text that is one of these, or begins with one and a colon."""

Item = TypeVar("Item")


def _console() -> Console:
    return Console(file=sys.stdout, width=None if sys.stdout.isatty() else WIDTH, highlight=False)


# A View


def show(*shown: View | RichTable) -> None:
    """Print views or tables, with an empty line between their parts. A line is broken on a terminal only."""
    console = _console()
    for i, part in enumerate(part for one in shown for part in _parts(one, console.width)):
        if i:
            console.print()
        for piece in part:
            console.print(piece, soft_wrap=isinstance(piece, Text) and not console.is_terminal)


def say(line: str) -> None:
    """Print a line."""
    show(View("", (line,)))


def _parts(shown: View | RichTable, width: int) -> Iterator[list[Text | RichTable]]:
    """Yield title and lines, each table with what it is, and what is folded away elsewhere."""
    if isinstance(shown, RichTable):
        yield [shown]
        return
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


def _fitting(table: Table, width: int) -> Iterator[RichTable]:
    """Set a table, whose symbol stands in the corner or names the one row; wide numbers in parts below each other."""
    corner, names = ("", [table.symbol]) if list(table.row_names) == [""] else (table.symbol, table.row_names)
    if any(isinstance(entry, str) for row in table.rows for entry in row):
        yield matrix_table(table.rows, names, table.column_names, corner)
        return
    more = [f"... {len(table.column_names) - WIDEST} more"] if len(table.column_names) > WIDEST else []
    heads = [*table.column_names[:WIDEST], *more]
    rows = [[*row[:WIDEST], *("" for _ in more)] for row in table.rows]
    columns = [[*head.split(), *(brief(row[j]) for row in rows)] for j, head in enumerate(heads)]
    room = width - max(map(cell_len, [corner, *names]))
    for part in _runs([2 + max(map(cell_len, column)) for column in columns], room):
        yield matrix_table([row[part] for row in rows], names, heads[part], corner)


def _runs(widths: Sequence[int], room: int) -> Iterator[slice]:
    """Yield one run of columns after the other, each as long as there is room for it."""
    start = 0
    for stop in range(1, len(widths) + 1):
        if stop == len(widths) or sum(widths[start : stop + 1]) > room:
            yield slice(start, stop)
            start = stop


def matrix_table(
    rows: Sequence[Iterable[Any]], row_names: Sequence[str], column_names: Sequence[str], corner: str = ""
) -> RichTable:
    """Set numbers and words under their names."""
    entries = [list(row) for row in rows]
    left = [any(isinstance(row[j], str) and row[j] for row in entries) for j in range(len(column_names))]
    table = RichTable(box=None, pad_edge=False, header_style="dim", show_header=any((corner, *column_names)))
    table.add_column(_text(corner), style="" if any(left) else "dim", overflow="fold")
    for name, words in zip(column_names, left, strict=True):
        table.add_column(_text(name), justify="left" if words else "right", overflow="fold")
    for name, row in zip(row_names, entries, strict=True):
        table.add_row(_text(name), *(_text(brief(entry)) for entry in row))
    return table


def _text(text: str) -> Text:
    """Take text of a model file as it stands, without markup or control characters; colour the word it begins with."""
    head, colon, rest = printable(text).partition(": ")
    return Text.assemble((head, STYLES.get(head, "")), colon + rest)


# Progress, on standard error


@contextmanager
def bar(*columns: ProgressColumn) -> Iterator[Progress]:
    """Show on standard error how far something has come, if that is a terminal."""
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        yield shown


@contextmanager
def progress(items: Sequence[Item]) -> Iterator[Iterator[Item]]:
    """Show a bar while items are worked through."""
    with bar(TextColumn("deciding"), BarColumn(), MofNCompleteColumn()) as shown:
        yield iter(shown.track(items))


@contextmanager
def counting(what: str) -> Iterator[Callable[[Iterable[Item]], Iterator[Item]]]:
    """Show how many items have been taken so far, and how fast."""
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


def show_verdicts(verdicts: Sequence[Verdict]) -> None:
    """Print one table for each theorem, and one for all lemmas, a row for each model."""
    show(*overview.views(verdicts))


def show_findings(model: Model, findings: Sequence[Finding]) -> None:
    """Print the assumptions with their witnesses."""
    holds = {True: "yes", False: "no", None: "undecided"}
    rows = [[holds[one.holds], one.sentence(model)] for one in findings]
    decided = Table("assumption", rows, [one.id for one in findings], ["holds", "witness or violation"])
    witnesses = (table for one in findings for table in _witness(one.evidence, model))
    size = f"{len(model.states)} states, {len(model.tokens)} tokens"
    show(View(model.name, (size,), (decided, *witnesses)))


def _witness(evidence: object, model: Model) -> tuple[Table, ...]:
    return evidence.view(model).tables if isinstance(evidence, InNotebooks) else ()


def show_build(
    statement: Statement, model: Model, task: Task, classifier: Classifier | AttentionClassifier | None, reason: str
) -> None:
    """Print a head and its prompt."""
    shown = View("") if classifier is None else classifier.view(model)
    lines = _no_head(reason) if classifier is None else (*task.view(model).lines, *shown.lines)
    show(replace(shown, title=f"{statement.id}  {statement.title}, on {model.name}", lines=lines))


def show_explanation(
    statement: Statement, found: Explained, classifier: Classifier | AttentionClassifier | None, reason: str
) -> None:
    """Print one input step by step, and of a vanilla model the head itself."""
    shown = found.view()
    own = classifier.view().lines if isinstance(classifier, Classifier) else ()
    lines = _no_head(reason) if classifier is None else own
    show(replace(shown, title=f"{statement.id} on {found.model.name}, {shown.title}", lines=(*shown.lines, *lines)))


def _no_head(reason: str) -> tuple[str]:
    return (f"no head: {reason}",)


def show_head_verdict(verdict: HeadVerdict) -> None:
    """Print whether a head gives every input its label."""
    say(f"{verdict.document['status']}: {verdict.because}")


def show_checks(outcomes: Sequence[dict[str, Any]]) -> None:
    """Print what was accepted, and why not what was not; and how many were checked twice, where all were to be."""
    for outcome in outcomes:
        word, said = ("accepted", outcome["sentence"]) if outcome["accepted"] else ("rejected", outcome["reason"])
        once = " (one checker only)" if outcome["accepted"] and outcome.get("second") == "one checker only" else ""
        line = Text.assemble((word, STYLES[word]), f" {printable(outcome['certificate'])}: {printable(said)}{once}")
        _console().print(line, soft_wrap=True)
    seconds = [outcome["second"] for outcome in outcomes if "second" in outcome]
    if seconds:
        alone = seconds.count("one checker only")
        say(f"{len(seconds) - alone} checked twice, {alone}: one checker only")
