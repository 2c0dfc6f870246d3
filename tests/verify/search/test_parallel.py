"""A search has one outcome, whether workers share it, an interruption splits it, or one process does it all."""

import os
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import inf
from pathlib import Path
from time import sleep
from typing import Any
from unittest import mock

import dask
import listed_models
import pytest
from checks import SOME
from distributed import Client, LocalCluster
from hypothesis import given
from hypothesis import strategies as st

from constructions.memory.model import Shape
from constructions.models import HMM
from constructions.tasks import Task
from verify.search import small_models
from verify.search.checkpoint import Checkpoint
from verify.search.counterexamples import Search
from verify.search.outcomes import Hit, Outcome
from verify.search.parallel import Run, WorkerError, examine
from verify.search.small_models import Bounds, shards

NO_HIT = Search("3.3", "3.1", 3)
BOUNDS = Bounds(2, 2, 2)
MODEL = HMM.of("1", "1", "1/2; 1/2")

SHARDS = [shard for size in BOUNDS.sizes for shard in shards("hmm", size)]
LAST_SHARDS = list(shards("hmm", (2, 2, 2)))

HITS = st.builds(lambda longest: Hit(longest, MODEL, Task.of("1")), st.integers(1, 4))
OUTCOMES = st.builds(Outcome, *[st.integers(0, 9)] * 3, st.just(True), st.none() | HITS)


@dataclass(frozen=True)
class Planned(Search):
    """A search with a planned outcome in each shard of the last size, and no hit elsewhere."""

    plan: tuple[Outcome, ...] = ()

    def examine(self, models: Any, until: float = inf) -> Outcome:
        return self.plan[LAST_SHARDS.index(models)] if models in LAST_SHARDS else Outcome(1)


@given(st.lists(OUTCOMES, max_size=6), st.data())
@SOME
def test_neighbours_merge_in_any_order(parts: list[Outcome], data: st.DataObject) -> None:
    outcome = Outcome()
    for part in parts:
        outcome = outcome.then(part)
    while len(parts) > 1:
        i = data.draw(st.integers(0, len(parts) - 2))
        parts[i : i + 2] = [parts[i].then(parts[i + 1])]
    assert parts in ([], [outcome])


@given(st.lists(OUTCOMES, min_size=len(LAST_SHARDS), max_size=len(LAST_SHARDS)))
@SOME
def test_the_first_of_the_shortest_hits_is_returned_and_all_before_it_are_counted(plan: list[Outcome]) -> None:
    outcome = Run().search(Planned("3.3", "3.1", 3, plan=tuple(plan)), BOUNDS)
    hits = [part.hit for part in plan if part.hit]
    last = next((i for i, part in enumerate(plan) if part.hit and part.hit.longest == 1), len(plan))
    assert outcome.hit == min(hits, key=lambda hit: hit.longest, default=None)
    assert outcome.examined == len(SHARDS) - len(LAST_SHARDS) + sum(part.examined for part in plan[: last + 1])
    assert outcome.undecided == sum(part.undecided for part in plan[: last + 1])
    assert outcome.complete


def test_models_do_not_depend_on_the_size_of_shards() -> None:
    def list_models() -> list[Any]:
        models: list[Any] = [model.model for shard in shards("hmm", (3, 2, 1)) for model in shard.models()]
        with mock.patch.object(small_models, "shapes", return_value=[Shape(2, 2, 1)]):
            return models + [model.model for model in listed_models.small_models("memory-hmm", (2, 2, 1))]

    expected = list_models()
    with mock.patch.object(small_models, "MAX_TRANSITIONS", 3):
        small_shards = list(shards("hmm", (3, 2, 1)))
        assert len(small_shards) > len({(shard.emission, shard.initial) for shard in small_shards})
        assert list_models() == expected


# Interruptions


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_search_goes_on_and_its_outcome_is_that_of_an_uninterrupted_one(
    jobs: int, tmp_path: Path
) -> None:
    def interrupt(outcomes: Iterable[Outcome], size: str) -> Iterator[Outcome]:
        for i, outcome in enumerate(outcomes, 1):
            yield outcome
            if size == "2 states, 2 tokens, 1/2" and i == 3:
                raise KeyboardInterrupt

    shard_counts = [-1]
    for _ in range(2):
        checkpoint = Checkpoint(tmp_path / "checkpoint", NO_HIT)
        with pytest.raises(KeyboardInterrupt):
            Run(jobs, checkpoint=checkpoint, watch=interrupt).search(NO_HIT, BOUNDS)
        shard_counts.append(Checkpoint(tmp_path / "checkpoint", NO_HIT).shards)
    assert shard_counts == sorted(set(shard_counts))  # each goes further
    checkpoint = Checkpoint(tmp_path / "checkpoint", NO_HIT)
    progress: list[Outcome] = []

    def watch(outcomes: Iterable[Outcome], size: str) -> Iterator[Outcome]:
        for outcome in outcomes:
            progress.append(outcome)
            yield outcome

    assert Run(3 - jobs, checkpoint=checkpoint, watch=watch).search(NO_HIT, BOUNDS) == Run().search(NO_HIT, BOUNDS)
    assert len(progress) == len(SHARDS) - shard_counts[-1]


def test_shards_left_when_the_time_is_up_are_not_claimed() -> None:
    assert Run(until=0).search(NO_HIT, BOUNDS) == Outcome(complete=False)


def test_a_shard_cut_short_is_counted_but_not_recorded(tmp_path: Path) -> None:
    search = Planned("3.3", "3.1", 3, plan=(Outcome(5, complete=False),) * len(LAST_SHARDS))
    checkpoint = Checkpoint(tmp_path / "checkpoint", search)
    assert Run(checkpoint=checkpoint).search(search, BOUNDS) == Outcome(
        len(SHARDS) - len(LAST_SHARDS) + 5 * len(LAST_SHARDS), complete=False
    )
    assert (2, 2, 2) not in Checkpoint(checkpoint.path, search).sizes


# Workers


@dataclass(frozen=True)
class Fatal(Search):
    """A search that kills the process that it runs in."""

    def examine(self, models: Any, until: float = inf) -> Outcome:
        os.kill(os.getpid(), signal.SIGKILL)
        return Outcome()


@dataclass(frozen=True)
class Slow(Search):
    """A search that takes its time, and logs which process begins a shard."""

    log: Path = Path()

    def examine(self, models: Any, until: float = inf) -> Outcome:
        with self.log.open("a") as file:
            file.write(f"{os.getpid()}\n")
        sleep(0.2)
        return super().examine(models, until)


@pytest.fixture
def client() -> Iterator[Any]:
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


def test_a_process_that_is_killed_ends_the_search_with_a_reason() -> None:
    with pytest.raises(WorkerError, match="a worker process was killed"):
        Run(2).search(Fatal("3.3", "3.1", 3), Bounds(1, 1, 1))


def test_a_worker_with_other_code_refuses_to_work() -> None:
    with pytest.raises(WorkerError, match="another version"):
        examine(NO_HIT, SHARDS[0], inf, "other")


def test_a_shard_that_dies_with_its_dask_worker_is_done_again_and_counted_once(client: Any, tmp_path: Path) -> None:
    victim, survivor = client.run(os.getpid).values()
    progress: list[Outcome] = []

    def kill(outcomes: Iterable[Outcome], size: str) -> Iterator[Outcome]:
        for i, outcome in enumerate(outcomes, 1):
            progress.append(outcome)
            yield outcome
            if size == "2 states, 2 tokens, 1/2" and i == 3:
                os.kill(victim, signal.SIGKILL)

    search = Slow("3.3", "3.1", 2, log=tmp_path / "log")
    outcome = Run(client=client, watch=kill).search(search, BOUNDS)
    process_ids = search.log.read_text().split()
    assert outcome == Run().search(Search("3.3", "3.1", 2), BOUNDS)
    assert len(process_ids) > len(progress) == len(SHARDS)
    assert {str(victim), str(survivor)} <= set(process_ids)


@pytest.mark.thorough(reason="Dask starts killed workers anew: 8 s; a killed joblib worker is quick")
def test_a_dask_cluster_whose_workers_are_all_killed_ends_the_search_with_a_reason(client: Any) -> None:
    with pytest.raises(WorkerError, match="the Dask cluster failed: KilledWorker"):
        Run(client=client).search(Fatal("3.3", "3.1", 3), Bounds(1, 1, 1))
