"""The prompts of theorems 4.6 and C.6: which memories they leave, and what they make of the law of H_2."""

from __future__ import annotations

from fractions import Fraction

from constructions.heads import SoftPrompt
from constructions.memory.model import MemoryHMM
from constructions.tasks import MemoryTask


def prompt(model: MemoryHMM, task: MemoryTask) -> SoftPrompt:
    """Return the proof's u (C.6): 1 at (m_1..m_N, j, s) iff m_j* is in supp(mu)."""
    needed, hidden = task.support, model.shape.hidden
    return SoftPrompt(
        tuple(Fraction(memory[task.cell] in needed) for memory in model.shape.memories for _ in range(hidden))
    )


def restoring_prompt(model: MemoryHMM, task: MemoryTask) -> SoftPrompt | None:
    """Return the u behind which H_2 has the law of H_1, whatever P[H_0]; None where H_1 misses a state that H_0 has."""
    if any(p and not q for p, q in zip(model.initial, model.first, strict=True)):
        return None
    ratios = [p / q if q else Fraction(0) for p, q in zip(model.initial, model.first, strict=True)]
    needed, largest = task.support, max(ratios)
    return SoftPrompt(
        tuple(ratio / largest * (memory[task.cell] in needed) for memory in model.shape.memories for ratio in ratios)
    )
