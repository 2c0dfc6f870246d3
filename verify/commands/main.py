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
from verify.commands import at
from verify.commands.output import BAD, UNDECIDED, tell


class Later(click.Command):
    """A command until it is called: where it is, as module:name, and what `headproof --help` says of it.

    Where its name is a word of Python's own, that in the module ends in an underscore.
    """

    def __init__(self, place: str, says: str) -> None:
        self.place = place
        super().__init__(place.partition(":")[2].rstrip("_"), help=says)

    def imported(self) -> click.Command:
        """Import the command."""
        command = at(self.place)
        assert isinstance(command, click.Command)
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
            command.epilog = _example(command.name or "")
        return name, command, rest


def _example(name: str) -> str:
    """Return what stands at the end of a command's help."""
    return f"\b\nExample:\n  headproof {EXAMPLES[name]}"


EXAMPLES = {
    "": "verify 3.3 --model umbrella",
    "verify": "verify 3.3 3.6 --model umbrella only-3-5",
    "assumptions": "assumptions --model only-3-5",
    "build": "build 3.6 --model only-3-5",
    "explain": "explain 3.6 --model only-3-5 --input 0,1",
    "test": "test --head head.json --model tie",
    "generate": "generate --satisfying 3.2 --violating 3.1 --count 5 --out drawn",
    "check": "check certificates/umbrella-3.3.json --twice",
    "margin": "margin 3.3 --model ice-cream",
    "weakest": "weakest 3.3 --model only-3-5",
    "search": "search 3.3 --without 3.1 --out broken",
    "show": "show certificates/umbrella-3.3.json --as pytest",
    "plot": "plot 3.3 --model only-3-5 --out heads.svg",
    "necessity": "necessity 3.3 --without 3.1",
    "learn": "learn tune --states 10",
    "models": "models",
    "import": "import tables --orientation rows --mu 1,-1 -o mine.json",
    "report": "report umbrella only-3-5 -o pages",
}
"""What stands at the end of the help of each command; the files are those that ship, and what other commands write."""


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    epilog=_example(""),
)
@click.version_option(package_name="headproof")
def headproof() -> None:
    """Decide the theorems on head and prompt tuning of Wei, Xie and Ma on your models, exactly, for every input."""


COMMANDS = {
    "verify.commands.verify:verify": "Decide STATEMENTS (default: all) on models, over all inputs of every length.",
    "verify.commands.assumptions:assumptions": "Decide the assumptions on a model, each with a witness or its "
    "violation.",
    "verify.commands.build:build": "Build the head, and the prompt, of STATEMENT for a model.",
    "verify.commands.build:explain": "Follow one input step by step: messages, outputs, scores and both labels.",
    "verify.commands.show:show": "Show a model with its task, and what is claimed of it if FILE is a certificate.",
    "verify.commands.show:plot": "Draw a picture of STATEMENT on a model: inputs, heads, margins, messages.",
    "verify.commands.own_head:test": "Hold one's own head, or prompt and head, against F* on all inputs (of a memory "
    "model, all inputs in R).",
    "verify.commands.generate:models": "List the models that ship, which every command takes by their names.",
    "verify.commands.generate:import_": "Make a model file of one's own: arrays, tables, or fitted with a library.",
    "verify.commands.generate:generate": "Draw random models: of the paper's appendix D, or meeting all of some "
    "assumptions and violating another.",
    "verify.commands.check:check": "Let the kernel alone check certificates, and print the claims that it accepts.",
    "verify.commands.margin:margin": "Measure how strong the head is that `build` makes for STATEMENT (default: the "
    "first that has one), or one's own.",
    "verify.commands.margin:weakest": "Decide the weakest condition under which the proof of STATEMENT, 3.3 or 3.6, "
    "goes through on a model.",
    "verify.commands.search:search": "Find the smallest model that meets all hypotheses of STATEMENT but one, and on "
    "which no head will do.",
    "verify.commands.necessity:necessity": "Tell of each hypothesis of the theorems (or of STATEMENTs) whether it is "
    "needed.",
    "verify.commands.report:report": "Write a report as HTML pages: the paper as a graph of its statements, and "
    "pages of models.",
    "learned.tuning_cli:learn": "Pretrain language models on data of these models, and hold what they learn against "
    "what theory builds.",
}
"""Of each command its place, as entry points are written, and the first sentence of its help."""
for place, says in COMMANDS.items():
    headproof.add_command(Later(place, says))


def every_command() -> list[click.Command]:
    """Return every command, each imported for it."""
    return [command.imported() for command in headproof.commands.values() if isinstance(command, Later)]


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
