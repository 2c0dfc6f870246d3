"""Hypothesis strategies for models, tasks, prompts and inputs, valid by construction, and random models for a command.

Here: strategies. Not here: what is decided of their examples. The names of `vanilla` can be imported from here: `from
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
    """Import a strategy on its first use: commands that draw no model do without Hypothesis."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from verify.strategies import vanilla

    return getattr(vanilla, name)
