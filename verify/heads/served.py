"""For which of many small models does a head serve all inputs up to a length? An exact sieve in floats.

A head *serves* inputs if it gives each of them its label F*. A search for counterexamples needs to look closely only at
models that may have no head that serves, and these are few. Here heads are proposed in floats, for a batch of models
and all their tasks together, and each proposed head is compared with F* on every input. The answer yes is certain. The
answer no only means that no proposed head serves.

**Why the comparison is exact.** Probabilities come as integers, multiples of a small unit. Doubles add and multiply
integers below 2^53 without rounding. So it is enough that no number in the comparison reaches 2^53. Three kinds occur:

- sums of products that are all >= 0: no partial sum exceeds the result, so it is enough to look at the largest result;
- the scores of a task, whose mu has entries -1, 0 and 1: they are at most P[X = x] in absolute value;
- the scores of a head: they are at most the sum of its features times the largest |entry| of b.

The entries of b are rounded to so few bits that the scores of a head are below 2^53. If these are too few bits to be of
use, the answer is no.

**How heads are proposed.** There are two labels, with one row mu. A linear head reads g(x) = W(c o beta(x)), a vector
of numbers >= 0. Here c is P[H_1], or A(u o P[H_1]) behind a prompt u. A head b serves iff b'g(x) >= 0 where F* is 1,
and < 0 where F* is 0. Scale g(x) to sum 1. Then adding s to all entries of b adds s to all scores. So some s makes b
serve iff all scores of inputs with label 1 lie above all scores of inputs with label 0. The border is put in the middle
between them, where there is no score.

With two tokens this leaves, up to scale and s, a single vector b and its opposite. With more tokens the first b is the
least-squares fit to the task's scores. If some b gives exactly these scores, as in the proof of theorem 3.3, the first
b does. Each next b is turned towards inputs that are on the wrong side. Attention heads are proposed in the same way,
with other features in the place of g(x), and with 1 and -1 in the place of the task's scores (`attended`).

Notation: constructions/__init__.py.
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
"""Doubles add and multiply integers without rounding if no result has more bits than this."""

MAX_BITS, MIN_BITS = 24, 6
"""The bits of an entry of b: at most MAX_BITS. If exact comparison allows fewer than MIN_BITS, no head is tried."""

MAX_DIRECTIONS = 12
"""The most directions b that are tried for a model, a task, and a prompt or a choice of attended positions."""

TINY, ABOVE_ALL_SCORES = 1e-10, 3.0
"""For heads with entries of at most 1: TINY is negligible beside their scores, ABOVE_ALL_SCORES is larger than each."""


@dataclass(frozen=True)
class Chains:
    """N vanilla HMMs with n states and k tokens that differ in A alone.

    Each array has probabilities times one factor, which makes them integers. `initial` (n,): P[H_0]. `emission` (k, n):
    W. `transition` (N, n, n): A' of each model.
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
        """Yield c (N, n), up to a scale: P[H_1], or if `prompted` A(u o P[H_1]) for the indicators u of sets of states.

        Larger sets come first, and the empty set is left out.
        """
        first = self.step(self.initial)
        if not prompted:
            yield first
            return
        for u in sorted(product((1.0, 0.0), repeat=len(self.initial)), key=sum, reverse=True)[:-1]:
            yield self.step(np.array(u) * first)

    def step(self, weights: Numbers) -> Numbers:
        """Return A times `weights` (n,), or times each model's `weights` (N, n): (N, n)."""
        products: Numbers = np.einsum("...f,...fh->...h", weights, self.transition)
        return products


def served(chains: Chains, which: Indices, rows: Numbers, length: int, prompted: bool, defined: bool) -> Mask:
    """Return for each of P tasks whether some linear head surely serves all inputs of up to `length` tokens, (P,).

    `which` (P,): the index of each task's model. `rows` (P, n): mu of each task, with entries -1, 0 and 1. `prompted`:
    heads stand behind a prompt. `defined`: leave out inputs whose masked output is 0/0; if `prompted`, leave out
    inputs whose output is 0/0 behind every prompt.
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
    """Return for each of P tasks whether some attention head surely serves all inputs in R of up to `length` tokens.

    The result is (P,). `chains`: those of Hbar, the chain of memory and hidden state. `inside` (P, n): for each state
    of Hbar, whether its hidden state is in the task's H*. The other arguments are as in `served`.

    Without a prompt (4.3) a head may have any embeddings. So a label's score may be any linear function of the sum of
    matrices M_i over the attended positions i. Row x_i of M_i is G_i, and all other rows are 0. The heads tried attend
    to all positions, to the first, to the last, or to those where one token is likeliest or least likely. Behind a
    prompt (4.6, C.6) the only head tried has values that are all 0.
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
    """Return a number of bits. An integer of so many bits times any entry of these arrays is exact in float64."""
    return EXACT_BITS - int(log2(max(1, *(sums.max() for sums in largest)))) - 1


def _propose(is_served: Mask, features: Numbers, which: Indices, upper: Mask, counted: Mask, goal: Numbers) -> None:
    """Propose heads for the tasks that `is_served` (P,) does not mark yet, and mark those that a proposed head serves.

    `features` (N, words, k): the vector that a head reads of each word, in integers. `which` (P,): the index of each
    task's model. Three arrays (P, words): `upper`, whether F* is 1; `counted`, whether the word is an input that
    counts; `goal`, the scores to which the first head is fitted.
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
    """Return the largest |entry| of each head b (P, k), or TINY if that is larger, as (P, 1)."""
    largest: Numbers = np.maximum(np.abs(b).max(axis=1, keepdims=True), TINY)
    return largest


@dataclass(frozen=True)
class _Reading:
    """The messages, embeddings and outputs of all words x of one length t.

    Hbar_i is the pair of memory and H_i. `law` (N, t, words, n): tau_i = P[Hbar_i, X_-i = x_-i], up to a scale. `joint`
    (N, words, n): P[X = x, Hbar_1], up to a scale. `embedded` (words, t, k): e(x_i), a unit vector for each token.
    `outputs` (N, t, words, k): G_i, up to one scale for all positions of a word.
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
        """Return for each task which words are in R, (P, words). `which` and `inside` are as in `attended`."""
        support: Mask = (self.law > 0)[which]
        surely_inside = ~np.any(support & ~inside[:, None, None], axis=3)
        return np.asarray(surely_inside.any(axis=1) & self.joint[which].any(axis=2))

    def features(self, look: int) -> Numbers:
        """Return the sum of e(x_i) G_i' over the positions that head number `look` attends to, (N, words, k k).

        Head 0 attends to all positions, head 1 to the first and head 2 to the last. From 3 on, each token has two
        heads: one attends where the token is likeliest, the next where it is least likely.
        """
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
