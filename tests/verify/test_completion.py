"""What a shell completes, asked through click's own classes for it; and the examples that end every command's help."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete
from command import headproof

from verify import completion
from verify.commands import main
from verify.commands.main import COMMANDS
from verify.commands.main import headproof as group
from verify.library import shipped
from verify.search.dropped import WITHOUT
from verify.search.necessity import KEYS
from verify.statements import STATEMENTS, THEOREMS

SHELLS = (BashComplete, ZshComplete, FishComplete)
MODELS = {model.name for model, _ in shipped()}


def offered(line: str, shell: type[ShellComplete] = BashComplete) -> dict[str, str]:
    """What is offered at the end of a line, with its type: of a new word after a space."""
    *words, begun = f"{line} ".split(" ")[:-1]
    found = shell(group, {}, "headproof", "_HEADPROOF_COMPLETE").get_completions(words, begun)
    return {item.value: item.type for item in found}


@pytest.mark.parametrize("shell", SHELLS)
def test_commands_options_and_statements_are_offered_in_every_shell(shell: type[ShellComplete]) -> None:
    assert set(offered("se", shell)) == {"search"}
    assert set(offered("learn ", shell)) == {"pretrain", "tune", "figure"}
    assert set(offered("verify --m", shell)) >= {"--model", "--mu", "--max-states"}
    assert set(offered("verify ", shell)) == set(STATEMENTS)
    assert set(offered("verify 3.", shell)) == {key for key in STATEMENTS if key.startswith("3.")}


def test_a_statement_is_offered_only_where_a_command_takes_it_and_once() -> None:
    assert set(offered("build ")) == set(offered("necessity ")) == set(THEOREMS)
    assert set(offered("weakest ")) == {"3.3", "3.6"}
    assert set(offered("search ")) == {statement for statement, _ in WITHOUT}
    assert set(offered("verify 3.3 ")) == {*STATEMENTS} - {"3.3"}


def test_hypotheses_are_those_of_the_statement_that_is_named() -> None:
    for statement in {statement for statement, _ in WITHOUT}:
        assert set(offered(f"search {statement} --without ")) == {part for of, part in WITHOUT if of == statement}
    assert set(offered("necessity --without ")) == {part for _, part in KEYS}
    assert set(offered("necessity 4.3 --without 4.2:")) == {"4.2:disjoint", "4.2:independence"}


def test_models_that_ship_are_offered_and_files_left_to_the_shell() -> None:
    for command in ("verify", "assumptions", "build 3.3", "learn tune"):
        found = offered(f"{command} --model ")
        assert {value for value, kind in found.items() if kind == "plain"} >= MODELS
        assert found[""] == "file"
    assert offered("build 3.3 --model umb") == {"umbrella": "plain", "umb": "file"}
    assert offered("test --head he") == {"he": "file"}
    assert offered("verify --certificates c") == {"c": "dir"}
    assert offered("check c") == {"c": "file"}
    assert set(offered("search 3.3 --engine ")) == {"loky", "dask"}


def test_what_is_completed_is_what_the_commands_take() -> None:
    path = Path(completion.__file__).with_name("completion.json")
    assert json.loads(path.read_text(encoding="utf-8")) == completion.everything(main.every_command())


@pytest.mark.parametrize("line", ["verify 3.", "search 3.3 --without 3", "verify --model u", "learn tune --m", "v"])
def test_completion_imports_no_command_and_nothing_that_takes_long(line: str) -> None:
    code = "import sys; from verify.commands.main import main; sys.argv[0] = 'headproof'; main()"
    environment = {
        "_HEADPROOF_COMPLETE": "bash_complete",
        "COMP_WORDS": f"headproof {line}",
        "COMP_CWORD": str(len(line.split())),
    }
    told = [sys.executable, "-X", "importtime", "-c", code]
    done = subprocess.run(told, capture_output=True, text=True, check=True, env=environment)
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "verify.commands.main" in imported
    assert done.stdout
    assert not imported.intersection(place.partition(":")[0] for place in COMMANDS)
    slow = {"numpy", "scipy", "torch", "rich", "hypothesis", "learned"}
    assert not {name.partition(".")[0] for name in imported} & slow


def every_command() -> dict[str, click.Command]:
    """Every command, and those of a group, by what is typed."""
    found: dict[str, click.Command] = {}
    for command in main.every_command():
        found[command.name or ""] = command
        if isinstance(command, click.Group):
            found |= {f"{command.name} {key}": one for key, one in command.commands.items()}
    return found


@pytest.mark.parametrize("name", ["", *every_command()])
def test_the_help_of_every_command_ends_with_an_example_that_it_takes(name: str) -> None:
    done = headproof(*name.split(), "--help")
    assert done.status == 0
    heading, example = done.out.splitlines()[-2:]
    assert heading.strip() == "Example:"
    assert example.startswith(f"    headproof {name}".rstrip())
    words = shlex.split(example.strip())[1:]
    called = next(
        key for key in sorted(every_command(), key=len, reverse=True) if words[: len(key.split())] == key.split()
    )
    arguments = words[len(called.split()) :]
    every_command()[called].make_context(called, arguments)  # complains of what it does not take
    files = [word for word in arguments if word.startswith("models/")]
    assert all((Path(__file__).parents[2] / file).exists() for file in files)


def test_the_list_of_commands_has_the_first_sentence_of_each() -> None:
    for name, one in group.commands.items():
        assert isinstance(one, main.Later)
        told = one.imported().get_short_help_str(1000)
        assert one.get_short_help_str(1000) == told != "", name
