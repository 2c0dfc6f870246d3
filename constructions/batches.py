"""G_i at every position of many inputs, in doubles and quickly: what `messages` says, in memory that is used again.

Arrays are (state, input), so that a step is one product of matrices. Inputs are taken in blocks whose message fits a
core's cache. A step writes into arrays that are no longer needed, since fresh memory costs more than the arithmetic:
that is why it is written out here, and does not call `messages.word_step`. Nothing computed here proves anything.
"""

from __future__ import annotations

from math import log10

import numpy as np

from constructions.fields import FLOAT64, Array
from constructions.models import HMM

CACHED = 2**15
"""Numbers in the message of a block: a quarter of a megabyte."""

DIGITS = 30
"""Messages may shrink by this many decimal digits before they are divided by their sums, so that entries above
1e-278 of a sum lose nothing."""

LEAST = np.finfo(np.float64).smallest_subnormal
"""It replaces sums that are 0, those of impossible inputs. Their messages then stay 0."""


def float_outputs(model: HMM, tokens: Array) -> Array:
    """Return G_i for i = 1..t of inputs (count, t) of token indices: doubles (count, t, k), 0 where G_i is 0/0.

    Raises `IndexError` for what is no token's index.
    """
    count, t = tokens.shape
    k, n = len(model.tokens), len(model.states)
    if tokens.size and not 0 <= tokens.min() <= tokens.max() < k:
        raise IndexError(f"tokens have indices from 0 to {k - 1}")
    result, size = np.empty((t, k, count)), max(1, CACHED // n)
    for start in range(0, count, size):
        block = slice(start, start + size)
        _outputs(model, np.ascontiguousarray(tokens[block].T, dtype=np.intp), result[:, :, block])
    return np.moveaxis(result, -1, 0)


def _outputs(model: HMM, tokens: Array, result: Array) -> None:
    """Write the G_i of inputs, here (t, count), into an array (t, k, count)."""
    chain = model.chain(FLOAT64)
    forward, back, rows = chain.transition, np.ascontiguousarray(chain.transition.T), chain.emission.T.copy()
    period = _steps(chain.transition, chain.emission)
    (t, count), n = tokens.shape, len(rows)
    tau, message, read = np.empty((t, n, count)), np.ones((n, count)), np.empty((n, count))
    tau[0] = chain.first[:, None]  # at first tau_i is prediction_i

    def step(matrix: Array, i: int, vector: Array, out: Array) -> None:
        np.take(rows, tokens[i], axis=1, out=read, mode="clip")
        np.multiply(read, vector, out=read)
        np.matmul(matrix, read, out=out)
        if i % period == 0:
            _normalise(out)

    for i in range(t - 1):
        step(forward, i, tau[i], tau[i + 1])
    for i in reversed(range(t)):
        tau[i] *= message
        np.matmul(chain.emission, tau[i], out=result[i])
        _normalise(result[i])
        step(back, i, message, message)


def _steps(*matrices: Array) -> int:
    """Return how many steps take no positive entry of a message out of range, by the least that they multiply with."""
    least = sum(log10(matrix[matrix > 0].min()) for matrix in matrices)
    return max(1, int(DIGITS / max(1.0, -least)))


def _normalise(columns: Array) -> None:
    """Divide columns by their sums, in place; a zero column stays zero."""
    columns /= np.maximum(columns.sum(0), LEAST)
