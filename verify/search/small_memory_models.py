"""Every small memory HMM with a task, once up to relabelling, the smallest first; as `verify.search.small_models`.

Relabelled are the cells, the values of each cell, the syntax states of each cell, and the tokens. There are two values:
only with two can a task tell something, and more are soon too many. Models come by their numbers of hidden states
(of cells, where these are equal), of tokens, and denominator.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, permutations, product
from math import gcd
from random import Random

from constructions.linear import transpose
from constructions.memory.model import MemoryHMM, Shape
from constructions.tasks import MemoryTask
from verify.search.small_models import Bounds, Columns, beginnings, drawn_row, probabilities
from verify.search.symmetry import Permutation, Units, distributions, permuted, representatives

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


@dataclass(frozen=True)
class MemoryShard:
    """The models of one size with this emission, P[M] and start, and these first columns of the transition."""

    shape: Shape
    denominator: int
    emission: Columns
    memory: Units
    initial: Units
    transition: Columns

    @property
    def most(self) -> int:
        """At most so many models with a task are in it; as many again for each H* where that is free."""
        shape = self.shape
        transitions = len(distributions(shape.hidden, self.denominator)) ** (shape.hidden - len(self.transition))
        return int(transitions * shape.cells * (3**shape.values - 1))

    def __iter__(self) -> Iterator[tuple[MemoryHMM, Iterator[MemoryTask]]]:
        """Yield its models, each with its tasks."""
        for one in self.models():
            yield one.model, one.tasks

    def models(self) -> Iterator[SmallMemoryModel]:
        """Yield its models, each the least of its orbit."""
        group = product(renamings(self.shape), permutations(range(len(self.emission[0]))))
        [(_, both)] = representatives([self.emission], list(group), _renamed_emission)
        [(_, of_memory)] = representatives([self.memory], _renamings(both), _renamed_memory)
        [(_, of_initial)] = representatives([self.initial], of_memory, _renamed_initial)
        laws, hidden = distributions(self.shape.hidden, self.denominator), self.shape.hidden
        transitions = ((*self.transition, *rest) for rest in product(laws, repeat=hidden - len(self.transition)))
        for transition, symmetries in representatives(transitions, of_initial, _renamed_transition):
            units = (*self.memory, *self.initial, *(p for c in (*self.emission, *transition) for p in c))
            if gcd(self.denominator, *units) == 1:
                model = _model(self.shape, self.denominator, self.memory, self.initial, transition, self.emission)
                yield SmallMemoryModel(model, tuple(symmetries))


def memory_shards(shape: Shape, tokens: int, denominator: int) -> Iterator[MemoryShard]:
    """Yield the shards of a size in order."""
    group = list(product(renamings(shape), permutations(range(tokens))))
    columns, laws = distributions(tokens, denominator), distributions(shape.hidden, denominator)
    memories = distributions(len(shape.memories), denominator)
    emissions = product(columns, repeat=shape.columns)
    for emission, both in representatives(emissions, group, _renamed_emission):
        for memory, of_memory in representatives(memories, _renamings(both), _renamed_memory):
            for initial, _ in representatives(laws, of_memory, _renamed_initial):
                for transition in beginnings(laws, shape.hidden):
                    yield MemoryShard(shape, denominator, emission, memory, initial, transition)


def small_memory_models(shape: Shape, tokens: int, denominator: int) -> Iterator[SmallMemoryModel]:
    """Yield every model of just this size, up to relabelling."""
    return chain.from_iterable(shard.models() for shard in memory_shards(shape, tokens, denominator))


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


def _renamings(relabellings: Sequence[tuple[Renaming, Permutation]]) -> list[Renaming]:
    return list(dict.fromkeys(renaming for renaming, _ in relabellings))


def _renamed_memory(renaming: Renaming, law: Units) -> Units:
    return permuted(renaming.memories, law)


def _renamed_initial(renaming: Renaming, law: Units) -> Units:
    return permuted(renaming.hidden, law)


def _renamed_transition(renaming: Renaming, columns: Columns) -> Columns:
    return tuple(permuted(renaming.hidden, columns[h]) for h in renaming.hidden)


def _renamed_task(renaming: Renaming, task: tuple[int, ...]) -> tuple[int, ...]:
    cell, *row = task
    j = renaming.cells.index(cell)  # the cell that this one is renamed to
    return (j, *permuted(renaming.values[j], row))
