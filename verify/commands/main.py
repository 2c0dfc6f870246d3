"""The command `headproof`. Results go to standard output, progress and complaints to standard error.

The exit status is the first of these that applies: 2 for bad usage or input, with one line that says why; 1 if anything
asked for is refuted, a certificate is rejected, or verdicts are not those expected; 3 if anything is undecided; else 0.
Other statuses are 130 after an interrupt, 141 if the reader of the output has left, and 70 after a fault of Headproof's
own.
"""

from __future__ import annotations

import ast
import gc
import inspect
import os
import sys
import traceback
from itertools import groupby
from pkgutil import resolve_name
from typing import Any

import click

from constructions.reading import InputError, printable
from verify.commands.output import BAD, FAULT, UNDECIDED, tell
from verify.commands.streams import OutputError, run_on_streams


class Later(click.Command):
    """A command that is imported when it is called, or when a shell completes its arguments.

    `place`: module:name. The name ends in an underscore where it would otherwise be a keyword of Python. `group`: the
    command's section in the help of `headproof`. `sentence`: the first sentence of the command's own help. `example`:
    one call of the command.
    """

    def __init__(self, place: str, group: str, sentence: str, example: str) -> None:
        self.place, self.group = place, group
        super().__init__(place.partition(":")[2].rstrip("_"), short_help=sentence, epilog=_example(example))

    def imported(self) -> click.Command:
        """Import the command."""
        command: click.Command = resolve_name(self.place)
        command.epilog = self.epilog
        _give_help(command)
        return command

    def make_context(self, *arguments: Any, **extra: Any) -> click.Context:
        """Import the command, and let it read its arguments."""
        return self.imported().make_context(*arguments, **extra)


class Commands(click.Group):
    """Commands, listed by their groups."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each group. The column of names has the same width in all sections."""
        width = max(map(len, self.commands))
        later = [command for command in self.commands.values() if isinstance(command, Later)]
        for group, commands in groupby(later, key=lambda command: command.group):
            with formatter.section(group.capitalize()):
                formatter.write_dl([(f"{command.name:<{width}}", command.short_help or "") for command in commands])


def _give_help(command: click.Command) -> None:
    """Read from the source the docstrings that `python -OO` drops: of a command and of its subcommands."""
    if command.help is None and command.callback is not None:
        [function] = ast.parse(inspect.getsource(inspect.unwrap(command.callback))).body
        command.help = ast.get_docstring(function) if isinstance(function, ast.FunctionDef) else None
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        _give_help(below)


def _example(example: str) -> str:
    return f"\b\nExample:\n  headproof {example}"


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120, "show_default": True},
    epilog=_example("verify 3.3 --model umbrella"),
    help="Decide the theorems on head and prompt tuning of Wei, Xie and Ma on your models, exactly, for every input.",
)
@click.version_option(package_name="headproof", prog_name="headproof")
@click.pass_context
def headproof(ctx: click.Context) -> None:
    """Turn colours off where the environment asks for none; commands do all other work."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") in ("dumb", "unknown"):
        ctx.color = False


COMMANDS = {
    "verify.commands.verify:verify": (
        "decide",
        "Decide statements for inputs of any length.",
        "verify 3.3 3.6 --model umbrella only-3-5",
    ),
    "verify.commands.show:assumptions": (
        "decide",
        "Decide the assumptions on a model.",
        "assumptions --model only-3-5",
    ),
    "verify.commands.build:test": (
        "decide",
        "Decide whether a head of your own is right.",
        "test --head head.json --model tie",
    ),
    "verify.commands.margin:margin": (
        "decide",
        "Measure which errors in G a head tolerates.",
        "margin 3.3 --model ice-cream",
    ),
    "verify.commands.search:search": (
        "decide",
        "Find the smallest counterexample.",
        "search 3.3 --without 3.1 --out broken",
    ),
    "verify.commands.check:check": (
        "decide",
        "Check certificates with the kernel.",
        "check certificates/umbrella-3.3.json",
    ),
    "verify.commands.show:statements": ("look", "List the statements of the paper.", "statements"),
    "verify.commands.generate:models": ("look", "List the models that ship.", "models"),
    "verify.commands.show:show": (
        "look",
        "Show a model, or what a certificate says.",
        "show certificates/umbrella-3.3.json",
    ),
    "verify.commands.build:build": (
        "look",
        "Build the head and the prompt of STATEMENT.",
        "build 3.6 --model only-3-5",
    ),
    "verify.commands.build:explain": (
        "look",
        "Follow one input step by step.",
        "explain 3.6 --model only-3-5 --input 0,1",
    ),
    "verify.commands.show:plot": (
        "look",
        "Draw a picture of STATEMENT on a model.",
        "plot 3.3 --model only-3-5 --out heads.svg",
    ),
    "verify.commands.report:report": (
        "look",
        "Write a report as HTML pages.",
        "report umbrella only-3-5 -o pages",
    ),
    "verify.commands.generate:import_": (
        "make",
        "Import arrays, tables or fitted models.",
        "import tables --orientation rows --mu 1,-1 -o mine.json",
    ),
    "verify.commands.generate:generate": (
        "make",
        "Draw random models.",
        "generate --satisfying 3.2 --violating 3.1 --count 5 --out drawn",
    ),
    "verify.commands.learn:learn": (
        "learn",
        "Pretrain language models and tune heads.",
        "learn figure --preset smoke --out figure",
    ),
}
"""The commands by their places, module:name: the group, the first sentence, and an example for the help.

The files in the examples ship with Headproof, or other commands write them; `tables` is the user's own folder.
"""
for place, row in COMMANDS.items():
    headproof.add_command(Later(place, *row))


def main() -> None:
    """Run the command, and end the process with its status. A complaint is one line; a fault has a traceback, too."""
    gc.set_threshold(100_000)  # hardly anything here is garbage in circles; to look for it is a tenth of the start
    sys.exit(run_on_streams(_status))


def _status() -> int:
    """Run the command and return its exit status. Failures become statuses here, but never 1 (refuted).

    An `OutputError` is raised again, since `run_on_streams` handles it. The `SystemExit` of a shell's completion is
    raised again, too.
    """
    try:
        return int(headproof.main(standalone_mode=False) or 0)
    except InputError as error:
        return _complain(str(error), BAD)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return BAD
    except click.ClickException as error:
        return _complain(error.format_message(), BAD)
    except OSError as error:
        reason = (error.strerror or "an error").lower()
        return _complain(f"{error.filename or 'the system'}: found {reason}, expected to write there", BAD)
    except (KeyboardInterrupt, click.Abort):
        return _complain("interrupted", 130)
    except SystemExit as stop:
        if "_HEADPROOF_COMPLETE" in os.environ:  # what a shell completes needs no kernel
            raise
        return _complain(f"what it ran ended it, with status {stop.code}", FAULT)
    except MemoryError:
        return _complain("not decided, since the memory is used up", UNDECIDED)
    except OutputError:
        raise
    except resolve_name("verify.kernel:Rejected") as error:
        return _complain(f"not decided, since the kernel does not accept the certificate: {error}", UNDECIDED)
    except Exception:
        traceback.print_exc()
        return _complain("this is a fault of Headproof's own, and says nothing of what was to be decided", FAULT)


def _complain(message: str, status: int) -> int:
    tell(printable(" ".join(message.split("\n"))))
    return status
