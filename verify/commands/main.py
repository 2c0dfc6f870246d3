"""The command `headproof`. Results go to standard output, progress and complaints to standard error.

Exit status: 2 for bad usage or input, in one line; else 1 if anything is refuted or a certificate is rejected; else 3
if anything is undecided; else 0.
"""

from __future__ import annotations

import gc
import os
import sys
from io import TextIOWrapper

import click

from constructions.reading import InputError, printable
from verify.commands import at
from verify.commands.output import BAD, UNDECIDED, tell


class Later(click.Command):
    """A command until it is called: where it is, as module:name, and an example of it.

    Where its name is a word of Python's own, that in the module ends in an underscore.
    """

    def __init__(self, place: str, example: str) -> None:
        self.place = place
        super().__init__(place.partition(":")[2].rstrip("_"), epilog=_example(example))

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return what `headproof --help` says of it, which is known without importing it."""
        known: click.Command = at("verify.completion:command")(self.name)
        return known.get_short_help_str(limit)

    def imported(self) -> click.Command:
        """Import the command."""
        command = at(self.place)
        assert isinstance(command, click.Command)
        command.epilog = self.epilog
        return command


class Commands(click.Group):
    """A group of commands, each imported when it is called."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is called, and import it; for a shell that completes it, what stands for it."""
        name, command, rest = super().resolve_command(ctx, args)
        if isinstance(command, Later):
            if ctx.resilient_parsing:
                return name, at("verify.completion:command")(command.name or ""), rest
            command = command.imported()
        return name, command, rest


def _example(example: str) -> str:
    return f"\b\nExample:\n  headproof {example}"


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    epilog=_example("verify 3.3 --model umbrella"),
)
@click.version_option(package_name="headproof", prog_name="headproof")
def headproof() -> None:
    """Decide the theorems on head and prompt tuning of Wei, Xie and Ma on your models, exactly, for every input."""


COMMANDS = {
    "verify.commands.verify:verify": "verify 3.3 3.6 --model umbrella only-3-5",
    "verify.commands.show:assumptions": "assumptions --model only-3-5",
    "verify.commands.build:build": "build 3.6 --model only-3-5",
    "verify.commands.build:explain": "explain 3.6 --model only-3-5 --input 0,1",
    "verify.commands.show:show": "show certificates/umbrella-3.3.json --as pytest",
    "verify.commands.show:plot": "plot 3.3 --model only-3-5 --out heads.svg",
    "verify.commands.build:test": "test --head head.json --model tie",
    "verify.commands.generate:models": "models",
    "verify.commands.generate:import_": "import tables --orientation rows --mu 1,-1 -o mine.json",
    "verify.commands.generate:generate": "generate --satisfying 3.2 --violating 3.1 --count 5 --out drawn",
    "verify.commands.check:check": "check certificates/umbrella-3.3.json --twice",
    "verify.commands.margin:margin": "margin 3.3 --model ice-cream",
    "verify.commands.margin:weakest": "weakest 3.3 --model only-3-5",
    "verify.commands.search:search": "search 3.3 --without 3.1 --out broken",
    "verify.commands.necessity:necessity": "necessity 3.3 --without 3.1",
    "verify.commands.report:report": "report umbrella only-3-5 -o pages",
    "learned.cli:learn": "learn tune --states 10",
}
"""Of each command its place, as entry points are written, and an example, which stands at the end of its help.

The files in examples are those that ship, and what other commands write.
"""
for place, example in COMMANDS.items():
    headproof.add_command(Later(place, example))


def every_command() -> list[click.Command]:
    """Return every command, each imported for it."""
    return [command.imported() for command in headproof.commands.values() if isinstance(command, Later)]


def main() -> None:
    """Run the command; every complaint is one line."""
    gc.set_threshold(100_000)  # hardly anything here is garbage in circles; to look for it is a tenth of the start
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
    except SystemExit:  # of what a shell completes, which needs no kernel
        raise
    except at("verify.kernel:Rejected") as error:
        status = _complain(f"not decided, since the kernel does not accept the certificate: {error}", UNDECIDED)
    sys.exit(status)


def _write_no_more() -> None:
    """Leave what standard output has not taken: it is not to be tried, and complained of, once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str, status: int) -> int:
    tell(printable(" ".join(message.split("\n"))))
    return status
