"""Is a hypothesis needed? The smallest model that meets all others, violates it, and on which no head will do.

Models are looked at in increasing size (`search.small_models`), so the first that breaks the conclusion has as few
states as can be, then tokens, then the smallest denominator; of all of this size, its longest refuting input is as
short as can be. Which models are taken up is in `search.dropped`, how one is decided in `search.broken`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from itertools import chain, compress, islice
from math import gcd, inf
from time import time
from typing import NamedTuple

import numpy as np

from constructions.memory.assumptions import asked_for
from constructions.memory.joint_chain import joint_task
from constructions.memory.model import MemoryHMM
from constructions.models import HMM, Model
from constructions.tasks import MemoryTask, Task
from verify.conclusion import Conclusion
from verify.heads.served import Chains, Mask, Numbers, attended, served
from verify.prover import prove, recoverable_states
from verify.search.broken import broken, unread
from verify.search.dropped import WITHOUT, begins, every_set
from verify.search.found import Searched
from verify.search.hypotheses import OF_TASKS, Answers, holds, met
from verify.search.outcomes import Hit, Outcome
from verify.search.small_models import Bounds, Kind, Shard, SmallModel
from verify.statements import STATEMENTS, about
from verify.verdicts import Verdict
from verify.words.effort import EFFORT
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Problem

AT_ONCE = 32
"""So many models of a shard are sifted together."""


@dataclass(frozen=True)
class Search:
    """What is searched for: a model on which a statement fails without one of its hypotheses.

    Inputs of at most `length` tokens are to refute it; with `defined`, only such whose masked output is not 0/0.
    """

    statement: str
    without: str
    length: int
    defined: bool = False

    source = "the paper"

    def __post_init__(self) -> None:
        """Refuse what cannot be searched for: `KeyError` with the statement and what it was to do without."""
        WITHOUT[self.statement, self.without]

    @property
    def title(self) -> str:
        """The statement, and what it is to do without."""
        return f"{self.statement} without {self.without}"

    @property
    def about(self) -> Kind:
        """The kind of the models."""
        return STATEMENTS[self.statement].about

    @property
    def held(self) -> tuple[str, ...]:
        """The hypotheses that the models are to meet."""
        return tuple(key for key in STATEMENTS[self.statement].hypotheses if key not in self.violated)

    @property
    def violated(self) -> tuple[str, ...]:
        """The hypotheses one of which they are to violate."""
        return WITHOUT[self.statement, self.without].violated

    @property
    def identity(self) -> str:
        """All that its outcomes depend on, but for the code."""
        return str(asdict(self))

    def examine(self, models: Iterable[tuple[Model, Iterable[Task]]], until: float = inf) -> Outcome:
        """Decide on models with all their tasks, in their order; those left at a time (since the epoch) are left out.

        Of the models that come after a hit, only shorter inputs are asked for; after one of length 1, nothing is. In a
        shard whose emission or start leaves nothing to break, no model is examined; in others, `decide` is asked only
        where it is not sure that some head serves (`heads.served`).
        """
        if isinstance(models, Shard) and not begins(self.held, self.violated, models):
            return Outcome()
        far, most = Outcome(), self.length
        models_left = self._left(models, lambda: most)
        for left in models_left:
            if time() > until:
                return replace(far, complete=False)
            undecided, hit = 0, None
            for model, task in left.problems:
                found = self.decide(model, task, most)
                undecided += found is None
                if found is not None and found.holds is False:
                    hit = Hit(max(map(len, found.inputs)), model, task)
                    most = hit.longest - 1
            far = far.then(Outcome(left.examined, left.candidates, undecided, hit=hit))
            if not most:
                break
        return far

    def _left(self, models: Iterable[tuple[Model, Iterable[Task]]], most: Callable[[], int]) -> Iterator[_Left]:
        """Yield of each model what is left to decide. Those of a shard are sifted, some at a time.

        `most`: the greatest length of inputs that are still asked for.
        """
        if isinstance(models, Shard):
            listed = models.models()
            batch = list(islice(listed, AT_ONCE))
            while batch:
                before = most()
                for left in self._sifted(tuple(batch), before):
                    del batch[0]
                    yield left
                    if most() < before:
                        break  # for shorter inputs less is left
                batch.extend(islice(listed, AT_ONCE - len(batch)))
            return
        for model, tasks in models:
            asked = list(self.candidates(model, tasks))
            open_ = [(model, task) for task, candidate in asked if candidate]
            yield _Left(len(asked), len(open_), open_)

    def _sifted(self, batch: Sequence[SmallModel], most: int) -> Iterator[_Left]:
        """Leave out what is no candidate, and where some head surely serves all inputs up to a length."""
        asked, columns = zip(*(_asked(self, _Alike(one.supports, one)) for one in batch), strict=True)
        which = np.repeat(np.arange(len(batch)), [len(tasks) for tasks in asked])
        candidates, rows, inside = map(np.concatenate, zip(*columns, strict=True))
        prompted = STATEMENTS[self.statement].prompted
        left = candidates.copy()
        if candidates.any():
            posed = chains(batch), which[candidates], rows[candidates]
            if self.about == "hmm":
                left[candidates] = ~served(*posed, most, prompted, self.defined)
            else:
                left[candidates] = ~attended(*posed, inside[candidates], most, prompted)
        parts = np.cumsum([len(tasks) for tasks in asked])[:-1]
        for one, tasks, *masks in zip(batch, asked, np.split(candidates, parts), np.split(left, parts), strict=True):
            could, open_ = masks
            yield _Left(len(tasks), int(could.sum()), [(one.model, task) for task in compress(tasks, open_)])

    def candidates(self, model: Model, tasks: Iterable[Task]) -> Iterator[tuple[Task, bool]]:
        """Tell of each task, for each H* where that is free, whether it and the model could break the statement."""
        possible = self.possible(model)
        for task in chain.from_iterable(self.posed(model, task) for task in tasks):
            yield task, possible and self.breaks(model, task)

    def posed(self, model: Model, task: Task) -> Iterable[Task]:
        """Return the task; where H* is free, with every H* = {j*} x S* that is not empty, or with its own."""
        if not (isinstance(model, MemoryHMM) and isinstance(task, MemoryTask)) or task.recoverable is not None:
            return [task]
        return every_set(model, task) if STATEMENTS[self.statement].needs in self.violated else [task]

    def possible(self, model: Model) -> bool:
        """Tell whether a model can break the statement, as far as that does not depend on the task."""
        if self.statement == "4.6" and isinstance(model, MemoryHMM) and model.shape.cells > 1:
            return False
        held, violated = ([key for key in keys if key not in OF_TASKS] for keys in (self.held, self.violated))
        return met(held, violated, Answers((model, None))) is True

    def breaks(self, model: Model, task: Task) -> bool:
        """Tell whether what is assumed of the task holds; where it is dropped, if it fails and what is left holds."""
        assumption = next((key for key in STATEMENTS[self.statement].hypotheses if key in OF_TASKS), None)
        if assumption is None:
            return True
        left, kept = WITHOUT[self.statement, self.without].instead, assumption not in self.violated
        return left(model, task) and holds(assumption, (model, task)) == kept

    def decide(self, model: Model, task: Task, most: int) -> Conclusion | None:
        """Tell whether some head serves a model's inputs up to a length."""
        return broken(STATEMENTS[self.statement], self._problem(model, task), most, self.defined)

    def confirms(self, hit: Hit) -> bool:
        """Tell whether a hit is one, whoever says so: its model of the kind, and no head up to its longest input."""
        if not about(STATEMENTS[self.statement], hit.model) or not 1 <= hit.longest <= self.length:
            return False
        found = self.decide(hit.model, hit.task, hit.longest)
        return found is not None and found.holds is False

    def found(self, bounds: Bounds, outcome: Outcome) -> Searched:
        """Return what was found within bounds, with the proof that its refuting inputs refute the statement."""
        if outcome.hit is None:
            return Searched(self, bounds, outcome)
        verdict = self.verdict(outcome.hit)
        problem = self._problem(verdict.model, verdict.task)
        undefined = tuple(word for word in verdict.refuting if unread(verdict.statement, problem, word))
        return Searched(self, bounds, outcome, verdict, undefined)

    def verdict(self, hit: Hit) -> Verdict:
        """Prove of a model that was found that its shortest refuting inputs refute the statement."""
        fails = self.decide(hit.model, hit.task, hit.longest)
        if fails is None or fails.holds is not False:
            raise ArithmeticError("what refuted a model once must refute it again")
        name = f"{self.statement}-without-{self.without}".replace(":", "-")
        return prove(STATEMENTS[self.statement], replace(hit.model, name=name), hit.task, EFFORT, fails)

    def _problem(self, model: Model, task: Task) -> Problem | MemoryProblem:
        """Pose the task of a model; of a memory model, for the H* that the statement is about there."""
        statement = STATEMENTS[self.statement]
        if isinstance(model, MemoryHMM) and isinstance(task, MemoryTask):
            return MemoryProblem(model, task, recoverable_states(statement, model, task))
        if not isinstance(model, HMM):
            raise ValueError(f"{statement.id} has no search on this model")
        return Problem(model, task)


def length_of(key: tuple[str, str]) -> int:
    """Return the greatest length of the inputs that are to refute: heads have many ways to attend to longer ones."""
    return 3 if STATEMENTS[key[0]].about == "memory-hmm" else 4


# What a shard is sifted by


class _Left(NamedTuple):
    """Of a model so many tasks were examined, so many of them are candidates, and these are left to decide."""

    examined: int
    candidates: int
    problems: Sequence[tuple[Model, Task]]


@dataclass(frozen=True)
class _Alike:
    """A model, equal to those of which the same holds: those with the same `key`."""

    key: Hashable
    one: SmallModel = field(compare=False)


@lru_cache(maxsize=2**13)
def _posed(search: Search, alike: _Alike) -> tuple[list[Task], Numbers]:
    """Return the tasks on a model, each with the H* that is asked about, and their mu over Hbar (or H)."""
    model = alike.one.model
    tasks = [each for task in alike.one.tasks for each in search.posed(model, task)]
    rows = [_lifted(model, task).mu[0] for task in tasks]
    return tasks, np.array([list(map(float, row)) for row in rows])


def _lifted(model: Model, task: Task) -> Task:
    return joint_task(model, task) if isinstance(model, MemoryHMM) and isinstance(task, MemoryTask) else task


@lru_cache(maxsize=2**13)
def _asked(search: Search, alike: _Alike) -> tuple[list[Task], tuple[Mask, Numbers, Mask]]:
    """Ask the hypotheses about one model for all that are alike.

    Return its tasks; and which of them are candidates, their mu, and which states of Hbar are in H*.
    """
    one = alike.one
    tasks_of = one.shard.shape, one.symmetries
    tasks, rows = _posed(search, _Alike(tasks_of, one))
    apart = search.about == "memory-hmm"  # what is asked of the chain, and of the columns
    if not _possible(search, _Alike(one.chain if apart else (one.chain, one.ranks[-1]), one)):
        return tasks, (np.zeros(len(tasks), np.bool_), rows, np.ones(rows.shape, np.bool_))
    answers, inside = _answers(search, _Alike((*tasks_of, one.ranks) if apart else alike.key, one))
    return tasks, (answers, rows, inside)


@lru_cache(maxsize=2**13)
def _possible(search: Search, alike: _Alike) -> bool:
    return search.possible(alike.one.model)


@lru_cache(maxsize=2**13)
def _answers(search: Search, alike: _Alike) -> tuple[Mask, Mask]:
    """Tell of the tasks whether they are candidates, where the model can be, and which states are in H*.

    Hypotheses speak of supp(mu), the cell and H* alone: of the tasks that have the same, one is asked about.
    """
    one = alike.one
    tasks, _ = _posed(search, _Alike((one.shard.shape, one.symmetries), one))
    keys = [(task.support, (task.cell, task.recoverable) if isinstance(task, MemoryTask) else None) for task in tasks]
    told = {key: _answer(search, one.model, task) for key, task in dict(zip(keys, tasks, strict=True)).items()}
    answers, inside = zip(*(told[key] for key in keys), strict=True)
    return np.array(answers), np.array(inside)


def _answer(search: Search, model: Model, task: Task) -> tuple[bool, list[bool]]:
    """Tell whether a task is a candidate, and which states of Hbar are in its H*: the one that is given, or said."""
    candidate = search.breaks(model, task)
    if not (isinstance(model, MemoryHMM) and isinstance(task, MemoryTask)):
        return candidate, [True] * len(model.initial)
    states = asked_for(model, task)
    if not states:
        states = recoverable_states(STATEMENTS[search.statement], model, task) if candidate else ()
    return candidate, [h in states for _ in model.memory for h in range(model.shape.hidden)]


def chains(batch: Sequence[SmallModel]) -> Chains:
    """Return Hbar of models of one shard, or the models themselves if they have no memory."""
    one = batch[0].shard
    memory = np.array(one.memory) // gcd(*one.memory)
    emission = np.array(one.emission, dtype=np.float64).T[:, one.shape.read]
    steps = np.array([each.transition for each in batch], dtype=np.float64)
    return Chains(np.kron(memory, one.initial), emission, np.kron(np.eye(len(memory)), steps))
