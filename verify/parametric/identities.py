"""Constructions on models over any field, and the identities from which their theorems follow.

The identities speak of no input, so they settle the inputs of every length (docs/symbolic.md):

    3.3, 3.6           (W'b) o c = mu o p0, with c = A p0, or behind a prompt u c = A (u o A p0)
    4.3, 4.6, C.6      q'Theta_K W_c = 1(c in H*) and v(e)'W_c = mu[m] e[c] 1(c in H*), v(e) = Theta_V'(b o e), for
                       every column c = (m,h) of the ground set and every embedding e, so that of each token
    4.6, C.6           A p1 = p1 with p1 = A p0, where p0 is stationary
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from constructions import theorem_3_3, theorem_3_6, theorem_4_3, theorem_4_6
from constructions.heads import Classifier
from constructions.linear import columns, combine, dot
from constructions.memory.attention import AttentionHead
from constructions.memory.model import MemoryHMM
from constructions.models import HMM

Identity: TypeAlias = tuple[str, Any]
"""What an identity says, and the difference of its sides."""

ASSUMPTION = {"4.3": "4.2", "4.6": "4.5", "C.6": "C.5"}
"""The assumption on W of each theorem about attention heads."""


def _behind_the_prompt(model: Any, task: Any, witness: Any) -> theorem_4_3.AttentionConstruction:
    """Build the prompt and head of 4.6 with beta_1 = (0, 0): the identities hold for any beta_1."""
    return theorem_4_6.construct_with(model, task, witness, Fraction(0))


CONSTRUCT: Mapping[str, Callable[[Any, Any, Any], Any]] = {
    "3.3": theorem_3_3.construct,
    "3.6": theorem_3_6.construct,
    "4.3": theorem_4_3.construct,
    "4.6": _behind_the_prompt,
    "C.6": _behind_the_prompt,
}
"""The construction of each theorem: it takes a model, a task and a witness, and has a `classifier`."""


class _OfAnyField:
    """A model whose entries are elements of any field, which nothing validates."""

    def step(self: Any, weights: Any) -> Any:
        """Return A weights: FLINT's matrices are of rationals alone."""
        return tuple(dot(row, weights) for row in self.transition)


class GenericHMM(_OfAnyField, HMM):
    """A vanilla model over any field."""

    def __post_init__(self) -> None:
        """Name the states and tokens that have no names."""
        self._number(states=("s", len(self.initial)), tokens=("x", len(self.emission)))


class GenericMemoryHMM(_OfAnyField, MemoryHMM):
    """A memory model over any field."""

    def __post_init__(self) -> None:
        """Name the values, cells, syntax states and tokens that have no names."""
        values, cells, syntax = ("m", self.shape.values), ("cell", self.shape.cells), ("s", self.shape.syntax)
        self._number(values=values, cells=cells, syntax=syntax, tokens=("x", len(self.emission)))


def linear_identities(model: Any, task: Any, classifier: Classifier) -> Iterator[Identity]:
    """Yield (W'b) o c - mu o p0, state by state, for each row of mu."""
    weights = classifier.weights(model)
    for row, b in zip(task.mu, classifier.head.b, strict=True):
        for h, score in enumerate(combine(b, model.emission)):
            yield f"(W'b)[{h}] c[{h}] = mu[{h}] p0[{h}]", score * weights[h] - row[h] * model.initial[h]


def key_identities(model: Any, witness: Any, head: AttentionHead) -> Iterator[Identity]:
    """Yield q'Theta_K W_c - 1(c in H*), for each column c of the ground set."""
    scores = combine(head.key_row, columns(model.emission, witness.ground))
    for c, score in zip(witness.ground, scores, strict=True):
        yield f"q'Theta_K W[:,{c}] = {int(c in witness.columns)}", score - int(c in witness.columns)


def value_identities(model: Any, witness: Any, row: Any, mu: Any, e: Any) -> Iterator[Identity]:
    """Yield v(e)'W_c - mu[m] e[c] 1(c in H*), for each column c of the ground set; `row` is v(e)."""
    for c, value in zip(witness.ground, combine(row, columns(model.emission, witness.ground)), strict=True):
        m, inside = model.shape.value_of(c), c in witness.columns
        yield f"v(e)'W[:,{c}] = {f'mu[{m}] e[{c}]' if inside else '0'}", value - mu[m] * e[c] * int(inside)
