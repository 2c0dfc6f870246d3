"""Files are written whole or not at all, under safe names."""

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
"""A mark in the metadata of pictures and pages, by which they are recognised."""


def put(path: Path, content: str | Callable[[IO[bytes]], object]) -> Path:
    """Write a file in one step, and its folder if there is none. Return its path.

    The content is a text, or a function that writes to an open file. It goes to a new file with a random name beside
    `path`. Once the new file is on the disk, it takes the place of `path`. If anything goes wrong, the new file is
    removed. Raises `InputError` if `path` cannot be a file, and `OSError`, which names `path`, if it cannot be written.
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
    """Raise `InputError` if what is at the path is no regular file, or if the path has a forbidden character.

    A symbolic link is no regular file, whatever it leads to. Raises `OSError`, which names the path, if the system
    cannot tell.
    """
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
    """Return a name like `name` that is safe in a file's name and in a link, and is not in `used`; add it to `used`.

    The name is cut to `limit` characters, or is "model" if nothing of it remains. If the result is taken, a hyphen and
    a number are added, even beyond the limit.
    """
    base = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:limit] or "model"
    safe = next(candidate for candidate in chain([base], map(f"{base}-{{}}".format, count(2))) if candidate not in used)
    used.add(safe)
    return safe


def check_folder(folder: Path, what: str) -> None:
    """Raise `InputError` if a file is in the place of the folder, or of a folder above it."""
    for path in (folder, *folder.parents):
        if path.exists() and not path.is_dir():
            raise InputError("", "a file", f"a folder for {what}", str(path))
