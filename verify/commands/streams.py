"""Standard output and standard error of a command: a failed write raises `OutputError`.

When the reader of a pipe has left, Click and Rich both end the process with status 1, which would mean "refuted".
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from errno import EPIPE
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from verify.commands.output import BAD, tell

READER_LEFT = 141
"""The exit status that shells report for a process that SIGPIPE ended."""


class OutputError(Exception):
    """A stream takes no more output. The message has the stream's name, and the error of the system."""

    def __init__(self, name: str, error: OSError) -> None:
        self.status = READER_LEFT if error.errno == EPIPE else BAD
        super().__init__(f"{name}: found {(error.strerror or 'an error').lower()}, expected to write there")


class _Stream(TextIOWrapper):
    """A stream that raises `OutputError` in place of `OSError`, and escapes what it cannot encode."""

    def __init__(self, stream: TextIOWrapper, name: str) -> None:
        self.called = name
        super().__init__(
            stream.buffer,
            encoding=stream.encoding,
            errors="backslashreplace",  # a name that the terminal cannot show is no reason to stop
            line_buffering=stream.line_buffering,
            write_through=stream.write_through,
        )

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError as error:
            raise OutputError(self.called, error) from None

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise OutputError(self.called, error) from None


def run_on_streams(run: Callable[[], int]) -> int:
    """Run a command and return its exit status, or the status of an `OutputError` of one of the two streams.

    If standard output is closed, return `BAD` before any work. Lines for a closed standard error are lost.
    """
    before = sys.stdout, sys.stderr
    out, err = _opened(before[0], "standard output"), _opened(before[1], "standard error")
    with Path(os.devnull).open("w") as nowhere:  # it takes the number that a closed standard error leaves free
        sys.stderr = nowhere if err is None else err
        try:
            if out is None:
                tell("standard output: found it closed, expected to write there")
                return BAD
            sys.stdout = out
            status = run()
            out.flush()
            return status
        except OutputError as error:
            if error.status == BAD:
                with suppress(OutputError):
                    tell(str(error))
            return error.status
        finally:
            for stream in (out, err):
                if isinstance(stream, _Stream):
                    _let_go(stream)
            sys.stdout, sys.stderr = before


def _opened(stream: TextIO | None, name: str) -> TextIO | None:
    return _Stream(stream, name) if isinstance(stream, TextIOWrapper) else stream


def _let_go(stream: _Stream) -> None:
    """Detach the underlying stream, and drop output that it refused: Python would try to write it again at exit."""
    try:
        stream.flush()
    except OutputError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    stream.detach()
