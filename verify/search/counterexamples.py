"""Is a hypothesis needed? The smallest model that meets all others, violates it, and on which no head will do.

Models are decided in increasing size (`search.small_models`). So the first that breaks the conclusion has the fewest
states, then tokens, then the smallest denominator; and among the models of its size that break it, its longest refuting
input is the shortest. `search.without` tells which models meet the hypotheses, `search.refutation` decides one model.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import chain, combinations, compress, islice
from math import gcd, inf
from time import time
from typing import Any

import numpy as np

from constructions.memory.assumptions import chosen_states
from constructions.memory.joint_chain import joint_task
from constructions.models import HMM, Model
from constructions.tasks import Task
from verify.conclusion import Conclusion
from verify.heads.served import Chains, Mask, Numbers, attended, served
from verify.prover import prove
from verify.search.outcomes import Hit, Outcome
from verify.search.refutation import refute_heads, unread
from verify.search.result import SearchResult
from verify.search.small_models import Bounds, Kind, Shard, SmallModel
from verify.search.without import OF_TASKS, WITHOUT, Answers, may_break, met, parts_of
from verify.statements import STATEMENTS, Statement
from verify.words.effort import QUICK
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Problem

BATCH = 32
"""How many models of a shard are sifted together."""

CACHE_SIZE = 2**13
"""How many values of each kind are remembered of models with the same key."""


@dataclass(frozen=True)
class Search:
    """The search for a model on which a statement of the paper fails without one of its hypotheses.

    The inputs that refute it have at most `length` tokens; with `defined`, none of them has a masked output of 0/0.
    """

    statement: str
    without: str
    length: int
    defined: bool = False

    source = "the paper"

    def __post_init__(self) -> None:
        """Raise `KeyError` where there is no such search."""
        WITHOUT[self.statement, self.without]

    @property
    def title(self) -> str:
        """The statement, and the hypothesis that is dropped."""
        return f"{self.statement} without {self.without}"

    @property
    def theorem(self) -> Statement:
        """The statement itself."""
        return STATEMENTS[self.statement]

    @property
    def about(self) -> Kind:
        """The kind of the models."""
        return self.theorem.about

    @property
    def hypotheses(self) -> tuple[str, ...]:
        """The hypotheses that the models meet."""
        return tuple(key for key in self.theorem.hypotheses if key not in self.violated)

    @cached_property
    def violated(self) -> tuple[str, ...]:
        """The hypotheses of which the models violate one."""
        return parts_of(self.theorem.hypotheses).get(self.without) or (self.without.partition(":")[0],)

    @property
    def identity(self) -> str:
        """All that its outcomes depend on, except the code."""
        return str(asdict(self))

    def examine(self, models: Shard, until: float = inf) -> Outcome:
        """Decide the models of a shard with all their tasks, in order, until a time in seconds since the epoch.

        After a hit only shorter inputs are tried, and none after a hit of length 1. No model is examined in a shard
        whose emission or start excludes a counterexample. In the other shards, `decide` is called only where the sieve
        (`heads.served`) does not prove that some head serves.
        """
        if not may_break(self.hypotheses, self.violated, models):
            return Outcome()
        outcome, max_length, models_left = Outcome(), self.length, models.models()
        while max_length and (batch := tuple(islice(models_left, BATCH))):
            for examined, candidates, problems in self._sift(batch, max_length):
                if time() > until:
                    return replace(outcome, complete=False)
                undecided, hit = 0, None
                for model, task in problems:
                    conclusion = self.decide(model, task, max_length)
                    undecided += conclusion is None
                    if conclusion is not None and conclusion.holds is False:
                        hit = Hit(max(map(len, conclusion.inputs)), model, task)
                        max_length = hit.longest - 1
                outcome = outcome.then(Outcome(examined, candidates, undecided, hit=hit))
                if not max_length:
                    break
        return outcome

    def _sift(
        self, batch: Sequence[SmallModel], max_length: int
    ) -> Iterator[tuple[int, int, list[tuple[Model, Task]]]]:
        """Yield of each model the number of tasks, the number of candidates, and the problems that are left to decide.

        Left out are tasks that are no candidates, and those for which some head surely serves all inputs.
        """
        tasks, *arrays = zip(*(_tasks_and_masks(self, model) for model in batch), strict=True)
        mu, candidate, recoverable = map(np.concatenate, arrays)
        model_of_task = np.repeat(np.arange(len(batch)), list(map(len, tasks)))
        left = candidate.copy()
        if candidate.any():
            problems = chains(batch), model_of_task[candidate], mu[candidate]
            if self.about == "hmm":
                left[candidate] = ~served(*problems, max_length, self.theorem.prompted, self.defined)
            else:
                left[candidate] = ~attended(*problems, recoverable[candidate], max_length, self.theorem.prompted)
        for i, (model, of_model) in enumerate(zip(batch, tasks, strict=True)):
            here = model_of_task == i
            problems_left = [(model.model, task) for task in compress(of_model, left[here])]
            yield len(of_model), int(candidate[here].sum()), problems_left

    def with_recoverable_states(self, model: Any, task: Any) -> list[Task]:
        """Return the task with its own H*; where H* is free, with every nonempty H* = {j*} x S*."""
        if self.theorem.needs not in self.violated:
            return [task]
        syntax = range(model.shape.syntax)
        sets = chain.from_iterable(combinations(syntax, size) for size in range(1, len(syntax) + 1))
        return [replace(task, recoverable=states) for states in sets]

    def may_break(self, model: Any, task: Task | None = None) -> bool:
        """Tell whether a model can break the statement, by the hypotheses that do not depend on the task.

        With a task, tell it by the others: the assumption on the task holds; or, where it is dropped, it fails while
        the rest of it holds.
        """
        if task is None:
            if self.statement == "4.6" and model.shape.cells > 1:
                return False
        elif not WITHOUT[self.statement, self.without](model, task):
            return False
        hypotheses, violated = (
            [key for key in keys if (key in OF_TASKS) == (task is not None)]
            for keys in (self.hypotheses, self.violated)
        )
        return met(hypotheses, violated, Answers(model, task)) is True

    def decide(self, model: Model, task: Task, max_length: int) -> Conclusion | None:
        """Tell whether some head serves a model's inputs up to a length; None if that is undecided."""
        return refute_heads(self.theorem, self._problem(model, task), max_length, self.defined)

    def confirms(self, hit: Hit) -> bool:
        """Tell whether a hit of unknown origin is true: no head serves the inputs of its model up to the longest."""
        if hit.model.kind != self.about or not 1 <= hit.longest <= self.length:
            return False
        conclusion = self.decide(hit.model, hit.task, hit.longest)
        return conclusion is not None and conclusion.holds is False

    def result(self, bounds: Bounds, outcome: Outcome, refutation: Conclusion | None = None) -> SearchResult:
        """Return the result within bounds; of a hit, with the proof that its inputs refute the statement.

        The refutation is found anew unless it is passed.
        """
        if (hit := outcome.hit) is None:
            return SearchResult(self, bounds, outcome)
        conclusion = refutation or self.decide(hit.model, hit.task, hit.longest)
        if conclusion is None or conclusion.holds is not False:
            raise ArithmeticError("the refutation of a model must be found again")
        name = f"{self.statement}-without-{self.without}".replace(":", "-")
        verdict = prove(self.theorem, replace(hit.model, name=name), hit.task, QUICK, conclusion)
        problem = self._problem(verdict.model, verdict.task)
        undefined = tuple(word for word in verdict.counterexample if unread(verdict.statement, problem, word))
        return SearchResult(self, bounds, outcome, verdict, undefined)

    def _problem(self, model: Model, task: Task) -> Problem | MemoryProblem:
        """Pose the task of a model; of a memory model, for the H* that the statement is about there."""
        if isinstance(model, HMM):
            return Problem(model, task)
        return replace(self.theorem.problem(model, task), findings=())


# The sieve of a shard


@dataclass(frozen=True)
class _Keyed:
    """An argument of which only the key counts: a value is computed once for all arguments with the same key."""

    key: Hashable
    argument: Any = field(compare=False)


def _tasks_and_masks(search: Search, model: SmallModel) -> tuple[list[Task], Numbers, Mask, Mask]:
    """Return the T tasks on a model, and arrays: mu, which tasks are candidates, which states are in the H* of each.

    Their shapes are (T, n), (T,) and (T, n), over the n states of Hbar, or of H where there is no memory. They are
    computed once for all models with the same supports, ranks and symmetries. Of memory models, what depends on the
    chain and what depends on W are decided apart.
    """
    shard, key = model.shard, (model.shard.shape, model.symmetries)
    if not _possible(search, _Keyed((model.chain, shard.ranks[-1]), model)):
        return _decide_tasks(search, False, _Keyed(key, model))
    return _decide_tasks(search, True, _Keyed((*key, shard.ranks, search.about == "hmm" and model.chain), model))


@lru_cache(CACHE_SIZE)
def _possible(search: Search, model: _Keyed) -> bool:
    """Tell whether a model can break the statement with some task."""
    return search.may_break(model.argument.model)


@lru_cache(CACHE_SIZE)
def _decide_tasks(search: Search, possible: bool, small_model: _Keyed) -> tuple[list[Task], Numbers, Mask, Mask]:
    """Return the tasks and arrays of `_tasks_and_masks`; `possible`: whether the model can break the statement.

    The hypotheses depend on supp(mu), the cell and H* alone. So one task is decided for all that agree in these.
    """
    model = small_model.argument.model
    tasks: list[Any] = [task for mu in small_model.argument.tasks for task in search.with_recoverable_states(model, mu)]
    rows = np.array([list(map(float, joint_task(model, task).mu[0])) for task in tasks])
    keys = [(task.support, getattr(task, "cell", None), getattr(task, "recoverable", None)) for task in tasks]
    answers = {}
    for key, task in dict(zip(keys, tasks, strict=True)).items():
        candidate, inside = possible and search.may_break(model, task), [True] * len(rows[0])
        if search.about == "memory-hmm":
            states = chosen_states(model, task)
            if not states and candidate:
                states = search.theorem.problem(model, task).recoverable_states
            inside = [h in (states or ()) for _ in model.memory for h in range(model.shape.hidden)]
        answers[key] = candidate, inside
    candidates, recoverable = zip(*map(answers.__getitem__, keys), strict=True)
    return tasks, rows, np.array(candidates), np.array(recoverable)


def chains(batch: Sequence[SmallModel]) -> Chains:
    """Return Hbar of models of one shard, or the models themselves if they have no memory."""
    shard = batch[0].shard
    memory = np.array(shard.memory) // gcd(*shard.memory)
    emission = np.array(shard.emission, dtype=np.float64).T[:, shard.shape.read]
    steps = np.array([model.transition for model in batch], dtype=np.float64)
    return Chains(np.kron(memory, shard.initial), emission, np.kron(np.eye(len(memory)), steps))
