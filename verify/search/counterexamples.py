"""Is a hypothesis needed? The smallest model that meets all other hypotheses, violates this one, and refutes all heads.

The search decides models in increasing size (`search.small_models`): by the number of states, then by the number of
tokens, then by the denominator. It ends with the first size at which some model breaks the conclusion. Several models
of this size may break it, each by some refuting inputs. Of these models the search returns the one whose longest
refuting input is the shortest.

`search.without` tells which models meet the hypotheses. `search.refutation` decides one model.

Notation: constructions/__init__.py.
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
"""How many models of a shard `Search._sift` takes together."""

CACHE_SIZE = 2**13
"""How many results each of the cached functions below stores. Models with the same key share a result."""


@dataclass(frozen=True)
class Search:
    """The search for a model on which a statement of the paper fails without one of its hypotheses.

    `statement`: its number. `without`: the hypothesis that is dropped. `length`: refuting inputs have at most this many
    tokens. `defined`: whether to leave out each input whose masked output is 0/0 at all positions that heads read. For
    a theorem with a prompt, the input is left out if this is the case behind every prompt.
    """

    statement: str
    without: str
    length: int
    defined: bool = False

    source = "the paper"

    def __post_init__(self) -> None:
        """Raise `KeyError` if the statement has no such hypothesis to drop."""
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
        """The kind of the models: vanilla or memory HMMs."""
        return self.theorem.about

    @property
    def hypotheses(self) -> tuple[str, ...]:
        """The hypotheses that the models meet."""
        return tuple(key for key in self.theorem.hypotheses if key not in self.violated)

    @cached_property
    def violated(self) -> tuple[str, ...]:
        """The ids of some hypotheses. Each model must violate at least one of them.

        They are the parts of the dropped hypothesis, such as 3.2:ergodic for 3.2. But for a part such as 3.5:B, which
        is not decided alone, the id is that of the whole: 3.5.
        """
        return parts_of(self.theorem.hypotheses).get(self.without) or (self.without.partition(":")[0],)

    @property
    def identity(self) -> str:
        """A text with all that the outcomes depend on, except the code."""
        return str(asdict(self))

    def examine(self, models: Shard, until: float = inf) -> Outcome:
        """Decide the models of a shard with all their tasks, in order.

        `until`: when to stop, in seconds since the epoch. A hit is a model and a task with inputs that refute all
        heads. After a hit, only inputs shorter than its longest input are tried. If this longest input has one
        token, the search ends.

        Two tests save most of the work. A shard whose emission or start excludes a counterexample is skipped. And
        `decide` is called only for those tasks for which `heads.served` does not prove that some head serves.
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
        """Yield for each model the number of tasks, the number of candidates, and the problems that are left to decide.

        A task is a *candidate* if its model, with this task, can break the statement. Left to decide are the
        candidates for which `heads.served` does not prove that some head serves all inputs.
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
        """Return copies of a task, one for each nonempty H* = {j*} x S*, if the assumption on H* is dropped.

        In every other search, return a list of the task alone.
        """
        if self.theorem.needs not in self.violated:
            return [task]
        syntax = range(model.shape.syntax)
        sets = chain.from_iterable(combinations(syntax, size) for size in range(1, len(syntax) + 1))
        return [replace(task, recoverable=states) for states in sets]

    def may_break(self, model: Any, task: Task | None = None) -> bool:
        """Tell whether a model meets and violates hypotheses as a counterexample must.

        Without a task, look at the hypotheses that do not depend on the task. With a task, look at those that do. A
        hypothesis that is not dropped must hold. A hypothesis that is dropped must fail; if only a part of it is
        dropped, the rest of it must hold.
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
        """Decide whether some head serves a model's inputs of at most `max_length` tokens; None if undecided."""
        return refute_heads(self.theorem, self._problem(model, task), max_length, self.defined)

    def confirms(self, hit: Hit) -> bool:
        """Tell whether a hit of unknown origin is true.

        Its model must meet and violate the hypotheses as required, and no head may serve all the model's inputs of at
        most `hit.longest` tokens.
        """
        if hit.model.kind != self.about or not 1 <= hit.longest <= self.length:
            return False
        if not (self.may_break(hit.model) and self.may_break(hit.model, hit.task)):
            return False
        conclusion = self.decide(hit.model, hit.task, hit.longest)
        return conclusion is not None and conclusion.holds is False

    def result(self, bounds: Bounds, outcome: Outcome, refutation: Conclusion | None = None) -> SearchResult:
        """Return the result within bounds. If there is a hit, the result has the verdict that proves it.

        `refutation`: the conclusion on the hit's model, computed anew if it is None. Raises `ArithmeticError` if this
        conclusion does not refute all heads.
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
        """Return the problem that a model and a task pose to the statement."""
        if isinstance(model, HMM):
            return Problem(model, task)
        return replace(self.theorem.problem(model, task), findings=())


# The sieve of a shard


@dataclass(frozen=True)
class _Keyed:
    """An argument of a cached function: the result is computed once for all arguments with the same key."""

    key: Hashable
    argument: Any = field(compare=False)


def _tasks_and_masks(search: Search, model: SmallModel) -> tuple[list[Task], Numbers, Mask, Mask]:
    """Return the T tasks on a model, and three arrays with a row or an entry for each task.

    - mu, shape (T, n)
    - whether the task is a candidate, shape (T,)
    - for a candidate: the states of Hbar with a hidden state in H*, or all states of a vanilla model, shape (T, n)

    The n states are those of H, or for a memory model those of Hbar, its chain of memory and hidden state. For memory
    models, the hypotheses on the task do not depend on P[H_0] and A, so the cache key of `_decide_tasks` leaves these
    out.
    """
    shard, key = model.shard, (model.shard.shape, model.symmetries)
    if not _possible(search, _Keyed((model.chain, shard.ranks[-1]), model)):
        return _decide_tasks(search, False, _Keyed(key, model))
    return _decide_tasks(search, True, _Keyed((*key, shard.ranks, search.about == "hmm" and model.chain), model))


@lru_cache(CACHE_SIZE)
def _possible(search: Search, model: _Keyed) -> bool:
    """Tell whether a model can break the statement, by the hypotheses that do not depend on the task."""
    return search.may_break(model.argument.model)


@lru_cache(CACHE_SIZE)
def _decide_tasks(search: Search, possible: bool, small_model: _Keyed) -> tuple[list[Task], Numbers, Mask, Mask]:
    """Return the tasks and arrays of `_tasks_and_masks`. `possible`: the result of `_possible` for the model.

    The hypotheses depend on a task only by supp(mu), the cell and H*. So tasks that agree in these share one answer.
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
    """Return the chains of the models of one shard. The chain of a memory model is its Hbar.

    The probabilities are multiplied by common denominators, and are whole numbers.
    """
    shard = batch[0].shard
    memory = np.array(shard.memory) // gcd(*shard.memory)
    emission = np.array(shard.emission, dtype=np.float64).T[:, shard.shape.read]
    steps = np.array([model.transition for model in batch], dtype=np.float64)
    return Chains(np.kron(memory, shard.initial), emission, np.kron(np.eye(len(memory)), steps))
