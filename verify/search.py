"""Is a hypothesis needed? The smallest model that meets all others, violates it, and on which no head will do.

Models are looked at in increasing size (`verify.small_models`), so the first that breaks the conclusion has as few
states as can be, then tokens, then the smallest denominator; of all of this size, its longest refuting input is as
short as can be. Inputs have a greatest length, so each model comes down to whether some head fits finitely many of
them: a linear program, or behind a prompt a tree of them. Before that come the hypotheses, the identity that gives a
head for all inputs, and a look for two inputs that are alike to every head and have different labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import gcd
from random import Random
from time import monotonic
from typing import TypeAlias

from flint import fmpz_mat

from constructions.assumptions import DECIDE
from constructions.heads import Classifier, LinearHead
from constructions.linear import columns, dot, left_inverse, transpose
from constructions.models import HMM
from constructions.models import document as model_document
from constructions.tasks import Task
from verify.certificates import Json
from verify.conclusions import Fails, by_identity, prompts
from verify.family import EFFORT, beyond
from verify.functionals import Input, Inputs, Problem, Word, beta, multiply, shared_integers
from verify.impossibility import NoLinearHead, linear_features, linear_head
from verify.prompted import Allowance, NoPromptedHead, prompted_head
from verify.prover import prove
from verify.small_models import Bounds, SmallModel, drawn, small_models
from verify.statements import STATEMENTS, Statement
from verify.verdicts import Verdict

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


ERGODIC, SUPPORT = "3.2:ergodic", "3.2:full-support"

WITHOUT = {
    ("3.3", "3.1"): Dropped(("3.1",)),
    ("3.3", "3.2"): Dropped((ERGODIC, SUPPORT)),
    ("3.3", ERGODIC): Dropped((ERGODIC,)),
    ("3.3", SUPPORT): Dropped((SUPPORT,)),
    ("3.6", "3.2"): Dropped((ERGODIC, SUPPORT)),
    ("3.6", ERGODIC): Dropped((ERGODIC,)),
    ("3.6", SUPPORT): Dropped((SUPPORT,)),
    ("3.6", "3.5"): Dropped(("3.5",)),
    ("3.6", "3.5:independence"): Dropped(("3.5",), reachable_support),
    ("3.6", "3.5:cover"): Dropped(("3.5",), some_recoverable_states),
    ("3.6", "3.5:B"): Dropped(("3.5",), recoverable_support),
}
"""Which hypotheses, and parts of them, a search can do without."""


@dataclass
class Search:
    """A search for a model on which a statement fails without one of its hypotheses, up to some bounds.

    `examined`: models with a task that were looked at. `candidates`: those that meet all other hypotheses and violate
    this one. `undecided`: those of which it is not known whether a head fits all inputs up to `length`. `complete`: no
    model within the bounds that could be smaller was left out.
    """

    statement: str
    without: str
    bounds: Bounds
    length: int
    found: Verdict | None = None
    examined: int = 0
    candidates: int = 0
    undecided: int = 0
    complete: bool = False
    _shortest: int = field(default=0, repr=False)
    _deadline: float = field(default=float("inf"), repr=False)

    def __post_init__(self) -> None:
        """Refuse what cannot be searched for: `KeyError` with the statement and what it was to do without."""
        self.dropped = WITHOUT[self.statement, self.without]

    def run(
        self, random: int, seed: int, seconds: float, watch: Callable[[Iterable[SmallModel]], Iterable[SmallModel]]
    ) -> None:
        """Look at every model within the bounds, and where none is found at so many larger ones that are drawn."""
        self._deadline = monotonic() + seconds
        for size in self.bounds.sizes:
            self._shortest = self.length + 1
            for one in watch(small_models(*size)):
                self._look(one.model, one.tasks)
                if monotonic() > self._deadline:
                    return
                if self._shortest == 1:
                    break
            if self.found:
                break
        self.complete = True
        self._draw(random, seed)

    @property
    def exhaustive(self) -> bool:
        """Whether every model within the bounds that is smaller than the one found was decided."""
        return self.complete and not self.undecided

    def _draw(self, count: int, seed: int) -> None:
        random = Random(seed)
        for _ in range(count):
            if self.found or monotonic() > self._deadline:
                return
            self._shortest = self.length + 1
            model, task = drawn(beyond(self.bounds), random)
            self._look(model, [task])
            self.complete = self.complete and self.found is None

    def _look(self, model: HMM, tasks: Iterable[Task]) -> None:
        """Decide on one model with each of its tasks."""
        statement, possible = STATEMENTS[self.statement], None
        for task in tasks:
            self.examined += 1
            if possible is None:
                possible = self.dropped.models(statement, model, task)
            if not possible:
                continue
            candidate = self.dropped.tasks(statement, model, task)
            self.candidates += bool(candidate)
            if candidate:
                self._decide(statement, Problem(model, task))
            elif candidate is None:
                self.undecided += 1

    def _decide(self, statement: Statement, problem: Problem) -> None:
        found = broken(statement, problem, self._shortest - 1)
        if found is None:
            self.undecided += 1
        elif isinstance(found, Fails):
            name = f"{self.statement}-without-{self.without}".replace(":", "-")
            verdict = prove(statement, replace(problem.model, name=name), problem.task, EFFORT)
            self.found, self._shortest = replace(verdict, conclusion=found), max(map(len, found.inputs))


@dataclass(frozen=True)
class Served:
    """Some head gives all inputs up to a length their labels; of longer ones nothing is said."""


def broken(statement: Statement, problem: Problem, most: int) -> Fails | Served | None:
    """Refute every head by inputs whose longest is as short as can be; or else some head serves all up to this length.

    None if that is undecided.
    """
    inputs = _up_to(problem, most)
    if all(one.label == problem.task.labels[-1] for one in inputs):
        return Served()  # b = 0 does
    limit = collided(statement, problem, inputs)
    if not limit and by_identity(problem, prompts(problem, EFFORT.prompts) if statement.prompted else [None]):
        return Served()
    if not limit:
        at_most = _fit(statement, problem, inputs)
        if not isinstance(at_most, NoLinearHead | NoPromptedHead):
            return None if at_most is None else Served()
        limit = most
    for length in range(1, limit + 1):
        shorter = [one for one in inputs if len(one.word) <= length]
        found = _fit(statement, problem, shorter) if shorter else None
        if isinstance(found, NoLinearHead | NoPromptedHead):
            alike = _fit(statement, problem, [one for one in shorter if len(one.word) == length])
            return Fails(alike if isinstance(alike, NoLinearHead | NoPromptedHead) else found)
    return None


def collided(statement: Statement, problem: Problem, inputs: Sequence[Input]) -> int:
    """Return the least length up to which two inputs with different labels look alike to every head; 0 if none do."""
    seen: dict[tuple[int, ...], int] = {}
    for one, direction in _directions(_features(statement, problem), inputs):
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


def _up_to(problem: Problem, most: int) -> list[Input]:
    """Return the inputs up to a length, as many as there are: longer ones may all be like shorter ones."""
    pool = Inputs(problem)
    found: list[Input] = []
    for length in range(1, most + 1):
        found = pool.up_to(length) or found
    return found


def _directions(features: fmpz_mat, inputs: Sequence[Input]) -> Iterator[tuple[Input, tuple[int, ...]]]:
    """Yield what a head reads of each input, in coprime integers."""
    if inputs:
        values = features * fmpz_mat([list(one.beta) for one in inputs]).transpose()
        for one, row in zip(inputs, values.transpose().tolist(), strict=True):
            entries = [int(entry) for entry in row]
            divisor = gcd(*entries) or 1
            yield one, tuple(entry // divisor for entry in entries)


def _features(statement: Statement, problem: Problem) -> fmpz_mat:
    """Return the matrix that takes beta(x) to what a head reads: behind a prompt, for each state that it can name."""
    if not statement.prompted:
        return linear_features(problem, None)
    model = problem.model
    into = [
        multiply(column, (p,) * problem.states)
        for p, column in zip(model.first, transpose(model.transition), strict=True)
    ]
    return shared_integers(tuple(multiply(row, weights) for row in model.emission for weights in into))


def _independent(model: HMM, states: Iterable[int]) -> bool:
    chosen = sorted(states)
    return not chosen or left_inverse(columns(model.emission, chosen)) is not None


def document(search: Search, certificate: str | None) -> Json:
    """The outcome of a search as JSON."""
    verdict = search.found
    undefined = () if verdict is None else undefined_inputs(verdict)
    return {
        "found": verdict is not None,
        "model": None if verdict is None else model_document(verdict.model, verdict.task),
        "inputs": [] if verdict is None else [list(word) for word in verdict.refuting],
        "undefined_inputs": [list(word) for word in undefined],
        "certificate": certificate,
        "examined": search.examined,
        "candidates": search.candidates,
        "undecided": search.undecided,
        "exhaustive": search.exhaustive,
        "bounds": {**search.bounds.document, "length": search.length},
    }


def undefined_inputs(verdict: Verdict) -> list[Word]:
    """Return the refuting inputs whose masked output is 0/0 without a prompt: Pr(X = x) > 0, never after a token."""
    model = verdict.model
    if not isinstance(model, HMM):
        return []
    problem = Problem(model, verdict.task)
    return [word for word in verdict.refuting if not dot(model.first, beta(problem, word))]
