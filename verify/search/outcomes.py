"""What was found in a part of a search, and what that makes of two parts that follow each other.

Parts are worked through in any order and by anybody; put together in the order of enumeration they say what one would
have found alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, replace
from math import inf, lcm
from typing import Protocol, TypeAlias

from constructions.memory.model import MemoryHMM
from constructions.models import Model, document, from_node
from constructions.reading import parse
from constructions.tasks import Task
from verify.search.small_models import Kind, Shard

MOST = 2**63
"""What is counted is less."""


@dataclass(frozen=True)
class Hit:
    """A model with a task on which no head serves all inputs up to the length `longest`, the least that refutes."""

    longest: int
    model: Model
    task: Task


def size(hit: Hit) -> tuple[int, int, int, int]:
    """Return what makes a hit a small one: states, tokens, denominator, longest input."""
    model = hit.model
    laws = (model.initial, *model.transition, *model.emission, model.memory if isinstance(model, MemoryHMM) else ())
    denominator = lcm(*(p.denominator for law in laws for p in law))
    return len(model.initial), len(model.emission), denominator, hit.longest


@dataclass(frozen=True)
class Outcome:
    """What was found among the models of one size that follow each other.

    `examined`: models with a task that were looked at. `candidates`: those that meet all other hypotheses and violate
    the one dropped. `undecided`: those of which it is not known whether a head fits all inputs up to the greatest
    length. `complete`: none was left out. `hit`: of those whose longest input is shortest, the first.
    """

    examined: int = 0
    candidates: int = 0
    undecided: int = 0
    complete: bool = True
    hit: Hit | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How many models there were, as JSON."""
        return {"examined": self.examined, "candidates": self.candidates, "undecided": self.undecided}

    @property
    def final(self) -> bool:
        """Whether no later model of the size can be smaller: inputs have a length of at least 1."""
        return self.hit is not None and self.hit.longest == 1

    def then(self, later: Outcome) -> Outcome:
        """Put together what was found here and in the models that come next; associative."""
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


def written(outcome: Outcome) -> str:
    """Write what was found in a complete part as JSON."""
    hit = outcome.hit
    found = {"longest": hit and hit.longest, "model": hit and document(hit.model, hit.task)}
    return json.dumps(outcome.counts | found)


def read(text: str) -> Outcome:
    """Read what `written` wrote. Raises `InputError` for anything else."""
    found = parse(text).members({*Outcome().counts, "longest", "model"})
    examined, candidates, undecided = (found[key].index(MOST) for key in Outcome().counts)
    counts = Outcome(examined, candidates, undecided)
    if found["model"].value is None:
        return counts
    model, task = from_node(found["model"])
    if task is None:
        raise found["model"].complain("a model with a task")
    return replace(counts, hit=Hit(found["longest"].index(MOST), model, task))


# Who works for whom


class Examiner(Protocol):
    """A search, as those see it who spread its work: it examines the models of a shard."""

    @property
    def about(self) -> Kind:
        """The kind of the models."""

    @property
    def held(self) -> tuple[str, ...]:
        """The hypotheses that the models are to meet."""

    @property
    def violated(self) -> tuple[str, ...]:
        """The hypotheses one of which they are to violate, if there are any."""

    @property
    def statement(self) -> str:
        """The number of the statement that it wants to break, or the place of a function, FILE.py:NAME."""

    @property
    def without(self) -> str:
        """The hypothesis that it drops, if it drops one."""

    @property
    def title(self) -> str:
        """What it wants to break, and without which hypothesis."""

    @property
    def length(self) -> int:
        """The greatest length of the inputs that are to refute; 0 where that is not asked."""

    @property
    def defined(self) -> bool:
        """Whether inputs are left out whose masked output is 0/0."""

    @property
    def identity(self) -> str:
        """All that its outcomes depend on, but for the code of Headproof."""

    def examine(self, models: Iterable[tuple[Model, Iterable[Task]]], until: float = inf) -> Outcome:
        """Look at models, as those of a shard, with all their tasks, until a time (seconds since the epoch)."""

    def confirms(self, hit: Hit) -> bool:
        """Tell whether no head serves the inputs of a model up to the longest, as a hit says."""


Numbered: TypeAlias = tuple[int, Shard]
Outcomes: TypeAlias = Generator[tuple[int, Outcome], None, None]
Engine: TypeAlias = Callable[[Examiner, Iterable[Numbered], float], Outcomes]
"""Takes the search, numbered shards, and until when (seconds since the epoch) to work on them."""


def in_turn(search: Examiner, shards: Iterable[Numbered], until: float) -> Outcomes:
    """Work through the shards here, one after the other."""
    for number, shard in shards:
        yield number, search.examine(shard, until)
