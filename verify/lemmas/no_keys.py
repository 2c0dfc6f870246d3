"""No keys attend to exactly Ihat (C.2, C.9): weights of differences between outputs whose sum is 0.

Keys that attend to i and not to i' score G_i(x) higher than G_i'(x). So numbers t for finitely many (x, i, i') with the
sum of t (G_i(x) - G_i'(x)) 0, each t > 0 where i' is not in Ihat, exclude all keys; and scores of positions, if
they cancel at each position. C.9 fails as written: behind the prompt H_i can be surely in H* at a position that is not
in Ihat; inputs in which it and one of Ihat trade places, with the same outputs, exclude keys and position scores
together. `docs/certificate-format.md`, section 10.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from constructions.evidence import Evidence, Json, Word, written
from constructions.heads import SoftPrompt
from constructions.linear import Vector, integers
from constructions.messages import masked_outputs
from verify.conclusion import Conclusion
from verify.words.linear_programs import Multipliers, Row, decide, equation
from verify.words.memory_problem import MemoryProblem

Term: TypeAlias = tuple[int, int, int, Fraction]
"""(index of an input, a position in Ihat, another position, weight)."""


@dataclass(frozen=True)
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
    """Look for inputs of R that no keys serve together; behind u* no position embeddings, on those `included`."""
    prompt = None if included is None else problem.prompt
    inputs = []
    for word in problem.inputs():
        member = problem.recoverable.membership(word)
        if member.member and (included is None or included(word, problem.prompt)):
            inputs.append((word, member.positions))
    return _KeySystem(problem, prompt, inputs[: problem.effort.places]).refute()


class _KeySystem:
    """The inequalities that inputs of R put on keys: attended positions score alike, and above all others."""

    def __init__(
        self, problem: MemoryProblem, prompt: SoftPrompt | None, inputs: Sequence[tuple[Word, tuple[int, ...]]]
    ) -> None:
        self.words = [word for word, _ in inputs]
        self.prompted = prompt is not None
        positions = max((len(word) for word in self.words), default=0) + 1
        self.rows: list[Row] = []
        self.of: list[tuple[int, int, int, int]] = []
        for index, (word, attended) in enumerate(inputs):
            outputs = _outputs(problem, prompt, word)
            inside = [i + self.prompted for i in attended]
            for i, other in product(inside, range(len(outputs))):
                if i == other:
                    continue
                place = [Fraction((p == i) - (p == other)) for p in range(positions)] if self.prompted else []
                difference = [a - b for a, b in zip(outputs[i], outputs[other], strict=True)] + place
                whole, scale = integers(difference)
                if other not in inside:
                    self.rows.append(Row(whole, True))
                    self.of.append((index, i, other, scale))
                elif i < other:
                    self.rows += equation(whole)
                    self.of += [(index, i, other, scale), (index, i, other, -scale)]

    def refute(self) -> Conclusion | None:
        """Return multipliers that exclude all keys, if there are any."""
        found = decide(self.rows) if any(row.strict for row in self.rows) else None
        if not isinstance(found, Multipliers):
            return None
        weights: dict[tuple[int, int, int], Fraction] = {}
        for row, t in sorted(found.of.items()):
            index, i, other, scale = self.of[row]
            weights[index, i, other] = weights.get((index, i, other), Fraction(0)) + t * scale
        used = sorted({index for (index, _, _), t in weights.items() if t})
        terms = tuple((used.index(index), i, other, t) for (index, i, other), t in weights.items() if t)
        words = tuple(self.words[index] for index in used)
        return Conclusion(False, NoKeys(words, terms, self.prompted))


def _outputs(problem: MemoryProblem, prompt: SoftPrompt | None, word: Word) -> list[Vector]:
    """Return G_i(x) for every i, or behind a prompt Gbar_i(ehat(x)), exactly."""
    chain = problem.joint.model.chain()
    embeddings = chain.embed(word)
    if prompt is not None:
        embeddings = prompt.prepend(chain, embeddings)
    return [tuple(row) for row in masked_outputs(chain, embeddings)]
