"""The command `headproof report`."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from constructions.models import shipped_names
from constructions.reading import InputError
from constructions.system.packages import needs
from constructions.system.writing import check_folder
from verify import library
from verify.commands.arguments import COUNT, is_model, load_known
from verify.commands.output import check_output, force_option
from verify.views.terminal import progress


@click.command()
@click.argument("models", metavar="[MODEL]...", nargs=-1)
@click.option("-o", "--out", "folder", metavar="DIR", default="report", help="The folder for the pages.")
@click.option("--jobs", type=COUNT, help="Processes that work side by side.  [default: all processors]")
@force_option
def report(models: tuple[str, ...], folder: str, jobs: int | None, force: bool) -> int:
    """Write a report as HTML pages.

    It shows the paper as a graph of its statements, and has a page for each model. MODEL is the name of a model that
    ships, or a model file. Without MODEL the report is on all models that ship, and has a gallery of the hypotheses
    that the theorems need. The pages need no network: open DIR/index.html.
    """
    check_folder(Path(folder), "the report")
    first = Path(folder) / "index.html"
    check_output(first, force)
    if not first.exists():
        check_output(first.with_name("style.css"), force)
    for name in models:
        if not is_model(name):
            raise InputError("", f'"{name[:40]}"', f"a model file, or one of {', '.join(shipped_names())}", "model")
    models_and_tasks = [load_known(name, None) for name in models] or library.shipped()
    needs("report", "jinja2", "latex2mathml", "matplotlib")
    from verify.report.gather import gather
    from verify.report.site import write

    watch = partial(progress, what="models, and hypotheses that the theorems need")
    content = gather(models_and_tasks, not models, jobs or (1 if len(models_and_tasks) == 1 else -1), watch)
    index, number = write(content, Path(folder)), len(models_and_tasks)
    click.echo(f"{number} model{'s' * (number != 1)}, {len(content.verdicts)} verdicts: {index}")
    return 0
