"""Every small hidden Markov model with a task, once up to relabelling its states and tokens, the smallest first.

A model's *denominator* is the least d such that all its probabilities are multiples of 1/d. Models come by their
numbers of states, of tokens, and denominator, in this order; models with a token that is never emitted, or a state
that is never visited, are among them. A task is one row mu with entries -1, 0 and 1, not all 0 (no two of these are
positive multiples of each other).

A *shard* has the models of one size that begin alike. Shards do not depend on who works through them, and listed one
after the other they are all models of the size, in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations_with_replacement, permutations, product
from math import gcd
from random import Random
from typing import TypeAlias

from constructions.linear import Matrix, transpose
from constructions.models import HMM
from constructions.tasks import Task
from verify.search.symmetry import Permutation, Units, distributions, permuted, representatives

Columns: TypeAlias = tuple[Units, ...]

Size: TypeAlias = tuple[int, int, int]
"""Numbers of states and of tokens, and the denominator."""

MOST = 2000
"""Transitions in a shard: some seconds of work."""


@dataclass(frozen=True)
class Bounds:
    """How large models may be."""

    states: int
    tokens: int
    denominator: int

    @cached_property
    def sizes(self) -> list[Size]:
        """All sizes within them, the smallest first."""
        return list(product(range(1, self.states + 1), range(1, self.tokens + 1), range(1, self.denominator + 1)))

    @property
    def document(self) -> dict[str, int]:
        """The bounds as JSON."""
        return {"states": self.states, "tokens": self.tokens, "denominator": self.denominator}


@dataclass(frozen=True)
class SmallModel:
    """A model, and the permutations of its states that can be undone by relabelling its tokens."""

    model: HMM
    symmetries: tuple[Permutation, ...]

    @property
    def tasks(self) -> Iterator[Task]:
        """Every task, up to these permutations."""
        rows = (row for row in product((-1, 0, 1), repeat=len(self.model.states)) if any(row))
        for row, _ in representatives(rows, self.symmetries, permuted):
            yield Task((tuple(map(Fraction, row)),))


@dataclass(frozen=True)
class Shard:
    """The models of one size with this emission, this start, and these first columns of the transition."""

    denominator: int
    emission: Columns
    initial: Units
    transition: Columns

    @property
    def most(self) -> int:
        """At most so many models with a task are in it."""
        states = len(self.initial)
        transitions = len(distributions(states, self.denominator)) ** (states - len(self.transition))
        return int(transitions * (3**states - 1))

    def __iter__(self) -> Iterator[tuple[HMM, Iterator[Task]]]:
        """Yield its models, each with its tasks."""
        for one in self.models():
            yield one.model, one.tasks

    def models(self) -> Iterator[SmallModel]:
        """Yield its models, each the least of its orbit."""
        states = len(self.initial)
        group = product(permutations(range(states)), permutations(range(len(self.emission[0]))))
        [(_, both)] = representatives([self.emission], list(group), _relabelled_emission)
        [(_, fixed)] = representatives([self.initial], sorted({of_states for of_states, _ in both}), permuted)
        rest = product(distributions(states, self.denominator), repeat=states - len(self.transition))
        transitions = ((*self.transition, *columns) for columns in rest)
        for transition, symmetries in representatives(transitions, fixed, _relabelled_transition):
            units = (*self.initial, *(p for column in (*self.emission, *transition) for p in column))
            if gcd(self.denominator, *units) == 1:
                model = HMM(
                    probabilities((self.initial,), self.denominator)[0],
                    transpose(probabilities(transition, self.denominator)),
                    transpose(probabilities(self.emission, self.denominator)),
                )
                yield SmallModel(model, tuple(symmetries))


def shards(states: int, tokens: int, denominator: int) -> Iterator[Shard]:
    """Yield the shards of a size in order."""
    group = list(product(permutations(range(states)), permutations(range(tokens))))
    laws = distributions(states, denominator)
    # The least of an orbit has its columns in order.
    emissions = combinations_with_replacement(distributions(tokens, denominator), states)
    for emission, both in representatives(emissions, group, _relabelled_emission):
        for initial, _ in representatives(laws, sorted({of_states for of_states, _ in both}), permuted):
            for transition in beginnings(laws, states):
                yield Shard(denominator, emission, initial, transition)


def beginnings(laws: Sequence[Units], states: int) -> Iterator[Columns]:
    """Yield the first columns of transitions: as few that no more than `MOST` transitions begin with them."""
    free = next(count for count in range(states, -1, -1) if len(laws) ** count <= MOST)
    return product(laws, repeat=states - free)


def small_models(states: int, tokens: int, denominator: int) -> Iterator[SmallModel]:
    """Yield every model of just this size, up to relabelling."""
    return chain.from_iterable(shard.models() for shard in shards(states, tokens, denominator))


def drawn(bounds: Bounds, random: Random) -> tuple[HMM, Task]:
    """Draw a model with a task: its sizes within the bounds, and then each distribution, all alike likely."""
    states, tokens, denominator = (
        random.randint(min(2, most), most) for most in (bounds.states, bounds.tokens, bounds.denominator)
    )
    laws, outputs = distributions(states, denominator), distributions(tokens, denominator)
    model = HMM(
        probabilities((random.choice(laws),), denominator)[0],
        transpose(probabilities(random.choices(laws, k=states), denominator)),
        transpose(probabilities(random.choices(outputs, k=states), denominator)),
    )
    return model, Task((drawn_row(states, random),))


def drawn_row(length: int, random: Random) -> tuple[Fraction, ...]:
    """Draw a row mu with entries -1, 0 and 1, not all 0."""
    while not any(row := random.choices((-1, 0, 1), k=length)):
        pass
    return tuple(map(Fraction, row))


def probabilities(columns: Sequence[Units], denominator: int) -> Matrix:
    """Return distributions as fractions."""
    of = [Fraction(units, denominator) for units in range(denominator + 1)]
    return tuple(tuple(of[units] for units in column) for column in columns)


def _relabelled_emission(relabelling: tuple[Permutation, Permutation], columns: Columns) -> Columns:
    of_states, of_tokens = relabelling
    return tuple(permuted(of_tokens, columns[h]) for h in of_states)


def _relabelled_transition(of_states: Permutation, columns: Columns) -> Columns:
    return tuple(permuted(of_states, columns[h]) for h in of_states)
