"""The inputs of a picture: all up to a length, with posterior, probability, F*, and what a head makes of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, product
from typing import TypeAlias

from constructions.evidence import Word
from constructions.linear import Vector, dot
from constructions.reading import InputError
from constructions.tasks import label_of
from verify.views.explain import cell_law
from verify.views.plots.subject import Subject
from verify.words.problem import beta, multiply

USUAL, MOST = 300, 3000
"""How many inputs are drawn where no length is asked for, and at most."""

LONGEST = 8
"""The longest inputs that are drawn where no length is asked for."""

Head: TypeAlias = Callable[[Word, Vector], Vector]
"""From a word and its beta to scores."""


@dataclass(frozen=True)
class Point:
    """One input.

    `posterior`: P[H_0 | x], or of a memory model P[M_j* | x]. `head_scores`: up to a positive scale; for linear heads
    that scale is Pr(x). `counts`: whether the theorem speaks of it: of a memory model, whether it is in R.
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
        """Whether the theorem speaks of it and the head is wrong."""
        return self.counts and self.head_label not in (None, self.label)


def usual_length(tokens: int, most: int = USUAL) -> int:
    """Return the greatest length up to which there are no more words than so many, and at least 1."""
    lengths = (t for t in range(LONGEST, 1, -1) if sum(tokens**i for i in range(1, t + 1)) <= most)
    return next(lengths, 1)


def list_points(subject: Subject, length: int | None) -> list[Point]:
    """Return every input up to a length, by length and then by tokens, and then longer ones that refute the theorem.

    Raises `InputError` where they are too many.
    """
    tokens = len(subject.model.tokens)
    length = usual_length(tokens) if length is None else length
    if length < 1:
        raise InputError("length", str(length), "at least 1")
    if sum(tokens**t for t in range(1, length + 1)) > MOST:
        raise InputError("length", f"{length}, more than {MOST} words", f"at most {usual_length(tokens, MOST)}")
    head = _head(subject)
    words = chain.from_iterable(product(range(tokens), repeat=t) for t in range(1, length + 1))
    longer = (word for word in subject.refuting if len(word) > length)
    return [point for word in chain(words, longer) if (point := _point(subject, head, word))]


def _point(subject: Subject, head: Head | None, word: Word) -> Point | None:
    own = beta(subject.problem, word)
    joint = multiply(subject.problem.model.initial, own)
    probability = sum(joint, Fraction(0))
    if not probability:
        return None
    law = tuple(p / probability for p in joint)
    posterior = law if subject.memory is None else cell_law(subject.memory, law)
    scores = tuple(dot(row, posterior) for row in subject.task.classes)
    counts = subject.memory is None or subject.memory.recoverable.membership(word).member
    head_scores = None if head is None else head(word, tuple(b / probability for b in own))
    return Point(word, posterior, probability, scores, head_scores, counts)


def _head(subject: Subject) -> Head | None:
    """Return the head as a function of a word and beta(x) / Pr(x), to scores; None without a head."""
    linear, attention = subject.linear, subject.attention
    if linear is not None:
        rows = subject.problem.head_functionals(linear)
        return lambda word, own: tuple(dot(row, own) for row in rows)
    if attention is not None and subject.memory is not None:
        shape, hbar = subject.memory.model.shape, subject.memory.joint.model.chain()
        return lambda word, own: attention.attention(shape, hbar, word).output
    return None
