"""Who works through the shards of a search: this process, worker processes of this machine (joblib), a Dask cluster.

An engine is given numbered shards and yields their outcomes as they come, in any order. It draws shards as it has use
for them, so that whoever gives them can stop.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from itertools import islice
from math import inf
from time import time
from typing import Any

from constructions.reading import InputError
from constructions.system.processes import call_in_worker
from verify.search.outcomes import Engine, Examiner, Numbered, Outcome, Outcomes
from verify.search.state import version

GRACE = 10
"""Seconds that workers have to say that the time is up."""

PATIENCE = 10
"""Seconds in which a scheduler has to answer."""


class EngineError(Exception):
    """The workers cannot go on. What they gave back before is good."""


def on_processes(jobs: int) -> Engine:
    """Work through them in so many processes of this machine."""
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    def run(search: Examiner, shards: Iterable[Numbered], until: float) -> Outcomes:
        parallel = Parallel(jobs, backend="loky", batch_size=1, return_as="generator_unordered")
        try:
            call = delayed(call_in_worker)
            yield from parallel(call(os.getpid(), examine, search, one, until, version()) for one in shards)
        except TerminatedWorkerError:
            raise EngineError("a worker process was killed, perhaps for want of memory") from None

    return run


def on_cluster(client: Any) -> Engine:
    """Work through them on the Dask cluster of a client; what a lost worker was to do, another one does."""
    from distributed import KilledWorker, as_completed

    def run(search: Examiner, shards: Iterable[Numbered], until: float) -> Outcomes:
        left, waiting = iter(shards), 0
        patience = None if until == inf else max(0, until - time()) + GRACE
        running = as_completed(loop=client.loop, with_results=True, timeout=patience)
        try:
            while True:
                wanted = max(1, 2 * sum(client.nthreads().values()))  # workers may come and go
                new = list(islice(left, max(0, wanted - waiting)))
                running.update([client.submit(examine, search, one, until, version(), pure=False) for one in new])
                waiting += len(new)
                if not waiting:
                    return
                _, found = next(running)
                waiting -= 1
                if isinstance(found, BaseException):
                    raise EngineError("the scheduler was lost")
                yield found
        except KilledWorker:
            raise EngineError("workers are killed again and again, perhaps for want of memory") from None
        except ImportError as error:
            raise EngineError(f"the workers cannot import Headproof: {error}") from None
        except TimeoutError:
            return  # no worker is left that could say so itself
        except Exception:
            if client.status == "running":
                raise
            raise EngineError("the scheduler was lost") from None

    return run


def connect(scheduler: str) -> Any:
    """Return a client of the Dask cluster at an address, which logs nothing: what stops a search is an `EngineError`.

    Raises `InputError` if there is no such cluster, or Dask is not installed.
    """
    try:
        from distributed import Client
    except ImportError:
        raise InputError("--engine", "no Dask", "it installed: pip install 'headproof[dask]'") from None
    for name in logging.root.manager.loggerDict:
        if name.partition(".")[0] in ("asyncio", "distributed", "tornado"):
            logging.getLogger(name).disabled = True
    try:
        return Client(scheduler, timeout=PATIENCE)
    except (OSError, ValueError):
        expected = "the address of a Dask scheduler, as in tcp://127.0.0.1:8786"
        raise InputError("--scheduler", f'"{scheduler[:40]}", where none answers', expected) from None


def examine(search: Examiner, shard: Numbered, until: float, of: str) -> tuple[int, Outcome]:
    """Work through one shard elsewhere, with the code of the version given or not at all."""
    if version() != of:
        raise EngineError("a worker has another version of Headproof")
    number, models = shard
    return number, search.examine(models, until)
