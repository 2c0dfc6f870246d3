"""Every small model of either kind with a task, once up to relabelling, the smallest first.

A relabelling permutes the states and the tokens of a vanilla HMM; of a memory HMM also the cells, and the values of
each cell. A vanilla HMM is listed as a memory HMM with one cell of one value, whose syntax states are its states. The
cells of other memory HMMs have two values: with one value F* is constant, and with three there are too many models.

A model's *denominator* is the least d such that all its probabilities are multiples of 1/d. Models are ordered by their
number of hidden states, then cells, then tokens, then denominator. Some have a token that is never emitted, or a state
that is never visited. A task is one row mu with entries -1, 0 and 1, not all 0; no two of these are positive multiples
of each other.

A *shard* consists of the models of one size with the same emission, P[M] and start, and the same first columns of A.
The shards of a size, one after the other, are all its models in order.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from math import gcd
from operator import mul
from typing import Literal, TypeAlias

from flint import fmpz_mat

from constructions.linear import Matrix, transpose
from constructions.memory.model import MemoryHMM, Shape
from constructions.models import HMM, Model
from constructions.tasks import MemoryTask, Task
from verify.search.symmetry import (
    Permutation,
    Renaming,
    Units,
    distributions,
    is_vanilla,
    permuted,
    renamings,
    representatives,
)

Kind: TypeAlias = Literal["hmm", "memory-hmm"]
Columns: TypeAlias = tuple[Units, ...]

Size: TypeAlias = tuple[int, int, int]
"""Numbers of states and of tokens, and the denominator."""

VALUES = 2
"""The number of values of a memory cell."""

MAX_TRANSITIONS = 2000
"""The number of transitions in a shard: some seconds of work."""


@dataclass(frozen=True)
class Bounds:
    """Upper bounds on the number of states, the number of tokens, and the denominator."""

    states: int
    tokens: int
    denominator: int

    @property
    def sizes(self) -> list[Size]:
        """All sizes within the bounds, the smallest first."""
        return list(product(range(1, self.states + 1), range(1, self.tokens + 1), range(1, self.denominator + 1)))

    @property
    def document(self) -> dict[str, int]:
        """The bounds as JSON."""
        return asdict(self)

    @property
    def wider(self) -> Bounds:
        """The next wider bounds: the least of the three grows by one; on a tie the denominator, then the tokens."""
        narrowest = min(("denominator", "tokens", "states"), key=lambda key: self.document[key])
        return replace(self, **{narrowest: self.document[narrowest] + 1})


def shapes(about: Kind, states: int) -> list[Shape]:
    """List the shapes of a kind with a number of hidden states, fewer cells first."""
    if about == "hmm":
        return [Shape(1, 1, states)]
    return [Shape(VALUES, cells, states // cells) for cells in range(1, states + 1) if not states % cells]


@dataclass(frozen=True)
class SmallModel:
    """A model of a shard, by the columns of its transition, and its symmetries up to a relabelling of the tokens."""

    shard: Shard
    transition: Columns
    symmetries: tuple[Renaming, ...]

    @cached_property
    def model(self) -> Model:
        """The model itself, which takes longer to make than to list."""
        shard = self.shard
        return _model(shard.shape, shard.denominator, shard.emission, shard.memory, shard.initial, self.transition)

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Every task, up to the symmetries."""
        return _tasks(self.shard.shape, self.symmetries)

    @property
    def supports(self) -> Hashable:
        """All that its tasks and any of the assumptions depend on; P[M] is not among it."""
        return self.chain, self.ranks, self.symmetries

    @property
    def chain(self) -> Hashable:
        """What assumptions depend on of P[H_0] and A: supports, and with a memory whether P[H_0] is stationary."""
        shard = self.shard
        stationary = not is_vanilla(shard.shape) and all(
            sum(map(mul, row, shard.initial)) == units * shard.denominator
            for row, units in zip(zip(*self.transition, strict=True), shard.initial, strict=True)
        )
        return shard.shape, stationary, *map(_support, (shard.initial, *self.transition))

    @property
    def ranks(self) -> tuple[int, ...]:
        """What assumptions depend on of W: the rank of every set of its columns, that of all columns last."""
        return _ranks(self.shard.emission)


@cache
def _tasks(shape: Shape, symmetries: tuple[Renaming, ...]) -> tuple[Task, ...]:
    rows = [row for row in product((-1, 0, 1), repeat=_mu_length(shape)) if any(row)]
    tasks = ((cell, *row) for cell in range(shape.cells) for row in rows)
    return tuple(_task(shape, row, cell) for (cell, *row), _ in representatives(tasks, symmetries, _renamed_task))


@lru_cache
def _ranks(columns: Columns) -> tuple[int, ...]:
    """Return the rank of every nonempty set of columns, smaller sets first."""
    sizes = range(1, len(columns) + 1)
    return tuple(fmpz_mat(chosen).rank() for size in sizes for chosen in combinations(columns, size))


@cache
def _support(law: Units) -> int:
    return sum(1 << i for i, units in enumerate(law) if units)


@dataclass(frozen=True)
class Shard:
    """The models of one size with this emission, P[M] and start, and these first columns of the transition."""

    shape: Shape
    denominator: int
    emission: Columns
    memory: Units
    initial: Units
    transition: Columns

    def __iter__(self) -> Iterator[tuple[Model, Iterator[Task]]]:
        """Yield its models, each with its tasks."""
        for small_model in self.models():
            yield small_model.model, iter(small_model.tasks)

    @property
    def unchanged(self) -> list[Renaming]:
        """The renamings that, with some relabelling of the tokens, leave emission, P[M] and start unchanged."""
        tokens = len(self.emission[0])
        [(*_, renamings)] = _orbits(self.shape, tokens, [self.emission], [self.memory], [self.initial])
        return renamings

    def models(self) -> Iterator[SmallModel]:
        """Yield its models with just this denominator, each the least of its orbit under relabelling."""
        laws = distributions(self.shape.hidden, self.denominator)
        ways = [[law] for law in self.transition] + [laws] * (self.shape.hidden - len(self.transition))
        others = gcd(self.denominator, *self.memory, *self.initial, *chain(*self.emission))
        transitions = (columns for columns in product(*ways) if gcd(others, *chain(*columns)) == 1)
        for columns, symmetries in representatives(transitions, self.unchanged, _renamed_states):
            yield SmallModel(self, columns, tuple(symmetries))


def shards(about: Kind, size: Size) -> Iterator[Shard]:
    """Yield the shards of a size, in the order of their models."""
    states, tokens, denominator = size
    outputs, laws = distributions(tokens, denominator), distributions(states, denominator)
    free = next(n for n in range(states, -1, -1) if len(laws) ** n <= MAX_TRANSITIONS)  # columns within a shard
    for shape in shapes(about, states):
        memories = distributions(len(shape.memories), denominator)
        emissions: Iterable[Columns] = product(outputs, repeat=shape.columns)
        if is_vanilla(shape):  # its columns may be permuted, so the least of an orbit has them in order
            emissions = combinations_with_replacement(outputs, states)
        for emission, memory, initial, _ in _orbits(shape, tokens, emissions, memories, laws):
            for transition in product(laws, repeat=states - free):
                yield Shard(shape, denominator, emission, memory, initial, transition)


def _orbits(
    shape: Shape, tokens: int, emissions: Iterable[Columns], memories: Sequence[Units], laws: Sequence[Units]
) -> Iterator[tuple[Columns, Units, Units, list[Renaming]]]:
    """Yield an emission, P[M] and start of each orbit, with the renamings that leave them as they are."""
    relabellings = list(product(renamings(shape), permutations(range(tokens))))
    for emission, both in representatives(emissions, relabellings, _relabelled):
        left = list(dict.fromkeys(renaming for renaming, _ in both))
        for memory, of_memory in representatives(memories, left, lambda r, law: permuted(r.memories, law)):
            for initial, of_initial in representatives(laws, of_memory, lambda r, law: permuted(r.hidden, law)):
                yield emission, memory, initial, of_initial


def small_models(about: Kind, size: Size) -> Iterator[SmallModel]:
    """Yield every model of a kind with exactly this size, up to relabelling."""
    return chain.from_iterable(shard.models() for shard in shards(about, size))


def _mu_length(shape: Shape) -> int:
    """Return the number of entries of mu: the values of a cell, or the states of a vanilla HMM."""
    return shape.hidden if is_vanilla(shape) else shape.values


def _model(
    shape: Shape, denominator: int, emission: Columns, memory: Units, initial: Units, transition: Columns
) -> Model:
    fractions = [Fraction(units, denominator) for units in range(denominator + 1)]

    def laws(columns: Columns) -> Matrix:
        return tuple(tuple(fractions[units] for units in column) for column in columns)

    of_memory, start = laws((memory, initial))
    a, w = transpose(laws(transition)), transpose(laws(emission))
    return HMM(start, a, w) if is_vanilla(shape) else MemoryHMM(start, a, shape, of_memory, w)


def _task(shape: Shape, row: Sequence[int], cell: int) -> Task:
    mu = (tuple(map(Fraction, row)),)
    return Task(mu) if is_vanilla(shape) else MemoryTask(mu, cell=cell)


# Relabellings of parts


def _relabelled(relabelling: tuple[Renaming, Permutation], columns: Columns) -> Columns:
    renaming, of_tokens = relabelling
    return tuple(permuted(of_tokens, columns[c]) for c in renaming.columns)


def _renamed_states(renaming: Renaming, columns: Columns) -> Columns:
    return tuple(permuted(renaming.hidden, columns[h]) for h in renaming.hidden)


def _renamed_task(renaming: Renaming, task: tuple[int, ...]) -> tuple[int, ...]:
    cell, *row = task
    j = renaming.cells.index(cell)  # the new number of the cell
    return (j, *permuted(renaming.of_mu[j], row))
