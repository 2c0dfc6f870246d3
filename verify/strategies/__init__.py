"""Hypothesis strategies for models, tasks, prompts, heads and inputs, valid by construction; models for a command.

Here: what draws. Not here: what is asked of what was drawn. The names of `vanilla` are handed on: `from
verify.strategies import hmms`.
"""

from verify.strategies.vanilla import (
    distributions,
    hmms,
    hmms_satisfying,
    hmms_violating,
    inputs,
    problems,
    problems_satisfying,
    problems_violating,
    prompts,
    tasks,
    tasks_with_both_labels,
    with_tasks,
)

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
