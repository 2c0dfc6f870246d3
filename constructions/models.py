"""Models of both kinds, and their files."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias, TypeGuard

from constructions import hmm
from constructions.hmm import HMM
from constructions.memory import model as memory
from constructions.memory.model import MemoryHMM
from constructions.reading import Node, read
from constructions.shipped import path_of
from constructions.tasks import MemoryTask, Task

__all__ = ["HMM", "Known", "Loaded", "MemoryHMM", "Model", "document", "from_node", "is_memory", "load", "with_task"]

Model: TypeAlias = HMM | MemoryHMM

Loaded: TypeAlias = tuple[HMM, Task | None] | tuple[MemoryHMM, MemoryTask | None]
"""A model of either kind, and its task if its file has one."""

Known: TypeAlias = tuple[HMM, Task] | tuple[MemoryHMM, MemoryTask]
"""A model with a task."""


def load(path: str | Path) -> Loaded:
    """Read a model file, or a model that ships by its name: the model, and its task if it has one.

    Raises `InputError` for what is neither, or no model. A `Path` is a path; of a text `constructions.shipped` decides.
    """
    node = read(path_of(path) if isinstance(path, str) else path)
    return from_node(node, default_name=Path(path).stem)


def from_node(node: Node, default_name: str = "") -> Loaded:
    """Read a model document of either kind."""
    kind = node.member("kind")
    if kind.string() == "memory-hmm":
        return memory.from_node(node, default_name)
    if kind.string() != "hmm":
        raise kind.complain('"hmm" or "memory-hmm"')
    return hmm.from_node(node, default_name)


def document(model: Model, task: Task | None) -> dict[str, object]:
    """Write a model of either kind as a JSON document with every number in lowest terms."""
    result = memory.document(model) if isinstance(model, MemoryHMM) else hmm.document(model)
    for key in ("name", "source"):
        if not result[key]:
            del result[key]
    return result if task is None else result | {"task": task.document}


def with_task(loaded: Loaded) -> Known | None:
    """Return a model and its task, if it has one."""
    model, task = loaded
    if isinstance(model, MemoryHMM):
        return (model, task) if isinstance(task, MemoryTask) else None
    return (model, task) if task is not None else None


def is_memory(known: Known) -> TypeGuard[tuple[MemoryHMM, MemoryTask]]:
    """Tell whether this is a memory model."""
    return isinstance(known[0], MemoryHMM)
