"""Many small models at once: for which of them a linear head, or a prompt and one, serves all inputs up to a length.

A search looks closely only at models that may be counterexamples, and nearly all models are none. So heads are proposed
in floats, for a batch of models and all their tasks together, and each is held against every input. That comparison is
exact: models come in integer units, and doubles add and multiply integers below 2^53 without rounding. Every number
compared is a sum of products >= 0, except two: a task's scores, which are smaller than P[X = x], and a head's scores,
which are smaller than the sum of its features times the largest entry of b. So it is enough that no computed number
reaches 2^53, and b is rounded to as many bits as that leaves; where these are too few the answer is no. No margin is
needed: where the answer is yes there is a head, and where no proposed head serves the answer is no.

**One row mu.** A head b serves iff b'g(x) >= 0 where F* is 1, and < 0 where it is 0: g(x) = W(c o beta(x)) >= 0, with c
as in `words.problem`. Let g be scaled to sum 1: adding s to all entries of b adds s to all scores. So a direction
serves iff the scores of label 1 lie above those of label 0, and b is then put in the middle, where no score is at the
border. With two tokens there is one direction, and its opposite. With more, the search begins with least squares, which
meet the identity of the proof where that can be met, and turns towards inputs on the wrong side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import log2
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from constructions.messages import word_step

Numbers: TypeAlias = NDArray[np.floating[Any]]
Indices: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]

EXACT_BITS = 53
"""Doubles add and multiply integers of this many bits without rounding."""

MAX_BITS, MIN_BITS = 24, 6
"""The bits of an entry of b: at most these, and below the second number a head is not tried."""

MAX_DIRECTIONS = 12
"""The number of directions b that are tried for a model and a task."""

TINY, ABOVE_ALL_SCORES = 1e-10, 3.0
"""Numbers that are negligible beside the scores of a head with entries of at most 1, and larger than all of them."""


@dataclass(frozen=True)
class Chains:
    """N vanilla HMMs that differ in A alone, in integer units, each array in its own.

    `initial` (n,): P[H_0]. `emission` (k, n): W. `transition` (N, n, n): A'.
    """

    initial: Numbers
    emission: Numbers
    transition: Numbers

    def betas(self, length: int) -> Numbers:
        """Return beta of every word of 1 to `length` tokens, each up to a scale: (N, words, n)."""
        transition = self.transition.swapaxes(1, 2)[:, None]
        level = np.ones((len(self.transition), 1, len(self.initial)))
        levels = []
        for _ in range(length):
            level = word_step(self.emission[:, None], level[:, None], transition).reshape(
                len(level), -1, len(self.initial)
            )
            levels.append(level)
        return np.concatenate(levels, axis=1)

    def weights(self, prompted: bool) -> Iterator[Numbers]:
        """Yield c (N, n), up to a scale: P[H_1], or A(u o P[H_1]) for the indicators u of the sets of states."""
        first = self.step(self.initial)
        if not prompted:
            yield first
            return
        for u in sorted(product((1.0, 0.0), repeat=len(self.initial)), key=sum, reverse=True)[:-1]:
            yield self.step(np.array(u) * first)

    def step(self, weights: Numbers) -> Numbers:
        """Return A weights of each model, (N, n)."""
        products: Numbers = np.einsum("...f,...fh->...h", weights, self.transition)
        return products


def served(chains: Chains, which: Indices, rows: Numbers, length: int, prompted: bool, defined: bool) -> Mask:
    """Tell of P tasks, the `rows` of mu (P, n) on the models numbered `which`, whether some head surely serves.

    Their entries are -1, 0 and 1. With `defined`, inputs whose masked output is 0/0 are left out.
    """
    betas, is_served = chains.betas(length), np.zeros(len(rows), dtype=np.bool_)
    likely = betas @ chains.initial
    if _room(betas, likely) < MIN_BITS:
        return is_served
    counted: Mask = likely[which] > 0
    scores = (betas[which] @ (rows * chains.initial)[..., None])[..., 0]
    for number, weights in enumerate(chains.weights(prompted)):
        features = (betas * weights[:, None]) @ chains.emission.T  # (N, words, k)
        if number == 0:
            counted &= features[which].any(axis=2) | (not defined)
            is_served[:] = ((scores >= 0) | ~counted).all(axis=1)  # b = 0 does
        _propose(is_served, features, which, scores >= 0, counted, scores)
    return is_served


def attended(chains: Chains, which: Indices, rows: Numbers, inside: Mask, length: int, prompted: bool) -> Mask:
    """Tell of P tasks on Hbar, as `served` does, whether some attention head of theorem 4.3 surely serves R.

    `inside` (P, n): the states in H*. Behind a prompt (4.6, C.6) only values that are all 0 are tried. Otherwise
    embeddings are free: values are linear in the sum of e(x_i) G_i over what is attended to. Heads are tried that
    attend to all positions alike, the first, the last, or where a token is likeliest, or least likely.
    """
    read, is_served = [_Reading.of(chains, size) for size in range(1, length + 1)], np.zeros(len(rows), dtype=np.bool_)
    if _room(*(reading.joint.sum(axis=2) for reading in read)) < MIN_BITS:
        return is_served
    in_r = np.concatenate([reading.in_r(which, inside) for reading in read], axis=1)
    scores = np.concatenate([(reading.joint[which] @ rows[..., None])[..., 0] for reading in read], axis=1)
    upper: Mask = scores >= 0
    is_served[:] = ~(in_r & ~upper).any(axis=1)  # values that are all 0 do
    if prompted:
        return is_served
    is_served |= ~(in_r & upper).any(axis=1)  # so do others that are one constant, as no output is 0
    for look in range(3 + 2 * len(chains.emission)):
        features = np.concatenate([reading.features(look) for reading in read], axis=1)
        goal = np.where(upper, 1, -1) * features.sum(axis=2)[which]
        _propose(is_served, features, which, upper, in_r, goal)
        if is_served.all():
            break
    return is_served


def _room(*largest: Numbers) -> int:
    """Return how many bits a factor of these sums may have, so that the products stay exact."""
    return EXACT_BITS - int(log2(max(1, *(sums.max() for sums in largest)))) - 1


def _propose(is_served: Mask, features: Numbers, which: Indices, upper: Mask, counted: Mask, goal: Numbers) -> None:
    """Mark those of P tasks, not marked yet, that one of some proposed heads serves.

    `features` (N, words, k): what a head reads of each word, in integers. Of the tasks (P, words): `upper`, whether F*
    is 1; `counted`, which words are inputs; `goal`, scores that the first head comes close to.
    """
    if (room := _room(features.sum(axis=2))) < MIN_BITS:
        return
    indices = np.flatnonzero(~is_served)
    features, upper, counted = features[which[indices]], upper[indices], counted[indices]
    total = features.sum(axis=2, keepdims=True)
    unit = features / np.maximum(total, 1)
    read = counted & (total[..., 0] > 0)
    rows, goal = unit * read[..., None], goal[indices] / np.maximum(total[..., 0], 1)
    across = rows.swapaxes(1, 2)  # b begins with least squares
    b = np.linalg.solve(across @ rows + TINY * np.eye(unit.shape[2]), across @ goal[..., None])[..., 0]
    for _ in range(MAX_DIRECTIONS):
        b /= _largest(b)
        scores, above, below = (unit @ b[..., None])[..., 0], read & upper, read & ~upper
        lowest = np.where(above, scores, ABOVE_ALL_SCORES).min(axis=1, keepdims=True)
        highest = np.where(below, scores, -ABOVE_ALL_SCORES).max(axis=1, keepdims=True)
        middle = b - (lowest + highest) / 2
        rounded = np.rint(np.ldexp(middle / _largest(middle), min(room, MAX_BITS)))
        right = ((features @ rounded[..., None])[..., 0] >= 0) == upper  # exactly
        serves = (right | ~counted).all(axis=1)
        is_served[indices[serves]] = True
        if serves.all():
            break
        b = b + ((above * (scores <= highest) * 1.0 - below * (scores >= lowest))[:, None] @ unit)[:, 0] / 4
        if serves.any():
            arrays = b, unit, read, indices, features, upper, counted
            b, unit, read, indices, features, upper, counted = (array[~serves] for array in arrays)


def _largest(b: Numbers) -> Numbers:
    """Return the largest |entry| of each head b (P, k), as (P, 1)."""
    largest: Numbers = np.maximum(np.abs(b).max(axis=1, keepdims=True), TINY)
    return largest


@dataclass(frozen=True)
class _Reading:
    """What attention heads read of the words of one length t.

    `law` (N, t, words, n): tau_i, the others given, up to a scale. `joint` (N, words, n): P[X = x, Hbar_1].
    `embedded` (words, t, k): e(x_i). `outputs` (N, t, words, k): G_i, of each word up to one scale.
    """

    law: Numbers
    joint: Numbers
    embedded: Numbers
    outputs: Numbers

    @classmethod
    def of(cls, chains: Chains, size: int) -> _Reading:
        """Pass messages along all words of `size` tokens."""
        k = len(chains.emission)
        words = np.array(list(product(range(k), repeat=size)))
        emitted = [chains.emission[words[:, i]] for i in range(size)]  # W[x_i,:], (words, n)
        ahead = [np.repeat(chains.step(chains.initial)[:, None], len(words), axis=1)]
        back = [np.ones_like(ahead[0])]
        for emission in emitted[:-1]:
            ahead.append(word_step(emission, ahead[-1], chains.transition))
        for emission in emitted[:0:-1]:
            back.insert(0, word_step(emission, back[0], chains.transition.swapaxes(1, 2)))
        law = np.stack([p * q for p, q in zip(ahead, back, strict=True)], axis=1)
        outputs = law @ chains.emission.T
        total = outputs.sum(axis=3, keepdims=True)
        others = [np.delete(total, i, axis=1).prod(axis=1) for i in range(size)]
        return cls(law, law[:, 0] * emitted[0], np.eye(k)[words], outputs * np.stack(others, axis=1))

    def in_r(self, which: Indices, inside: Mask) -> Mask:
        """Tell of tasks with their H* which words are in R, (P, words)."""
        support: Mask = (self.law > 0)[which]
        surely_inside = ~np.any(support & ~inside[:, None, None], axis=3)
        return np.asarray(surely_inside.any(axis=1) & self.joint[which].any(axis=2))

    def features(self, look: int) -> Numbers:
        """Return the vectors (N, words, k k) in which the values of the head of this number are linear."""
        size = self.outputs.shape[1]
        if look < 3:
            score: Numbers = np.arange(size, dtype=np.float64)[None, :, None] * (0, -1, 1)[look]
        else:
            token, lowest = divmod(look - 3, 2)
            score = self.outputs[..., token] * (1 - 2 * lowest)
        at = (score == score.max(axis=1, keepdims=True)) * 1.0
        at = np.broadcast_to(at, self.outputs.shape[:3])
        read: Numbers = np.einsum("niv,vie,nivg->nveg", at, self.embedded, self.outputs)
        return read.reshape(*read.shape[:2], -1)
