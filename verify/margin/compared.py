"""What three heads bear on inputs of every length: a given one, one of least norm, and one of largest margin.

An interrupted search keeps on disk the words that its tree has split, and the same command goes on from there: a file
for each head and model. These files are not trusted. Words that are no leaves of the tree are passed over, and the
result is proved from whatever was split.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

from constructions.evidence import Json, Word, members, written
from constructions.heads import Classifier
from constructions.models import HMM
from constructions.reading import InputError, Node, read
from constructions.system.writing import put
from constructions.tasks import Task
from verify.certificates import Certificate, model_document
from verify.margin.everywhere import Certified, Everywhere, MislabelledError, Watch
from verify.margin.linear import AtInput
from verify.margin.robust import largest_margin, least_norm


@dataclass(frozen=True)
class Checkpoints:
    """The files of interrupted searches in a folder, one for each head and model."""

    folder: Path

    def path(self, tree: Everywhere) -> Path:
        """The file of a tree's head and model."""
        search = json.dumps([model_document(tree.model, tree.task), *tree.classifier.documents])
        return self.folder / f"{sha256(search.encode()).hexdigest()[:16]}.json"

    def words(self, tree: Everywhere) -> list[Word]:
        """Return the words that were split; none without a file. Raises `InputError` for a file without words."""
        path = self.path(tree)
        if not path.exists():
            return []
        tokens = len(tree.model.tokens)
        return [tuple(token.index(tokens) for token in word.items()) for word in read(path).items()]

    def save(self, tree: Everywhere) -> None:
        """Write the words that are split. Raises `InputError` where that cannot be."""
        path = self.path(tree)
        try:
            put(path, json.dumps([list(word) for word in tree.split]))
        except OSError as error:
            raise InputError("", str(error.strerror).lower(), "a file that can be written", str(path)) from None

    def remove(self, tree: Everywhere) -> None:
        """Remove the file of a tree, if there is one."""
        self.path(tree).unlink(missing_ok=True)


DEFAULT_LEFT_OUT = (Fraction(0), Fraction(1, 1000), Fraction(1, 100))
"""Probabilities of inputs to leave out: the first with which an error is certified is taken."""


@dataclass(frozen=True)
class HeadMargin:
    """A head, and which errors of its output it bears on all inputs.

    `norm`: the largest ||b_l - b_m||_1. `certified`: the error that is proved. `nearest`: an input whose label changes
    at a larger error. `mislabelled`: an input to which the head gives another label than F*. `prefixes`: how many the
    search has looked at. `stopped`: whether it was interrupted.
    """

    name: str
    classifier: Classifier
    norm: Fraction
    certified: Certified
    nearest: AtInput | None
    mislabelled: Word | None
    prefixes: int
    certificate: Certificate | None
    stopped: bool

    @property
    def document(self) -> Json:
        """The figures as JSON, with the head."""
        head, prompt = self.classifier.documents
        of_tree = {"nearest": self.nearest, "mislabelled": self.mislabelled, "prefixes": self.prefixes}
        figures = {"which": self.name, "norm_1": self.norm, **dict(members(self.certified)), **of_tree}
        return {"head": head, "prompt": prompt} | {key: written(value) for key, value in figures.items()}


def read_left_out(probability: Fraction | str | None, where: str) -> Sequence[Fraction]:
    """Read the probability of the inputs that may be left out; None stands for `DEFAULT_LEFT_OUT`.

    `where`: the option or argument that it was given as. Raises `InputError` unless it is a number >= 0 and < 1.
    """
    if probability is None:
        return DEFAULT_LEFT_OUT
    number = Node(str(probability), where, "").number()
    if not 0 <= number < 1:
        raise InputError(where, str(probability)[:40], "a probability, less than 1")
    return [number]


def compare(
    model: HMM,
    task: Task,
    classifier: Classifier,
    name: str,
    nodes: int,
    left_out: Sequence[Fraction] = DEFAULT_LEFT_OUT,
    words: Sequence[Word] = (),
    watch: Watch = iter,
    checkpoints: Checkpoints | None = None,
) -> Iterator[HeadMargin]:
    """Measure a head, and those of least norm and of largest margin behind the same prompt.

    Each search looks at so many prefixes (`nodes`), beginning with `words`. One that is interrupted yields what its
    prefixes prove, and saves them to `checkpoints`, from which the same call goes on. An interrupted search for the
    largest margin yields nothing.
    """

    def measure(classifier: Classifier, name: str) -> HeadMargin:
        tree, mislabelled, stopped = Everywhere(model, task, classifier), None, False
        saved = checkpoints.words(tree) if checkpoints else ()
        try:
            tree.resume([*words, *saved])
            for _ in watch(tree.grow(nodes)):
                pass
        except MislabelledError as error:
            mislabelled = error.word
        except KeyboardInterrupt:
            stopped = True
        if checkpoints:
            (checkpoints.save if stopped else checkpoints.remove)(tree)
        attempts = (tree.certified(probability) for probability in left_out)
        nothing = Certified(Fraction(0), left_out[-1], 0)
        certified = next((attempt for attempt in attempts if attempt.error), nothing)
        if mislabelled is not None:
            certified = Certified(Fraction(0), Fraction(1), 0)
        norm, certificate = max(map(max, tree.norms)), tree.certificate(certified)
        measures = norm, certified, tree.nearest, mislabelled, tree.size, certificate, stopped
        return HeadMargin(name, classifier, *measures)

    yield (first := measure(classifier, name))
    if first.mislabelled is None:
        yield measure(least_norm(model, classifier), "least norm")
    try:
        widest = largest_margin(model, task, classifier, nodes, watch)
    except KeyboardInterrupt:
        return
    if widest is not None:
        yield measure(widest, "largest margin")
