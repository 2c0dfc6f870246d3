"""The command `headproof`. Results go to standard output, progress and complaints to standard error.

Exit status: 2 for bad usage or input, in one line; else 1 if anything is refuted or a certificate is rejected; else 3
if anything is undecided; else 0. What is interrupted ends with 130, without a reader with 141, by a fault with 70.
"""

from __future__ import annotations

import ast
import gc
import inspect
import os
import sys
import traceback

import click

from constructions.reading import InputError, printable
from verify.commands import at
from verify.commands.output import BAD, FAULT, UNDECIDED, tell
from verify.commands.streams import OutputError, run_on_streams


class Later(click.Command):
    """A command until it is called: where it is, as module:name, its first sentence, and an example of it.

    Where its name is a word of Python's own, that in the module ends in an underscore.
    """

    def __init__(self, place: str, sentence: str, example: str) -> None:
        self.place = place
        super().__init__(place.partition(":")[2].rstrip("_"), short_help=sentence, epilog=_example(example))

    def imported(self) -> click.Command:
        """Import the command."""
        command = at(self.place)
        assert isinstance(command, click.Command)
        command.epilog = self.epilog
        _give_help(command)
        return command


class Commands(click.Group):
    """A group of commands, each imported when it is called, or when a shell completes its arguments."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, and import it."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.imported() if isinstance(command, Later) else command, rest


def _give_help(command: click.Command) -> None:
    """Take from the source what `python -OO` leaves out: the docstrings of a command and of those below it."""
    if command.help is None and command.callback is not None:
        [function] = ast.parse(inspect.getsource(inspect.unwrap(command.callback))).body
        command.help = ast.get_docstring(function) if isinstance(function, ast.FunctionDef) else None
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        _give_help(below)


def _example(example: str) -> str:
    return f"\b\nExample:\n  headproof {example}"


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    epilog=_example("verify 3.3 --model umbrella"),
    help="Decide the theorems on head and prompt tuning of Wei, Xie and Ma on your models, exactly, for every input.",
)
@click.version_option(package_name="headproof", prog_name="headproof")
@click.pass_context
def headproof(ctx: click.Context) -> None:
    """Take colours away where they are not wanted; the commands do the rest."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") in ("dumb", "unknown"):
        ctx.color = False


COMMANDS = {
    "verify.commands.verify:verify": (
        "Decide STATEMENTS (default: all) on models, over all inputs of every length.",
        "verify 3.3 3.6 --model umbrella only-3-5",
    ),
    "verify.commands.show:assumptions": (
        "Decide the assumptions on a model, each with a witness or its violation.",
        "assumptions --model only-3-5",
    ),
    "verify.commands.build:build": (
        "Build the head, and the prompt, of STATEMENT for a model.",
        "build 3.6 --model only-3-5",
    ),
    "verify.commands.build:explain": (
        "Follow one input step by step: messages, outputs, scores and both labels.",
        "explain 3.6 --model only-3-5 --input 0,1",
    ),
    "verify.commands.show:show": (
        "Show a model with its task, and what is claimed of it if FILE is a certificate.",
        "show certificates/umbrella-3.3.json --as pytest",
    ),
    "verify.commands.show:plot": (
        "Draw a picture of STATEMENT on a model: inputs, heads, margins, messages.",
        "plot 3.3 --model only-3-5 --out heads.svg",
    ),
    "verify.commands.build:test": (
        "Hold one's own head, or prompt and head, against F* on all inputs (of a memory model, all inputs in R).",
        "test --head head.json --model tie",
    ),
    "verify.commands.generate:models": (
        "List the models that ship, which every command takes by their names.",
        "models",
    ),
    "verify.commands.generate:import_": (
        "Make a model file of one's own: arrays, tables, or fitted with a library.",
        "import tables --orientation rows --mu 1,-1 -o mine.json",
    ),
    "verify.commands.generate:generate": (
        "Draw random models: of the paper's appendix D, or meeting all of some assumptions and violating another.",
        "generate --satisfying 3.2 --violating 3.1 --count 5 --out drawn",
    ),
    "verify.commands.check:check": (
        "Let the kernel alone check certificates, and print the claims that it accepts.",
        "check certificates/umbrella-3.3.json",
    ),
    "verify.commands.margin:margin": (
        "Measure the linear head of STATEMENT, 3.3 or 3.6 (default: the first that has one), or one's own.",
        "margin 3.3 --model ice-cream",
    ),
    "verify.commands.search:search": (
        "Find the smallest model that meets all hypotheses of STATEMENT but one, and on which no head will do.",
        "search 3.3 --without 3.1 --out broken",
    ),
    "verify.commands.report:report": (
        "Write a report as HTML pages: the paper as a graph of its statements, and pages of models.",
        "report umbrella only-3-5 -o pages",
    ),
    "learned.cli:learn": (
        "Pretrain language models on data of these models, and hold what they learn against what theory builds.",
        "learn tune --states 10",
    ),
}
"""Of each command its place, as entry points are written, its first sentence, and an example for the end of its help.

The files in examples are those that ship, and what other commands write.
"""
for place, (sentence, example) in COMMANDS.items():
    headproof.add_command(Later(place, sentence, example))


def every_command() -> list[click.Command]:
    """Return every command, each imported for it."""
    return [command.imported() for command in headproof.commands.values() if isinstance(command, Later)]


def main() -> None:
    """Run the command; every complaint is one line."""
    gc.set_threshold(100_000)  # hardly anything here is garbage in circles; to look for it is a tenth of the start
    sys.exit(run_on_streams(_status))


def _status() -> int:
    """Run the command and return its exit status: here alone failures become statuses, and none of them 1."""
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
    except at("verify.kernel:Rejected") as error:
        return _complain(f"not decided, since the kernel does not accept the certificate: {error}", UNDECIDED)
    except Exception:
        traceback.print_exc()
        return _complain("this is a fault of Headproof's own, and says nothing of what was to be decided", FAULT)


def _complain(message: str, status: int) -> int:
    tell(printable(" ".join(message.split("\n"))))
    return status
