"""The chain of hidden states that both kinds of model have: P[H_0] and the transition matrix A.

Assumptions 3.2 and 4.4 are about this chain alone.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from constructions.linear import (
    ExactMatrix,
    ExactVector,
    Matrix,
    Vector,
    exact,
    fraction,
    identity,
    know_arrays,
    minus,
    null_basis,
    product,
    transpose,
)
from constructions.reading import (
    NO_SURROGATES,
    InputError,
    Json,
    as_text,
    check_exact,
    excerpt,
    has_lone_surrogate,
    repeated,
    rows_text,
    texts,
    whole_number,
)


@dataclass(frozen=True)
class HiddenChain:
    """H_0 -> H_1 -> ... over n states. `initial` (n,): P[H_0]. `transition` (n, n): A, column-stochastic."""

    initial: ExactVector
    transition: ExactMatrix

    @cached_property
    def first(self) -> ExactVector:
        """p1 = P[H_1] = A P[H_0]."""
        return exact(self.step(self.initial))

    def _number(self, **counts: tuple[str, int]) -> None:
        """Fill in missing names of states, tokens and the like: a letter and a number for each."""
        for key, (letter, count) in counts.items():
            object.__setattr__(self, key, getattr(self, key) or tuple(f"{letter}{i}" for i in range(count)))

    def _law(self: Any, *keys: str) -> list[str]:
        """Write vectors and matrices of a model as arguments of its class method `of`, such as "initial='1/2 1/2'"."""
        parts = [(key, getattr(self, key)) for key in keys]
        return [f"{key}={rows_text(part if isinstance(part[0], tuple) else (part,))!r}" for key, part in parts]

    def _document(self: Any, names: Sequence[str], laws: Sequence[str]) -> Json:
        """Return a model as JSON: its kind, name and source, these lists of names, and these vectors and matrices."""
        document: Json = {key: getattr(self, key) for key in ("kind", "name", "source")}
        document |= {key: list(getattr(self, key)) for key in names}
        return document | {key: texts(getattr(self, key)) for key in laws}

    def _check(self: Any, *lists: str, columns: Sequence[str]) -> None:
        """Raise `InputError` for bad names, for shapes that do not fit, and for columns that are not exact laws.

        A bad name has a lone surrogate, or is twice in its list. `lists`: the fields that are lists of names.
        `columns`: the names of the columns of W. If all is valid, P[H_0], A and W become exact vectors and matrices.
        """
        for key in lists:
            names = getattr(self, key)
            for i, name in enumerate(names):
                if has_lone_surrogate(name):
                    raise InputError(f"{key}[{i}]", f'"{excerpt(name)}"', NO_SURROGATES)
            if (again := repeated(names)) is not None:
                raise InputError(f"{key}[{again}]", f'a second "{excerpt(names[again])}"', "each name once")
        for key in ("name", "source"):
            if has_lone_surrogate(getattr(self, key)):
                raise InputError(key, f'"{_shorten(getattr(self, key))}"', NO_SURROGATES)
        n = len(self.initial)
        check_shape("transition", self.transition, n, n)
        check_shape("emission", self.emission, len(self.tokens), len(columns))
        check_distribution("initial", self.initial)
        check_columns("transition", self.transition, self.states)
        check_columns("emission", self.emission, columns)
        know_arrays(self, "initial", "transition", "emission")

    def step(self, weights: Vector) -> Vector:
        """Return the exact product of A and `weights` (n,)."""
        return tuple(entry for [entry] in product(self.transition, transpose([weights])))

    def successors(self, state: int) -> frozenset[int]:
        """Return supp(A[:,h]): the states that h can go to."""
        return frozenset(to for to, row in enumerate(self.transition) if row[state])

    def paths(self, count: int, length: int, generator: np.random.Generator) -> NDArray[np.int64]:
        """Draw `count` paths H_1, ..., H_t, t = `length`: indices of states (count, length), int64."""
        first = np.zeros(whole_number("count", count), dtype=np.int64)
        states = [draw(transpose([self.first]), first, generator)]
        while len(states) < whole_number("length", length):
            states.append(draw(self.transition, states[-1], generator))
        return np.stack(states, 1)


def draw(laws: Matrix, which: NDArray[np.int64], generator: np.random.Generator) -> NDArray[np.int64]:
    """Draw an index from column h of `laws` for each entry h of `which`. An index of probability 0 is never drawn."""
    sums = np.array(laws, dtype=np.float64).cumsum(0)
    sums /= sums[-1]
    noise = generator.random(which.shape)
    drawn = np.zeros(which.shape, dtype=np.int64)
    for row in sums[:-1]:
        drawn += noise >= row[which]
    return drawn


def stationary_laws(transition: Matrix) -> list[Vector]:
    """Return laws p with A p = p: one for each minimal set of states that the chain never leaves.

    An irreducible A has one such set. All other stationary laws are mixtures of the laws returned.
    """
    kernel = null_basis(tuple(map(minus, transition, identity(len(transition)))))
    return [tuple(entry / sum(vector) for entry in vector) for vector in kernel]


def check_shape(key: str, matrix: Matrix, rows: int, columns: int) -> None:
    """Raise `InputError` unless a matrix has the shape (`rows`, `columns`) and at least one row."""
    if len(matrix) != rows or not rows:
        hint = _transposed(matrix) if len(matrix) == columns else ""
        raise InputError(key, f"{len(matrix)} rows", f"{rows or 'at least 1'}{hint}")
    for i, row in enumerate(matrix):
        if len(row) != columns:
            hint = _transposed(matrix) if rows == columns else ""
            raise InputError(f"{key}[{i}]", f"{len(row)} entries", f"{columns}, one for each state{hint}")


def check_columns(key: str, matrix: Matrix, names: Sequence[str]) -> None:
    """Raise `InputError` unless every column of a matrix is a distribution."""
    for h, column in enumerate(transpose(matrix)):
        check_distribution(f"{key} column {h} ({_shorten(names[h])})", column, matrix)


def check_distribution(where: str, entries: Sequence[Fraction], of: Matrix = ()) -> None:
    """Raise `InputError` unless all entries are exact, >= 0 and sum to exactly 1. `of`: their matrix, for a hint."""
    check_exact(where, entries)
    for i, entry in enumerate(entries):
        if entry < 0:
            raise InputError(
                f"{where}, entry {i}", as_text(entry), f"a probability, at least 0{of_logarithms(entries)}"
            )
    total = _total([fmpq(entry.numerator, entry.denominator) for entry in entries])
    if total != 1:
        text = as_text(fraction(total))
        hint = ": headproof import puts rounded numbers on a grid" if abs(total - 1) * 10**6 <= 1 else _transposed(of)
        raise InputError(where, f"entries that sum to {_shorten(text)}", f"a sum of exactly 1{hint}")


def of_logarithms(entries: Sequence[Any]) -> str:
    """Return a hint if the entries look like logarithms: none is positive, and not all are 0."""
    looks = all(entry <= 0 for entry in entries) and any(entries)
    return ": these look like log-probabilities, take exp of them" if looks else ""


def _transposed(matrix: Matrix) -> str:
    """Return a hint if all rows of a matrix sum to 1: it may be transposed."""
    return ": each row sums to 1, so transpose it" if matrix and all(sum(row) == 1 for row in matrix) else ""


def _total(terms: list[fmpq]) -> fmpq:
    """Sum both halves of `terms`, then add the two sums. A running sum would soon have a very long denominator."""
    middle = len(terms) // 2
    return _total(terms[:middle]) + _total(terms[middle:]) if middle else sum(terms, fmpq(0))


def _shorten(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}..."
