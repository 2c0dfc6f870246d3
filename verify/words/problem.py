"""Labels as linear functionals of beta(x) = P[X = x | H_0].

For a word x and a token z, beta(z x) = M_z beta(x) with M_z = A' diag(W[z,:]). The task scores an input by the
functionals mu_l o P[H_0] of beta(x); a linear head, with or without a prompt, by (W'b_l) o c, where c is P[H_1]
without a prompt u and A(u o P[H_1]) with it. So F* and every head are labellings by the arg max of functionals, and
all that ever has to be compared are their signs. Below a prefix w, the functionals of the rest of the input are those
times M_w.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, count
from operator import mul

from flint import fmpz_mat

from constructions.evidence import Finding, Word
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.linear import Matrix, Vector, coprime, integer_rows, product
from constructions.linear import multiply as multiply
from constructions.models import HMM
from constructions.tasks import Task, class_rows, label_of
from constructions.word_steps import WordSteps
from verify.words.effort import USUAL, Effort

MAX_BETA_WORDS = 2_000_000
"""How many 64-bit words the betas of enumerated inputs may take."""


@dataclass(frozen=True)
class Problem:
    """A model and a task, prepared for walking over words, in integers up to one positive scale.

    `findings` are those of a statement's hypotheses, `effort` bounds the work.
    """

    model: HMM
    task: Task
    findings: tuple[Finding, ...] = ()
    effort: Effort = USUAL

    @cached_property
    def steps(self) -> WordSteps:
        """The model's steps along a word."""
        return WordSteps(self.model.transition, self.model.emission)

    @property
    def joint(self) -> Problem:
        """The problem itself, as there is no memory."""
        return self

    @property
    def recoverable_states(self) -> tuple[int, ...] | None:
        """H*: there is none without memory."""
        return None

    @cached_property
    def states(self) -> int:
        """The number n of hidden states."""
        return len(self.model.states)

    @cached_property
    def betas(self) -> dict[Word, Vector]:
        """The results of `beta` by word: trees need the same words at every node."""
        return {}

    @cached_property
    def task_functionals(self) -> Matrix:
        """f_l = mu_l o P[H_0], one row for each label."""
        return tuple(multiply(row, self.model.initial) for row in self.task.classes)

    def rows(self, differences: Matrix) -> Matrix:
        """Write the b_l - b_0, l >= 1, as the rows of a head: as many as mu has."""
        return differences if len(self.task.mu) == 1 else ((Fraction(0),) * len(differences[0]), *differences)

    def weights(self, prompt: SoftPrompt | None) -> Vector:
        """c: P[H_1], or behind a prompt u A(u o P[H_1])."""
        return Classifier(LinearHead(()), prompt).weights(self.model)

    def features(self, prompt: SoftPrompt | None) -> Matrix:
        """W diag(c). Its product with beta(x) is the masked output, up to a positive scale."""
        weights = self.weights(prompt)
        return tuple(multiply(row, weights) for row in self.model.emission)

    def head_functionals(self, classifier: Classifier) -> Matrix:
        """g_l = (W'b_l) o c, one row for each label."""
        weights = self.weights(classifier.prompt)
        return tuple(multiply(row, weights) for row in product(class_rows(classifier.head.b), self.model.emission))


@dataclass(frozen=True)
class Labelled:
    """A word of positive probability, and its label F*."""

    word: Word
    label: int


@dataclass(frozen=True)
class Input(Labelled):
    """A word with its label, and with beta(word) up to a positive scale."""

    beta: tuple[int, ...]


def shared_integers(rows: Matrix) -> fmpz_mat:
    """Return rows times their common denominator, a matrix of integers."""
    return fmpz_mat(integer_rows(rows)[0])


def beta_levels(problem: Problem, limit: int) -> Iterator[list[tuple[Word, tuple[int, ...]]]]:
    """Yield for length 1, 2, ... the words with beta not 0, in order, until more than `limit` would be visited.

    Only the first word of each direction of beta counts: two words whose betas are proportional have the same label,
    the same head input and the same scores, now and behind every prefix.
    """
    directions: set[tuple[int, ...]] = set()
    size = 0  # in words of 64 bits: the longer the numbers, the fewer inputs
    level: list[tuple[Word, tuple[int, ...]]] = [((), (1,) * problem.states)]
    visited = 0
    tokens = range(len(problem.model.tokens))
    while level and size <= MAX_BETA_WORDS and (visited == 0 or visited + len(level) * len(tokens) <= limit):
        words, betas = zip(*level, strict=True)
        level = []
        for token in tokens:
            for word, row in zip(words, problem.steps.before(token, betas), strict=True):
                visited += 1
                beta = coprime(row)
                if any(beta) and beta not in directions:
                    directions.add(beta)
                    level.append(((token, *word), beta))
                    size += sum(entry.bit_length() // 64 + 1 for entry in beta)
        yield level


class Inputs:
    """The inputs of a problem by length and then by tokens, one for each direction of beta, enumerated lazily."""

    def __init__(self, problem: Problem, limit: int = 12_000) -> None:
        """Enumerate at most `limit` words."""
        self.problem = problem
        self._functionals = integer_rows((*problem.task_functionals, problem.model.initial))[0]
        self._levels: list[list[Input]] = []
        self._longer = beta_levels(problem, limit)

    def __iter__(self) -> Iterator[Input]:
        """Yield all inputs within the limit."""
        for length in count(1):
            if self.up_to(length) is None:
                return
            yield from self._levels[length - 1]

    def up_to(self, length: int) -> list[Input] | None:
        """Return the inputs up to a length; None if that takes more words than the limit, or if none is that long."""
        while len(self._levels) < length:
            if (level := next(self._longer, None)) is None:
                return None
            self._levels.append([input_ for word, beta in level if (input_ := self._input(word, beta))])
        return list(chain.from_iterable(self._levels[:length]))

    def of(self, word: Word) -> Input | None:
        """Return one word as an input, if it has positive probability."""
        return self._input(word, coprime(scaled_beta(self.problem, word)))

    def _input(self, word: Word, beta: tuple[int, ...]) -> Input | None:
        *scores, probability = (sum(map(mul, row, beta)) for row in self._functionals)
        return Input(word, label_of(scores), beta) if probability > 0 else None


def first_of_each_label(inputs: Iterable[Labelled], task: Task) -> dict[int, Word]:
    """Return the first input of each label that has one."""
    words: dict[int, Word] = {}
    for labelled in inputs:
        words.setdefault(labelled.label, labelled.word)
        if len(words) == len(task.labels):
            break
    return words


def beta(problem: Problem, word: Word) -> Vector:
    """Return P[X = word | H_0], exactly."""
    if word not in problem.betas:
        scale = problem.steps.scale ** len(word)
        problem.betas[word] = tuple(Fraction(entry, scale) for entry in scaled_beta(problem, word))
    return problem.betas[word]


def scaled_beta(problem: Problem, word: Word) -> list[int]:
    """Return P[X = word | H_0] times the steps' scale to the power of the word's length: integers."""
    rows = [[1] * problem.states]
    for token in reversed(word):
        rows = problem.steps.before(token, rows)
    return rows[0]
