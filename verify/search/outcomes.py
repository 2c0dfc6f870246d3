"""The outcome of a search among some models, and how the outcomes of consecutive parts merge.

The parts of a search can be worked through in any order, by any process. Their outcomes, merged in the order of
enumeration, give the outcome of the search.
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
"""`read_outcome` rejects counts that are not below this number."""


@dataclass(frozen=True)
class Hit:
    """A model with a task on which a statement fails.

    `longest`: the length of the longest inputs that the refutation needs: no head serves all inputs of at most this
    length. The search has shown this for no smaller length. For a user's own statement it is 1.
    """

    longest: int
    model: Model
    task: Task

    @property
    def size(self) -> Size:
        """The numbers of hidden states and of tokens, and the least common denominator of all probabilities."""
        model = self.model
        laws = (model.initial, *model.transition, *model.emission, getattr(model, "memory", ()))
        return len(model.initial), len(model.emission), lcm(*(p.denominator for law in laws for p in law))


@dataclass(frozen=True)
class Outcome:
    """The outcome of a search among consecutive models of one size.

    The first three fields are numbers of pairs of a model and a task:

    - `examined`: all pairs that were looked at
    - `candidates`: pairs that violate the dropped hypothesis and meet all others
    - `undecided`: candidates for which it is open whether some head serves all inputs up to the search's length. After
      a hit, candidates are only tried on inputs shorter than the hit's `longest`.

    `complete`: whether no model was left out for lack of time. `hit`: the hit with the least `longest`, and the first
    of these if there are several; None if there is no hit.
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
        """Whether the hit's `longest` is 1, the least. Then no later model of this size can be a better hit."""
        return self.hit is not None and self.hit.longest == 1

    def then(self, later: Outcome) -> Outcome:
        """Return this outcome merged with `later`, the outcome of the models that come next.

        If this outcome is final, return it unchanged. Merging is associative.
        """
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
    """Read an outcome from its document. Raises `InputError` if the node is no such document."""
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
    """What a search must offer to the code that distributes its work (`search.parallel`)."""

    @property
    def about(self) -> Kind:
        """The kind of the models: vanilla or memory HMMs."""

    @property
    def statement(self) -> str:
        """The number of a statement of the paper, or the place FILE.py:NAME of a user's own statement."""

    @property
    def title(self) -> str:
        """The statement, and the hypothesis that is dropped, in words."""

    @property
    def length(self) -> int:
        """The greatest length of refuting inputs, in tokens; 0 if the search has no such limit."""

    @property
    def defined(self) -> bool:
        """Whether inputs whose masked output is 0/0 are left out."""

    @property
    def identity(self) -> str:
        """A text with all that the outcomes depend on, except the code of Headproof."""

    def examine(self, models: Shard, until: float = inf) -> Outcome:
        """Decide the models of a shard with all their tasks. `until`: when to stop, in seconds since the epoch."""

    def confirms(self, hit: Hit) -> bool:
        """Tell whether the statement fails on the model of a hit that was read from a file."""
