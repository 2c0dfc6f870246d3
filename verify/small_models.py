"""Every small hidden Markov model with a task, once up to relabelling its states and tokens, the smallest first.

A model's *denominator* is the least d such that all its probabilities are multiples of 1/d. Models come by their
numbers of states, of tokens, and denominator, in this order; models with a token that is never emitted, or a state
that is never visited, are among them. A task is one row mu with entries -1, 0 and 1, not all 0 (no two of these are
positive multiples of each other).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, permutations, product
from math import gcd
from random import Random
from typing import TypeAlias

from constructions.linear import Matrix, transpose
from constructions.models import HMM
from constructions.tasks import Task
from verify.symmetry import Permutation, Units, distributions, permuted, representatives

Columns: TypeAlias = tuple[Units, ...]


@dataclass(frozen=True)
class Bounds:
    """How large models may be."""

    states: int
    tokens: int
    denominator: int

    @cached_property
    def sizes(self) -> list[tuple[int, int, int]]:
        """All (states, tokens, denominator) within them, the smallest first."""
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


def small_models(states: int, tokens: int, denominator: int) -> Iterator[SmallModel]:
    """Yield every model of just this size, up to relabelling."""
    group = list(product(permutations(range(states)), permutations(range(tokens))))
    laws = distributions(states, denominator)
    # The least of an orbit has its columns in order.
    emissions = combinations_with_replacement(distributions(tokens, denominator), states)
    for emission, both in representatives(emissions, group, _relabelled_emission):
        renamings = sorted({of_states for of_states, _ in both})
        for initial, fixed in representatives(laws, renamings, permuted):
            for transition, symmetries in representatives(product(laws, repeat=states), fixed, _relabelled_transition):
                if gcd(denominator, *initial, *(p for column in (*emission, *transition) for p in column)) == 1:
                    model = HMM(
                        probabilities((initial,), denominator)[0],
                        transpose(probabilities(transition, denominator)),
                        transpose(probabilities(emission, denominator)),
                    )
                    yield SmallModel(model, tuple(symmetries))


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
