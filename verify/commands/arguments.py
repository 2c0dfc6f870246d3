"""What commands read from the command line: options that they share, statements, a model with its task, mu.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import reduce, wraps
from pathlib import Path
from typing import Any, TypeAlias

import click
from click.shell_completion import CompletionItem

from constructions.models import HMM, ModelAndTask, load, read_recoverable, shipped_names
from constructions.reading import InputError
from constructions.tasks import MemoryTask, Task, read_rows
from constructions.text.documents import Literal, Node, parse
from constructions.text.entries import split
from verify.statements import WITH_A_HEAD, Statement, find

FILE = click.Path(readable=False)
"""A path that Click does not check: Headproof's own error for a missing file says more."""

Option: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]

COUNT = click.IntRange(min=1)
FORMS = ("json", "pytest")


def complete_model(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Complete the name of a model, or of a file. Files come first: the script for bash drops any items before them."""
    names = [CompletionItem(name) for name in shipped_names() if name.startswith(begun)]
    return [CompletionItem(begun, type="file"), *names]


def options(*several: Option) -> Option:
    """Combine several options into one decorator. `--help` lists them in this order."""
    return lambda command: reduce(lambda inner, option: option(inner), reversed(several), command)


folder_option = click.option(
    "--certificates", "folder", metavar="DIR", default="certificates", help="The folder for certificates."
)
mu_option = click.option("--mu", metavar="MU", help="Another task: 1,-1,0, or rows 1,0;0,1 for an arg max.")
task_options = options(
    mu_option,
    click.option(
        "--cell", metavar="J", type=click.IntRange(min=0), help="Of a memory model: the cell that the task is about."
    ),
    click.option(
        "--recoverable",
        metavar="S,...",
        help="Of a memory model: the syntax states S*, in place of the largest set there is.",
    ),
)


def a_statement(statements: Mapping[str, Statement], required: bool = True) -> Option:
    """Give a command the argument STATEMENT, the number of one of these statements.

    The command's parameter `statement` is the `Statement` with this number. It is None if the user gives no number,
    which only `required=False` allows.
    """
    return click.argument(
        "statement",
        required=required,
        callback=lambda _, __, name: None if name is None else find(name, statements, WITH_A_HEAD),
        shell_complete=lambda _, __, begun: [s for s in statements if s.startswith(begun)],
    )


def a_model(*inner: Option, vanilla: bool = False) -> Option:
    """Give a command the option --model and those of a task, as its parameter `model_and_task`.

    A model of another kind than the command's statement is refused. `--help` lists the command's options `inner`
    between --model and the options of a task. If `vanilla`, memory models are refused, and the command has no options
    --cell and --recoverable.
    """

    def give(command: Callable[..., Any]) -> Callable[..., Any]:
        @options(
            click.option(
                "--model",
                "model_file",
                shell_complete=complete_model,
                metavar="FILE",
                required=True,
                help="A model file, or a name.",
            ),
            *inner,
            mu_option if vanilla else task_options,
        )
        @wraps(command)
        def run(model_file: str, **values: Any) -> Any:
            task = {key: values.pop(key) for key in ("mu", "cell", "recoverable") if key in values}
            model_and_task = load_known(model_file, **task, vanilla=vanilla)
            statement, kind = values.get("statement"), model_and_task[0].kind
            if statement is not None and statement.about != kind:
                raise InputError("kind", f'"{kind}"', f'"{statement.about}", which {statement.id} is about', model_file)
            return command(model_and_task=model_and_task, **values)

        return run

    return give


def first_given(*names: str) -> str | None:
    """Return the first of these options that the user set, such as "--mu"; None if none is set."""
    context, default = click.get_current_context(), click.core.ParameterSource.DEFAULT
    options = {option.name: option.opts[0] for option in context.command.params}
    return next((options[name] for name in names if context.get_parameter_source(name) is not default), None)


def is_model(name: str) -> bool:
    """Tell whether a word is meant for a model: it ends in .json, is an existing path, or names a shipped model."""
    return name.endswith(".json") or Path(name).exists() or name in shipped_names()


def load_known(
    path: str, mu: str | None, cell: int | None = None, recoverable: str | None = None, vanilla: bool = False
) -> ModelAndTask:
    """Read a model with its task. A `mu`, `cell` or `recoverable` (S*) that is not None replaces the task's own.

    Raises `InputError` if there is no task, if an option is not for this kind of model, if its value does not fit the
    model, and for a memory model if `vanilla`.
    """
    loaded: Any = load(path)
    model, task = loaded
    if isinstance(model, HMM):
        for option, value in (("--cell", cell), ("--recoverable", recoverable)):
            if value is not None:
                raise InputError("kind", '"hmm"', f'"memory-hmm", which {option} is about', path)
        task = task if mu is None else Task.from_node(rows_of(mu), len(model.states))
    elif vanilla:
        raise InputError("kind", '"memory-hmm"', '"hmm", which this command is about', path)
    else:
        changes: dict[str, Any] = {}
        if mu is not None:
            changes["mu"] = read_rows(rows_of(mu), model.shape.values)
        if cell is not None:
            changes["cell"] = Node(Literal(str(cell)), "--cell", "").index(model.shape.cells)
        if recoverable is not None:
            states = Node([Literal(entry) for entry in split(recoverable, "--recoverable")], "--recoverable", "")
            changes["recoverable"] = read_recoverable(states, model.shape)
        if task is not None:
            task = replace(task, **changes)
        elif mu is not None:
            task = MemoryTask(**changes)
    if task is None:
        raise InputError("task", "none", "a task in the file, or --mu", path)
    return model, task


def rows_of(text: str) -> Node:
    """Read mu: as JSON, or as rows parted by semicolons, each with commas or spaces between its numbers."""
    if text.lstrip().startswith("["):
        return parse(text, "--mu")
    rows = [[Literal(entry) for entry in split(row, "--mu")] for row in text.split(";")]
    return Node(rows[0] if len(rows) == 1 else rows, "", "--mu")
