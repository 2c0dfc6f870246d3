"""What a search leaves behind, and says, when something that it works with is killed."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest

PROGRAM = Path(sys.executable).with_name("headproof")
SECONDS = 120
"""In which workers end, which look every second; idle ones would wait for five minutes."""

LARGE = ["3.3", "--without", "3.1", "--max-states", "3", "--max-tokens", "3", "--max-denominator", "7"]
"""A search that takes much longer than these tests."""

pytestmark = pytest.mark.thorough(reason="processes that search, until they are killed: 10 s, and a cluster 30 s")


def children(parent: int) -> set[int]:
    """The numbers of the processes that a process has started, on Linux."""
    tasks = Path(f"/proc/{parent}/task").iterdir()
    return {int(number) for task in tasks for number in (task / "children").read_text().split()}


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="only Linux lists the children of a process there")
def test_workers_end_with_a_search_that_is_killed(tmp_path: Path) -> None:
    running = subprocess.Popen(
        [PROGRAM, "search", *LARGE, "--state", "state", "--jobs", "2"], cwd=tmp_path, stderr=subprocess.PIPE
    )
    wait_for_shards(running, tmp_path / "state")
    started = {child: Path(f"/proc/{child}/cmdline").read_bytes() for child in children(running.pid)}
    workers = [child for child, command in started.items() if b"LokyProcess" in command]
    running.kill()
    running.communicate(timeout=SECONDS)  # until nobody can write to the pipe: they have left
    assert len(workers) == 2
    assert not any(Path(f"/proc/{worker}").is_dir() for worker in workers)


def wait_for_shards(running: subprocess.Popen[Any], state: Path) -> None:
    """Wait until some shards are done."""
    while running.poll() is None and not any(file.stat().st_size > 2**14 for file in state.glob("*.sqlite")):
        sleep(0.1)


@pytest.fixture
def cluster() -> Iterator[subprocess.Popen[str]]:
    """A scheduler in a process of its own, with its address on its first line, and a worker."""
    pytest.importorskip("distributed")
    scheduler = subprocess.Popen([sys.executable, "-c", SCHEDULER], stdout=subprocess.PIPE, text=True)
    yield scheduler
    scheduler.kill()
    scheduler.communicate()


SCHEDULER = """
from time import sleep
from distributed import LocalCluster
if __name__ == "__main__":
    cluster = LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp")
    print(cluster.scheduler_address, flush=True)
    sleep(1000)
"""


def test_a_scheduler_that_is_killed_is_one_line(cluster: subprocess.Popen[str], tmp_path: Path) -> None:
    assert cluster.stdout is not None
    options = ["--engine", "dask", "--scheduler", cluster.stdout.readline().strip(), "--state", "state"]
    running = subprocess.Popen(
        [PROGRAM, "search", *LARGE, *options], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_for_shards(running, tmp_path / "state")
    cluster.kill()
    out, err = running.communicate(timeout=10 * SECONDS)
    assert (running.returncode, out) == (3, "")
    assert err.startswith("headproof: not decided, the scheduler was lost; the same command goes on where this stops (")
    assert err.count("\n") == 1
