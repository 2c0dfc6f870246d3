"""One of each orbit: listing finite things up to relabelling, the least of each orbit standing for it.

A thing made of parts, compared part by part, is the least of its orbit iff its first part is the least of its own
orbit, its second part is under the relabellings that leave the first unchanged, and so on. So parts are listed one
inside the other, each with the relabellings that are left, and nothing that was listed is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from typing import TypeAlias, TypeVar

from constructions.memory.model import Shape

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


def is_vanilla(shape: Shape) -> bool:
    """Tell whether this stands for a vanilla HMM: one cell with one value, and the states of the HMM in it."""
    return shape.values == shape.cells == 1


@dataclass(frozen=True, eq=False)
class Renaming:
    """Where the columns of W, the hidden states, the memories and the cells come from; each is made once.

    `weighed`: and for each cell, the entries of a task's mu.
    """

    columns: Permutation
    hidden: Permutation
    memories: Permutation
    cells: Permutation
    weighed: tuple[Permutation, ...]


@cache
def renamings(shape: Shape) -> list[Renaming]:
    """List every way to rename the cells, and the values and the syntax states of each."""

    def ways(size: int) -> Iterator[tuple[Permutation, ...]]:
        return product(permutations(range(size)), repeat=shape.cells)

    return [
        _renaming(shape, cells, values, syntax)
        for cells in permutations(range(shape.cells))
        for values in ways(shape.values)
        for syntax in ways(shape.syntax)
    ]


def _renaming(
    shape: Shape, cells: Permutation, values: tuple[Permutation, ...], syntax: tuple[Permutation, ...]
) -> Renaming:
    """Cell j comes from `cells[j]`; its value m from `values[j][m]`, its syntax state s from `syntax[j][s]`."""
    hidden = tuple(shape.state(cells[j], of) for j in range(shape.cells) for of in syntax[j])
    columns = tuple(
        shape.column(values[h // shape.syntax][m], of) for m in range(shape.values) for h, of in enumerate(hidden)
    )
    index = {memory: i for i, memory in enumerate(shape.memories)}
    sources = []
    for memory in shape.memories:
        source = dict(zip(cells, (values[j][m] for j, m in enumerate(memory)), strict=True))
        sources.append(index[tuple(source[j] for j in range(shape.cells))])
    return Renaming(columns, hidden, tuple(sources), cells, (hidden,) if is_vanilla(shape) else values)
