"""The table of docs/weakest-condition.md: 3.3 and 3.6 on every small model with a task that meets 3.2.

`python -m verify.shown.weakest_table > results/weakest-condition.json` counts anew.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from constructions.assumptions import DECIDE
from constructions.evidence import Json
from constructions.models import HMM
from constructions.tasks import Task
from verify.margin.weakest_survey import CONDITIONS, OTHERWISE, survey
from verify.search.small_models import Bounds, small_models
from verify.statements import STATEMENTS

SIZES = ((Bounds(2, 2, 4), 1), (Bounds(2, 3, 3), 1), (Bounds(3, 2, 3), 40))
"""Every model of so many states and tokens, and of a denominator up to this; one in so many is decided further."""


def regular(bounds: Bounds) -> Iterator[tuple[HMM, Task]]:
    """Yield every model of just so many states and tokens that meets 3.2, with every task."""
    for denominator in range(1, bounds.denominator + 1):
        for one in small_models("hmm", (bounds.states, bounds.tokens, denominator)):
            problems = [(model, task) for model, task in one.problems if isinstance(model, HMM)]
            if all(DECIDE[key](*problems[0]).holds for key in ("3.2:ergodic", "3.2:full-support")):
                yield from problems


def document() -> Json:
    """Survey both statements on every size."""
    rows = []
    for bounds, one_in in SIZES:
        problems = list(regular(bounds))
        for statement in (STATEMENTS["3.3"], STATEMENTS["3.6"]):
            print(f"{statement.id}: {len(problems)} models with {bounds.document}", file=sys.stderr)
            rows.append(bounds.document | survey(statement, problems, one_in).document)
    return {"command": "python -m verify.shown.weakest_table", "rows": rows}


def markdown(rows: Iterable[dict[str, Any]]) -> str:
    """Write the rows of the document as the table of docs/weakest-condition.md."""
    names = ("states, tokens, denominator up to", "theorem", "models", *CONDITIONS, "of the last", *OTHERWISE)
    lines = [f"| {' | '.join(names)} |", f"|{'---|' * 2}{'---:|' * (len(names) - 2)}"]
    for row in rows:
        sizes = ", ".join(str(row[key]) for key in ("states", "tokens", "denominator"))
        part = "all" if row["one_in"] == 1 else f"1 in {row['one_in']}"
        counts = (row["models"], *row["conditions"].values(), part, *row["not_met_decided"].values())
        lines.append(f"| {sizes} | {row['statement']} | {' | '.join(map(str, counts))} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(json.dumps(document(), indent=1))
