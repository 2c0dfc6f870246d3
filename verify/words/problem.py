"""Labels as linear functionals of beta(x) = P[X = x | H_0].

For a word x and a token z, beta(z x) = M_z beta(x) with M_z = A' diag(W[z,:]). The score of an input x for the label l
is a linear functional of beta(x):

    f_l = mu_l o P[H_0]    by the task
    g_l = (W'b_l) o c      by a linear head, where c = P[H_1], or c = A(u o P[H_1]) with a prompt u

Both the task and the head give x the label whose score is the largest. So only the signs of differences of functionals
matter.

Let M_w be the product of the M_z over the tokens z of a prefix w, in their order. Then beta(w y) = M_w beta(y). So
after the prefix w, the functional f M_w scores the rest y of the input.

Notation: constructions/__init__.py.
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
"""How many 64-bit machine words the vectors beta of enumerated inputs may take together."""


@dataclass(frozen=True)
class Problem:
    """A vanilla model and a task, with the functionals of the task and of heads, and the steps of beta along a word.

    `findings` are those on a statement's hypotheses. `effort` limits the work.
    """

    model: HMM
    task: Task
    findings: tuple[Finding, ...] = ()
    effort: Effort = USUAL

    @cached_property
    def steps(self) -> WordSteps:
        """The model's steps along a word, in integers up to a positive scale."""
        return WordSteps(self.model.transition, self.model.emission)

    @property
    def joint(self) -> Problem:
        """The problem itself; `MemoryProblem.joint` is the problem on Hbar."""
        return self

    @property
    def recoverable_states(self) -> tuple[int, ...] | None:
        """None: only the problem of a memory model has a set H* of its own."""
        return None

    @cached_property
    def states(self) -> int:
        """The number n of hidden states."""
        return len(self.model.states)

    @cached_property
    def ones(self) -> SoftPrompt:
        """The prompt u = 1 on all states."""
        return SoftPrompt((Fraction(1),) * self.states)

    @cached_property
    def betas(self) -> dict[Word, Vector]:
        """The cache of the function `beta`, by word: many nodes of a search tree need the same words."""
        return {}

    @cached_property
    def task_functionals(self) -> Matrix:
        """f_l = mu_l o P[H_0], one row for each label."""
        return tuple(multiply(row, self.model.initial) for row in self.task.classes)

    def rows(self, differences: Matrix) -> Matrix:
        """Return the rows of a head from the `differences` b_l - b_0, l >= 1. A head has as many rows as mu.

        If mu has one row, so has the head: b_1 - b_0. Otherwise b_0 = 0 is the head's first row.
        """
        return differences if len(self.task.mu) == 1 else ((Fraction(0),) * len(differences[0]), *differences)

    def weights(self, prompt: SoftPrompt | None) -> Vector:
        """Return c: P[H_1], or A(u o P[H_1]) with a prompt u."""
        return Classifier(LinearHead(()), prompt).weights(self.model)

    def features(self, prompt: SoftPrompt | None) -> Matrix:
        """Return W diag(c). Its product with beta(x) is the masked output for x, up to a positive scale."""
        weights = self.weights(prompt)
        return tuple(multiply(row, weights) for row in self.model.emission)

    def head_functionals(self, classifier: Classifier) -> Matrix:
        """Return the g_l = (W'b_l) o c of a head with its prompt, one row for each label."""
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
    """Return a matrix times the common denominator of its entries: integers."""
    return fmpz_mat(integer_rows(rows)[0])


def beta_levels(problem: Problem, limit: int) -> Iterator[list[tuple[Word, tuple[int, ...]]]]:
    """Yield for each length 1, 2, ... a list of the words with beta not 0, in order, each with its beta.

    Each beta is scaled to coprime integers. Of words with proportional betas only the first is listed: such words have
    the same label and the same masked output, and so have their extensions by a common prefix. The words of one token
    are visited whatever the limit. The lists end before more than `limit` words would be visited, or when the betas
    take more than `MAX_BETA_WORDS`.
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
    """The inputs of a problem by length, then by tokens. Of inputs with proportional betas only the first is listed.

    They are enumerated lazily. `exhausted`: whether a length was reached that adds no new direction of beta. Then
    greater lengths add none either.
    """

    def __init__(self, problem: Problem, limit: int = 12_000) -> None:
        """Prepare to visit all words of one token, and longer words while at most `limit` words are visited in all."""
        self.problem = problem
        self._functionals = integer_rows((*problem.task_functionals, problem.model.initial))[0]
        self._levels: list[list[Input]] = []
        self._longer = beta_levels(problem, limit)
        self.exhausted = False

    def __iter__(self) -> Iterator[Input]:
        """Yield all inputs within the limit."""
        for length in count(1):
            if self.up_to(length) is None:
                return
            yield from self._levels[length - 1]

    def up_to(self, length: int) -> list[Input] | None:
        """Return the inputs of at most `length` tokens.

        Returns None if the limit is reached before this length, or if the inputs are `exhausted` at an earlier length.
        """
        while len(self._levels) < length:
            if (level := next(self._longer, None)) is None:
                return None
            self.exhausted = not level
            self._levels.append([input_ for word, beta in level if (input_ := self._input(word, beta))])
        return list(chain.from_iterable(self._levels[:length]))

    def of(self, word: Word) -> Input | None:
        """Return a word as an input; None if its probability is 0."""
        return self._input(word, coprime(scaled_beta(self.problem, word)))

    def _input(self, word: Word, beta: tuple[int, ...]) -> Input | None:
        *scores, probability = (sum(map(mul, row, beta)) for row in self._functionals)
        return Input(word, label_of(scores), beta) if probability > 0 else None


def first_of_each_label(inputs: Iterable[Labelled], task: Task) -> dict[int, Word]:
    """Return, by label, the first of the inputs with this label. Labels without an input are left out."""
    words: dict[int, Word] = {}
    for labelled in inputs:
        words.setdefault(labelled.label, labelled.word)
        if len(words) == len(task.labels):
            break
    return words


def beta(problem: Problem, word: Word) -> Vector:
    """Return the exact vector P[X = word | H_0], one entry for each state."""
    if word not in problem.betas:
        scale = problem.steps.scale ** len(word)
        problem.betas[word] = tuple(Fraction(entry, scale) for entry in scaled_beta(problem, word))
    return problem.betas[word]


def scaled_beta(problem: Problem, word: Word) -> list[int]:
    """Return beta(word) in integers: times s^t for the scale s of `problem.steps` and a word of t tokens."""
    rows = [[1] * problem.states]
    for token in reversed(word):
        rows = problem.steps.before(token, rows)
    return rows[0]
