"""The errors in G that three heads tolerate: a given head, one of least norm, one of largest margin.

Inputs of every length count, but a share of them may be left out.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic

from constructions.evidence import Json, Word, members, written
from constructions.heads import Classifier
from constructions.models import HMM
from constructions.reading import InputError, whole_number
from constructions.rendering import brief
from constructions.tasks import Task
from constructions.text.documents import Node
from verify.certificates import Certificate
from verify.margin.everywhere import FIRST_PREFIXES, NOTHING, Certified, Everywhere, Prefix
from verify.margin.linear import AtInput, Watch
from verify.margin.robust import largest_margin, least_norm

LEFT_OUT = tuple(map(Fraction, ("0", "1/1000", "1/100", "1/20", "1/10", "1/5", "1/2")))
"""Shares of the inputs, by probability, that may be left out. The first with a certified error > 0 is used, if any."""

GOOD_SHARES = 3
"""A search ends once an error is certified with one of the first `GOOD_SHARES` shares left out."""

DEFAULT_SECONDS = 30.0

DOUBLING_COST = 8
"""An estimate: a search of twice the prefixes, and its check, take this many times the seconds spent so far."""


@dataclass(frozen=True)
class Limits:
    """How long to search: `nodes` prefixes for each head; if `nodes` is None, as many as `seconds` allow for all heads.

    With None each head has at least `FIRST_PREFIXES`. While a head of largest margin is proposed, no limit of time
    applies. `left_out`: the shares of inputs that may be left out, in the order in which they are tried.
    """

    nodes: int | None = None
    seconds: float = DEFAULT_SECONDS
    left_out: Sequence[Fraction] = LEFT_OUT

    @classmethod
    def of(cls, nodes: int | None, seconds: float, left_out: Fraction | str | None, where: str) -> Limits:
        """Make limits with a single share to leave out, which may be a text; None stands for the shares of `LEFT_OUT`.

        `where`: the name of the option or argument that had the share, for messages. Raises `InputError` unless the
        share is a number >= 0 and < 1, and `nodes`, if there are any, a whole number > 0.
        """
        if nodes is not None:
            whole_number("nodes", nodes)
        if left_out is None:
            return cls(nodes, seconds)
        share = Node(str(left_out), where, "").number()
        if not 0 <= share < 1:
            raise InputError(where, str(left_out)[:40], "a probability, less than 1")
        return cls(nodes, seconds, (share,))

    def stages(self, seconds: float) -> Iterator[int]:
        """Yield how many prefixes to look at: `nodes` alone, if it is a number.

        If `nodes` is None, yield `FIRST_PREFIXES`, and then twice as many each time while this is likely to take no
        more than `seconds` in all.
        """
        start, nodes = monotonic(), self.nodes or FIRST_PREFIXES
        yield nodes
        while self.nodes is None and (monotonic() - start) * DOUBLING_COST <= seconds:
            nodes *= 2
            yield nodes


@dataclass(frozen=True, repr=False)
class HeadMargin:
    """A head, and the errors in the masked outputs that change none of its labels, on inputs of every length.

    `classifier`: the head and its prompt, or None if none was found or measured. Then `reason` says why, and there are
    no figures. `norm`: the largest ||b_l - b_m||_1. `certified`: a size of errors that is proved to change no label,
    and `certificate` its proof. `nearest`: of the inputs met, the one with the least radius > 0, and this radius;
    larger errors can change its label. `mislabelled`: an input to which the head gives another label than F*.
    `prefixes`: how many prefixes the search has looked at. `unfinished`: whether the limit on prefixes ended the search
    before it certified an error with one of the first `GOOD_SHARES` shares left out.
    """

    name: str
    classifier: Classifier | None
    reason: str = ""
    norm: Fraction = Fraction(0)
    certified: Certified = NOTHING
    nearest: AtInput | None = None
    mislabelled: Word | None = None
    prefixes: int = 0
    certificate: Certificate | None = None
    unfinished: bool = False

    def __repr__(self) -> str:
        """Say on one line what is proved of the head, or why there is no head."""
        if self.classifier is None:
            return f"HeadMargin({self.name}: no head, {self.reason})"
        error, left_out = brief(self.certified.error), brief(self.certified.left_out)
        return f"HeadMargin({self.name}: errors below {error} change no label, {left_out} of inputs left out)"

    @property
    def document(self) -> Json:
        """The figures as JSON, with the head."""
        if self.classifier is None:
            return {"head": None, "prompt": None, "which": self.name, "reason": self.reason}
        head, prompt = self.classifier.documents
        figures = {"which": self.name, "norm_1": self.norm, **dict(members(self.certified))}
        figures |= {"nearest": self.nearest, "mislabelled": self.mislabelled, "prefixes": self.prefixes}
        return {"head": head, "prompt": prompt, **{key: written(value) for key, value in figures.items()}}


def compare(
    model: HMM, task: Task, classifier: Classifier, name: str, limits: Limits, watch: Watch[Prefix] = iter
) -> Iterator[HeadMargin]:
    """Yield the margins of a head, then of the heads of least norm and of largest margin behind the same prompt.

    `name`: what to call the first head. `watch` shows the progress of each search.
    """
    deadline, good = monotonic() + limits.seconds, limits.left_out[:GOOD_SHARES][-1]

    def measure(classifier: Classifier, name: str, share_of_time: float) -> HeadMargin:
        tree, certified, unfinished = Everywhere(model, task, classifier), NOTHING, False
        for nodes in limits.stages((deadline - monotonic()) * share_of_time):
            for _ in watch(tree.grow(nodes)):
                pass
            right = tree.mislabelled is None
            certified = tree.certified_first(limits.left_out) if right else NOTHING
            unfinished = right and certified.left_out > good and tree.size + len(model.tokens) > nodes
            if not unfinished:
                break
        norm = max(map(max, tree.norms))  # if it is 0, no error changes a label
        figures = norm, certified, tree.nearest if norm else None, tree.mislabelled, tree.size
        return HeadMargin(name, classifier, "", *figures, tree.certificate(certified), unfinished)

    yield (first := measure(classifier, name, 1 / 3))
    if first.mislabelled is None:
        yield measure(least_norm(model, classifier), "least norm", 1 / 2)
    else:
        yield HeadMargin("least norm", None, "it has the same scores, and the same mistake")
    words, last = list[Word](), "largest margin"
    while widest := largest_margin(model, task, classifier, limits.nodes or FIRST_PREFIXES, words, watch):
        result = measure(widest, last, 1)
        if result.mislabelled is None or monotonic() > deadline:
            yield result
            return
        words.append(result.mislabelled)
    yield HeadMargin(last, None, "none: floats propose no head that gives each input its label")
