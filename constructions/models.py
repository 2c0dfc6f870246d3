"""Models of both kinds, and their files."""

from __future__ import annotations

import json
import os
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias, TypeGuard, cast

from constructions import hmm
from constructions.hmm import HMM
from constructions.memory import model as memory
from constructions.memory.model import MemoryHMM, Shape
from constructions.reading import InputError, printable, repeated
from constructions.system.writing import put
from constructions.tasks import MemoryTask, Task, read_rows
from constructions.text.documents import Node, read
from constructions.text.names import choose

__all__ = [
    "HMM",
    "Loaded",
    "MemoryHMM",
    "Model",
    "ModelAndTask",
    "document",
    "from_node",
    "is_memory",
    "load",
    "path_of",
    "read_recoverable",
    "save",
    "shipped_names",
    "text",
    "with_task",
]

Model: TypeAlias = HMM | MemoryHMM

Loaded: TypeAlias = tuple[HMM, Task | None] | tuple[MemoryHMM, MemoryTask | None]
"""A model of either kind, and its task if its file has one."""

ModelAndTask: TypeAlias = tuple[HMM, Task] | tuple[MemoryHMM, MemoryTask]
"""A model with a task."""


def shipped_names() -> list[str]:
    """Return the names of the models that ship, which are those of their files in `models/`."""
    return sorted(
        entry.name.removesuffix(".json")
        for entry in files("headproof_models").iterdir()
        if entry.name.endswith(".json")
    )


def path_of(name: str) -> str:
    """Return the file of a model: what has a separator or a suffix is a path, anything else the name of one that ships.

    So a file beside the user never hides a model that ships, nor the other way: `umbrella` ships, `./umbrella` is a
    file. Raises `InputError` for a name that no shipped model has.
    """
    if Path(name).suffix or any(separator in name for separator in (os.sep, os.altsep) if separator):
        return name
    if name in shipped_names():
        return str(files("headproof_models").joinpath(f"{name}.json"))
    if Path(name).exists():
        raise InputError("", "a name that no shipped model has", f".{os.sep}{name} for the file", name)
    chosen = choose(name, shipped_names(), "a file, or a model that ships", "the model")
    return str(files("headproof_models").joinpath(f"{chosen}.json"))


def load(path: str | Path) -> Loaded:
    """Read a model file or a certificate, or a model that ships by its name: the model, and its task if it has one.

    Raises `InputError` for what is neither, or no model. A `Path` is a path; of a text `path_of` decides.
    """
    node = read(path_of(path) if isinstance(path, str) else path)
    return from_node(node, default_name=printable(Path(path).stem))


def from_node(node: Node, default_name: str = "") -> Loaded:
    """Read a model document of either kind, or the model that a certificate is about."""
    if node.has("format"):
        node = node.member("model")
    kind = node.member("kind")
    if kind.string() not in ("hmm", "memory-hmm"):
        raise kind.complain('"hmm" or "memory-hmm"')
    if kind.string() == "memory-hmm":
        remembering = memory.from_node(node, default_name)
        return remembering, _read_memory_task(node.member("task"), remembering.shape) if node.has("task") else None
    model = hmm.from_node(node, default_name)
    if not node.has("task"):
        return model, None
    return model, Task.from_node(node.member("task").members({"mu"})["mu"], len(model.states))


def _read_memory_task(node: Node, shape: Shape) -> MemoryTask:
    """Read {"cell": j*, "mu": ..., "recoverable": [s, ...]}, the last of which may be missing."""
    members = node.members({"cell", "mu"}, {"recoverable"})
    mu = read_rows(members["mu"], shape.values)
    if not any(any(row) for row in mu):
        raise members["mu"].complain("a mu that is not 0", "only zeros")
    return MemoryTask(
        mu,
        cell=members["cell"].index(shape.cells),
        recoverable=read_recoverable(members["recoverable"], shape) if "recoverable" in members else None,
    )


def read_recoverable(node: Node, shape: Shape) -> tuple[int, ...]:
    """Read a set S* of syntax states, ascending."""
    entries = node.items()
    states = [entry.index(shape.syntax) for entry in entries]
    if not states:
        raise node.complain("at least one syntax state", "none")
    if (again := repeated(states)) is not None:
        raise entries[again].complain("each syntax state once", f"a second {states[again]}")
    return tuple(sorted(states))


def document(model: Model, task: Task | None) -> dict[str, object]:
    """Write a model of either kind as a JSON document with every number in lowest terms."""
    result = model.document
    for key in ("name", "source"):
        if not result[key]:
            del result[key]
    return result if task is None else result | {"task": task.document}


def text(model: Model, task: Task | None) -> str:
    """Write a model file, each row of a matrix on a line of its own."""
    members = (f'  "{key}": {_lines(value, "  ")}' for key, value in document(model, task).items())
    return "{\n" + ",\n".join(members) + "\n}"


def save(model: Model, task: Task | None, path: str | Path) -> Path:
    """Write a model file, which `hp.load` reads, in one step; return its path. Raises `OSError` where it cannot."""
    return put(Path(path), text(model, task) + "\n")


def _lines(value: object, indent: str) -> str:
    """Write a list of lists with a line for each, anything else on one line."""
    if isinstance(value, dict):
        inner = ",\n".join(f'{indent}  "{key}": {_lines(member, indent + "  ")}' for key, member in value.items())
        return "{\n" + inner + f"\n{indent}}}"
    if isinstance(value, list) and isinstance(value[0], list):
        return "[\n" + ",\n".join(f"{indent}  {json.dumps(row)}" for row in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False)


def with_task(loaded: Loaded) -> ModelAndTask | None:
    """Return a model and its task, if it has one."""
    return None if loaded[1] is None else cast(ModelAndTask, loaded)


def is_memory(known: tuple[Model, Task]) -> TypeGuard[tuple[MemoryHMM, MemoryTask]]:
    """Tell whether this is a memory model."""
    return known[0].kind == "memory-hmm"
