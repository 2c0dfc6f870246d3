"""Is a hypothesis needed? The smallest model that meets all others, violates it, and on which no head will do.

Models are decided in increasing size (`search.small_models`). So the first that breaks the conclusion has the fewest
states, then tokens, then the smallest denominator; and among the models of its size that break it, its longest refuting
input is the shortest. `search.without` tells which models meet the hypotheses, `search.refutation` decides one model.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import chain, compress, islice
from math import gcd, inf
from time import time
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from constructions.memory.assumptions import chosen_states
from constructions.memory.joint_chain import joint_task
from constructions.models import HMM, Model, is_memory
from constructions.tasks import Task
from verify.conclusion import Conclusion
from verify.heads.served import Chains, Mask, Numbers, attended, served
from verify.prover import prove
from verify.search.hypotheses import OF_TASKS, Answers, holds, met
from verify.search.outcomes import Hit, Outcome
from verify.search.refutation import refute_heads, unread
from verify.search.result import SearchResult
from verify.search.small_models import Bounds, Kind, Shard, SmallModel
from verify.search.without import WITHOUT, every_set, may_break
from verify.statements import STATEMENTS, about
from verify.verdicts import Verdict
from verify.words.effort import EFFORT
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Problem

Value = TypeVar("Value")

BATCH = 32
"""How many models of a shard are sifted together."""

CACHE_SIZE = 2**13
"""How many values of each kind a sieve remembers."""


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
    def about(self) -> Kind:
        """The kind of the models."""
        return STATEMENTS[self.statement].about

    @property
    def hypotheses(self) -> tuple[str, ...]:
        """The hypotheses that the models meet."""
        return tuple(key for key in STATEMENTS[self.statement].hypotheses if key not in self.violated)

    @property
    def violated(self) -> tuple[str, ...]:
        """The hypotheses of which the models violate one."""
        return WITHOUT[self.statement, self.without].violated

    @property
    def identity(self) -> str:
        """All that its outcomes depend on, except the code."""
        return str(asdict(self))

    def examine(self, models: Iterable[tuple[Model, Iterable[Task]]], until: float = inf) -> Outcome:
        """Decide models with all their tasks, in order, until a time in seconds since the epoch.

        After a hit only shorter inputs are tried, and none after a hit of length 1. No model is examined in a shard
        whose emission or start excludes a counterexample. In the other shards, `decide` is called only where the sieve
        (`heads.served`) does not prove that some head serves.
        """
        if isinstance(models, Shard) and not may_break(self.hypotheses, self.violated, models):
            return Outcome()
        outcome, max_length = Outcome(), self.length
        sifted_models = self._sifted_models(models, lambda: max_length)
        for sifted in sifted_models:
            if time() > until:
                return replace(outcome, complete=False)
            undecided, hit = 0, None
            for model, task in sifted.problems:
                conclusion = self.decide(model, task, max_length)
                undecided += conclusion is None
                if conclusion is not None and conclusion.holds is False:
                    hit = Hit(max(map(len, conclusion.inputs)), model, task)
                    max_length = hit.longest - 1
            outcome = outcome.then(Outcome(sifted.examined, sifted.candidates, undecided, hit=hit))
            if not max_length:
                break
        return outcome

    def _sifted_models(
        self, models: Iterable[tuple[Model, Iterable[Task]]], max_length: Callable[[], int]
    ) -> Iterator[_Sifted]:
        """Yield what is left to decide of each model. The models of a shard are sifted in batches.

        `max_length`: the current limit on the length of inputs.
        """
        if isinstance(models, Shard):
            listed = models.models()
            while batch := tuple(islice(listed, BATCH)):
                yield from self._sift(batch, max_length())
            return
        for model, tasks in models:
            tasks_and_answers = list(self.candidates(model, tasks))
            problems = [(model, task) for task, candidate in tasks_and_answers if candidate]
            yield _Sifted(len(tasks_and_answers), len(problems), problems)

    def _sift(self, batch: Sequence[SmallModel], max_length: int) -> Iterator[_Sifted]:
        """Leave out tasks that are no candidates, and those for which some head surely serves all inputs."""
        sieve = _sieve(self)
        tasks, masks = zip(*map(sieve.hypothesis_masks, batch), strict=True)
        model_of_task = np.repeat(np.arange(len(batch)), list(map(len, tasks)))
        candidate, mu, recoverable = map(np.concatenate, zip(*masks, strict=True))
        prompted = STATEMENTS[self.statement].prompted
        left = candidate.copy()
        if candidate.any():
            problems = chains(batch), model_of_task[candidate], mu[candidate]
            if self.about == "hmm":
                left[candidate] = ~served(*problems, max_length, prompted, self.defined)
            else:
                left[candidate] = ~attended(*problems, recoverable[candidate], max_length, prompted)
        ends = np.cumsum(list(map(len, tasks)))[:-1]
        parts = zip(batch, tasks, np.split(candidate, ends), np.split(left, ends), strict=True)
        for model, of_model, candidates_of_model, left_of_model in parts:
            problems_left = [(model.model, task) for task in compress(of_model, left_of_model)]
            yield _Sifted(len(of_model), int(candidates_of_model.sum()), problems_left)

    def candidates(self, model: Model, tasks: Iterable[Task]) -> Iterator[tuple[Task, bool]]:
        """Yield each task, for each H* where that is free, and whether it and the model could break the statement."""
        possible = self.possible(model)
        for task in chain.from_iterable(self.with_recoverable_states(model, task) for task in tasks):
            yield task, possible and self.breaks(model, task)

    def with_recoverable_states(self, model: Model, task: Task) -> Iterable[Task]:
        """Return the task with its own H*; where H* is free, with every nonempty H* = {j*} x S*."""
        model_and_task = model, task
        if not is_memory(model_and_task) or model_and_task[1].recoverable is not None:
            return [task]
        return every_set(*model_and_task) if STATEMENTS[self.statement].needs in self.violated else [task]

    def possible(self, model: Any) -> bool:
        """Tell whether a model can break the statement, by the hypotheses that do not depend on the task."""
        if self.statement == "4.6" and model.shape.cells > 1:
            return False
        hypotheses = [key for key in self.hypotheses if key not in OF_TASKS]
        violated = [key for key in self.violated if key not in OF_TASKS]
        return met(hypotheses, violated, Answers((model, None))) is True

    def breaks(self, model: Model, task: Task) -> bool:
        """Tell whether the assumption on the task holds; or, where it is dropped, fails while the rest of it holds."""
        assumption = next((key for key in STATEMENTS[self.statement].hypotheses if key in OF_TASKS), None)
        if assumption is None:
            return True
        rest_holds = WITHOUT[self.statement, self.without].instead
        return rest_holds(model, task) and holds(assumption, (model, task)) == (assumption not in self.violated)

    def decide(self, model: Model, task: Task, max_length: int) -> Conclusion | None:
        """Tell whether some head serves a model's inputs up to a length; None if that is undecided."""
        return refute_heads(STATEMENTS[self.statement], self._problem(model, task), max_length, self.defined)

    def confirms(self, hit: Hit) -> bool:
        """Tell whether a hit of unknown origin is true: no head serves the inputs of its model up to the longest."""
        if not about(STATEMENTS[self.statement], hit.model) or not 1 <= hit.longest <= self.length:
            return False
        conclusion = self.decide(hit.model, hit.task, hit.longest)
        return conclusion is not None and conclusion.holds is False

    def result(self, bounds: Bounds, outcome: Outcome, refutation: Conclusion | None = None) -> SearchResult:
        """Return the result within bounds; of a hit, with the proof that its inputs refute the statement.

        The refutation is found anew unless it is passed.
        """
        if outcome.hit is None:
            return SearchResult(self, bounds, outcome)
        verdict = self.verdict(outcome.hit, refutation)
        problem = self._problem(verdict.model, verdict.task)
        undefined = tuple(word for word in verdict.counterexample if unread(verdict.statement, problem, word))
        return SearchResult(self, bounds, outcome, verdict, undefined)

    def verdict(self, hit: Hit, refutation: Conclusion | None = None) -> Verdict:
        """Prove that the shortest refuting inputs of a hit refute the statement."""
        conclusion = refutation or self.decide(hit.model, hit.task, hit.longest)
        if conclusion is None or conclusion.holds is not False:
            raise ArithmeticError("the refutation of a model must be found again")
        name = f"{self.statement}-without-{self.without}".replace(":", "-")
        return prove(STATEMENTS[self.statement], replace(hit.model, name=name), hit.task, EFFORT, conclusion)

    def _problem(self, model: Model, task: Task) -> Problem | MemoryProblem:
        """Pose the task of a model; of a memory model, for the H* that the statement is about there."""
        if isinstance(model, HMM):
            return Problem(model, task)
        return replace(STATEMENTS[self.statement].problem(model, task), findings=())


def default_length(statement: str) -> int:
    """Return the greatest length of refuting inputs: 3 on R, as heads have many ways to attend to longer ones."""
    return 3 if STATEMENTS[statement].about == "memory-hmm" else 4


# The sieve of a shard


class _Sifted(NamedTuple):
    """The counts of tasks on a model, examined and candidates; and the problems that are left to decide."""

    examined: int
    candidates: int
    problems: Sequence[tuple[Model, Task]]


class _Masks(NamedTuple):
    """For the T tasks on a model: candidate (T,), mu over Hbar or H (T, n), and which states are in H* (T, n)."""

    candidate: Mask
    mu: Numbers
    recoverable: Mask


class _SharedByKey(Generic[Value]):
    """Values that are the same for all models with the same key; beyond `CACHE_SIZE` the oldest is forgotten."""

    def __init__(self) -> None:
        self._values: dict[Hashable, Value] = {}

    def get(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        if key in self._values:
            return self._values[key]
        if len(self._values) >= CACHE_SIZE:
            del self._values[next(iter(self._values))]
        value = self._values[key] = compute()
        return value


class _Sieve:
    """Decides the hypotheses of a search once for all models with the same supports, ranks and symmetries."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self._masks = _SharedByKey[tuple[list[Task], _Masks]]()
        self._tasks = _SharedByKey[tuple[list[Task], Numbers]]()
        self._possible = _SharedByKey[bool]()
        self._answers = _SharedByKey[tuple[Mask, Mask]]()

    def hypothesis_masks(self, model: SmallModel) -> tuple[list[Task], _Masks]:
        """Return the tasks on a model, with the masks of the hypotheses."""
        return self._masks.get(model.supports, lambda: self._hypothesis_masks(model))

    def _hypothesis_masks(self, model: SmallModel) -> tuple[list[Task], _Masks]:
        tasks, mu = self._tasks_and_mu(model)
        with_memory = self.search.about == "memory-hmm"  # then the chain and the columns are decided apart
        of_model = model.chain if with_memory else (model.chain, model.ranks[-1])
        if not self._possible.get(of_model, lambda: self.search.possible(model.model)):
            return tasks, _Masks(np.zeros(len(tasks), np.bool_), mu, np.ones(mu.shape, np.bool_))
        of_tasks = (model.shard.shape, model.symmetries, model.ranks) if with_memory else model.supports
        candidate, recoverable = self._answers.get(of_tasks, lambda: self._task_masks(model))
        return tasks, _Masks(candidate, mu, recoverable)

    def _tasks_and_mu(self, model: SmallModel) -> tuple[list[Task], Numbers]:
        """Return the tasks on a model, each with its H*, and their mu over Hbar (or H)."""

        def compute() -> tuple[list[Task], Numbers]:
            hmm = model.model
            tasks = [posed for task in model.tasks for posed in self.search.with_recoverable_states(hmm, task)]
            rows = [joint_task(hmm, task).mu[0] for task in tasks]
            return tasks, np.array([list(map(float, row)) for row in rows])

        return self._tasks.get((model.shard.shape, model.symmetries), compute)

    def _task_masks(self, model: SmallModel) -> tuple[Mask, Mask]:
        """Return which tasks are candidates, where the model can be one, and which states are in their H*.

        Hypotheses depend on supp(mu), the cell and H* alone. So of tasks that agree in these, one is decided.
        """
        tasks, _ = self._tasks_and_mu(model)
        keys = [(task.support, getattr(task, "cell", None), getattr(task, "recoverable", None)) for task in tasks]
        representatives = dict(zip(keys, tasks, strict=True))
        answers = {key: self._decide_task(model.model, task) for key, task in representatives.items()}
        candidate, recoverable = zip(*(answers[key] for key in keys), strict=True)
        return np.array(candidate), np.array(recoverable)

    def _decide_task(self, model: Model, task: Task) -> tuple[bool, list[bool]]:
        """Tell whether a task is a candidate, and which states of Hbar are in its H*."""
        candidate = self.search.breaks(model, task)
        model_and_task = model, task
        if not is_memory(model_and_task):
            return candidate, [True] * len(model.initial)
        (memory_model, _), states = model_and_task, chosen_states(*model_and_task)
        if not states and candidate:
            states = STATEMENTS[self.search.statement].problem(model, task).recoverable_states
        return candidate, [h in (states or ()) for _ in memory_model.memory for h in range(memory_model.shape.hidden)]


_sieve = lru_cache(maxsize=8)(_Sieve)


def chains(batch: Sequence[SmallModel]) -> Chains:
    """Return Hbar of models of one shard, or the models themselves if they have no memory."""
    shard = batch[0].shard
    memory = np.array(shard.memory) // gcd(*shard.memory)
    emission = np.array(shard.emission, dtype=np.float64).T[:, shard.shape.read]
    steps = np.array([model.transition for model in batch], dtype=np.float64)
    return Chains(np.kron(memory, shard.initial), emission, np.kron(np.eye(len(memory)), steps))
