"""How far may an output err, over inputs of every length? A tree of prefixes certifies an error that all inputs bear.

Let w y be an input that begins with the prefix w. The head's score of label l less that of label m is a quotient of
functionals of beta(y),

    (g_l - g_m)'beta(y) / c'beta(y),

where g_l is the functional of the head's score of label l. The functional c gives the sum of the entries of the output,
before it is normalised. Both depend on w. However long y is, the quotient lies between the least and the largest
quotient of an entry of g_l - g_m and the entry of c at the same state. If the chain forgets its start, these two bounds
come closer together as w grows.

An input *bears* an error e if no smaller error of the output changes the label. Suppose that one label l wins in the
task whatever follows w, and that in the head it wins by at least e ||b_l - b_m||_1 over every rival m. Then all inputs
that begin with w bear the error e. The *bound* of the prefix w is the largest such e <= 1, or 0 if there is none. A
prefix that is split gets a child for each token. The prefix itself is an input, too, unless it is empty. Its radius,
the largest error that it bears, is an upper bound on the error that all inputs bear.

The search next splits the prefix with the least bound. Of several such prefixes it takes the likeliest. At any time the
tree can be written as a certificate (`docs/certificate-format.md`, section 13). Scores may come arbitrarily close to 0.
Then there is no error > 0 that all inputs bear, and prefixes of small probability are left out.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from heapq import heappop, heappush
from itertools import accumulate

from constructions.evidence import Evidence, Json, TreeNode, Word
from constructions.heads import Classifier
from constructions.linear import minus
from constructions.models import HMM
from constructions.reading import as_text
from constructions.tasks import Task, class_rows, label_of
from verify.certificates import Certificate, model_document, sealed
from verify.margin.enclosures import rounded
from verify.margin.linear import AtInput, distances, functionals
from verify.words.agreement import Impossible, Row, Settled, Split, winner
from verify.words.problem import Problem

FIRST_PREFIXES = 4_000
"""How many prefixes a search begins with, if its caller sets no number."""

MAX_PREFIX_LENGTH = 32
"""Prefixes of this many tokens are not split: scores of longer inputs come closer to 0 than any useful error."""

STOP_AT_FRACTION = Fraction(9, 10)
"""Stop once the bounds of all prefixes that can be split reach this fraction of the smallest radius met."""

ERROR_DIGITS = 4
"""The significant digits of an error that is claimed, rounded down, and of a probability, rounded up."""


@dataclass(frozen=True)
class Prefix:
    """A word with its probability. `rows`: the vectors of `functionals`, after a step for each token of the word.

    `bound`: an error that every input which begins with the word bears; 0 if none is proved. `label`: F* of the word
    and, if `bound` > 0, of every such input. `radius`: the largest error <= 1 that the word itself bears as an input, 0
    only at a tie; None if the word is no input.
    """

    word: Word
    rows: Sequence[Row]
    probability: Fraction
    bound: Fraction
    label: int
    radius: Fraction | None


class Skip(TreeNode, tag="skip"):
    """A child for each token; the word itself is left out."""

    children: tuple[int, ...]


class Except(TreeNode, tag="except"):
    """Every input that begins with this prefix is left out."""


class Margin(Evidence, kind="margin", says="a tree of {nodes} prefixes"):
    """Every input that is neither left out nor a tie bears the error of the claim."""

    nodes: tuple[Split | Skip | Impossible | Settled | Except, ...]


@dataclass(frozen=True)
class Certified:
    """What is proved of a head on all inputs that are not left out.

    `error`: no smaller error changes the label of such an input, unless the input is a tie; 0 if nothing is
    proved.
    `left_out`: at each length, the inputs that are left out have at most this total probability. `ties`: how many of
    the prefixes that the tree splits are ties.
    """

    error: Fraction
    left_out: Fraction
    ties: int


NOTHING = Certified(Fraction(0), Fraction(1), 0)


class Everywhere:
    """The tree of a head: `grow` makes it larger, and `certified` says which error it proves.

    `norms`: ||b_l - b_m||_1 for all labels l and m. `split`, `leaves`: the prefixes with children and without, by word.
    `nearest`: the prefix of smallest radius > 0 so far, with this radius. `mislabelled`: an input that the head
    mislabels, once the tree meets one.
    """

    def __init__(self, model: HMM, task: Task, classifier: Classifier) -> None:
        """Begin with the empty word."""
        self.problem, self.classifier = Problem(model, task), classifier
        self.norms = distances(class_rows(classifier.head.b))
        self.split: dict[Word, Prefix] = {}
        self.leaves: dict[Word, Prefix] = {}
        self.nearest: AtInput | None = None
        self.mislabelled: Word | None = None
        self._queue: list[tuple[Fraction, float, int, Prefix]] = []
        self._add((), functionals(self.problem, classifier), Fraction(1))

    @property
    def size(self) -> int:
        """How many prefixes have been looked at."""
        return len(self.split) + len(self.leaves)

    def grow(self, limit: int) -> Iterator[Prefix]:
        """Split prefixes, and yield each.

        Stop for one of three reasons: the bounds of all prefixes that can be split are near the smallest radius, there
        are `limit` prefixes, or the head mislabels an input.
        """
        steps, tokens = self.problem.steps, range(len(self.problem.model.tokens))
        while self._queue and self.size + len(tokens) <= limit:
            bound, _, _, leaf = self._queue[0]
            if self.nearest is not None and bound >= STOP_AT_FRACTION * self.nearest.value:
                return
            heappop(self._queue)
            self.split[leaf.word] = self.leaves.pop(leaf.word)
            moved = steps.onward(leaf.rows)
            children = [steps.emitting(moved, token) for token in tokens]
            weights = [sum(rows[-1]) for rows in children]
            for token, (rows, weight) in enumerate(zip(children, weights, strict=True)):
                self._add((*leaf.word, token), rows, leaf.probability * Fraction(weight, sum(weights)))
                if self.mislabelled is not None:
                    return
            yield leaf

    def certified(self, left_out: Fraction = Fraction(0)) -> Certified:
        """Return the largest error that is proved if inputs of total probability `left_out` < 1 are left out."""
        split = self.split.values()
        bounds = [(leaf.bound, leaf.probability) for leaf in self.leaves.values()]
        bounds += [(prefix.radius, prefix.probability) for prefix in split if prefix.radius]
        bounds.sort()
        totals = accumulate(weight for _, weight in bounds)
        least = next(bound for (bound, _), total in zip(bounds, totals, strict=True) if total > left_out)
        error = rounded(least, ROUND_FLOOR, ERROR_DIGITS)
        total = sum((weight for bound, weight in bounds if bound < error), Fraction(0))
        ties = sum(prefix.radius == 0 for prefix in split)
        return Certified(error, min(left_out, rounded(total, ROUND_CEILING, ERROR_DIGITS)), ties)

    def certified_first(self, shares: Sequence[Fraction]) -> Certified:
        """Try to leave out each of these shares in turn, and return the first result with an error > 0.

        A share bounds the total probability of the inputs of one length that are left out. If no share gives an error >
        0, leave out all inputs that begin with a leaf whose bound is 0. If even that proves no error, return `NOTHING`.
        """
        open_leaves = (leaf.probability for leaf in self.leaves.values() if not leaf.bound)
        undecided = rounded(sum(open_leaves, Fraction(0)), ROUND_CEILING, ERROR_DIGITS)
        attempts = (self.certified(share) for share in (*shares, undecided) if share < 1)
        return next((attempt for attempt in attempts if attempt.error), NOTHING)

    def certificate(self, certified: Certified) -> Certificate | None:
        """Return the certificate of what is proved, or None if nothing is proved."""
        if not certified.error:
            return None
        tokens, order = range(len(self.problem.model.tokens)), [Word()]
        nodes = list[Split | Skip | Impossible | Settled | Except]()
        for word in order:
            if (prefix := self.split.get(word)) is not None:
                children = tuple(range(len(order), len(order) + len(tokens)))
                order += [(*word, token) for token in tokens]
                nodes.append((Skip if prefix.radius and prefix.radius < certified.error else Split)(children))
            elif not (leaf := self.leaves[word]).probability:
                nodes.append(Impossible())
            else:
                nodes.append(Except() if leaf.bound < certified.error else Settled(leaf.label))
        head, prompt = self.classifier.documents
        claim: Json = {
            "kind": "margin",
            "statement": "3.3" if prompt is None else "3.6",
            "head": head,
            "prompt": prompt,
            "error": as_text(certified.error),
            "ties": bool(certified.ties),
            "except": as_text(certified.left_out),
        }
        return sealed(claim, model_document(self.problem.model, self.problem.task), Margin(tuple(nodes)).document)

    def _add(self, word: Word, rows: Sequence[Row], probability: Fraction) -> None:
        """Add a leaf with these `rows` (see `Prefix`). If the head mislabels the word, set `mislabelled` instead."""
        labels, bound, radius = len(self.norms), Fraction(0), None
        f, g, [c, p] = rows[:labels], rows[labels:-2], rows[-2:]
        label = label_of([sum(row) for row in f])
        if probability and word:
            scores, mass = [[sum(row)] for row in g], sum(c)
            if label != label_of(scores):
                self.mislabelled = word
                return
            radius = self._least(label, scores, [mass]) if mass else bound
        if probability and winner(f, p) is not None and all(y for x, y in zip(p, c, strict=True) if x):
            bound = self._least(label, g, c)  # no output that follows is 0/0
        leaf = self.leaves[word] = Prefix(word, rows, probability, bound, label, radius)
        if probability and len(word) < MAX_PREFIX_LENGTH:
            heappush(self._queue, (bound, -float(probability), self.size, leaf))
        if radius and (self.nearest is None or radius < self.nearest.value):
            self.nearest = AtInput(radius, word)

    def _least(self, label: int, g: Sequence[Row], c: Row) -> Fraction:
        """Return the largest e <= 1 with g_l - g_m >= e ||b_l - b_m||_1 c in every entry, for l = `label` and every m.

        Return 0 if there is none, or if a label m > l has the same row of b: it wins all ties with l.
        """
        least = Fraction(1)  # no score over c is larger than a norm
        for rival, norm in enumerate(self.norms[label]):
            gaps = minus(g[label], g[rival])
            if norm and min(gaps) >= 0:
                quotients = (Fraction(gap, weight) for gap, weight in zip(gaps, c, strict=True) if weight)
                least = min(least, min(quotients) / norm)
            elif norm or rival > label:
                return Fraction(0)
        return least
