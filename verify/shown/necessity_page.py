"""What people see of the table of `headproof necessity`: in the terminal, on its page, and in the README.

    python -m verify.shown.necessity_page     writes docs/necessity.md and the table of README.md anew

Every word of the page is that of results/necessity, or of necessity.md beside this file; nothing is decided here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from constructions.rendering import Table, View
from verify.search.necessity_table import COMMAND, Key, load
from verify.shown import terminal
from verify.shown.pages import filled, sentence, table
from verify.statements import THEOREMS

ANSWERS = ("needed", "not needed", "none found", "open")

Cell = Mapping[str, Any]

MARKS = ("<!-- necessity -->\n", "<!-- /necessity -->\n")
"""Where the table stands in the README."""


def show(cells: Sequence[Cell], folder: Path) -> None:
    """Print a row for each cell, the reasons of those that are not needed or open, and lines to paste into a test."""
    names = ["without", "answer", "n", "k", "d", "length", "smallest", "models"]
    rows = [[cell["without"], cell["answer"], *_figures(cell)] for cell in cells]
    words = "n states, k tokens, denominator d; length of the longest refuting input; models looked at"
    shown = Table("theorem", rows, [cell["statement"] for cell in cells], names, words)
    others = [cell for cell in cells if cell["answer"] != "needed"]
    reasons = [f"{_title(cell)}: {cell['answer']}. {sentence(cell['reason'])} {_extent(cell)}" for cell in others]
    terminal.show(View("", tables=(shown,)), *(View("", (reason,)) for reason in reasons))
    for cell in cells:
        if cell["counterexample"]:
            terminal.say("")
            terminal.say(f"{_title(cell)}: {cell['reason']}")
            click.echo(cell["counterexample"]["example"])
    terminal.say("")
    terminal.say(f"table, models and certificates: {folder}/")


def _figures(cell: Cell) -> tuple[int | str, ...]:
    found, looked = cell["counterexample"], cell["searched"] or cell["tried"]
    if not found:
        return "", "", "", "", "", looked["examined"]
    sizes = (found["states"], found["tokens"], found["denominator"], max(map(len, found["inputs"])))
    return *sizes, "yes" if found["smallest"] else "not known", looked["examined"]


def _title(cell: Cell) -> str:
    return f"{cell['statement']} without {cell['without']}"


def _extent(cell: Cell) -> str:
    """Say on which models a cell was decided, and what came of it."""
    looked = cell["tried"] or cell["searched"]
    bounds = looked["bounds"]
    most = f"{bounds['states']} states, {bounds['tokens']} tokens, denominator {bounds['denominator']}"
    if cell["tried"]:
        of = f"Of {looked['examined']} models (up to {most}, and {bounds['drawn']} larger ones that were drawn)"
        if not looked["alone"]:
            return f"{of} none violates it alone."
        of = f"{of} {looked['candidates']} violate it alone"
        return (
            f"{of}; there it is proved on {looked['proved']}, on {looked['telling']} of which both labels occur in R."
        )
    counts = f"{looked['examined']} models examined, {looked['candidates']} of which meet the rest"
    where = "" if looked["without"] == cell["without"] else f", in the search without all of {looked['without']}"
    return f"Up to {most}, inputs of length {bounds['length']}{where}: {counts}, {looked['undecided']} undecided."


# Markdown


def compact(cells: Mapping[Key, Cell]) -> str:
    """Return the table of the README: a row for each theorem, a column for each answer."""
    given = {cell["answer"] for cell in cells.values()}
    answers = [answer for answer in ANSWERS if answer in given]
    rows = []
    for statement in THEOREMS:
        own = [cell for cell in cells.values() if cell["statement"] == statement]
        rows.append([statement, *(", ".join(c["without"] for c in own if c["answer"] == one) for one in answers)])
    return table(["theorem", *answers], rows) + "\n"


def page(cells: Mapping[Key, Cell]) -> str:
    """Return the page."""
    lines: list[str] = []
    for statement, known in THEOREMS.items():
        own = [cell for cell in cells.values() if cell["statement"] == statement]
        if own:
            lines += [f"## {statement}: {known.title}", "", *(line for cell in own for line in _section(cell))]
    return filled(
        "necessity.md",
        {
            "command": COMMAND,
            "count": str(len(cells)),
            "table": compact(cells),
            "beyond": beyond(cells.values()),
            "cells": "\n".join(lines).removesuffix("\n"),
        },
    )


def beyond(cells: Iterable[Cell]) -> str:
    """Return a table of the counterexamples not known to be the smallest: their sizes, and up to which none is."""
    rows = []
    for cell in cells:
        found, searched = cell["counterexample"], cell["searched"]
        if found and not found["smallest"]:
            sizes = (found["states"], found["tokens"], found["denominator"], max(map(len, found["inputs"])))
            all_decided = searched["complete"] and not searched["undecided"]
            bounds = [searched["bounds"][key] for key in ("states", "tokens", "denominator", "length")]
            none = (", ".join(map(str, bounds)) if all_decided else "not known", searched["examined"])
            rows.append([_title(cell), ", ".join(map(str, sizes)), *none])
    size = "states, tokens, denominator, inputs up to length"
    return table(["", f"found: {size}", f"none up to: {size}", "models there"], rows) + "\n"


def _section(cell: Cell) -> list[str]:
    lines = [f"### Without {cell['without']}: {cell['answer']}", "", sentence(cell["reason"]), ""]
    for found, what in ((cell["counterexample"], ""), (cell["as_zero"], " with 0/0 read as 0")):
        if found:
            lines += [_found(found, what), "", "```", found["example"], "```", ""]
    shown = cell["tried"] and cell["tried"]["certificate"]
    lines += [_extent(cell) + (f" [Certificate of one](../results/necessity/{shown})." if shown else ""), ""]
    return lines


def _found(found: Cell, what: str) -> str:
    longest = max(map(len, found["inputs"]))
    sizes = f"{found['states']} states, {found['tokens']} tokens, denominator {found['denominator']}"
    which = "The smallest counterexample" if found["smallest"] else "A counterexample, not known to be the smallest"
    links = ", ".join(f"[{name}](../results/necessity/{found[name]})" for name in ("model", "certificate"))
    return f"{which}{what} ({sizes}, inputs up to length {longest}): {links}."


def main(root: Path) -> None:
    """Write the page and the table of the README."""
    cells = load(root / "results" / "necessity")
    (root / "docs" / "necessity.md").write_text(page(cells), encoding="utf-8")
    readme = root / "README.md"
    readme.write_text(inserted(readme.read_text(encoding="utf-8"), compact(cells)), encoding="utf-8")


def inserted(text: str, table: str) -> str:
    """Return a text with the table between its marks."""
    start, end = map(re.escape, MARKS)
    return re.sub(f"{start}.*?{end}", lambda _: MARKS[0] + table + MARKS[1], text, flags=re.DOTALL)


if __name__ == "__main__":
    main(Path())
