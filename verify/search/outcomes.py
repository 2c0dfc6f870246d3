"""The outcome of a search among some models, and how the outcomes of consecutive parts merge.

Parts are worked through in any order, by any process. Merged in the order of enumeration, their outcomes are that of
the whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, lcm
from typing import Protocol

from constructions.evidence import Json
from constructions.models import Model, document, from_node
from constructions.tasks import Task
from constructions.text.documents import Node
from verify.search.small_models import Kind, Shard, Size

COUNT_LIMIT = 2**63
"""Every count is below it."""


@dataclass(frozen=True)
class Hit:
    """A model with a task on which no head serves all inputs up to the length `longest`, the least that refutes."""

    longest: int
    model: Model
    task: Task

    @property
    def size(self) -> Size:
        """The size of the model."""
        model = self.model
        laws = (model.initial, *model.transition, *model.emission, getattr(model, "memory", ()))
        return len(model.initial), len(model.emission), lcm(*(p.denominator for law in laws for p in law))


@dataclass(frozen=True)
class Outcome:
    """The outcome of a search among consecutive models of one size.

    `examined`: the number of models with a task. `candidates`: how many of them meet all hypotheses but the one
    dropped, and violate that. `undecided`: for how many it is open whether a head fits all inputs up to the greatest
    length. `complete`: whether no model was left out. `hit`: of the hits, the one whose longest refuting input is the
    shortest; of several, the first.
    """

    examined: int = 0
    candidates: int = 0
    undecided: int = 0
    complete: bool = True
    hit: Hit | None = None

    @property
    def counts(self) -> dict[str, int]:
        """The counts as JSON."""
        return {"examined": self.examined, "candidates": self.candidates, "undecided": self.undecided}

    @property
    def document(self) -> Json:
        """A complete outcome as JSON."""
        hit = self.hit
        return self.counts | {"longest": hit and hit.longest, "model": hit and document(hit.model, hit.task)}

    @property
    def final(self) -> bool:
        """Whether no later model of this size can be a smaller hit, as inputs have at least one token."""
        return self.hit is not None and self.hit.longest == 1

    def then(self, later: Outcome) -> Outcome:
        """Merge with the outcome among the models that come next. This is associative."""
        if self.final:
            return self
        hits = [outcome.hit for outcome in (self, later) if outcome.hit]
        return Outcome(
            self.examined + later.examined,
            self.candidates + later.candidates,
            self.undecided + later.undecided,
            self.complete and later.complete,
            min(hits, key=lambda hit: hit.longest, default=None),
        )


def read_outcome(node: Node) -> Outcome:
    """Read the document of an outcome. Raises `InputError` for anything else."""
    members = node.members({*Outcome().counts, "longest", "model"})
    examined, candidates, undecided = (members[key].index(COUNT_LIMIT) for key in Outcome().counts)
    if members["model"].value is None:
        return Outcome(examined, candidates, undecided)
    model, task = from_node(members["model"])
    if task is None:
        raise members["model"].complain("a model with a task")
    hit = Hit(members["longest"].index(COUNT_LIMIT), model, task)
    return Outcome(examined, candidates, undecided, hit=hit)


class Examiner(Protocol):
    """A search, as the code that distributes its work uses it."""

    @property
    def about(self) -> Kind:
        """The kind of the models."""

    @property
    def statement(self) -> str:
        """The number of the statement to break, or the place of a function, FILE.py:NAME."""

    @property
    def title(self) -> str:
        """The statement, and the hypothesis that is dropped."""

    @property
    def length(self) -> int:
        """The greatest length of refuting inputs; 0 where a search has no such limit."""

    @property
    def defined(self) -> bool:
        """Whether inputs whose masked output is 0/0 are left out."""

    @property
    def identity(self) -> str:
        """All that its outcomes depend on, except the code of Headproof."""

    def examine(self, models: Shard, until: float = inf) -> Outcome:
        """Decide the models of a shard with all their tasks, until a time in seconds since the epoch."""

    def confirms(self, hit: Hit) -> bool:
        """Tell whether a hit of unknown origin is true."""
