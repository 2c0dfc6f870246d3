"""Models of both kinds, and their files.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard, cast

from constructions.hmm import HMM as HMM
from constructions.memory.model import MemoryHMM as MemoryHMM
from constructions.memory.model import Shape
from constructions.reading import InputError, Json, printable, repeated
from constructions.system.writing import put
from constructions.tasks import MemoryTask, Task
from constructions.text.documents import Node, read
from constructions.text.names import choose

Model: TypeAlias = HMM | MemoryHMM

Loaded: TypeAlias = tuple[HMM, Task | None] | tuple[MemoryHMM, MemoryTask | None]
"""A model of either kind, and its task if its file has one."""

ModelAndTask: TypeAlias = tuple[HMM, Task] | tuple[MemoryHMM, MemoryTask]
"""A model with a task."""


def shipped_names() -> list[str]:
    """Return the names of the models that ship. They are the names of the .json files in `models/`, without `.json`."""
    return sorted(
        entry.name.removesuffix(".json")
        for entry in files("headproof_models").iterdir()
        if entry.name.endswith(".json")
    )


def path_of(name: str) -> str:
    """Return the file of a model. A text with a separator or a suffix is a path; others are names of shipped models.

    So `umbrella` is always the shipped model, and `./umbrella` a file in the working folder. Raises `InputError` for a
    name that no shipped model has.
    """
    if Path(name).suffix or Path(name).name != name:
        return name
    names = shipped_names()
    if name not in names and Path(name).exists():
        raise InputError("", "a name that no shipped model has", f".{os.sep}{name} for the file", name)
    chosen = choose(name, names, "a file, or a model that ships", "the model")
    return str(files("headproof_models").joinpath(f"{chosen}.json"))


def load(path: str | Path) -> Loaded:
    """Read the model, and its task if there is one, from a model file, a certificate, or a model that ships.

    A `Path` is a path; a text is a path or the name of a shipped model, as `path_of` says. Raises `InputError` for a
    file of another kind, and for a file without a model.
    """
    return from_node(read(path_of(path) if isinstance(path, str) else path), printable(Path(path).stem))


def from_node(node: Node, default_name: str = "") -> Loaded:
    """Read a model document of either kind, or the model that a certificate is about.

    `default_name`: the name of a model that has none in the document. Raises `InputError` for any other document.
    """
    if node.has("format"):
        node = node.member("model")
    kind = node.member("kind")
    if kind.string() not in ("hmm", "memory-hmm"):
        raise kind.complain('"hmm" or "memory-hmm"')
    try:
        return _read_vanilla(node, default_name) if kind.string() == "hmm" else _read_memory(node, default_name)
    except InputError as error:
        raise error.within(node.source) from None


def _read_vanilla(node: Node, default_name: str) -> tuple[HMM, Task | None]:
    optional = {"name", "source", "states", "tokens", "rounding", "task"}
    members = node.members({"kind", "initial", "transition", "emission"}, optional)
    n, k = len(members["initial"].items()), len(members["emission"].items())
    if not n:
        raise members["initial"].complain("at least one entry", "none")
    of = {"states": (n, "names, one for each state"), "tokens": (k, "names, one for each row of emission")}
    rounding = members["rounding"].number() if "rounding" in members else Fraction(0)
    if not 0 <= rounding <= 1:
        raise members["rounding"].complain("a total variation, from 0 to 1")
    model = HMM(
        members["initial"].vector(n),
        members["transition"].matrix(n, n),
        members["emission"].matrix(k, n),
        rounding=rounding,
        **_read_texts(members, default_name, of),
    )
    return model, Task.from_node(members["task"].members({"mu"})["mu"], n) if "task" in members else None


def _read_memory(node: Node, default_name: str) -> tuple[MemoryHMM, MemoryTask | None]:
    optional = {"name", "source", "values", "cells", "syntax", "tokens", "task"}
    members = node.members({"kind", "memory", "initial", "transition", "emission"}, optional)
    shape, rows = _read_shape(members["memory"], members["initial"]), members["emission"].items()
    counts = {"values": shape.values, "cells": shape.cells, "syntax": shape.syntax, "tokens": len(rows)}
    of = {key: (count, f"names, one for each of the {key}") for key, count in counts.items()}
    model = MemoryHMM(
        members["initial"].vector(shape.hidden),
        members["transition"].matrix(shape.hidden, shape.hidden),
        shape,
        tuple(_entries(members["memory"], [shape.values] * shape.cells)),
        tuple(tuple(_entries(row, [shape.values, shape.cells, shape.syntax])) for row in rows),
        **_read_texts(members, default_name, of),
    )
    if "task" not in members:
        return model, None
    parts = members["task"].members({"cell", "mu"}, {"recoverable"})
    task = MemoryTask(
        Task.from_node(parts["mu"], shape.values).mu,
        parts["cell"].index(shape.cells),
        read_recoverable(parts["recoverable"], shape) if "recoverable" in parts else None,
    )
    return model, task


def _read_texts(members: dict[str, Node], default_name: str, of: dict[str, tuple[int, str]]) -> dict[str, Any]:
    """Read a model's name, its source and its lists of names. `of` has the length of each list, and what it lists."""
    names = {key: members[key].names(*length) for key, length in of.items() if key in members}
    return {"name": default_name} | {key: members[key].string() for key in ("name", "source") if key in members} | names


def _read_shape(memory: Node, initial: Node) -> Shape:
    """Return the shape of a memory model: values and cells from the nested lists of P[M], syntax states from P[H_0]."""
    values, cells, inner = len(memory.items()), 0, memory
    while inner.is_list():
        cells += 1
        entries = inner.items()
        if not entries:
            raise inner.complain("at least one entry", "none")
        inner = entries[0]
    hidden = len(initial.items())
    if not hidden or hidden % cells:
        raise initial.complain(f"as many entries as hidden states (j,s): a multiple of the {cells} cells", f"{hidden}")
    return Shape(values, cells, hidden // cells)


def _entries(node: Node, lengths: Sequence[int]) -> Iterator[Fraction]:
    """Yield the numbers of nested lists that have these lengths, from the first to the last."""
    if not lengths:
        yield node.number()
        return
    for entry in node.items(lengths[0]):
        yield from _entries(entry, lengths[1:])


def read_recoverable(node: Node, shape: Shape) -> tuple[int, ...]:
    """Read a set S* of syntax states, in any order; return it in ascending order.

    Raises `InputError` for an empty set, a repeated state, or a state that is not there.
    """
    entries = node.items()
    states = [entry.index(shape.syntax) for entry in entries]
    if not states:
        raise node.complain("at least one syntax state", "none")
    if (again := repeated(states)) is not None:
        raise entries[again].complain("each syntax state once", f"a second {states[again]}")
    return tuple(sorted(states))


def document(model: Model, task: Task | None) -> Json:
    """Return a model of either kind, with its task if there is one, as JSON with every number in lowest terms."""
    members = {key: value for key, value in model.document.items() if value}  # an empty name or source is left out
    return members if task is None else members | {"task": task.document}


def text(model: Model, task: Task | None) -> str:
    """Return the text of a model file, with each row of a matrix on a line of its own."""
    return _lines(document(model, task), "")


def save(model: Model, task: Task | None, path: str | Path) -> Path:
    """Write a model file for `hp.load`. Return its path. If writing fails, an older file is left as it was.

    Raises `InputError` if `path` cannot be a file, and `OSError` if it cannot be written.
    """
    return put(Path(path), text(model, task) + "\n")


def _lines(value: object, indent: str) -> str:
    """Write JSON with a line for each member of an object and each item of a list of lists. All else is on one line."""
    if isinstance(value, dict):
        inner = ",\n".join(f'{indent}  "{key}": {_lines(member, indent + "  ")}' for key, member in value.items())
        return "{\n" + inner + f"\n{indent}}}"
    if isinstance(value, list) and isinstance(value[0], list):
        return "[\n" + ",\n".join(f"{indent}  {json.dumps(row)}" for row in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False)


def with_task(loaded: Loaded) -> ModelAndTask | None:
    """Return a model with its task, or None if it has no task."""
    return None if loaded[1] is None else cast(ModelAndTask, loaded)


def is_memory(model_and_task: tuple[Model, Task]) -> TypeGuard[tuple[MemoryHMM, MemoryTask]]:
    """Tell whether this is a memory model."""
    return model_and_task[0].kind == "memory-hmm"
