"""The hypotheses of statements: the parts of each, and whether it holds on a model."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from constructions.memory.assumptions import DECIDE_BY_KIND

ERGODIC, SUPPORT, STATIONARY = "3.2:ergodic", "3.2:full-support", "4.4:stationary"

REGULAR = {"3.2": (ERGODIC, SUPPORT), ERGODIC: (ERGODIC,), SUPPORT: (SUPPORT,)}
"""For 3.2 and each of its parts: the parts of which one fails where it is violated."""

CHAIN = REGULAR | {"4.4": (ERGODIC, SUPPORT, STATIONARY), STATIONARY: (STATIONARY,)}
"""3.2 and 4.4, which contains 3.2, with their parts."""


OF_TASKS = {"3.5", "4.2", "4.5", "C.5"}
"""The assumptions that depend on the task too."""


def holds(key: str, model_and_task: Any) -> bool | None:
    """Tell whether a hypothesis holds on a model with a task; None if that is undecided.

    The task may be None where the hypothesis is about the model alone.
    """
    return DECIDE_BY_KIND[model_and_task[0].kind][key](*model_and_task).holds


class Answers(dict[str, bool | None]):
    """Whether each hypothesis holds on a model with a task; each is decided when it is first looked up."""

    def __init__(self, model_and_task: Any, of_model: Mapping[str, bool | None] | None = None) -> None:
        """Take over the answers on the same model with another task, without those that depend on the task."""
        super().__init__({key: answer for key, answer in (of_model or {}).items() if key not in OF_TASKS})
        self.model_and_task = model_and_task

    def __missing__(self, key: str) -> bool | None:
        """Decide it."""
        self[key] = holds(key, self.model_and_task)
        return self[key]


def met(hypotheses: Collection[str], violated: Iterable[str], answers: Mapping[str, bool | None]) -> bool | None:
    """Tell whether all hypotheses hold and one of `violated` fails, if there are any; None if undecided."""
    if any(answers[key] is False for key in hypotheses):
        return False
    broken = [answers[key] for key in violated]
    if broken and False not in broken:
        return None if None in broken else False
    return None if any(answers[key] is None for key in hypotheses) else True
