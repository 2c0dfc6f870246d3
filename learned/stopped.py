"""What stands a stop at any moment: files that are whole or not there, processes that end with the one that began them.

`kill -9` lets nobody tell its children.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread


def put(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file and put it in its place in one step, on the disk."""
    partial = path.with_name(path.name + ".partial")
    write(partial)
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    partial.replace(path)


def end_with_parent(parent: int, seconds: float = 1.0) -> None:
    """Look every so often whether the process of this number is still the parent, and leave at once when it is not."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(seconds)
        os._exit(1)

    Thread(target=watch, daemon=True).start()
