"""Several processes train what one does, survive the death of one, and speak and write with one voice."""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from multiprocessing import Value, get_context
from pathlib import Path
from typing import Any

import pytest

INSTALL = "is not installed: pip install -c constraints.txt -e '.[learned]'"
torch = pytest.importorskip("torch", reason=f"torch {INSTALL}")
pytest.importorskip("transformers", reason=f"transformers {INSTALL}")

from safetensors.torch import load_file  # noqa: E402
from tiny import TINY  # noqa: E402
from torch.distributed.elastic.multiprocessing import DefaultLogsSpecs, Std  # noqa: E402
from torch.distributed.elastic.multiprocessing.errors import ChildFailedError  # noqa: E402
from torch.distributed.launcher.api import LaunchConfig, elastic_launch  # noqa: E402

from constructions.reading import InputError  # noqa: E402
from learned import cells, cli, tuning_cli  # noqa: E402
from learned.downstream import drawn  # noqa: E402
from learned.presets import PRESETS  # noqa: E402
from learned.pretrain import Training, dropout_seed, pretrain  # noqa: E402
from learned.ranks import Ranks, started  # noqa: E402
from verify.commands.main import main  # noqa: E402

MODEL, _ = drawn(4, 0)
PLAIN = replace(TINY, shape=replace(TINY.shape, dropout=0.0))


@pytest.fixture(autouse=True)
def presets() -> Iterator[None]:
    before, threads = dict(PRESETS), torch.get_num_threads()
    set_up()
    yield
    PRESETS.update(before)
    torch.set_num_threads(threads)


def set_up() -> None:
    """Take the smallest networks for presets, and one thread: the same sums in the same order."""
    PRESETS.update(smoke=TINY, cpu=PLAIN)
    torch.set_num_threads(1)


def launch(folder: Path, function: Callable[..., Any], *arguments: Any) -> dict[int, Any]:
    """Run a function in two processes, as torchrun does with programs; return what each returns."""
    get_context("forkserver").set_forkserver_preload(
        ["learned.cells", "verify.commands.main"]
    )  # imported once, for all of them
    config = LaunchConfig(
        min_nodes=1,
        max_nodes=1,
        nproc_per_node=2,
        rdzv_backend="c10d",
        rdzv_endpoint="localhost:0",
        run_id=folder.name,
        start_method="forkserver",
        max_restarts=0,
        monitor_interval=0.1,
        logs_specs=DefaultLogsSpecs(log_dir=str(folder), redirects=Std.ALL),
    )
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        return dict(elastic_launch(config, function)(*arguments))
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def printed(folder: Path, rank: int, stream: str) -> str:
    (file,) = folder.glob(f"*/attempt_0/{rank}/{stream}.log")
    return file.read_text()


# One and two


def in_doubles(folder: Path) -> str:
    """Pretrain, where rounding is far below what a wrong gradient does; return a digest of the last weights."""
    set_up()
    torch.set_default_dtype(torch.float64)
    seen = []

    def watch(training: Training, loss: float) -> None:
        weights = b"".join(weight.numpy().tobytes() for weight in training.lm.state_dict().values())
        seen.append(sha256(weights).hexdigest())

    ranks = started()
    pretrain(MODEL, "cpu", 0, folder / f"of rank {ranks.rank}", watch=watch, ranks=ranks)
    return seen[-1]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[int, Any]]:
    folder = tmp_path_factory.mktemp("plain")
    return folder, launch(folder, in_doubles, folder)


def test_two_processes_train_what_one_does_up_to_rounding(plain: tuple[Path, Any], tmp_path: Path) -> None:
    try:
        in_doubles(tmp_path)
    finally:
        torch.set_default_dtype(torch.float32)
    one, two = (load_file(folder / "of rank 0/model.safetensors") for folder in (tmp_path, plain[0]))
    assert one.keys() == two.keys()
    for name, weight in one.items():
        assert weight.dtype == torch.float64
        torch.testing.assert_close(two[name], weight, rtol=0, atol=1e-9)


def test_both_processes_end_with_the_same_weights_to_the_bit(plain: tuple[Path, dict[int, Any]]) -> None:
    assert plain[1][0] == plain[1][1]


def test_only_the_first_process_writes(plain: tuple[Path, Any]) -> None:
    assert (plain[0] / "of rank 0/report.json").is_file()
    assert not (plain[0] / "of rank 1").exists()


# The command


def command(folder: Path, dying: bool = False) -> None:
    """Run `headproof learn pretrain`; the second process dies at step 40, if it is to."""
    train = Training._round

    def die(self: Training) -> float:
        loss = train(self)
        if self.step >= 40:
            os.kill(os.getpid(), signal.SIGKILL)
        return loss

    if dying and started().rank == 1:
        Training._round = die  # type: ignore[method-assign]
    sys.argv = ["headproof", "learn", "pretrain", "--states", "4", "--preset", "smoke", "--out", str(folder), "--json"]
    set_up()
    main()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    launch(folder, command, folder / "lm")
    return folder


def test_the_command_reports_once_and_says_on_how_many_devices(whole: Path) -> None:
    report = json.loads((whole / "lm/report.json").read_text())
    assert json.loads(printed(whole, 0, "stdout")) == report
    assert (report["devices"], report["tokens"], report["steps"]) == (2, TINY.tokens, TINY.steps)
    assert printed(whole, 1, "stdout") == ""


@pytest.mark.thorough(reason="runs three times on two processes; what ranks write is tested beside it")
def test_when_one_process_is_killed_all_end_and_the_same_command_goes_on_to_the_same_weights(
    whole: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "lm"
    with pytest.raises(ChildFailedError):
        launch(tmp_path, command, folder, True)
    assert [path.name for path in folder.iterdir()] == ["checkpoint.pt"]

    one, other = torch.load(folder / "checkpoint.pt")["dropout"]
    assert not torch.equal(one, other)
    with pytest.raises(InputError, match=r"checkpoint.pt: devices: found 2 x cpu, expected 1 x cpu, or another folder"):
        pretrain(MODEL, "smoke", 0, folder)

    launch(tmp_path / "again", command, folder)
    assert (folder / "model.safetensors").read_bytes() == (whole / "lm/model.safetensors").read_bytes()


def pretend(monkeypatch: pytest.MonkeyPatch, rank: int, size: int) -> None:
    """Give this process the environment that torchrun would give it."""
    told = {"RANK": rank, "WORLD_SIZE": size, "LOCAL_RANK": rank, "LOCAL_WORLD_SIZE": size, "TORCHELASTIC_RUN_ID": 1}
    for name, value in told.items():
        monkeypatch.setenv(name, str(value))


@pytest.mark.parametrize("rank", [0, 1])
def test_processes_that_do_not_divide_a_batch_are_refused_in_one_line(
    rank: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    pretend(monkeypatch, rank, 3)
    with pytest.raises(SystemExit) as caught:
        command(tmp_path / "lm")
    assert caught.value.code == 2
    expected = "one of 1, 2, 4, which divide batches of 4 and 8 sequences evenly"
    assert capsys.readouterr() == ("", f"headproof: torchrun: processes: found 3, expected {expected}\n")
    assert not (tmp_path / "lm").exists()
    assert waited == [cli.PATIENCE] * rank


def test_cells_are_not_computed_by_torchrun_s_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, 0, 2)
    with pytest.raises(InputError, match=r"^torchrun: processes: found 2, expected 1, which starts others itself"):
        tuning_cli._run([], "smoke", tmp_path, "cpu", None)


def test_a_finished_network_is_read_by_any_number_of_processes_and_one_of_before_counts_as_one_s(
    whole: Path, tmp_path: Path
) -> None:
    assert pretrain(MODEL, "smoke", 0, whole / "lm").devices == 2
    report = json.loads((whole / "lm/report.json").read_text())
    del report["devices"]
    (tmp_path / "report.json").write_text(json.dumps(report))
    assert pretrain(MODEL, "smoke", 0, tmp_path, ranks=Ranks(1, 3)).devices == 1


# Parts


def test_no_two_ranks_drop_out_alike() -> None:
    assert dropout_seed(7, 0) == 7
    assert len({dropout_seed(7, rank) % 2**32 for rank in range(1000)}) == 1000


def test_more_processes_than_gpus_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    Ranks(1, 2, 1, 2).check(PLAIN, "cuda")
    Ranks(3, 4, 3, 4).check(PLAIN, "cpu")
    with pytest.raises(InputError, match=r"^torchrun: processes: found 4, expected at most 2, one for each GPU$"):
        Ranks(0, 4, 0, 4).check(PLAIN, "cuda")


def test_gpus_of_two_kinds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ranks, "gather", lambda self, name: [name, "A100"])
    Ranks(0, 2).agree("A100")
    with pytest.raises(InputError, match=r"^torchrun: GPUs: found A100 and H100, expected GPUs of one kind"):
        Ranks(0, 2).agree("H100")


def test_on_gpus_each_process_has_its_own_meets_the_others_over_nccl_and_ends_with_torchrun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[tuple[object, ...]] = []
    for place, name in (
        ("learned.ranks", "end_with_parent"),
        ("torch.cuda", "set_device"),
        ("torch.distributed", "init_process_group"),
        ("torch.distributed", "destroy_process_group"),
    ):
        monkeypatch.setattr(f"{place}.{name}", lambda *given, name=name: calls.append((name, *given)))
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "H100")
    monkeypatch.setattr(Ranks, "gather", lambda self, name: [name] * self.size)
    with Ranks(3, 4, 1, 2).joined("cuda"):
        assert calls == [
            ("end_with_parent", os.getppid()),
            ("set_device", 1),
            ("init_process_group", "cpu:gloo,cuda:nccl"),
        ]
    assert calls[3:] == [("destroy_process_group",)]


def test_workers_of_the_figure_take_all_gpus_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "set_device", taken.append)
    count = Value("i")
    for _ in range(5):
        cells._take_a_gpu(count)
    assert taken == [0, 1, 0, 1, 0]


def test_a_worker_of_the_figure_is_handed_the_process_that_started_it(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    monkeypatch.setattr(cells, "end_with_parent", calls.append)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    cells._start(1234, "cpu", Value("i"))
    assert calls == [1234]
