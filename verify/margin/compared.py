"""What several heads bear on inputs of every length: the one that is asked about, of least norm, of largest margin."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from constructions.evidence import Json, Word
from constructions.heads import Classifier
from constructions.models import HMM
from constructions.reading import as_text
from constructions.tasks import Task
from verify.certificates import Certificate
from verify.margin.everywhere import Certified, Everywhere, MislabelledError, Prefix
from verify.margin.linear import At
from verify.margin.robust import largest_margin, least_norm

LEFT_OUT = (Fraction(0), Fraction(1, 1000), Fraction(1, 100))
"""The probabilities of inputs that are left out, of which the first is taken with which anything is shown."""

Watch: TypeAlias = Callable[[Iterable[Prefix]], Iterator[Prefix]]
"""Shows progress while prefixes are split."""


@dataclass(frozen=True)
class Borne:
    """A head, and which errors of its output it bears on all inputs.

    `norm`: the largest ||b_l - b_m||_1. `found` is shown; `nearest` is an input that allows no more. `mislabelled`: an
    input to which it gives another label than F*. `prefixes`: how many were looked at.
    """

    name: str
    classifier: Classifier
    norm: Fraction
    found: Certified
    nearest: At | None
    mislabelled: Word | None
    prefixes: int
    certificate: Certificate | None

    @property
    def document(self) -> Json:
        """The figures as JSON, with the head."""
        head, prompt = self.classifier.documents
        nearest = self.nearest and {"value": as_text(self.nearest.value), "input": list(self.nearest.word)}
        return {
            "head": head,
            "prompt": prompt,
            "which": self.name,
            "norm_1": as_text(self.norm),
            "error": as_text(self.found.error),
            "left_out": as_text(self.found.left_out),
            "ties": self.found.ties,
            "nearest": nearest,
            "mislabelled": None if self.mislabelled is None else list(self.mislabelled),
            "prefixes": self.prefixes,
        }


def compared(
    model: HMM,
    task: Task,
    classifier: Classifier,
    name: str,
    nodes: int,
    left_out: Sequence[Fraction] = LEFT_OUT,
    words: Sequence[Word] = (),
    watch: Watch = iter,
) -> Iterator[Borne]:
    """Measure a head, and those that bear more behind the same prompt; `words` are prefixes to begin with.

    Each is measured by so many prefixes, or until it is interrupted: then by those that there are. The search for the
    largest margin is given up where it is interrupted.
    """
    yield (first := _borne(model, task, classifier, name, nodes, left_out, words, watch))
    if first.mislabelled is None:
        yield _borne(model, task, least_norm(model, classifier), "least norm", nodes, left_out, words, watch)
    try:
        widest = largest_margin(model, task, classifier, nodes)
    except KeyboardInterrupt:
        return
    if widest is not None:
        yield _borne(model, task, widest, "largest margin", nodes, left_out, words, watch)


def _borne(
    model: HMM,
    task: Task,
    classifier: Classifier,
    name: str,
    nodes: int,
    left_out: Sequence[Fraction],
    words: Sequence[Word],
    watch: Watch,
) -> Borne:
    tree, wrong = Everywhere(model, task, classifier), None
    norm = max(max(row) for row in tree.norms)
    try:
        tree.resume(words)
        for _ in watch(tree.grow(nodes)):
            pass
    except MislabelledError as error:
        wrong = error.word
    except KeyboardInterrupt:
        pass  # what there is can be read off
    found = next((one for q in left_out if (one := tree.certified(q)).error), Certified(Fraction(0), left_out[-1], 0))
    if wrong is not None:
        found = Certified(Fraction(0), Fraction(1), 0)
    certificate = tree.certificate(found)
    return Borne(name, classifier, norm, found, tree.nearest, wrong, tree.size, certificate)
