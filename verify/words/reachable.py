"""The reachable subspace: the span of beta(x) over all inputs x.

A head need only be right on this subspace. For each state h let U_h be the span of the beta(y) with beta(y)[h] > 0,
the empty word y included. The U_h are the least family of subspaces such that each contains the vector of ones, and U_h
contains M_z U_g whenever h can go to g and g can emit z. A word z y is an input iff some successor g of a state in
supp(P[H_0]) can emit z and has beta(y)[g] > 0. So the span of the inputs is the sum of M_z U_g over these z and g.
States with the same language of possible words share one U_h, so a model with full support has a single one.

A word is added if its beta is independent of the others modulo a prime; then it is independent over Q, too. A check
over Q shows that no word is missing. If one is, the family is computed anew with another prime.
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
"""(z, i): emit token z from a state of class i."""


@dataclass(frozen=True)
class Span:
    """A subspace by its basis in reduced row echelon form, and the pivot of each basis vector."""

    pivots: tuple[int, ...]
    basis: Matrix

    @classmethod
    def of(cls, vectors: Sequence[Sequence[Fraction]]) -> Span:
        """Return the span of vectors that are independent."""
        basis, pivots = echelon(vectors)
        return cls(tuple(pivots), basis)

    @property
    def document(self) -> Json:
        """The subspace as it stands in a certificate."""
        return {"pivots": list(self.pivots), "basis": written(self.basis)}

    def contains(self, vectors: Matrix) -> bool:
        """Tell whether vectors, at least one, lie in the subspace, exactly."""
        return bool(self.basis) and product(columns(vectors, self.pivots), self.basis) == vectors


@dataclass(frozen=True)
class Spans:
    """U_h for each state h, which is `spans[of[h]]`, and `inputs`, the span of beta(x) over all inputs."""

    of: tuple[int, ...]
    spans: tuple[Span, ...]
    inputs: Span

    @property
    def document(self) -> Json:
        """The U_h as they stand in a certificate, which leaves out the span of the inputs: it follows from the U_h."""
        return {"of": list(self.of), "spans": written(self.spans)}


def reachable(problem: Problem) -> Spans:
    """Compute the least family U_h, and the span of the inputs."""
    of, moves = language_classes(problem.model)
    initial = {move for h, p in enumerate(problem.model.initial) if p for move in moves[of[h]]}
    for prime in PRIMES:
        family = _grow(problem, moves, initial, prime)
        if _is_closed(problem, [*moves, initial], family):
            return Spans(tuple(of), tuple(family[:-1]), family[-1])
    raise ArithmeticError("the reachable subspace looks smaller modulo every prime")


def language_classes(model: HMM) -> tuple[list[int], list[set[Move]]]:
    """Partition the states into bisimilar ones: states of a class can emit the same tokens into the same classes.

    Returns each state's class, and each class's moves.
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
    """Grow every U_h, and last the span of the inputs, by words of one more letter at a time."""
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
    """Check over Q that each subspace contains M_z U_i for each of its moves (z, i). U_i is that of class i."""
    return all(
        span.contains(_before(problem, token, family[source].basis))
        for span, class_moves in zip(family, moves, strict=True)
        if len(span.basis) < problem.states
        for token, source in class_moves
    )
