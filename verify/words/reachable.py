"""The reachable subspace: the span of beta(x) over all inputs x.

A head need only be right on this subspace. The subspace is computed from one subspace U_h for each state h: the span of
beta(y) over all words y, the empty word included, with beta(y)[h] > 0.

1. With M_z = A' diag(W[z,:]), beta(z y) = M_z beta(y). So beta(z y)[h] > 0 iff h can go to some state g that can emit z
   and has beta(y)[g] > 0.
2. Hence the U_h are the least family of subspaces with two properties. Each U_h contains the vector of ones. And U_h
   contains M_z U_g whenever h can go to g and g can emit z.
3. A word z y is an input iff beta(z y)[h] > 0 for some h in supp(P[H_0]). So the span of the inputs is the sum of
   M_z U_g over all z and g such that some h in supp(P[H_0]) can go to g, and g can emit z.
4. States after which the same words are possible have the same U_h. So a model without zeros has a single U_h.

The computation starts each U_h with the vector of ones, and tries words z y in order of length. A word is added if its
beta is independent of the betas so far modulo a prime; then it is independent over Q, too. At the end, a check over Q
tells whether the family has the two properties. If it has not, it is computed anew with another prime.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from constructions.evidence import Json, written
from constructions.linear import (
    Matrix,
    Vector,
    basis_modulo,
    columns,
    coprime,
    echelon,
    integer_rows,
    product,
)
from constructions.models import HMM
from verify.words.problem import Problem

PRIMES = (2**61 - 1, 2**31 - 1, 2**63 - 25, 2**62 - 57)

Move = tuple[int, int]
"""(z, i): go to a state of class i, which emits token z."""


@dataclass(frozen=True)
class Span:
    """A subspace. `basis`: its basis in reduced row echelon form. `pivots`: the pivot column of each basis vector."""

    pivots: tuple[int, ...]
    basis: Matrix

    @classmethod
    def of(cls, vectors: Sequence[Sequence[Fraction]]) -> Span:
        """Return the span of independent vectors."""
        basis, pivots = echelon(vectors)
        return cls(tuple(pivots), basis)

    @property
    def document(self) -> Json:
        """The subspace as JSON for a certificate."""
        return {"pivots": list(self.pivots), "basis": written(self.basis)}

    def contains(self, vectors: Matrix) -> bool:
        """Decide exactly whether all these vectors lie in the subspace. There must be at least one vector."""
        return bool(self.basis) and product(columns(vectors, self.pivots), self.basis) == vectors


@dataclass(frozen=True)
class Spans:
    """The subspaces U_h = `spans[of[h]]` of the states h. `inputs`: the span of beta(x) over all inputs x."""

    of: tuple[int, ...]
    spans: tuple[Span, ...]
    inputs: Span

    @property
    def document(self) -> Json:
        """The U_h as JSON for a certificate. The span of the inputs is left out, since it follows from the U_h."""
        return {"of": list(self.of), "spans": written(self.spans)}


def reachable(problem: Problem) -> Spans:
    """Compute the least family U_h and the span of the inputs. Raises `ArithmeticError` if every prime fails."""
    of, moves = language_classes(problem.model)
    initial = {move for h, p in enumerate(problem.model.initial) if p for move in moves[of[h]]}
    for prime in PRIMES:
        family = _grow(problem, moves, initial, prime)
        if _is_closed(problem, [*moves, initial], family):
            return Spans(tuple(of), tuple(family[:-1]), family[-1])
    raise ArithmeticError("the reachable subspace looks smaller modulo every prime")


def language_classes(model: HMM) -> tuple[list[int], list[set[Move]]]:
    """Partition the states by bisimulation: all states of a class have the same moves (z, i).

    Returns the class of each state, and the moves of each class. States of one class have the same possible words.
    """
    n = len(model.states)
    emits = [[z for z, row in enumerate(model.emission) if row[g]] for g in range(n)]
    steps = [[(z, g) for g in model.successors(h) for z in emits[g]] for h in range(n)]
    of, count = [0] * n, 1
    while True:
        signatures = [(of[h], frozenset((z, of[g]) for z, g in steps[h])) for h in range(n)]
        index = {signature: i for i, signature in enumerate(dict.fromkeys(signatures))}
        of = [index[signature] for signature in signatures]
        if len(index) == count:
            return of, [set(moves) for _, moves in index]
        count = len(index)


def _grow(problem: Problem, moves: Sequence[set[Move]], initial: set[Move], prime: int) -> list[Span]:
    """Return the subspace of each class, then the span of the inputs. Each round adds words of one more token."""
    ones = (Fraction(1),) * problem.states
    families, new = [[ones] for _ in moves] + [[]], [[ones] for _ in moves]
    while any(new):
        sources = zip(families, (*moves, initial), strict=True)
        into = [class_moves if len(family) < problem.states else () for family, class_moves in sources]
        images = {(z, i): _before(problem, z, new[i]) for z, i in set().union(*into) if new[i]}
        new = []
        for family, class_moves in zip(families, into, strict=True):
            vectors = (*family, *(image for move in sorted(class_moves) for image in images.get(move, ())))
            new.append([vectors[i] for i in basis_modulo(prime, vectors)[len(family) :]] if class_moves else [])
            family += new[-1]
    return [Span.of(family) for family in families]


def _before(problem: Problem, token: int, vectors: Sequence[Vector]) -> Matrix:
    """Return M_z v for each vector v, scaled to coprime integers."""
    rows = problem.steps.before(token, integer_rows(vectors)[0])
    return tuple(tuple(map(Fraction, coprime(row))) for row in rows)


def _is_closed(problem: Problem, moves: Sequence[set[Move]], family: Sequence[Span]) -> bool:
    """Check over Q that each subspace contains M_z U_i for each of its moves (z, i).

    U_i is the subspace of class i. `family`: the subspace of each class, then the span of the inputs. `moves`: for each
    of these subspaces its moves.
    """
    return all(
        span.contains(_before(problem, token, family[source].basis))
        for span, class_moves in zip(family, moves, strict=True)
        if len(span.basis) < problem.states
        for token, source in class_moves
    )
