"""Worker processes that end with the process that began them: `kill -9` lets nobody tell its children."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import cache
from threading import Thread
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


@cache
def end_with_parent(parent: int, seconds: float = 1.0) -> None:
    """End this process, within so many seconds, once the process of this number is not its parent any more.

    In that process itself, as where a job is done without workers, there is nothing to do. Linux could send a signal
    instead, but it would when the thread ends that started this process, and worker pools start theirs in any thread.
    """
    if os.getpid() == parent:
        return

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(seconds)
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def call_in_worker(
    parent: int, function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """Call a function in a worker process, which from then on ends with its parent.

    For pools whose workers take no initializer: `delayed(call_in_worker)(os.getpid(), function, argument)`.
    """
    end_with_parent(parent)
    return function(*args, **kwargs)
