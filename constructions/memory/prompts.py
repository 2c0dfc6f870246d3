"""The prompts of theorems 4.6 and C.6: they exclude memories, and decide the law of H_2.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import chain

from constructions.heads import SoftPrompt
from constructions.linear import Vector
from constructions.memory.model import MemoryHMM
from constructions.tasks import MemoryTask


def prompt(model: MemoryHMM, task: MemoryTask) -> SoftPrompt:
    """Return the proof's u (C.6): 1 at a state if its memory has a value in supp(mu) in the task's cell, else 0."""
    return _where_needed(model, task, (Fraction(1),) * model.shape.hidden)


def restoring_prompt(model: MemoryHMM, task: MemoryTask) -> SoftPrompt | None:
    """Return a u behind which H_2 has the law that H_1 has without a prompt. P[H_0] need not be stationary.

    Returns None if H_0 can be in a state that H_1 cannot be in.
    """
    pairs = list(zip(model.initial, model.first, strict=True))
    if any(p and not q for p, q in pairs):
        return None
    ratios = [p / q if q else q for p, q in pairs]
    return _where_needed(model, task, tuple(ratio / max(ratios) for ratio in ratios))


def _where_needed(model: MemoryHMM, task: MemoryTask, block: Vector) -> SoftPrompt:
    """Return the prompt that is `block` on each memory with a value in supp(mu) in the task's cell, and 0 elsewhere."""
    blocks = ((Fraction(0),) * len(block), block)
    return SoftPrompt(tuple(chain.from_iterable(blocks[m[task.cell] in task.support] for m in model.shape.memories)))
