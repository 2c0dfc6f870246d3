"""The command `headproof`. Results go to standard output, progress and complaints to standard error.

Exit status: 2 for bad usage or input, in one line; else 1 if anything is refuted or a certificate is rejected; else 3
if anything is undecided; else 0.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper

import click

from constructions.reading import InputError, printable
from learned.tuning_cli import learn  # the group with all its commands
from verify import kernel
from verify.commands.assumptions import assumptions
from verify.commands.build import build
from verify.commands.check import check
from verify.commands.explain import explain
from verify.commands.generate import generate
from verify.commands.margin import margin
from verify.commands.necessity import necessity
from verify.commands.output import BAD, UNDECIDED, tell
from verify.commands.own_head import test
from verify.commands.search import search
from verify.commands.verify import verify
from verify.commands.weakest import weakest


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="headproof")
def headproof() -> None:
    """Decide the theorems on head and prompt tuning of Wei, Xie and Ma on your models, exactly, for every input."""


COMMANDS = (verify, assumptions, build, explain, test, generate, check, margin, weakest, search, necessity, learn)
for command in COMMANDS:
    headproof.add_command(command)


def main() -> None:
    """Run the command; every complaint is one line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name that the terminal cannot show is no reason to stop
    try:
        status = headproof.main(standalone_mode=False)
    except InputError as error:
        status = _complain(str(error), BAD)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        status = BAD
    except click.ClickException as error:
        status = _complain(error.format_message(), BAD)
    except kernel.Rejected as error:
        status = _complain(f"not decided, since the kernel does not accept the certificate: {error}", UNDECIDED)
    except BrokenPipeError:
        _write_no_more()  # the reader has left
        status = 141
    except OSError as error:
        if error.filename is None:
            _write_no_more()
        reason = (error.strerror or "cannot be used").lower()
        status = _complain(f"{error.filename or 'standard output'}: found {reason}, expected to write there", BAD)
    except (KeyboardInterrupt, click.Abort):
        status = _complain("interrupted", 130)
    sys.exit(status)


def _write_no_more() -> None:
    """Leave what standard output has not taken: it is not to be tried, and complained of, once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str, status: int) -> int:
    tell(printable(" ".join(message.split("\n"))))
    return status
