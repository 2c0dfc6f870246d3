"""Files that `headproof learn` reads, and devices that it computes on: a fault is named in one line, with status 2."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from checks import refusal
from libraries import required

torch = required("torch", "transformers", "matplotlib")

from command import headproof  # noqa: E402
from tiny import TINY  # noqa: E402

from constructions.appendix_d import appendix_d  # noqa: E402
from constructions.reading import InputError  # noqa: E402
from learned import mlm  # noqa: E402
from learned import pretrain as pretraining  # noqa: E402
from learned.cells import Cell, finished  # noqa: E402
from learned.pretrain import PRESETS, Run, pretrain  # noqa: E402

MODEL, _ = appendix_d(4, 6, 0)


@pytest.fixture
def network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(PRESETS, "tiny", TINY)
    pretrain([Run(MODEL, 0, tmp_path / "network")], "tiny")
    return tmp_path / "network"


# Devices


@pytest.mark.parametrize("device", ["nonsense", "cuda"])
@pytest.mark.parametrize("command", [["figure", "--preset", "smoke"], ["pretrain", "--states", "4"]])
def test_a_device_that_is_not_there_is_refused_before_any_work(
    command: list[str], device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("learned.cells.get_context", None)  # no worker can be started
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    done = headproof("learn", *command, "--out", tmp_path / "out", "--device", device)
    assert done.refusal == f'headproof: --device: found "{device}", expected one of cpu, as this machine has'
    assert not (tmp_path / "out").exists()


def test_pretraining_takes_one_thread_as_the_figure_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []

    def count_threads(*arguments: object) -> None:
        threads.append(torch.get_num_threads())
        raise InputError("", "enough", "no more")

    monkeypatch.setattr(pretraining, "pretrain", count_threads)
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    headproof("learn", "pretrain", "--states", "4", "--preset", "smoke", "--out", tmp_path / "network")
    torch.set_num_threads(before)
    assert threads == [1]


def test_building_a_network_leaves_the_seeds_of_other_devices_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A GPU draws dropout from its own generator, which must not be seeded anew when a network is built."""
    seeds: list[int] = []
    monkeypatch.setattr(torch.cuda, "manual_seed_all", seeds.append)
    mlm.masked_lm(6, TINY.shape, 3)
    assert seeds == []


# Files of a network


def cut_short(text: str) -> str:
    return text[: len(text) // 2]


@pytest.mark.parametrize(
    "damage",
    [
        cut_short,
        lambda text: "[]",
        lambda text: text.replace('"steps"', '"stride"'),
        lambda text: json.dumps(json.loads(text) | {"divergence": float("nan")}),
        lambda text: text.replace('"divergence":', '"divergence": 1e999, "more":'),
        lambda text: "[" * 10**5,
        lambda text: json.dumps(json.loads(text) | {"run": []}),
    ],
    ids=["cut short", "a list", "another key", "NaN", "infinite", "nested", "no run"],
)
def test_a_report_that_is_broken_is_named(network: Path, damage: Callable[[str], str]) -> None:
    report = network / "report.json"
    report.write_text(damage(report.read_text()))
    assert refusal(pretrain, [Run(MODEL, 0, network)], "tiny").startswith(f"{report}: ")


@pytest.mark.parametrize("content", [[1, 2], torch.zeros(3), {"run": 5}, {}], ids=["list", "tensor", "number", "empty"])
def test_a_checkpoint_of_something_else_is_named(content: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PRESETS, "tiny", TINY)
    file = tmp_path / "checkpoint.pt"
    torch.save(content, file)
    line = f"{file}: device: found another run's, expected this run's, or another folder"
    assert refusal(pretrain, [Run(MODEL, 0, tmp_path)], "tiny") == line
    file.write_text("")
    line = f"{file}: the file: found EOFError, expected a checkpoint of this command"
    assert refusal(pretrain, [Run(MODEL, 0, tmp_path)], "tiny") == line


@pytest.mark.parametrize("name", ["model.safetensors", "config.json"])
@pytest.mark.parametrize("share", [0, 0.5])
def test_a_network_that_is_cut_short_is_refused(name: str, share: float, tmp_path: Path) -> None:
    mlm.masked_lm(3, TINY.shape, 0).save_pretrained(tmp_path)
    data = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(data[: int(share * len(data))])
    assert refusal(mlm.load, tmp_path).startswith(f"{tmp_path}: the network: found ")


def test_a_network_of_another_shape_than_its_config_is_refused(tmp_path: Path) -> None:
    mlm.masked_lm(3, mlm.Shape(layers=2, width=8, heads=2, positions=129, dropout=0.0), 0).save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 3}))
    with pytest.raises(InputError, match="found RuntimeError, expected what pretraining writes"):
        mlm.load(tmp_path)


# Cells


@pytest.mark.parametrize(
    "damage",
    [
        cut_short,
        lambda text: "[]",
        lambda text: json.dumps(json.loads(text) | {"processor seconds": float("nan")}),
        lambda text: json.dumps(json.loads(text) | {"accuracy": {"head, log-odds": float("nan")}}),
        lambda text: json.dumps({key: value for key, value in json.loads(text).items() if key != "majority"}),
        lambda text: json.dumps(json.loads(text) | {"seed": 3}),
        lambda text: json.dumps(json.loads(text) | {"size": None}),
    ],
    ids=["cut short", "a list", "NaN seconds", "NaN inside", "a key less", "another seed", "no size"],
)
def test_a_cell_that_is_broken_is_named(damage: Callable[[str], str], tmp_path: Path) -> None:
    file = Cell("smoke", "exact", "memory", 2, 0).file(tmp_path)
    file.parent.mkdir()
    file.write_text(damage(json.dumps(memory_cell())))
    assert refusal(finished, tmp_path, "smoke").startswith(f"{file}: ")


def memory_cell() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((Path(__file__).parents[2] / "results" / "figure-3-cpu.json").read_text())
    cell: dict[str, Any] = next(
        cell for cell in document["cells"] if (cell["source"], cell["kind"], cell["size"]) == ("exact", "memory", 2)
    )
    return cell
