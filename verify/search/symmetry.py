"""Finite objects up to relabelling: each orbit is represented by its least element.

An object is a tuple of parts, and objects are in lexicographic order. An object is the least of its orbit iff

- its first part is the least of the orbit of this part,
- its second part is the least of its orbit under the relabellings that leave the first part unchanged,

and so on. So nested loops list the objects, one loop for each part. Each loop passes on the relabellings that leave its
part unchanged. No list of representatives is stored.

Notation: constructions/__init__.py.
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
    """Yield each part that is the least of its orbit under a group, with the relabellings that leave it unchanged.

    `act(relabelling, part)` returns the relabelled part.
    """
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
    """Return the tuple whose entry i is `entries[permutation[i]]`."""
    return tuple(entries[i] for i in permutation)


def distributions(length: int, denominator: int) -> list[Units]:
    """List every distribution over `length` outcomes in units of 1/denominator, in lexicographic order."""
    if length == 1:
        return [(denominator,)]
    return [
        (first, *rest) for first in range(denominator + 1) for rest in distributions(length - 1, denominator - first)
    ]


def is_vanilla(shape: Shape) -> bool:
    """Tell whether a shape stands for a vanilla HMM: one cell, one value, and the HMM's states as syntax states."""
    return shape.values == shape.cells == 1


@dataclass(frozen=True, eq=False)
class Renaming:
    """A renaming, as permutations of the columns of W, the hidden states, the memories and the cells.

    `of_mu`: for each new cell, the permutation of the entries of a task's mu. In all permutations, those of `of_mu`
    included, entry `permutation[i]` becomes entry i. Two renamings are equal only if they are the same object.
    """

    columns: Permutation
    hidden: Permutation
    memories: Permutation
    cells: Permutation
    of_mu: tuple[Permutation, ...]


@cache
def renamings(shape: Shape) -> list[Renaming]:
    """List every renaming of the cells, and of the values and the syntax states of each cell.

    In the loop, a renaming turns the old cell `cells[j]` into cell j. In this cell it turns the value `values[j][m]`
    into m, and the syntax state `syntax[j][s]` into s.
    """
    result, memories = list[Renaming](), shape.memories
    all_values, all_syntax = (
        product(permutations(range(size)), repeat=shape.cells) for size in (shape.values, shape.syntax)
    )
    for cells, values, syntax in product(permutations(range(shape.cells)), all_values, all_syntax):
        hidden = tuple(shape.state(cells[j], of) for j in range(shape.cells) for of in syntax[j])
        columns = tuple(
            shape.column(values[h // shape.syntax][m], of) for m in range(shape.values) for h, of in enumerate(hidden)
        )
        old = [cells.index(j) for j in range(shape.cells)]
        sources = tuple(memories.index(tuple(values[j][memory[j]] for j in old)) for memory in memories)
        result.append(Renaming(columns, hidden, sources, cells, (hidden,) if is_vanilla(shape) else values))
    return result
