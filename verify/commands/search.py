"""The command `headproof search`."""

from __future__ import annotations

from pathlib import Path

import click

from constructions.reading import InputError
from constructions.system.writing import check_folder
from verify import workbench
from verify.certificates import statement_certificate
from verify.commands.arguments import COUNT, FORMS, bounds_options, folder_option
from verify.commands.output import (
    UNDECIDED,
    Certificates,
    as_json,
    check_output,
    deadline,
    force_option,
    going_on,
    show,
    tell,
)
from verify.search.engines import connect, on_cluster, on_processes
from verify.search.outcomes import Engine, Examiner, in_turn
from verify.search.state import State
from verify.shown import surveys

TIME, ENGINES = click.FloatRange(min=0), click.Choice(("loky", "dask"))


@click.command()
@click.argument("statement")
@click.option("--without", metavar="ID", help="The hypothesis, or the part of one, that is to fail.")
@click.option("--assuming", metavar="ID", multiple=True, help="With FILE.py:NAME: an assumption that is to hold.")
@bounds_options
@click.option("--max-length", type=COUNT, help="Refute by inputs of at most this length.  [default: 4, on R 3]")
@click.option("--defined", is_flag=True, help="Leave out inputs whose masked output is 0/0 (these need 3.2 to fail).")
@click.option(
    "--timeout", type=TIME, metavar="SECONDS", help="Stop after this time.  [default: 60, without bounds of one's own]"
)
@click.option("--jobs", type=COUNT, help="Processes of this machine that search side by side.  [default: 1]")
@click.option("--engine", type=ENGINES, default="loky", show_default=True, help="This machine, or a cluster.")
@click.option("--scheduler", metavar="ADDRESS", help="With --engine dask: of its scheduler, as in tcp://10.0.0.1:8786.")
@click.option(
    "--state", "state_folder", metavar="DIR", help="Keep there what is done, also of a search that is finished."
)
@click.option("--out", metavar="NAME", help="Write what is found to NAME.json, which is read wherever a model is.")
@click.option("--as", "form", type=click.Choice(FORMS), help="Print what is found as a model file, or as a test.")
@force_option
@folder_option
@as_json
def search(
    statement: str,
    without: str | None,
    assuming: tuple[str, ...],
    max_length: int | None,
    defined: bool,
    timeout: float | None,
    jobs: int | None,
    engine: str,
    scheduler: str | None,
    state_folder: str | None,
    out: str | None,
    force: bool,
    form: str | None,
    folder: str,
    random: int | None,
    seed: int | None,
    **most: int | None,
) -> int:
    """Find the smallest model that meets all hypotheses of STATEMENT but one, and on which no head will do.

    Or on which a statement of one's own fails: FILE.py:NAME, a function of a model and a task that returns whether it
    holds, a verdict, or None where it says nothing. Without bounds it begins with what is known, and widens them until
    the time is spent. What is interrupted goes on where it stopped when it is called again, with whatever bounds. Exit
    status 3 if a model that could be smaller was not decided.
    """
    try:
        asked = workbench.asked_for(statement, without, assuming, max_length, defined)
    except InputError as error:
        where = f"--{error.where}" if error.where in ("without", "assuming") else error.where
        raise InputError(where, error.found, error.expected, error.source) from None
    within = workbench.bounds_of(*(most[f"max_{key}"] for key in ("states", "tokens", "denominator")))
    if within is None and random:
        within = workbench.START[asked.about]
    if out is not None:
        check_output(Path(f"{out.removesuffix('.json')}.json"), force)
    certificates, run, state = Certificates(folder), _engine(engine, jobs, scheduler), _state(asked, state_folder)
    until = deadline(workbench.SECONDS if within is None and timeout is None else timeout)
    found = None
    try:
        with going_on(state.path if state else None), surveys.searching() as watch:
            job = workbench.Run(run, state, until, watch, seed or 0)
            found = job.widening(asked) if within is None else job.within(asked, within, random or 0)
    finally:
        if state:
            over = found is not None and (within is not None or found.known) and found.outcome.complete
            state.close(forget=bool(over) and state_folder is None)
    path = found.save(out) if out and found.known else None
    if found.verdict and not out:
        path = certificates.write(statement_certificate(found.verdict), found.verdict.model.name)
    written = None if path is None else str(path)
    if form and found.known:
        click.echo(found.as_pytest if form == "pytest" else found.as_json)
    else:
        show(found.document(written), lambda: surveys.show_search(found, written))
    return 0 if found.exhaustive else UNDECIDED


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


def _state(search: Examiner, folder: str | None) -> State | None:
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
