"""The output of commands: exit statuses, JSON or a table, error lines, certificates under distinct names.

`headproof --help` loads this file. So modules that are slow to import are loaded inside functions, when needed.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING

import click

from constructions.reading import InputError
from constructions.system.writing import MARK, check_folder, check_place, safe_name

if TYPE_CHECKING:
    from constructions.rendering import View
    from verify.certificates import Certificate

REFUTED, BAD, UNDECIDED, FAULT = 1, 2, 3, 70
"""Exit statuses. FAULT is for a fault of Headproof's own, which answers nothing."""

STATUS = {
    **dict.fromkeys(("holds", "proved", "not-applicable"), 0),
    **dict.fromkeys(("fails", "refuted", "rejected"), REFUTED),
    **dict.fromkeys(("undecided", "not covered"), UNDECIDED),
}
"""The exit status for each answer, of a prover, of the kernel, or of Rocq."""


as_json = click.option(
    "--json",
    "as_json",
    is_flag=True,
    expose_value=False,
    callback=lambda ctx, option, value: ctx.meta.update({__name__: value}),
    help="Print one JSON object instead of a table.",
)
"""Gives a command the option --json. It is no argument of the command's function: `show` and `in_json` read it."""


def in_json() -> bool:
    """Tell whether the running command was given the option --json."""
    return bool(click.get_current_context().meta[__name__])


def worst(statuses: Iterable[int]) -> int:
    """Return one exit status for many: REFUTED if it is among them, else UNDECIDED if it is, else 0."""
    return max(statuses, key=(0, UNDECIDED, REFUTED).index, default=0)


def show(document: Mapping[str, object], *parts: View | str) -> None:
    """Print `document` with --json; otherwise the parts: views laid out for the terminal, texts unchanged."""
    for part in [json.dumps(document)] if in_json() else parts:
        if isinstance(part, str):
            click.echo(part)
        else:
            resolve_name("verify.views.terminal:show")(part)


def tell(line: str) -> None:
    """Print a line on standard error: a remark beside the result, or an error."""
    click.echo(f"headproof: {line}", err=True)


class Certificates:
    """Write certificates to one folder, each under a safe file name of its own.

    When the command ends without an exception, a line on standard error says how many certificates are written, if any;
    with --json there is no line. If certificates cannot be written, the first error is raised only when the command
    ends, after the result is printed. Raises `InputError` if `folder` cannot be a folder.
    """

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        check_folder(self.folder, "certificates")
        self.used: set[str] = set()
        self.count = 0
        self.failure: OSError | InputError | None = None
        click.get_current_context().call_on_close(self._end)

    def write(self, certificate: Certificate | None, name: str) -> Path | None:
        """Write a certificate under a safe and unused form of the name, and return its path.

        Returns None if there is no certificate, or if it cannot be written.
        """
        safe = safe_name(name, self.used)
        if certificate is None:
            return None
        try:
            path: Path = resolve_name("verify.certificates:write")(certificate, self.folder, safe)
        except (OSError, InputError) as error:
            self.failure = self.failure or error
            return None
        self.count += 1
        return path

    def _end(self) -> None:
        if self.failure is not None:
            raise self.failure
        if self.count and not in_json() and sys.exc_info()[0] is None:
            tell(f"{self.count} certificate{'s are' if self.count > 1 else ' is'} in {self.folder}{os.sep}")


# Files of their own names


force_option = click.option("--force", is_flag=True, help="Replace also a file that Headproof did not write.")

FORMATS = (b"<?xml", b"\x89PNG", b"%PDF", b"<!doctype html>")
"""The first bytes of files that carry `MARK`: of pictures and pages."""


def check_output(path: Path, force: bool) -> None:
    """Raise `InputError` if a file at `path` may not be written.

    A file may be written if each parent that exists is a folder, and there is nothing at `path`, or a regular file that
    Headproof wrote. With `force`, any regular file may be replaced. Whether the system allows it is not looked at.
    """
    check_folder(path.parent, "a file")
    check_place(path)
    if path.exists() and not force and not is_ours(path):
        raise InputError("", "a file that Headproof did not write", "another name, or --force", str(path))


def is_ours(path: Path) -> bool:
    """Tell whether Headproof wrote a file.

    A picture or a page carries the mark. A certificate or a model file equals, to the byte, the text that Headproof
    would write of it. A person's file nearly always differs in its layout. A changed value alone is not noticed.
    """
    try:
        data = path.read_bytes()
        if data.startswith(FORMATS):
            return MARK.encode() in data
        text = data.decode("utf-8")
        document = json.loads(text)
        if document.get("format") == "headproof-certificate":
            return text == json.dumps(document, indent=1) + "\n"
        model, task = resolve_name("constructions.models:load")(path)
        written = resolve_name("constructions.models:text")
        return text in (f"{written(variant, task)}\n" for variant in (model, replace(model, name="")))
    except (OSError, ValueError, AttributeError, RecursionError):
        return False
