"""Options that commands of `headproof` share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from constructions.reading import InputError

COUNT = click.IntRange(min=1)

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
folder_option = click.option(
    "--certificates", "folder", metavar="DIR", default="certificates", show_default=True, help="Where certificates go."
)

one_model = click.option("--model", "model_file", metavar="FILE", required=True, help="A model file.")
mu_option = click.option("--mu", metavar="MU", help="Another task: 1,-1,0, or rows 1,0;0,1 for an arg max.")
cell_option = click.option(
    "--cell", metavar="J", type=click.IntRange(min=0), help="Of a memory model: the cell that the task is about."
)
recoverable_option = click.option(
    "--recoverable", metavar="S,...", help="Of a memory model: the syntax states S*, in place of the most there are."
)


def bounds_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which models are listed, and which are drawn."""
    for option in (
        click.option("--seed", type=click.IntRange(min=0), help="Of the models drawn.  [default: 0]"),
        click.option("--random", type=click.IntRange(min=0), help="How many larger models are drawn then."),
        click.option("--max-denominator", type=COUNT, help="Probabilities are multiples of 1/d for a d up to this."),
        click.option("--max-tokens", type=COUNT, help="Every model up to so many tokens."),
        click.option("--max-states", type=COUNT, help="Every model up to so many states."),
    ):
        command = option(command)
    return command


def check_folder(folder: str, what: str = "certificates") -> None:
    """Refuse, before any work, a folder that cannot be one."""
    for path in (Path(folder), *Path(folder).parents):
        if path.exists() and not path.is_dir():
            raise InputError("", "a file", f"a folder for {what}", str(path))
