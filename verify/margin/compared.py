"""What several heads bear on inputs of every length: the one that is asked about, of least norm, of largest margin.

What an interrupted search for a margin has split is kept on disk, so that the same command goes on from there. A file
has the words that the tree of one head on one model splits. It is not trusted: words that are not there to be split are
passed over, and what is shown of a tree is shown of whatever was split.
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
from constructions.reading import InputError
from constructions.system.writing import put
from constructions.tasks import Task
from verify.certificates import Certificate, model_document
from verify.margin.everywhere import Certified, Everywhere, MislabelledError, Watch
from verify.margin.linear import At
from verify.margin.robust import largest_margin, least_norm


@dataclass(frozen=True)
class Kept:
    """The files of a folder, one for each head and model."""

    folder: Path

    def path(self, tree: Everywhere) -> Path:
        """The file of a tree's head and model."""
        asked = json.dumps([model_document(tree.model, tree.task), *tree.classifier.documents])
        return self.folder / f"{sha256(asked.encode()).hexdigest()[:16]}.json"

    def words(self, tree: Everywhere) -> list[Word]:
        """Return what was split; nothing where nothing is kept. Raises `InputError` for a file that has no words."""
        path = self.path(tree)
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            if not all(isinstance(token, int) for word in kept for token in word):
                raise TypeError
        except FileNotFoundError:
            return []
        except (OSError, ValueError, TypeError) as error:
            found = getattr(error, "strerror", None) or "something else"
            raise InputError("", found.lower(), "words, as a search for a margin left them", str(path)) from None
        return [tuple(word) for word in kept]

    def keep(self, tree: Everywhere) -> None:
        """Write down what is split. Raises `InputError` where that cannot be."""
        path = self.path(tree)
        try:
            put(path, json.dumps([list(word) for word in tree.split]))
        except OSError as error:
            raise InputError("", str(error.strerror).lower(), "a file that can be written", str(path)) from None

    def forget(self, tree: Everywhere) -> None:
        """Remove the file of a tree that is grown, if there is one."""
        self.path(tree).unlink(missing_ok=True)


LEFT_OUT = (Fraction(0), Fraction(1, 1000), Fraction(1, 100))
"""The probabilities of inputs that are left out, of which the first is taken with which anything is shown."""


@dataclass(frozen=True)
class Borne:
    """A head, and which errors of its output it bears on all inputs.

    `norm`: the largest ||b_l - b_m||_1. `found` is shown; `nearest` is an input that allows no more. `mislabelled`: an
    input to which it gives another label than F*. `prefixes`: how many were looked at. `stopped`: whether that was
    interrupted.
    """

    name: str
    classifier: Classifier
    norm: Fraction
    found: Certified
    nearest: At | None
    mislabelled: Word | None
    prefixes: int
    certificate: Certificate | None
    stopped: bool

    @property
    def document(self) -> Json:
        """The figures as JSON, with the head."""
        head, prompt = self.classifier.documents
        of_tree = {"nearest": self.nearest, "mislabelled": self.mislabelled, "prefixes": self.prefixes}
        figures = {"which": self.name, "norm_1": self.norm, **dict(members(self.found)), **of_tree}
        return {"head": head, "prompt": prompt} | {key: written(value) for key, value in figures.items()}


def compared(
    model: HMM,
    task: Task,
    classifier: Classifier,
    name: str,
    nodes: int,
    left_out: Sequence[Fraction] = LEFT_OUT,
    words: Sequence[Word] = (),
    watch: Watch = iter,
    kept: Kept | None = None,
) -> Iterator[Borne]:
    """Measure a head, and those that bear more behind the same prompt; `words` are prefixes to begin with.

    Each is measured by so many prefixes, or until it is interrupted: then by those that there are, which are `kept`,
    and the same call goes on from them. The search for the largest margin is given up where it is interrupted.
    """

    def borne(classifier: Classifier, name: str) -> Borne:
        tree, wrong, stopped = Everywhere(model, task, classifier), None, False
        begun = [*words, *(kept.words(tree) if kept else ())]
        try:
            tree.resume(begun)
            for _ in watch(tree.grow(nodes)):
                pass
        except MislabelledError as error:
            wrong = error.word
        except KeyboardInterrupt:
            stopped = True  # what there is can be read off
        if kept:
            (kept.keep if stopped else kept.forget)(tree)
        shown = (one for q in left_out if (one := tree.certified(q)).error)
        found = next(shown, Certified(Fraction(0), left_out[-1], 0))
        if wrong is not None:
            found = Certified(Fraction(0), Fraction(1), 0)
        norm, certificate = max(map(max, tree.norms)), tree.certificate(found)
        return Borne(name, classifier, norm, found, tree.nearest, wrong, tree.size, certificate, stopped)

    yield (first := borne(classifier, name))
    if first.mislabelled is None:
        yield borne(least_norm(model, classifier), "least norm")
    try:
        widest = largest_margin(model, task, classifier, nodes, watch)
    except KeyboardInterrupt:
        return
    if widest is not None:
        yield borne(widest, "largest margin")
