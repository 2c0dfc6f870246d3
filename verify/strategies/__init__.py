"""Hypothesis strategies for models, tasks, prompts, heads and inputs, valid by construction; models for a command.

Here: what draws. Not here: what is asked of what was drawn. The names of `vanilla` are handed on: `from
verify.strategies import hmms`.
"""

# ruff: noqa: F403, F405
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verify.strategies.vanilla import *  # `__all__` says what

__all__ = [
    "distributions",
    "hmms",
    "hmms_satisfying",
    "hmms_violating",
    "inputs",
    "problems",
    "problems_satisfying",
    "problems_violating",
    "prompts",
    "tasks",
    "tasks_with_both_labels",
    "with_tasks",
]


def __getattr__(name: str) -> Any:
    """Hand on a name when it is asked for: the command draws no model, and Hypothesis need not be installed for it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from verify.strategies import vanilla

    return getattr(vanilla, name)
