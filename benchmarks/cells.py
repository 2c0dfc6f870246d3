"""Memory models of many cells for which 4.2 and C.5 hold: of two values, in which 4.3 and C.6 are proved."""

from __future__ import annotations

from fractions import Fraction

from constructions.linear import Vector, identity, transpose
from constructions.memory.model import MemoryHMM, Shape
from constructions.tasks import MemoryTask


def weighted(*weights: int) -> Vector:
    """Return a law in proportion to these."""
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def of_cells(cells: int) -> tuple[MemoryHMM, MemoryTask]:
    """H* is the first cell's state, alone after the last one's, which alone emits token 4; all others mix 2 and 3."""
    shape = Shape(2, cells, 1)
    others = weighted(*range(1, cells))
    columns = [(Fraction(0), *others[-h:], *others[:-h]) for h in range(1, cells)]
    columns.append(identity(cells)[0])
    emission = []
    for c in range(shape.columns):
        m, j, _ = shape.parts(c)
        own = weighted(2, 1, 0, 0) if m else weighted(1, 2, 0, 0)
        law = weighted(0, 0, 1 + c, 2 * cells) if j else own
        emission.append((*(p / 2 for p in law), Fraction(1, 2)) if j == cells - 1 else (*law, Fraction(0)))
    memory = weighted(*(1 + (7 * i * i) % 11 for i in range(2**cells)))
    ones = weighted(*[1] * cells)
    model = MemoryHMM(ones, transpose(columns), shape, memory, transpose(emission), name=f"{cells} cells")
    first = sum(memory[: 2 ** (cells - 1)], Fraction(0))
    return model, MemoryTask(((1 - first, -first),), cell=0)
