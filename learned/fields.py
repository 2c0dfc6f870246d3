"""Float64 with gradients: messages, heads and prompts of `constructions` over torch tensors, in batches.

chain = model.chain(TORCH)                                     # or Chain(TORCH, ...) of tensors that are learned
u = torch.full((n,), 0.5, dtype=torch.float64, requires_grad=True)
scores = Classifier(LinearHead(b), SoftPrompt(u)).scores(chain, tokens)          # tokens (batch, t)
scores.sum().backward()

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import torch

from constructions.fields import Array, Entries, Float64


class Torch(Float64):
    """Tensors of IEEE doubles on one device: the numbers of `FLOAT64`, but differentiable."""

    xp = torch

    def __init__(self, device: str = "cpu") -> None:
        self.device = device

    def array(self, entries: Entries) -> Array:
        """Round rationals to the nearest doubles. A tensor keeps its gradient."""
        numbers = entries if isinstance(entries, torch.Tensor) else super().array(entries)
        return torch.as_tensor(numbers, dtype=torch.float64, device=self.device)


TORCH = Torch()


def divergence(exact: Array, log_outputs: Array) -> Array:
    """Return KL(G || Ghat) in nats, from exact outputs G (..., k) and log Ghat (..., k) of a network. Shape (...)."""
    return (torch.xlogy(exact, exact) - torch.where(exact > 0, exact * log_outputs, 0)).sum(-1)
