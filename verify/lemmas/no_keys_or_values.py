"""No keys attend to exactly Ihat (C.2, C.9), or no values meet C.4 or C.13: shown by outputs that cancel.

**Keys** that attend to i and not to i' score G_i(x) higher than G_i'(x). So numbers t for finitely many (x, i, i') with
the sum of t (G_i(x) - G_i'(x)) 0, each t > 0 where i' is not in Ihat, exclude all keys; and scores of positions, if
they cancel at each position. C.9 fails as written: behind the prompt H_i can be surely in H* at a position that is not
in Ihat; inputs in which it and one of Ihat trade places, with the same outputs, exclude keys and position scores
together. `docs/certificate-format.md`, section 10.

**Values** are to be V(G_i(x), e(x_i)) = r mu_l'P[M_j* | X = x], r > 0, wherever i is in Ihat(x). At a token z, V is
c_l[z]'a for value rows c_l[z] over the tokens. So numbers y_l for each of finitely many (x, i) with sum over those with
x_i = z of y_l G_i(x) = 0, for every label l and token z, make the sum of r y_l mu_l'P 0; and if each sum over l is >= 0
there, one of them > 0, no r > 0 do. C.13 wants the same of Gbar_{i+1} behind u*. Section 11 there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import Any

from constructions.evidence import Evidence, Json, Word, written
from constructions.fields import Array
from constructions.heads import SoftPrompt
from constructions.linear import Matrix, Vector, combine, dot, integers, minus, null_basis, transpose
from constructions.messages import masked_outputs
from verify.conclusion import Conclusion
from verify.words.linear_programs import Multipliers, Row, Solution, decide, equation
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import beta

MORE_PLACES_FACTOR = 4
"""Where the first positions exclude no values, this many times as many are taken."""


class Unserved(Evidence):
    """Inputs that no keys, or no values, serve together, behind u* or not. A term begins with the index of an input."""

    inputs: tuple[Word, ...]
    terms: tuple[tuple[Any, ...], ...]
    prompted: bool

    @property
    def document(self) -> Json:
        """The inputs and terms; behind u* the kind has another name."""
        kind = self.kind.replace("no-", "no-prompted-") if self.prompted else self.kind
        return {"kind": kind, "inputs": written(self.inputs), "terms": written(self.terms)}


class NoKeys(Unserved, kind="no-keys", says="no keys serve {inputs}"):
    """Weights of differences between outputs, attended to minus others, whose sum is 0.

    A term: the index of an input, a position in Ihat, another position, the weight.
    """

    terms: tuple[tuple[int, int, int, Fraction], ...]


def no_keys(problem: MemoryProblem, included: Callable[[Word, SoftPrompt], bool] | None = None) -> Conclusion | None:
    """Look for inputs of R that no keys serve together; behind u* with any position embeddings, on those `included`."""
    prompt = None if included is None else problem.prompt
    in_r = (word for word in problem.inputs() if problem.recoverable.membership(word).member)
    candidates = (word for word in in_r if included is None or included(word, problem.prompt))
    words = list(islice(candidates, problem.effort.places))
    positions = range(max(map(len, words), default=0) + 1 if prompt else 0)
    rows = [row for n, word in enumerate(words) for row in _rows(problem, prompt, n, word, positions)]
    solution = decide(rows) if any(row.strict for row in rows) else None
    if not isinstance(solution, Multipliers):
        return None
    weights: dict[tuple[int, int, int], Fraction] = {}
    for (difference, scale), t in solution.over(rows):
        weights[difference] = weights.get(difference, Fraction(0)) + t * scale
    used = sorted({n for (n, _, _), t in weights.items() if t})
    terms = tuple((used.index(n), i, other, t) for (n, i, other), t in weights.items() if t)
    return Conclusion(False, NoKeys(tuple(words[n] for n in used), terms, prompt is not None))


def _rows(problem: MemoryProblem, prompt: SoftPrompt | None, n: int, word: Word, places: range) -> Iterator[Row]:
    """Yield what input n asks of keys: attended positions score alike, and above all others; of (difference, scale)."""
    outputs = _outputs(problem, word, prompt)
    inside = [i + (prompt is not None) for i in problem.recoverable.membership(word).positions]
    for i, other in product(inside, range(len(outputs))):
        place = (Fraction((p == i) - (p == other)) for p in places)
        difference = (*minus(outputs[i], outputs[other]), *place)
        if other not in inside:
            integer_row, scale = integers(difference)
            yield Row(integer_row, True, ((n, i, other), scale))
        elif i < other:
            yield from equation(difference, (n, i, other))


def _outputs(problem: MemoryProblem, word: Word, prompt: SoftPrompt | None) -> Array:
    """Return what is read at each position: behind a prompt its own is the first."""
    chain = problem.joint.model.chain()
    embeddings = chain.embed(word)
    return masked_outputs(chain, prompt.prepend(chain, embeddings) if prompt else embeddings)


class NoValues(Unserved, kind="no-values", says="no values serve {inputs}"):
    """Weights of outputs that cancel at each token, and not with the scores that they are to be.

    A term: the index of an input, a position in Ihat counted from 0, y_l for each label.
    """

    terms: tuple[tuple[int, int, Vector], ...]


@dataclass(frozen=True)
class _Place:
    word: Word
    position: int
    output: Vector
    scores: Vector


def no_values(problem: MemoryProblem, prompt: SoftPrompt | None = None) -> Conclusion | None:
    """Look for positions of Ihat, the first ones, that no values serve together; behind a prompt, where it is u*.

    Rows of values are of one token each: what cancels does so at one token already.
    """
    tokens = range(len(problem.model.tokens))
    for limit in (problem.effort.places, MORE_PLACES_FACTOR * problem.effort.places):
        places = list(islice(_places(problem, prompt), limit))
        for token_places in ([place for place in places if place.word[place.position] == token] for token in tokens):
            if weights := _cancelling(token_places, len(problem.task.labels)):
                used = [(place, y) for place, y in zip(token_places, weights, strict=True) if any(y)]
                numbers = {word: n for n, word in enumerate(dict.fromkeys(place.word for place, _ in used))}
                terms = tuple((numbers[place.word], place.position, y) for place, y in used)
                return Conclusion(False, NoValues(tuple(numbers), terms, prompt is not None))
        if len(places) < limit:
            break
    return None


def _cancelling(places: Sequence[_Place], labels: int) -> Matrix | None:
    """Find y_l of each place, so that outputs cancel for every l and scores add up to >= 0, not everywhere 0."""
    basis = null_basis(transpose([place.output for place in places])) if places else ()
    gains = [tuple(score * vector[i] for score in place.scores for vector in basis) for i, place in enumerate(places)]
    if not any(map(any, gains)):
        return None
    total = combine([Fraction(1)] * len(gains), gains)
    solution = decide([*(Row(integers(row)[0], False) for row in gains), Row(integers(total)[0], True)])
    if not isinstance(solution, Solution):
        return None
    size = len(basis)
    return transpose([combine(solution.b[l * size : (l + 1) * size], basis) for l in range(labels)])


def _places(problem: MemoryProblem, prompt: SoftPrompt | None) -> Iterator[_Place]:
    """Yield the positions of Ihat of the inputs in R, with mu_l'P[M_j*, X = x] for every label.

    Behind a prompt those at which it leaves a law.
    """
    for word in problem.inputs():
        if positions := problem.recoverable.membership(word).positions:
            outputs, after = _outputs(problem, word, prompt)[prompt is not None :], beta(problem.joint, word)
            scores = tuple(dot(row, after) for row in problem.joint.task_functionals)
            yield from (_Place(word, i, tuple(outputs[i]), scores) for i in positions if any(outputs[i]))
