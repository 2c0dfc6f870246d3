"""The constructions on models whose entries are all free symbols: `headproof verify --symbolic`.

    result = check("3.6")
    result.status                        # proved: the identities are 0 as rational functions

There is one model for each theorem, of one size, and one witness of its hypothesis:

- 3.3: all columns of W are independent. 3.6: H* = {0, 1} and B = {1, 2}, so that A[2,f] = 0 for f in B.
- 4.3: H* is one state of cell 0, and all columns of W are independent. 4.6 and C.6: the same with M* of one value, so
  that fewer columns need be independent; the start is stationary.

The left inverse, or the dual vectors, divide by a minor of W. That columns sum to 1 and that entries are not negative
is not used. Proofs for every size and every witness are in Rocq (`formal/`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, Literal

import numpy as np
from sympy.polys.matrices import DomainMatrix

from constructions.assumptions import Cover, LeftInverse
from constructions.evidence import Json
from constructions.linear import dot
from constructions.memory.assumptions import ground
from constructions.memory.coloops import Recoverable
from constructions.memory.model import Shape
from constructions.rendering import Table, View
from constructions.tasks import MemoryTask, Task
from verify.parametric.expressions import Polynomial, denominators, field_of
from verify.parametric.identities import (
    ASSUMPTION,
    CONSTRUCT,
    GenericHMM,
    GenericMemoryHMM,
    Identity,
    key_identities,
    linear_identities,
    value_identities,
)

STATES = 3
"""The states of the vanilla models, which have as many tokens."""

MEMORY_SHAPES = {"4.3": Shape(2, 2, 1), "4.6": Shape(2, 1, 2), "C.6": Shape(2, 2, 1)}
"""The |M|, N and |S| of the memory models, which have as many tokens as columns."""


@dataclass(frozen=True)
class Case:
    """A model, a task and a witness over a field of rational functions.

    `conditions`: polynomials that the hypotheses keep from 0. `embedding`: free symbols in place of a token's
    embedding, of a memory model.
    """

    model: Any
    task: Any
    witness: Any
    conditions: Sequence[Polynomial]
    embedding: Any = None

    def identities(self, classifier: Any) -> Iterator[Identity]:
        """Yield the identities that a head must meet."""
        if self.embedding is None:
            yield from linear_identities(self.model, self.task, classifier)
            return
        head, [mu] = classifier.head, self.task.mu
        yield from key_identities(self.model, self.witness, head)
        yield from value_identities(self.model, self.witness, head.value_rows(self.embedding)[1], mu, self.embedding)
        for z, (row, law) in enumerate(zip(head.embedding, self.model.emission, strict=True)):
            yield from ((f"e({z})[{c}] = W[{z},{c}]", x - y) for c, (x, y) in enumerate(zip(row, law, strict=True)))
        for h, p in enumerate(self.model.step(self.model.first) if classifier.prompt else ()):
            yield f"(A p1)[{h}] = p1[{h}]", p - self.model.first[h]


@dataclass(frozen=True)
class Result:
    """How many identities were checked, and what fails.

    `refuted`: identities that fail, or that the construction divides by 0. `undecided`: divisors that no hypothesis
    keeps from 0.
    """

    statement: str
    shape: str
    identities: int
    refuted: tuple[str, ...]
    undecided: tuple[str, ...]

    @property
    def status(self) -> Literal["proved", "refuted", "undecided"]:
        """What this says of the construction, on every model with this witness."""
        return "refuted" if self.refuted else "undecided" if self.undecided else "proved"

    @property
    def document(self) -> Json:
        """The result as JSON."""
        scope: Json = {"statement": self.statement, "shape": self.shape, "status": self.status, "scope": "all-models"}
        return {**scope, "identities": self.identities, "failures": [*self.refuted, *self.undecided]}


def check(statement: str, construct: Callable[[Any, Any, Any], Any] | None = None) -> Result:
    """Run a theorem's construction, or another one, on free symbols, and check the identities."""
    shape = MEMORY_SHAPES.get(statement)
    case, size = vanilla_case(statement), f"n={STATES} k={STATES}"
    if shape is not None:
        case, size = memory_case(statement), f"M={shape.values} N={shape.cells} S={shape.syntax} k={shape.columns}"
    try:
        classifier = (construct or CONSTRUCT[statement])(case.model, case.task, case.witness).classifier
    except ZeroDivisionError:
        return Result(statement, size, 0, ("it divides by 0",), ())
    differences, head = list(case.identities(classifier)), classifier.head
    divisors = denominators(head.b if shape is None else (*head.key, *head.value))
    refuted = tuple(f"not {text}" for text, difference in differences if difference)
    undecided = tuple(f"it divides by {rest}" for rest in _unexplained(divisors, case.conditions))
    return Result(statement, size, len(differences), refuted, undecided)


def view(results: Sequence[Result]) -> View:
    """Show a row for each theorem, and the first failure of each."""
    rows = [[r.shape, r.identities, r.status] for r in results]
    failures = [(r.statement, [*r.refuted, *r.undecided]) for r in results if r.status != "proved"]
    lines = tuple(f"{name}: {several[0]} ({len(several)} in all)" for name, several in failures)
    table = Table("theorem", rows, [r.statement for r in results], ("shape", "identities", "verdict"))
    return View("", (), (table,), (View("", lines),))


def _unexplained(divisors: Sequence[Polynomial], conditions: Sequence[Polynomial]) -> Iterator[Polynomial]:
    """Yield what is left of each divisor without its factors in the conditions, unless that is constant."""
    for rest in divisors:
        for condition in conditions:
            while not rest.is_ground and not (common := rest.gcd(condition)).is_ground:
                rest = rest.quo(common)
        if not rest.is_ground:
            yield rest


def free(**lengths: tuple[int, ...]) -> tuple[Any, list[Any]]:
    """Return a field, and a vector or matrix of free symbols for each letter: p0_0, p0_1, ..., or W_0_0, W_0_1, ..."""
    indices = {letter: list(product(*map(range, several))) for letter, several in lengths.items()}
    field = field_of("_".join(map(str, (letter, *index))) for letter, of in indices.items() for index in of)
    symbols = iter(field.gens)
    arrays = [np.array([next(symbols) for _ in indices[key]], dtype=object) for key in lengths]
    shaped = (array.reshape(several) for array, several in zip(arrays, lengths.values(), strict=True))
    return field, [tuple(map(tuple, array)) if array.ndim == 2 else tuple(array) for array in shaped]


def vanilla_case(statement: str) -> Case:
    """Return the case of 3.3 or 3.6.

    The task has a row mu_h e_h for each state h of H*: the identity is linear in mu and b together, so the head of mu
    is the sum of theirs.
    """
    n = STATES
    recoverable, chosen = (tuple(range(n)), ()) if statement == "3.3" else ((0, 1), (1, 2))
    field, [p0, A, W, mu] = free(p0=(n,), A=(n, n), W=(n, n), mu=(n,))
    A = tuple(
        tuple(field(0) if f in chosen and h not in recoverable else x for f, x in enumerate(row))
        for h, row in enumerate(A)
    )
    model = GenericHMM(p0, A, W)
    rows: Any = tuple(tuple(mu[h] if g == h else field(0) for g in range(n)) for h in recoverable)
    inverse, minor = left_inverse(field, W, recoverable)
    conditions = [minor, *(p.numer for p in (*p0, *model.first))]
    if not chosen:
        return Case(model, Task(rows), LeftInverse(inverse), conditions)
    reached: Any = model.step(tuple(p * int(f in chosen) for f, p in enumerate(model.first)))
    conditions += [reached[h].numer for h in recoverable]
    return Case(model, Task(rows), Cover(chosen, recoverable, inverse), conditions)


def memory_case(statement: str) -> Case:
    """Return the case of 4.3, 4.6 or C.6: H* is the first state, and but for 4.3 M* the first value, and A p0 = p0."""
    shape, prompted = MEMORY_SHAPES[statement], statement != "4.3"
    n, k = shape.hidden, shape.columns
    field, [p0, A, W, mu, e] = free(p0=(n,), A=(n, n), W=(k, k), mu=(shape.values,), e=(k,))
    if prompted:  # solved for the last column of A
        A = tuple((*row[:-1], (p - dot(row[:-1], p0[:-1])) / p0[-1]) for row, p in zip(A, p0, strict=True))
        mu = (mu[0], *(field(0) for _ in mu[1:]))
    model = GenericMemoryHMM(p0, A, shape, (), W)
    columns = ground(ASSUMPTION[statement], model, MemoryTask((tuple(Fraction(bool(x)) for x in mu),)))
    inverse, minor = left_inverse(field, W, columns.columns)
    duals = tuple(inverse[columns.columns.index(c)] for c in columns.of[0])
    witness = Recoverable((0,), columns.columns, columns.of[0], duals)
    return Case(model, MemoryTask((mu,)), witness, [minor, p0[-1].numer], e)


def left_inverse(field: Any, matrix: Any, chosen: Sequence[int]) -> tuple[Any, Polynomial]:
    """Return L with L matrix[:,chosen] = I, supported on the first rows, and the minor that it divides by."""
    size = len(chosen)
    rows = [[matrix[z][c].numer for c in chosen] for z in range(size)]
    adjugate, minor = DomainMatrix(rows, (size, size), field.ring.to_domain()).adj_det()
    nothing = (field(0),) * (len(matrix) - size)
    return tuple((*(field(x) / field(minor) for x in row), *nothing) for row in adjugate.to_list()), minor
