"""How much do theorems 4.3, 4.6 and C.6 give away? Every small memory model with a task and an H*: what becomes of it.

`python -m verify.shown.attention_given_away > results/attention-given-away.json` counts. Nothing is drawn: every model
of a size up to relabelling, with every task mu in {-1, 0, 1}^2 but 0 and every H* = {j*} x S*, whether or not a
hypothesis holds. `--table FILE` prints the table of docs/weakest-condition.md.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from constructions.evidence import Json
from constructions.memory.assumptions import MEMORY_DECIDE
from constructions.memory.model import MemoryHMM
from constructions.models import is_memory
from constructions.tasks import MemoryTask
from verify.heads.attention import heads, prompted_heads
from verify.heads.no_attention import Fitted, seen, shortest
from verify.heads.no_prompted_attention import refuted
from verify.heads.one_attention import first_met
from verify.prover import recoverable_states
from verify.search.small_models import Shard, Size, shards
from verify.search.without import every_set
from verify.shown.pages import table
from verify.statements import STATEMENTS, Statement
from verify.words.agreement import always, always_on_spans
from verify.words.effort import Effort
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Inputs, first_of_each_label

SIZES: tuple[Size, ...] = ((1, 2, 1), (1, 2, 2), (2, 2, 1), (2, 2, 2))
"""States, tokens and denominator; cells have two values."""

ASKED = ("4.3", "4.6", "C.6")

WHY = ("R empty", "identities", "constant label")
NOT = ("no head", "undecided")

SMALL = Effort(nodes=100, words=60, longest=4, tokens=4)

LENGTH = 3
"""Tokens of the inputs that are to exclude all heads without a prompt, as in `headproof search`."""

Counts = Counter[str]


def fate(statement: Statement, model: MemoryHMM, task: MemoryTask) -> tuple[str, str]:
    """Return which hypotheses fail, and why the conclusion holds, the first reason that applies, or does not.

    R has no input; keys and values meet their identities; or all inputs have one label, and a head gives it.
    """
    findings = tuple(MEMORY_DECIDE[key](model, task) for key in statement.hypotheses)
    failing = {finding.id.partition(":")[0] for finding in findings if not finding.holds}
    if statement.prompted and "3.2" in failing:  # 4.4 contains it
        failing = failing - {"3.2"} | {"4.4"}
    problem = MemoryProblem(model, task, recoverable_states(statement, model, task), findings, SMALL)
    return " and ".join(sorted(failing)) or "none", _why(statement, problem)


def _why(statement: Statement, problem: MemoryProblem) -> str:
    if problem.empty:
        return "R empty"
    if first_met(problem, (prompted_heads if statement.prompted else heads)(problem)):
        return "identities"
    if constant(problem, statement.prompted):
        return "constant label"
    words = problem.short_inputs
    up_to = [word for word in words if len(word) <= LENGTH]
    found = refuted(problem, words) if statement.prompted else shortest(problem, seen(problem, up_to))
    return "undecided" if found is None or isinstance(found, Fitted) else "no head"


def constant(problem: MemoryProblem, prompted: bool) -> bool:
    """Tell whether every input is known to have one label, and a head, behind u = 1, to give just this.

    If it is the last, its values are all 0. If not, those of this label are w[z] 1' at token z and the others' 0, with
    w[z] the sum of W[z,:], which is positive as z is emitted: outputs have sum 1, or behind u = 1, unless P[H_0] has
    states that H_1 has not, which may make all of them 0.
    """
    joint, nodes = problem.joint, problem.effort.nodes
    label, *others = first_of_each_label(Inputs(joint, most=nodes), joint.task)
    if others or not (always(joint, label, nodes) or always_on_spans(joint, label, nodes)):
        return False
    covered = all(q for p, q in zip(problem.model.initial, problem.model.first, strict=True) if p)
    return covered or not prompted or label == problem.task.labels[-1]


def problems(statement: str, shard: Shard) -> Iterator[tuple[MemoryHMM, MemoryTask]]:
    """Yield a shard's models, if a theorem is about them, with each task and H*: C.6 is 4.6 where there is one cell."""
    if (statement, shard.shape.cells > 1) in (("4.6", True), ("C.6", False)):
        return
    for model, task in filter(is_memory, chain.from_iterable(one.problems for one in shard.models())):
        yield from ((model, posed) for posed in every_set(model, task))


def count(statement: str, parts: Iterable[Shard]) -> Counts:
    """Count the fates of what shards have."""
    known = (known for part in parts for known in problems(statement, part))
    return Counter(": ".join(fate(STATEMENTS[statement], *each)) for each in known)


def document() -> Json:
    """Count every size for every theorem."""
    rows = []
    for size in SIZES:
        for statement in ASKED:
            counts = count(statement, shards("memory-hmm", size))
            print(size, statement, counts.total(), file=sys.stderr)
            rows.append({"size": size, "statement": statement, "counts": dict(sorted(counts.items()))})
    return {"command": "python -m verify.shown.attention_given_away", "rows": rows}


def markdown(rows: Iterable[dict[str, Any]]) -> str:
    """Write the rows as a table: one for each size, theorem and set of hypotheses that fail, on some model."""
    lines = []
    for row in rows:
        for failing in sorted({key.partition(": ")[0] for key in row["counts"]}, key=lambda key: (key != "none", key)):
            counts = [row["counts"].get(f"{failing}: {why}", 0) for why in (*WHY, *NOT)]
            lines.append((", ".join(map(str, row["size"])), row["statement"], failing, sum(counts), *counts))
    return table(("states, tokens, denominator", "theorem", "fails", "models", *WHY, *NOT), lines, texts=3)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--table"]:
        print(markdown(json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))["rows"]))
    else:
        print(json.dumps(document(), indent=1))
