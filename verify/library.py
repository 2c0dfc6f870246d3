"""The models that ship with Headproof; and Python source for tests of any model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module

from constructions.memory.model import MemoryHMM
from constructions.models import Model, ModelAndTask, is_memory, load, shipped_names, with_task
from constructions.reading import printable
from constructions.tasks import MemoryTask, Task


def shipped_memory_models() -> list[tuple[MemoryHMM, MemoryTask]]:
    """Return every memory model of `models/` that has a task, in the order of their files."""
    return list(filter(is_memory, shipped()))


def shipped() -> list[ModelAndTask]:
    """Return every model of `models/` that has a task, in the order of their files."""
    files = sorted(shipped_names(), key="{}.json".format)
    return [model_and_task for model_and_task in map(with_task, map(load, files)) if model_and_task]


def purpose(name: str) -> str:
    """Say in a sentence what a model that ships is for."""
    return str(import_module("headproof_models").PURPOSES[name])


def example(model: Model, task: Task) -> str:
    """Return the line that makes a Hypothesis test try a model with a task first: `@example(HMM.of(...), Task...)`."""
    return f"@example({replace(model, name='', source='')!r}, {task!r})"


def asserts(statement: str, findings: Mapping[str, bool | None], answer: str) -> list[str]:
    """Return the lines of a test that call `verify` on `model` and `task`, and assert the findings and the answer."""
    return [
        f'verdict = hp.verify("{statement}", model, task)',
        f"assert {{finding.id: finding.holds for finding in verdict.findings}} == {dict(findings)!r}",
        f'assert verdict.answer == "{answer}"',
    ]


def as_test(title: str, model: Model, task: Task, lines: Sequence[str], imports: str = "") -> str:
    """Return a test file that sets `model` and `task`, and then has the `lines`. `title` may be any text."""
    name = re.sub(r"\W+", "_", title, flags=re.ASCII).strip("_").lower()
    assignments = [f"model = hp.{replace(model, name='', source='')!r}", f"task = hp.{task!r}"]
    body = "\n".join(f"    {line}" for line in (f"# {printable(title)}", *assignments, *lines))
    above = f"{imports}\n\nimport headproof as hp".lstrip()
    return f"{above}\n\n\ndef test_{name}():\n{body}\n"
