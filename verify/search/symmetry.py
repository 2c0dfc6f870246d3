"""One of each orbit: listing finite things up to relabelling, the least of each orbit standing for it.

A thing made of parts, compared part by part, is the least of its orbit iff its first part is the least of its own
orbit, its second part is under the relabellings that leave the first unchanged, and so on. So parts are listed one
inside the other, each with the relabellings that are left, and nothing that was listed is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias, TypeVar

Relabelling = TypeVar("Relabelling")
Part = TypeVar("Part", bound=tuple[object, ...])

Permutation: TypeAlias = tuple[int, ...]
Units: TypeAlias = tuple[int, ...]
"""A distribution in units of 1/d: integers >= 0 that sum to d."""


def representatives(
    parts: Iterable[Part], group: Sequence[Relabelling], act: Callable[[Relabelling, Part], Part]
) -> Iterator[tuple[Part, list[Relabelling]]]:
    """Yield each part that is the least of its orbit under a group, with the relabellings that leave it unchanged."""
    for part in parts:
        unchanged = []
        for relabelling in group:
            image = act(relabelling, part)
            if image < part:
                break
            if image == part:
                unchanged.append(relabelling)
        else:
            yield part, unchanged


def permuted(permutation: Permutation, entries: Sequence[int]) -> tuple[int, ...]:
    """Return the entries with that of `permutation[i]` at i."""
    return tuple(entries[i] for i in permutation)


def distributions(length: int, denominator: int) -> list[Units]:
    """List every distribution over so many outcomes in multiples of 1/denominator, in lexicographic order."""
    if length == 1:
        return [(denominator,)]
    return [
        (first, *rest) for first in range(denominator + 1) for rest in distributions(length - 1, denominator - first)
    ]
