"""No values are as C.4 wants them: V(G_i(x), e(x_i)) = r mu_l'P[M_j* | X = x], r > 0, wherever i is in Ihat(x).

At a token z, V is c_l[z]'a for value rows c_l[z] over the tokens. So numbers y_l for each of finitely many (x, i) with
sum over those with x_i = z of y_l G_i(x) = 0, for every label l and token z, make the sum of r y_l mu_l'P 0; and if
each sum over l is >= 0 there, one of them > 0, no r > 0 do. `docs/certificate-format.md`, section 11.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from constructions.evidence import Evidence, Word
from constructions.linear import Vector, combine, dot, integers, null_basis, transpose
from constructions.messages import masked_outputs
from verify.conclusion import Conclusion
from verify.words.linear_programs import Row, Solution, decide
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import beta

Term: TypeAlias = tuple[int, int, Vector]
"""(index of an input, a position in Ihat counted from 0, y_l for each label)."""


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
    if not labels:
        return None
    basis = null_basis(transpose([_output(problem, place, l) for place in places for l in labels]))
    own = [slice(start, start + len(labels)) for start in range(0, len(places) * len(labels), len(labels))]
    scores = [[place.scores[l] for l in labels] for place in places]
    gains = [tuple(dot(y[part], score) for y in basis) for part, score in zip(own, scores, strict=True)]
    if not any(map(any, gains)):
        return None
    total = combine([Fraction(1)] * len(gains), gains)
    found = decide([*(Row(integers(row)[0], False) for row in gains), Row(integers(total)[0], True)])
    if not isinstance(found, Solution):
        return None
    weights = combine(found.b, basis)
    numbers: dict[Word, int] = {}
    terms: list[Term] = []
    for place, part in zip(places, own, strict=True):
        if any(weights[part]):
            known = dict(zip(labels, weights[part], strict=True))
            y = tuple(known.get(l, Fraction(0)) for l in problem.task.labels)
            terms.append((numbers.setdefault(place.word, len(numbers)), place.position, y))
    return Conclusion(False, NoValues(tuple(numbers), tuple(terms)))


def _output(problem: MemoryProblem, place: _Place, label: int) -> Vector:
    """Return G_i(x) in the block of a label and of the token x_i, and 0 in all others."""
    tokens, token = len(problem.model.tokens), place.word[place.position]
    blocks = ((label, token) == block for block in product(problem.task.labels, range(tokens)))
    return tuple(entry if own else Fraction(0) for own in blocks for entry in place.output)


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
        if len(found) >= problem.effort.places:
            break
    return found[: problem.effort.places]
