"""The command `headproof search`."""

from __future__ import annotations

from contextlib import suppress
from math import inf
from pathlib import Path
from time import time

import click

from constructions.reading import InputError
from constructions.system.writing import check_folder
from verify import workbench
from verify.certificates import statement_certificate
from verify.commands.arguments import COUNT, FORMS, first_given, folder_option
from verify.commands.output import UNDECIDED, Certificates, as_json, check_output, force_option, show, tell
from verify.search import stored_table
from verify.search.checkpoint import Checkpoint, default_path
from verify.search.outcomes import Examiner
from verify.search.parallel import Run, WorkerError, connect
from verify.statements import STATEMENTS, find
from verify.views import surveys, terminal


@click.command()
@click.argument("statement")
@click.option("--without", metavar="ID", help="The hypothesis, or the part of one, that models violate.")
@click.option("--assuming", metavar="ID", multiple=True, help="With FILE.py:NAME: an assumption that models meet.")
@click.option("--max-states", type=COUNT, help="Examine models of at most this many states.")
@click.option("--max-tokens", type=COUNT, help="Examine models of at most this many tokens.")
@click.option("--max-denominator", type=COUNT, help="Probabilities are multiples of 1/d, for some d of at most this.")
@click.option("--max-length", type=COUNT, help="Refute by inputs of at most this length.  [default: 4, on R 3]")
@click.option("--defined", is_flag=True, help="Leave out inputs whose masked output is 0/0 (these need 3.2 to fail).")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="Stop after this time.  [default: 60, without bounds of your own]",
)
@click.option("--jobs", type=COUNT, help="Processes of this machine that search side by side.  [default: 1]")
@click.option(
    "--scheduler", metavar="ADDRESS", help="Search on the Dask cluster with this address: tcp://10.0.0.1:8786."
)
@click.option(
    "--checkpoint", metavar="FILE", help="Record there how far the search has come, also when it is finished."
)
@click.option("--out", metavar="NAME", help="Write the counterexample to NAME.json, which commands read as a model.")
@click.option("--as", "form", type=click.Choice(FORMS), help="Print the counterexample as a model file, or as a test.")
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
    scheduler: str | None,
    checkpoint: str | None,
    out: str | None,
    force: bool,
    form: str | None,
    folder: str,
    **largest: int | None,
) -> int:
    """Find the smallest counterexample.

    For a theorem, find the smallest model that meets all hypotheses but one, and on which the conclusion fails. For a
    statement of your own, find the smallest model on which it fails. Such a STATEMENT is FILE.py:NAME, a function of a
    model and a task that returns True, False, a verdict, or None where the statement does not apply.

    If you give no bounds, the search of a theorem begins with the stored table. If the table does not settle the
    search, or the statement is your own, the search widens bounds of its own until it finds a counterexample or the
    time is up. An interrupted search goes on where it stopped, also with other bounds on the models. The exit status is
    3 if some model within the printed bounds could be the smallest counterexample, but was not decided. A theorem
    alone, without --without, prints its row of the stored table: is each hypothesis needed? The exit status is 3 if
    that is open for some hypothesis.
    """
    with suppress(InputError):  # it may be the user's own
        statement = find(statement, STATEMENTS).id
    row = [cell for (theorem, _), cell in stored_table.cells().items() if theorem == statement]
    if row and without is None and not assuming:
        names = ("max_length", "defined", "timeout", "jobs", *largest, "scheduler", "checkpoint", "out", "form")
        if option := first_given(*names):
            expected = "it with --without ID: a theorem alone prints its row of the stored table"
            raise InputError(option, "no --without", expected)
        show({"cells": row}, *surveys.of_row(row))
        return UNDECIDED if any(cell["answer"] == "open" for cell in row) else 0
    try:
        query = workbench.search_for(statement, without, assuming, max_length, defined)
    except InputError as error:
        option = f"--{error.where}" if error.where in ("without", "assuming") else error.where
        raise InputError(option, error.actual, error.expected, error.source) from None
    bounds = workbench.bounds_of(*(largest[f"max_{key}"] for key in ("states", "tokens", "denominator")))
    if scheduler is not None and jobs is not None:
        raise InputError("--jobs", "--scheduler", "no --jobs: a cluster has its own workers")
    client = connect(scheduler) if scheduler else None
    if out is not None:
        check_output(Path(f"{out.removesuffix('.json')}.json"), force)
    certificates, progress = Certificates(folder), _checkpoint(query, checkpoint)
    if bounds is None and timeout is None:
        timeout = workbench.WIDENING_SECONDS
    until = inf if timeout is None else time() + timeout
    where = "" if progress is None else f"; the same command goes on where this stops ({progress.path})"
    try:
        run = Run(jobs or 1, client, progress, until, terminal.progress)
        result = workbench.find_counterexample(query, bounds, run)
    except KeyboardInterrupt:
        tell(f"stopping{where}")
        raise click.Abort from None
    except WorkerError as error:
        tell(f"not decided, {error}{where}")
        raise click.exceptions.Exit(UNDECIDED) from None
    finished = result.outcome.complete and (bounds is not None or result.counterexample is not None)
    if progress and checkpoint is None and (finished or not progress.sizes):
        progress.path.unlink()
    text = (result.as_pytest if form == "pytest" else result.as_json) if form and result.counterexample else None
    path = result.save(out) if out and result.counterexample else None
    if result.verdict and not out:
        path = certificates.write(statement_certificate(result.verdict), result.verdict.model.name)
    written = None if path is None else str(path)
    if text is None:
        show(result.document(written), *surveys.of_search(result, written))
    else:
        click.echo(text)
    return 0 if result.exhaustive else UNDECIDED


def _checkpoint(search: Examiner, file: str | None) -> Checkpoint | None:
    """Open the checkpoint `file`; without it, a checkpoint in the user's own folder.

    Return None if `file` is None and the checkpoint in the user's own folder cannot be written.
    """
    if file is not None:
        check_folder(Path(file).parent, "the checkpoint")
        checkpoint = Checkpoint(Path(file), search)
    else:
        path = default_path(Path(click.get_app_dir("headproof")) / "searches", search)
        try:
            checkpoint = Checkpoint(path, search)
        except OSError as error:
            tell(f"an interrupted search will be lost, as there can be no {error.filename or path}")
            return None
    if checkpoint.shards:
        tell(f"going on where it stopped, {checkpoint.shards} shards are done ({checkpoint.path})")
    return checkpoint
