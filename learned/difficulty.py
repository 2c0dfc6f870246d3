"""How hard a chain is to learn, computed from its numbers before any training, and how much longer it is trained."""

from __future__ import annotations

import math
from dataclasses import replace

import torch

from constructions.fields import Array
from constructions.linear import transpose
from constructions.messages import masked_outputs
from constructions.models import HMM
from learned.data import exact_outputs, sample, stream
from learned.fields import TORCH
from learned.presets import PRESETS, Preset

UNCERTAIN, FAR, REACH = 0.55, 0.025, 3
"""A chain's next state is uncertain beyond so many nats, and G far from what `REACH` neighbours on either side tell."""


def preset_of(name: str, model: HMM) -> Preset:
    """Return the numbers of a pretraining on this model: the preset's; those of `cpu` grow where the chain asks for it.

    Twice the steps where the next state is uncertain: how much it is predicts how far a language model stays from G, as
    more neighbours have to be put together in more ways. If besides it takes more than three neighbours on either side
    to tell G, which is about as far as two layers come, another layer and twice the steps again. That the bounds lie
    where they do is in docs/decisions/0005-pretraining.md.
    """
    preset = PRESETS[name]
    if name != "cpu" or next_state_entropy(model) <= UNCERTAIN:
        return preset
    if beyond(model, REACH) <= FAR:
        return _longer(preset, 2)
    return _longer(replace(preset, shape=replace(preset.shape, layers=preset.shape.layers + 1)), 4)


def _longer(preset: Preset, times: int) -> Preset:
    return replace(preset, stages=tuple(replace(stage, steps=times * stage.steps) for stage in preset.stages))


def next_state_entropy(model: HMM) -> float:
    """Return the entropy of H_2 given H_1, in nats."""
    laws = zip(model.first, transpose(model.transition), strict=True)
    return -sum(float(p) * sum(float(a) * math.log(a) for a in law if a) for p, law in laws)


def outputs_within(model: HMM, tokens: Array, reach: int) -> Array:
    """Return P[X_i | X_j for 0 < |i - j| <= reach], float64 (sequences, t, k): all that so near neighbours can tell.

    G is this with reach t - 1. How fast it comes near G says how far a language model of this chain has to look. For
    short sequences: each position takes a pass through all messages.
    """
    chain = model.chain(TORCH)
    embeddings = chain.embed(tokens)
    places = torch.arange(tokens.shape[-1])
    outputs = []
    for i in places:
        near = (places - i).abs() <= reach
        outputs.append(masked_outputs(chain, torch.where(near.unsqueeze(-1), embeddings, 1.0))[:, i])
    return torch.stack(outputs, 1)


def beyond(model: HMM, reach: int) -> float:
    """Return what is told from farther away: the mean of KL(G_i || G_i by so many neighbours on either side), in nats.

    Over all positions of 8 sequences of 149; the same in every call.
    """
    tokens = sample(model, 8, 149, stream(0, "evaluation"))
    exact, near = exact_outputs(model, tokens), outputs_within(model, tokens, reach)
    return float((torch.xlogy(exact, exact) - torch.xlogy(exact, near)).sum(-1).mean())
