"""Of the small models, one of each orbit under relabellings is listed, and no orbit is missing.

Notation: constructions/__init__.py.
"""

import random
from fractions import Fraction
from itertools import permutations, product
from math import lcm
from typing import Any
from unittest import mock

import pytest
from listed_models import draw, small_models, with_tasks

from constructions.memory.model import MemoryHMM, Shape
from constructions.models import HMM, is_memory
from verify.search import small_models as listing
from verify.search.small_models import Bounds, shapes

Numbers = tuple[Any, ...]


def laws(length: int, d: int) -> list[tuple[Fraction, ...]]:
    """Return every distribution over `length` outcomes whose probabilities are multiples of 1/d."""
    units = product(range(d + 1), repeat=length)
    return [tuple(Fraction(n, d) for n in row) for row in units if sum(row) == d]


def denominator(*families: Any) -> int:
    return lcm(*(p.denominator for family in families for law in family for p in law))


def rows(length: int) -> list[Numbers]:
    return [row for row in product((-1, 0, 1), repeat=length) if any(row)]


def orbit(problem: Numbers) -> frozenset[Numbers]:
    initial, A, W, mu = problem
    n, k = len(initial), len(W[0])
    return frozenset(
        (
            tuple(initial[h] for h in p),
            tuple(tuple(A[h][g] for g in p) for h in p),
            tuple(tuple(W[h][z] for z in q) for h in p),
            tuple(mu[h] for h in p),
        )
        for p in permutations(range(n))
        for q in permutations(range(k))
    )


def list_problems(n: int, k: int, d: int) -> list[Numbers]:
    return [
        (
            model.initial,
            tuple(zip(*model.transition, strict=True)),
            tuple(zip(*model.emission, strict=True)),
            task.mu[0],
        )
        for small_model in small_models("hmm", (n, k, d))
        for model, task in with_tasks(small_model)
    ]


@pytest.mark.parametrize("size", [(1, 2, 3), (2, 1, 2), (2, 2, 1), (2, 2, 2), (2, 3, 1), (3, 1, 1), (3, 2, 1)])
def test_one_problem_of_each_orbit_is_listed(size: tuple[int, int, int]) -> None:
    """The orbits of the listed problems differ, and their sizes sum to the number of all problems: none is missing."""
    orbits = [orbit(problem) for problem in list_problems(*size)]
    assert len(set(orbits)) == len(orbits)
    n, k, d = size
    models = product(laws(n, d), product(laws(n, d), repeat=n), product(laws(k, d), repeat=n))
    assert sum(map(len, orbits)) == len(rows(n)) * sum(denominator([p], A, W) == d for p, A, W in models)


def test_sizes_come_in_order_and_a_denominator_is_exact() -> None:
    sizes = Bounds(2, 2, 3).sizes
    assert sizes == sorted(sizes)
    assert len(sizes) == 12
    for n, k, d in sizes:
        for initial, A, W, _ in list_problems(n, k, d):
            assert denominator([initial], A, W) == d


def as_dictionaries(model: MemoryHMM, cell: int, mu: Numbers) -> Numbers:
    """Return P(m), P(h), A(h', h) and W(z, (m, j, s)) of a memory model as dictionaries, then the cell and mu.

    A hidden state h is a pair (j, s) of a cell and a syntax state. In a key of W, m is the value of cell j.
    """
    shape = model.shape
    hidden = [(j, s) for j in range(shape.cells) for s in range(shape.syntax)]
    return (
        dict(zip(product(range(shape.values), repeat=shape.cells), model.memory, strict=True)),
        dict(zip(hidden, model.initial, strict=True)),
        {(to, h): model.transition[i][l] for i, to in enumerate(hidden) for l, h in enumerate(hidden)},
        {
            (z, m, *h): row[m * len(hidden) + i]
            for z, row in enumerate(model.emission)
            for m in range(shape.values)
            for i, h in enumerate(hidden)
        },
        cell,
        mu,
    )


def memory_orbit(problem: Numbers, shape: Shape, tokens: int) -> frozenset[Numbers]:
    """Rename cells, each cell's values and syntax states, and tokens in all ways; return the set of the results."""
    memory, initial, A, W, cell, mu = problem
    result = []
    for cells in permutations(range(shape.cells)):
        for values in product(permutations(range(shape.values)), repeat=shape.cells):
            for syntax in product(permutations(range(shape.syntax)), repeat=shape.cells):
                state = {(j, s): (cells[j], syntax[j][s]) for j, s in initial}
                memories = {
                    m: tuple(v for _, v in sorted((cells[j], values[j][v]) for j, v in enumerate(m))) for m in memory
                }
                row = dict(zip(values[cell], mu, strict=True))
                for names in permutations(range(tokens)):
                    emission = {(names[z], values[j][m], *state[j, s]): p for (z, m, j, s), p in W.items()}
                    result.append(
                        (
                            frozenset((memories[m], p) for m, p in memory.items()),
                            frozenset((state[h], p) for h, p in initial.items()),
                            frozenset(((state[to], state[h]), p) for (to, h), p in A.items()),
                            frozenset(emission.items()),
                            cells[cell],
                            tuple(row[v] for v in range(shape.values)),
                        )
                    )
    return frozenset(result)


def memory_problems(shape: Shape, tokens: int) -> int:
    """Count the problems of denominator 1: the product of the choices of P[M], P[H_0], A, W, the cell and mu."""
    memories, hidden = shape.values**shape.cells, shape.hidden
    return int(memories * hidden * hidden**hidden * tokens**shape.columns * shape.cells * (3**shape.values - 1))


@pytest.mark.parametrize(
    ("shape", "tokens"),
    [
        (Shape(2, 1, 1), 2),
        (Shape(2, 1, 2), 2),
        (Shape(2, 2, 1), 2),
        (Shape(3, 1, 1), 2),
        (Shape(1, 3, 1), 2),
        pytest.param(Shape(2, 3, 1), 1, marks=pytest.mark.thorough(reason="2 s; five smaller shapes are quick")),
    ],
)
def test_one_memory_problem_of_each_orbit_is_listed(shape: Shape, tokens: int) -> None:
    """Shapes with three values or cells are listed wrongly if a permutation is mistaken for its inverse."""
    with mock.patch.object(listing, "shapes", return_value=[shape]):
        problems = [
            problem for model in small_models("memory-hmm", (shape.hidden, tokens, 1)) for problem in with_tasks(model)
        ]
    orbits = [
        memory_orbit(as_dictionaries(model, task.cell, task.mu[0]), shape, tokens)
        for model, task in filter(is_memory, problems)
    ]
    assert len(set(orbits)) == len(orbits)
    assert sum(map(len, orbits)) == memory_problems(shape, tokens)


def test_a_memory_model_whose_memories_alone_have_the_denominator_is_listed() -> None:
    """One token, one hidden state, two values: only P[M] can have halves."""
    [small_model] = small_models("memory-hmm", (1, 1, 2))
    assert isinstance(small_model.model, MemoryHMM)
    assert small_model.model.memory == (Fraction(1, 2), Fraction(1, 2))


def test_the_shapes_of_a_size_have_that_many_hidden_states() -> None:
    assert [(shape.cells, shape.syntax) for shape in shapes("memory-hmm", 4)] == [(1, 4), (2, 2), (4, 1)]


def test_a_drawn_model_keeps_to_its_bounds() -> None:
    source, sizes = random.Random(0), set()
    for _ in range(50):
        model, task = draw("hmm", Bounds(3, 2, 4), source)
        sizes.add(len(model.states))
        assert isinstance(model, HMM)
        assert len(model.states) <= 3
        assert len(model.tokens) == 2
        assert denominator([model.initial], model.transition, model.emission) <= 4
        assert any(task.mu[0])
    assert sizes == {2, 3}
