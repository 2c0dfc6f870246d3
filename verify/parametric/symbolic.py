"""The constructions on models whose entries are all free symbols: `headproof verify --symbolic`.

    result = check("3.6")
    result.status                        # proved: the identities of every case are 0 as rational functions

The models are those of one shape for each statement. A hypothesis such as 3.5 gives a prompt, an H* and a left inverse
that differ from model to model. Up to relabelling tokens, states, values and cells there are finitely many cases:

- 3.3: one case. 3.6: a case for each |B|, |H*| and |B and H*|, with A[h,f] = 0 for f in B and h outside H*.
- 4.3: a case for each |S*|; 4.6 and C.6: for each |S*| and |M*|. j* is cell 0. Of the ground set only the columns of
  H* are independent of all others; the others have some rank d, each is a combination C of d of them, and there is a
  case for each d.

The left inverse, or the dual vectors, divide by a minor of W that is not 0 after relabelling tokens. That columns sum
to 1 and that entries are not negative is not used. Proofs for every size are in Rocq (`formal/`).
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

STATES = TOKENS = 3
"""The size of the vanilla models; memory models have as many tokens."""

MEMORY_SHAPES = {"4.3": Shape(2, 2, 1), "4.6": Shape(2, 1, 2), "C.6": Shape(2, 2, 1)}
"""The |M|, N and |S| of the memory models."""


@dataclass(frozen=True)
class Case:
    """A model, a task and a witness over a field of rational functions.

    `conditions`: polynomials that the hypotheses keep from 0. `embedding`: free symbols in place of a token's
    embedding, of a memory model.
    """

    name: str
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
    """How many cases and identities were checked, and what fails.

    `refuted`: identities that fail, and cases in which the construction divides by 0. `undecided`: divisors that no
    hypothesis keeps from 0.
    """

    statement: str
    shape: str
    cases: int
    identities: int
    refuted: tuple[str, ...]
    undecided: tuple[str, ...]

    @property
    def status(self) -> Literal["proved", "refuted", "undecided"]:
        """What this says of the construction, on every model of the shape."""
        return "refuted" if self.refuted else "undecided" if self.undecided else "proved"

    @property
    def document(self) -> Json:
        """The result as JSON."""
        scope: Json = {"statement": self.statement, "shape": self.shape, "status": self.status, "scope": "all-models"}
        counts = {"cases": self.cases, "identities": self.identities}
        return {**scope, **counts, "failures": [*self.refuted, *self.undecided]}


def check(statement: str, construct: Callable[[Any, Any, Any], Any] | None = None) -> Result:
    """Run a theorem's construction, or another one, on every case of its shape, and check the identities."""
    cases = list(memory_cases(statement) if statement in MEMORY_SHAPES else vanilla_cases(statement))
    identities, refuted, undecided = 0, list[str](), list[str]()
    for case in cases:
        try:
            classifier = (construct or CONSTRUCT[statement])(case.model, case.task, case.witness).classifier
        except ZeroDivisionError:
            refuted.append(f"{case.name}: it divides by 0")
            continue
        differences = list(case.identities(classifier))
        identities += len(differences)
        refuted += [f"{case.name}: not {text}" for text, difference in differences if difference]
        head = classifier.head
        below = denominators(head.b if case.embedding is None else (*head.key, *head.value))
        undecided += [f"{case.name}: it divides by {rest}" for rest in _unexplained(below, case.conditions)]
    shape = MEMORY_SHAPES.get(statement)
    size = f"n={STATES}" if shape is None else f"M={shape.values} N={shape.cells} S={shape.syntax}"
    return Result(statement, f"{size} k={TOKENS}", len(cases), identities, tuple(refuted), tuple(undecided))


def view(results: Sequence[Result]) -> View:
    """Show a row for each theorem, and the first failure of each."""
    rows = [[r.shape, r.cases, r.identities, r.status] for r in results]
    failures = [(r.statement, [*r.refuted, *r.undecided]) for r in results if r.status != "proved"]
    lines = tuple(f"{name}: {several[0]} ({len(several)} in all)" for name, several in failures)
    table = Table("theorem", rows, [r.statement for r in results], ("shape", "cases", "identities", "verdict"))
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
    return field, [_tuples(array.reshape(several)) for array, several in zip(arrays, lengths.values(), strict=True)]


def _tuples(array: Any) -> Any:
    return tuple(map(tuple, array)) if array.ndim == 2 else tuple(array)


def vanilla_cases(statement: str) -> Iterator[Case]:
    """Yield the cases of 3.3 or 3.6: H* comes first, and B overlaps its end.

    B contains H* only where that is everything: nothing would lead out of H*, and the chain would be reducible.
    """
    n = STATES
    if statement == "3.3":
        yield vanilla_case(range(n), None)
        return
    for size, chosen in product(range(1, min(n, TOKENS) + 1), range(1, n + 1)):
        for common in range(max(0, chosen + size - n), min(chosen, size - (size < n)) + 1):
            yield vanilla_case(range(size), range(size - common, size - common + chosen))


def vanilla_case(recoverable: Sequence[int], chosen: Sequence[int] | None) -> Case:
    """Return the case of an H*, and of a B, `chosen`, in 3.6.

    The task has a row mu_h e_h for each state h of H*: the identity is linear in mu and b together, so the head of mu
    is the sum of theirs.
    """
    n = STATES
    field, [p0, A, W, mu] = free(p0=(n,), A=(n, n), W=(TOKENS, n), mu=(n,))
    if chosen is not None:
        A = tuple(
            tuple(field(0) if f in chosen and h not in recoverable else A[h][f] for f in range(n)) for h in range(n)
        )
    model = GenericHMM(p0, A, W)
    rows: Any = tuple(tuple(mu[h] if g == h else field(0) for g in range(n)) for h in recoverable)
    inverse, minor = left_inverse(field, W, recoverable)
    conditions = [minor, *(p.numer for p in (*p0, *model.first))]
    if chosen is None:
        return Case("all models", model, Task(rows), LeftInverse(inverse), conditions)
    reached: Any = model.step(tuple(p * int(f in chosen) for f, p in enumerate(model.first)))
    conditions += [reached[h].numer for h in recoverable]
    witness = Cover(tuple(chosen), tuple(recoverable), inverse)
    return Case(f"B = {set(chosen)}, H* = {set(recoverable)}", model, Task(rows), witness, conditions)


def memory_cases(statement: str) -> Iterator[Case]:
    """Yield the cases of 4.3, 4.6 or C.6: |S*|, |M*| (mu is 0 outside), and the rank of the columns outside H*."""
    shape = MEMORY_SHAPES[statement]
    supports = [shape.values] if statement == "4.3" else range(1, shape.values + 1)
    for states, support in product(range(1, shape.syntax + 1), supports):
        others = support * shape.syntax + shape.values * (shape.cells - 1) * shape.syntax - states * support
        for rank in range(min(others, TOKENS - states * support) + 1):
            yield memory_case(statement, tuple(range(states)), support, rank)


def memory_case(statement: str, states: tuple[int, ...], support: int, rank: int) -> Case:
    """Return the case of an H*, an M* of the first `support` values, and a rank; A p0 = p0 but for 4.3."""
    shape = MEMORY_SHAPES[statement]
    ones = MemoryTask((tuple(Fraction(m < support) for m in range(shape.values)),))
    columns = ground(ASSUMPTION[statement], GenericMemoryHMM((), (), shape, (), ()), ones)
    recoverable = sorted(c for h in states for c in columns.of[h])
    others = [c for c in columns.columns if c not in recoverable]
    basis, dependent = others[:rank], others[rank:]
    n, k, sizes = shape.hidden, shape.columns, (len(dependent), rank)
    field, [p0, A, W, mu, e, C] = free(p0=(n,), A=(n, n), W=(TOKENS, k), mu=(shape.values,), e=(k,), C=sizes)
    weights = dict(zip(dependent, C, strict=True))
    W = tuple(
        tuple(dot(weights[c], [row[b] for b in basis]) if c in weights else x for c, x in enumerate(row)) for row in W
    )
    if statement != "4.3":  # solved for the last column of A
        A = tuple((*row[:-1], (p - dot(row[:-1], p0[:-1])) / p0[-1]) for row, p in zip(A, p0, strict=True))
    independent = sorted([*recoverable, *basis])
    inverse, minor = left_inverse(field, W, independent)
    witness = Recoverable(
        states, columns.columns, tuple(recoverable), tuple(inverse[independent.index(c)] for c in recoverable)
    )
    task = MemoryTask((tuple(x if m < support else field(0) for m, x in enumerate(mu)),))
    name = f"H* = {set(states)}, M* = {set(range(support))}, rank {rank}"
    return Case(name, GenericMemoryHMM(p0, A, shape, (), W), task, witness, [minor, p0[-1].numer], e)


def left_inverse(field: Any, matrix: Any, chosen: Sequence[int]) -> tuple[Any, Polynomial]:
    """Return L with L matrix[:,chosen] = I, supported on the first rows, and the minor that it divides by."""
    size = len(chosen)
    rows = [[matrix[z][c].numer for c in chosen] for z in range(size)]
    adjugate, minor = DomainMatrix(rows, (size, size), field.ring.to_domain()).adj_det()
    nothing = (field(0),) * (len(matrix) - size)
    return tuple((*(field(x) / field(minor) for x in row), *nothing) for row in adjugate.to_list()), minor
