"""Data of a model: sequences drawn from it on a device, with their exact outputs G(x) in float64.

**Drawing.** Walker's alias method in Vose's form: a distribution over n outcomes becomes 2^b >= n cells of equal
weight, each shared by at most two outcomes. The shares are computed in rational numbers and rounded down to multiples
of 2^-(62-b), so a drawn outcome has its probability to within 2^-(62-b), and one of probability 0 is never drawn. One
uniform integer of 62 bits draws one outcome: b bits choose the cell, the others the share.

**Splits.** torch seeds its generator on a CPU with 32 bits. `stream` packs the seed and the split into them, one to
one, so that no two splits, of the same seed or of others, ever start the generator alike.

A memory HMM's data are those of the vanilla HMM Hbar, and its labels those of the lifted task
(`constructions.memory.joint_chain.joint_model`, `joint_task`). Source of the method: M. D. Vose, A linear algorithm for
generating random numbers with a given distribution, IEEE Transactions on Software Engineering 17 (1991).
"""

from __future__ import annotations

from fractions import Fraction

import torch

from constructions.batches import float_outputs
from constructions.fields import Array
from constructions.linear import Matrix, Vector, transpose
from constructions.models import HMM
from constructions.reading import InputError

BITS = 62
"""Random bits in one draw. 2^62 divides the 2^64 that torch reduces, so its integers below 2^62 are exactly uniform."""

SPLITS = ("pretraining", "evaluation", "training", "validation", "test")
"""What data are for. No two of them share a sequence other than by chance."""

MOST_SEEDS = 2**32 // 8
"""Seeds are below this: eight splits fit in what is left of 32 bits."""

BATCH = 1024
"""Sequences whose messages are held at a time."""


def stream(seed: int, split: str, device: str = "cpu") -> torch.Generator:
    """Return the generator of one split; equal arguments give equal data, on one kind of device.

    Raises `InputError` for a seed that does not fit.
    """
    if not 0 <= seed < MOST_SEEDS:
        raise InputError("seed", str(seed), f"at least 0 and below {MOST_SEEDS}")
    return torch.Generator(device).manual_seed(8 * seed + SPLITS.index(split))


def sample(model: HMM, sequences: int, length: int, generator: torch.Generator) -> Array:
    """Draw X_1, ..., X_t: tokens (sequences, length), int64, on the generator's device."""
    return Sampler(model, str(generator.device)).draw(sequences, length, generator)


class Sampler:
    """The alias tables of a model on a device, for one who draws from it often."""

    def __init__(self, model: HMM, device: str = "cpu") -> None:
        self.first = Alias((model.first,), device)
        self.transition = Alias(transpose(model.transition), device)
        self.emission = Alias(transpose(model.emission), device)

    def draw(self, sequences: int, length: int, generator: torch.Generator) -> Array:
        """Draw tokens (sequences, length)."""
        noise = random_bits((length, sequences), generator)
        state = self.first.draw(torch.zeros_like(noise[0]), noise[0])
        states = [state]
        for bits in noise[1:]:
            state = self.transition.draw(state, bits)
            states.append(state)
        hidden = torch.stack(states, -1)
        return self.emission.draw(hidden, random_bits((sequences, length), generator))


def random_bits(shape: tuple[int, ...], generator: torch.Generator) -> Array:
    """Draw uniform integers of 62 bits."""
    return torch.randint(2**BITS, shape, generator=generator, device=generator.device)


class Alias:
    """Tables that turn 62 random bits and the index of a distribution into an outcome of it.

    Cell c of distribution r stands at r 2^b + c: `keep` says how much of it is outcome c's own, in multiples of
    2^-(62-b) of the cell, and `other` whose the rest is.
    """

    def __init__(self, distributions: Matrix, device: str) -> None:
        self.cell_bits = (len(distributions[0]) - 1).bit_length()
        tables = [_cells(distribution, 1 << self.cell_bits) for distribution in distributions]
        unit = 1 << (BITS - self.cell_bits)
        keep = [int(share * unit) for shares, _ in tables for share in shares]
        self.keep = torch.tensor(keep, dtype=torch.int64, device=device)
        self.other = torch.tensor([other for _, others in tables for other in others], device=device)

    def draw(self, given: Array, bits: Array) -> Array:
        """Return an outcome of distribution `given` for each entry."""
        own = bits & ((1 << self.cell_bits) - 1)
        cell = (given << self.cell_bits) + own
        return torch.where(bits >> self.cell_bits < self.keep.take(cell), own, self.other.take(cell))


def _cells(distribution: Vector, count: int) -> tuple[list[Fraction], list[int]]:
    """Split a distribution into cells: the share of each that is its own outcome's, and whose the rest is."""
    weights = [count * p for p in distribution] + [Fraction(0)] * (count - len(distribution))
    shares, others = [Fraction(1)] * count, list(range(count))
    small = [c for c, weight in enumerate(weights) if weight < 1]
    large = [c for c, weight in enumerate(weights) if weight > 1]
    while small:
        c, giver = small.pop(), large[-1]
        shares[c], others[c] = weights[c], giver
        weights[giver] -= 1 - weights[c]
        if weights[giver] <= 1:
            large.pop()
            if weights[giver] < 1:
                small.append(giver)
    return shares, others


def exact_outputs(model: HMM, tokens: Array) -> Array:
    """Return G_i(x) = P[X_i | X_-i = x_-i]: tokens (sequences, t) give float64 (sequences, t, k) on their device."""
    return torch.from_numpy(float_outputs(model, tokens.cpu().numpy())).to(tokens.device)


def behind(token: int, tokens: Array) -> Array:
    """Put one token in front of sequences: tokens (sequences, t) give (sequences, t + 1)."""
    return torch.cat([torch.full_like(tokens[:, :1], token), tokens], 1)
