"""`headproof search`: its JSON, its exit status, its checkpoint and what it refuses."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from command import headproof

from verify import kernel
from verify.search.parallel import Run, WorkerError
from verify.search.small_models import Shard
from verify.search.without import WITHOUT

SEARCH = ("search", "3.3", "--without", "3.1", "--max-states", "2", "--max-denominator", "2")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for checkpoints of interrupted searches. Each test has a folder of its own."""
    monkeypatch.setattr("click.get_app_dir", lambda name: str(tmp_path / "home" / name))
    return tmp_path / "home" / "headproof" / "searches"


def test_a_miss_says_up_to_which_bounds(tmp_path: Path) -> None:
    done = headproof(*SEARCH, "--certificates", tmp_path / "none", "--json")
    assert done.status == 0
    assert done.json["found"] is False
    assert done.json["model"] is done.json["certificate"] is None
    assert done.json["bounds"] == {"states": 2, "tokens": 2, "denominator": 2, "length": 4}
    assert "none up to these bounds" in headproof(*SEARCH).out
    assert not (tmp_path / "none").exists()


def test_a_search_stopped_by_its_timeout_says_so() -> None:
    done = headproof(*SEARCH, "--timeout", "0", "--json")
    assert done.status == 3
    assert done.json["exhaustive"] is done.json["found"] is False
    assert "none found before the time was up" in headproof(*SEARCH, "--timeout", "0").out


def test_an_interrupted_search_goes_on_where_it_stopped_and_removes_its_checkpoint_in_the_end(home: Path) -> None:
    uninterrupted = headproof(*SEARCH, "--json")
    assert not list(home.iterdir())
    models = Shard.models
    calls: list[Shard] = []

    def interrupted(shard: Shard) -> Any:
        calls.append(shard)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return models(shard)

    with mock.patch.object(Shard, "models", interrupted):
        stopped = headproof(*SEARCH)
    [checkpoint] = home.iterdir()
    assert stopped.status == 130
    assert stopped.err == (
        f"headproof: stopping; the same command goes on where this stops ({checkpoint})\nheadproof: interrupted\n"
    )
    with mock.patch.object(Shard, "models", autospec=True, side_effect=models) as resumed:
        done = headproof(*SEARCH, "--json", "--jobs", "1")
    assert calls[0] not in [call.args[0] for call in resumed.call_args_list]
    assert f"going on where it stopped, 11 shards are done ({checkpoint})\n" in done.err
    assert json.loads(done.out) == uninterrupted.json
    assert not list(home.iterdir())


def test_a_checkpoint_file_of_ones_own_is_kept(tmp_path: Path) -> None:
    first = headproof(*SEARCH, "--checkpoint", tmp_path / "mine.json", "--json")
    again = headproof(*SEARCH, "--checkpoint", tmp_path / "mine.json", "--json")
    assert again.err == f"headproof: going on where it stopped, 19 shards are done ({tmp_path / 'mine.json'})\n"
    assert json.loads(again.out) == first.json


def test_where_there_can_be_no_checkpoint_a_search_does_without(home: Path) -> None:
    home.parent.mkdir(parents=True)
    home.write_text("a file")
    done = headproof(*SEARCH)
    assert done.status == 0
    assert done.err.startswith("headproof: an interrupted search will be lost, as there can be no ")
    assert done.err.count("\n") == 1


def test_workers_end_when_a_search_is_killed_and_it_goes_on(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("def holds(model, task):\n    return True\n")
    checkpoint = tmp_path / "mine.json"
    command = ["search", f"{tmp_path / 'own.py'}:holds", "--max-states", "4", "--checkpoint", str(checkpoint)]
    run = [sys.executable, "-c", "from verify.commands.main import main; main()", *command, "--jobs", "2"]
    search = subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (checkpoint.exists() and json.loads(checkpoint.read_text())["sizes"]):
        assert search.poll() is None
        time.sleep(0.1)
    workers = children(search.pid)
    assert len(workers) >= 2
    search.kill()
    search.wait()
    survivors = {worker for worker in workers if running(worker)}
    deadline = time.monotonic() + 30
    while survivors and time.monotonic() < deadline:
        time.sleep(0.1)
        survivors = {worker for worker in survivors if running(worker)}
    assert not survivors
    assert "going on where it stopped" in headproof(*command, "--timeout", "0").err


def children(parent: int) -> list[int]:
    """Return the ids of the processes that a process has started."""
    tasks = Path(f"/proc/{parent}/task")
    return [int(child) for task in tasks.iterdir() for child in (task / "children").read_text().split()]


def running(process: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_workers_that_cannot_go_on_are_one_line(home: Path) -> None:
    with mock.patch.object(Run, "outcomes", side_effect=WorkerError("the Dask cluster has no workers")):
        done = headproof(*SEARCH)
    assert (done.status, done.out, done.err.count("\n")) == (3, "", 1)
    line = "headproof: not decided, the Dask cluster has no workers; the same command goes on where this stops ("
    assert done.err.startswith(line)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("search", "3.3", "--without", "3.5"), 'headproof: --without: found "3.5", expected of 3.3'),
        (("search", "A.1", "--without", "3.2"), 'headproof: --without: found "3.2", expected of A.1: none yet'),
        (
            ("search", "3.3", "--without", "3.1", "--scheduler", "b", "--jobs", "2"),
            "headproof: --jobs: found --scheduler, expected no --jobs: a cluster has its own workers",
        ),
        (
            ("search", "3.3", "--without", "3.1", "--scheduler", "x://127.0.0.1:1"),
            'headproof: --scheduler: found "x://127.0.0.1:1", where none answers, expected the address of a Dask',
        ),
        (
            ("search", "3.3", "--without", "3.1", "--checkpoint", f"{__file__}/mine.json"),
            f"headproof: {__file__}: found a file, expected a",
        ),
        (
            ("search", "thm 3.3", "--jobs", "2"),
            "headproof: --jobs: found no --without, expected it with --without ID: a",
        ),
        (("search", "A.1"), "headproof: --without: found none, expected of A.1: none yet"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(arguments: tuple[str, ...], line: str) -> None:
    assert headproof(*arguments).refusal.startswith(line)


def test_a_theorem_alone_prints_its_row_of_the_stored_table() -> None:
    done = headproof("search", "4.6", "--json")
    parts = [part for theorem, part in WITHOUT if theorem == "4.6"]
    assert done.status == 0
    assert {cell["without"]: cell["answer"] for cell in done.json["cells"]}.keys() == set(parts)
    row = headproof("search", "4.6").out
    assert "4.5:disjoint: needed. No head serves" in row
    assert "3.2: not needed. The head of the proof" in row


def test_decoys_come_with_the_stored_certificate_which_the_kernel_checks_anew(tmp_path: Path) -> None:
    done = headproof("search", "4.6", "--without", "4.5", "--out", tmp_path / "decoys", "--json")
    assert done.status == 3  # it is not known to be the smallest
    claim = kernel.check((tmp_path / "decoys.json").read_bytes())
    assert (claim.statement, claim.conclusion) == ("4.6", "fails")
    assert len(done.json["inputs"]) == 10
    test = headproof("search", "4.6", "--without", "4.5", "--certificates", tmp_path, "--as", "pytest")
    assert (test.status, "found decoys, which no prover finds" in test.err) == (2, True)
    assert [path.name for path in tmp_path.glob("*.json")] == ["decoys.json"]


def test_what_is_known_comes_at_once_and_is_written_where_asked(tmp_path: Path) -> None:
    done = headproof("search", "3.3", "--without", "3.2:ergodic", "--out", tmp_path / "broken", "--json")
    assert done.status == 0
    assert done.json["exhaustive"]
    assert done.json["certificate"] == str(tmp_path / "broken.json")
    assert headproof("check", tmp_path / "broken.json").status == 0


def test_a_statement_of_ones_own_is_searched_for_and_its_counterexample_written(tmp_path: Path, home: Path) -> None:
    (tmp_path / "state_count.py").write_text(
        """import headproof as hp
def one_state(model, task):
    return len(model.states) < 2 or hp.verify("3.3", *hp.load("only-3-5"))
"""
    )
    command = ("search", f"{tmp_path / 'state_count.py'}:one_state", "--max-states", "2", "--max-tokens", "1")
    done = headproof(*command, "--assuming", "3.2", "--out", tmp_path / "mine", "--json")
    assert done.status == 0
    assert done.json["bounds"] == {"states": 2, "tokens": 1, "denominator": 3}
    assert done.json["certificate"] == str(tmp_path / "mine.json")
    assert len(json.loads((tmp_path / "mine.json").read_text())["states"]) == 2
    assert headproof("assumptions", "--model", tmp_path / "mine.json", "--json").json["assumptions"][1]["holds"]
    assert json.loads(headproof(*command, "--as", "json").out)["name"] == "one_state-fails"
    exec(headproof(*command, "--as", "pytest").out + "[*globals().values()][-1]()", {})
    miss = headproof(*command, "--without", "3.2:full-support", "--max-states", "1")
    assert (miss.status, "one_state without 3.2:full-support: none up to" in miss.out) == (0, True)
    assert not list(home.iterdir())
