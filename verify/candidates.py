"""A head that fits the inputs that were tried: a candidate, and no more."""

from __future__ import annotations

from dataclasses import dataclass

from constructions.attention import AttentionClassifier
from constructions.heads import Classifier
from verify.functionals import Word


@dataclass(frozen=True)
class Fits:
    """This head, with this prompt, gives these inputs their labels.

    `missed`: another input that it mislabels. If it is None, nothing is known of other inputs.
    """

    classifier: Classifier | AttentionClassifier
    inputs: tuple[Word, ...]
    missed: Word | None = None
