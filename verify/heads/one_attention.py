"""Does an attention head of theorem 4.3, 4.6 or C.6 compute F* on all of R? The head may be the user's own.

A head gives every x in R its label if it meets finitely many identities, over the columns of W that can occur
(`docs/certificate-format.md`, section 10, *Attention*). If it does not meet them, an input that it mislabels is sought.
A head may be right without the identities. Then the question is undecided.

Notation: constructions/__init__.py.
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
    """The head meets the identities of keys and values.

    At a position i in Ihat let p = P[M_j*, X_i = x_i | X_-i = x_-i]; behind a prompt, p is conditional on the prompt,
    too. The value of label l at i, less that of label 0, is `scale` times (mu_l - mu_0)'p. For a lemma on keys alone
    only the identities of keys are met, and `scale` is 1. For a lemma on values alone only those of values are met.
    """

    scale: Fraction


def judge(problem: MemoryProblem, classifier: AttentionClassifier) -> Meets | NoInputInR | Disagreement | None:
    """Show that a head gives every x in R its label, or find an input of R that it mislabels; None: undecided."""
    if evidence := meets(problem, classifier):
        return evidence
    shape, chain = problem.model.shape, problem.joint.model.chain()
    inputs = problem.in_r(problem.inputs())
    judged = ((labelled, classifier.attention(shape, chain, labelled.word).label) for labelled in inputs)
    wrong = (Disagreement(x.word, (x.label, label)) for x, label in judged if label != x.label)
    return next(wrong, None)


def meets(problem: MemoryProblem, classifier: AttentionClassifier) -> Meets | NoInputInR | None:
    """Return evidence that R is empty, or that keys and values meet their identities; None if neither is shown."""
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
    """Conclude by the first of these heads for which `meets` has evidence; None if there is no such head."""
    judged = ((classifier, meets(problem, classifier)) for classifier in classifiers)
    return next((Conclusion(True, evidence, classifier) for classifier, evidence in judged if evidence), None)


def _keys(
    problem: MemoryProblem,
    head: AttentionHead,
    columns: Sequence[int],
    recoverable_columns: Sequence[int],
    prompted: bool,
) -> bool:
    """Tell whether the keys meet their identities.

    Columns of H* have the same key score, and all other `columns` a smaller one. All positions have the same position
    score, except a prompt's. In total, the prompt's position scores less than any other position can.
    """
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
    """Yield value / goal for each token z, label l >= 1 and column (m,h) of W in `columns`.

    The value is (r_l - r_0)'W[:,(m,h)], where r_l is the value row of label l at token z. The goal is (mu_l[m] -
    mu_0[m]) W[z,(m,h)] for a column of H*, and 0 for others. If the goal is 0 and the value is not, 0 is yielded; if
    both are 0, nothing is. The values meet their identity iff all results are one positive number.
    """
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
