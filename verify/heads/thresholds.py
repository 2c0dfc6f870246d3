"""Does some linear head of 3.3 serve all inputs, where its scores have two dimensions at most? Many models at once.

On V, the span of the inputs, let the functionals W'b o c of all heads span at most two dimensions: a and c, or c alone
(a = 0). On an input x with c'beta(x) > 0 a head then has the sign of an affine function of t(x) = a'beta(x) /
c'beta(x), and any affine function is one; on the others its score is 0, and the label 1 (docs/weakest-condition.md,
"When some head serves"). So

- **no head serves** if an input of label 0 has c'beta(x) = 0, or if, among the rest, neither is each t of label 1
  above each of label 0, nor each below: a few inputs show it;
- **one serves** if a tree of prefixes w says so. Each node that is not closed is itself an input. One is closed whose
  continuations all have one label, by the signs of f'M_w, and t on the side of the threshold that is right: t(w y) lies
  between the least and the largest of the quotients a'M_w / c'M_w, entry by entry. If all inputs have one label it does
  not matter where t is.

What neither shows within so many nodes is undecided.

**What is certain.** Rows begin as integers, and a step multiplies their sums by at most d^2, d the denominator: doubles
compute them without rounding while d^(3 + 2 length) <= 2^53. Beyond, each entry of p'M_w and c'M_w is a sum of products
that are >= 0 and has a relative error below 2^-45 after 40 steps; f is as near, measured by p >= |f|, and so is a,
measured by d c >= a. There, labels are read with a margin of 2^-40 p, and places t (at most d <= 8) always with one of
2^-36. But those of short inputs are compared as they are, also for being equal: different quotients of denominators
below 2^25 are more than the spacing of doubles below 8 apart, 2^-50, and so are different as doubles.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64]
Index: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]
Found: TypeAlias = NDArray[np.int8]

UNDECIDED, NO_HEAD, CONSTANT, OTHER = range(4)
"""What is found: of heads that serve, those where every input has one label, and others."""

EXACT, QUOTIENT = 53, 25
"""Doubles have integers of so many bits; and of quotients whose denominators have so many they tell which are equal."""

LABEL, PLACE = 2.0**-40, 2.0**-36
"""Margins: of labels, beside P[X = x], where numbers are rounded; of places."""

LARGEST = 8
"""The denominator up to which places are at most 8, as the margins have it."""

WORDS, DEEP, NODES, PASSES = 200, 40, 300, 2
"""At most so many words are read of all models; of trees, tokens, nodes, and how often one is begun anew."""

AT_ONCE = 2048
"""So many tasks are decided together: what they need fits a processor's cache."""

BITS = 2 ** np.arange(3)


@dataclass(frozen=True)
class Models:
    """N models with one W and P[H_0] in whole units of 1/d, padded to three states.

    `emission` (k, 3), `initial` (3,), `transitions` (N, 3, 3): A. `betas` (N, words, 3): those of `words`. `undefined`
    (N, 8, 8): those of `undefined`.
    """

    denominator: int
    emission: Numbers
    initial: Numbers
    transitions: Numbers
    betas: Numbers
    undefined: Mask

    def some(self, first: int, last: int) -> Models:
        """Return those from the first to the last."""
        part = slice(first, last + 1)
        each = {name: getattr(self, name)[part] for name in ("transitions", "betas", "undefined")}
        return replace(self, **each)


def decide(models: Models, which: Index, tasks: Numbers, places: Numbers) -> Found:
    """Return what is found of tasks on models that come in order, as `Thresholds` has them, not too many at once."""
    if models.denominator > LARGEST:
        raise ValueError(f"the margins are for denominators up to {LARGEST}, not {models.denominator}")
    found = [np.zeros(0, np.int8)]
    for start in range(0, len(which), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        first, last = which[part][[0, -1]]
        few = models.some(first, last), which[part] - first, tasks[part], places[first : last + 1]
        found.append(Thresholds(*few).decide())
    return np.concatenate(found)


def words(transitions: Numbers, emission: Numbers, denominator: int) -> Numbers:
    """Return beta of all words up to a length, (N, words, 3): as many words as can be compared exactly."""
    tokens, length = len(emission), 1
    while denominator ** (2 * length + 4) < 2**QUOTIENT and sum(tokens**size for size in range(1, length + 2)) <= WORDS:
        length += 1
    steps = (transitions[:, None] * emission[:, :, None]).swapaxes(2, 3)  # M_z[h, g] = A[g, h] W[z, g]
    level = np.broadcast_to(np.ones(3), (len(transitions), 1, 3))
    levels = []
    for _ in range(length):
        level = np.einsum("nzhg,nwg->nzwh", steps, level).reshape(len(level), -1, 3)
        levels.append(level)
    return np.concatenate(levels, axis=1)


def undefined(transitions: Numbers, emission: Numbers) -> Mask:
    """Tell of pairs of supports of p'M_w and c'M_w whether, w or longer, an input has c'beta(x) = 0: (N, 8, 8)."""
    sets = np.arange(8)[:, None] & BITS > 0
    after = ((transitions[:, None] > 0) & sets[:, None]).any(axis=3) @ BITS  # (N, 8)
    possible, weighed = (np.arange(8)[:, None] > 0), (np.arange(8) == 0)
    found: Mask = np.broadcast_to(possible & weighed, (len(transitions), 8, 8)).copy()
    at = np.arange(len(transitions))[:, None, None]
    steps = [after & emits for emits in (emission > 0) @ BITS]
    while True:
        wider = found.copy()
        for step in steps:
            wider |= found[at, step[:, :, None], step[:, None, :]]
        if (wider == found).all():
            return found
        found = wider


class Sides:
    """Of P tasks, which labels there are, and of those with each the least and the largest place: all (2, P)."""

    def __init__(self, count: int) -> None:
        """No input was seen yet."""
        self.there = np.zeros((2, count), np.bool_)
        self.low, self.high = np.full((2, count), inf), np.full((2, count), -inf)

    def see(self, label: int, owner: Index, low: Numbers, high: Numbers) -> None:
        """Note inputs of a label, by their tasks."""
        self.there[label, owner] = True
        np.minimum.at(self.low[label], owner, low)
        np.maximum.at(self.high[label], owner, high)

    def with_(self, other: Sides) -> Sides:
        """Return both together."""
        found = Sides(self.there.shape[1])
        found.there = self.there | other.there
        found.low, found.high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        return found

    def apart(self) -> Mask:
        """Tell whether all of label 1 are surely above all of label 0, and whether below: (2, P)."""
        return np.stack([self.high[0] + PLACE < self.low[1], self.high[1] + PLACE < self.low[0]])

    def crossed(self, margin: Numbers) -> Mask:
        """Tell whether one of label 1 is not above one of label 0, and whether one is not below, by a margin."""
        return np.stack([self.high[0] >= self.low[1] + margin, self.high[1] >= self.low[0] + margin])


class Thresholds:
    """P tasks: `which` (P,) of the models, in order; `tasks` (P, 3): f = mu o P[H_0]; `places` (N, 3): a."""

    def __init__(self, models: Models, which: Index, tasks: Numbers, places: Numbers) -> None:
        """Begin with nothing decided."""
        self.models, self.which, self.tasks, self.places = models, which, tasks, places
        self.weights = models.transitions @ models.initial  # c
        self.found = np.full(len(which), UNDECIDED, np.int8)
        self.sides, self.margin = Sides(len(which)), 0.0
        self.flat = ~np.any(places[which], axis=1)
        self.crossed: Mask = np.zeros((2, len(which)), np.bool_)

    def decide(self) -> Found:
        """Return what is found of each."""
        self._read()
        for _ in range(PASSES):
            if len(left := np.flatnonzero(self.found == UNDECIDED)):
                self._grow(left)
        return self.found

    def _read(self) -> None:
        """Compare short inputs, exactly."""
        one, at = self.models, self.which
        counted, weight = one.betas @ one.initial > 0, (one.betas @ self.weights[..., None])[..., 0]
        place = ((one.betas @ self.places[..., None])[..., 0] / np.maximum(weight, 1))[at]
        upper = (one.betas[at] @ self.tasks[..., None])[..., 0] >= 0
        nothing = (weight == 0)[at]
        self.found[(counted[at] & nothing & ~upper).any(axis=1)] = NO_HEAD
        for label in (0, 1):
            here = counted[at] & (upper == label)
            self.sides.there[label] = here.any(axis=1)
            here &= ~nothing
            self.sides.low[label] = np.where(here, place, inf).min(axis=1)
            self.sides.high[label] = np.where(here, place, -inf).max(axis=1)
        self._cross()

    def _cross(self) -> None:
        """Let labels that surely cannot be parted refute all heads; where all places are 0, they are so exactly."""
        self.crossed |= self.sides.crossed(np.where(self.flat, 0.0, self.margin))
        self.found[self.crossed.all(axis=0)] = NO_HEAD

    def _grow(self, left: Index) -> None:
        """Grow the trees of some tasks, all by one letter at a time."""
        closed, spent, vague = Sides(len(self.which)), np.zeros_like(self.which), np.zeros_like(self.which, np.bool_)
        start = np.broadcast_to(self.models.initial, (len(left), 3))
        at, owner = self.which[left], left
        rows = np.stack([self.tasks[left], start, self.places[at], self.weights[at]]).swapaxes(1, 2)
        for length in range(DEEP + 1):
            exact = self.models.denominator ** (3 + 2 * length) <= 2**EXACT
            margin, rows = (0.0, rows) if exact else (LABEL, _scaled(rows))
            if length:
                self._see(rows.sum(axis=1), owner, margin, vague)
                if self.models.denominator ** (2 + 2 * length) >= 2**QUOTIENT:
                    self.margin = PLACE  # from here on, as the places that were seen stay
                self._cross()
            open_ = ~self._closes(rows, owner, margin, closed)
            spent += np.bincount(owner, minlength=len(spent))
            vague[owner[open_ & (spent[owner] > NODES)]] = True
            open_ &= (self.found[owner] == UNDECIDED) & (spent[owner] <= NODES)
            rows, owner = self._longer(rows[:, :, open_], owner[open_])
            if not len(owner):
                break
        vague[owner] = True
        done = left[(self.found[left] == UNDECIDED) & ~vague[left]]
        sides = closed.with_(self.sides)
        both, apart = sides.there[:, done].all(axis=0), sides.apart()[:, done].any(axis=0)
        self.found[done[~both]] = CONSTANT
        self.found[done[both & apart]] = OTHER

    def _longer(self, rows: Numbers, owner: Index) -> tuple[Numbers, Index]:
        """Return the nodes one letter below these that are inputs: f M_z = W[z,:] o A f."""
        steps = np.ascontiguousarray(self.models.transitions[self.which[owner]].transpose(1, 2, 0))  # (3, 3, nodes)
        moved = rows[:, 0, None] * steps[:, 0] + rows[:, 1, None] * steps[:, 1] + rows[:, 2, None] * steps[:, 2]
        longer = np.concatenate([moved * weights[:, None] for weights in self.models.emission], axis=2)
        possible = longer[1].any(axis=0)
        return longer[:, :, possible], np.tile(owner, len(self.models.emission))[possible]

    def _see(self, sums: Numbers, owner: Index, margin: float, vague: Mask) -> None:
        """Note the inputs at which the nodes stand, by the sums of their rows."""
        task, likely, place, weight = sums
        ones, zeros, read = task >= margin * likely, (task <= -margin * likely) & (task < 0), weight > 0
        self.found[owner[zeros & ~read]] = NO_HEAD
        vague[owner[~(ones | zeros)]] = True
        for label, here in enumerate((zeros, ones)):
            self.sides.there[label, owner[here]] = True
            here = here & read
            at = place[here] / weight[here]
            self.sides.see(label, owner[here], at, at)

    def _closes(self, rows: Numbers, owner: Index, margin: float, closed: Sides) -> Mask:
        """Tell at which nodes the label is known of all that follows, and t on the right side of the threshold."""
        task, likely, place, weight = rows
        read = weight > 0
        quotient = place / np.where(read, weight, 1)
        low, high = np.where(read, quotient, inf).min(axis=0), np.where(read, quotient, -inf).max(axis=0)
        ones = (task >= margin * likely).all(axis=0)
        possible, weighed, below = (some[0] + 2 * some[1] + 4 * some[2] for some in (likely > 0, read, task < 0))
        at = self.which[owner]
        zeros = (task <= -margin * likely).all(axis=0) & ~self.models.undefined[at, possible, below]
        self.found[owner[zeros & self.models.undefined[at, possible, weighed]]] = NO_HEAD
        rising, falling = (self.sides.high < self.sides.low[::-1])[:, owner]
        free = rising & falling  # no two labels to part, so far
        part = np.where(rising, 0, 1)
        with np.errstate(invalid="ignore"):  # what is free has no middle
            middle = (self.sides.high[part, owner] + self.sides.low[1 - part, owner]) / 2
        above, under = low > middle, high < middle
        ones &= free | (rising & above) | (falling & under)
        zeros &= free | (rising & under) | (falling & above)
        for label, here in enumerate((zeros, ones)):
            closed.see(label, owner[here], low[here], high[here])
        closes: Mask = ones | zeros
        return closes


def _scaled(rows: Numbers) -> Numbers:
    """Divide the rows of each node by powers of two, f and p by one, a and c by another, so that they stay finite."""
    largest = rows[[1, 1, 3, 3]].max(axis=1, keepdims=True)
    found: Numbers = rows / np.exp2(np.floor(np.log2(np.where(largest > 0, largest, 1))))
    return found
