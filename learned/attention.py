"""The attention head of the memory experiments: one query over the masked outputs of all positions.

    weights_i = softmax_i(q'f_i),    score = sum_i weights_i f_i'M[x_i] + bias,    f_i = features of G_i(x)

M[z] is the value row of token z. With f_i = G_i and M[z] = Theta_V'(b o e(z)), f_i'M[x_i] is the
paper's V(G_i, e(x_i)) = b'((Theta_V G_i) o e(x_i)). In the paper the rows M[z] span at most as many dimensions as W has
columns. Here the rows are trained without this bound. q'f stands for the paper's q'(Theta_K f), which can be any linear
form of f. As ||q|| grows, softmax attention tends to the paper's arg max.

The sequence is ([MASK], x), and X_1 is the masked token. It is unknown in every G_i: in place of its emission there is
a 1 for every state. The position of [MASK] has a value row of its own.

Source: Wei, Xie, Ma (2021), equation 4.2 and section 5 (a single-query attention layer on the sequence of outputs).

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch.nn.functional import pad

from constructions.fields import Array
from constructions.messages import masked_outputs
from constructions.models import HMM
from learned.downstream import Downstream
from learned.fields import TORCH
from learned.tune import CHECKS, FEATURES, Schedule, accuracy, train

BATCH = 1024
"""The number of sequences whose messages are computed at a time."""


def exact_sequence(model: HMM, tokens: Array) -> Array:
    """Return G_i for the t + 1 positions of ([MASK], x): tokens (N, t) give float32 (N, t + 1, k)."""
    chain = model.chain(TORCH)
    ones_in_front = (pad(chain.embed(batch), (0, 0, 1, 0), value=1) for batch in tokens.split(BATCH))
    return torch.cat([masked_outputs(chain, embeddings).float() for embeddings in ones_in_front])


def tune_attention(
    outputs: Array, positions: Sequence[int], task: Downstream, features: str, schedule: Schedule, seed: int
) -> float:
    """Train an attention head on outputs (N, positions, k); return the share of test inputs that it labels right.

    `positions`: the positions in ([MASK], x), from 0, at which the outputs are. `features`: a key of `FEATURES`. Each
    feature is standardised by its mean and deviation (at least 0.01) over all positions of the training inputs.
    """
    x = FEATURES[features](outputs)
    training = x[task.rows("training")]
    x = (x - training.mean((0, 1))) / training.std((0, 1)).clamp_min(1e-2)
    k = x.shape[-1]
    tokens = pad(task.tokens, (1, 0), value=k)[:, list(positions)]  # of the mask, a value row of its own
    query = 0.1 * torch.randn(1, k, generator=torch.Generator().manual_seed(seed))
    start = (query, torch.zeros(1, k + 1, k), torch.zeros(1))  # a stack of one head

    def scores(rows: slice | Array, query: Array, value: Array, bias: Array) -> Array:
        weights = (x[rows] @ query).softmax(-1)
        return (weights * (x[rows] * value[tokens[rows]]).sum(-1)).sum(-1) + bias

    [trained], rows = train(scores, start, [(task, seed)], schedule, CHECKS), task.rows("test")
    return accuracy(scores(rows, *trained), task.labels[rows])
