"""Every small model with a task, vanilla or memory HMM: one of each class up to relabelling, the smallest first.

A relabelling of a vanilla HMM permutes its states and its tokens. A relabelling of a memory HMM permutes the tokens,
the cells and, within each cell, the values and the syntax states. A vanilla HMM is listed as a memory HMM with one cell
of one value, whose syntax states are the states of the vanilla HMM. In all other memory HMMs, cells have two values:
with one value F* is constant, and with three values there are too many models.

A model's *denominator* is the least d such that all its probabilities are multiples of 1/d. Its *size* is its number of
hidden states, its number of tokens, and its denominator. Models are ordered by size, then by their number of cells.
Some models have a token that is never emitted, or a state that is never visited.

A task is one row mu with entries -1, 0 and 1, not all 0. No two of these rows are positive multiples of each other.

A *shard* consists of the models that have the same size, number of cells, W, P[M] and P[H_0], and the same first
columns of A. There are as few first columns as possible, such that the other columns have at most `MAX_TRANSITIONS`
choices. The shards of a size, one after the other, have all its models in order.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from math import gcd
from operator import mul
from typing import Literal, NamedTuple, TypeAlias

from flint import fmpz_mat

from constructions.linear import Matrix, transpose
from constructions.memory.model import MemoryHMM, Shape
from constructions.models import HMM, Model
from constructions.tasks import MemoryTask, Task
from verify.search.symmetry import (
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
"""The number of states, the number of tokens, and the denominator."""

VALUES = 2
"""The number of values of a memory cell."""

MAX_TRANSITIONS = 2000
"""A shard has at most this many transition matrices: some seconds of work."""


class Bounds(NamedTuple):
    """Upper bounds on the number of states, the number of tokens, and the denominator."""

    states: int
    tokens: int
    denominator: int

    @property
    def sizes(self) -> list[Size]:
        """All sizes within the bounds, the smallest first."""
        states, tokens, denominators = (range(1, bound + 1) for bound in self)
        return list(product(states, tokens, denominators))

    @property
    def wider(self) -> Bounds:
        """The next wider bounds: the least bound grows by one. Of equal bounds, the last in field order grows."""
        bounds = self._asdict()
        narrowest = min(reversed(bounds), key=bounds.__getitem__)
        return self._replace(**{narrowest: bounds[narrowest] + 1})


def shapes(about: Kind, states: int) -> list[Shape]:
    """List the shapes of models of a kind with this number of hidden states, fewer cells first."""
    if about == "hmm":
        return [Shape(1, 1, states)]
    return [Shape(VALUES, cells, states // cells) for cells in range(1, states + 1) if not states % cells]


@dataclass(frozen=True)
class SmallModel:
    """A model of a shard. `transition`: the columns of A. `symmetries`: the renamings that leave the model unchanged.

    Here "unchanged" means: the same up to a permutation of the tokens.
    """

    shard: Shard
    transition: Columns
    symmetries: tuple[Renaming, ...]

    @cached_property
    def model(self) -> Model:
        """The model as an `HMM` or `MemoryHMM`. It takes longer to build than to list, so few models are built."""
        shard = self.shard

        def laws(columns: Columns) -> Matrix:
            return tuple(tuple(Fraction(units, shard.denominator) for units in column) for column in columns)

        memory, initial = laws((shard.memory, shard.initial))
        A, W = transpose(laws(self.transition)), transpose(laws(shard.emission))
        return HMM(initial, A, W) if is_vanilla(shard.shape) else MemoryHMM(initial, A, shard.shape, memory, W)

    @property
    def tasks(self) -> tuple[Task, ...]:
        """One task of each class of tasks that the model's symmetries map to each other."""
        return _tasks(self.shard.shape, self.symmetries)

    @property
    def chain(self) -> Hashable:
        """All that the assumptions need to know about P[H_0] and A: the shape, the supports of both, and a truth value.

        The truth value says whether a memory model has a stationary P[H_0]; it is False for vanilla models.
        """
        shard = self.shard
        stationary = not is_vanilla(shard.shape) and all(
            sum(map(mul, row, shard.initial)) == units * shard.denominator
            for row, units in zip(zip(*self.transition, strict=True), shard.initial, strict=True)
        )
        return shard.shape, stationary, *(tuple(map(bool, law)) for law in (shard.initial, *self.transition))


@cache
def _tasks(shape: Shape, symmetries: tuple[Renaming, ...]) -> tuple[Task, ...]:
    vanilla = is_vanilla(shape)
    rows = filter(any, product((-1, 0, 1), repeat=shape.hidden if vanilla else shape.values))
    least = representatives(((cell, *row) for cell, row in product(range(shape.cells), rows)), symmetries, _renamed)
    mus = [(cell, (tuple(map(Fraction, row)),)) for (cell, *row), _ in least]
    return tuple(Task(mu) if vanilla else MemoryTask(mu, cell) for cell, mu in mus)


def _renamed(renaming: Renaming, task: tuple[int, ...]) -> tuple[int, ...]:
    cell, *row = task
    j = renaming.cells.index(cell)  # the new number of the cell
    return (j, *permuted(renaming.of_mu[j], row))


@dataclass(frozen=True)
class Shard:
    """The models of one shape and denominator with the same W, P[M] and P[H_0], and the same first columns of A.

    Each law is in units of 1/denominator. `emission`: the columns of W. `transition`: the first columns of A.
    """

    shape: Shape
    denominator: int
    emission: Columns
    memory: Units
    initial: Units
    transition: Columns

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """All that the assumptions need to know about W: the rank of every set of its columns, the rank of W last."""
        sizes = range(1, len(self.emission) + 1)
        return tuple(fmpz_mat(chosen).rank() for size in sizes for chosen in combinations(self.emission, size))

    def models(self) -> Iterator[SmallModel]:
        """Yield the shard's models, in order.

        A model is left out if it has a smaller denominator, or if it is not the least of its orbit under relabelling.
        """
        laws = distributions(self.shape.hidden, self.denominator)
        ways = [[law] for law in self.transition] + [laws] * (self.shape.hidden - len(self.transition))
        others = gcd(self.denominator, *self.memory, *self.initial, *chain(*self.emission))
        transitions = (columns for columns in product(*ways) if gcd(others, *chain(*columns)) == 1)
        tokens = len(self.emission[0])
        [(*_, unchanged)] = _orbits(self.shape, tokens, [self.emission], [self.memory], [self.initial])
        for columns, symmetries in representatives(
            transitions, unchanged, lambda r, columns: tuple(permuted(r.hidden, columns[h]) for h in r.hidden)
        ):
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
    """Yield the least (W, P[M], P[H_0]) of each orbit, with the renamings that leave the three unchanged.

    `emissions`, `memories`, `laws`: the W, P[M] and P[H_0] to choose from. A W is unchanged if it is the same up to a
    permutation of the tokens.
    """
    relabellings = list(product(renamings(shape), permutations(range(tokens))))
    for emission, both in representatives(
        emissions, relabellings, lambda both, columns: tuple(permuted(both[1], columns[c]) for c in both[0].columns)
    ):
        left = list(dict.fromkeys(renaming for renaming, _ in both))
        for memory, of_memory in representatives(memories, left, lambda r, law: permuted(r.memories, law)):
            for initial, of_initial in representatives(laws, of_memory, lambda r, law: permuted(r.hidden, law)):
                yield emission, memory, initial, of_initial
