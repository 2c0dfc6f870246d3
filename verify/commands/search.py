"""The command `headproof search`."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path
from time import time

import click

from constructions.reading import InputError
from verify.certificates import statement_certificate, write
from verify.commands.options import COUNT, as_json, bounds_options, check_folder, folder_option
from verify.search.counterexamples import WITHOUT, Search, Searched
from verify.search.drawn import search_drawn
from verify.search.engines import EngineError, connect, on_cluster, on_processes
from verify.search.outcomes import Engine, in_turn
from verify.search.sharded import search_all
from verify.search.small_models import Bounds
from verify.search.state import State
from verify.shown import surveys
from verify.statements import STATEMENTS

UNDECIDED = 3


@click.command()
@click.argument("statement")
@click.option("--without", metavar="ID", required=True, help="The hypothesis, or the part of one, that is to fail.")
@bounds_options
@click.option("--max-length", type=COUNT, default=4, show_default=True, help="Refute by inputs of at most this length.")
@click.option("--defined", is_flag=True, help="Leave out inputs whose masked output is 0/0 (these need 3.2 to fail).")
@click.option("--timeout", type=click.FloatRange(min=0), metavar="SECONDS", help="Stop after this time.")
@click.option("--jobs", type=COUNT, help="Processes of this machine that search side by side.  [default: 1]")
@click.option(
    "--engine",
    type=click.Choice(("loky", "dask")),
    default="loky",
    show_default=True,
    help="This machine, or a cluster.",
)
@click.option("--scheduler", metavar="ADDRESS", help="With --engine dask: of its scheduler, as in tcp://10.0.0.1:8786.")
@click.option(
    "--state", "state_folder", metavar="DIR", help="Keep there what is done, also of a search that is finished."
)
@folder_option
@as_json
def search(
    statement: str,
    without: str,
    max_length: int,
    defined: bool,
    timeout: float | None,
    jobs: int | None,
    engine: str,
    scheduler: str | None,
    state_folder: str | None,
    folder: str,
    as_json: bool,
    **most: int | None,
) -> int:
    """Find the smallest model that meets all hypotheses of STATEMENT but one, and on which no head will do.

    What is interrupted goes on where it stopped when it is called again, with whatever bounds. Exit status 3 if a model
    that could be smaller was not decided.
    """
    asked = _search(statement, without, max_length, defined)
    check_folder(folder)
    bounds = Bounds(most["max_states"] or 3, most["max_tokens"] or 2, most["max_denominator"] or 3)
    run = _engine(engine, jobs, scheduler)
    state = _state(asked, state_folder)
    until = inf if timeout is None else time() + timeout
    finished = False
    try:
        with surveys.searching() as watch:
            outcome = search_all(asked, bounds, run, state, until, watch)
            finished = outcome.complete
            if finished and not outcome.hit:
                outcome = outcome.then(search_drawn(asked, bounds, most["random"] or 0, most["seed"] or 0, until))
    except EngineError as error:
        click.echo(f"headproof: not decided, {error}{_goes_on(state)}", err=True)
        return UNDECIDED
    except KeyboardInterrupt:
        finished = False
        click.echo(f"headproof: stopping{_goes_on(state)}", err=True)
        raise click.Abort from None
    finally:
        if state:
            state.close(forget=finished and state_folder is None)
    found = Searched(asked, bounds, outcome, None if outcome.hit is None else asked.verdict(outcome.hit))
    certificate = found.verdict and statement_certificate(found.verdict)
    path = str(write(certificate, Path(folder), found.verdict.model.name)) if found.verdict and certificate else None
    if as_json:
        click.echo(json.dumps(found.document(path)))
    else:
        surveys.show_search(found, path)
    return 0 if found.exhaustive else UNDECIDED


def _search(statement: str, without: str, length: int, defined: bool) -> Search:
    if statement not in STATEMENTS:
        raise InputError("", f'"{statement[:40]}"', f"a statement: {', '.join(STATEMENTS)}", "statement")
    known = [part for of, part in WITHOUT if of == statement]
    if without not in known:
        raise InputError("--without", f'"{without[:40]}"', f"of {statement}: {', '.join(known) or 'none yet'}")
    return Search(statement, without, length, defined)


def _engine(engine: str, jobs: int | None, scheduler: str | None) -> Engine:
    if engine == "dask":
        if jobs is not None:
            raise InputError("--jobs", "--engine dask", "no --jobs: a cluster has its own workers")
        if scheduler is None:
            raise InputError("--scheduler", "none", "the address of a Dask scheduler with --engine dask")
        return on_cluster(connect(scheduler))
    if scheduler is not None:
        raise InputError("--scheduler", "no --engine dask", "it with --engine dask")
    return in_turn if jobs in (None, 1) else on_processes(jobs)


def _state(search: Search, folder: str | None) -> State | None:
    """Open the state in the folder asked for, or in the user's own, without which a search can do."""
    if folder is not None:
        check_folder(folder, "the state of searches")
        state = State(Path(folder), search)
    else:
        try:
            state = State(Path(click.get_app_dir("headproof")) / "searches", search)
        except InputError as error:
            click.echo(f"headproof: what is interrupted will be lost, since {error}", err=True)
            return None
    if state.kept:
        done = sum(map(len, state.kept.values()))
        click.echo(f"headproof: going on where it stopped, {done} shards are done ({state.path})", err=True)
    return state


def _goes_on(state: State | None) -> str:
    return "" if state is None else f"; the same command goes on where this stops ({state.path})"
