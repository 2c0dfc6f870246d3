"""A search through every model within bounds, size by size, in this process, by joblib or by Dask.

The models of a size are split into shards, whose outcomes are merged in the order of enumeration. So the outcome does
not depend on the number of workers, nor on how often the search was interrupted.
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import takewhile
from math import inf
from time import time
from typing import Any, TypeAlias

from constructions.reading import InputError
from constructions.system.processes import end_with_parent
from verify.search.checkpoint import Checkpoint, code_version
from verify.search.outcomes import Examiner, Outcome
from verify.search.small_models import Bounds, Shard, Size, shards

CONNECT_SECONDS = 10
"""How long `connect` waits for a Dask scheduler to answer."""


LOST = "the Dask cluster failed: its scheduler is lost"


class WorkerError(Exception):
    """The workers cannot go on. The checkpoint is still valid."""


Watch: TypeAlias = Callable[[Iterable[Outcome], str], Iterable[Outcome]]
"""A function that takes the outcomes of the shards of one size, and the size in words. It yields the same outcomes, and
shows progress as they come in."""


@dataclass(frozen=True)
class Run:
    """How a search is run.

    `jobs`: the number of processes of this machine; 1 means this process alone. `client`: a Dask client, whose cluster
    does the work in place of these processes. `checkpoint`: has the progress of an earlier run, from which the search
    goes on, and records new progress. `until`: when to stop, in seconds since the epoch. `watch`: shows progress.
    """

    jobs: int = 1
    client: Any = None
    checkpoint: Checkpoint | None = None
    until: float = inf
    watch: Watch = lambda outcomes, size: outcomes

    def search(self, search: Examiner, bounds: Bounds, beyond: Bounds | None = None) -> Outcome:
        """Search every model within the bounds, size by size, up to a size with a hit or until the time is up.

        Models that are also within the bounds `beyond` are left out. The search starts from its checkpoint, if there is
        one. The checkpoint is written at the end, even if an exception ends the search.

        Raises `WorkerError` if the workers cannot go on, `InputError` if the checkpoint has too many shards of a size,
        and `OSError` if it cannot be written.
        """
        covered, total = beyond.sizes if beyond else [], Outcome()
        try:
            for size in bounds.sizes:
                if size not in covered:
                    total = total.then(self._search_size(search, size))
                if total.hit or not total.complete:
                    break
        finally:
            if self.checkpoint:
                self.checkpoint.write()
        return total

    def _search_size(self, search: Examiner, size: Size) -> Outcome:
        """Search the models of one size. The search stops after a final outcome: later shards cannot change it."""
        listed = list(takewhile(lambda _: time() <= self.until, shards(search.about, size)))
        if time() > self.until:
            return Outcome(complete=False)
        done, outcome = 0, Outcome()
        if self.checkpoint:
            done, outcome = self.checkpoint.sizes.get(size, (done, outcome))
            if done > len(listed):
                source = str(self.checkpoint.path)
                raise InputError("sizes", f"{done} shards of {size}", f"at most {len(listed)}", source)
        needed = takewhile(lambda _: not outcome.final and time() <= self.until, listed[done:])
        with closing(self.outcomes(search, needed)) as outcomes:
            for of_shard in self.watch(outcomes, "{} states, {} tokens, 1/{}".format(*size)):
                done, outcome = done + 1, outcome.then(of_shard)
                if self.checkpoint and outcome.complete:
                    self.checkpoint.record(size, done, outcome)
        return outcome if done == len(listed) or outcome.final else replace(outcome, complete=False)

    def outcomes(self, search: Examiner, shards: Iterable[Shard]) -> Generator[Outcome, None, None]:
        """Yield the outcome of each shard, in order. Raises `WorkerError` if the workers cannot go on."""
        if self.jobs == 1 and self.client is None:
            yield from (search.examine(shard, self.until) for shard in shards)
            return
        from joblib import Parallel, delayed
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        if self.client is None:
            parallel = Parallel(
                self.jobs, backend="loky", return_as="generator", initializer=end_with_parent, initargs=(os.getpid(),)
            )
        else:
            parallel = Parallel(-1, backend=_dask_backend(self.client), return_as="generator")
        try:
            outcomes = parallel(delayed(examine)(search, shard, self.until, code_version()) for shard in shards)
            try:
                for outcome in outcomes:  # noqa: UP028 (`yield from` would close the generator itself)
                    yield outcome
            finally:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # joblib warns of outcomes that nobody wants any more
                    outcomes.close()
        except TerminatedWorkerError:
            raise WorkerError("a worker process was killed, perhaps for want of memory") from None
        except TimeoutError:
            raise WorkerError("the Dask cluster has no workers") from None
        except Exception:
            if self.client is None or self.client.status == "running":
                raise
            raise WorkerError(LOST) from None


def examine(search: Examiner, shard: Shard, until: float, version: str) -> Outcome:
    """Work through one shard in a worker process. `version`: the version of the code in the process that asks.

    Raises `WorkerError` if the worker has another version.
    """
    if code_version() != version:
        raise WorkerError("a worker has another version of Headproof")
    return search.examine(shard, until)


def _dask_backend(client: Any) -> Any:
    """Return a joblib backend for a Dask client. The backend raises `WorkerError` if a task ends without a result.

    The backend that comes with joblib waits forever for a task whose workers are killed or cannot import Headproof.
    """
    from distributed import CancelledError
    from joblib._dask import DaskDistributedBackend

    class Backend(DaskDistributedBackend):  # type: ignore[misc]
        def submit(self, func: Any, callback: Any = None) -> Any:
            def report(task: Any) -> None:
                if error := task.exception():
                    callback(WorkerError(f"the Dask cluster failed: {type(error).__name__}: {error}"))

            task = super().submit(func, callback)
            task.add_done_callback(report)
            return task

        def retrieve_result_callback(self, out: Any) -> Any:
            if isinstance(out, CancelledError):
                raise WorkerError(LOST)
            if isinstance(out, BaseException):
                raise out
            return super().retrieve_result_callback(out)

    return Backend(client=client)


def connect(scheduler: str) -> Any:
    """Return a client of the Dask cluster whose scheduler has this address, and silence the log messages of Dask.

    The messages are not needed: a cluster that fails raises `WorkerError`. Raises `InputError` if no scheduler answers
    at the address, or Dask is not installed.
    """
    try:
        from distributed import Client
    except ImportError:
        raise InputError("--scheduler", "no Dask", "it installed: pip install 'headproof[dask]'") from None
    for name in logging.root.manager.loggerDict:
        if name.partition(".")[0] in ("asyncio", "distributed", "tornado"):
            logging.getLogger(name).disabled = True
    try:
        return Client(scheduler, timeout=CONNECT_SECONDS)
    except (OSError, ValueError):
        expected = "the address of a Dask scheduler, as in tcp://127.0.0.1:8786"
        raise InputError("--scheduler", f'"{scheduler[:40]}", where none answers', expected) from None
