"""Hypothesis strategies for models, tasks, prompts and inputs, valid by construction, and random models for a command.

    hmms(satisfying="3.2", violating="3.1")    models: of states, tokens, probabilities as small integers over their sum
    memory_hmms(violating="4.2")               memory models; here those that meet 3.2 and violate 4.2
    problems("3.3"), memory_problems("4.3")    a model with a task that meet all hypotheses of a theorem
    problems_satisfying("3.5"), problems_violating("3.5", also=["3.2"])    the same of single assumptions
    tasks(model), memory_tasks(model), tasks_with_both_labels(model), with_tasks(models)    tasks
    inputs(model, 3), prompts(n), distributions(n)    inputs of up to 3 tokens, prompts, probability vectors

`.example()` draws one; in tests `@given(...)` does. Arguments for which there is none raise a `ValueError`.

Here: strategies. Not here: what is decided of their examples.
"""

# ruff: noqa: F403, F405
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verify.strategies.memory import memory_hmms, memory_problems, memory_tasks
    from verify.strategies.vanilla import *  # `__all__` says what

__all__ = [
    "distributions",
    "hmms",
    "inputs",
    "memory_hmms",
    "memory_problems",
    "memory_tasks",
    "problems",
    "problems_satisfying",
    "problems_violating",
    "prompts",
    "tasks",
    "tasks_with_both_labels",
    "with_tasks",
]


def __dir__() -> list[str]:
    """List the strategies."""
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    """Import a strategy on its first use: commands that draw no model do without Hypothesis."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from verify.strategies import memory, vanilla

    return getattr(memory if name.startswith("memory") else vanilla, name)
