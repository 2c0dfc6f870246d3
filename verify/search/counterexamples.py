"""Is a hypothesis needed? The smallest model that meets all others, violates it, and on which no head will do.

Models are looked at in increasing size (`search.small_models`), so the first that breaks the conclusion has as few
states as can be, then tokens, then the smallest denominator; of all of this size, its longest refuting input is as
short as can be. Inputs have a greatest length, so each model comes down to whether some head fits finitely many of
them: a linear program, or behind a prompt a tree of them. Before that come the hypotheses, the identity that gives a
head for all inputs, and a look for two inputs that are alike to every head and have different labels. How models with
a memory are decided is in `verify.search.memory_counterexamples`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from math import inf
from operator import mul
from time import time
from typing import TypeAlias

from flint import fmpz_mat

from constructions.assumptions import DECIDE
from constructions.evidence import Word
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.linear import Vector, columns, coprime, left_inverse
from constructions.memory.model import MemoryHMM
from constructions.models import HMM, Model
from constructions.models import document as model_document
from constructions.tasks import MemoryTask, Task
from verify.certificates import Json
from verify.conclusion import SERVED, Conclusion
from verify.heads.linear import by_identity, prompts
from verify.heads.no_linear import NoLinearHead, linear_features, linear_head
from verify.heads.no_prompted import Allowance, NoPromptedHead, prompted_features, prompted_head
from verify.prover import prove, recoverable_states
from verify.search import memory_counterexamples
from verify.search.hypotheses import REGULAR
from verify.search.memory_counterexamples import DroppedOnMemory
from verify.search.outcomes import Hit, Outcome
from verify.search.small_models import Bounds, Shard
from verify.statements import STATEMENTS, Statement
from verify.verdicts import Verdict
from verify.words.effort import EFFORT
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Input, Inputs, Problem, beta, shared_integers

Condition: TypeAlias = Callable[[HMM, Task], bool]


def reachable_support(model: HMM, task: Task) -> bool:
    """3.5 without independence: some B has supp(mu) in H*(B)."""
    states = range(len(model.states))
    return task.support <= frozenset[int]().union(*(model.successors(h) for h in states))


def some_recoverable_states(model: HMM, task: Task) -> bool:
    """3.5 without the cover of supp(mu): some B has independent columns in H*(B). One state in B asks for least."""
    return any(_independent(model, model.successors(h)) for h in range(len(model.states)))


def recoverable_support(model: HMM, task: Task) -> bool:
    """3.5 without B: some H* has independent columns and supp(mu) in H*. H* = supp(mu) asks for least."""
    return _independent(model, task.support)


@dataclass(frozen=True)
class Dropped:
    """What a search does without.

    `violated`: hypotheses one of which fails. `instead`: what is left of an assumption of which only a part is dropped.
    """

    violated: tuple[str, ...]
    instead: Condition | None = None

    def begins(self, statement: Statement, shard: Shard) -> bool:
        """Tell whether a model that begins like this can break the statement: by its emission and start alone."""
        known = {"3.1": fmpz_mat(shard.emission).rank() == len(shard.emission), "3.2:full-support": all(shard.initial)}
        if not all(known.get(key, True) for key in statement.hypotheses if key not in self.violated):
            return False
        return not all(known.get(key, False) for key in self.violated)

    def models(self, statement: Statement, model: HMM, task: Task) -> bool:
        """Tell whether a model can break the statement, as far as that does not depend on the task."""
        keys = [key for key in statement.hypotheses if key != "3.5"]
        if not all(DECIDE[key](model, task).holds for key in keys if key not in self.violated):
            return False
        return "3.5" in self.violated or not all(DECIDE[key](model, task).holds for key in self.violated)

    def tasks(self, statement: Statement, model: HMM, task: Task) -> bool | None:
        """Tell whether all other hypotheses hold, and what is dropped does not, given that `models` says so."""
        if "3.5" not in statement.hypotheses:
            return True
        if self.instead is not None and not self.instead(model, task):
            return False
        holds = DECIDE["3.5"](model, task).holds
        return None if holds is None else holds == ("3.5" not in self.violated)


WITHOUT: dict[tuple[str, str], Dropped | DroppedOnMemory] = {
    ("3.3", "3.1"): Dropped(("3.1",)),
    **{(theorem, part): Dropped(violated) for theorem in ("3.3", "3.6") for part, violated in REGULAR.items()},
    ("3.6", "3.5"): Dropped(("3.5",)),
    ("3.6", "3.5:independence"): Dropped(("3.5",), reachable_support),
    ("3.6", "3.5:cover"): Dropped(("3.5",), some_recoverable_states),
    ("3.6", "3.5:B"): Dropped(("3.5",), recoverable_support),
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

    def __post_init__(self) -> None:
        """Refuse what cannot be searched for: `KeyError` with the statement and what it was to do without."""
        WITHOUT[self.statement, self.without]

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
        if isinstance(models, Shard) and isinstance(dropped, Dropped) and not dropped.begins(statement, models):
            return Outcome()
        examined, candidates, undecided, hit, most = 0, 0, 0, None, self.length
        for model, tasks in models:
            if time() > until:
                return Outcome(examined, candidates, undecided, False, hit)
            for task, candidate in self._candidates(model, tasks):
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
        statement = STATEMENTS[self.statement]
        if isinstance(model, MemoryHMM) and isinstance(task, MemoryTask):
            states = recoverable_states(statement, model, task)
            return memory_counterexamples.broken(statement, MemoryProblem(model, task, states), most, self.defined)
        if not isinstance(model, HMM):
            raise ValueError(f"{statement.id} has no search on this model")
        return broken(statement, Problem(model, task), most, self.defined)

    def verdict(self, hit: Hit) -> Verdict:
        """Prove of a model that was found that its shortest refuting inputs refute the statement."""
        name = f"{self.statement}-without-{self.without}".replace(":", "-")
        verdict = prove(STATEMENTS[self.statement], replace(hit.model, name=name), hit.task, EFFORT)
        fails = self.decide(hit.model, hit.task, hit.longest)
        if fails is None or fails.holds is not False:
            raise ArithmeticError("what refuted a model once must refute it again")
        return replace(verdict, conclusion=fails)

    def _candidates(self, model: Model, tasks: Iterable[Task]) -> Iterator[tuple[Task, bool | None]]:
        """Tell of each task whether it and the model meet all other hypotheses and violate what is dropped."""
        statement, dropped, possible = STATEMENTS[self.statement], WITHOUT[self.statement, self.without], None
        if isinstance(dropped, DroppedOnMemory) and isinstance(model, MemoryHMM):
            yield from dropped.candidates(statement, model, (task for task in tasks if isinstance(task, MemoryTask)))
        elif isinstance(dropped, Dropped) and isinstance(model, HMM):
            for task in tasks:
                if possible is None:
                    possible = dropped.models(statement, model, task)
                yield task, possible and dropped.tasks(statement, model, task)


def broken(statement: Statement, problem: Problem, most: int, defined: bool = False) -> Conclusion | None:
    """Refute every head by inputs whose longest is as short as can be; or else some head serves all up to this length.

    None if that is undecided. With `defined`, inputs whose masked output is 0/0 are left out.
    """
    inputs = inputs_up_to(statement, problem, most, defined)
    labels = {one.label for one in inputs}
    if labels <= {problem.task.labels[-1]}:
        return SERVED  # b = 0 does
    if len(labels) == 1 and not any(undefined(statement, problem.model, one.beta) for one in inputs):
        return SERVED  # so does a constant other than 0, behind the prompt u = 1 if there is one
    limit = collided(statement, problem, inputs)
    if not limit and by_identity(problem, prompts(problem, EFFORT.prompts) if statement.prompted else [None]):
        return SERVED
    if not limit:
        at_most = _fit(statement, problem, inputs)
        if not isinstance(at_most, NoLinearHead | NoPromptedHead):
            return None if at_most is None else SERVED
        limit = most
    for length in range(1, limit + 1):
        shorter = [one for one in inputs if len(one.word) <= length]
        found = _fit(statement, problem, shorter) if shorter else None
        if isinstance(found, NoLinearHead | NoPromptedHead):
            alike = _fit(statement, problem, [one for one in shorter if len(one.word) == length])
            return Conclusion(False, alike if isinstance(alike, NoLinearHead | NoPromptedHead) else found)
    return None


def collided(statement: Statement, problem: Problem, inputs: Sequence[Input]) -> int:
    """Return the least length up to which two inputs with different labels look alike to every head; 0 if none do."""
    seen: dict[tuple[int, ...], int] = {}
    for one, direction in _directions(features(statement, problem), inputs):
        other = seen.setdefault(direction, one.label) if any(direction) else problem.task.labels[-1]  # all scores are 0
        if one.label != other:
            return len(one.word)
    return 0


def _fit(
    statement: Statement, problem: Problem, inputs: Sequence[Input]
) -> LinearHead | Classifier | NoLinearHead | NoPromptedHead | None:
    """Fit the inputs with a head of the statement's class, or refute that there is one."""
    if statement.prompted:
        return prompted_head(problem, inputs, Allowance(EFFORT.programs))
    return linear_head(problem, inputs)


def inputs_up_to(statement: Statement, problem: Problem, most: int, defined: bool) -> list[Input]:
    """Return the inputs up to a length, as many as there are: longer ones may all be like shorter ones.

    With `defined`, only those whose masked output is not 0/0.
    """
    pool = Inputs(problem)
    found: list[Input] = []
    for length in range(1, most + 1):
        found = pool.up_to(length) or found
    return [one for one in found if not (defined and undefined(statement, problem.model, one.beta))]


def _directions(features: fmpz_mat, inputs: Sequence[Input]) -> Iterator[tuple[Input, tuple[int, ...]]]:
    """Yield what a head reads of each input, in coprime integers."""
    if inputs:
        values = features * fmpz_mat([list(one.beta) for one in inputs]).transpose()
        for one, row in zip(inputs, values.transpose().tolist(), strict=True):
            yield one, coprime([int(entry) for entry in row])


def features(statement: Statement, problem: Problem) -> fmpz_mat:
    """Return the matrix that takes beta(x) to what a head reads: behind a prompt, for each state that it can name."""
    if not statement.prompted:
        return linear_features(problem, None)
    return shared_integers(prompted_features(problem))


def _independent(model: HMM, states: Iterable[int]) -> bool:
    chosen = sorted(states)
    return not chosen or left_inverse(columns(model.emission, chosen)) is not None


@dataclass(frozen=True)
class Searched:
    """A search up to some bounds, with all that was found, and the verdict on the model found."""

    search: Search
    bounds: Bounds
    outcome: Outcome
    verdict: Verdict | None

    @property
    def exhaustive(self) -> bool:
        """Whether every model within the bounds that is smaller than the one found was decided."""
        return self.outcome.complete and not self.outcome.undecided

    @property
    def undefined_inputs(self) -> list[Word]:
        """The refuting inputs whose masked output is 0/0; of a memory model, whose masked outputs all are 0."""
        if self.verdict is None:
            return []
        statement, words = self.verdict.statement, self.verdict.refuting
        model, task = self.verdict.model, self.verdict.task
        if isinstance(model, MemoryHMM) and isinstance(task, MemoryTask):
            states = recoverable_states(statement, model, task)
            of_memory = MemoryProblem(model, task, states)
            return [word for word in words if statement.prompted and memory_counterexamples.undefined(of_memory, word)]
        if not isinstance(model, HMM):
            return []
        problem = Problem(model, task)
        return [word for word in words if undefined(statement, model, beta(problem, word))]

    def document(self, certificate: str | None) -> Json:
        """The outcome as JSON."""
        verdict, outcome = self.verdict, self.outcome
        return {
            "found": verdict is not None,
            "model": None if verdict is None else model_document(verdict.model, verdict.task),
            "inputs": [] if verdict is None else [list(word) for word in verdict.refuting],
            "undefined_inputs": [list(word) for word in self.undefined_inputs],
            "certificate": certificate,
            "examined": outcome.examined,
            "candidates": outcome.candidates,
            "undecided": outcome.undecided,
            "exhaustive": self.exhaustive,
            "bounds": {**self.bounds.document, "length": self.search.length},
        }


def undefined(statement: Statement, model: HMM, beta: Sequence[int] | Vector) -> bool:
    """Tell whether the masked output of an input is 0/0, behind a prompt whatever that is: no mass at its position."""
    prompt = SoftPrompt((Fraction(1),) * len(model.states)) if statement.prompted else None
    return not any(map(mul, Classifier(LinearHead(()), prompt).weights(model), beta))
