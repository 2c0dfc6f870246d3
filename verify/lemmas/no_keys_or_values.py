"""Evidence that no keys attend to exactly Ihat (C.2, C.9), or that no values meet C.4 or C.13: outputs that cancel.

Ihat(x) is the set of positions i at which H_i, given x_-i, is surely in H*. The rules for this evidence are in
`docs/certificate-format.md`, section 10 for keys and section 11 for values.

**Keys.** A key row k over the tokens scores position i of an input x by k'G_i(x). Keys attend to exactly Ihat(x) iff,
for every i in Ihat(x),

    k'(G_i(x) - G_j(x)) = 0    for every other j in Ihat(x),
    k'(G_i(x) - G_j(x)) > 0    for every j not in Ihat(x).

Take finitely many triples (x, i, j) with i in Ihat(x), and for each a number t, where t > 0 if j is not in Ihat(x).
Let at least one j be outside Ihat(x). If the sum of t (G_i(x) - G_j(x)) over the triples is 0, no keys meet all these
conditions.

Let j* be the task's cell. For C.9 the outputs are Gbar behind u*, the prompt that is 1 at all memories with m_j* in
supp(mu), and 0 at all others. Each position also has a score of its own, the same for all inputs. The triples exclude
keys with such scores, too, if for each position p the sum of t over the triples with i = p is the sum over those with j
= p. C.9 is false as written. Some positions i outside Ihat(x) look like those in Ihat(x), since behind u* their H_i is
surely in H*. Two inputs x and y can be enough to exclude all keys and position scores. Suppose that their outputs at a
position p are equal, and so are their outputs at another position q. Suppose also that Ihat(x) contains p and not q,
while Ihat(y) contains q and not p. Then x requires that p scores more than q, and y requires the opposite.

**Values.** Lemma C.4 says V_l(G_i(x), e(x_i)) = r mu_l'P[M_j* | X = x] for every label l and every i in Ihat(x). The
number r > 0 may depend on x and i, but not on l. At the token z = x_i the value V_l is c_l[z]'G_i(x), with a value row
c_l[z] over the tokens. Take finitely many pairs (x, i) with i in Ihat(x), and for each pair a number
y_l for every label l, such that

1. for every l and z the sum of y_l G_i(x) over the pairs with x_i = z is 0;
2. for every pair the sum over l of y_l mu_l'P[M_j* | X = x] is >= 0, and for some pair it is > 0.

By 1 the sum of y_l V_l over all pairs and labels is 0, whatever the values are. By 2 the sum of
y_l r mu_l'P[M_j* | X = x] is > 0, whatever the r > 0 are. So no values meet C.4. For C.13, Gbar_{i+1} behind u* takes
the place of G_i.

Notation: constructions/__init__.py.
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
"""If the first positions do not exclude all values, this many times as many positions are tried."""


class Unserved(Evidence):
    """Inputs that exclude all keys, or all values. A term begins with the index of an input in `inputs`.

    `prompted`: whether the outputs are those behind u*.
    """

    inputs: tuple[Word, ...]
    terms: tuple[tuple[Any, ...], ...]
    prompted: bool

    @property
    def document(self) -> Json:
        """The inputs and the terms. Behind u* the kind has "no-prompted-" in the place of "no-"."""
        kind = self.kind.replace("no-", "no-prompted-") if self.prompted else self.kind
        return {"kind": kind, "inputs": written(self.inputs), "terms": written(self.terms)}


class NoKeys(Unserved, kind="no-keys", says="no keys serve {inputs}"):
    """Weights t of differences G_i(x) - G_j(x) whose weighted sum is 0. Behind u* the outputs are Gbar.

    A term is (index of x, a position i in Ihat(x), another position j, t). Positions count from 0; behind u* position 0
    is the prompt's.
    """

    terms: tuple[tuple[int, int, int, Fraction], ...]


def no_keys(problem: MemoryProblem, included: Callable[[Word, SoftPrompt], bool] | None = None) -> Conclusion | None:
    """Look for inputs of R that exclude all keys: without a prompt for C.2, behind u* for C.9.

    `included`: None for C.2. For C.9, `included(word, u*)` tells whether the lemma is about this word. For C.9 the
    inputs exclude all keys with all position scores. Return None if the inputs tried do not suffice.
    """
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
    """Yield the conditions of input n: the positions in Ihat have the same score, all others a smaller one.

    The unknowns are a key row and, for each position in `places`, its position score. Each row is for one i and j: it
    is `scale` times the difference (score of i) - (score of j), and its field `of` is ((n, i, j), scale).
    """
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
    """Return the outputs G_i at all positions, (t, k), or behind a prompt Gbar_i, (t + 1, k), the prompt's first."""
    chain = problem.joint.model.chain()
    embeddings = chain.embed(word)
    return masked_outputs(chain, prompt.prepend(chain, embeddings) if prompt else embeddings)


class NoValues(Unserved, kind="no-values", says="no values serve {inputs}"):
    """Weights y_l. With these weights outputs cancel at each token, but the values that C.4 or C.13 asks for do not.

    A term is (index of an input, a position of it in Ihat counted from 0, (y_0, ..., y_{K-1})).
    """

    terms: tuple[tuple[int, int, Vector], ...]


@dataclass(frozen=True)
class _Place:
    """A position in Ihat of a word: the `output` there (k,), and mu_l'P[M_j*, X = word] for each label (`scores`)."""

    word: Word
    position: int
    output: Vector
    scores: Vector


def no_values(problem: MemoryProblem, prompt: SoftPrompt | None = None) -> Conclusion | None:
    """Look for positions in Ihat that no values serve together: without a prompt for C.4, behind u* for C.13.

    Each token has value rows of its own. So it is enough to look at the positions of one token at a time. Return None
    if the positions tried do not exclude all values.
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
    """Find numbers y_l for each place, (places, labels), that exclude all values. None: there are none, or undecided.

    For every l the sum of y_l `output` over the places is 0. At every place the sum of y_l scores[l] over the labels is
    >= 0, and at some place it is > 0.
    """
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
    """Yield the positions in Ihat of the inputs in R. Behind a prompt, leave out positions at which the output is 0."""
    for word in problem.inputs():
        if positions := problem.recoverable.membership(word).positions:
            outputs, after = _outputs(problem, word, prompt)[prompt is not None :], beta(problem.joint, word)
            scores = tuple(dot(row, after) for row in problem.joint.task_functionals)
            yield from (_Place(word, i, tuple(outputs[i]), scores) for i in positions if any(outputs[i]))
