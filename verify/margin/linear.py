"""How strong is a linear head? By how much it decides, and which errors in the language model's outputs it bears.

Over all inputs up to a length, exactly, with G normalised (true probabilities):

- the **margin** of an input is the least difference between the score of the head's label and that of a rival, for a
  binary head |b'G|; at a **tie** it is exactly 0, and the label is the larger one by convention;
- the **radius** of an input is the largest e such that every Ghat with ||Ghat_i - G_i||_inf < e at each position i that
  the head reads leaves its label as it is: any vectors Ghat_i in R^k, whether or not they are distributions.

A linear head reads one output: |b'(Ghat - G)| <= ||b||_1 ||Ghat - G||_inf, with equality at Ghat - G = +-e sign(b). So
its radius is the least (b_l - b_m)'G / ||b_l - b_m||_1 over rivals m of its label l, and 0 at a tie.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from flint import fmpz_mat

from constructions.evidence import Json, Word
from constructions.heads import Classifier
from constructions.linear import dot, minus
from constructions.reading import InputError, as_text
from constructions.tasks import class_rows, label_of
from verify.heads.no_linear import linear_features
from verify.words.problem import Problem, beta_levels, shared_integers

MAX_WORDS = 60_000
"""How many words are looked at."""


@dataclass(frozen=True)
class Weighed:
    """One input: its label F*, the head's, its margin, and its radius (both None where no rival can come to win)."""

    word: Word
    label: int
    head_label: int
    margin: Fraction | None
    radius: Fraction | None


@dataclass(frozen=True)
class AtInput:
    """A number, and the first input (by length, then by tokens) that attains it."""

    value: Fraction
    word: Word

    @property
    def document(self) -> Json:
        """The number and the input as JSON."""
        return {"value": as_text(self.value), "input": list(self.word)}


@dataclass(frozen=True)
class Margins:
    """Over some inputs: how many there are, the ties, and the least of everything else.

    `score`: the least margin apart from ties. `error`: the least radius, and `error_apart_from_ties`. None where there
    is no such input. `mislabelled`: the first input to which the head does not give its label F*.
    """

    inputs: int
    ties: tuple[Word, ...]
    score: AtInput | None
    error: AtInput | None
    error_apart_from_ties: AtInput | None
    mislabelled: Word | None


def summary(inputs: Sequence[Weighed]) -> Margins:
    """Sum up the inputs, which come by length and then by tokens."""
    ties = tuple(weighed.word for weighed in inputs if weighed.margin == 0)
    apart = [weighed for weighed in inputs if weighed.margin != 0]
    return Margins(
        inputs=len(inputs),
        ties=ties,
        score=_least((weighed.margin, weighed.word) for weighed in apart),
        error=_least((weighed.radius, weighed.word) for weighed in inputs),
        error_apart_from_ties=_least((weighed.radius, weighed.word) for weighed in apart),
        mislabelled=next((weighed.word for weighed in inputs if weighed.label != weighed.head_label), None),
    )


def linear_margins(problem: Problem, classifier: Classifier, length: int) -> Iterator[Weighed]:
    """Weigh every input up to a length, one for each direction of beta(x): the head reads the same of all others.

    Where the output is 0/0, Gbar is 0 by definition: a tie.
    """
    functionals = shared_integers((*problem.task_functionals, problem.model.initial))
    features = linear_features(problem, classifier.prompt)
    rows = class_rows(classifier.head.b)
    for level in _levels(problem, length):
        betas = fmpz_mat([list(beta) for _, beta in level]).transpose()
        read = ((matrix * betas).transpose().tolist() for matrix in (functionals, features))
        for (word, _), scores, output in zip(level, *read, strict=True):
            *task_scores, probability = map(int, scores)
            if probability > 0:
                total = sum(map(int, output)) or 1
                law = tuple(Fraction(int(x), total) for x in output)
                head_label = label_of([dot(row, law) for row in rows])
                differences = (minus(rows[head_label], row) for row in rows)
                margins = [(dot(row, law), sum(map(abs, row))) for row in differences if any(row)]
                least = min((margin for margin, _ in margins), default=None)
                radius = min((margin / norm for margin, norm in margins), default=None)
                yield Weighed(word, label_of(task_scores), head_label, least, radius)


def _levels(problem: Problem, length: int) -> list[list[tuple[Word, tuple[int, ...]]]]:
    """Return the words of length 1, 2, ... with their betas; refuse a length up to which there are too many."""
    levels = list(islice(beta_levels(problem, MAX_WORDS), length))
    if len(levels) < length and (not levels or levels[-1]):
        reached = len(levels)
        expected = f"at most {reached}" if reached else f"a model with fewer than {MAX_WORDS} inputs of length 1"
        raise InputError("--length", "more inputs than can be looked at", expected)
    return [sorted(level) for level in levels if level]


def _least(values: Iterable[tuple[Fraction | None, Word]]) -> AtInput | None:
    attained = [AtInput(value, word) for value, word in values if value is not None]
    return min(attained, key=lambda at: at.value, default=None)
