"""How much weaker is the weakest condition? On how many models with a task which condition of 3.3 or 3.6 is met.

Where the identity cannot be met at all, it takes long to say whether some other head will do: of these, every so many
models are decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from constructions.assumptions import DECIDE
from constructions.models import HMM
from constructions.tasks import Task
from verify.certificates import Json
from verify.heads.linear import prompts
from verify.margin.weakest import conditions
from verify.statement import Statement
from verify.words.agreement import always
from verify.words.effort import EFFORT
from verify.words.problem import Inputs, Problem

CONDITIONS = ("assumption", "every mu, on R^n", "this mu, on R^n", "every mu, on V", "this mu, on V", "not met")
"""The first of these that applies: the assumption (3.1, 3.5), or where the identity can be met."""

OTHERWISE = ("constant label", "other head", "no head", "undecided")
"""And if it cannot: every input has the same label, some head is right all the same, there is none."""


def condition_met(statement: Statement, model: HMM, task: Task) -> str:
    """Return the first of the conditions that a model with a task meets."""
    if DECIDE["3.5" if statement.prompted else "3.1"](model, task).holds:
        return "assumption"
    problem = Problem(model, task)
    tried = prompts(problem, EFFORT.prompts) if statement.prompted else [None]
    found = [conditions(problem, prompt) for prompt in tried]
    for place, where in enumerate(("R^n", "V")):
        met = [both[place] for both in found if both[place].met]
        if met:
            return f"{'every' if any(one.every_mu for one in met) else 'this'} mu, on {where}"
    return "not met"


def otherwise(statement: Statement, model: HMM, task: Task) -> str:
    """Return what becomes of a statement's conclusion where the identity cannot be met."""
    problem = Problem(model, task, effort=EFFORT)
    if always(problem, next(iter(Inputs(problem))).label, EFFORT.nodes) is not None:
        return "constant label"
    found = statement.decide(problem)
    return {True: "other head", False: "no head", None: "undecided"}[found.holds if found else None]


@dataclass(frozen=True)
class Survey:
    """How many models meet which condition, and what becomes of one in so many of those that meet none."""

    statement: Statement
    conditions: Counter[str]
    rest: Counter[str]
    one_in: int

    @property
    def document(self) -> Json:
        """The counts as JSON."""
        return {
            "statement": self.statement.id,
            "models": self.conditions.total(),
            "conditions": {name: self.conditions[name] for name in CONDITIONS},
            "not_met_decided": {name: self.rest[name] for name in OTHERWISE},
            "one_in": self.one_in,
        }


def survey(statement: Statement, problems: Iterable[tuple[HMM, Task]], one_in: int) -> Survey:
    """Count models with a task."""
    counted = Survey(statement, Counter(), Counter(), one_in)
    for model, task in problems:
        met = condition_met(statement, model, task)
        if met == "not met" and counted.conditions[met] % one_in == 0:
            counted.rest[otherwise(statement, model, task)] += 1
        counted.conditions[met] += 1
    return counted
