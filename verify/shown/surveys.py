"""What a person sees of `headproof search` in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic

import click
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

from constructions.evidence import input_words
from verify.library import example
from verify.search.found import Searched
from verify.search.sharded import Standing, Watch
from verify.search.small_models import Bounds
from verify.shown import terminal


@contextmanager
def searching() -> Iterator[Watch]:
    """Show on standard error how far a search has come, how fast, and how long it takes yet, if that is a terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(10), MofNCompleteColumn(), TextColumn("{task.fields[pace]}"))
    with terminal.bar(*columns) as shown:
        bar, start = shown.add_task("listing models", total=None, pace=""), monotonic()

        def watch(now: Standing) -> None:
            seconds = monotonic() - start
            left = timedelta(seconds=round(seconds * now.left / now.worked))
            description = f"{now.size[0]} states, {now.size[1]} tokens, 1/{now.size[2]}"
            pace = f"{now.examined / seconds:,.0f} models/s, at most {left} left"
            shown.update(bar, total=now.shards, completed=now.done, description=description, pace=pace)

        yield watch


def show_search(found: Searched, path: str | None) -> None:
    """Print the model that was found, or up to which bounds there is none."""
    outcome, verdict = found.outcome, found.verdict
    counts = f"{outcome.examined} models examined ({outcome.candidates} meet the rest), {outcome.undecided} undecided"
    if found.known is None:
        terminal.say(f"{found.sentence}, {counts}")
    else:
        terminal.say(found.sentence)
        click.echo(f"  {example(*found.known)}")
        if found.undefined:
            terminal.say(f"  0/0, read as 0: {input_words(found.undefined, found.known[0])}")
        terminal.say(f"{'the smallest' if found.exhaustive else 'perhaps not the smallest'}: {counts}")
        if path is not None:
            terminal.say(f"{'certificate' if verdict else 'model'}: {path}")
    inputs = "inputs whose output is not 0/0" if found.search.defined else "inputs"
    lengths = f", {inputs} of length {found.search.length}" if found.search.length else ""
    terminal.say(f"bounds: {_bounds(found.bounds)}{lengths}")
    if found.remark:
        terminal.say(found.remark)


def _bounds(bounds: Bounds) -> str:
    return f"{bounds.states} states, {bounds.tokens} tokens, denominator {bounds.denominator}"
