"""Completion in bash, by the script that Click makes; and the help of commands, which ends with an example."""

import shlex
import shutil
import subprocess
from pathlib import Path

import click
import pytest
from command import PROGRAM, every_command, headproof

from verify.commands import main
from verify.commands.main import headproof as group


def completed(line: str) -> list[str]:
    """Return the words that bash offers at the end of a line, and "files: default" if it also offers files."""
    bash = shutil.which("bash")
    assert bash is not None
    words = line.split(" ")
    script = f"""
    PATH={shlex.quote(str(PROGRAM.parent))}:$PATH
    compopt() {{ echo "files: $2"; }}
    eval "$(_HEADPROOF_COMPLETE=bash_source headproof)"
    COMP_WORDS=({shlex.join(words)}) COMP_CWORD={len(words) - 1}
    _headproof_completion headproof
    printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run([bash, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if line]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("headproof se", ["search"]),
        ("headproof build 3.", ["3.3", "3.6"]),
        ("headproof assumptions --model umb", ["files: default", "umbrella"]),
        ("headproof check umb", ["files: default"]),
        ("headproof import --orient", ["--orientation"]),
    ],
)
def test_bash_completes_commands_statements_models_and_files(line: str, offered: list[str]) -> None:
    assert completed(line) == offered


def commands_and_groups() -> dict[str, click.Command]:
    """Return the commands, the groups, and the commands in groups. Keys are what a user types behind `headproof`."""
    commands: dict[str, click.Command] = {}
    for command in every_command():
        commands[command.name or ""] = command
        if isinstance(command, click.Group):
            commands |= {f"{command.name} {key}": subcommand for key, subcommand in command.commands.items()}
    return commands


@pytest.mark.parametrize("name", ["", *commands_and_groups()])
def test_the_help_of_every_command_ends_with_an_example_that_it_takes(name: str) -> None:
    done = headproof(*name.split(), "--help")
    assert done.status == 0
    heading, example = done.out.splitlines()[-2:]
    assert heading.strip() == "Example:"
    assert example.startswith(f"    headproof {name}".rstrip())
    words = shlex.split(example.strip())[1:]
    called = next(
        key for key in sorted(commands_and_groups(), key=len, reverse=True) if words[: len(key.split())] == key.split()
    )
    arguments = words[len(called.split()) :]
    commands_and_groups()[called].make_context(called, arguments)  # complains of what it does not take
    files = [word for word in arguments if word.startswith("models/")]
    assert all((Path(__file__).parents[2] / file).exists() for file in files)


def test_the_list_of_commands_has_the_first_sentence_of_each() -> None:
    for name, command in group.commands.items():
        assert isinstance(command, main.Later)
        assert command.get_short_help_str(1000) == command.imported().get_short_help_str(1000) != "", name


def test_the_help_has_four_groups_and_a_line_for_each_command_at_60_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = headproof("--help").out.splitlines()
    groups = [lines.index(f"{name}:") for name in ("Decide", "Look", "Make", "Learn")]
    assert groups == sorted(groups)
    listed = [line for line in lines[groups[0] :] if line.startswith("  ")][:-2]
    assert [line.split()[0] for line in listed] == list(group.commands)
    assert all(line.endswith(".") and len(line) < 60 for line in listed)
