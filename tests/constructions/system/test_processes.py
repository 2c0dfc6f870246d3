"""Worker processes end with the process that began them, however that process ends."""

import os
import subprocess
import sys

import pytest

from constructions.system import processes
from constructions.system.processes import call_in_worker, end_with_parent

SECONDS = 60
"""An orphan ends within this time, as it keeps looking for its parent; otherwise it would sleep for 1,000 seconds."""

WORKER = """
import os, time
from constructions.system.processes import call_in_worker, end_with_parent
parent = os.getpid()
if os.fork():
    os.wait()
"""

WATCHES = {
    "at once": "end_with_parent(parent, 0.01); print(flush=True); time.sleep(1000)",
    "in a call": "call_in_worker(parent, print, flush=True); time.sleep(1000)",
    "when it is late": "time.sleep(1); end_with_parent(parent, 0.01); print(flush=True); time.sleep(1000)",
}


@pytest.mark.parametrize("watch", WATCHES.values(), ids=WATCHES)
def test_a_worker_ends_with_the_process_that_started_it(watch: str) -> None:
    parent = subprocess.Popen([sys.executable, "-c", WORKER + watch], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    parent.stdout.readline()
    parent.kill()
    rest, _ = parent.communicate(timeout=SECONDS)  # returns when the pipe is closed, which the worker holds open, too
    assert rest == b""


def test_the_process_itself_goes_on_and_hands_on_what_a_call_returns() -> None:
    end_with_parent(os.getpid(), 0.0)
    assert call_in_worker(os.getpid(), sorted, [1, 3, 2], reverse=True) == [3, 2, 1]


def test_a_call_looks_for_the_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    parents: list[int] = []
    monkeypatch.setattr(processes, "end_with_parent", parents.append)
    call_in_worker(7, int)
    assert parents == [7]
