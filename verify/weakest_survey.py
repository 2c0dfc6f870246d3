"""How much weaker is the weakest condition? 3.3 and 3.6 on every small model with a task that meets 3.2.

`python -m verify.weakest_survey > results/weakest-condition.json` writes the counts of docs/weakest-condition.md anew.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable

from constructions.assumptions import DECIDE, Cover
from constructions.models import HMM
from constructions.tasks import Task
from verify.agreement import always
from verify.certificates import Json
from verify.conclusions import Fails, conclude
from verify.family import EFFORT, small
from verify.functionals import Inputs, Problem
from verify.small_models import Bounds
from verify.statements import STATEMENTS
from verify.weakest import Weakest, weakest, weakest_prompted

SIZES = ((2, 2, 4), (3, 2, 3))
"""Every model of so many states and tokens, and of a denominator up to this."""

KINDS = (
    "assumption",  # 3.1, or 3.5, holds
    "every mu, on R^n",  # it fails, but the identity can be met
    "this mu, on R^n",
    "every mu, on inputs",
    "this mu, on inputs",
    "constant label",  # it cannot, but every input has the same label, or
    "signs only",  # some head gives every input its label all the same
    "no head",
    "undecided",
)
"""The first of these that applies."""


def survey(statement: str, problems: Iterable[tuple[HMM, Task]]) -> Counter[str]:
    """Count the models with a task that meet 3.2, by the strongest condition that they meet."""
    counts: Counter[str] = Counter()
    regular: dict[HMM, bool] = {}
    for model, task in problems:
        if model not in regular:
            regular = {model: all(DECIDE[key](model, task).holds for key in ("3.2:ergodic", "3.2:full-support"))}
        if regular[model]:
            counts[kind(statement, model, task)] += 1
    return counts


def kind(statement: str, model: HMM, task: Task) -> str:
    """Return the first kind that applies to a model with a task."""
    assumption, problem = DECIDE["3.5" if statement == "3.6" else "3.1"](model, task), Problem(model, task)
    if assumption.holds:
        return "assumption"
    if statement == "3.6":
        cover = assumption.evidence if isinstance(assumption.evidence, Cover) else None
        found = weakest_prompted(problem, cover, EFFORT.prompts)
    else:
        found = weakest(problem, None)
    if found.on_inputs.met:
        return _met(found)
    if always(problem, next(iter(Inputs(problem))).label, EFFORT.nodes) is not None:
        return "constant label"
    conclusion = conclude(STATEMENTS[statement], problem, [assumption], EFFORT)
    return "undecided" if conclusion is None else "no head" if isinstance(conclusion, Fails) else "signs only"


def _met(found: Weakest) -> str:
    who, where = "every mu", "R^n"
    if not found.everywhere.met:
        where = "inputs"
    if not (found.everywhere if where == "R^n" else found.on_inputs).every_mu:
        who = "this mu"
    return f"{who}, on {where}"


def document() -> Json:
    """Survey both statements on every size."""
    rows = []
    for states, tokens, denominator in SIZES:
        bounds = Bounds(states, tokens, denominator)
        listed = [known for known in small("hmm", bounds) if len(known[0].states) == states]
        problems = [(model, task) for model, task in listed if isinstance(model, HMM) and len(model.tokens) == tokens]
        for statement in ("3.3", "3.6"):
            counts = survey(statement, problems)
            print(f"{statement} on {states} states, {tokens} tokens: {sum(counts.values())}", file=sys.stderr)
            found = {name: counts[name] for name in KINDS}
            rows.append({"statement": statement, **bounds.document, "models": sum(counts.values()), "counts": found})
    return {"command": "python -m verify.weakest_survey", "rows": rows}


if __name__ == "__main__":
    print(json.dumps(document(), indent=1))
