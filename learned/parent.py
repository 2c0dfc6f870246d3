"""A process that ends with the one that started it, however that one ends: `kill -9` lets nobody tell its children."""

from __future__ import annotations

import os
import time
from threading import Thread


def end_with_parent(parent: int, seconds: float = 1.0) -> None:
    """Look every so often whether the process of this number is still the parent, and leave at once when it is not."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(seconds)
        os._exit(1)

    Thread(target=watch, daemon=True).start()
