"""Data of a model: sequences drawn from it on a device.

States and tokens are drawn by `torch.multinomial` with the model's probabilities rounded to doubles. An outcome of
probability 0 is never drawn.

**Splits.** On a CPU torch seeds its generator with 32 bits. `stream` makes these bits from the seed and the split.
The bits differ for any two pairs of a seed and a split. So no two pairs start the generator in the same state.
"""

from __future__ import annotations

import torch

from constructions.fields import Array
from constructions.models import HMM
from constructions.reading import InputError
from learned.fields import Torch

SPLITS = ("pretraining", "evaluation", "training", "validation", "test")
"""The purposes of data. Each has a generator of its own, so two purposes have a sequence in common only by chance."""

SEED_LIMIT = 2**32 // 8
"""Seeds are below this number, so three of the 32 bits are left for the split."""


def stream(seed: int, split: str, device: str = "cpu") -> torch.Generator:
    """Return the generator of one split. Equal arguments give equal data on the same kind of device.

    Raises `InputError` for a seed below 0, or not below `SEED_LIMIT`.
    """
    if not 0 <= seed < SEED_LIMIT:
        raise InputError("seed", str(seed), f"at least 0 and below {SEED_LIMIT}")
    return torch.Generator(device).manual_seed(8 * seed + SPLITS.index(split))


def epochs(size: int, count: int, generator: torch.Generator) -> Array:
    """Return `count` indices below `size`. Each epoch has all indices in a random order; the last may be cut off."""
    orders = [torch.randperm(size, generator=generator, device=generator.device) for _ in range(0, count, size)]
    return torch.cat(orders)[:count]


def sample(model: HMM, sequences: int, length: int, generator: torch.Generator) -> Array:
    """Draw `sequences` words of `length` tokens each: an int64 tensor (sequences, length) on the generator's device."""
    chain = model.chain(Torch(str(generator.device)))
    state = torch.multinomial(chain.first, sequences, replacement=True, generator=generator)
    tokens: list[Array] = []
    while len(tokens) < length:
        if tokens:
            state = torch.multinomial(chain.transition.T[state], 1, generator=generator)[:, 0]
        tokens.append(torch.multinomial(chain.emission.T[state], 1, generator=generator))
    return torch.cat(tokens, 1)
