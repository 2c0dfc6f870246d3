"""The command `headproof necessity`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from constructions.evidence import Json
from constructions.models import Known
from constructions.reading import InputError
from constructions.system.writing import check_folder
from verify.commands.arguments import COUNT, bounds, refuse
from verify.commands.output import UNDECIDED, as_json, deadline, going_on, show
from verify.search import necessity_table
from verify.search.counterexamples import Search, length_of
from verify.search.engines import on_processes
from verify.search.necessity import KEYS, Searcher, bounds_of, decide
from verify.search.necessity_table import Cell, Key
from verify.search.outcomes import Engine, Outcome, in_turn
from verify.search.sharded import search_all
from verify.search.small_models import Bounds
from verify.search.state import State
from verify.shown import necessity_page, surveys, terminal
from verify.statements import THEOREMS, find


@click.command()
@click.argument("statements", nargs=-1)
@click.option("--without", metavar="ID", help="Only this hypothesis, or part of one.")
@click.option("--max-states", type=COUNT, help="In place of each cell's own bounds: so many states,")
@click.option("--max-tokens", type=COUNT, help="so many tokens,")
@click.option("--max-denominator", type=COUNT, help="and probabilities that are multiples of 1/d for a d up to this.")
@click.option("--max-length", type=COUNT, help="Refute by inputs of at most this length.  [default: 4, on R 3]")
@click.option("--timeout", type=click.FloatRange(min=0), metavar="SECONDS", help="Stop each search after this time.")
@click.option("--jobs", type=COUNT, help="Processes that search side by side.  [default: 1]")
@click.option("--state", metavar="DIR", help="Keep there what is done, also when all is done.")
@click.option("--out", metavar="DIR", help="Decide anew, and write the table, its models and certificates there.")
@as_json
def necessity(
    statements: tuple[str, ...],
    without: str | None,
    max_length: int | None,
    timeout: float | None,
    jobs: int | None,
    state: str | None,
    out: str | None,
    **most: int | None,
) -> int:
    """Tell of each hypothesis of the theorems (or of STATEMENTs) whether it is needed.

    needed: the smallest counterexample, with its certificate. not needed: a reason, checked on every small model. none
    found: up to which bounds. open: why. It is the finished table that is shown, unless --out asks for another one: the
    cells of a table that is in DIR already and are not asked for are kept, and what is interrupted goes on where it
    stopped. Exit status 3 if a cell is open.
    """
    keys = _keys(statements, without)
    if out is None:
        asked = {"max_length": max_length, "timeout": timeout, "jobs": jobs, "state": state, **most}
        refuse(asked, "--out DIR: without it the finished table is shown")
        return _show(necessity_table.load(necessity_table.finished()), keys, necessity_table.finished())
    folder, states = Path(out), Path(state or Path(click.get_app_dir("headproof")) / "necessity")
    check_folder(folder, "the table")
    check_folder(states, "the state of searches")
    used: set[Path] = set()
    search = _searcher(states, used, in_turn if jobs in (None, 1) else on_processes(jobs), timeout)
    kept = necessity_table.load(folder)
    decided: dict[Key, Cell] = {}
    with going_on(states):
        for key in keys:
            whole = decided.get((key[0], key[1].partition(":")[0]))
            length, until = max_length or length_of(key), deadline(timeout)
            decided[key] = decide(key, bounds(bounds_of(key), most), length, search, _counted, until, whole)
            kept[key] = necessity_table.document(decided[key], folder)
            necessity_table.save({key: kept[key] for key in KEYS if key in kept}, folder)
    for path in used if state is None else ():
        path.unlink(missing_ok=True)
    return _show(kept, keys, folder)


def _show(table: Mapping[Key, Json], keys: Sequence[Key], folder: Path) -> int:
    cells = [table[key] for key in keys]
    show({"cells": cells}, lambda: necessity_page.show(cells, folder))
    return UNDECIDED if any(cell["answer"] == "open" for cell in cells) else 0


def _keys(statements: Sequence[str], without: str | None) -> list[Key]:
    for name in statements:
        find(name, THEOREMS, "a theorem")
    asked = [key for key in KEYS if key[0] in (statements or THEOREMS)]
    if without is not None:
        known = dict.fromkeys(part for _, part in asked)
        asked = [key for key in asked if key[1] == without]
        if not asked:
            raise InputError("--without", f'"{without[:40]}"', f"one of {', '.join(known)}")
    return asked


def _searcher(states: Path, used: set[Path], run: Engine, timeout: float | None) -> Searcher:
    """Search with a state in a folder; `used` collects the files."""

    def search(asked: Search, bounds: Bounds) -> Outcome:
        state = State(states, asked)
        used.add(state.path)
        try:
            with surveys.searching() as watch:
                return search_all(asked, bounds, run, state, deadline(timeout), watch)
        finally:
            state.close(forget=False)

    return search


def _counted(models: Iterable[Known]) -> Iterator[Known]:
    with terminal.counting("deciding on models") as watch:
        yield from watch(models)
