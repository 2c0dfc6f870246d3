"""A killed scheduler ends a search with one line; a killed report leaves no workers; a Dask worker may have threads."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

import headproof as hp

PROGRAM = Path(sys.executable).with_name("headproof")
LARGE_SEARCH = ["4.3", "--without", "4.2:disjoint", "--max-states", "3", "--max-tokens", "3", "--max-denominator", "3"]
"""A search that takes much longer than these tests."""

TIMEOUT = 120
SCHEDULER = """
from time import sleep
from distributed import LocalCluster
if __name__ == "__main__":
    options = {"processes": False, "dashboard_address": None, "protocol": "tcp"}
    cluster = LocalCluster(n_workers=1, threads_per_worker=1, **options)
    print(cluster.scheduler_address, flush=True)
    sleep(1000)
"""

pytestmark = pytest.mark.thorough(reason="processes that work until they are killed: half a minute")


@pytest.fixture
def cluster() -> Iterator[subprocess.Popen[str]]:
    """Start a process with a Dask scheduler and a worker; the first line that it prints is the scheduler's address."""
    pytest.importorskip("distributed")
    scheduler = subprocess.Popen([sys.executable, "-c", SCHEDULER], stdout=subprocess.PIPE, text=True)
    yield scheduler
    scheduler.kill()
    scheduler.communicate()


def test_a_scheduler_that_is_killed_is_one_line(cluster: subprocess.Popen[str], tmp_path: Path) -> None:
    assert cluster.stdout is not None
    checkpoint = tmp_path / "checkpoint.json"
    options = ["--scheduler", cluster.stdout.readline().strip(), "--checkpoint", str(checkpoint)]
    running = subprocess.Popen(
        [PROGRAM, "search", *LARGE_SEARCH, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while running.poll() is None and not checkpoint.exists():
        sleep(0.1)
    sleep(4)  # until it waits for the cluster
    cluster.kill()
    out, err = running.communicate(timeout=TIMEOUT)
    assert (running.returncode, out) == (3, "")
    assert err.startswith("headproof: not decided, ")
    assert "scheduler is lost; the same command goes on where this stops (" in err
    assert err.count("\n") == 1


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="only Linux lists the children of a process there")
def test_the_workers_of_a_report_that_is_killed_end(tmp_path: Path) -> None:
    running = subprocess.Popen([PROGRAM, "report", "-o", tmp_path / "report", "--jobs", "2"], stderr=subprocess.PIPE)
    start = monotonic()
    while running.poll() is None and len(workers := workers_of(running.pid)) < 2 and monotonic() < start + TIMEOUT:
        sleep(0.1)
    sleep(2)  # until both have begun to work
    running.kill()
    running.communicate(timeout=TIMEOUT)  # until nobody can write to the pipe: they have left
    assert len(workers) == 2


def workers_of(parent: int) -> list[int]:
    """Return the ids of the joblib workers among the children of a process."""
    tasks = Path(f"/proc/{parent}/task").iterdir()
    children = {int(number) for task in tasks for number in (task / "children").read_text().split()}
    return [child for child in children if b"LokyProcess" in Path(f"/proc/{child}/cmdline").read_bytes()]


def decide(name: str) -> str:
    return hp.verify("3.6", *hp.load(name)).status


def test_a_dask_worker_decides_in_two_threads_what_it_decides_in_one() -> None:
    distributed = pytest.importorskip("distributed")
    names = ["cpg-island", "only-3-5", "neither", "neither-but-holds"] * 3
    expected = [decide(name) for name in names]
    options = {"processes": False, "dashboard_address": None}
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, **options) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert client.gather(client.map(decide, names, pure=False)) == expected
