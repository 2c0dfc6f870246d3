"""What `search.counterexamples` asks of vanilla models: which models qualify, and what breaks a theorem on them.

Inputs have a greatest length, so each model comes down to whether some head fits finitely many of them: a linear
program, or behind a prompt a tree of them. Before that come the hypotheses, the identity that gives a head for all
inputs, and a look for two inputs that are alike to every head and have different labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations
from operator import mul
from typing import TypeAlias

from flint import fmpz_mat

from constructions.assumptions import DECIDE
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.linear import Vector, columns, coprime
from constructions.models import HMM, Model
from constructions.tasks import Task
from verify.conclusion import SERVED, Conclusion
from verify.heads.linear import by_identity, prompts
from verify.heads.no_linear import NoLinearHead, linear_features, linear_head
from verify.heads.no_prompted import Allowance, NoPromptedHead, prompted_features, prompted_head
from verify.search.hypotheses import REGULAR
from verify.search.small_models import Shard
from verify.statement import Statement
from verify.words.effort import EFFORT
from verify.words.problem import Input, Inputs, Problem, shared_integers

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


def begins(held: Iterable[str], violated: Sequence[str], shard: Shard) -> bool:
    """Tell whether a model that begins like this can meet what is held and violate one of the others, if there are any.

    By its emission and start alone.
    """
    known = {"3.1": fmpz_mat(shard.emission).rank() == len(shard.emission), "3.2:full-support": all(shard.initial)}
    if not all(known.get(key, True) for key in held):
        return False
    return not violated or not all(known.get(key, False) for key in violated)


@dataclass(frozen=True)
class Dropped:
    """What a search does without.

    `violated`: hypotheses one of which fails. `instead`: what is left of an assumption of which only a part is dropped.
    """

    violated: tuple[str, ...]
    instead: Condition | None = None

    def posed(self, statement: Statement, model: Model, task: Task) -> Iterator[Task]:
        """Yield the task: there is no H* to choose."""
        yield task

    def possible(self, statement: Statement, model: Model) -> bool:
        """Tell whether a model can break the statement, as far as that does not depend on the task."""
        assert isinstance(model, HMM)
        some = Task(((Fraction(1),) * len(model.states),))
        keys = [key for key in statement.hypotheses if key != "3.5"]
        if not all(DECIDE[key](model, some).holds for key in keys if key not in self.violated):
            return False
        return "3.5" in self.violated or not all(DECIDE[key](model, some).holds for key in self.violated)

    def breaks(self, statement: Statement, model: Model, task: Task) -> bool:
        """Tell whether all other hypotheses hold, and what is dropped does not, where that is possible."""
        assert isinstance(model, HMM)
        if "3.5" not in statement.hypotheses:
            return True
        if self.instead is not None and not self.instead(model, task):
            return False
        holds = any(task.support <= states for states in recoverable_sets(model))
        return holds == ("3.5" not in self.violated)


WITHOUT: dict[tuple[str, str], Dropped] = {
    ("3.3", "3.1"): Dropped(("3.1",)),
    **{(theorem, part): Dropped(violated) for theorem in ("3.3", "3.6") for part, violated in REGULAR.items()},
    ("3.6", "3.5"): Dropped(("3.5",)),
    ("3.6", "3.5:independence"): Dropped(("3.5",), reachable_support),
    ("3.6", "3.5:cover"): Dropped(("3.5",), some_recoverable_states),
    ("3.6", "3.5:B"): Dropped(("3.5",), recoverable_support),
}
"""Which hypotheses, and parts of them, a search can do without."""


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
    return not chosen or shared_integers(columns(model.emission, chosen)).rank() == len(chosen)


@lru_cache(maxsize=4)  # the tasks on one model follow each other
def recoverable_sets(model: HMM) -> list[frozenset[int]]:
    """Return every H*(B) with independent columns: 3.5 asks that supp(mu) be in one of them."""
    after = [model.successors(h) for h in range(len(model.states))]
    chosen = chain.from_iterable(combinations(after, size) for size in range(1, len(after) + 1))
    return [states for states in {frozenset[int]().union(*sets) for sets in chosen} if _independent(model, states)]


def undefined(statement: Statement, model: HMM, beta: Sequence[int] | Vector) -> bool:
    """Tell whether the masked output of an input is 0/0, behind a prompt whatever that is: no mass at its position."""
    prompt = SoftPrompt((Fraction(1),) * len(model.states)) if statement.prompted else None
    return not any(map(mul, Classifier(LinearHead(()), prompt).weights(model), beta))
