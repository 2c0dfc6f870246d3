"""How strong is a linear head? The margin and the radius of each input, and the least of both over all inputs.

All inputs up to a certain length are taken into account. All numbers are exact. G is normalised: its entries are
probabilities.

- the **margin** of an input is the least difference between the score of the head's label and that of a rival: a label
  with another row in the head. For a binary head the margin is |b'G|. At a **tie** the margin is exactly 0, and the
  larger label wins by convention.
- the **radius** of an input is the largest e such that the head's label is the same on every vector Ghat in R^k with
  ||Ghat - G||_inf < e, whether or not Ghat is a distribution.

A linear head reads the output G at one position. |b'(Ghat - G)| is at most ||b||_1 ||Ghat - G||_inf, with equality at
Ghat - G = e sign(b) and -e sign(b). So the radius is the least (b_l - b_m)'G / ||b_l - b_m||_1 over rivals m of the
head's label l. It is 0 at a tie.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from typing import TypeAlias, TypeVar

from flint import fmpz_mat

from constructions.evidence import Json, Word, members, written
from constructions.heads import Classifier
from constructions.linear import Matrix, columns, integer_rows, minus, transpose
from constructions.models import HMM
from constructions.reading import InputError, as_text
from constructions.tasks import Task, class_rows, label_of
from verify.margin.enclosures import Enclosure, smallest_singular_value
from verify.words.problem import Problem, beta_levels

MAX_WORDS = 60_000
"""At most this many words are looked at."""

Step = TypeVar("Step")

Watch: TypeAlias = Callable[[Iterable[Step]], Iterable[Step]]
"""Passes on the steps of a computation, and may show its progress meanwhile. `iter` shows nothing."""


@dataclass(frozen=True)
class InputMargin:
    """One input: its label F*, the head's label, its margin and its radius.

    Margin and radius are None if all labels have the same row in the head: then no error changes the label.
    """

    word: Word
    label: int
    head_label: int
    margin: Fraction | None
    radius: Fraction | None


@dataclass(frozen=True)
class AtInput:
    """A number, and an input that attains it. In a `Strength` no input that attains it is shorter."""

    value: Fraction
    word: Word

    @property
    def document(self) -> Json:
        """The number and the input as JSON."""
        return {"value": as_text(self.value), "input": list(self.word)}


@dataclass(frozen=True)
class Norms:
    """||b_m - b_l||_1 and ||b_m - b_l||_2 for `labels` = (l, m), l < m, with b_l != b_m. A binary head has b_0 = 0."""

    labels: tuple[int, int]
    norm_1: Fraction
    norm_2: Enclosure

    @property
    def document(self) -> Json:
        """The norms as JSON. An enclosure is ["lo", "hi"]."""
        return {key: written(value) for key, value in members(self)}


@dataclass(frozen=True)
class Strength:
    """The figures of a head over all inputs of up to `length` tokens.

    Of inputs with proportional beta(x), only one is taken. `inputs`: the number of the inputs taken. `ties`: those at a
    tie. `recoverable_columns`: the states h with c[h] > 0 (c as in `functionals`), from which the output can come.
    `singular_value`: sigma_min of W. `recoverable_singular_value`: sigma_min of the columns of these states. `b`: the
    norms for each pair of labels with different rows.

    `smallest_score`: the least margin of inputs that are not ties. `largest_error`: the largest e such that no error
    below e changes a label. `largest_error_apart_from_ties`: the same for inputs that are not ties. Each of these three
    is None if there are no inputs of its kind, or if all rows of the head are equal. `mislabelled`: the first input to
    which the head does not give its label F*, or None.
    """

    statement: str
    model: HMM
    length: int
    inputs: int
    recoverable_columns: tuple[int, ...]
    singular_value: Enclosure
    recoverable_singular_value: Enclosure
    b: tuple[Norms, ...]
    ties: tuple[Word, ...]
    smallest_score: AtInput | None
    largest_error: AtInput | None
    largest_error_apart_from_ties: AtInput | None
    mislabelled: Word | None

    @property
    def document(self) -> Json:
        """The figures as JSON: the model is given by its name, the ties by their number and the first tie."""
        ties = {"count": len(self.ties), "input": written(self.ties[0]) if self.ties else None}
        figures = dict(members(self)) | {"model": self.model.name, "ties": ties}
        return {key: written(value) for key, value in figures.items()}


def strength(
    statement: str, model: HMM, task: Task, classifier: Classifier, length: int, watch: Watch[InputMargin] = iter
) -> Strength:
    """Measure a linear head on all inputs of up to `length` tokens. `watch` wraps the inputs, to show progress.

    Raises `InputError` if they are too many, or if no input follows the head's prompt with positive probability.
    """
    recoverable = tuple(h for h, weight in enumerate(classifier.weights(model)) if weight)
    if not recoverable:
        raise InputError("prompt", "one of probability 0", "one of positive probability")
    inputs = list(watch(linear_margins(Problem(model, task), classifier, length)))
    apart = [weighed for weighed in inputs if weighed.margin != 0]
    rows = class_rows(classifier.head.b)
    norms = distances(rows)
    return Strength(
        statement,
        model,
        length,
        len(inputs),
        recoverable,
        smallest_singular_value(model.emission),
        smallest_singular_value(columns(model.emission, recoverable)),
        tuple(
            Norms((l, m), norms[l][m], smallest_singular_value(transpose([minus(rows[m], rows[l])])))
            for l, m in combinations(task.labels, 2)
            if norms[l][m]
        ),
        ties=tuple(weighed.word for weighed in inputs if weighed.margin == 0),
        smallest_score=_least(apart, "margin"),
        largest_error=_least(inputs, "radius"),
        largest_error_apart_from_ties=_least(apart, "radius"),
        mislabelled=next((weighed.word for weighed in inputs if weighed.label != weighed.head_label), None),
    )


def linear_margins(problem: Problem, classifier: Classifier, length: int) -> Iterator[InputMargin]:
    """Yield the margins of the inputs of up to `length` tokens, one input for each direction of beta(x).

    Inputs whose beta(x) are proportional have the same labels, margin and radius. Where the output is 0/0, it is 0 by
    definition, and the input is a tie. Raises `InputError` if there are too many inputs.
    """
    levels = list(islice(beta_levels(problem, MAX_WORDS), length))
    if len(levels) < length and levels[-1]:
        raise InputError("--length", "more inputs than can be looked at", f"at most {len(levels)}")
    norms = distances(class_rows(classifier.head.b))
    read = fmpz_mat(functionals(problem, classifier)).transpose()
    for level in filter(None, levels):
        results = fmpz_mat([beta for _, beta in level]) * read
        for (word, _), numbers in zip(level, results.tolist(), strict=True):
            *scores, total, probability = map(int, numbers)
            if probability > 0:
                task_scores, head_scores = scores[: len(norms)], scores[len(norms) :]
                head_label = label_of(head_scores)
                gaps = (Fraction(head_scores[head_label] - score, total or 1) for score in head_scores)
                margins = [(gap, norm) for gap, norm in zip(gaps, norms[head_label], strict=True) if norm]
                least = min((gap for gap, _ in margins), default=None)
                radius = min((gap / norm for gap, norm in margins), default=None)
                yield InputMargin(word, label_of(task_scores), head_label, least, radius)


def functionals(problem: Problem, classifier: Classifier) -> Sequence[Sequence[int]]:
    """Return rows over the states, in integers of one scale: f_l of the task, g_l of the head, c, and P[H_0].

    There is a row f_l = mu_l o P[H_0] and a row g_l = (W'b_l) o c for each label l. c is P[H_1], or A(u o P[H_1])
    behind a prompt u. The head's score of x for label l is g_l'beta(x) / c'beta(x), since c'beta(x) is the sum of
    the entries of W diag(c) beta(x).
    """
    weights = problem.weights(classifier.prompt)
    return integer_rows(
        (*problem.task_functionals, *problem.head_functionals(classifier), weights, problem.model.initial)
    )[0]


def distances(rows: Matrix) -> list[list[Fraction]]:
    """Return ||row_l - row_m||_1 for all l and m."""
    return [[sum(map(abs, minus(row, other)), Fraction(0)) for other in rows] for row in rows]


def _least(inputs: Sequence[InputMargin], figure: str) -> AtInput | None:
    attained = [AtInput(value, w.word) for w in inputs if (value := getattr(w, figure)) is not None]
    return min(attained, key=lambda at: at.value, default=None)
