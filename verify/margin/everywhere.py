"""How far may an output err, over inputs of every length? A tree of prefixes, grown where the bound is least.

At a prefix w the score of what follows is a quotient of functionals of beta(y), (g_l - g_m)'beta(y) / c'beta(y). So it
lies between the least and the largest quotient of their entries, however long y is, and as a chain forgets, these
close up as w grows. A prefix after which one label wins in the task and the head, by at least e ||b_l - b_m||_1,
settles all inputs that begin with it. Any other prefix is itself an input, and its radius is an upper bound.

The search splits the prefix with the least bound next, the likelier first. The tree is a certificate at any time
(`docs/certificate-format.md`, section 13). Where no error is borne by all inputs, as where scores come arbitrarily
close to 0, prefixes of small probability are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from itertools import accumulate, count
from math import ceil, floor
from typing import TypeAlias

from flint import fmpz_mat

from constructions.evidence import Evidence, Json, TreeNode, Word
from constructions.heads import Classifier
from constructions.linear import Matrix, combine, minus
from constructions.models import HMM
from constructions.reading import as_text
from constructions.tasks import Task, class_rows, label_of
from verify.certificates import Certificate, model_document, sealed
from verify.margin.enclosures import rounded
from verify.margin.linear import AtInput
from verify.words.agreement import Impossible, Settled, Split, winner
from verify.words.problem import Problem, shared_integers

FIRST_PREFIXES = 4_000
"""How many prefixes a search begins with, where it chooses their number itself."""

MAX_PREFIX_LENGTH = 32
"""Longer prefixes are not split: the scores of what follows come closer to 0 than any useful error."""

STOP_AT_FRACTION = Fraction(9, 10)
"""Stop once the certified margin reaches this fraction of the upper bound."""

ERROR_DIGITS = 4
"""The significant digits of an error that is claimed, rounded down, and of a probability, rounded up."""


@dataclass(frozen=True)
class Prefix:
    """A word with its functionals (`rows`) and its probability.

    `bound`: the error that all inputs which begin with it bear, 0 where none is proved. `label`: the label that they
    share, where `bound` is positive. `radius`: the error that the word itself bears as an input, 0 at a tie alone; None
    where it is no input.
    """

    word: Word
    rows: fmpz_mat = field(compare=False)
    probability: Fraction
    bound: Fraction
    label: int | None
    radius: Fraction | None


Watch: TypeAlias = Callable[[Iterable[Prefix]], Iterable[Prefix]]
"""Shows progress while prefixes are split."""


class Skip(TreeNode, tag="skip"):
    """A child for each token; the word itself is left out."""

    children: tuple[int, ...]


class Except(TreeNode, tag="except"):
    """Every input that begins with it is left out."""


class Margin(Evidence, kind="margin", says="a tree of {nodes} prefixes"):
    """Every input that is not left out bears the error."""

    nodes: tuple[Split | Skip | Impossible | Settled | Except, ...]


@dataclass(frozen=True)
class Certified:
    """What is proved of a head on all inputs of every length but some of probability at most `left_out` at each.

    `error`: any smaller one changes no label, apart from ties where there are any. 0: nothing is proved.
    """

    error: Fraction
    left_out: Fraction
    ties: int


NOTHING = Certified(Fraction(0), Fraction(1), 0)


class MislabelledError(Exception):
    """The head gives an input another label than F*."""

    def __init__(self, word: Word) -> None:
        self.word = word
        super().__init__(f"{word}")


class Everywhere:
    """The tree of a head: `grow` makes it larger, `certified` reads off what it shows."""

    def __init__(self, model: HMM, task: Task, classifier: Classifier) -> None:
        """Begin with the empty word. Raises `MislabelledError` from `grow` where the head is wrong."""
        self.model, self.task, self.classifier = model, task, classifier
        self.problem = Problem(model, task)
        b = class_rows(classifier.head.b)
        self.norms = [[sum(map(abs, minus(row, other)), Fraction(0)) for other in b] for row in b]
        c = self.problem.weights(classifier.prompt)
        features = self.problem.features(classifier.prompt)
        heads: Matrix = tuple(combine(row, features) for row in b)
        start = shared_integers((*self.problem.task_functionals, *heads, c, model.initial))
        self.split: dict[Word, Prefix] = {}
        self.leaves: dict[Word, Prefix] = {}
        self.nearest: AtInput | None = None
        self._queue: list[tuple[Fraction, float, int, Prefix]] = []
        self._number = count()
        self._add(self._prefix((), start, Fraction(1)))

    @property
    def size(self) -> int:
        """How many prefixes have been looked at."""
        return len(self.split) + len(self.leaves)

    @property
    def ties(self) -> list[Word]:
        """The ties that were met, among the prefixes that are split."""
        return [word for word, prefix in self.split.items() if prefix.radius == 0]

    def grow(self, limit: int) -> Iterator[Prefix]:
        """Split prefixes and yield them, until the certified error is near its upper bound, or `limit` are there."""
        while self._queue and self.size + len(self.model.tokens) <= limit:
            bound, _, _, leaf = self._queue[0]
            if self.nearest is not None and bound >= STOP_AT_FRACTION * self.nearest.value:
                return
            heappop(self._queue)
            self._split(leaf)
            yield leaf

    def certified(self, left_out: Fraction = Fraction(0)) -> Certified:
        """Return the largest error that is proved but for inputs of at most such a probability."""
        bounds = [(leaf.bound, leaf.probability) for leaf in self.leaves.values() if leaf.probability]
        bounds += [(prefix.radius, prefix.probability) for prefix in self.split.values() if prefix.radius]
        bounds.sort()
        totals = accumulate(weight for _, weight in bounds)
        first = next((i for i, total in enumerate(totals) if total > left_out), None)
        if first is None:
            return NOTHING
        error = rounded(bounds[first][0], floor, ERROR_DIGITS)
        total = sum((weight for bound, weight in bounds if bound < error), Fraction(0))
        return Certified(error, min(left_out, rounded(total, ceil, ERROR_DIGITS)), len(self.ties))

    def certified_first(self, shares: Sequence[Fraction]) -> Certified:
        """Return what is proved with the first of these shares of the inputs left out with which anything is.

        With none of them it is proved of all inputs that begin with a prefix whose bound is positive.
        """
        open_leaves = (leaf.probability for leaf in self.leaves.values() if not leaf.bound)
        undecided = rounded(sum(open_leaves, Fraction(0)), ceil, ERROR_DIGITS)
        attempts = (self.certified(share) for share in (*shares, undecided) if share < 1)
        return next((attempt for attempt in attempts if attempt.error), NOTHING)

    def certificate(self, certified: Certified) -> Certificate | None:
        """Return the certificate of what is proved; None where nothing is."""
        if not certified.error:
            return None
        head, prompt = self.classifier.documents
        claim: Json = {"kind": "margin", "statement": "3.3" if prompt is None else "3.6", "head": head}
        claim |= {"prompt": prompt, "error": as_text(certified.error), "ties": bool(certified.ties)}
        claim["except"] = as_text(certified.left_out)
        return sealed(claim, model_document(self.model, self.task), self._evidence(certified.error).document)

    def _evidence(self, error: Fraction) -> Margin:
        order: list[Word] = [()]
        nodes: list[Split | Skip | Impossible | Settled | Except] = []
        for word in order:
            if (prefix := self.split.get(word)) is not None:
                children = tuple(range(len(order), len(order) + len(self.model.tokens)))
                order += [(*word, token) for token in range(len(self.model.tokens))]
                nodes.append((Split if not prefix.radius or prefix.radius >= error else Skip)(children))
            elif not (leaf := self.leaves[word]).probability:
                nodes.append(Impossible())
            else:
                nodes.append(Except() if leaf.label is None or leaf.bound < error else Settled(leaf.label))
        return Margin(tuple(nodes))

    def _split(self, leaf: Prefix) -> None:
        del self.leaves[leaf.word]
        self.split[leaf.word] = leaf
        moved = self.problem.steps.onward([list(map(int, row)) for row in leaf.rows.tolist()])
        rows = [fmpz_mat(self.problem.steps.emitting(moved, token)) for token in range(len(self.model.tokens))]
        weights = [sum(map(int, matrix.tolist()[-1])) for matrix in rows]
        for token, (matrix, weight) in enumerate(zip(rows, weights, strict=True)):
            self._add(self._prefix((*leaf.word, token), matrix, leaf.probability * Fraction(weight, sum(weights) or 1)))

    def _add(self, leaf: Prefix) -> None:
        self.leaves[leaf.word] = leaf
        if not leaf.probability:
            return
        if len(leaf.word) < MAX_PREFIX_LENGTH:
            heappush(self._queue, (leaf.bound, -float(leaf.probability), next(self._number), leaf))
        if leaf.radius and (self.nearest is None or leaf.radius < self.nearest.value):
            self.nearest = AtInput(leaf.radius, leaf.word)

    def _prefix(self, word: Word, rows: fmpz_mat, probability: Fraction) -> Prefix:
        content = int(rows.content()) if hasattr(rows, "content") else 0
        if content > 1:
            rows = rows / content
        *numbers, c, p = [[int(entry) for entry in row] for row in rows.tolist()]
        labels = len(numbers) // 2
        f, g = numbers[:labels], numbers[labels:]
        if not any(p):
            return Prefix(word, rows, probability, Fraction(0), None, None)
        label = winner(f, p)
        defined = all(y for x, y in zip(p, c, strict=True) if x)  # no output that follows is 0/0
        bound = self._least(label, g, c) if label is not None and defined else Fraction(0)
        radius = self._radius(word, f, g, c) if word else None
        return Prefix(word, rows, probability, bound, label if bound else None, radius)

    def _least(self, label: int, g: list[list[int]], c: list[int]) -> Fraction:
        """Return the largest e with g_l - g_m >= e ||b_l - b_m||_1 c for every rival m, and at least 0."""
        least: Fraction | None = None
        for rival, norm in enumerate(self.norms[label]):
            if rival == label or (not norm and rival < label):
                continue
            gaps = minus(g[label], g[rival])
            if not norm or min(gaps) < 0:
                return Fraction(0)
            error = min(Fraction(gap, weight) for gap, weight in zip(gaps, c, strict=True) if weight) / norm
            least = error if least is None else min(least, error)
        return Fraction(1) if least is None else least

    def _radius(self, word: Word, f: list[list[int]], g: list[list[int]], c: list[int]) -> Fraction:
        """Return the error that a word bears as an input, 0 at a tie."""
        scores, mass = [[sum(row)] for row in g], sum(c)
        label = label_of([sum(row) for row in f])
        if label != label_of([x for [x] in scores]):
            raise MislabelledError(word)
        rivals = [m for m, norm in enumerate(self.norms[label]) if norm]
        if not mass or any(scores[m] == scores[label] for m in rivals):
            return Fraction(0)
        return self._least(label, scores, [mass])
