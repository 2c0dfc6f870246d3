"""Speed as ratios against a named peer in the same run: `make bench` rewrites the table in `benchmarks/README.md`.

Ours and its peers are timed in turns, and medians are compared, since machines are shared and noisy: the ratios hold
better than the times.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np
from scipy.optimize import linprog
from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from benchmarks.peers import FLOATS, Job, installed, of_integers
from constructions.fields import FLOAT64, INTEGERS, RATIONALS
from constructions.linear import Matrix, echelon
from constructions.messages import masked_outputs
from constructions.models import HMM
from constructions.tasks import Task
from verify import kernel
from verify.certificates import statement_certificate
from verify.prover import prove
from verify.search.counterexamples import Search
from verify.search.outcomes import Outcome
from verify.search.small_models import shards
from verify.statements import STATEMENTS

REPEATS = 7
TABLE = Path(__file__).with_name("README.md")


def stochastic(rows: int, columns: int, seed: int) -> Matrix:
    """Draw a matrix of small positive integers over their column sums."""
    weights = np.random.default_rng(seed).integers(1, 20, (rows, columns))
    return tuple(
        tuple(Fraction(int(w), int(total)) for w, total in zip(row, weights.sum(0), strict=True)) for row in weights
    )


def random_model(states: int, tokens: int) -> tuple[HMM, Task]:
    """Draw a model with full support, and a task."""
    initial = tuple(row[0] for row in stochastic(states, 1, 1))
    model = HMM(initial, stochastic(states, states, 2), stochastic(tokens, states, 3))
    return model, Task((tuple(Fraction(int(m)) for m in np.random.default_rng(4).integers(-5, 6, states)),))


@dataclass(frozen=True)
class Work:
    """What is timed: our `job`, and those of `peers` for the same work; a "limit: ..." does less than is needed."""

    name: str
    job: Job
    peers: Mapping[str, Job]


def elimination(size: int) -> Work:
    """Row echelon form over Q of a stochastic matrix beside an identity."""
    matrix = stochastic(size, size, 0)
    beside = tuple((*row, *(Fraction(i == j) for j in range(size))) for i, row in enumerate(matrix))
    domain = DomainMatrix(
        [[QQ(entry.numerator, entry.denominator) for entry in row] for row in beside], (size, 2 * size), QQ
    )
    return Work(f"rref over Q, {size} x {2 * size}", lambda: echelon(beside), {"SymPy DomainMatrix": domain.rref})


def exact_outputs(length: int, states: int = 10) -> Work:
    """All G_i of one sequence, exactly."""
    model, _ = random_model(states, 10)
    tokens = np.arange(length) % 10
    integers, rationals = model.chain(INTEGERS), model.chain(RATIONALS)
    return Work(
        f"exact G_i, {states} states, length {length}",
        lambda: masked_outputs(integers, integers.embed(tokens)),
        {
            "limit: the integers alone, by FLINT": of_integers(model, tokens),
            "arrays of Fraction": lambda: masked_outputs(rationals, rationals.embed(tokens)),
        },
    )


def float_outputs(count: int, length: int, states: int) -> Work:
    """G_i at every position of a batch; the libraries have P[H_i | X], and no leave-one-out output."""
    model, _ = random_model(states, 10)
    chain = model.chain(FLOAT64)
    tokens = np.random.default_rng(5).integers(0, 10, (count, length))
    peers = {name: peer(model, tokens) for name, (peer, package) in FLOATS.items() if installed(package)}
    for job in peers.values():
        job()  # what compiles has compiled
    return Work(
        f"float G_i, {count} x {length}, {states} states",
        lambda: masked_outputs(chain, chain.embed(tokens)),
        peers,
    )


def checking(states: int, tokens: int) -> Work:
    """The kernel's check of 3.3 against the prover's proof of it."""
    model, task = random_model(states, tokens)
    text = json.dumps(statement_certificate(prove(STATEMENTS["3.3"], model, task)))
    name = f"check of 3.3, {states} states, {tokens} tokens"
    return Work(name, lambda: kernel.check(text), {"the proof itself": lambda: prove(STATEMENTS["3.3"], model, task)})


def searching(models: int) -> Work:
    """A search for models that break 3.3 without 3.1: with three states and two tokens, each with all its tasks."""
    shard = next(one for one in shards("hmm", (3, 2, 3)) if one.initial == (1, 1, 1) and len(set(one.emission)) == 3)
    listed = [(model, list(tasks)) for model, tasks in islice(shard, models)]
    problems = [(model, task) for model, tasks in listed if isinstance(model, HMM) for task in tasks]
    return Work(
        f"search of {len(problems)} models, 3 states, 2 tokens",
        lambda: Search("3.3", "3.1", 4).examine(listed),
        {"NumPy, and linprog for each candidate": lambda: [plain_search(*known) for known in problems]},
    )


def plain_search(model: HMM, task: Task) -> bool:
    """Tell in floats whether a model is a hit: all words up to length 4, one linear program."""
    p, A, W = (np.array(part, dtype=float) for part in (model.initial, model.transition, model.emission))
    n = len(p)
    if np.linalg.matrix_rank(W) == n or p.min() == 0 or np.linalg.matrix_power(A, n * n - 2 * n + 2).min() == 0:
        return False
    rows, signs = [], []
    for word in (word for length in range(1, 5) for word in product(range(len(W)), repeat=length)):
        beta = np.ones(n)
        for token in reversed(word):
            beta = A.T @ (W[token] * beta)
        if p @ beta > 0:
            signs.append(1 if np.array(task.mu[0], dtype=float) @ (p * beta) > -1e-12 else -1)
            row = W @ (A @ p * beta)
            rows.append(signs[-1] * row / row.max())
    least = np.array([0 if sign > 0 else 1 for sign in signs])
    return bool(linprog(np.zeros(len(W)), A_ub=-np.array(rows), b_ub=-least, bounds=(None, None)).status == 2)


def compare(*jobs: Job) -> list[float]:
    """Return the median seconds of jobs that are timed in turns, in processor time of this one process."""
    times: list[list[float]] = [[] for _ in jobs]
    for _ in range(REPEATS):
        for job, seconds in zip(jobs, times, strict=True):
            start = process_time()
            job()
            seconds.append(process_time() - start)
    return [median(seconds) for seconds in times]


def one_processor() -> None:
    """Stay on one processor: every library then has one thread, whatever it calls them."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def main() -> None:
    """Measure everything and write the table."""
    one_processor()
    todo = [
        *(elimination(size) for size in (10, 30)),
        *(exact_outputs(length) for length in (33, 129)),
        *(float_outputs(1000, 129, states) for states in (4, 10, 30)),
        *(checking(30, tokens) for tokens in (40, 10)),
        searching(40),
    ]
    lines = [
        "# Benchmarks",
        "",
        f"`make bench` writes this page. Medians of {REPEATS} runs in turns on one processor, in its time.\n"
        "A *limit* does less than is needed: ours cannot come below it, and may come near.",
        "",
        "| work | seconds | peer | its seconds | peer / ours |",
        "|---|---|---|---|---|",
    ]
    for work in todo:
        mine, *others = compare(work.job, *work.peers.values())
        for peer, other in zip(work.peers, others, strict=True):
            lines.append(f"| {work.name} | {mine:.4f} | {peer} | {other:.4f} | {other / mine:.1f} |")
            print(lines[-1], flush=True)
    searched = work.job()
    assert isinstance(searched, Outcome)
    rate = f"{searched.examined / mine:,.0f} models a second on one core"
    missing = [name for name, (_, package) in FLOATS.items() if not installed(package)]
    lines += ["", f"The search, in a shard with many candidates: {rate}."]
    lines += [f"Not installed, and so not there: {', '.join(missing)}."] if missing else []
    lines += [
        "",
        "![Growth](growth.svg)",
        "",
        "`python -m benchmarks.growth` draws it, and has its numbers in `growth.md`.",
    ]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
