"""One attention head, held against F* on all of R: theorems 4.3, 4.6 and C.6, whether it was built or is one's own.

Finite identities over the columns that can occur settle that it gives every x in R its label
(`docs/certificate-format.md`, section 10, *Attention*); otherwise an input that it mislabels is looked for. A head may
be right without the identities: then it is undecided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from constructions.evidence import Evidence
from constructions.linear import dot, minus, transpose
from constructions.memory.attention import AttentionClassifier, AttentionHead
from constructions.tasks import class_rows
from verify.conclusion import Conclusion
from verify.words.agreement import Disagreement
from verify.words.memory_problem import MemoryProblem, NoInputInR


class Meets(Evidence, kind="attention"):
    """The head meets the identities: its values are `scale` times mu'P[M_j*, X_i | X_-i]."""

    scale: Fraction


def judge(problem: MemoryProblem, classifier: AttentionClassifier) -> Meets | NoInputInR | Disagreement | None:
    """Decide whether a head gives every x in R its label, or find an input of R that it mislabels."""
    if evidence := meets(problem, classifier):
        return evidence
    shape, chain = problem.model.shape, problem.joint.model.chain()
    inputs = problem.in_r(problem.inputs())
    judged = ((labelled, classifier.attention(shape, chain, labelled.word).label) for labelled in inputs)
    wrong = (Disagreement(x.word, (x.label, label)) for x, label in judged if label != x.label)
    return next(wrong, None)


def meets(problem: MemoryProblem, classifier: AttentionClassifier) -> Meets | NoInputInR | None:
    """Tell whether R is empty, or keys and values meet their identities."""
    if problem.empty:
        return NoInputInR()
    prompt = classifier.prompt
    if prompt is not None and not problem.keeps_the_law(prompt):
        return None
    columns = problem.possible if prompt is None else problem.columns_behind(prompt)
    recoverable_columns = problem.recoverable_columns(columns)
    if not _keys(problem, classifier.head, columns, recoverable_columns, prompt is not None):
        return None
    read = recoverable_columns if prompt is None else columns
    scale, *others = {*_ratios(problem, classifier.head, read, recoverable_columns)} or {Fraction(1)}
    return Meets(scale) if not others and scale > 0 else None


def first_met(problem: MemoryProblem, classifiers: Iterable[AttentionClassifier]) -> Conclusion | None:
    """Return the first head that is known to give every x in R its label."""
    judged = ((classifier, meets(problem, classifier)) for classifier in classifiers)
    return next((Conclusion(True, evidence, classifier) for classifier, evidence in judged if evidence), None)


def _keys(
    problem: MemoryProblem,
    head: AttentionHead,
    columns: Sequence[int],
    recoverable_columns: Sequence[int],
    prompted: bool,
) -> bool:
    """Tell whether columns of H* have one key score, the other ones smaller ones, and position 1 is out of reach."""
    W = transpose(problem.model.emission)
    scores = {c: dot(head.key_row, W[c]) for c in {*columns, *problem.possible}}
    places = [head.position_score(i) for i in range(len(head.position) + 1)]
    best = {scores[c] for c in recoverable_columns}
    separated = len(best) <= 1 and all(scores[c] < top for top in best for c in columns if c not in recoverable_columns)
    if not separated or len(set(places[prompted:])) > 1:
        return False
    smallest = min([Fraction(0), *(scores[c] for c in columns)]) + places[1]
    return not prompted or smallest > max(scores[c] for c in problem.possible) + places[0]


def _ratios(
    problem: MemoryProblem, head: AttentionHead, columns: Sequence[int], recoverable_columns: Sequence[int]
) -> Iterator[Fraction]:
    """Yield value / (mu W) wherever it is not 0/0, or 0 where only mu W is 0. It has to be one positive number."""
    W, shape = transpose(problem.model.emission), problem.model.shape
    first, *others = class_rows(problem.task.mu)
    for token, embedding in enumerate(head.embedding):
        zero, *rows = head.value_rows(embedding)
        for row, mu in zip(rows, others, strict=True):
            for c in columns:
                value, m = dot(minus(row, zero), W[c]), shape.value_of(c)
                goal = (mu[m] - first[m]) * W[c][token] * (c in recoverable_columns)
                if goal or value:
                    yield value / goal if goal else Fraction(0)
