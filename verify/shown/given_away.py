"""How much does theorem 3.3 give away? Every small model with a task: which of them it covers, and what of the rest.

`python -m verify.shown.given_away results/given-away.json [PROCESSES]` counts, size by size, and goes on where the file
stops. Nothing is drawn: every model of a size up to relabelling of states and tokens, with every task mu in {-1, 0,
1}^n but 0, whether or not a hypothesis holds. `--table FILE` prints the table of docs/weakest-condition.md.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from constructions.assumptions import DECIDE
from constructions.models import HMM
from constructions.tasks import Task
from verify.heads.no_linear import NoLinearHead, linear_head
from verify.heads.served import served
from verify.margin.weakest import kernels
from verify.search.counterexamples import chains
from verify.search.small_models import Shard, Size, shards
from verify.search.symmetry import distributions
from verify.search.vanilla_counterexamples import inputs_up_to
from verify.shown.pages import table
from verify.statements import STATEMENTS
from verify.words.agreement import always
from verify.words.effort import EFFORT
from verify.words.problem import Inputs, Problem, multiply

SIZES: tuple[Size, ...] = (
    *((2, 2, d) for d in (1, 2, 3, 4)),
    *((2, 3, d) for d in (1, 2, 3, 4)),
    (3, 2, 1),
    (3, 3, 1),
    (3, 2, 2),
    (3, 3, 2),
    (3, 2, 3),
)
"""States, tokens and denominator: those that take an hour or two in all."""

FAILING = ("none", "3.1", "3.2", "3.1 and 3.2")
WHY = ("every mu", "this mu", "every mu, by the inputs", "this mu, by the inputs", "constant label", "other head")
NOT = ("no head", "undecided")
AT_ONCE = 4
"""Shards between two savings."""

BATCH, LENGTH = 128, 4
"""So many models are sifted together, by inputs of so many tokens."""

Counts = Counter[str]


def fate(model: HMM, task: Task) -> tuple[str, str]:
    """Return which hypotheses of 3.3 fail, and why its conclusion holds, the first reason that applies, or does not.

    The head's score can be a positive multiple of the task's, on R^n or on the span of the inputs, for every mu with
    this support or for this one; every input has one label; or another head is right.
    """
    return _failing(model), _identities(model, [task])[0] or _otherwise(Problem(model, task, effort=EFFORT))


def _failing(model: HMM) -> str:
    """Return which hypotheses fail: none of them speaks of the task."""
    any_task = Task(((Fraction(1),) * len(model.states),))
    failing = (key[:3] for key in STATEMENTS["3.3"].hypotheses if not DECIDE[key](model, any_task).holds)
    return " and ".join(sorted(set(failing))) or "none"


def _identities(model: HMM, tasks: Sequence[Task]) -> list[str | None]:
    """Tell of each task how the identity can be met, if it can."""
    scores = np.array([multiply(task.mu[0], model.initial) for task in tasks])  # fractions
    found: list[str | None] = [None] * len(tasks)
    for kernel, where in zip(kernels(model, None), ("", ", by the inputs"), strict=True):
        basis = np.array(kernel.basis, dtype=object).reshape(-1, len(model.states))
        met = (scores @ basis.T == 0).all(axis=1)
        for place, task in enumerate(tasks):
            if met[place] and found[place] is None:
                every = not basis[:, sorted(task.support)].any()
                found[place] = f"{'every' if every else 'this'} mu{where}"
    return found


def _otherwise(problem: Problem) -> str:
    """Return why the conclusion holds where the identity cannot be met, or does not."""
    found = STATEMENTS["3.3"].decide(problem)
    if found is None or found.holds is None:
        return "undecided"
    if not found.holds:
        return "no head"  # also where F* has one label, and outputs are 0/0
    constant = always(problem, next(iter(Inputs(problem))).label, EFFORT.nodes)
    return "constant label" if constant else "other head"


def count(shard: Shard) -> Counts:
    """Count the fates of the models of a shard.

    Where the identity cannot be met and the sieve finds no head for the shortest inputs, these are asked first.
    """
    counts, listed = Counts(), list(shard.models())
    for batch in (listed[start : start + BATCH] for start in range(0, len(listed), BATCH)):
        left = []
        for number, one in enumerate(batch):
            assert isinstance(one.model, HMM)
            failing = _failing(one.model)
            for task, met in zip(one.tasks, _identities(one.model, one.tasks), strict=True):
                if met:
                    counts[f"{failing}: {met}"] += 1
                else:
                    left.append((number, failing, Problem(one.model, task, effort=EFFORT)))
        rows = np.array([[float(entry) for entry in problem.task.mu[0]] for *_, problem in left])
        which = np.array([number for number, *_ in left], dtype=np.intp)
        some = served(chains(batch), which, rows, LENGTH, prompted=False, defined=False)
        for (_, failing, problem), has in zip(left, some, strict=True):
            inputs = [] if has else inputs_up_to(STATEMENTS["3.3"], problem, LENGTH, defined=False)
            refuted = inputs and isinstance(linear_head(problem, inputs), NoLinearHead)
            counts[f"{failing}: {'no head' if refuted else _otherwise(problem)}"] += 1
    return counts


def before_symmetry(size: Size) -> int:
    """Return how many models of just this denominator there are with a task, relabelled ones counted apart."""
    states, tokens, denominator = size

    def up_to(d: int) -> int:
        return int(len(distributions(tokens, d)) ** states * len(distributions(states, d)) ** (states + 1))

    smaller = sum(before_symmetry((states, tokens, d)) for d in range(1, denominator) if denominator % d == 0)
    return up_to(denominator) * int(3**states - 1) - smaller


def run(path: Path, processes: int, sizes: Iterable[Size] = SIZES) -> None:
    """Count every size, and go on where the file stops."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    with Parallel(n_jobs=processes) as parallel:
        for size in sizes:
            entry = found.setdefault(
                ",".join(map(str, size)), {"shards": 0, "complete": False, "before_symmetry": before_symmetry(size)}
            )
            counts, rest = Counter(entry.get("counts", {})), islice(shards("hmm", size), entry["shards"], None)
            while not entry["complete"]:
                some = list(islice(rest, AT_ONCE))
                counts += sum(parallel(delayed(count)(shard) for shard in some), Counter())
                entry |= {"shards": entry["shards"] + len(some), "complete": len(some) < AT_ONCE}
                entry |= {"models": counts.total(), "counts": dict(sorted(counts.items()))}
                path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
                print(size, entry["shards"], counts.total(), file=sys.stderr)


def markdown(found: dict[str, Any]) -> str:
    """Write the table: a row for each complete size and set of hypotheses that fail, on some model."""
    rows = []
    for size, entry in found.items():
        for failing in FAILING if entry["complete"] else ():
            counts = [entry["counts"].get(f"{failing}: {why}", 0) for why in (*WHY, *NOT)]
            rows += [(size.replace(",", ", "), failing, sum(counts), *counts)] if any(counts) else []
    return table(("states, tokens, denominator", "fails", "models", *WHY, *NOT), rows, texts=2)


if __name__ == "__main__":
    if sys.argv[1] == "--table":
        print(markdown(json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))))
    else:
        run(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
