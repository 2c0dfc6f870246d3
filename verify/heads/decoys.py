"""No prompt and attention head of theorems 4.6 and C.6 exist: decoys, which keys and values cannot tell from H*.

Inputs that look alike behind every prompt, but differ at one position alone and have different labels, force a head to
attend to that position: it is *contested*. What is read there is a mixture of a few directions, which ones depends on
the prompt. A *decoy* is another position, at which one of these directions is read whatever the prompt is. Where
contested positions and decoys trade places from one group of inputs to the next, the positions' own scores cancel
around a cycle: then the key scores of a decoy are at least those of the mixture, and if they are the largest, a head
attends to the decoy, too. Two inputs that have their tokens there exchanged then tell the values apart no more.
`docs/certificate-format.md`, section 11.

Decoys are what 4.5 and C.5 forbid: a column of H* in the span of others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

from constructions.evidence import Evidence, Word
from verify.words.problem import Labelled

Direction: TypeAlias = tuple[int, ...]

Directions: TypeAlias = tuple[Direction, ...]
"""Gbar at one position: a direction for each state at which alone u is 1, or all 0."""

Swap: TypeAlias = tuple[int, int, int, int]
"""The tokens at a contested position and at a decoy, the label, and the label once they are exchanged."""

Term: TypeAlias = tuple[int, int, Fraction]
"""(index of a group, a decoy, weight), positions counted from 1, that of the first token."""


class Decoys(Evidence, kind="decoys", says="no prompt and head serve {inputs}"):
    """Groups of inputs that look alike, each with its contested position, and a leaf for each direction there."""

    inputs: tuple[Word, ...]
    groups: tuple[tuple[int, tuple[int, ...]], ...]
    leaves: tuple[tuple[tuple[Term, ...], int, int], ...]


@dataclass(frozen=True)
class Contest:
    """Inputs that look alike, two of which differ at one position alone and have different labels."""

    at: int
    twins: tuple[Labelled, Labelled]
    inputs: Sequence[Labelled]
    read: Sequence[Directions]

    @property
    def directions(self) -> set[Direction]:
        """What can be read at the contested position."""
        return set(filter(any, self.read[self.at]))

    def decoys(self) -> Iterator[tuple[int, Direction]]:
        """Yield positions at which one direction is read, wherever something is at the contested one."""
        for j, other in enumerate(self.read):
            found = set(filter(any, other))
            read = all(any(b) for a, b in zip(self.read[self.at], other, strict=True) if any(a)) if j else False
            if j != self.at and read and len(found) == 1:
                yield j, found.pop()

    def swaps(self, decoy: int) -> Iterator[tuple[Swap, Labelled, Labelled]]:
        """Yield inputs of different labels that have their tokens at the two positions exchanged."""
        of = {one.word: one for one in self.inputs}
        for one in self.inputs:
            word = list(one.word)
            y, z = word[self.at - 1], word[decoy - 1]
            word[self.at - 1], word[decoy - 1] = z, y
            other = of.get(tuple(word))
            if other and other.label != one.label:
                yield (y, z, one.label, other.label), one, other


Edge: TypeAlias = tuple[Contest, int]
"""A contested position and a decoy."""

Cycle: TypeAlias = tuple[tuple[Edge, ...], Labelled, Labelled]
"""Edges of which each ends where the next begins; of the first, two inputs that are exchanged."""


def decoys(groups: Iterable[tuple[Sequence[Directions], Sequence[Labelled]]]) -> Decoys | None:
    """Refute every prompt and head by inputs that look alike in these groups, the longest of them as short as can be.

    A group comes with what is read at each position, that of the prompt first.
    """
    contests = [one for read, inputs in groups for one in _contests(read, inputs)]
    for longest in sorted({len(one.read) for one in contests}):
        short = [one for one in contests if len(one.read) <= longest]
        swaps = {swap for one in short for j, _ in one.decoys() for swap, *_ in one.swaps(j)}
        for swap in sorted(swaps):
            if leaves := _leaves(short, swap):
                return _written(leaves)
    return None


def _contests(read: Sequence[Directions], inputs: Sequence[Labelled]) -> Iterator[Contest]:
    """Yield the contested positions of a group, each with its first twins."""
    found: set[int] = set()
    for one, other in combinations(inputs, 2):
        apart = [i for i, (y, z) in enumerate(zip(one.word, other.word, strict=True), 1) if y != z]
        if len(apart) == 1 and one.label != other.label and apart[0] not in found:
            found.add(apart[0])
            yield Contest(apart[0], (one, other), inputs, read)


def _leaves(contests: Sequence[Contest], swap: Swap) -> list[Cycle]:
    """Return a cycle for each direction of a contested position on one of them; none if that cannot be.

    Contested positions that have a direction without a cycle are of no use; without them others may be of none.
    """
    while True:
        edges: dict[Direction, list[Edge]] = {}
        for one in contests:
            for j, direction in one.decoys():
                edges.setdefault(direction, []).append((one, j))
        cycles = {direction: cycle for direction, own in edges.items() if (cycle := _cycle(own, swap))}
        left = [one for one in contests if one.directions <= cycles.keys()]
        if len(left) == len(contests):
            break
        contests = left
    needed = list(cycles)[:1]
    for direction in needed:  # which grows meanwhile
        used = {d for (one, _) in cycles[direction][0] for d in one.directions}
        needed += sorted(used.difference(needed))
    return [cycles[direction] for direction in needed]


def _cycle(edges: Sequence[Edge], swap: Swap) -> Cycle | None:
    """Return a shortest cycle of which an edge has inputs that are exchanged so."""
    found: list[Cycle] = []
    for one, j in edges:
        pair = next(((x, y) for known, x, y in one.swaps(j) if known == swap), None)
        path = pair and _path(edges, j, one.at)
        if pair and path is not None:
            found.append((((one, j), *path), *pair))
    return min(found, key=lambda cycle: len(cycle[0]), default=None)


def _path(edges: Iterable[Edge], start: int, goal: int) -> tuple[Edge, ...] | None:
    """Return a shortest path of edges from one position to another."""
    paths: dict[int, tuple[Edge, ...]] = {start: ()}
    waiting = [start]
    for i in waiting:  # which grows meanwhile
        for one, j in edges:
            if one.at == i and j not in paths:
                paths[j] = (*paths[i], (one, j))
                waiting.append(j)
    return paths.get(goal)


def _written(leaves: Sequence[Cycle]) -> Decoys:
    """Write cycles as leaves, with the inputs that they need alone."""
    members: dict[int, tuple[Contest, dict[Word, None]]] = {}
    for edges, *swapped in leaves:
        for one, _ in edges:
            members.setdefault(id(one), (one, dict.fromkeys(x.word for x in one.twins)))
        members[id(edges[0][0])][1].update(dict.fromkeys(x.word for x in swapped))
    words = sorted({word for _, own in members.values() for word in own}, key=lambda word: (len(word), word))
    number, group = {word: n for n, word in enumerate(words)}, {key: g for g, key in enumerate(members)}
    return Decoys(
        tuple(words),
        tuple((one.at, tuple(number[word] for word in own)) for one, own in members.values()),
        tuple(
            (tuple((group[id(one)], j, Fraction(1)) for one, j in edges), number[x.word], number[y.word])
            for edges, x, y in leaves
        ),
    )
