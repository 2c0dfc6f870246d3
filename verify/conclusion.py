"""The decision on a statement's conclusion for one model: it holds, it fails, or neither is known.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from constructions.evidence import Evidence, Json, Word, members, word_text, written
from constructions.heads import Classifier
from constructions.memory.attention import AttentionClassifier
from constructions.memory.model import MemoryHMM
from constructions.rendering import Named
from constructions.theorem_3_3 import LinearConstruction
from constructions.theorem_3_6 import PromptConstruction

Construction: TypeAlias = LinearConstruction | PromptConstruction

OF_HEADS = {"agreement", "attention"}
"""The kinds of evidence that are about one head: a certificate then has the head beside the evidence."""


@dataclass(frozen=True)
class Conclusion:
    """Whether a conclusion holds (None: undecided), the evidence, and the head that the evidence is about, if any.

    If the conclusion is undecided, the evidence may be `Fits`; then the head is only a candidate. `construction`: the
    parts from the proof of 3.3 or 3.6, if the head is the paper's.
    """

    holds: bool | None
    evidence: Evidence
    classifier: Classifier | AttentionClassifier | None = None
    construction: Construction | None = None

    @property
    def head(self) -> Classifier | AttentionClassifier:
        """The head that the evidence is about. Raises `ValueError` if it is about none."""
        if self.classifier is None:
            raise ValueError(f"{self.evidence.kind} is not about a head")
        return self.classifier

    @property
    def fits(self) -> Fits:
        """The evidence about a candidate head. Raises `ValueError` if there is no candidate."""
        if not isinstance(self.evidence, Fits):
            raise ValueError(f"{self.evidence.kind} is no candidate")
        return self.evidence

    @property
    def as_candidate(self) -> Json:
        """The candidate as JSON: {"head", "prompt", "inputs", "missed", "length"}, the last three as in `Fits`."""
        head, prompt = self.head.documents
        return {"head": head, "prompt": prompt} | {key: written(value) for key, value in members(self.fits)}

    @property
    def inputs(self) -> tuple[Word, ...]:
        """The inputs that refute the conclusion together; empty unless it fails."""
        return self.evidence.words if self.holds is False else ()

    @property
    def document(self) -> Json:
        """The evidence as a certificate has it. Evidence about one head comes with this head and its prompt."""
        if self.classifier is None or self.evidence.kind not in OF_HEADS:
            return self.evidence.document
        head, prompt = self.classifier.documents
        return self.evidence.document | {"head": head, "prompt": prompt}


class Fits(Evidence, kind="fits"):
    """A head gives each of `inputs`, and each input of at most `length` tokens, its label F*.

    `missed`: an input that the head mislabels; None if no such input is known. For a memory model `length` is about the
    inputs in R alone. No certificate has this evidence.
    """

    inputs: tuple[Word, ...]
    missed: Word | None = None
    length: int = 0

    def sentence(self, model: Named) -> str:
        """Say up to which length some head is right."""
        inputs = f"all inputs{' in R' * isinstance(model, MemoryHMM)} of up to {self.length} tokens"
        longer = "of longer ones nothing is known"
        if self.missed is not None:
            longer = f"it mislabels ({word_text(self.missed, model)})"
        return f"none excluded; some head is right on {inputs}, {longer}"


class Served(Evidence, kind="served", says="some head serves all inputs up to a length"):
    """Some head gives all inputs up to a length their labels; of longer ones nothing is said."""


SERVED = Conclusion(True, Served())
