"""Views: a title, lines of text, and tables with names and exact numbers.

This module writes views as HTML, and a table also as Markdown. Notebooks and the report's pages have the same HTML. A
large table is cut off, and unfolds. A number that is too long to read is shown with six digits, and unfolds. In a
notebook a box above the tables turns fractions into decimals. The style sheet alone does this, so it works on any page;
without styles the page shows fractions. In the terminal `verify.views.terminal` prints the same views.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any, Protocol

from constructions.reading import InputError, as_text, printable

LONGEST = 18
"""Numbers of at most this many characters are shown in full."""

MAX_SHOWN = 12
"""The number of rows, and of columns, of a table that are shown at first."""

MAX_UNFOLDED = 100
"""The number of rows, and of columns, of an unfolded table. A browser hangs on a million entries."""

STYLE = f"<style>\n{Path(__file__).with_name('style.css').read_text(encoding='utf-8')}</style>"


@dataclass(frozen=True)
class Table:
    """A matrix with a name for each row and column. A vector is a matrix of one row.

    `symbol` is short TeX (`P[H_0]`, `W^+`), and `words` explain it. An entry is a number of any field, or text. `spare`
    are columns that a narrow terminal leaves out, in this order.
    Raises `InputError` if there are more or fewer names than rows or columns.
    """

    symbol: str
    rows: Any
    row_names: Sequence[str]
    column_names: Sequence[str]
    words: str = ""
    spare: Sequence[str] = ()

    @classmethod
    def of(cls, symbol: str, rows: Mapping[str, Sequence[Any]], column_names: Sequence[str], words: str = "") -> Table:
        """Return a table of rows by their names."""
        return cls(symbol, list(rows.values()), list(rows), column_names, words)

    def __post_init__(self) -> None:
        """Turn arrays into lists, and validate."""
        rows = [_listed(row) for row in _listed(self.rows)]
        object.__setattr__(self, "rows", rows)
        if len(rows) != len(self.row_names):
            raise InputError("row_names", f"{len(self.row_names)} names", f"{len(rows)}, one for each row")
        for row in rows:
            if len(row) != len(self.column_names):
                raise InputError("column_names", f"{len(self.column_names)} names", f"{len(row)}, one for each column")

    def _repr_html_(self) -> str:
        return View("", tables=(self,))._repr_html_()


@dataclass(frozen=True)
class View:
    """A title, lines of text, tables side by side, and further views, which are folded. `badge` is a verdict."""

    title: str
    lines: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    folded: tuple[View, ...] = ()
    badge: str = ""

    def __html__(self) -> str:
        """Write a view in HTML without its title: its lines, its tables, and its folded views.

        A wide table scrolls within the page, by the keyboard, too. Templates of Jinja call this method.
        """
        lines = "".join(f"<p>{escape(printable(line))}</p>" for line in self.lines)
        tables = "".join(f'<div tabindex="0">{_foldable(table)}</div>' for table in self.tables)
        folded = "".join(_details(escape(part.title), part.__html__()) for part in self.folded)
        return lines + (f'<div class="tables">{tables}</div>' if tables else "") + folded

    def _repr_html_(self) -> str:
        badge = f' <span class="badge {escape(self.badge)}">{escape(self.badge)}</span>' if self.badge else ""
        content = (f"<p><b>{escape(self.title)}</b>{badge}</p>" if self.title else "") + self.__html__()
        switch = '<label><input type="checkbox"/> decimals</label>' if "data-decimal" in content else ""
        return f'<div class="headproof tex2jax_ignore mathjax_ignore">{STYLE}{switch}{content}</div>'


def line(text: str) -> View:
    """Return a view of one line."""
    return View("", (text,))


class Named(Protocol):
    """A model, or another object with names for its states and tokens."""

    @property
    def states(self) -> Sequence[str]:
        """One name for each hidden state."""

    @property
    def tokens(self) -> Sequence[str]:
        """One name for each token."""


class InNotebooks:
    """A mixin whose objects are shown in notebooks, as HTML."""

    def view(self, model: Named | None = None) -> View:
        """Return the view, with the names of a model, or with made-up names (`s0`, `x0`)."""
        raise NotImplementedError

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the `repr`, in IPython and Hypothesis. By itself Hypothesis would print the fields of a dataclass."""
        printer.text(repr(self))

    def _repr_html_(self) -> str:
        return self.view()._repr_html_()


def state_names(model: Named | None, size: int) -> Sequence[str]:
    """Return a model's names of its states. If there is no model, make up names."""
    return [f"s{h}" for h in range(size)] if model is None else model.states


def token_names(model: Named | None, size: int) -> Sequence[str]:
    """Return a model's names of its tokens. If there is no model, make up names."""
    return [f"x{z}" for z in range(size)] if model is None else model.tokens


def by_label(symbol: str, rows: Any, names: Sequence[str], words: str = "") -> Table:
    """Return a table whose rows are named by labels. A single row has no name."""
    return Table(symbol, rows, [""] if len(rows) == 1 else [f"label {i}" for i in range(len(rows))], names, words)


def view_of(model: Any, title: str, size: str, columns: Sequence[str], *above: Table) -> View:
    """Show P[H_0], A and W of a model, after the tables `above`.

    `title` stands in for a model's missing name. `size` is the line of text before the tables. `columns` are the names
    of W's columns.
    """
    tables = (
        *above,
        by_label("P[H_0]", [model.initial], model.states),
        Table("A", model.transition, model.states, model.states, "from column to row"),
        Table("W", model.emission, model.tokens, columns, "column emits row"),
    )
    return View(model.name or title, (size,), tables, (View("source", (model.source,)),) if model.source else ())


def brief(entry: object) -> str:
    """Write an entry of a table: a float in six digits, a long exact number in six digits and a `~`, others in full."""
    digits = shortened(entry)
    return _number(entry) if digits is None else f"{digits}~"


def shortened(entry: object) -> str | None:
    """Return six significant digits of an exact number that is too long to read. Returns None for anything else."""
    if not isinstance(entry, Fraction | int) or len(as_text(entry)) <= LONGEST:
        return None
    return f"{Context(prec=6).divide(Decimal(entry.numerator), Decimal(entry.denominator)):.6g}"


def _number(entry: object) -> str:
    if isinstance(entry, Fraction | int):
        return as_text(entry)
    return f"{entry:.6g}" if isinstance(entry, float) else str(entry)


def _listed(entries: Any) -> list[Any]:
    return entries.tolist() if hasattr(entries, "tolist") else list(entries)


# Markdown


def markdown(table: Table) -> str:
    """Write a table in Markdown. Its symbol is above the names of its rows."""
    head = [table.symbol, *table.column_names]
    rows = ([name, *map(_number, row)] for name, row in zip(table.row_names, table.rows, strict=True))
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


# HTML


def _foldable(table: Table) -> str:
    if max(len(table.row_names), len(table.column_names)) <= MAX_SHOWN:
        return _html_table(table, MAX_SHOWN)
    size = f"all {len(table.row_names)} × {len(table.column_names)}"
    return _html_table(table, MAX_SHOWN) + _details(size, _html_table(table, MAX_UNFOLDED))


def _html_table(table: Table, limit: int) -> str:
    """Write at most `limit` rows and columns of a table, and the number of rows that follow."""
    names = cut(table.row_names, limit, f"{len(table.rows) - limit} more")
    rows = cut(table.rows, limit, ["⋮"] * len(table.column_names))
    named = any(names)  # a vector has one row, and that needs no name
    heads = map(_head, names) if named else names
    cells = ("".join(map(_cell, cut(row, limit, "⋯"))) for row in rows)
    body = "".join(f"<tr>{head}{row}</tr>" for head, row in zip(heads, cells, strict=True))
    columns = "".join(map(_head, cut([*[""] * named, *table.column_names], limit + named, "⋯")))
    words = f" <span>{_subscripts(table.words)}</span>" if table.words else ""
    caption = f"<caption><i>{_subscripts(table.symbol)}</i>{words}</caption>"
    kind = ' class="text"' if any(isinstance(entry, str) for row in table.rows for entry in row[:1]) else ""
    return f"<table{kind}>{caption}<thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>"


def _head(name: str) -> str:
    return f"<th>{escape(printable(name))}</th>" if name else "<td></td>"


def _cell(entry: object) -> str:
    if isinstance(entry, str):
        return f'<td class="text">{escape(printable(entry))}</td>'
    if (digits := shortened(entry)) is not None:
        return f"<td>{_details(f'≈ {digits}', escape(_number(entry)))}</td>"
    if isinstance(entry, Fraction) and entry.denominator > 1:
        digits = f"{float(entry):.6g}"
        about = "" if Fraction(digits) == entry else "≈ "
        return f'<td data-decimal="{about}{digits}"><span>{entry}</span></td>'
    return f"<td{'' if entry else ' class=zero'}>{escape(_number(entry))}</td>"


def _details(summary: str, content: str) -> str:
    return f"<details><summary>{summary}</summary>{content}</details>"


def cut(entries: Sequence[Any], limit: int, rest: object) -> list[Any]:
    """Return the first `limit` entries. If there are more, `rest` stands for them at the end."""
    return [*entries[:limit], *[rest] * (len(entries) > limit)]


def _subscripts(text: str) -> str:
    """Escape text, and set its simple TeX: `H_0`, `X_{1:i}`, `W^+`."""
    text = re.sub(r"_(\w|\{[^}]*\})", lambda match: f"<sub>{match[1].strip('{}')}</sub>", escape(text))
    return re.sub(r"\^([+*\w]|\{[^}]*\})", lambda match: f"<sup>{match[1].strip('{}')}</sup>", text)
