"""`headproof learn`: its output, and its complaints, each in one line and with exit status 2."""

import importlib.util
import json
from pathlib import Path

import pytest
from command import headproof, shipped

from constructions.memory.joint_chain import joint_model
from constructions.memory.model import MemoryHMM
from constructions.models import load

learning = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("torch", "transformers")),
    reason="torch or transformers is not installed: pip install -c constraints.txt -e '.[learned]'",
)


@learning
def test_pretrain_writes_a_network_and_says_how_near_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "network"
    arguments = ("learn", "pretrain", "--states", "4", "--seed", "1", "--preset", "smoke", "--out", folder)
    run = headproof(*arguments)
    assert (run.status, run.err) == (0, "")
    lines = dict(line.split(": ", 1) for line in run.out.splitlines())
    assert lines["tokens"] == "117376"
    report = json.loads(headproof(*arguments, "--json").out)
    assert lines["divergence"] == f"{report['divergence']}"
    assert report == json.loads((folder / "report.json").read_text())
    assert report["divergence"] < 0.1
    from learned.downstream import draw
    from learned.pretrain import Run

    assert report["run"] == Run(draw("vanilla", 4, 1)[0], 1, folder).identity(
        "smoke"
    )  # the model of the figure's cells with this size and seed


@learning
@pytest.mark.thorough(reason="a second pretraining by the command; the first is quick")
def test_a_memory_model_is_learned_by_its_joint_chain(tmp_path: Path) -> None:
    arguments = ("--model", shipped("appendix-d-memory"), "--preset", "smoke", "--out", tmp_path, "--json")
    report = json.loads(headproof("learn", "pretrain", *arguments).out)
    model, _ = load(shipped("appendix-d-memory"))
    assert isinstance(model, MemoryHMM)
    from learned.pretrain import Run

    assert report["run"] == Run(joint_model(model), 0, tmp_path).identity("smoke")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "either --model or --states is needed"),
        (["--states", "4", "--model", "x.json"], "either --model or --states is needed"),
        (["--states", "2"], "Invalid value for '--states': 2 is not in the range x>=3."),
        (["--states", "4", "--preset", "huge"], None),
    ],
)
def test_bad_usage_is_one_line(arguments: list[str], message: str | None, tmp_path: Path) -> None:
    refusal = headproof("learn", "pretrain", *arguments, "--out", tmp_path / "network").refusal
    assert message is None or refusal == f"headproof: {message}"
    assert not (tmp_path / "network").exists()


@learning
def test_bad_input_is_one_line_and_nothing_is_written(tmp_path: Path) -> None:
    file, folder = tmp_path / "file", tmp_path / "network"
    file.write_text("{}")
    model = shipped("umbrella")
    complaints: list[tuple[list[str | Path], str]] = [
        (["--model", file, "--out", folder], f'{file}: the document: found none, expected the key "kind"'),
        (["--model", model, "--out", file], f"{file}: found a file, expected a folder for the network"),
        (["--model", model, "--out", folder, "--device", "abacus"], '--device: found "abacus", expected one of cpu'),
        (["--states", "4", "--seed", str(2**29), "--out", folder, "--preset", "smoke"], "seed: found 536870912"),
    ]
    for arguments, message in complaints:
        assert headproof("learn", "pretrain", *arguments).refusal.startswith(f"headproof: {message}")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("missing", ["torch", "transformers", "safetensors"])
def test_without_its_libraries_it_says_what_to_install(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        "constructions.system.packages.find_spec", lambda name: None if name == missing else find_spec("click")
    )
    run = headproof("learn", "pretrain", "--states", "4", "--out", "network")
    assert run.refusal == f"headproof: {missing}: found none, expected it installed: pip install 'headproof[learned]'"
    assert not Path("network").exists()


def test_help_needs_no_torch() -> None:
    for command in ("pretrain", "figure"):
        assert headproof("learn", command, "--help").status == 0


@learning
def test_a_file_where_the_folder_should_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    run = headproof("learn", "figure", "--preset", "smoke", "--out", tmp_path / "out")
    assert "found a file, expected a folder for the figure" in run.refusal
