"""`headproof learn ... --json` as a process of its own prints one JSON object and nothing else."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from command import GENEROUS

needs = pytest.mark.skipif(
    not all(map(find_spec, ("torch", "transformers", "matplotlib"))),
    reason="torch, transformers or matplotlib is not installed: pip install -c constraints.txt -e '.[learned]'",
)

PROGRAM = """
import sys
sys.path[:0] = sys.argv[1:3]
del sys.argv[1:3]
from learned import cells, pretrain
from tiny import QUICK_PLAN, UNTAUGHT
pretrain.PRESETS["smoke"], cells.PLANS["smoke"] = UNTAUGHT, QUICK_PLAN
from verify.commands.main import main
if __name__ == "__main__":
    main()
"""
"""A program that runs the command, with a tiny preset `smoke`."""


@needs
@pytest.mark.thorough(reason="processes that load torch; pretrain is called here in test_learn")
@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (
            ("pretrain", "--states", "4", "--preset", "smoke", "--out", "{}"),
            "run steps tokens seconds device utilisation divergence entropy by_position",
        ),
        (("figure", "--preset", "smoke", "--out", "{}", "--plan"), "cells missing networks operations seconds"),
        (("figure", "--preset", "smoke", "--out", "{}", "--jobs", "1"), "files cells"),
    ],
    ids=["pretrain", "plan", "figure"],
)
def test_stdout_is_one_json_object(arguments: tuple[str, ...], keys: str, tmp_path: Path) -> None:
    folder, program = tmp_path / "out", tmp_path / "program.py"
    program.write_text(PROGRAM)

    def call(*arguments: str) -> dict[str, object]:
        words = [part.format(folder) for part in map(str, arguments)]
        paths = [str(Path(__file__).parents[2]), str(Path(__file__).parent)]
        command = [sys.executable, "-W", "ignore", str(program), *paths, "learn", *words, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=GENEROUS)
        assert (done.returncode, done.stderr) == (0, "")
        document: dict[str, object] = json.loads(done.stdout)
        return document

    document = call(*arguments)
    assert list(document) == keys.split()
    if "--jobs" in arguments:
        assert document["cells"] == len(list((folder / "cells-smoke").glob("*.json"))) == 10
        assert all(Path(str(file)).is_file() for file in document["files"])  # type: ignore[attr-defined]
        assert call(*arguments) == document
