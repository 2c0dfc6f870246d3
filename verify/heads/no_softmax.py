"""No softmax attention head serves R, whatever its scale: positions that it cannot leave out, and whose number grows.

A softmax head has weights in proportion to exp(kappa'G_i + p_i), scores p_i of positions, the same from some position
on, and values c[x_i]'G_i; scale and query are in kappa. Its label is the sign of the sum of exp(kappa'G_i + p_i)
c[x_i]'G_i. Take words a w^t b, t = 1, 2, ..., and let messages come back to themselves after w, up to scale. Then all
copies of w but some at the ends have the same G, and the sum is t S + O(1), up to a positive factor, with S the sum of
X(x_i, G_i) over one copy, X(z, G) = exp(kappa'G) c[z]'G. If all these words have label 1, S >= 0, and if all have label
0, S <= 0. So for families with signs s_k = +-1 and any numbers r_k > 0,

    sum of r_k s_k S_k = 0, identically in the head,  implies  S_k = 0 for every k.

- *Runs*, where w is one token z: S_k is c[z]'G_k but for a positive factor, and the identity is linear in c[z]. Then
  c[z]'G = 0 for every G in the span of the G_k.
- *Blocks*: S_k is a sum of unknowns X(z, G), those known to be 0 left out. If X(z, G) - X(z', G) is in the span of the
  S_k, then c[z]'G = c[z']'G, as both have the same weight.
- A *pair* of inputs of one length and different labels, which at each position have the same token and G, or one G and
  tokens whose values are the same there, or values that are 0: they have the same score. So there is no such head.

All is exact and for every t: nothing is approximated, and no scale is named. `docs/softmax.md`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from operator import mul
from typing import TypeAlias

import numpy as np

from constructions.evidence import Word
from constructions.linear import Vector, coprime, integers, null_basis, solve, transpose
from constructions.memory.model import MemoryHMM
from constructions.messages import masked_outputs
from constructions.tasks import MemoryTask
from verify.words.linear_programs import Row, Solution, decide
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Inputs, Problem

Symbol: TypeAlias = tuple[int, Vector]
"""(z, G): a token, and what is read in its place."""

PERIODS = 8
"""After so many copies of the period messages have to come back to themselves."""


@dataclass(frozen=True)
class Family:
    """The words prefix period^t suffix, t = 1, 2, ..."""

    prefix: Word
    period: Word
    suffix: Word


@dataclass(frozen=True)
class NoSoftmaxHead:
    """Families of words and a pair of inputs that no softmax attention head serves together."""

    runs: tuple[Family, ...]
    blocks: tuple[Family, ...]
    pair: tuple[Word, Word]

    @classmethod
    def of(cls, document: dict[str, list[str]], model: MemoryHMM) -> NoSoftmaxHead:
        """Read tokens by name: runs and blocks "a b (c d) e", the period in brackets, and the pair."""
        number = {token: z for z, token in enumerate(model.tokens)}

        def word(text: str) -> Word:
            return tuple(number[token] for token in text.split())

        def family(text: str) -> Family:
            prefix, rest = text.split("(")
            return Family(word(prefix), *map(word, rest.split(")")))

        first, second = map(word, document["pair"])
        return cls(tuple(map(family, document["runs"])), tuple(map(family, document["blocks"])), (first, second))


@dataclass(frozen=True)
class Periodic:
    """What a head reads in each period of a family but some at the ends, and the label that all its words have."""

    symbols: tuple[Symbol, ...]
    label: int


class NotShownError(Exception):
    """Why the families and the pair show nothing."""


def excluded(model: MemoryHMM, task: MemoryTask, states: Sequence[int], found: NoSoftmaxHead, memory: Vector) -> None:
    """Check that no softmax head serves the model's words, where what it reads has this law of M; F* has the model's.

    A prompt can change the law of M, and does no more behind inputs that tell the first hidden states.
    Raises `NotShownError` where that is not shown.
    """
    problem = MemoryProblem(model, task, tuple(states))
    reader = replace(problem, model=replace(model, memory=memory))
    runs = [periodic(problem, reader, family) for family in found.runs]
    nothing = _zeros(runs)
    blocks = [periodic(problem, reader, family) for family in found.blocks]
    alike = _Alike(nothing, blocks)
    one, two = found.pair
    inputs = [Inputs(problem.joint).of(word) for word in found.pair]
    if len(one) != len(two) or len({x.label for x in inputs if x}) != 2:
        raise NotShownError("the pair are not two inputs of one length and different labels")
    for word in found.pair:
        if not problem.recoverable.membership(word).positions:
            raise NotShownError(f"{word} is not in R")
    for i, (left, right) in enumerate(zip(_symbols(reader, one), _symbols(reader, two), strict=True)):
        if not alike.contribute(left, right):
            raise NotShownError(f"the pair may differ at position {i + 1}")


def periodic(problem: MemoryProblem, reader: MemoryProblem, family: Family) -> Periodic:
    """Return what is read in each period, for `reader`, and the label, the same for all large numbers of periods.

    Raises `NotShownError` where messages do not come back to themselves, or the words are not known to be in R.
    """
    _check_in_r(problem, family)
    joint = reader.joint
    past = _recurrent(_forward(joint, integers(joint.model.initial)[0], family)).message
    ahead = _recurrent(_backward(joint, past, family)).message
    symbols, chain = [], joint.model.chain()
    for i, token in enumerate(family.period):
        before, after = past, ahead
        for z in family.period[:i]:
            before = _onward(joint, z, before)
        for z in reversed(family.period[i + 1 :]):
            [after] = joint.before(z, [after])
        weights = chain.emission @ (chain.transition @ np.array(before, dtype=object) * after)
        symbols.append((token, tuple(Fraction(weight, sum(weights)) for weight in weights)))
    return Periodic(tuple(symbols), _label(problem, family))


def _check_in_r(problem: MemoryProblem, family: Family) -> None:
    """Check that words of a family with many periods are in R, by a position of the prefix."""
    moves = problem.recoverable.supports
    after = [moves.everything]
    for z in (*reversed(family.suffix), *tuple(reversed(family.period)) * PERIODS):
        after.append(moves.backward(after[-1], z))
    word = (*family.prefix, *family.period * PERIODS, *family.suffix)
    positions = problem.recoverable.membership(word).positions
    if after[-1] != after[-1 - len(family.period)] or not any(i < len(family.prefix) for i in positions):
        raise NotShownError(f"{word} is not known to be in R, with more periods, too, by a position of the prefix")


def _label(problem: MemoryProblem, family: Family) -> int:
    """Return the label of all words of a family with many periods: that of the memories whose laws fall most slowly."""
    falling: dict[Fraction, Fraction] = {}
    joint, hidden = problem.joint, problem.model.shape.hidden
    start, _ = integers(joint.model.initial)
    for m, memory in enumerate(problem.model.shape.memories):
        own = [entry * (i // hidden == m) for i, entry in enumerate(start)]
        if any(next(_forward(joint, own, family))):
            past = _recurrent(_forward(joint, own, family))
            ahead = _recurrent(_backward(joint, past.message, family))
            weight = sum(map(mul, past.message, ahead.message)) / ahead.factor ** (past.skipped + ahead.skipped)
            score = problem.task.mu[0][memory[problem.task.cell]] * weight
            falling[ahead.factor] = falling.get(ahead.factor, Fraction(0)) + score
    slowest = falling[max(falling)] if falling else Fraction(0)
    if not slowest:
        raise NotShownError("the label is not that of the memories whose laws fall most slowly")
    return int(slowest > 0)


def _forward(joint: Problem, start: Sequence[int], family: Family) -> Iterator[Sequence[int]]:
    """Yield P[H_i, x_1..x_i] at the end of the prefix, of the first period, ..., up to one factor for each token."""
    before = start
    for z in family.prefix:
        before = _onward(joint, z, before)
    while True:
        yield before
        for z in family.period:
            before = _onward(joint, z, before)


def _onward(joint: Problem, token: int, before: Sequence[int]) -> list[int]:
    return joint.seen(joint.onward([before]), token)[0]


def _backward(joint: Problem, past: Sequence[int], family: Family) -> Iterator[Sequence[int]]:
    """Yield P[what comes after | H_i] behind the last period, the last but one, ...; 0 where the past leaves no H_i."""
    after = [1] * joint.states
    for z in reversed(family.suffix):
        [after] = joint.before(z, [after])
    while True:
        after = [entry * (left > 0) for entry, left in zip(after, past, strict=True)]
        yield after
        for z in reversed(family.period):
            [after] = joint.before(z, [after])


@dataclass(frozen=True)
class _Recurrent:
    """A message, what one more period multiplies it by, and how many periods come before it."""

    message: Sequence[int]
    factor: Fraction
    skipped: int


def _recurrent(messages: Iterator[Sequence[int]]) -> _Recurrent:
    for skipped, (one, after) in enumerate(pairwise(messages)):
        if any(one) and coprime(one) == coprime(after):
            return _Recurrent(one, Fraction(sum(after), sum(one)), skipped)
        if skipped == PERIODS:
            break
    raise NotShownError("messages do not come back to themselves")


def _symbols(reader: MemoryProblem, word: Word) -> list[Symbol]:
    chain = reader.joint.model.chain()
    outputs = masked_outputs(chain, chain.embed(word))
    return [(z, tuple(output)) for z, output in zip(word, outputs, strict=True)]


def _zeros(runs: Sequence[Periodic]) -> dict[int, list[Vector]]:
    """Return for each token z the G at which runs leave no head a value but 0."""
    nothing: dict[int, list[Vector]] = {}
    for token in {token for run in runs for token, _ in run.symbols}:
        own = [run for run in runs if run.symbols[0][0] == token]
        if any(len(run.symbols) > 1 for run in own):
            raise NotShownError("the period of a run is one token")
        _all_zero([_signed(run, run.symbols[0][1]) for run in own])
        nothing[token] = [run.symbols[0][1] for run in own]
    return nothing


class _Alike:
    """Whether two symbols contribute the same to the score of a head that serves the runs and the blocks."""

    def __init__(self, nothing: dict[int, list[Vector]], blocks: Sequence[Periodic]) -> None:
        self.nothing = nothing
        sums = [Counter(s for s in block.symbols if not self.zero(s)) for block in blocks]
        self.symbols = sorted({symbol for total in sums for symbol in total})
        self.sums = [tuple(Fraction(total[symbol]) for symbol in self.symbols) for total in sums]
        _all_zero([_signed(block, total) for block, total in zip(blocks, self.sums, strict=True)])

    def zero(self, symbol: Symbol) -> bool:
        """Tell whether the value is 0."""
        token, output = symbol
        return _in_span(output, self.nothing.get(token, []))

    def contribute(self, left: Symbol, right: Symbol) -> bool:
        """Tell whether they contribute the same."""
        if left == right or (self.zero(left) and self.zero(right)):
            return True
        tokens, shared = (left[0], right[0]), {output for _, output in self.symbols}
        return left[1] == right[1] and _in_span(left[1], [G for G in shared if self._same_value(tokens, G)])

    def _same_value(self, tokens: tuple[int, int], output: Vector) -> bool:
        """Tell whether two tokens have the same value at this G, as X(z, G) - X(z', G) is a combination of sums."""
        difference = tuple(
            Fraction(symbol == (tokens[0], output)) - (symbol == (tokens[1], output)) for symbol in self.symbols
        )
        return any(difference) and _in_span(difference, self.sums)


def _signed(periodic: Periodic, vector: Vector) -> Vector:
    return vector if periodic.label else tuple(-entry for entry in vector)


def _all_zero(vectors: Sequence[Vector]) -> None:
    """Check that some combination of the vectors with positive weights is 0: what is >= 0 on each is then 0 on each."""
    basis = null_basis(transpose(vectors))
    rows = [Row(integers(entries)[0], True) for entries in transpose(basis)] if basis else []
    if not rows or not isinstance(decide(rows), Solution):
        raise NotShownError("the families leave a head that serves them")


def _in_span(vector: Vector, vectors: Iterable[Vector]) -> bool:
    known = list(vectors)
    return bool(known) and solve(transpose(known), transpose([vector])) is not None
