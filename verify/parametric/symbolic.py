"""The constructions on models whose entries are free symbols: `headproof verify --symbolic`.

    result = check("3.6")
    result.status                        # proved: the identities are 0 as rational functions

There is one model for each theorem, of one size, with one witness of the theorem's hypothesis:

- 3.3: all columns of W are independent.
- 3.6: H* = {0, 1} and B = {1, 2}. So A[2,f] = 0 for f in B.
- 4.3: H* is one state of cell 0, and all columns of W are independent.
- 4.6 and C.6: H* is one state of cell 0, and M* = supp(mu) has one value. So fewer columns need to be independent.
  P[H_0] is stationary.

The left inverse, or the dual vectors, divide by a minor of W. The checks use neither that columns sum to 1 nor that
entries are >= 0. Proofs for every size and every witness are in Rocq (`formal/`).

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import sympy

from constructions.assumptions import Cover, LeftInverse
from constructions.evidence import Json
from constructions.linear import columns, dot
from constructions.memory.assumptions import ground
from constructions.memory.coloops import Recoverable
from constructions.memory.model import Shape
from constructions.rendering import Table, View
from constructions.tasks import MemoryTask, Task
from verify.parametric.expressions import Polynomial, denominators, field_of, left_inverse
from verify.parametric.identities import (
    ASSUMPTION,
    CONSTRUCT,
    GenericHMM,
    GenericMemoryHMM,
    attention_identities,
    linear_identities,
)

STATES = 3
"""The number of states of the vanilla models, and of their tokens."""

MEMORY_SHAPES = {"4.3": Shape(2, 2, 1), "4.6": Shape(2, 1, 2), "C.6": Shape(2, 2, 1)}
"""The numbers of values, cells and syntax states of the memory models. W is square, with a token for each column."""


@dataclass(frozen=True)
class Result:
    """The result of checking a theorem's construction. `identities`: how many were checked.

    `refuted`: the identities that fail, or a note that the construction divides by 0. `undecided`: the divisors that
    may be 0, as no hypothesis excludes this. `shape`: the size of the model.
    """

    statement: str
    shape: str
    identities: int
    refuted: tuple[str, ...]
    undecided: tuple[str, ...]

    @property
    def status(self) -> Literal["proved", "refuted", "undecided"]:
        """Whether the construction is proved to work on every model of this shape with this witness."""
        return "refuted" if self.refuted else "undecided" if self.undecided else "proved"

    @property
    def document(self) -> Json:
        """The result as JSON."""
        return {
            "statement": self.statement,
            "shape": self.shape,
            "status": self.status,
            "scope": "all-models",
            "identities": self.identities,
            "failures": [*self.refuted, *self.undecided],
        }


def check(statement: str) -> Result:
    """Run the construction of 3.3, 3.6, 4.3, 4.6 or C.6 on free symbols, and check its identities."""
    return check_memory(statement) if statement in MEMORY_SHAPES else check_vanilla(statement)


def view(results: Sequence[Result]) -> View:
    """Show a table with a row for each theorem, and the first failure of each theorem that has one."""
    rows = [[r.shape, r.identities, r.status] for r in results]
    failures = ((r.statement, [*r.refuted, *r.undecided]) for r in results)
    lines = tuple(f"{name}: {several[0]} ({len(several)} in all)" for name, several in failures if several)
    table = Table("theorem", rows, [r.statement for r in results], ("shape", "identities", "verdict"))
    return View("", (), (table,), (View("", lines),))


def _unexplained(divisors: Sequence[Polynomial], nonzero: Sequence[Polynomial]) -> Iterator[Polynomial]:
    """Divide each divisor by all factors that it shares with `nonzero`. Yield what is left, unless it is constant.

    `nonzero`: polynomials that hypotheses keep from being 0.
    """
    for rest in divisors:
        for polynomial in nonzero:
            while not (common := rest.gcd(polynomial)).is_ground:
                rest = rest.quo(common)
        if not rest.is_ground:
            yield rest


def free(**sizes: tuple[int, ...]) -> tuple[Any, list[Any]]:
    """Return a field of rational functions, and for each letter a vector or matrix of its free symbols.

    `free(p0=(2,), W=(2, 3))` has the symbols p0_0, p0_1 and W_0_0, W_0_1, ..., W_1_2.
    """
    names = (letter + "".join(f"_:{length}" for length in lengths) for letter, lengths in sizes.items())
    field = field_of(sympy.symbols(",".join(names)))
    symbols = iter(field.gens)

    def take(length: int, *inner: int) -> Any:
        return tuple(take(*inner) if inner else next(symbols) for _ in range(length))

    return field, [take(*lengths) for lengths in sizes.values()]


def check_vanilla(statement: str) -> Result:
    """Check 3.3 or 3.6.

    The task has one row mu_h e_h for each state h of H*, where e_h is a unit vector. This is enough: the identity is
    linear in (mu, b), so the head of a sum of rows is the sum of their heads.
    """
    n = STATES
    recoverable, chosen = (tuple(range(n)), ()) if statement == "3.3" else ((0, 1), (1, 2))
    field, [p0, A, W, mu] = free(p0=(n,), A=(n, n), W=(n, n), mu=(n,))
    A = tuple(tuple(x * int(f not in chosen or h in recoverable) for f, x in enumerate(row)) for h, row in enumerate(A))
    model = GenericHMM(p0, A, W)
    task = Task(tuple(tuple(mu[h] * int(g == h) for g in range(n)) for h in recoverable))
    inverse = left_inverse(columns(W, recoverable), field)
    reached = model.step(tuple(p * int(f in chosen) for f, p in enumerate(model.first)))
    nonzero = [*denominators(inverse), *(p.numer for p in (*p0, *model.first, *reached) if p)]
    witness = Cover(chosen, recoverable, inverse) if chosen else LeftInverse(inverse)
    return _result(statement, f"n={n} k={n}", model, task, witness, nonzero)


def check_memory(statement: str) -> Result:
    """Check 4.3, 4.6 or C.6. H* is the first state. For 4.6 and C.6, M* is the first value, and A p0 = p0."""
    shape = MEMORY_SHAPES[statement]
    n, k = shape.hidden, shape.columns
    field, [p0, A, W, mu, e] = free(p0=(n,), A=(n, n), W=(k, k), mu=(shape.values,), e=(k,))
    if statement != "4.3":  # solved for the last column of A
        A = tuple((*row[:-1], (p - dot(row[:-1], p0[:-1])) / p0[-1]) for row, p in zip(A, p0, strict=True))
        mu = (mu[0], *(field(0) for _ in mu[1:]))
    model, task = GenericMemoryHMM(p0, A, shape, (), W), MemoryTask((mu,))
    read = ground(ASSUMPTION[statement], model, task)
    inverse = left_inverse(columns(W, read.columns), field)
    nonzero = [*denominators(inverse), p0[-1].numer]
    duals = tuple(inverse[read.columns.index(c)] for c in read.of[0])
    size = f"M={shape.values} N={shape.cells} S={shape.syntax} k={k}"
    witness = Recoverable((0,), read.columns, read.of[0], duals)
    return _result(statement, size, model, task, witness, nonzero, e)


def _result(
    statement: str, size: str, model: Any, task: Any, witness: Any, nonzero: Sequence[Polynomial], e: Any = None
) -> Result:
    """Build the head from a witness, and check its identities.

    `nonzero`: polynomials that the hypotheses keep from being 0. `e`: for a memory model, free symbols in place of a
    token's embedding; None for a vanilla model.
    """
    try:
        classifier = CONSTRUCT[statement](model, task, witness).classifier
    except ZeroDivisionError:
        return Result(statement, size, 0, ("it divides by 0",), ())
    head = classifier.head
    if e is None:
        identities, divisors = linear_identities(model, task, classifier), denominators(head.b)
    else:
        identities = attention_identities(model, task, classifier, witness, e)
        divisors = denominators((*head.key, *head.value))
    differences = list(identities)
    refuted = tuple(f"not {text}" for text, difference in differences if difference)
    undecided = tuple(f"it divides by {rest}" for rest in _unexplained(divisors, nonzero))
    return Result(statement, size, len(differences), refuted, undecided)
