"""Every small memory HMM with a task, once up to relabelling, the smallest first; as `verify.small_models`.

Relabelled are the cells, the values of each cell, the syntax states of each cell, and the tokens. There are two values:
only with two can a task tell something, and more are soon too many. Models come by their numbers of hidden states
(of cells, where these are equal), of tokens, and denominator.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import gcd
from random import Random

from constructions.linear import transpose
from constructions.memory import MemoryHMM, Shape
from constructions.tasks import MemoryTask
from verify.small_models import Bounds, Columns, drawn_row, probabilities
from verify.symmetry import Permutation, Units, distributions, permuted, representatives

VALUES = 2


@dataclass(frozen=True)
class Renaming:
    """Where the columns of W, the hidden states, the memories, the cells and each cell's values come from."""

    columns: Permutation
    hidden: Permutation
    memories: Permutation
    cells: Permutation
    values: tuple[Permutation, ...]


@dataclass(frozen=True)
class SmallMemoryModel:
    """A model, and the renamings of cells, values and syntax states that can be undone by relabelling its tokens."""

    model: MemoryHMM
    symmetries: tuple[Renaming, ...]

    @property
    def tasks(self) -> Iterator[MemoryTask]:
        """Every task, up to these renamings."""
        shape = self.model.shape
        rows = [row for row in product((-1, 0, 1), repeat=shape.values) if any(row)]
        every = ((cell, *row) for cell in range(shape.cells) for row in rows)
        for (cell, *row), _ in representatives(every, self.symmetries, _renamed_task):
            yield MemoryTask((tuple(map(Fraction, row)),), cell=cell)


def shapes(hidden: int) -> list[Shape]:
    """List the shapes with so many hidden states, those with fewer cells first."""
    return [Shape(VALUES, cells, hidden // cells) for cells in range(1, hidden + 1) if not hidden % cells]


def small_memory_models(shape: Shape, tokens: int, denominator: int) -> Iterator[SmallMemoryModel]:
    """Yield every model of just this size, up to relabelling."""
    group = list(product(renamings(shape), permutations(range(tokens))))
    columns, laws = distributions(tokens, denominator), distributions(shape.hidden, denominator)
    emissions = product(columns, repeat=shape.columns)
    for emission, both in representatives(emissions, group, _renamed_emission):
        left = list(dict.fromkeys(renaming for renaming, _ in both))
        memories = distributions(len(shape.memories), denominator)
        for memory, of_memory in representatives(memories, left, lambda by, law: permuted(by.memories, law)):
            for initial, of_initial in representatives(laws, of_memory, lambda by, law: permuted(by.hidden, law)):
                transitions = product(laws, repeat=shape.hidden)
                for transition, symmetries in representatives(transitions, of_initial, _renamed_transition):
                    if gcd(denominator, *memory, *initial, *(p for c in (*emission, *transition) for p in c)) == 1:
                        model = _model(shape, denominator, memory, initial, transition, emission)
                        yield SmallMemoryModel(model, tuple(symmetries))


def drawn_memory_model(bounds: Bounds, random: Random) -> tuple[MemoryHMM, MemoryTask]:
    """Draw a model with a task: its sizes within the bounds, and then each distribution, all alike likely."""
    shape = random.choice([shape for hidden in range(1, bounds.states + 1) for shape in shapes(hidden)])
    tokens, denominator = (random.randint(min(2, most), most) for most in (bounds.tokens, bounds.denominator))
    columns, laws = distributions(tokens, denominator), distributions(shape.hidden, denominator)
    model = _model(
        shape,
        denominator,
        random.choice(distributions(len(shape.memories), denominator)),
        random.choice(laws),
        tuple(random.choices(laws, k=shape.hidden)),
        tuple(random.choices(columns, k=shape.columns)),
    )
    return model, MemoryTask((drawn_row(shape.values, random),), cell=random.randrange(shape.cells))


def renamings(shape: Shape) -> Iterator[Renaming]:
    """Yield every way to rename the cells, and the values and the syntax states of each."""
    for cells in permutations(range(shape.cells)):
        for values in product(permutations(range(shape.values)), repeat=shape.cells):
            for syntax in product(permutations(range(shape.syntax)), repeat=shape.cells):
                yield _renaming(shape, cells, values, syntax)


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
    return Renaming(columns, hidden, tuple(sources), cells, values)


def _model(
    shape: Shape, denominator: int, memory: Units, initial: Units, transition: Columns, emission: Columns
) -> MemoryHMM:
    laws = probabilities((memory, initial), denominator)
    return MemoryHMM(
        initial=laws[1],
        transition=transpose(probabilities(transition, denominator)),
        shape=shape,
        memory=laws[0],
        emission=transpose(probabilities(emission, denominator)),
    )


def _renamed_emission(relabelling: tuple[Renaming, Permutation], columns: Columns) -> Columns:
    renaming, of_tokens = relabelling
    return tuple(permuted(of_tokens, columns[c]) for c in renaming.columns)


def _renamed_transition(renaming: Renaming, columns: Columns) -> Columns:
    return tuple(permuted(renaming.hidden, columns[h]) for h in renaming.hidden)


def _renamed_task(renaming: Renaming, task: tuple[int, ...]) -> tuple[int, ...]:
    cell, *row = task
    j = renaming.cells.index(cell)  # the cell that this one is renamed to
    return (j, *permuted(renaming.values[j], row))
