"""The commands `headproof generate`, `headproof models` and `headproof import`: three sources of models."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from constructions.importers.files import from_file
from constructions.importers.fitted import STARTS
from constructions.models import document, save, text
from constructions.reading import InputError
from constructions.rendering import Table, View
from constructions.tasks import Task
from verify import library
from verify.commands.arguments import COUNT, FILE, mu_option, rows_of
from verify.commands.output import as_json, check_output, force_option, in_json, show, tell
from verify.margin.rounding import lifted_entries, relabelled
from verify.strategies import generate as generators


@click.command()
@click.option("--appendix-d", is_flag=True, help="The random models of the paper's appendix D.")
@click.option(
    "--satisfying",
    metavar="ID",
    multiple=True,
    type=click.Choice(generators.IDS),
    help="An assumption that models meet.",
)
@click.option("--violating", metavar="ID", type=click.Choice(generators.IDS), help="An assumption that models violate.")
@click.option("--states", type=COUNT, help="The number of hidden states.  [default: 3; appendix D: 8]")
@click.option("--tokens", type=COUNT, help="The number of tokens.  [default: 3; appendix D: 10]")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="The same seed gives the same models.")
@click.option("--count", type=COUNT, default=1, help="The number of models.")
@click.option("--denominator", type=COUNT, help="The denominator of probabilities of appendix D.  [default: 1000000]")
@click.option(
    "--out", metavar="DIR", help="Write each model to NAME.json there.  [default: write one model to standard output]"
)
@force_option
@as_json
def generate(out: str | None, count: int, force: bool, **options: Any) -> int:
    """Draw random models.

    They are models of the paper's appendix D, or models that meet each assumption given as --satisfying and violate
    the one given as --violating.
    """
    if count > 1 and out is None and not in_json():
        raise InputError("--out", "none", f"a folder for {count} models")
    problems = generators.generate(count=count, **options)
    paths = list[str]()
    if out is not None:
        for model, _ in problems:
            check_output(Path(out) / f"{model.name}.json", force)
        paths = [str(generators.write(problem, Path(out))) for problem in problems]
    show({"models": paths or [document(*problem) for problem in problems]}, *(paths or [text(*problems[0])]))
    return 0


@click.command("import")
@click.argument("path", type=FILE, metavar="FILE")
@click.option(
    "--orientation",
    type=click.Choice(["rows", "columns"]),
    help="Of arrays: whether rows or columns are distributions.",
)
@click.option("--start", type=click.Choice(STARTS), default=STARTS[0], help="P[H_0] of a fitted model.")
@click.option("--denominator", type=COUNT, default=10_000, help="The denominator of every lifted probability.")
@click.option("--states", metavar="NAMES", help="Names of the states, with commas between.")
@click.option("--tokens", metavar="NAMES", help="Names of the tokens, with commas between.")
@click.option("--unpickle", is_flag=True, help="Read a pickle. A pickle can run any code: read only your own.")
@mu_option
@click.option("--out", "-o", metavar="MODEL", help="Write the model file there.  [default: standard output]")
@force_option
@as_json
def import_(path: str, mu: str | None, out: str | None, force: bool, **options: Any) -> int:
    """Import arrays, tables or fitted models.

    FILE is a .npz with the arrays initial, transition and emission; or a folder with initial.csv, transition.csv and
    emission.csv; or a model file of decimals; or a pickled model of hmmlearn, pomegranate or dynamax. FILE's floats are
    rounded to multiples of 1/DENOMINATOR. Without --json, messages on standard error say how far the floats moved,
    whether 3.2 depends on the rounding, and with --mu how many labels the rounding changes.
    """
    if out is not None:
        check_output(Path(out), force)
    for key in ("states", "tokens"):
        options[key] = [name for name in (options[key] or "").split(",") if name]
    model, lift = from_file(path, **options)
    task = None if mu is None else Task.from_node(rows_of(mu), len(model.states))
    lines = [f"{len(model.states)} states, {len(model.tokens)} tokens", str(lift)]
    if model.rounding:
        with suppress(InputError):  # no P[H_0] may lead to the floats' P[H_1], as `--start solve` asks
            exact, _ = from_file(path, **options | {"denominator": None})
            lines += filter(None, [lifted_entries(model, exact)])
            lines += [relabelled(exact, model, task).sentence(model)] if task else []
    for line in lines if not in_json() else ():
        tell(line)
    if out is not None:
        save(model, task, out)
    contents = {"model": document(model, task), "lift": lift.document, "told": lines}
    show(contents, text(model, task) if out is None else f"Written to {out}.")
    return 0


@click.command()
@as_json
def models() -> int:
    """List the models that ship.

    Commands take them by their names.
    """
    columns, rows = ["kind", "states", "tokens", "for"], {}
    for model, _ in library.shipped():
        rows[model.name] = [model.kind, len(model.states), len(model.tokens), library.purpose(model.name)]
    documents = [{"name": name, **dict(zip(columns, row, strict=True))} for name, row in rows.items()]
    show({"models": documents}, View("", (), (Table.of("name", rows, columns),)))
    return 0
