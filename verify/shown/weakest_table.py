"""How much weaker is the weakest condition? The table of docs/weakest-condition.md: which condition is met how often.

`python -m verify.shown.weakest_table > results/weakest-condition.json` counts anew, on every small model with a task
that meets 3.2. Where the identity cannot be met at all, it takes long to say whether some other head will do: of these,
every so many models are decided.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from constructions.assumptions import DECIDE
from constructions.evidence import Json
from constructions.models import HMM
from constructions.tasks import Task
from verify.heads.linear import prompts
from verify.margin.weakest import conditions
from verify.search.small_models import Bounds, small_models
from verify.shown.pages import table
from verify.statements import STATEMENTS, Statement
from verify.words.agreement import always
from verify.words.effort import EFFORT
from verify.words.problem import Inputs, Problem

SIZES = ((Bounds(2, 2, 4), 1), (Bounds(2, 3, 3), 1), (Bounds(3, 2, 3), 40))
"""Every model of so many states and tokens, and of a denominator up to this; one in so many is decided further."""


CONDITIONS = ("assumption", "every mu, on R^n", "this mu, on R^n", "every mu, on V", "this mu, on V", "not met")
"""The first of these that applies: the assumption (3.1, 3.5), or where the identity can be met."""

OTHERWISE = ("constant label", "other head", "no head", "undecided")
"""And if it cannot: every input has the same label, some head is right all the same, there is none."""


def regular(bounds: Bounds) -> Iterator[tuple[HMM, Task]]:
    """Yield every model of just so many states and tokens that meets 3.2, with every task."""
    for denominator in range(1, bounds.denominator + 1):
        for one in small_models("hmm", (bounds.states, bounds.tokens, denominator)):
            problems = [(model, task) for model, task in one.problems if isinstance(model, HMM)]
            if all(DECIDE[key](*problems[0]).holds for key in ("3.2:ergodic", "3.2:full-support")):
                yield from problems


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


def survey(statement: Statement, problems: Iterable[tuple[HMM, Task]], one_in: int) -> dict[str, Any]:
    """Count models with a task by the condition that they meet, and what becomes of one in so many that meet none."""
    met, rest = Counter[str](), Counter[str]()
    for model, task in problems:
        condition = condition_met(statement, model, task)
        if condition == "not met" and met[condition] % one_in == 0:
            rest[otherwise(statement, model, task)] += 1
        met[condition] += 1
    return {
        "statement": statement.id,
        "models": met.total(),
        "conditions": {name: met[name] for name in CONDITIONS},
        "not_met_decided": {name: rest[name] for name in OTHERWISE},
        "one_in": one_in,
    }


def document() -> Json:
    """Survey both statements on every size."""
    rows = []
    for bounds, one_in in SIZES:
        problems = list(regular(bounds))
        for statement in (STATEMENTS["3.3"], STATEMENTS["3.6"]):
            print(f"{statement.id}: {len(problems)} models with {bounds.document}", file=sys.stderr)
            rows.append(bounds.document | survey(statement, problems, one_in))
    return {"command": "python -m verify.shown.weakest_table", "rows": rows}


def markdown(rows: Iterable[dict[str, Any]]) -> str:
    """Write the rows of the document as the table of docs/weakest-condition.md."""
    cells = []
    for row in rows:
        sizes = ", ".join(str(row[key]) for key in ("states", "tokens", "denominator"))
        part = "all" if row["one_in"] == 1 else f"1 in {row['one_in']}"
        counts = (row["models"], *row["conditions"].values(), part, *row["not_met_decided"].values())
        cells.append((sizes, row["statement"], *counts))
    names = ("states, tokens, denominator up to", "theorem", "models", *CONDITIONS, "of the last", *OTHERWISE)
    return table(names, cells, texts=2)


if __name__ == "__main__":
    print(json.dumps(document(), indent=1))
