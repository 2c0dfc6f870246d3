"""G, Gbar, F* and the scores of a head on batches of inputs, computed in floats or exactly; G and Gbar also in PyTorch.

Inputs are token indices (count, t): lists, arrays, or a tensor. Results in floats prove nothing. Results with
`exact` are exact: only equal scores tie.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from constructions.fields import FLOAT64, INTEGERS, Array, Field
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.memory.attention import AttentionClassifier
from constructions.memory.joint_chain import joint_model, joint_task, phi
from constructions.messages import initial_posterior, masked_outputs
from constructions.models import Model
from constructions.reading import InputError
from constructions.tasks import Task
from constructions.text.entries import Entries, read_number, read_vector

ATTENDED_WITHIN = 1e-9
"""In floats, a position is attended to if its score is at most this much below the largest."""


def outputs(model: Model, X: Any, prompt: Entries | None = None, exact: bool = False) -> Array:
    """Return G_i(x) = P[X_i | X_-i = x_-i] of inputs X (count, t) of token indices: float64 (count, t, k), k tokens.

    Where G_i is 0/0 it is set to 0. `prompt`: u (n,), an entry for each state; for a memory model, an entry for each
    state of Hbar. With a prompt the result is Gbar_i, (count, t + 1, k), and i = 1 is the prompt's position. `exact`:
    the result has fractions, and u must be exact. If X or u is a tensor, so is the result: on the device of X if X is a
    tensor, else on that of u. If u is a tensor, the result can be differentiated in u. Entries of u outside [0, 1] are
    not refused. See section 3 and equation 3.2 of the paper. Raises `InputError` unless X are token indices and u has
    the right length. With `exact`, raises it also for a tensor, or a u that is not exact.

    >>> import headproof as hp
    >>> model, task = hp.load("umbrella")
    >>> hp.outputs(model, [[0, 1], [0, 0]], exact=True)[0, 0]
    array([Fraction(397, 900), Fraction(503, 900)], dtype=object)
    >>> hp.outputs(model, [[0, 1]], prompt=[1, 0]).shape
    (1, 3, 2)
    """
    chain_model = joint_model(model)
    u = prompt.u if isinstance(prompt, SoftPrompt) else prompt
    tensors: list[Any] = [value for value in (X, u) if type(value).__module__.partition(".")[0] == "torch"]
    if tensors and exact:
        raise InputError("exact", "a tensor", "lists or arrays: a tensor has no fractions")
    if tensors:
        from learned.fields import Torch  # imports PyTorch

        device = tensors[0].device
        field: Field = Torch(str(device))
        X = sys.modules["torch"].as_tensor(X if X is tensors[0] else on_cpu(X), device=device)
    else:
        field, X = INTEGERS if exact else FLOAT64, on_cpu(X)
    chain = chain_model.chain(field)
    embeddings = chain.embed(read(model, X))
    if u is not None:
        if not (tensors and u is tensors[-1]):
            u = read_vector(u, "prompt", read_number if exact else _read_real)
        if np.shape(u) != (n := len(chain_model.states),):
            raise InputError("prompt", f"an array of shape {tuple(np.shape(u))}", f"{n} entries, one for each state")
        embeddings = SoftPrompt(u).prepend(chain, embeddings)
    return masked_outputs(chain, embeddings)


def labels(model: Model, task: Task, X: Any, exact: bool = False) -> Array:
    """Return F* of inputs X (count, t) of token indices: int64 (count,).

    An x of probability 0 has no F*, and gets the largest label. Raises `InputError` unless X are token indices.
    """
    tokens = read(model, on_cpu(X))
    chain = joint_model(model).chain(INTEGERS if exact else FLOAT64)
    posterior = initial_posterior(chain, chain.embed(tokens))
    return last_largest(LinearHead(joint_task(model, task).mu).scores(posterior))


def scores(model: Any, classifier: Classifier | AttentionClassifier, X: Any, exact: bool = False) -> Array:
    """Return a head's score of each of K labels on inputs X (count, t) of token indices: (count, K).

    The scores are float64, or fractions with `exact`. Raises `InputError` if X is not such an array.
    """
    tokens = read(model, on_cpu(X))
    if isinstance(classifier, Classifier):
        return classifier.head.scores(classifier.output(model.chain(INTEGERS if exact else FLOAT64), tokens))
    head, prompt = classifier.head, classifier.prompt
    G = outputs(model, tokens, prompt, exact)
    places = np.array([head.position_score(i) for i in range(G.shape[1])], dtype=G.dtype)
    keys = G @ np.array(head.key_row, dtype=G.dtype) + places
    attended = keys >= keys.max(1, keepdims=True) - (0 if exact else ATTENDED_WITHIN)
    embeddings = head.embedding
    if prompt is not None:  # as a last token, which stands in front of each input
        embeddings, tokens = (*embeddings, phi(model.shape, prompt.u)), np.insert(tokens, 0, len(embeddings), axis=1)
    rows = np.array([head.value_rows(embedding) for embedding in embeddings], dtype=G.dtype)  # (k or k + 1, K, k)
    values = (G[:, :, None] * rows[tokens]).sum(-1)
    means: Array = (values * attended[..., None]).sum(1) / attended.sum(1)[:, None]
    return means


def _read_real(entry: Any, where: str) -> Any:
    """Return a float as it is, and any other number as `read_number` reads it."""
    return entry if isinstance(entry, float | np.floating) else read_number(entry, where)


def on_cpu(X: Any) -> Array:
    """Return X, which is a list, an array, or a tensor on any device, as an array of NumPy.

    Raises `InputError` for a list whose items have different lengths.
    """
    try:
        return np.asarray(X.cpu() if hasattr(X, "cpu") else X)
    except ValueError:
        raise InputError("X", "rows of different lengths", "token indices (count, t)") from None


def last_largest(scores: Array) -> Array:
    """Return the index of the largest score (last axis), the largest such index on a tie."""
    return scores.shape[-1] - 1 - scores[..., ::-1].argmax(-1)


def read(model: Model, tokens: Array) -> Array:
    """Return an array or a tensor unchanged. Raises `InputError` unless it has token indices (count, t)."""
    k = len(model.tokens)
    if tokens.ndim != 2 or not tokens.shape[1]:
        raise InputError("X", f"an array of shape {tuple(tokens.shape)}", "token indices (count, t), t at least 1")
    if "int" not in str(tokens.dtype):
        raise InputError("X", f"entries of type {tokens.dtype}", f"token indices from 0 to {k - 1}, whole numbers")
    if len(tokens) and not 0 <= int(tokens.min()) <= int(tokens.max()) < k:
        raise InputError("X", f"indices from {tokens.min()} to {tokens.max()}", f"token indices from 0 to {k - 1}")
    return tokens
