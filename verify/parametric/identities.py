"""Constructions on models over any field, and the identities from which their theorems follow.

The identities do not mention an input, so they settle the inputs of every length (docs/symbolic.md). Notation,
besides that of constructions/__init__.py:

- p0 = P[H_0], p1 = A p0, and W_c is column c of W
- q, Theta_K and Theta_V are the query, key and value of an attention head
- v(e) = Theta_V'(b o e) for an embedding e, with the attention head's row b

The identities are

    3.3                (W'b) o p1 = mu o p0
    3.6                (W'b) o (A (u o p1)) = mu o p0, with the prompt u
    4.3, 4.6, C.6      q'Theta_K W_c = 1(h in H*)
                       v(e)'W_c = mu[m] e[c] 1(h in H*)
    4.6, C.6           A p1 = p1, if p0 is stationary

for every embedding e and every column c = (m,h) of the ground set, the columns of W that the assumption is about
(`ASSUMPTION`). The embedding of a token is one of these e.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from constructions import theorem_3_3, theorem_3_6, theorem_4_3, theorem_4_6
from constructions.heads import Classifier
from constructions.linear import columns, combine, dot
from constructions.memory.model import MemoryHMM
from constructions.models import HMM

Identity: TypeAlias = tuple[str, Any]
"""An identity in words, and the difference of its two sides: 0 iff the identity holds."""

ASSUMPTION = {"4.3": "4.2", "4.6": "4.5", "C.6": "C.5"}
"""The number of the assumption on W, for each theorem about attention heads."""

_behind_the_prompt = partial(theorem_4_6.construct, shift=Fraction(0))
"""The construction of 4.6 with the position embedding beta_1 = (0, 0). The identities hold for any beta_1."""

CONSTRUCT: Mapping[str, Callable[[Any, Any, Any], Any]] = {
    "3.3": theorem_3_3.construct,
    "3.6": theorem_3_6.construct,
    "4.3": theorem_4_3.construct,
    "4.6": _behind_the_prompt,
    "C.6": _behind_the_prompt,
}
"""The construction of each theorem. It takes a model, a task and a witness; its result has a `classifier`."""


class _OfAnyField:
    """A model whose entries are elements of any field. The entries are not validated."""

    def step(self: Any, weights: Any) -> Any:
        """Return A times a vector. FLINT is not used, because its matrices have rational entries only."""
        return tuple(dot(row, weights) for row in self.transition)


class GenericHMM(_OfAnyField, HMM):
    """A vanilla model over any field."""

    def __post_init__(self) -> None:
        """Give names to the states and tokens, unless they have names."""
        self._number(states=("s", len(self.initial)), tokens=("x", len(self.emission)))


class GenericMemoryHMM(_OfAnyField, MemoryHMM):
    """A memory model over any field."""

    def __post_init__(self) -> None:
        """Give names to the tokens, unless they have names."""
        self._number(tokens=("x", len(self.emission)))


def linear_identities(model: Any, task: Any, classifier: Classifier) -> Iterator[Identity]:
    """Yield the identities (W'b) o c = mu o p0, state by state, for each row of mu.

    c is p1, or A (u o p1) with a prompt u.
    """
    weights = classifier.weights(model)
    for row, b in zip(task.mu, classifier.head.b, strict=True):
        for h, score in enumerate(combine(b, model.emission)):
            yield f"(W'b)[{h}] c[{h}] = mu[{h}] p0[{h}]", score * weights[h] - row[h] * model.initial[h]


def attention_identities(model: Any, task: Any, classifier: Any, witness: Any, e: Any) -> Iterator[Identity]:
    """Yield the identities of an attention head whose task has one row mu.

    - for each column of the ground set, the identities of the keys and of the values, with free symbols e
    - for each token z, that its embedding e(z) is W[z,:]
    - with a prompt, A p1 = p1, state by state
    """
    head, [mu], ground = classifier.head, task.mu, columns(model.emission, witness.ground)
    scores, values = (combine(row, ground) for row in (head.key_row, head.value_rows(e)[1]))
    for c, score, value in zip(witness.ground, scores, values, strict=True):
        m, inside = model.shape.value_of(c), int(c in witness.columns)
        yield f"q'Theta_K W[:,{c}] = {inside}", score - inside
        yield f"v(e)'W[:,{c}] = {f'mu[{m}] e[{c}]' if inside else '0'}", value - mu[m] * e[c] * inside
    for z, (row, law) in enumerate(zip(head.embedding, model.emission, strict=True)):
        yield from ((f"e({z})[{c}] = W[{z},{c}]", x - y) for c, (x, y) in enumerate(zip(row, law, strict=True)))
    for h, p in enumerate(model.step(model.first) if classifier.prompt else ()):
        yield f"(A p1)[{h}] = p1[{h}]", p - model.first[h]
