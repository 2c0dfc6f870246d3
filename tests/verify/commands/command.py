"""Running `headproof` in this process or in a new one; `Done` has its exit status and output."""

import io
import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import click
import pytest

from verify.commands.main import Later, main
from verify.commands.main import headproof as group

PROGRAM = Path(sys.executable).with_name("headproof")
SHIPPED = Path(__file__).parents[3] / "models"
GENEROUS = 600
"""Seconds after which a process counts as hung; nothing here measures time."""


@dataclass(frozen=True)
class Done:
    """The exit status of a command, and what it printed."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The JSON object on standard output. It has no floats, and standard error is empty."""
        document = json.loads(self.out, parse_float=refuse, parse_constant=refuse)
        assert isinstance(document, dict)
        assert self.err == ""
        return document

    @property
    def refusal(self) -> str:
        """The one line on standard error of a refused command: its status is 2, and standard output is empty."""
        [line] = self.err.splitlines()
        assert (self.status, self.out, self.err) == (2, "", f"{line}\n")
        return line


def refuse(text: str) -> object:
    raise AssertionError(f"{text} is a float")


def every_command() -> list[click.Command]:
    """Every command, imported. The program `headproof` imports only the command that it runs."""
    return [command.imported() for command in group.commands.values() if isinstance(command, Later)]


def certified(count: int) -> str:
    """Return the line that counts the certificates written to the default folder."""
    return f"headproof: {count} certificate{'s are' if count > 1 else ' is'} in certificates/\n"


def headproof(*arguments: str | Path) -> Done:
    """Run the command in this process, on streams that are no terminal."""
    out, err = stream("strict"), stream("backslashreplace")
    argv = ["headproof", *map(str, arguments)]
    with (
        mock.patch.object(sys, "argv", argv),
        redirect_stdout(out),
        redirect_stderr(err),
        pytest.raises(SystemExit) as stop,
    ):
        main()
    assert isinstance(stop.value.code, int)
    return Done(stop.value.code, text(out), text(err))


def stream(errors: str) -> io.TextIOWrapper:
    """Return a stream of UTF-8 in memory; `errors` says how it treats a character that it cannot encode."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors=errors, write_through=True)


def text(written: io.TextIOWrapper) -> str:
    written.flush()
    written.seek(0)
    return written.read()


def process(
    *arguments: str | Path, environment: Mapping[str, str] | None = None, stdout: int = subprocess.PIPE
) -> Done:
    """Run the installed command in a process of its own."""
    done = subprocess.run(
        [PROGRAM, *arguments], stdout=stdout, stderr=subprocess.PIPE, timeout=GENEROUS, env=environment, check=False
    )
    return Done(done.returncode, (done.stdout or b"").decode(), done.stderr.decode())


def shipped(name: str) -> Path:
    """The file of a model that ships with Headproof."""
    return SHIPPED / f"{name}.json"


def save(path: str, content: object) -> str:
    """Write bytes or text unchanged, and any other content as JSON, to a file; return its path."""
    if isinstance(content, bytes):
        Path(path).write_bytes(content)
    else:
        Path(path).write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path
