"""Is a hypothesis needed? The smallest model that meets all others, violates it, and on which no head will do.

Models are looked at in increasing size (`search.small_models`), so the first that breaks the conclusion has as few
states as can be, then tokens, then the smallest denominator; of all of this size, its longest refuting input is as
short as can be. How one model is decided is in `search.vanilla_counterexamples` and `search.memory_counterexamples`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from math import inf
from time import time

from constructions.evidence import Word
from constructions.memory.model import MemoryHMM
from constructions.models import HMM, Model
from constructions.tasks import MemoryTask, Task
from verify.conclusion import Conclusion
from verify.prover import prove, recoverable_states
from verify.search import memory_counterexamples, vanilla_counterexamples
from verify.search.found import Searched
from verify.search.memory_counterexamples import DroppedOnMemory
from verify.search.outcomes import Hit, Outcome
from verify.search.small_models import Bounds, Kind, Shard
from verify.search.vanilla_counterexamples import Dropped, begins
from verify.statements import STATEMENTS, about
from verify.verdicts import Verdict
from verify.words.effort import EFFORT
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Problem, beta

WITHOUT: dict[tuple[str, str], Dropped | DroppedOnMemory] = {
    **vanilla_counterexamples.WITHOUT,
    **memory_counterexamples.WITHOUT,
}
"""Which hypotheses, and parts of them, a search can do without."""


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
        shard whose emission or start leaves nothing to break, no model is examined.
        """
        statement, dropped = STATEMENTS[self.statement], WITHOUT[self.statement, self.without]
        if isinstance(models, Shard) and self.about == "hmm" and not begins(self.held, self.violated, models):
            return Outcome()
        examined, candidates, undecided, hit, most = 0, 0, 0, None, self.length
        for model, tasks in models:
            if time() > until:
                return Outcome(examined, candidates, undecided, False, hit)
            for task, candidate in dropped.candidates(statement, model, tasks):
                examined += 1
                candidates += bool(candidate)
                found = self.decide(model, task, most) if candidate else None
                undecided += candidate is not False and found is None
                if found is not None and found.holds is False:
                    most = max(map(len, found.inputs)) - 1
                    hit = Hit(most + 1, model, task)
            if not most:
                break
        return Outcome(examined, candidates, undecided, True, hit)

    def decide(self, model: Model, task: Task, most: int) -> Conclusion | None:
        """Tell whether some head serves a model's inputs up to a length."""
        statement, problem = STATEMENTS[self.statement], self._problem(model, task)
        if isinstance(problem, MemoryProblem):
            return memory_counterexamples.broken(statement, problem, most, self.defined)
        return vanilla_counterexamples.broken(statement, problem, most, self.defined)

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
        words = filter(self._undefined(verdict), verdict.refuting)
        return Searched(self, bounds, outcome, verdict, tuple(words))

    def verdict(self, hit: Hit) -> Verdict:
        """Prove of a model that was found that its shortest refuting inputs refute the statement."""
        name = f"{self.statement}-without-{self.without}".replace(":", "-")
        fails = self.decide(hit.model, hit.task, hit.longest)
        if fails is None or fails.holds is not False:
            raise ArithmeticError("what refuted a model once must refute it again")
        return prove(STATEMENTS[self.statement], replace(hit.model, name=name), hit.task, EFFORT, fails)

    def _undefined(self, verdict: Verdict) -> Callable[[Word], bool]:
        """Tell of inputs whether their masked output is 0/0; of a memory model, whether all of theirs are 0."""
        statement, problem = verdict.statement, self._problem(verdict.model, verdict.task)
        if isinstance(problem, MemoryProblem):
            return lambda word: statement.prompted and memory_counterexamples.undefined(problem, word)
        return lambda word: vanilla_counterexamples.undefined(statement, problem.model, beta(problem, word))

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
