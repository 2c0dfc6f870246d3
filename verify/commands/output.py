"""How commands answer: exit statuses, JSON or a table, complaints, certificates under names that are used once.

`headproof --help` loads this file: what takes long to import is not imported at its top.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import inf
from pathlib import Path
from time import time
from typing import TYPE_CHECKING

import click

from constructions.writing import check_folder, safe_name
from verify.commands import at

if TYPE_CHECKING:
    from verify.certificates import Certificate

REFUTED, BAD, UNDECIDED = 1, 2, 3

STATUS = {"holds": 0, "fails": REFUTED, "undecided": UNDECIDED}
"""The exit status for each answer to whether a statement's conclusion holds, or a head is right."""


as_json = click.option(
    "--json",
    "as_json",
    is_flag=True,
    expose_value=False,
    callback=lambda ctx, option, value: ctx.meta.update({__name__: value}),
    help="Print one JSON object instead of a table.",
)
"""Gives a command --json, which `show` and `in_json` know of: it is no argument of the command's function."""


def in_json() -> bool:
    """Tell whether the command that runs was asked for JSON."""
    return bool(click.get_current_context().meta[__name__])


def exit_status(refuted: bool, undecided: bool) -> int:
    """Return the exit status of a survey, in which something may be refuted or undecided."""
    return REFUTED if refuted else UNDECIDED if undecided else 0


def show(document: Mapping[str, object], table: Callable[[], None]) -> None:
    """Print one JSON object, or a table."""
    if in_json():
        click.echo(json.dumps(document))
    else:
        table()


def tell(line: str) -> None:
    """Say something beside the result, or complain, on standard error."""
    click.echo(f"headproof: {line}", err=True)


class Certificates:
    """A folder for certificates, under names that are safe and used once. Raises `InputError` if it cannot be one."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        check_folder(self.folder, "certificates")
        self.used: set[str] = set()

    def write(self, certificate: Certificate | None, name: str) -> Path | None:
        """Write a certificate, if there is one, to a file whose name is as like the given one as is safe."""
        safe = safe_name(name, self.used)
        if certificate is None:
            return None
        path: Path = at("verify.certificates:write")(certificate, self.folder, safe)
        return path


# Work that takes long


def deadline(timeout: float | None) -> float:
    """Return until when (seconds since the epoch) to work, if so many seconds are allowed from now on."""
    return inf if timeout is None else time() + timeout


@contextmanager
def going_on(state: Path | None) -> Iterator[None]:
    """Say of work that is interrupted, or that its workers cannot do, where its state is and that it can go on."""
    where = "" if state is None else f"; the same command goes on where this stops ({state})"
    try:
        yield
    except KeyboardInterrupt:
        tell(f"stopping{where}")
        raise click.Abort from None
    except at("verify.search.engines:EngineError") as error:
        tell(f"not decided, {error}{where}")
        raise click.exceptions.Exit(UNDECIDED) from None
