"""What a shell completes: options, statements, hypotheses and shipped models, without importing any command.

`python -m verify.completion > verify/completion.json` writes down anew what the commands take; a test
holds the file to them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.resources import files
from inspect import cleandoc
from typing import Any, TypeAlias

import click
from click.shell_completion import CompletionItem

Offer: TypeAlias = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

STATEMENTS, MODELS, HYPOTHESES = {"statement", "statements"}, {"model_file", "model_files"}, "without"
"""The parameters of commands that take statements, models, and a hypothesis of the statements that are named."""

PATHS = {"FILE": "file", "CERTIFICATE": "file", "DIR": "dir"}
"""What stands in the place of a path in a command's help: these are left to the shell."""


@cache
def command(name: str) -> click.Command:
    """Return what stands for a command while its parameters are completed, and in the list of commands."""
    known = json.loads(files("verify").joinpath("completion.json").read_text(encoding="utf-8"))
    return _command(name, known["commands"][name])


def _command(name: str, known: Mapping[str, Any]) -> click.Command:
    params = [_parameter(one, known) for one in known["params"]]
    if "commands" in known:
        commands = {key: _command(key, one) for key, one in known["commands"].items()}
        return click.Group(name, commands, params=params, help=known["help"])
    return click.Command(name, params=params, help=known["help"])


def _parameter(one: Mapping[str, Any], known: Mapping[str, Any]) -> click.Parameter:
    told = {key: value for key, value in one.items() if key not in ("names", "choices")}
    if "choices" in one:
        told["type"] = click.Choice(one["choices"])
    elif "is_flag" not in one:
        told["shell_complete"] = _offer(known)
    if len(one["names"]) == 1:
        return click.Argument(one["names"], required=False, **told)
    return click.Option(
        one["names"], **{"is_flag": False, **told}
    )  # so said, it may stand without its value at the end


def _offer(known: Mapping[str, Any]) -> Offer:
    """Return what completes the value of a parameter of a command."""

    def offer(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
        if param.name in STATEMENTS:
            chosen = _named(ctx) if param.nargs < 0 else []
            return _beginning(begun, [name for name in known["statements"] if name not in chosen])
        if param.name == HYPOTHESES:
            asked = _named(ctx) or list(known["hypotheses"])
            return _beginning(begun, [key for name in asked for key in known["hypotheses"].get(name, ())])
        paths = [CompletionItem(begun, type=kind) for word, kind in PATHS.items() if word in (param.metavar or "")]
        return [*_beginning(begun, shipped() if param.name in MODELS else []), *paths]

    return offer


def _named(ctx: click.Context) -> list[str]:
    """Return the statements that stand on the command line already."""
    found = [ctx.params.get(name) or () for name in STATEMENTS]
    return [name for names in found for name in ([names] if isinstance(names, str) else names)]


def _beginning(begun: str, names: Sequence[str]) -> list[CompletionItem]:
    return [CompletionItem(name) for name in dict.fromkeys(names) if name.startswith(begun)]


def shipped() -> list[str]:
    """Name the models that ship."""
    return sorted(
        name.removesuffix(".json") for one in files("headproof_models").iterdir() if (name := one.name)[-5:] == ".json"
    )


def document(command: click.Command) -> dict[str, Any]:
    """Write down what a command takes, and what its statements and hypotheses are."""
    found: dict[str, Any] = {"help": cleandoc(command.help or "")}
    if isinstance(command, click.Group):
        found["commands"] = {name: document(one) for name, one in sorted(command.commands.items())}
    found["params"] = [_written(param) for param in command.params]
    names = {param.name for param in command.params}
    if names & STATEMENTS:
        found["statements"] = _statements(command.name or "")
    if HYPOTHESES in names:
        found["hypotheses"] = _hypotheses(command.name or "")
    return found


def _written(param: click.Parameter) -> dict[str, Any]:
    """Write down a parameter as click makes it; what it does not have is left out."""
    told: dict[str, Any] = {"names": [param.name], "metavar": param.metavar, "nargs": param.nargs}
    if isinstance(param.type, click.Choice):
        told["choices"] = list(param.type.choices)
    if isinstance(param, click.Option):
        told["names"] += param.opts
        told |= {"help": param.help, "is_flag": param.is_flag, "multiple": param.multiple}
    return {key: value for key, value in told.items() if value}


def _statements(name: str) -> list[str]:
    from verify.statements import STATEMENTS as EVERY
    from verify.statements import THEOREMS

    known = {"verify": list(EVERY), "weakest": ["3.3", "3.6"], "search": list(_hypotheses("search"))}
    return known.get(name, list(THEOREMS))


def _hypotheses(name: str) -> dict[str, list[str]]:
    """Return what `search`, or `necessity`, can do without, by the statement."""
    from verify.search.dropped import WITHOUT
    from verify.search.necessity import KEYS

    found: dict[str, list[str]] = {}
    for statement, part in WITHOUT if name == "search" else KEYS:
        found.setdefault(statement, []).append(part)
    return found


def everything(commands: Iterable[click.Command]) -> dict[str, Any]:
    """Write down what commands take."""
    return {"commands": {command.name: document(command) for command in commands}}


if __name__ == "__main__":
    print(json.dumps(everything(import_module("verify.commands.main").every_command()), indent=1))
