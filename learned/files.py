"""Files that are whole or not there, whenever the program is stopped."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from constructions.reading import InputError


def put(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file and put it in its place in one step, on the disk."""
    partial = path.with_name(path.name + ".partial")
    write(partial)
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    partial.replace(path)


def check_folder(folder: Path, of: str) -> None:
    """Raise `InputError` where a file stands in the place of a folder, or of one around it."""
    for path in (folder, *folder.parents):
        if path.exists() and not path.is_dir():
            raise InputError("", "a file", f"a folder for the {of}", str(path))
