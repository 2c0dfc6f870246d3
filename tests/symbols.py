"""Numbers that are not chosen yet: a model of a shape with indeterminates for its entries.

    from constructions.messages import masked_outputs
    from symbols import symbolic_model

    generic = symbolic_model(states=2, tokens=2)
    chain = generic.chain                                          # p[0], A[0,0], A[0,1], W[0,0], W[0,1]
    outputs = masked_outputs(chain, chain.embed([0, 1]))           # G for every 2 x 2 model at once
    chain.field.at(outputs, generic.point(model))                  # G for one model, exactly

Entries are rational functions Q(theta) (`verify.symbolic.rational_functions`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from constructions.fields import Array, Entries, Rationals
from constructions.linear import Vector
from constructions.messages import Chain
from constructions.models import HMM
from verify.symbolic.rational_functions import RationalFunction, RationalFunctions

Point: TypeAlias = Mapping[str, Fraction]
"""A number for each indeterminate, by name."""


class Symbols(Rationals):
    """Q(theta): rational functions, with rational coefficients, of the indeterminates of the given names.

    Exact, the scale kept: a message is a polynomial, and a number put in for each indeterminate makes it the message
    of `RATIONALS`. So it is with normalised vectors, unless the sum that was divided by becomes 0: there the quotient,
    in lowest terms, may have a value, but it is not the 0 that stands for 0/0.
    Rational functions have no signs: there are scores of a head, but no labels.
    """

    name = "symbols"

    def __init__(self, names: Iterable[str]) -> None:
        self.functions = RationalFunctions(names)
        self.symbols = self.functions.symbols

    def array(self, entries: Entries | Sequence[str] | Sequence[Sequence[str]]) -> Array:
        """Make elements of the field of rationals; names of indeterminates and elements of the field serve too."""
        return np.frompyfunc(self._element, 1, 1)(np.array(entries, dtype=object))

    def normalise(self, vectors: Array) -> Array:
        """Divide by the sum, unless that is 0 for every choice of theta."""
        totals = vectors.sum(axis=-1, keepdims=True)
        return vectors / self.array(np.where(totals == 0, 1, totals))

    def at(self, array: Array, point: Point) -> Array:
        """Put numbers in for the indeterminates: an array of `Fraction`.

        Raises `KeyError` if a name that occurs has no number, `ZeroDivisionError` if a denominator becomes 0.
        """
        return np.frompyfunc(lambda entry: self._element(entry).at(point), 1, 1)(array)

    def _element(self, entry: object) -> RationalFunction:
        return self.symbols[entry] if isinstance(entry, str) else self.functions(entry)


@dataclass(frozen=True)
class SymbolicModel:
    """All models of a shape: a chain over `Symbols`, and an indeterminate prompt u (n,) and task mu (n,)."""

    chain: Chain
    u: Array
    mu: Array

    def point(self, model: HMM, u: Vector = (), mu: Vector = ()) -> dict[str, Fraction]:
        """Return the numbers that make this a model of the same shape, with a prompt and a task if they are needed."""
        if self.chain.emission.shape != (len(model.tokens), len(model.states)):
            shapes = (model.emission, self.chain.emission)
            found, expected = (f"{len(emission)} tokens and {len(emission[0])} states" for emission in shapes)
            raise ValueError(f"model={model.name or model!r}: it has {found}, not {expected}")
        vectors = {"p": model.initial, "u": u, "mu": mu}
        numbers = {f"{letter}[{h}]": x for letter, vector in vectors.items() for h, x in enumerate(vector)}
        for letter, matrix in (("A", model.transition), ("W", model.emission)):
            numbers |= {f"{letter}[{i},{j}]": x for i, row in enumerate(matrix) for j, x in enumerate(row)}
        return numbers


def symbolic_model(states: int, tokens: int, also: Iterable[str] = ()) -> SymbolicModel:
    """Return the model of a shape whose entries are indeterminates, named p[h], A[h',h], W[z,h], u[h] and mu[h].

    The last entry of each distribution is 1 minus the others. `also` names more indeterminates of the same field.
    """
    p, u, mu = (np.array([f"{letter}[{h}]" for h in range(states)], dtype=object) for letter in ("p", "u", "mu"))
    A, W = (
        np.array([[f"{letter}[{i},{h}]" for h in range(states)] for i in range(rows)], dtype=object)
        for letter, rows in (("A", states), ("W", tokens))
    )
    field = Symbols([*p[:-1], *A[:-1].flat, *W[:-1].flat, *u, *mu, *also])

    def distributions(names: Array) -> Array:
        free = field.array(names[:-1])
        return np.concatenate([free, field.array(1 - free.sum(axis=0, keepdims=True))])

    return SymbolicModel(Chain(field, *map(distributions, (p, A, W))), field.array(u), field.array(mu))
