"""Speed as ratios against a named peer in the same run: `make bench` rewrites the table in `benchmarks/README.md`.

Each pair is timed alternately, and medians are compared, since machines are shared and noisy: the ratios hold better
than the times.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import islice, product
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from scipy.optimize import linprog
from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from constructions.fields import FLOAT64, INTEGERS, RATIONALS
from constructions.linear import Matrix, echelon
from constructions.messages import joint, masked_outputs
from constructions.models import HMM
from constructions.own.fitted import to_hmmlearn
from constructions.tasks import Task
from verify import kernel
from verify.certificates import statement_certificate
from verify.prover import prove
from verify.search.counterexamples import Search
from verify.search.outcomes import Outcome
from verify.search.small_models import shards
from verify.statements import STATEMENTS

Job = Callable[[], object]
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


def elimination(size: int) -> tuple[str, Job, str, Job]:
    """Row echelon form over Q of a stochastic matrix beside an identity."""
    matrix = stochastic(size, size, 0)
    beside = tuple((*row, *(Fraction(i == j) for j in range(size))) for i, row in enumerate(matrix))
    domain = DomainMatrix(
        [[QQ(entry.numerator, entry.denominator) for entry in row] for row in beside], (size, 2 * size), QQ
    )
    return f"rref over Q, {size} x {2 * size}", lambda: echelon(beside), "SymPy DomainMatrix", domain.rref


def exact_messages(length: int) -> tuple[str, Job, str, Job]:
    """All tau_i of one sequence, exactly."""
    model, _ = random_model(10, 10)
    tokens = np.arange(length) % 10
    integers, rationals = model.chain(INTEGERS), model.chain(RATIONALS)
    return (
        f"exact tau_i, 10 states, length {length}",
        lambda: joint(integers, integers.embed(tokens)),
        "arrays of Fraction",
        lambda: joint(rationals, rationals.embed(tokens)),
    )


def float_posteriors(count: int, length: int, states: int) -> tuple[str, Job, str, Job]:
    """G_i at every position of a batch, against the peer's P[H_i | X] (it has no leave-one-out output)."""
    model, _ = random_model(states, 10)
    chain = model.chain(FLOAT64)
    tokens = np.random.default_rng(5).integers(0, 10, (count, length))
    peer, column, lengths = to_hmmlearn(model), tokens.reshape(-1, 1), [length] * count
    return (
        f"float G_i, {count} x {length}, {states} states",
        lambda: masked_outputs(chain, chain.embed(tokens)),
        "hmmlearn predict_proba",
        lambda: peer.predict_proba(column, lengths),
    )


def checking(states: int, tokens: int) -> tuple[str, Job, str, Job]:
    """The kernel's check of 3.3 against the prover's proof of it."""
    model, task = random_model(states, tokens)
    text = json.dumps(statement_certificate(prove(STATEMENTS["3.3"], model, task)))
    name = f"check of 3.3, {states} states, {tokens} tokens"
    return name, lambda: kernel.check(text), "the proof itself", lambda: prove(STATEMENTS["3.3"], model, task)


def searching(models: int) -> tuple[str, Job, str, Job]:
    """A search for models that break 3.3 without 3.1: with three states and two tokens, each with all its tasks."""
    shard = next(one for one in shards("hmm", (3, 2, 3)) if one.initial == (1, 1, 1) and len(set(one.emission)) == 3)
    listed = [(model, list(tasks)) for model, tasks in islice(shard, models)]
    problems = [(model, task) for model, tasks in listed if isinstance(model, HMM) for task in tasks]
    return (
        f"search of {len(problems)} models, 3 states, 2 tokens",
        lambda: Search("3.3", "3.1", 4).examine(listed),
        "NumPy, and linprog for each candidate",
        lambda: [plain_search(*known) for known in problems],
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


def compare(ours: Job, peer: Job) -> tuple[float, float]:
    """Return the median seconds of both, timed in turns."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(REPEATS):
        for job, seconds in zip((ours, peer), times, strict=True):
            start = perf_counter()
            job()
            seconds.append(perf_counter() - start)
    return median(times[0]), median(times[1])


def main() -> None:
    """Measure everything and write the table."""
    pairs = [
        elimination(10),
        elimination(30),
        exact_messages(65),
        exact_messages(129),
        float_posteriors(1000, 129, 4),
        float_posteriors(1000, 129, 30),
        checking(30, 40),
        checking(30, 10),
        searching(40),
    ]
    lines = [
        "# Benchmarks",
        "",
        "`make bench` writes this page. Medians of 7 runs in turns on one machine; read the ratios.",
        "",
    ]
    lines += ["| work | seconds | peer | its seconds | peer / ours |", "|---|---|---|---|---|"]
    for name, ours, peer_name, peer in pairs:
        mine, other = compare(ours, peer)
        lines.append(f"| {name} | {mine:.4f} | {peer_name} | {other:.4f} | {other / mine:.1f} |")
        print(lines[-1])
    searched = ours()
    assert isinstance(searched, Outcome)
    lines += [
        "",
        f"The search, in a shard with many candidates: {searched.examined / mine:,.0f} models a second on one core.",
    ]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
