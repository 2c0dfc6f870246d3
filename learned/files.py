"""Files that are whole or absent, whatever stops the program; and processes that end with their parent.

`kill -9` gives a parent no chance to tell its children.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread


def replace_file(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file beside its place, under a name of its own, and move it there in one step."""
    partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        write(partial)
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def end_with_parent(parent: int, seconds: float = 1.0) -> None:
    """Look every `seconds` whether the process `parent` still is the parent, and leave at once when it is not."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(seconds)
        os._exit(1)

    Thread(target=watch, daemon=True).start()
