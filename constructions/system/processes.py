"""Worker processes that end when their parent ends, even if `kill -9` leaves it no time to end them."""

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
    """Let this process end within `seconds` of the end of its parent, the process with the id `parent`.

    In the process `parent` itself, which does the jobs if there are no workers, this does nothing. The signal of Linux
    for a dead parent would come too early: Linux sends it when the thread that started this process ends, and pools
    start workers from any thread.
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
    """Call a function in this worker process. From then on the process ends when `parent` ends.

    This is for pools whose workers take no initializer: `delayed(call_in_worker)(os.getpid(), function, argument)`.
    """
    end_with_parent(parent)
    return function(*args, **kwargs)
