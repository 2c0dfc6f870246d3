"""No keys attend to exactly Ihat (C.2, C.9): weights of differences between outputs whose sum is 0.

Keys that attend to i and not to i' score G_i(x) higher than G_i'(x). So numbers t for finitely many (x, i, i') with the
sum of t (G_i(x) - G_i'(x)) 0, each t > 0 where i' is not in Ihat, exclude all keys; and scores of positions, if
they cancel at each position. C.9 fails as written: behind the prompt H_i can be surely in H* at a position that is not
in Ihat; inputs in which it and one of Ihat trade places, with the same outputs, exclude keys and position scores
together. `docs/certificate-format.md`, section 10.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from constructions.evidence import Evidence, Json, Word, written
from constructions.heads import SoftPrompt
from constructions.linear import integers, minus
from constructions.messages import masked_outputs
from verify.conclusion import Conclusion
from verify.words.linear_programs import Multipliers, Row, decide, equation
from verify.words.memory_problem import MemoryProblem

Term: TypeAlias = tuple[int, int, int, Fraction]
"""(index of an input, a position in Ihat, another position, weight)."""


class NoKeys(Evidence, kind="no-keys", says="no keys serve {inputs}"):
    """Weights of differences between outputs, attended to minus others, whose sum is 0; behind u* or not."""

    inputs: tuple[Word, ...]
    terms: tuple[Term, ...]
    prompted: bool

    @property
    def document(self) -> Json:
        """The inputs and terms; another kind behind u*."""
        kind = "no-prompted-keys" if self.prompted else self.kind
        return {"kind": kind, "inputs": written(self.inputs), "terms": written(self.terms)}


def refute(problem: MemoryProblem, included: Callable[[Word, SoftPrompt], bool] | None = None) -> Conclusion | None:
    """Look for inputs of R that no keys serve together; behind u* with any position embeddings, on those `included`."""
    prompt = None if included is None else problem.prompt
    members = ((word, problem.recoverable.membership(word)) for word in problem.inputs())
    inputs = [
        (word, member.positions)
        for word, member in members
        if member.member and (included is None or included(word, problem.prompt))
    ][: problem.effort.places]
    positions = max((len(word) for word, _ in inputs), default=0) + 1 if prompt else 0
    rows = [row for n, one in enumerate(inputs) for row in _rows(problem, prompt, n, *one, range(positions))]
    found = decide(rows) if any(row.strict for row in rows) else None
    if not isinstance(found, Multipliers):
        return None
    weights: dict[tuple[int, int, int], Fraction] = {}
    for (difference, scale), t in found.over(rows):
        weights[difference] = weights.get(difference, Fraction(0)) + t * scale
    used = sorted({n for (n, _, _), t in weights.items() if t})
    terms = tuple((used.index(n), i, other, t) for (n, i, other), t in weights.items() if t)
    return Conclusion(False, NoKeys(tuple(inputs[n][0] for n in used), terms, prompt is not None))


def _rows(
    problem: MemoryProblem, prompt: SoftPrompt | None, n: int, word: Word, attended: Sequence[int], places: range
) -> Iterator[Row]:
    """Yield what input n asks of keys: attended positions score alike, and above all others; of (difference, scale)."""
    chain = problem.joint.model.chain()
    embeddings = chain.embed(word)
    outputs = masked_outputs(chain, prompt.prepend(chain, embeddings) if prompt else embeddings)
    inside = [i + (prompt is not None) for i in attended]
    for i, other in product(inside, range(len(outputs))):
        place = (Fraction((p == i) - (p == other)) for p in places)
        difference = (*minus(outputs[i], outputs[other]), *place)
        if other not in inside:
            whole, scale = integers(difference)
            yield Row(whole, True, ((n, i, other), scale))
        elif i < other:
            yield from equation(difference, (n, i, other))
