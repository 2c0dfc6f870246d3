"""Files that are whole or absent, whatever stops the program; and processes that end with their parent.

`kill -9` gives a parent no chance to tell its children.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Thread
from typing import Any

from constructions.reading import Literal, Node, Pairs, read


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


def read_json(path: Path, keys: Iterable[str], numbers: Iterable[str]) -> dict[str, Any]:
    """Read an object with these members, some of them numbers. Raises `InputError`, which names file and place.

    A NaN or its like is refused, however deep.
    """
    document = read(path)
    for key in keys:
        document.member(key)
    for key in numbers:
        document.member(key).number()
    _check_numbers(document)
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def _check_numbers(node: Node) -> None:
    if isinstance(node.value, Literal):
        node.number()
    elif node.is_list():
        for entry in node.items():
            _check_numbers(entry)
    elif isinstance(node.value, Pairs):
        for key, _ in node.value:
            _check_numbers(node.member(key))


def end_with_parent(parent: int, seconds: float = 1.0) -> None:
    """Look every `seconds` whether the process `parent` still is the parent, and leave at once when it is not."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(seconds)
        os._exit(1)

    Thread(target=watch, daemon=True).start()
