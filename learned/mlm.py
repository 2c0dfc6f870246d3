"""A masked language model over the tokens of a hidden Markov model: BERT. Its outputs Ghat approximate G.

The vocabulary has the model's k tokens, and [MASK] as token k. All sequences of a batch have the same length, so there
is no padding. Ghat is the softmax over the k tokens alone: [MASK] is never an output.

Positions are those of the input, and count from 0. Behind a soft prompt of m vectors the network has position i of the
input at m + i.

BERT: Devlin et al., NAACL 2019, as Hugging Face Transformers builds it. Sinusoids: Vaswani et al., NeurIPS 2017,
section 3.5.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_model
from transformers import BertConfig, BertForMaskedLM, logging

from constructions.fields import Array
from constructions.reading import InputError

logging.disable_progress_bar()  # of writing a file

BATCH = 256
"""The number of masked sequences that pass through the network at a time."""

NO_PROMPT = torch.zeros(0, 0)
"""A raw prompt without vectors."""

SHARPNESS, NOISE = 2.4, 0.02
"""In queries and keys of a local network at its start: SHARPNESS is the weight of a wave, and NOISE the standard
deviation of other weights."""


@dataclass(frozen=True)
class Shape:
    """The size of a BERT, and how its weights start.

    `width`: the size of an embedding, a multiple of `heads`. `positions`: the most positions of a sequence, those of a
    prompt included. `dropout`: the probability that training drops a unit.

    `deviation`: the standard deviation of the normal law from which weights are drawn. `local`: the network starts with
    sinusoids as position embeddings, and each head starts by attending to one neighbour. The first head attends to the
    next position and the second to the previous one, the third and the fourth to those at distance 2, and so on.
    Training can change all of this.
    """

    layers: int
    width: int
    heads: int
    positions: int
    dropout: float
    deviation: float = 0.02
    local: bool = False


def masked_lm(tokens: int, shape: Shape, seed: int) -> Any:
    """Build an untrained BERT for k = `tokens` tokens, in training mode; the same seed gives the same weights."""
    config = BertConfig(
        vocab_size=tokens + 1,
        hidden_size=shape.width,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=4 * shape.width,
        max_position_embeddings=shape.positions,
        hidden_dropout_prob=shape.dropout,
        attention_probs_dropout_prob=shape.dropout,
        initializer_range=shape.deviation,
        pad_token_id=None,  # BERT's default, 0, would be our token 0, whose embedding would not be learned as an input
    )
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)  # weights are drawn on the CPU; other devices' dropout is left alone
        lm = BertForMaskedLM(config)
    if shape.local:
        with torch.no_grad():
            _look_around(lm, shape)
    return lm.train()


def _look_around(lm: Any, shape: Shape) -> None:
    """Set the position embeddings to sinusoids, and let each head start by attending to one neighbour.

    Wave f of position i is (sin w_f i, cos w_f i), with a frequency w_f. The key of a head reads some waves of the
    hidden state, half as many as the key has entries. The query of a head for distance d reads the same waves, turned
    by the angles w_f d. So the product of query and key is largest if the key is d positions after the query (before
    it, for d < 0).
    """
    waves = shape.width // 2
    frequencies = math.pi * shape.positions ** (-torch.arange(waves) / waves)
    angles = torch.arange(shape.positions).unsqueeze(-1) * frequencies
    embeddings, size = lm.bert.embeddings, shape.width // shape.heads
    sinusoids = torch.cat([angles.sin(), angles.cos()], -1)
    embeddings.position_embeddings.weight.copy_(math.sqrt(2) * shape.deviation * sinusoids)

    chosen = torch.arange(size // 2) * (3 * shape.heads // 4)
    reserved = torch.cat([chosen, waves + chosen])
    embeddings.word_embeddings.weight[:, reserved] = 0
    distances = torch.tensor([(head // 2 + 1) * (-1) ** head for head in range(shape.heads)])
    turns = torch.outer(distances, frequencies[chosen]).diag_embed()
    rotations = torch.kron(torch.tensor([[0.0, 1.0], [-1.0, 0.0]]), turns).matrix_exp()
    for layer in lm.bert.encoder.layer:
        for output in (layer.attention.output, layer.output):
            output.dense.weight[reserved] = 0
        for part, turn in ((layer.attention.self.key, torch.eye(size)), (layer.attention.self.query, rotations)):
            weight = part.weight.mul_(NOISE / shape.deviation).unflatten(0, (shape.heads, size))
            weight[..., reserved] += SHARPNESS * turn


def mask_token(lm: Any) -> int:
    """Return the index of [MASK], which is the number of tokens."""
    return int(lm.config.vocab_size) - 1


def log_outputs(lm: Any, tokens: Array, positions: Sequence[int] | None = None, prompt: Array = NO_PROMPT) -> Array:
    """Return log Ghat_i(x) for each chosen position i, with position i alone masked. None stands for all positions.

    Tokens (sequences, t) give (sequences, positions, k), on the CPU. A `prompt` (m, width) of soft embeddings is put in
    front, and the outputs are differentiable in it. The token at a masked position does not matter. Raises `InputError`
    if prompt and input have more positions than the network.
    """
    chosen = list(range(tokens.shape[-1]) if positions is None else positions)
    soft = prompt.reshape(len(prompt), lm.config.hidden_size).to(lm.device)
    if (length := tokens.shape[-1] + len(soft)) > (longest := lm.config.max_position_embeddings):
        raise InputError("sequences", f"{length} positions, those of a prompt included", f"at most {longest}")
    results = []
    for pairs in torch.cartesian_prod(torch.arange(len(tokens)), torch.tensor(chosen)).split(BATCH):
        rows, at = pairs.T
        masked = tokens[rows].to(lm.device)
        masked[range(len(at)), at] = mask_token(lm)
        embeddings = torch.cat([soft.expand(len(at), -1, -1), lm.get_input_embeddings()(masked)], 1)
        logits = lm(inputs_embeds=embeddings).logits[range(len(at)), at + len(soft)]
        results.append(logits[:, :-1].float().log_softmax(-1).cpu())
    return torch.cat(results).unflatten(0, (len(tokens), len(chosen)))


def load(folder: Path, device: str = "cpu") -> Any:
    """Read a network for evaluation (no dropout). Raises `InputError` if its files are missing or broken."""
    try:
        lm = BertForMaskedLM(BertConfig.from_json_file(folder / "config.json"))
        load_model(lm, folder / "model.safetensors")
    except Exception as error:
        raise InputError("the network", type(error).__name__, "what pretraining writes", str(folder)) from None
    return lm.to(device).eval()
