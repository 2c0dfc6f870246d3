"""Message passing: G and its extension Gbar to soft embeddings (appendix B of the paper).

v_i is the embedding of position i, and o the elementwise product. The paper's messages divide by P[H_i]:

    left_{i->i-1} = P[H_{i-1}|H_i] (left_{i+1->i} o v_i),    tau_i = right_{i-1->i} o left_{i+1->i} / P[H_i].

Writing left_{i+1->i} = P[H_i] o likelihood_i cancels every division, and with it the question of what 0/0 means:

    likelihood_t = 1,         likelihood_{i-1} = A'(v_i o likelihood_i)
    prediction_1 = P[H_1],    prediction_{i+1} = A (v_i o prediction_i)
    tau_i = prediction_i o likelihood_i                                        for every i, also if t = 1
    Gbar_i(v) = W tau_i / ||tau_i||_1,                                         and 0 where tau_i = 0

Our prediction_i is the paper's right_{i-1->i}. For the embeddings e(x) of a text x, tau_i is P[H_i, X_-i = x_-i], and
Gbar_i(e(x)) = G_i(x). Where P[H_i] has zeros, this is the paper's definition with 0/0 read as 0.

Arrays have shape (..., t, n): any batch axes, then position, then state; outputs over k tokens have shape (..., t, k).
In the computer's memory the states come first and the inputs of a batch last, so that one product of matrices steps all
inputs. Every message is known up to a positive scale, which `chain.field` chooses. Gbar does not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod

from constructions.fields import Array
from constructions.fields import Chain as Chain


def likelihoods(chain: Chain, embeddings: Array) -> Array:
    """Return likelihood_i = Pr(X_{i+1:t} = x_{i+1:t} | H_i) for i = 1..t, shape (..., t, n)."""
    return _apart(chain, embeddings, list(_backward(chain, _positions(chain, embeddings)))[::-1])


def predictions(chain: Chain, embeddings: Array) -> Array:
    """Return prediction_i = P[H_i, X_{1:i-1} = x_{1:i-1}] for i = 1..t, shape (..., t, n)."""
    return _apart(chain, embeddings, _forward(chain, _positions(chain, embeddings)))


def joint(chain: Chain, embeddings: Array) -> Array:
    """Return tau_i = P[H_i, X_-i = x_-i] for i = 1..t, shape (..., t, n)."""
    return _apart(chain, embeddings, _joint(chain, embeddings), chain.field.rescale)


def masked_outputs(chain: Chain, embeddings: Array) -> Array:
    """Return Gbar_i for i = 1..t, shape (..., t, k).

    With `chain.embed(x)` these are the G_i(x) = P[X_i | X_-i = x_-i].
    """
    emit = chain.field.times(chain.emission)
    return _apart(chain, embeddings, _joint(chain, embeddings), lambda taus: chain.field.normalise(emit(taus)))


def output_weights(chain: Chain, embeddings: Array) -> Array:
    """Return W tau_i for i = 1..t, shape (..., t, k): Gbar_i before it is divided by its sum.

    If the chain's numbers are integers, so are these. On a long input, to divide them by their sum and reduce the
    fractions to lowest terms takes several times as long as all else.
    """
    return _apart(chain, embeddings, _joint(chain, embeddings), chain.field.times(chain.emission))


def initial_posterior(chain: Chain, embeddings: Array) -> Array:
    """Return P[H_0 | X_{1:t} = x], shape (..., n); 0 where the input has probability 0."""
    first = word_step(embeddings[..., 0, :], likelihoods(chain, embeddings)[..., 0, :], chain.transition)
    return chain.field.normalise(chain.initial * first)


def word_step(embedding: Array, message: Array, transition: Array) -> Array:
    """Return A'(v o message), one step back through a word, for v and message (..., n) and A (n, n).

    A may be a stack (..., n, n) if the messages are (..., m, n). With A' in the place of A it is the step of the
    predictions. For integers of any size see `word_steps`.
    """
    return (embedding * message) @ transition


# Below, arrays are (inputs, n), of one position, or of all, one after another; their states come first in memory.


def _joint(chain: Chain, embeddings: Array) -> list[Array]:
    """Return tau_1, ..., tau_t."""
    v = _positions(chain, embeddings)
    before = _forward(chain, v)
    return [before.pop() * likelihood for likelihood in _backward(chain, v)][::-1]


def _forward(chain: Chain, v: Sequence[Array]) -> list[Array]:
    """Return the predictions of positions 1, ..., t."""
    step = chain.field.times(chain.transition)
    messages = [chain.field.xp.broadcast_to(chain.field.rescale(chain.first), v[0].shape)]
    for v_i in v[:-1]:
        messages.append(chain.field.rescale(step(v_i * messages[-1])))
    return messages


def _backward(chain: Chain, v: Sequence[Array]) -> Iterator[Array]:
    """Yield the likelihoods of positions t, ..., 1."""
    step = chain.field.times(chain.transition.T)
    message = chain.field.rescale(chain.field.xp.ones_like(v[0]))
    yield message
    for v_i in v[:0:-1]:
        message = chain.field.rescale(step(v_i * message))
        yield message


def _positions(chain: Chain, embeddings: Array) -> list[Array]:
    """Split embeddings (..., t, n) into v_1, ..., v_t at once. The gradient of t single slices would need t^2 space."""
    *batch, t, n = embeddings.shape
    columns = chain.field.xp.moveaxis(embeddings, (-2, -1), (0, 1)).reshape(t, n, prod(batch))
    return [column.T for column in columns]


def _apart(
    chain: Chain,
    embeddings: Array,
    vectors: Sequence[Array],
    finish: Callable[[Array], Array] = lambda v: v,
) -> Array:
    """Apply `finish` to the vectors of all positions at once, and return the results with the batch axes of embeddings.

    Their shape is (..., t, d), where `finish` maps vectors (n,) to (d,).
    """
    *batch, t, _ = embeddings.shape
    finished = finish(chain.field.xp.concatenate([vector.T for vector in vectors], 1).T)
    columns = chain.field.plain(finished.T).reshape(finished.shape[-1], t, *batch)
    return chain.field.xp.moveaxis(columns, (0, 1), (-1, -2))
