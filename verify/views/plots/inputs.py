"""The inputs of a picture: all up to a length, and the longer ones that refute the theorem.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, product

from constructions.evidence import Word
from constructions.linear import Vector, dot
from constructions.memory.attention import AttentionClassifier
from constructions.reading import InputError
from constructions.tasks import label_of
from verify.views.explain import cell_law
from verify.views.plots.subject import Subject
from verify.words.problem import beta, multiply

USUAL_COUNT, MAX_COUNT = 300, 3000
"""The limits on the number of words: where the user sets no length, and in any case."""

MAX_USUAL_LENGTH = 8
"""The greatest length of inputs that are drawn where the user sets no length."""


@dataclass(frozen=True)
class Point:
    """One input x, with its probability Pr(x).

    `posterior`: P[H_0 | x], or for a memory model P[M_j* | x]. `scores`: mu_l applied to the posterior, for each label
    l; F* is their arg max. `head_scores`: the head's scores, up to a positive factor; None if there is no head.
    `counts`: whether the theorem is about the input. For a memory model this means that the input is in R.
    """

    word: Word
    posterior: Vector
    probability: Fraction
    scores: Vector
    head_scores: Vector | None
    counts: bool

    @property
    def label(self) -> int:
        """F*."""
        return label_of(self.scores)

    @property
    def head_label(self) -> int | None:
        """The head's label, if there is a head."""
        return None if self.head_scores is None else label_of(self.head_scores)

    @property
    def mislabelled(self) -> bool:
        """Whether the theorem is about the input, and the head's label is not F*."""
        return self.counts and self.head_label not in (None, self.label)


def greatest_length(length: int | None, tokens: int) -> int:
    """Return the user's `length`. Raises `InputError` if it is below 1.

    If it is None, return the greatest t <= MAX_USUAL_LENGTH such that at most USUAL_COUNT words have at most t tokens.
    Return 1 if there is no such t.
    """
    if length is None:
        lengths = (t for t in range(MAX_USUAL_LENGTH, 1, -1) if sum(tokens**i for i in range(1, t + 1)) <= USUAL_COUNT)
        return next(lengths, 1)
    if length < 1:
        raise InputError("length", str(length), "at least 1")
    return length


def list_points(subject: Subject, length: int | None) -> list[Point]:
    """Return every input up to a length, shorter ones first, and then the longer inputs that refute the theorem.

    `length`: as for `greatest_length`. Raises `InputError` for a length below 1, or if there are more words than
    `MAX_COUNT`.
    """
    tokens = len(subject.model.tokens)
    length = greatest_length(length, tokens)
    if sum(tokens**t for t in range(1, length + 1)) > MAX_COUNT:
        raise InputError("length", f"{length}, more than {MAX_COUNT} words", "a smaller one")
    points, memory, linear = list[Point](), subject.memory, subject.linear
    hbar, rows = subject.problem.model.chain(), subject.problem.head_functionals(linear) if linear else ()
    words = chain.from_iterable(product(range(tokens), repeat=t) for t in range(1, length + 1))
    for word in chain(words, (word for word in subject.refuting if len(word) > length)):
        beta_of_x = beta(subject.problem, word)
        joint = multiply(subject.problem.model.initial, beta_of_x)
        if not (probability := sum(joint, Fraction(0))):
            continue
        posterior = tuple(p / probability for p in joint)
        head_scores, counts = tuple(dot(row, beta_of_x) / probability for row in rows) or None, True
        if memory is not None:
            posterior, counts = cell_law(memory, posterior), memory.recoverable.membership(word).member
            if isinstance(subject.classifier, AttentionClassifier):
                head_scores = subject.classifier.attention(memory.model.shape, hbar, word).output
        scores = tuple(dot(row, posterior) for row in subject.task.classes)
        points.append(Point(word, posterior, probability, scores, head_scores, counts))
    return points
