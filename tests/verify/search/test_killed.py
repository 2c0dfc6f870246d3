"""What a search leaves behind, and says, when something that it works with is killed."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import pytest

PROGRAM = Path(sys.executable).with_name("headproof")
SECONDS = 120
"""In which workers end, which look every second; idle ones would wait for five minutes."""

LARGE = ["3.3", "--without", "3.1", "--max-states", "3", "--max-tokens", "3", "--max-denominator", "5"]
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
    while running.poll() is None and len(workers := workers_of(running.pid)) < 2:
        sleep(0.1)
    sleep(4)  # until both have begun to work
    running.kill()
    running.communicate(timeout=SECONDS)  # until nobody can write to the pipe: they have left
    assert len(workers) == 2


def workers_of(parent: int) -> list[int]:
    """The workers among the children of a process."""
    return [one for one in children(parent) if b"LokyProcess" in Path(f"/proc/{one}/cmdline").read_bytes()]


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
    while running.poll() is None and not list((tmp_path / "state").glob("*.sqlite")):
        sleep(0.1)
    sleep(4)  # until it waits for the cluster
    cluster.kill()
    out, err = running.communicate(timeout=10 * SECONDS)
    assert (running.returncode, out) == (3, "")
    assert err.startswith("headproof: not decided, the scheduler was lost; the same command goes on where this stops (")
    assert err.count("\n") == 1
