"""One attention head, held against F* on all of R: theorems 4.3, 4.6 and C.6 for a head of one's own.

Finite identities over the columns that can occur settle that it gives every x in R its label
(`docs/certificate-format.md`, section 10, *Attention*); otherwise an input that it mislabels is looked for. A head may
be right without the identities: then it is undecided.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from constructions.attention import AttentionClassifier, AttentionHead
from constructions.joint_chain import joint_chain
from constructions.linear import dot, transpose
from constructions.tasks import class_rows
from verify.agreement import Disagreement
from verify.attending import NoInputInR, no_input_in_r
from verify.functionals import Inputs
from verify.memory_problem import MemoryProblem


@dataclass(frozen=True)
class Meets:
    """The head meets the identities: its values are `scale` times mu'P[M_j*, X_i | X_-i]."""

    scale: Fraction


def judge(problem: MemoryProblem, classifier: AttentionClassifier) -> Meets | NoInputInR | Disagreement | None:
    """Decide whether a head gives every x in R its label, or find an input of R that it mislabels."""
    if no_input_in_r(problem):
        return NoInputInR()
    scale = _scale(problem, classifier)
    if scale is not None:
        return Meets(scale)
    chain, inputs = joint_chain(problem.model), Inputs(problem.joint)
    for word in problem.inputs():
        one = inputs.of(word) if problem.recoverable.membership(word).member else None
        if one is not None and (label := classifier.label(chain, word)) != one.label:
            return Disagreement(word, (one.label, label))
    return None


def _scale(problem: MemoryProblem, classifier: AttentionClassifier) -> Fraction | None:
    """Return the scale of the values if keys and values meet their identities."""
    prompt = classifier.prompt
    columns = problem.possible
    if prompt is not None:
        if not problem.stationary or prompt.u != problem.prompt.u:
            return None  # other prompts may do as well; only the proof's is known to
        columns = problem.behind
    own = [c for c in columns if c % problem.model.shape.hidden in problem.states]
    if not own or not _keys(problem, classifier.head, columns, own, prompt is not None):
        return None
    ratios = set(_ratios(problem, classifier.head, columns, own, prompt is not None))
    ratios.discard(None)
    return ratios.pop() if len(ratios) == 1 and all(ratio and ratio > 0 for ratio in ratios) else None


def _keys(
    problem: MemoryProblem, head: AttentionHead, columns: tuple[int, ...], own: list[int], prompted: bool
) -> bool:
    """Tell whether columns of H* have one key score, the other ones smaller ones, and position 1 is out of reach."""
    W = transpose(problem.model.emission)
    scores = {c: dot(head.key_row, W[c]) for c in {*columns, *problem.possible}}
    places = [head.position_score(i) for i in range(len(head.position) + 1)]
    top = scores[own[0]]
    alike = len(set(places[prompted:])) == 1
    told = all(scores[c] == top if c in own else scores[c] < top for c in columns)
    if not prompted:
        return alike and told
    least = min(Fraction(0), *(scores[c] for c in columns)) + places[1]
    return alike and told and least > max(scores[c] for c in problem.possible) + places[0]


def _ratios(
    problem: MemoryProblem, head: AttentionHead, columns: tuple[int, ...], own: list[int], prompted: bool
) -> Iterator[Fraction | None]:
    """Yield value / (mu W) wherever it is to be one positive number; None where both are 0, 0 where they clash."""
    W, hidden = transpose(problem.model.emission), problem.model.shape.hidden
    mu = class_rows(problem.task.mu)
    for token, embedding in enumerate(head.embedding):
        rows = head.value_rows(embedding)
        for label in range(1, len(mu)):
            row = tuple(a - b for a, b in zip(rows[label], rows[0], strict=True))
            for c in columns if prompted else own:
                value = dot(row, W[c])
                m = c // hidden
                goal = (mu[label][m] - mu[0][m]) * W[c][token] * (c in own)
                yield value / goal if goal else (Fraction(0) if value else None)
