"""The installed command as a process: streams, terminals, a full disk, interruption."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
from command import GENEROUS, PROGRAM, certified, every_command, headproof, process, save
from contract import THEOREMS, UMBRELLA, certify, tables

from verify.commands.main import COMMANDS
from verify.commands.output import REFUTED

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


# the process


def test_the_installed_command_prints_what_main_prints() -> None:
    arguments = ("verify", "--model", str(UMBRELLA), "--json")
    assert process(*arguments) == headproof(*arguments)


IN_JSON = {
    "verify": "3.3 3.6 --model only-3-5 umbrella --certificates certificates",
    "assumptions": "--model only-3-5",
    "build": "3.6 --model only-3-5",
    "explain": "3.6 --model umbrella --input 0,1",
    "show": "umbrella",
    "plot": "3.3 --model umbrella --out picture.svg",
    "test": "--head head.json --model umbrella",
    "models": "",
    "statements": "",
    "import": "tables --orientation rows",
    "generate": "--violating 3.1 --count 1 --out drawn",
    "check": "certificate.json",
    "margin": "3.3 --model umbrella --nodes 20",
    "search": "3.3 --without 3.1 --out broken",
    "learn": "figure --plan --preset smoke --out figure",
}
"""The arguments of one call of each command with --json; those of verify, margin and search solve linear programs."""


def test_every_command_with_json_is_called() -> None:
    def takes_json(command: click.Command) -> bool:
        below = command.commands.values() if isinstance(command, click.Group) else ()
        return any("--json" in option.opts for option in command.params) or any(map(takes_json, below))

    assert {command.name for command in every_command() if takes_json(command)} == IN_JSON.keys()


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(
            command, marks=pytest.mark.skipif(command == "learn" and not find_spec("torch"), reason="needs torch")
        )
        for command in IN_JSON
    ],
)
def test_standard_output_is_one_json_object_and_nothing_else(command: str) -> None:
    """Run each command in a process: a solver may write to the file descriptor directly, past `sys.stdout`."""
    if command == "test":
        save("head.json", headproof("build", "3.3", "--model", UMBRELLA, "--json").json)
    if command == "check":
        Path(certify()).rename("certificate.json")
    if command == "import":
        tables()
    done = process(command, *IN_JSON[command].split(), "--json")
    assert done.json
    assert done.status in (0, REFUTED)


COLOUR = re.compile(rb"\x1b\[[0-9;]*3[0-9][0-9;]*m")


def on_a_terminal(environment: dict[str, str], *arguments: str) -> bytes:
    """Return the bytes that a command writes to a terminal."""
    ours, theirs = pty.openpty()
    variables = os.environ | {"TERM": "xterm-256color"} | environment
    with subprocess.Popen([PROGRAM, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=variables) as running:
        os.close(theirs)
        written = b"".join(iter(lambda: read_terminal(ours), b""))
    os.close(ours)
    assert running.returncode == 0
    return written


def read_terminal(ours: int) -> bytes:
    try:
        return os.read(ours, 2**16)
    except OSError:  # so Linux says that nobody writes any more
        return b""


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(
            ("verify", "3.3", "--model", "umbrella"),
            marks=pytest.mark.thorough(reason="three processes that prove: 2 s; those that check are quick"),
        ),
        ("check", "certificate.json"),
    ],
)
def test_colours_are_left_out_where_they_are_not_wanted(arguments: tuple[str, ...]) -> None:
    Path(certify()).rename("certificate.json")
    assert COLOUR.search(on_a_terminal({}, *arguments))
    assert not COLOUR.search(on_a_terminal({"NO_COLOR": "1"}, *arguments))
    assert b"\x1b" not in on_a_terminal({"TERM": "dumb"}, *arguments)


def test_the_terminal_may_be_as_poor_as_ascii() -> None:
    document = json.loads(UMBRELLA.read_text()) | {"name": "é", "states": ["α", "β"]}
    model = save("model.json", document)
    for form in (["--json"], []):
        done = process("assumptions", "--model", model, *form, environment=os.environ | {"PYTHONIOENCODING": "ascii"})
        assert (done.status, done.err) == (0, "")


@pytest.mark.parametrize("form", [["--json"], []])
@pytest.mark.parametrize("command", ["verify", "assumptions", "build", "explain"])
def test_any_name_that_json_can_write_is_printed(command: str, form: list[str]) -> None:
    document = json.loads(UMBRELLA.read_text()) | {
        "name": "\u2028[bold]\x1b[31m\n",
        "states": ["[/]", "\U0001f327"],
        "tokens": ["[red]", "\x7f\n"],
    }
    arguments = {"verify": [*THEOREMS], "build": ["3.6"], "explain": ["3.6", "--input", "1"]}.get(command, [])
    done = headproof(command, *arguments, "--model", save("model.json", document), *form)
    assert (done.status, done.err) == (0, certified(2) if command == "verify" and not form else "")
    if form:
        assert done.json


def test_numbers_that_no_float_can_hold_are_printed() -> None:
    for command in (["build", "3.6"], ["explain", "3.6", "--input", "0"], ["assumptions"], ["verify", *THEOREMS]):
        done = headproof(*command, "--model", UMBRELLA, "--mu", f"{'1' * 400},-1/{'3' * 400}")
        assert (done.status, done.err) == (0, certified(2) if command[0] == "verify" else "")


@pytest.mark.parametrize(
    "entry",
    [
        "verify.commands.main",
        "headproof; headproof.HMM",
        *(
            pytest.param(
                f"headproof; headproof.{name}",
                marks=pytest.mark.thorough(reason="two processes each: 3 s in all; the first name is quick"),
            )
            for name in ("load", "outputs", "Family")
        ),
    ],
)
def test_linear_algebra_has_one_thread_unless_another_number_is_asked_for(entry: str) -> None:
    """With a thread for each core, 3.6 on appendix-d-30 took ten times the processor time.

    NumPy reads the number when it is loaded, so the number must be set before.
    """
    code = f"import os, sys, {entry}; print(os.environ['OPENBLAS_NUM_THREADS'], *sys.modules)"
    environment = {key: value for key, value in os.environ.items() if key != "OPENBLAS_NUM_THREADS"}
    for changes, threads in (({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")):
        done = subprocess.run([sys.executable, "-c", code], env=environment | changes, capture_output=True, check=True)
        value, *modules = done.stdout.decode().split()
        assert value == threads
        assert "numpy" not in modules[: modules.index("constructions")]


def test_help_and_version_exit_0() -> None:
    assert headproof("--version").out.startswith("headproof, version ")
    for arguments in ([], ["verify"], ["assumptions"], ["build"], ["explain"], ["test"], ["check"]):
        done = headproof(*arguments, "--help")
        assert (done.status, done.err) == (0, "")
        assert done.out.startswith("Usage: ")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["verify"],
        pytest.param(["learn", "figure"], marks=pytest.mark.thorough(reason="two processes: 1 s; verify is quick")),
    ],
    ids=" ".join,
)
def test_help_is_the_same_where_python_leaves_docstrings_out(arguments: list[str]) -> None:
    run = [sys.executable, "-OO", str(PROGRAM), *arguments, "--help"]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == process(*arguments, "--help").out


def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = process("assumptions", "--model", UMBRELLA, "--json", stdout=full.fileno())
    assert done.status == 2
    assert re.fullmatch(r"headproof: [^\n]*no space left on device[^\n]*\n", done.err)
    assert "None" not in done.err


def shell(line: str) -> tuple[int, str]:
    """Run a pipe in a shell; return the exit status of its first command, and the text on standard error."""
    run = ["bash", "-c", f'{line}; exit "${{PIPESTATUS[0]}}"', "bash", str(PROGRAM)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=GENEROUS, check=False)
    return done.returncode, done.stderr


PRINTED = ["show umbrella", "verify 3.3 --model umbrella", "build 3.3 --model umbrella --json", "--help"]
"""Calls that print by Rich, by Rich and a certificate in a file, by Click as JSON, and help."""


@pytest.mark.parametrize("command", PRINTED)
def test_a_reader_that_has_left_ends_a_command_with_141_and_no_word(command: str) -> None:
    assert shell(f'sleep 0.1; "$1" {command} | true') == (141, "")


def test_a_reader_of_complaints_that_has_left_makes_no_other_status_1() -> None:
    status, _ = shell('{ "$1" show nothing 2>&1 >&3 | true; } 3>/dev/null')
    assert status in (2, 141)


@pytest.mark.parametrize("command", PRINTED)
def test_a_closed_standard_output_is_one_line_before_any_work(command: str) -> None:
    assert shell(f'"$1" {command} >&-') == (2, "headproof: standard output: found it closed, expected to write there\n")
    assert not list(Path().iterdir())


def test_a_closed_standard_error_takes_nothing_away() -> None:
    done = subprocess.run(["bash", "-c", '"$1" models 2>&-', "bash", PROGRAM], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == process("models").out


def test_a_certificate_that_finds_no_room_is_named_after_the_result_and_leaves_nothing() -> None:
    """A limit of 0 on the size of files stands for a full disk."""
    run = ["bash", "-c", 'ulimit -f 0; "$@" | cat; exit "${PIPESTATUS[0]}"', "bash", str(PROGRAM), "verify", "3.3"]
    done = subprocess.run([*run, "--model", str(UMBRELLA), "--json"], capture_output=True, text=True, check=False)
    file = Path("certificates/umbrella-3.3.json")
    assert done.stderr == f"headproof: {file}: found file too large, expected to write there\n"
    assert done.returncode == 2
    result = json.loads(done.stdout)["results"][0]
    assert (result["status"], result["certificate"]) == ("proved", None)
    assert not list(Path("certificates").iterdir())


FAILURES = {
    "a fault": (ValueError("of ours"), 70, "headproof: this is a fault of Headproof's own, and says nothing of "),
    "no memory": (MemoryError(), 3, "headproof: not decided, since the memory is used up"),
    "no semaphore": (OSError(28, "No space left on device"), 2, "headproof: the system: found no space left on device"),
    "another's exit": (SystemExit(1), 70, "headproof: what it ran ended it, with status 1"),
    "a pipe of others": (BrokenPipeError(32, "Broken pipe"), 70, "headproof: what it ran ended it, with status 1"),
}


@pytest.mark.parametrize(("error", "status", "line"), FAILURES.values(), ids=FAILURES)
def test_a_failure_is_no_answer(error: BaseException, status: int, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("verify.commands.verify.prove", fail)
    done = headproof("verify", "--model", UMBRELLA)
    assert (done.status, done.out) == (status, "")
    assert done.err.splitlines()[-1].startswith(line)


# interruption


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_an_interruption_ends_with_130_and_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.commands.verify.prove", interrupt)
    done = headproof("verify", "--model", UMBRELLA)
    assert (done.status, done.out, done.err.strip()) == (130, "", "headproof: interrupted")


def test_an_interruption_while_a_certificate_is_written_leaves_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", interrupt)
    assert headproof("verify", "--model", UMBRELLA).status == 130
    assert list(Path("certificates").iterdir()) == []


@pytest.mark.thorough(reason="verifies in a process until interrupted: 4 s; interruptions in this process are quick")
def test_ctrl_c_ends_with_130_and_only_whole_certificates() -> None:
    listens = "signal.signal(signal.SIGINT, signal.SIG_DFL)"  # a shell's `&` would have it ignored
    begin = f"import os, signal, sys; {listens}; os.execv(sys.argv[1], sys.argv[1:])"
    running = subprocess.Popen(
        [sys.executable, "-c", begin, PROGRAM, "verify"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    folder = Path("certificates")
    while running.poll() is None and not any(folder.glob("*.json")):
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=GENEROUS)
    assert (running.returncode, out, err.strip()) == (130, b"", b"headproof: interrupted")
    assert headproof("check", *folder.glob("*.json")).status == 0


MODULES = [place.partition(":")[0] for place in COMMANDS]


def test_the_command_needs_no_hypothesis() -> None:
    modules = "verify.commands.main", *MODULES
    code = f"import sys; sys.modules['hypothesis'] = None; import {', '.join(modules)}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


COMMANDS_OWN = {
    "click",
    "constructions.reading",
    "constructions.system",
    "constructions.system.writing",
    *(f"verify.commands.{name}" for name in ("main", "output", "streams")),
}
"""The modules that every call of the command imports."""
ROOMS = {
    "constructions.memory",
    *(f"verify.{room}" for room in ("heads", "kernel", "lemmas", "margin", "views", "words")),
}
SPINE = (
    *("built", "certificates", "conclusion", "expectations", "library", "outputs", "prover", "statement"),
    *("statements", "verdicts"),
)


def loaded(*arguments: str | Path) -> set[str]:
    """Return the modules that a call of the command imports."""
    code = (
        "import sys; sys.argv[0] = 'headproof'; before = set(sys.modules); from verify.commands.main import main\n"
        "try: main()\n"
        "finally: print('', *set(sys.modules) - before, file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stderr.splitlines()[-1].split())


def imported(*arguments: str | Path) -> set[str]:
    """Return the modules that a call of the command imports, shortened by `packages`."""
    return packages(loaded(*arguments))


def packages(modules: set[str]) -> set[str]:
    """Shorten a set of modules.

    Modules in a folder of `ROOMS` become this folder, and our other modules stay. Modules of other projects become
    their top-level package. Left out: the standard library, top-level packages that begin with "_" or
    "cython_runtime", and the packages `constructions`, `verify` and `verify.commands` themselves.
    """
    names = set()
    for name in modules:
        top = name.partition(".")[0]
        if top in ("constructions", "verify", "learned"):
            names.add(next((room for room in ROOMS if f"{name}.".startswith(f"{room}.")), name))
        elif top not in sys.stdlib_module_names and not top.startswith(("_", "cython_runtime")):
            names.add(top)
    return names - {"constructions", "verify", "verify.commands"}


def test_help_imports_no_command_and_nothing_that_takes_long() -> None:
    assert imported("--version") == COMMANDS_OWN
    assert imported("--help") == COMMANDS_OWN


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_check_imports_the_kernel_and_nothing_that_proves(form: list[str]) -> None:
    assert imported("check", certify(), *form) == COMMANDS_OWN | {"verify.commands.check", "verify.kernel"}


def test_a_proof_imports_no_search_no_survey_and_none_of_the_libraries_that_solve_programs_or_draw() -> None:
    everything = loaded("verify", "3.3", "--model", UMBRELLA)
    assert not everything & {"rich.progress", "scipy", "verify.views.explain"}
    loaded_packages = packages(everything)
    modules = {name for name in loaded_packages if not name.startswith("constructions")} - ROOMS - COMMANDS_OWN
    ours = {"verify.commands.arguments", "verify.commands.verify", *(f"verify.{name}" for name in SPINE)}
    assert modules == ours | {"flint", "numpy", "rich"}
    assert not ROOMS - loaded_packages


@pytest.mark.parametrize("place", COMMANDS)
def test_a_command_has_the_name_that_it_is_called_by(place: str) -> None:
    module, _, name = place.partition(":")
    command = getattr(import_module(module), name)
    assert isinstance(command, click.Command)
    assert command.name == name.rstrip("_")  # the name of a command may be a word of Python's own
