"""The hypotheses of statements, one by one: whether each holds on a model of either kind, and the parts they have."""

from __future__ import annotations

from constructions.assumptions import DECIDE
from constructions.memory.assumptions import MEMORY_DECIDE
from constructions.models import Known, is_memory

ERGODIC, SUPPORT, STATIONARY = "3.2:ergodic", "3.2:full-support", "4.4:stationary"

REGULAR = {"3.2": (ERGODIC, SUPPORT), ERGODIC: (ERGODIC,), SUPPORT: (SUPPORT,)}
"""3.2 and its parts: the hypotheses one of which fails without it."""

CHAIN = REGULAR | {"4.4": (ERGODIC, SUPPORT, STATIONARY), STATIONARY: (STATIONARY,)}
"""And 4.4, which contains it."""


def holds(key: str, known: Known) -> bool | None:
    """Tell whether a hypothesis holds on a model with a task; None if that is undecided."""
    return MEMORY_DECIDE[key](*known).holds if is_memory(known) else DECIDE[key](*known).holds
