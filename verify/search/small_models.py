"""Every small model of either kind with a task, once up to relabelling, the smallest first; and random larger ones.

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
from itertools import chain, combinations, combinations_with_replacement, compress, permutations, product
from math import gcd
from operator import mul
from random import Random
from typing import Literal, TypeAlias, cast

import numpy as np
from flint import fmpz_mat
from numpy.typing import NDArray

from constructions.linear import Matrix, transpose
from constructions.memory.model import MemoryHMM, Shape
from constructions.models import HMM, Model, ModelAndTask
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
Index: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]

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

    @property
    def beyond(self) -> Bounds:
        """The bounds of random models: one more state and token, and twice the denominator."""
        return Bounds(self.states + 1, self.tokens + 1, 2 * self.denominator)


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
    def problems(self) -> Iterator[ModelAndTask]:
        """The model with each task."""
        return (cast(ModelAndTask, (self.model, task)) for task in self.tasks)

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


def every_row(length: int) -> list[Units]:
    """List the rows mu in {-1, 0, 1}^n except 0, in lexicographic order."""
    return [row for row in product((-1, 0, 1), repeat=length) if any(row)]


@cache
def _tasks(shape: Shape, symmetries: tuple[Renaming, ...]) -> tuple[Task, ...]:
    tasks = ((cell, *row) for cell in range(shape.cells) for row in every_row(_mu_length(shape)))
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

    @property
    def size_limit(self) -> int:
        """An upper bound on its models with a task; each counts once, even where H* is free."""
        states = self.shape.hidden
        transitions = len(distributions(states, self.denominator)) ** (states - len(self.transition))
        return int(transitions * self.shape.cells * (3 ** _mu_length(self.shape) - 1))

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
        """Yield its models, each the least of its orbit under relabelling."""
        laws, group = distributions(self.shape.hidden, self.denominator), self.unchanged
        columns, unchanged = self.least(group)
        for places, same in zip(columns.tolist(), unchanged.tolist(), strict=True):
            yield SmallModel(self, tuple(laws[place] for place in places), tuple(compress(group, same)))

    def least(self, group: Sequence[Renaming]) -> tuple[Index, Mask]:
        """Return the N transitions with just this denominator that are the least of their orbits.

        (N, n): the indices of their columns among all laws. (N, group): which renamings leave each unchanged.
        """
        laws, states = distributions(self.shape.hidden, self.denominator), self.shape.hidden
        ways = [[laws.index(law)] for law in self.transition] + [range(len(laws))] * (states - len(self.transition))
        columns = np.array(list(product(*ways)))
        others = gcd(self.denominator, *self.memory, *self.initial, *chain(*self.emission))
        columns = columns[np.gcd.reduce(np.gcd.reduce(laws, axis=1)[columns], axis=1, initial=others) == 1]
        least, unchanged = np.ones(len(columns), np.bool_), np.ones((len(columns), len(group)), np.bool_)
        for number, renaming in enumerate(group):
            difference = _images(renaming.hidden, self.denominator)[columns[:, renaming.hidden]] - columns
            first = difference[np.arange(len(difference)), (difference != 0).argmax(axis=1)]  # the first nonzero entry
            least &= first >= 0
            unchanged[:, number] = first == 0
        return columns[least], unchanged[least]


@lru_cache(maxsize=2**10)
def _images(hidden: Permutation, denominator: int) -> Index:
    """Return the index of each law among all laws once the states are renamed."""
    laws = distributions(len(hidden), denominator)
    places = {law: place for place, law in enumerate(laws)}
    return np.array([places[permuted(hidden, law)] for law in laws])


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


def small(about: Kind, bounds: Bounds) -> Iterator[ModelAndTask]:
    """Yield every model of a kind within the bounds, with every task."""
    return chain.from_iterable(model.problems for size in bounds.sizes for model in small_models(about, size))


def larger(about: Kind, bounds: Bounds, count: int, seed: int) -> Iterator[ModelAndTask]:
    """Draw random models of a kind within the bounds `beyond` these."""
    random = Random(seed)
    return (draw(about, bounds.beyond, random) for _ in range(count))


def draw(about: Kind, bounds: Bounds, random: Random) -> ModelAndTask:
    """Draw a model with a task: first its size within the bounds, then each distribution, all uniformly."""
    fewest = 1 if about == "memory-hmm" else min(2, bounds.states)
    shape = random.choice([shape for states in range(fewest, bounds.states + 1) for shape in shapes(about, states)])
    tokens, denominator = (random.randint(min(2, limit), limit) for limit in (bounds.tokens, bounds.denominator))
    laws = distributions(shape.hidden, denominator)
    memories = distributions(len(shape.memories), denominator)
    memory = memories[0] if is_vanilla(shape) else random.choice(memories)
    initial, transition = random.choice(laws), tuple(random.choices(laws, k=shape.hidden))
    emission = tuple(random.choices(distributions(tokens, denominator), k=shape.columns))
    model = _model(shape, denominator, emission, memory, initial, transition)
    rows = iter(lambda: random.choices((-1, 0, 1), k=_mu_length(shape)), [])
    task = _task(shape, next(filter(any, rows)), 0 if is_vanilla(shape) else random.randrange(shape.cells))
    return cast(ModelAndTask, (model, task))


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


def _renamed_task(renaming: Renaming, task: tuple[int, ...]) -> tuple[int, ...]:
    cell, *row = task
    j = renaming.cells.index(cell)  # the new number of the cell
    return (j, *permuted(renaming.of_mu[j], row))
