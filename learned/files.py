"""Files that are whole or not there, whenever the program is stopped."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def put(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file and put it in its place in one step, on the disk."""
    partial = path.with_name(path.name + ".partial")
    write(partial)
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    partial.replace(path)
