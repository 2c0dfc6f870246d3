"""JSON files that are checked as they are read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from constructions.reading import Literal, Node, Pairs, read


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
