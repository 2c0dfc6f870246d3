"""Files that are written whole or not at all, under names that are safe."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from secrets import token_hex
from stat import S_ISREG
from typing import IO

from constructions.reading import InputError

MARK = "Made by Headproof"
"""What pictures and pages carry in their metadata, so that they are recognised."""


def put(path: Path, content: str | Callable[[IO[bytes]], object]) -> Path:
    """Write a file in one step, in a folder that is made where there is none; return its path.

    The content, a text or a function that writes to an open file, goes into a new file with a random name beside
    `path`, which takes the place of `path` once it is on the disk; it is removed if anything goes wrong.
    Raises `InputError` where `path` cannot be a file, and `OSError`, which names `path`, where it cannot be written.
    """
    check_place(path)
    partial = path.with_name(f".{token_hex(8)}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("xb") as file:  # exclusively: it follows no link and replaces nothing
            file.write(content.encode("utf-8")) if isinstance(content, str) else content(file)
            file.flush()
            os.fsync(file.fileno())
        return partial.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        with suppress(OSError):
            partial.unlink()


def check_place(path: Path) -> None:
    """Raise `InputError` for the path of something that is no regular file, and for a name that no file can have."""
    try:
        if path.name and S_ISREG(path.lstat().st_mode):
            return
        kind = "a folder" if path.is_dir() else "something that is no file of data"
    except FileNotFoundError:
        return
    except ValueError:
        kind = "a character that no file's name has"
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    raise InputError("", "a symbolic link" if path.is_symlink() else kind, "the name of a file to write", str(path))


def safe_name(name: str, used: set[str], limit: int = 100) -> str:
    """Return a name like this one that is safe in a file's name and in a link, and add it to those `used`."""
    base = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:limit] or "model"
    safe = next(candidate for candidate in chain([base], map(f"{base}-{{}}".format, count(2))) if candidate not in used)
    used.add(safe)
    return safe


def check_folder(folder: Path, what: str) -> None:
    """Raise `InputError`, before any work, where a file stands in the place of a folder, or of one around it."""
    for path in (folder, *folder.parents):
        if path.exists() and not path.is_dir():
            raise InputError("", "a file", f"a folder for {what}", str(path))
