"""Models with their tasks, one after the other: every one of a kind within bounds, and drawn ones beyond."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Literal, TypeAlias

from constructions.models import Known
from verify.search.small_memory_models import drawn_memory_model, shapes, small_memory_models
from verify.search.small_models import Bounds, drawn, small_models

Kind: TypeAlias = Literal["hmm", "memory-hmm"]


def small(about: Kind, bounds: Bounds) -> Iterator[Known]:
    """Yield every model of a kind within the bounds, with every task."""
    for states, tokens, denominator in bounds.sizes:
        if about == "hmm":
            for one in small_models(states, tokens, denominator):
                yield from ((one.model, task) for task in one.tasks)
        for shape in shapes(states) if about == "memory-hmm" else ():
            for other in small_memory_models(shape, tokens, denominator):
                yield from ((other.model, task) for task in other.tasks)


def larger(about: Kind, bounds: Bounds, count: int, seed: int) -> Iterator[Known]:
    """Draw so many models of a kind: up to one more state and token, and twice the denominator."""
    wider, random = beyond(bounds), Random(seed)
    for _ in range(count):
        yield drawn(wider, random) if about == "hmm" else drawn_memory_model(wider, random)


def beyond(bounds: Bounds) -> Bounds:
    """Return the bounds of the models that are drawn."""
    return Bounds(bounds.states + 1, bounds.tokens + 1, 2 * bounds.denominator)
