"""The command `headproof search`."""

from __future__ import annotations

from pathlib import Path

import click

from constructions.reading import InputError, check_folder
from verify.certificates import statement_certificate
from verify.commands.arguments import COUNT, as_json, bounds, bounds_options, find, folder_option
from verify.commands.output import UNDECIDED, Certificates, deadline, going_on, show, tell
from verify.search.counterexamples import WITHOUT, Search
from verify.search.drawn import search_drawn
from verify.search.engines import connect, on_cluster, on_processes
from verify.search.outcomes import Engine, in_turn
from verify.search.sharded import search_all
from verify.search.small_models import Bounds
from verify.search.state import State
from verify.shown import surveys
from verify.statements import STATEMENTS


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
    certificates = Certificates(folder)
    within, run, state = bounds(Bounds(3, 2, 3), most), _engine(engine, jobs, scheduler), _state(asked, state_folder)
    until = deadline(timeout)
    finished = False
    try:
        with going_on(state.path if state else None), surveys.searching() as watch:
            listed = outcome = search_all(asked, within, run, state, until, watch)
            if listed.complete and not listed.hit:
                outcome = listed.then(search_drawn(asked, within, most["random"] or 0, most["seed"] or 0, until))
            finished = listed.complete
    finally:
        if state:
            state.close(forget=finished and state_folder is None)
    found = asked.found(within, outcome)
    verdict = found.verdict
    path = certificates.write(statement_certificate(verdict), verdict.model.name) if verdict else None
    where = None if path is None else str(path)
    show(as_json, found.document(where), lambda: surveys.show_search(found, where))
    return 0 if found.exhaustive else UNDECIDED


def _search(statement: str, without: str, length: int, defined: bool) -> Search:
    find(statement, STATEMENTS)
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
        check_folder(Path(folder), "the state of searches")
        state = State(Path(folder), search)
    else:
        try:
            state = State(Path(click.get_app_dir("headproof")) / "searches", search)
        except InputError as error:
            tell(f"what is interrupted will be lost, since {error}")
            return None
    if state.kept:
        done = sum(map(len, state.kept.values()))
        tell(f"going on where it stopped, {done} shards are done ({state.path})")
    return state
