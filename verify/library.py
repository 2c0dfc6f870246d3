"""The models that ship with Headproof."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

from constructions.memory.model import MemoryHMM
from constructions.models import HMM, Known, Model, load, shipped_names, with_task
from constructions.tasks import MemoryTask, Task


def shipped_models() -> list[tuple[HMM, Task]]:
    """Return every vanilla model of `models/` that has a task, by name."""
    return [(model, task) for model, task in shipped() if isinstance(model, HMM)]


def shipped_memory_models() -> list[tuple[MemoryHMM, MemoryTask]]:
    """Return every memory model of `models/` that has a task, by name."""
    return [(model, task) for model, task in shipped() if isinstance(model, MemoryHMM) and isinstance(task, MemoryTask)]


def shipped() -> list[Known]:
    """Return every model of `models/` that has a task, in the order of their files."""
    files = sorted(shipped_names(), key="{}.json".format)
    return [known for known in map(with_task, map(load, files)) if known]


def purpose(name: str) -> str:
    """Say in a sentence what a model that ships is for."""
    says: dict[str, str] = import_module("headproof_models").PURPOSES
    return says[name]


def example(model: Model, task: Task) -> str:
    """Return the line that makes a Hypothesis test try a model with a task first: `@example(HMM.of(...), Task...)`."""
    return f"@example({replace(model, name='', source='')!r}, {task!r})"
