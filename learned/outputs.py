"""The masked outputs that a head reads behind a soft prompt: exact Gbar, or those of a learned masked LM.

`ExactOutputs` and `LearnedOutputs` are called with rows of the inputs and a prompt. They return the outputs at the
mask, differentiable in the prompt.

**Exact, and fast.** With the prompt (u_1, ..., u_P) in front of ([MASK], x_1, ..., x_t), Gbar at the mask is

    W (c o beta(x)) / ||c o beta(x)||_1,    c = c_{P+1},    c_1 = P[H_1],    c_{i+1} = A (u_i o c_i)

where beta(x) = P[x | H_{P+1}]; c_i is prediction_i of `constructions.messages`. Only c depends on the prompt, and only
beta(x) on the input. So in place of messages over a hundred positions there are P small products for the prompt, and
one product for each input.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeAlias

import torch
from torch.nn.functional import pad

from constructions.fields import Array
from learned import mlm
from learned.downstream import Downstream, likelihoods
from learned.fields import TORCH
from learned.mlm import NO_PROMPT


class ExactOutputs:
    """Exact G and Gbar in float64. A raw prompt r means u = sigmoid(r), in [0, 1]^n."""

    def __init__(self, task: Downstream) -> None:
        chain = task.model.chain(TORCH)
        self.first = chain.first
        self.likelihood = likelihoods(task.model, task.tokens, torch.ones_like(self.first))
        self.transition = chain.transition.T  # row h: P[H_i | H_{i-1} = h]
        self.emission = chain.emission.T  # row h: P[X_i | H_i = h]

    def prior(self, prompt: Array) -> Array:
        """Return c = P[H_{P+1} | prompt] (n,), the law of the masked position's state behind the prompt."""
        message = self.first
        for u in torch.sigmoid(prompt):
            message = TORCH.rescale((u * message) @ self.transition)
        return message

    def from_prior(self, prior: Array, rows: slice | Array) -> Array:
        """Return W (c o beta(x)) / ||c o beta(x)||_1 (B, k) for B rows of the inputs, with a prior c (n,)."""
        return TORCH.normalise(prior * self.likelihood[rows]) @ self.emission

    def __call__(self, rows: slice | Array, prompt: Array = NO_PROMPT) -> Array:
        """Return Gbar at the mask."""
        return self.from_prior(self.prior(prompt), rows)

    def start(self, length: int, generator: torch.Generator) -> Array:
        """Draw a raw prompt of independent standard normal numbers. So the entries of u are spread around 1/2."""
        return torch.randn((length, len(self.first)), dtype=torch.float64, generator=generator)


class LearnedOutputs:
    """Ghat, the outputs of a learned masked LM at a [MASK] in front of the inputs, in float32.

    A raw prompt (P, width) has the embeddings of P soft tokens.
    """

    def __init__(self, lm: Any, tokens: Array) -> None:
        self.lm = lm.eval().requires_grad_(False)
        lm.set_attn_implementation("eager")  # on a CPU, `torch.vmap` does not stack the fused kernel
        self.tokens = pad(tokens, (1, 0), value=mlm.mask_token(lm))

    @cached_property
    def plain(self) -> Array:
        """Ghat at the mask for all inputs, without a prompt: computed once."""
        return self.sequence([0])[:, 0]

    def __call__(self, rows: slice | Array, prompt: Array = NO_PROMPT) -> Array:
        """Return Ghat(prompt, x) at the mask."""
        return self.sequence([0], rows, prompt)[:, 0] if prompt.numel() else self.plain[rows]

    def sequence(self, positions: Sequence[int], rows: slice | Array = slice(None), prompt: Array = NO_PROMPT) -> Array:
        """Return Ghat_i (B, positions, k) at chosen positions i, with only 0 (the [MASK]) and i masked."""
        return mlm.log_outputs(self.lm, self.tokens[rows], positions, prompt).exp()

    def start(self, length: int, generator: torch.Generator) -> Array:
        """Draw a raw prompt from U[-1/2, 1/2], as in appendix D."""
        return torch.rand((length, self.lm.config.hidden_size), generator=generator) - 0.5


Outputs: TypeAlias = ExactOutputs | LearnedOutputs
"""Masked outputs of N inputs. Called with rows (B,) of the inputs and a raw prompt (P, width), they return (B, k), a
probability for each token. `start` draws the raw prompt from which tuning starts."""
