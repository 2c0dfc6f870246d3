"""The kernel by itself: its command, and what it is made of."""

import ast
import json
import subprocess
import sys
from contextlib import redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from altering import accepted
from by_hand import by_hand
from vanilla_certificates import agreement, file, head_claim, model

import verify.kernel
from verify.kernel import __main__ as command
from verify.kernel.__main__ import main

KERNEL = Path(verify.kernel.__file__).parent


# --- robustness, and what the kernel is made of


def test_the_command_prints_one_line_for_each_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"good": json.dumps(by_hand("proved")), "bad": json.dumps({**by_hand("proved"), "version": 3}), "ugly": "{"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "model").write_text(file())

    def run(*arguments: str) -> tuple[int, list[str]]:
        monkeypatch.setattr(sys, "argv", ["kernel", *arguments])
        return main(), capsys.readouterr().out.splitlines()

    good, bad, ugly, the_model = (str(tmp_path / name) for name in ("good", "bad", "ugly", "model"))
    status, lines = run(good, "--model", the_model)
    assert (status, lines) == (0, [f"{good}: accepted: {accepted(by_hand('proved'), file()).sentence()}"])
    assert run(good, bad)[0] == 1
    status, lines = run(good, bad, ugly)
    assert (status, len(lines)) == (2, 3)
    assert lines[1].startswith(f"{bad}: rejected: version: found 3, expected ")
    assert run(str(tmp_path / "absent"))[0] == 2
    assert run(good, "--model", ugly)[0] == 2
    forged = tmp_path / "x\nother: accepted\x1b[2K"
    forged.write_text("{")
    assert [line.partition(": unparseable")[0] for line in run(str(forged))[1]] == [
        f"{tmp_path}/x\\nother: accepted\\x1b[2K"
    ]
    with redirect_stdout(TextIOWrapper(BytesIO(), "ascii")) as stream:
        run("é")
        stream.seek(0)
        assert stream.read().startswith("\\xe9: unreadable")


def test_the_kernel_loads_nothing_outside_the_standard_library() -> None:
    program = (
        "import sys, verify.kernel, verify.kernel.__main__\n"
        "print('\\n'.join({name.split('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)))\n"
        "print('\\n'.join(name for name in sys.modules if name.startswith('verify.')))"
    )
    root = KERNEL.parent.parent
    done = subprocess.run([sys.executable, "-S", "-c", program], cwd=root, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert {name for name in loaded if "." not in name} <= {"verify", "__main__"}
    assert all(name.startswith("verify.kernel") for name in loaded if "." in name)


@pytest.mark.parametrize("path", sorted(KERNEL.rglob("*.py")), ids=lambda path: str(path.relative_to(KERNEL)))
def test_the_source_has_no_asserts_floats_eval_or_foreign_imports(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        assert not isinstance(node, ast.Assert)
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float | complex))
        assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div))
        if isinstance(node, ast.Name):
            assert node.id not in {"eval", "exec", "float", "complex", "pickle", "__import__", "compile", "globals"}
        if isinstance(node, ast.Import):
            assert all(alias.name in sys.stdlib_module_names for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            assert module.startswith("verify.kernel") or module.split(".")[0] in sys.stdlib_module_names


def imports_of(path: Path) -> set[str]:
    """The modules of the kernel that a file imports, at its top or inside functions."""
    named = {
        f"{node.module}.{alias.name}"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    parts = [name.split(".")[2:] for name in named if name.startswith("verify.kernel.")]
    return {max((name for i in range(len(p) + 1) if (name := "/".join(p[:i])) in MODULES), key=len) for p in parts}


def name_of(path: Path) -> str:
    """A file's place in the kernel: "" is the package, "base" and "base/item" are below it."""
    place = path.relative_to(KERNEL).with_suffix("")
    return "/".join(place.parts[:-1] if place.name == "__init__" else place.parts)


MODULES = {name_of(path): path for path in KERNEL.rglob("*.py")}
ROOMS = {
    "base": {"base"},
    "hmm": {"base", "hmm"},
    "memory": {"base", "hmm", "memory"},
    "lemmas": {"base", "hmm", "memory", "lemmas"},
}


@pytest.mark.parametrize("name", [name for name in MODULES if "/" in name])
def test_the_rooms_of_the_theorems_import_no_annex(name: str) -> None:
    assert {imported.split("/")[0] for imported in imports_of(MODULES[name])} <= ROOMS[name.split("/")[0]]


def test_every_room_says_what_belongs_there_and_imports_nothing() -> None:
    assert {path.parent.name for path in KERNEL.glob("*/*.py")} == set(ROOMS)
    for room in ROOMS:
        assert ast.get_docstring(ast.parse(MODULES[room].read_text()))
        assert not imports_of(MODULES[room])


def test_no_file_is_long_and_no_room_is_full() -> None:
    assert max(len(path.read_text().splitlines()) for path in MODULES.values()) <= 250
    assert max(len(list(room.glob("*.py"))) for room in (KERNEL, *(KERNEL / room for room in ROOMS))) <= 15


def test_the_lowest_limit_on_digits_is_enough() -> None:
    program = "import sys; from verify.kernel import check; check(sys.stdin.read())"
    digits = "7" * 2000
    document = head_claim([digits, "-" + digits], "holds", model(), agreement(["equal", digits + "/3"]))
    command = [sys.executable, "-X", "int_max_str_digits=640", "-c", program]
    root = KERNEL.parent.parent
    done = subprocess.run(command, cwd=root, input=json.dumps(document), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_one_byte_more_is_read_than_a_certificate_may_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If only `MAX_BYTES` were read, a text that is too long would be cut to one that might be accepted."""
    monkeypatch.setattr(command, "MAX_BYTES", 4)
    for text, read in ((b"[1]", b"[1]"), (b"[1]  x", b"[1]  ")):
        (tmp_path / "file").write_bytes(text)
        assert command.contents(str(tmp_path / "file")) == read
