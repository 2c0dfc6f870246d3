"""The kernel by itself: its command, and what it is made of."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from altering import accepted
from vanilla_certificates import agreement, file, head_claim, model, proved

import verify.kernel
from verify.kernel.__main__ import main

KERNEL = Path(verify.kernel.__file__).parent


# --- robustness, and what the kernel is made of


def test_the_command_prints_one_line_for_each_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"good": json.dumps(proved()), "bad": json.dumps({**proved(), "version": 3}), "ugly": "{"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "model").write_text(file())

    def run(*arguments: str) -> tuple[int, list[str]]:
        monkeypatch.setattr(sys, "argv", ["kernel", *arguments])
        return main(), capsys.readouterr().out.splitlines()

    good, bad, ugly, the_model = (str(tmp_path / name) for name in ("good", "bad", "ugly", "model"))
    status, lines = run(good, "--model", the_model)
    assert (status, lines) == (0, [f"{good}: accepted: {accepted(proved(), file()).sentence()}"])
    assert run(good, bad)[0] == 1
    status, lines = run(good, bad, ugly)
    assert (status, len(lines)) == (2, 3)
    assert lines[1].startswith(f"{bad}: rejected: version: found 3, expected ")
    assert run(str(tmp_path / "absent"))[0] == 2
    assert run(good, "--model", ugly)[0] == 2


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


def test_the_lowest_limit_on_digits_is_enough() -> None:
    program = "import sys; from verify.kernel import check; check(sys.stdin.read())"
    digits = "7" * 2000
    document = head_claim([digits, "-" + digits], "holds", model(), agreement(["equal", digits + "/3"]))
    command = [sys.executable, "-X", "int_max_str_digits=640", "-c", program]
    root = KERNEL.parent.parent
    done = subprocess.run(command, cwd=root, input=json.dumps(document), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
