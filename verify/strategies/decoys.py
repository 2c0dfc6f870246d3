"""Memory models with decoys, which 4.2, 4.5 and C.5 forbid, for a search that aims at them.

The task is about the value that one state shows, state 0. A *decoy* is a state whose token looks the same and tells
nothing of the value: without a prompt one, which emits what state 0 does if the value is not known; behind a prompt one
for each value, which emits what state 0 does with this value, as a prompt can make of the values what it likes. The
other states have tokens of their own, or share some. The chain is a cycle with a detour, so that two inputs can have
state 0 and a decoy at each other's position. It is of use if they have, for each decoy, or if several inputs have
around a cycle: a head has to attend to state 0 and to no decoy, and its positions do not say which is which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, permutations, product
from math import gcd, lcm
from typing import TypeAlias

from constructions.hidden_chain import stationary_laws
from constructions.linear import Vector, combine, transpose
from constructions.memory.model import MemoryHMM, Shape
from constructions.memory.supports import Supports, mask
from constructions.tasks import MemoryTask

Steps: TypeAlias = tuple[int, ...]
"""For each state the set of those that it leads to: bit h stands for state h."""

DETOURS = VALUES = (Fraction(1, 2), Fraction(1, 3), Fraction(2, 3))
"""The probabilities of the detour, and of the first value."""

TELLING = (Fraction(1), Fraction(3, 4), Fraction(2, 3))
"""The probabilities with which state 0 emits token 0 if the value is the first, and token 1 if it is the other."""


def decoyed(states: int, prompted: bool, longest: int) -> Iterator[tuple[int, MemoryHMM, MemoryTask]]:
    """Yield models with so many states: those with fewer tokens first, then with a smaller denominator.

    With each comes the length of the inputs in which its decoys trade places with state 0, at most `longest`.
    """
    decoys = 1 + prompted
    chains = list(_chains(states, decoys))
    for tokens in range(1, states - decoys):
        found = []
        for marks in product(range(1, tokens + 1), repeat=states - 1 - decoys):
            shown = (*(0,) * (1 + decoys), *marks)
            if list(dict.fromkeys(shown)) == list(range(tokens + 1)):
                found += [(trades(chain, shown, decoys, longest), chain, shown) for chain in chains]
        models = [
            (length, model) for length, chain, shown in found if length for model in _models(chain, shown, prompted)
        ]
        for length, model in sorted(models, key=lambda one: (_denominator(one[1]), one[0])):
            yield length, model, MemoryTask(((Fraction(1), Fraction(-1)),), cell=0)


def _chains(states: int, decoys: int) -> Iterator[Steps]:
    """Yield where each state leads: on around a cycle, but for one that begins a detour, too; not periodically.

    Chains are the same that differ by the names of decoys, or of the states with tokens of their own.
    """
    names: list[tuple[int, ...]] = [
        (0, *own, *others)
        for own in permutations(range(1, 1 + decoys))
        for others in permutations(range(1 + decoys, states))
    ]
    found: set[Steps] = set()
    for order in permutations(range(states)):
        for size in range(1, states + 1):
            cycle, detour = order[:size], order[size:]
            for i, end in enumerate(cycle):
                if gcd(size, len(detour) + 1 + (size - i) % size) > 1:
                    continue  # the two ways around have lengths that let the chain be periodic
                steps = {*pairwise((*cycle, cycle[0])), *pairwise((cycle[0], *detour, end))}
                chain = _supports(steps, names[0])
                if chain not in found:
                    found.update(_supports(steps, name) for name in names)
                    yield chain


def _supports(steps: Iterable[tuple[int, int]], name: Sequence[int]) -> Steps:
    to = [0] * len(name)
    for g, h in steps:
        to[name[g]] |= 1 << name[h]
    return tuple(to)


def _models(chain: Steps, shown: Sequence[int], prompted: bool) -> Iterator[MemoryHMM]:
    """Yield the models of a chain, whose start is stationary if prompted, and else uniform.

    Behind a prompt state 0 shows the value by and large only, or else each decoy would have one token.
    """
    states, tokens = len(chain), 2 + max(shown)
    unused = (Fraction(0),) * (tokens - 2)
    for detour, p, q in product(DETOURS, VALUES, TELLING[prompted:]):
        memory, own = (p, 1 - p), ((q, 1 - q), (1 - q, q))
        if p * q < (1 - p) * (1 - q) or p * (1 - q) >= (1 - p) * q:
            continue  # the two tokens have one label
        decoys = own if prompted else (combine(memory, own),)
        others = [tuple(Fraction(z == 1 + mark) for z in range(tokens)) for mark in shown[1 + len(decoys) :]]
        laws = [[(*law, *unused) for law in (of_value, *decoys)] + others for of_value in own]
        transition = transpose([_law(to, detour, states) for to in chain])
        initial = stationary_laws(transition)[0] if prompted else (Fraction(1, states),) * states
        emission = transpose(tuple(law for of_value in laws for law in of_value))
        yield MemoryHMM(initial, transition, Shape(2, 1, states), memory, emission)


def _law(to: int, detour: Fraction, states: int) -> Vector:
    """Return the law of the next state: of two the first has the probability of the detour."""
    first, last = (to & -to).bit_length() - 1, to.bit_length() - 1
    share = detour if first < last else Fraction(1)
    return tuple(share if h == first else 1 - share if h == last else Fraction(0) for h in range(states))


def _denominator(model: MemoryHMM) -> int:
    laws = (model.initial, model.memory, *model.transition, *model.emission)
    return lcm(*(p.denominator for law in laws for p in law))


# Which inputs show where


def trades(chain: Steps, shown: Sequence[int], decoys: int, longest: int) -> int | None:
    """Tell up to which length of inputs each decoy and state 0 take one another's place; None if they do not.

    `shown`: what one sees of each state.
    """
    every = range(len(chain))
    matrix = tuple(tuple(Fraction(to >> g & 1) for to in chain) for g in every)
    moves = Supports(mask(chain), matrix, [mask(one == mark for one in shown) for mark in range(max(shown) + 1)])
    places: list[set[tuple[int, int]]] = [set() for _ in range(decoys)]
    paths: list[tuple[int, ...]] = [(h,) for h in every]
    for length in range(1, longest + 1):
        for seen in {tuple(shown[h] for h in path) for path in paths}:
            path = sure(moves, seen, prompted=decoys > 1)
            for j, state in enumerate(path if path.count(0) == 1 else ()):
                if 0 < state <= decoys:
                    places[state - 1].add((path.index(0), j))
        if all(map(_cyclic, places)):
            return length
        paths = [(*path, h) for path in paths for h in every if chain[path[-1]] >> h & 1]
    return None


def sure(moves: Supports, seen: Sequence[int], prompted: bool) -> tuple[int, ...]:
    """Return the hidden path, if what is seen leaves no other; it may start anywhere, and any state has one before it.

    Behind a prompt, what is seen at the other positions is to be enough for each; and state 0 may not come before, as
    what is read at the prompt's own position would depend on the value.
    """
    path = []
    for states, mark in zip(moves.joint(seen), seen, strict=True):
        emits = moves.emits[mark]
        left = states if prompted else states & emits
        if not left & emits or left & (left - 1):
            return ()
        path.append(left.bit_length() - 1)
    return () if prompted and moves.after(1) >> path[0] & 1 else tuple(path)


def _cyclic(edges: Iterable[tuple[int, int]]) -> bool:
    """Tell whether a graph has a cycle: something is left once all edges are gone that lead nowhere."""
    left = set(edges)
    while ends := {(i, j) for i, j in left if all(j != k for k, _ in left)}:
        left -= ends
    return bool(left)
