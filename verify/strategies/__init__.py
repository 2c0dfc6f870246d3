"""Hypothesis strategies for models, tasks, prompts and inputs, valid by construction. `headproof generate` uses some.

    hmms(satisfying="3.2", violating="3.1")    vanilla models, here those that meet 3.2 and violate 3.1
    memory_hmms(violating="4.2")               memory models, here those that violate 4.2
    problems("3.3"), memory_problems("4.3")    a model with a task that meet all hypotheses of a theorem
    problems_satisfying("3.5")                 a model with a task that meet an assumption
    problems_violating("3.5", also=["3.2"])    a model with a task that violate one assumption and meet others
    with_tasks(models)                         a model with a task, from a strategy for models
    tasks(model), memory_tasks(model)          tasks on a model
    tasks_with_both_labels(model)              tasks under which some inputs have label 0 and others label 1
    inputs(model, 3)                           inputs of 1 to 3 tokens
    prompts(n), distributions(n)               prompts and probability vectors with n entries

Each returns a strategy S. `S.example()` draws an example; in a test, `@given(S)` does. Arguments for which there is no
example raise an error.

Here: strategies. Not here: the decision of assumptions and statements on the examples.
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
    """Import a strategy on its first use, so that only commands that draw models need Hypothesis."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from verify.strategies import memory, vanilla

    return getattr(memory if name.startswith("memory") else vanilla, name)
