"""What came of a whole search, with the verdict on the model found; and of a check of what is not needed."""

from __future__ import annotations

from dataclasses import dataclass

from constructions.evidence import Json, Word
from constructions.models import document
from verify.search.outcomes import Examiner, Outcome
from verify.search.small_models import Bounds
from verify.verdicts import Verdict


@dataclass(frozen=True)
class Searched:
    """A search up to some bounds, with all that was found, and the verdict on the model found.

    `undefined`: the refuting inputs whose masked output is 0/0; of a memory model, whose masked outputs all are 0.
    """

    search: Examiner
    bounds: Bounds
    outcome: Outcome
    verdict: Verdict | None = None
    undefined: tuple[Word, ...] = ()

    @property
    def exhaustive(self) -> bool:
        """Whether every model within the bounds that is smaller than the one found was decided."""
        return self.outcome.complete and not self.outcome.undecided

    def document(self, certificate: str | None) -> Json:
        """The outcome as JSON."""
        verdict = self.verdict
        return {
            "found": verdict is not None,
            "model": None if verdict is None else document(verdict.model, verdict.task),
            "inputs": [] if verdict is None else [list(word) for word in verdict.refuting],
            "undefined_inputs": [list(word) for word in self.undefined],
            "certificate": certificate,
            **self.outcome.counts,
            "exhaustive": self.exhaustive,
            "bounds": {**self.bounds.document, "length": self.search.length},
        }


DRAWN = 1000
"""How many models are drawn to check that a hypothesis is not needed, beyond the bounds of those that are listed."""


@dataclass(frozen=True)
class Tried:
    """The check: of so many models with a task, `candidates` violate the hypothesis alone, and on `proved` it holds.

    On `telling` of these F* is known to take two labels in R; the `first` is shown. `complete`: none was left out.
    """

    examined: int
    candidates: int
    proved: int
    telling: int
    first: Verdict | None
    complete: bool = True

    @property
    def confirmed(self) -> bool:
        """Whether every candidate was proved."""
        return self.complete and self.proved == self.candidates
