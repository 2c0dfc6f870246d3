"""No values are as C.4 wants them: V(G_i(x), e(x_i)) = r mu_l'P[M_j* | X = x], r > 0, wherever i is in Ihat(x).

At a token z, V is c_l[z]'a for value rows c_l[z] over the tokens. So numbers y_l for each of finitely many (x, i) with
sum over those with x_i = z of y_l G_i(x) = 0, for every label l and token z, make the sum of r y_l mu_l'P 0; and if
each sum over l is >= 0 there, one of them > 0, no r > 0 do. `docs/certificate-format.md`, section 11.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from constructions.evidence import Evidence, Word
from constructions.linear import Vector, combine, dot, integers, null_basis, transpose
from constructions.messages import masked_outputs
from verify.conclusion import Conclusion
from verify.words.linear_programs import Row, Solution, decide
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import beta

PLACES = 60
"""How many positions of Ihat one linear program has."""

Term: TypeAlias = tuple[int, int, Vector]
"""(index of an input, a position in Ihat counted from 0, y_l for each label)."""


@dataclass(frozen=True)
class NoValues(Evidence, kind="no-values", says="no values serve {inputs}"):
    """Weights of outputs that cancel at each token, and not with the scores that they are to be."""

    inputs: tuple[Word, ...]
    terms: tuple[Term, ...]


@dataclass(frozen=True)
class _Place:
    word: Word
    position: int
    output: Vector
    scores: Vector


def refute(problem: MemoryProblem) -> Conclusion | None:
    """Look for positions of Ihat, the first ones, that no values serve together."""
    places = _places(problem)
    labels = [l for l in problem.task.labels if any(place.scores[l] for place in places)]
    unknowns = [(place, l) for place in places for l in labels]
    tokens = len(problem.model.tokens)
    blocks = {(l, z): tokens * i for i, (l, z) in enumerate((l, z) for l in labels for z in range(tokens))}
    nothing = (Fraction(0),) * (tokens * len(blocks))
    columns = []
    for place, l in unknowns:
        at = blocks[l, place.word[place.position]]
        columns.append((*nothing[:at], *place.output, *nothing[at + tokens :]))
    basis = null_basis(transpose(columns)) if columns else ()
    if not basis:
        return None
    gains = [
        tuple(
            sum((y[i] * place.scores[l] for i, (own, l) in enumerate(unknowns) if own is place), Fraction(0))
            for y in basis
        )
        for place in places
    ]
    total = combine([Fraction(1)] * len(gains), gains)
    if not any(map(any, gains)):
        return None
    found = decide([Row(tuple(integers(row)), False) for row in gains] + [Row(tuple(integers(total)), True)])
    if not isinstance(found, Solution):
        return None
    weights = combine(found.b, basis)
    of = {(place, l): y for (place, l), y in zip(unknowns, weights, strict=True)}
    return _shown(problem, places, of)


def _shown(problem: MemoryProblem, places: list[_Place], of: dict[tuple[_Place, int], Fraction]) -> Conclusion:
    """Write down the places whose weights are not all 0."""
    numbers: dict[Word, int] = {}
    terms = []
    for place in places:
        row = tuple(of.get((place, l), Fraction(0)) for l in problem.task.labels)
        if any(row):
            terms.append((numbers.setdefault(place.word, len(numbers)), place.position, row))
    return Conclusion(False, NoValues(tuple(numbers), tuple(terms)))


def _places(problem: MemoryProblem) -> list[_Place]:
    """Return the first positions of Ihat of the inputs in R, with mu_l'P[M_j*, X = x] for every label."""
    chain, joint, found = problem.joint.model.chain(), problem.joint, list[_Place]()
    for word in problem.inputs():
        positions = problem.recoverable.membership(word).positions
        if positions:
            outputs = masked_outputs(chain, chain.embed(word))
            after = beta(joint, word)
            scores = tuple(dot(row, after) for row in joint.task_functionals)
            found += [_Place(word, i, tuple(outputs[i]), scores) for i in positions]
        if len(found) >= PLACES:
            break
    return found[:PLACES]
