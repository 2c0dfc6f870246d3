"""The public interface: names in Python with their arguments, commands with their options, JSON keys, exit statuses.

`python tests/verify/commands/test_public.py > tests/public.txt` writes the list anew.
"""

import dataclasses
import inspect
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import click
import pytest
from command import every_command, headproof, save, shipped
from contract import tables

import headproof as hp
from verify.built import Built
from verify.commands import output
from verify.kernel.certificate import VERSION
from verify.margin.compared import HeadMargin
from verify.search.result import SearchResult
from verify.verdicts import Verdict
from verify.views.explain import Explanation, MemoryExplanation

RESULTS = (Built, Explanation, HeadMargin, MemoryExplanation, SearchResult, Verdict)
"""Classes of values that public functions return."""
IN_JSON = {
    "verify": "3.3 3.6 4.3 --model only-3-5 umbrella topic-mixed",
    "assumptions": "--model only-3-5",
    "build": "3.6 --model only-3-5",
    "explain": "3.6 --model umbrella --input 0,1",
    "show": "umbrella",
    "test": "--head head.json --model umbrella",
    "models": "",
    "statements": "",
    "import": "tables --orientation rows",
    "generate": "--violating 3.1 --count 1 --out drawn",
    "check": "certificates/umbrella-3.3.json",
    "margin": "3.3 --model umbrella --nodes 20",
    "search": "3.3 --without 3.1",
}


def python_names() -> Iterator[str]:
    for name in hp.__all__:
        value = getattr(hp, name)
        if isinstance(value, type):
            yield from members(f"hp.{name}", value)
        elif isinstance(value, ModuleType):
            yield from (f"hp.{name}.{signature(public, getattr(value, public))}" for public in value.__all__)
        elif callable(value):
            yield f"hp.{signature(name, value)}"
    yield from (f"hp.plot.{picture}" for picture in dir(hp.plot))
    for result in RESULTS:
        yield from members(result.__name__, result)


def members(name: str, kind: type) -> Iterator[str]:
    """Yield the name of a class, and its fields, properties and methods without those of Python's own classes."""
    fields = [field.name for field in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else []
    names = {member for base in kind.__mro__ if base.__module__ != "builtins" for member in vars(base)}
    yield name
    for member in sorted(names.union(fields)):
        if not member.startswith("_"):
            value = getattr(kind, member, None)
            yield f"{name}.{signature(member, value) if callable(value) else member}"


def signature(name: str, function: object) -> str:
    """Write a function with its arguments: `=` marks those with a default, and `*` precedes those passed by name."""
    assert callable(function)
    arguments, by_name = [], False
    for argument in inspect.signature(function).parameters.values():
        if argument.kind is argument.KEYWORD_ONLY and not by_name:
            arguments.append("*")
        by_name = argument.kind in (argument.KEYWORD_ONLY, argument.VAR_POSITIONAL)
        stars = "*" * (argument.kind is argument.VAR_POSITIONAL) + "**" * (argument.kind is argument.VAR_KEYWORD)
        if argument.name not in ("self", "cls"):
            arguments.append(f"{stars}{argument.name}{'=' if argument.default is not argument.empty else ''}")
    return f"{name}({', '.join(arguments)})"


def commands() -> Iterator[str]:
    def listed(name: str, command: click.Command) -> Iterator[str]:
        context = click.Context(command)
        yield " ".join(
            [name, *(argument.make_metavar(context) for argument in command.params if not options(argument))]
        )
        yield from sorted(f"{name} {' '.join(options(option))}" for option in command.params if options(option))
        for subcommand in command.commands.values() if isinstance(command, click.Group) else ():
            yield from listed(f"{name} {subcommand.name}", subcommand)

    def options(parameter: click.Parameter) -> list[str]:
        return sorted(parameter.opts) if isinstance(parameter, click.Option) else []

    for command in every_command():
        yield from listed(f"headproof {command.name}", command)


def keys() -> Iterator[str]:
    """Yield the keys of the JSON that the calls in `IN_JSON` print, and the keys of a certificate.

    The calls write files. So this function must run in an empty folder.
    """
    save("head.json", headproof("build", "3.3", "--model", shipped("umbrella"), "--json").json)
    tables()
    for name, arguments in IN_JSON.items():
        document = json.loads(headproof(name, *arguments.split(), "--json").out)
        yield from (f"headproof {name} --json: {path}" for path in sorted(set(paths(document))))
    certificate = json.loads(Path("certificates/umbrella-3.3.json").read_text())
    yield from (f"certificate: {key}" for key in sorted(certificate))
    yield f"certificate: format {VERSION}"


def paths(value: object, place: str = "") -> Iterator[str]:
    if isinstance(value, dict) and value:
        for key, member in value.items():
            yield from paths(member, f"{place}.{key}".removeprefix("."))
    elif isinstance(value, list):
        yield f"{place}[]"
        for member in value:
            yield from paths(member, f"{place}[]")
    else:
        yield place


def public() -> str:
    statuses = [f"exit status {name}: {getattr(output, name)}" for name in ("REFUTED", "BAD", "UNDECIDED", "FAULT")]
    return "\n".join([*python_names(), *commands(), *statuses, *keys()]) + "\n"


@pytest.mark.usefixtures("in_an_empty_folder")
def test_what_is_public_is_what_the_list_says() -> None:
    today, listed = public().splitlines(), (Path(__file__).parents[2] / "public.txt").read_text().splitlines()
    gone, new = sorted(set(listed) - set(today)), sorted(set(today) - set(listed))
    assert not gone, f"MAJOR: this was public, and the next version is a major one without it: {gone}"
    assert not new, f"minor: this is public and not listed, see CONTRIBUTING.md: {new}"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.stdout.write(public())
