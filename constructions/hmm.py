"""The hidden Markov model of section 2 of the paper.

    H_0 -> H_1 -> H_2 -> ...        H_0 emits nothing
            |      |
           X_1    X_2

Orientation, everywhere in this project: **columns are conditional distributions**.
`transition[h'][h]` = A[h',h] = Pr(H_i = h' | H_{i-1} = h); `emission[z][h]` = W[z,h] = Pr(X_i = z | H_i = h), i >= 1.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from constructions.fields import INTEGERS, Array, Chain, Field
from constructions.hidden_chain import HiddenChain, draw
from constructions.linear import ExactMatrix, Matrix, Vector, multiply
from constructions.reading import InputError, Json, Names, as_text
from constructions.rendering import InNotebooks, Named, View, view_of
from constructions.text.entries import Entries, read_matrix, read_vector


@dataclass(frozen=True)
class HMM(HiddenChain, InNotebooks):
    """A hidden Markov model with n states and k tokens, in exact rational numbers (section 2).

    `initial` (n,): P[H_0]. `transition` (n, n): A. `emission` (k, n): W. `states` and `tokens` are names, for people
    only. `rounding` is for models whose probabilities were lifted from floats. It is the largest total variation
    between a distribution and its floats, which are first divided by their sum. Raises `InputError` unless shapes and
    names fit, all entries are >= 0, and `initial` and every column sum to exactly 1. Missing names are made up: s0, s1,
    ... and x0, x1, ...
    """

    kind: ClassVar[Literal["hmm"]] = "hmm"

    emission: ExactMatrix
    states: Names = field(default=(), compare=False)
    tokens: Names = field(default=(), compare=False)
    name: str = field(default="", compare=False)
    source: str = field(default="", compare=False)
    rounding: Fraction = field(default=Fraction(0), compare=False)

    if TYPE_CHECKING:  # any tuples go in, and what comes out knows its arrays

        def __init__(
            self,
            initial: Vector,
            transition: Matrix,
            emission: Matrix,
            states: Names = (),
            tokens: Names = (),
            name: str = "",
            source: str = "",
            rounding: Fraction = Fraction(0),
        ) -> None: ...

    def __post_init__(self) -> None:
        """Fill in missing names and validate."""
        n = len(self.initial)
        self._number(states=("s", n), tokens=("x", len(self.emission)))
        if len(self.states) != n:
            raise InputError("states", f"{len(self.states)} names", f"{n}, as many as initial has entries")
        self._check("states", "tokens", columns=self.states)

    @classmethod
    def of(
        cls,
        initial: Entries,
        transition: Entries,
        emission: Entries,
        states: Sequence[str] = (),
        tokens: Sequence[str] = (),
        name: str = "",
    ) -> HMM:
        """Read a model from texts for P[H_0], A and W: `HMM.of("1/2 1/2", "1/2 1; 1/2 0", "1 0; 0 1")`.

        Semicolons separate rows. Lists, arrays and matrices of exact numbers are read, too
        (`constructions.text.entries`). Raises `InputError` for a float, for anything else that is not a number, and for
        numbers that are not a model.
        """
        return cls(
            read_vector(initial, "initial"),
            read_matrix(transition, "transition"),
            read_matrix(emission, "emission"),
            tuple(states),
            tuple(tokens),
            name,
        )

    def __repr__(self) -> str:
        """Return the call of `of` that makes this model, with its names if it was given any.

        The source, which may be long, and the rounding are left out.
        """
        arguments = self._law("initial", "transition", "emission")
        unnamed = HMM(self.initial, self.transition, self.emission)
        names = [key for key in ("states", "tokens", "name") if getattr(self, key) != getattr(unnamed, key)]
        return f"HMM.of({', '.join(arguments + [f'{key}={getattr(self, key)!r}' for key in names])})"

    def sample(self, count: int, length: int, seed: int = 0) -> Array:
        """Draw texts X_1, ..., X_t: token indices (count, length), int64. Equal seeds give equal texts.

        Raises `InputError` for a count or a length below 1.
        """
        generator = np.random.default_rng(seed)
        return draw(self.emission, self.paths(count, length, generator), generator)

    def predict(self, token: int, prediction: Vector) -> Vector:
        """Return A (W[z,:] o v), the prediction of the next position, from the prediction v and the token z here."""
        return self.step(multiply(self.emission[token], prediction))

    def chain(self, number_field: Field = INTEGERS) -> Chain:
        """Return the model's arrays in a field, for message passing."""
        return Chain(number_field, *map(number_field.array, (self.initial, self.transition, self.emission)))

    @property
    def document(self) -> Json:
        """The model as a JSON document, without its task."""
        document = self._document(("states", "tokens"), ("initial", "transition", "emission"))
        return document | {"rounding": as_text(self.rounding)} if self.rounding else document

    def view(self, model: Named | None = None) -> View:
        """Show P[H_0], A and W."""
        size = f"{len(self.states)} states, {len(self.tokens)} tokens"
        return view_of(self, "hidden Markov model", size, self.states)


if sys.modules.get("hypothesis"):  # its entry point has been called before there was this type
    import_module("headproof_hypothesis").register()
