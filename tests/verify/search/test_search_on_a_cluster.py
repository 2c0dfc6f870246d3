"""A search on a Dask cluster of two worker processes, one of which is killed while it works on a shard."""

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from verify.search.counterexamples import Search
from verify.search.engines import on_cluster
from verify.search.outcomes import Outcome
from verify.search.sharded import Standing, search_all
from verify.search.small_models import Bounds, shards

distributed = pytest.importorskip("distributed")

BOUNDS = Bounds(2, 2, 2)


@dataclass(frozen=True)
class Logged(Search):
    """A search that takes its time, and writes down who begins a shard."""

    log: Path = Path()

    def examine(self, models: Any, until: float = inf) -> Outcome:
        with self.log.open("a") as file:
            file.write(f"{os.getpid()}\n")
        sleep(0.2)
        return super().examine(models, until)


@pytest.fixture
def client() -> Iterator[Any]:
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.mark.thorough(reason="starts a cluster: 5 s; test_sharded_search has processes, and one that is killed")
def test_a_shard_that_dies_with_its_worker_is_done_again_and_counted_once(client: Any, tmp_path: Path) -> None:
    doomed, other = client.run(os.getpid).values()
    standings: list[Standing] = []

    def watch(standing: Standing) -> None:
        standings.append(standing)
        if standing.size == (2, 2, 2) and standing.done == 3:
            os.kill(doomed, signal.SIGKILL)

    search = Logged("3.3", "3.1", 2, log=tmp_path / "begun")
    outcome = search_all(search, BOUNDS, on_cluster(client), watch=watch)
    begun = search.log.read_text().split()
    assert outcome == search_all(Search("3.3", "3.1", 2), BOUNDS)
    assert len(begun) > len(standings) == sum(len(list(shards("hmm", size))) for size in BOUNDS.sizes)
    assert {str(doomed), str(other)} <= set(begun)
