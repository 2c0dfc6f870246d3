"""Data of a model: sequences drawn from it on a device.

States and tokens are drawn by `torch.multinomial` with the model's probabilities rounded to doubles. An outcome of
probability 0 is never drawn.

**Splits.** torch seeds its generator on a CPU with 32 bits. `stream` packs the seed and the split into them, one to
one, so that no two splits, of the same seed or of others, ever start the generator alike.
"""

from __future__ import annotations

import torch

from constructions.fields import Array
from constructions.models import HMM
from constructions.reading import InputError
from learned.fields import Torch

SPLITS = ("pretraining", "evaluation", "training", "validation", "test")
"""What data are for. No two of them share a sequence other than by chance."""

SEED_LIMIT = 2**32 // 8
"""Seeds are below this: eight splits fit in what is left of 32 bits."""


def stream(seed: int, split: str, device: str = "cpu") -> torch.Generator:
    """Return the generator of one split; equal arguments give equal data, on one kind of device.

    Raises `InputError` for a seed that does not fit.
    """
    if not 0 <= seed < SEED_LIMIT:
        raise InputError("seed", str(seed), f"at least 0 and below {SEED_LIMIT}")
    return torch.Generator(device).manual_seed(8 * seed + SPLITS.index(split))


def epochs(size: int, count: int, generator: torch.Generator) -> Array:
    """Return `count` indices below `size`: epochs one after another, each with all indices in an order of its own."""
    orders = [torch.randperm(size, generator=generator, device=generator.device) for _ in range(0, count, size)]
    return torch.cat(orders)[:count]


def sample(model: HMM, sequences: int, length: int, generator: torch.Generator) -> Array:
    """Draw X_1, ..., X_t: tokens (sequences, length), int64, on the generator's device."""
    chain = model.chain(Torch(str(generator.device)))
    state = torch.multinomial(chain.first, sequences, replacement=True, generator=generator)
    tokens: list[Array] = []
    while len(tokens) < length:
        if tokens:
            state = torch.multinomial(chain.transition.T[state], 1, generator=generator)[:, 0]
        tokens.append(torch.multinomial(chain.emission.T[state], 1, generator=generator))
    return torch.cat(tokens, 1)
