"""Speed as ratios against named peers and a limit, in the same run: `make bench` rewrites `benchmarks/README.md`.

Ours, its peers and the limit are timed in turns, and medians are compared, since machines are shared and noisy: the
ratios hold better than the times.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from math import lcm
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np
from flint import fmpq, fmpq_mat
from scipy.optimize import linprog
from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from benchmarks import load, one_processor, table
from benchmarks.cells import weighted
from benchmarks.peers import FLOATS, INEQUALITIES, Job, installed, of_integers, of_products
from constructions.batches import float_outputs
from constructions.fields import INTEGERS, RATIONALS
from constructions.heads import PLACEHOLDER
from constructions.linear import Matrix, coprime, dot, echelon, transpose
from constructions.messages import initial_posterior, masked_outputs, output_weights
from constructions.models import HMM
from constructions.own.arrays import from_arrays
from constructions.tasks import Task, label_of
from verify import kernel
from verify.certificates import statement_certificate
from verify.prover import prove
from verify.search.counterexamples import Search
from verify.search.outcomes import Outcome
from verify.search.small_models import shards
from verify.statements import STATEMENTS
from verify.words.linear_programs import Multipliers, Row, decide

REPEATS = 7
LONG = 100
"""From this length on fractions, some forty times as slow, are left out."""
PAGE = Path(__file__).with_name("README.md")
INTRODUCTION = f"""\
# Benchmarks

`make bench` writes this page. Medians of {REPEATS} runs in turns, one thread on one processor, in its time.
A *limit* is a part of the work, well done: ours cannot come below it, and may come near. Read the ratios."""
FURTHER = """\
![Growth](growth.svg)

[growth.md](growth.md) has its numbers and the sizes of certificates, [large.md](large.md) models of hundreds
of states, [startup.md](startup.md) what commands take to start, in time and memory.
"""


def stochastic(rows: int, columns: int, seed: int) -> Matrix:
    """Draw a matrix of small positive integers over their column sums."""
    weights = np.random.default_rng(seed).integers(1, 20, (rows, columns))
    return transpose([weighted(*map(int, column)) for column in weights.T])


def random_model(states: int, tokens: int) -> tuple[HMM, Task]:
    """Draw a model with full support, and a task."""
    initial = tuple(row[0] for row in stochastic(states, 1, 1))
    model = HMM(initial, stochastic(states, states, 2), stochastic(tokens, states, 3))
    return model, Task((tuple(Fraction(int(m)) for m in np.random.default_rng(4).integers(-5, 6, states)),))


def decimal_model(digits: int) -> HMM:
    """Draw a model of 10 states and tokens whose probabilities have so many decimal digits."""
    draw = np.random.default_rng(1)
    laws = [draw.dirichlet(np.ones(10), size) for size in (1, 10, 10)]
    return from_arrays(laws[0][0], laws[1].T, laws[2].T, orientation="columns", denominator=10**digits)[0]


@dataclass(frozen=True)
class Work:
    """What is timed: our `job`, those of `peers` for the same work, and a limit: a part of the work, well done."""

    name: str
    job: Job
    peers: Mapping[str, Job]
    limit: tuple[str, Job]


def elimination(size: int) -> Work:
    """Row echelon form over Q of a stochastic matrix beside an identity."""
    matrix = stochastic(size, size, 0)
    beside = tuple((*row, *(Fraction(i == j) for j in range(size))) for i, row in enumerate(matrix))
    domain = DomainMatrix(
        [[QQ(entry.numerator, entry.denominator) for entry in row] for row in beside], (size, 2 * size), QQ
    )
    bare = fmpq_mat([[fmpq(entry.numerator, entry.denominator) for entry in row] for row in beside])
    return Work(
        f"rref over Q, {size} x {2 * size}",
        lambda: echelon(beside),
        {"SymPy DomainMatrix": domain.rref},
        ("FLINT's, of a matrix of its own", bare.rref),
    )


def exact_outputs(length: int, lowest: bool, model: HMM) -> Work:
    """All G_i of one sequence, exactly: as integers and, at will, in lowest terms."""
    tokens, outputs = np.arange(length) % 10, masked_outputs if lowest else output_weights
    kind = "in lowest terms" if lowest else "as integers"
    digits = len(str(lcm(*(entry.denominator for row in model.transition for entry in row))))
    integers, rationals = model.chain(INTEGERS), model.chain(RATIONALS)
    return Work(
        f"exact G_i, {kind}, {digits} digits, length {length}",
        lambda: outputs(integers, integers.embed(tokens)),
        {"arrays of Fraction": lambda: outputs(rationals, rationals.embed(tokens))} if length < LONG else {},
        ("FLINT's products alone", of_integers(model, tokens)),
    )


def outputs_in_floats(count: int, length: int, states: int) -> Work:
    """G_i at every position of a batch; the libraries have P[H_i | X], and no leave-one-out output."""
    model, _ = random_model(states, 10)
    tokens = np.random.default_rng(5).integers(0, 10, (count, length))
    peers = {name: peer(model, tokens) for name, peer in installed(FLOATS).items()}
    for job in peers.values():
        job()  # what compiles has compiled
    return Work(
        f"float G_i, {count} x {length}, {states} states",
        lambda: float_outputs(model, tokens),
        peers,
        ("BLAS's products alone", of_products(model, tokens)),
    )


def checking(states: int, tokens: int) -> Work:
    """The kernel's check of 3.3 against the prover's proof of it."""
    model, task = random_model(states, tokens)
    text = json.dumps(statement_certificate(prove(STATEMENTS["3.3"], model, task)))
    name = f"check of 3.3, {states} states, {tokens} tokens"
    proof = {"the proof itself": lambda: prove(STATEMENTS["3.3"], model, task)}
    return Work(name, lambda: kernel.check(text), proof, ("reading the JSON", lambda: json.loads(text)))


def inequalities(states: int, tokens: int, longest: int) -> Work:
    """Whether any b serves all inputs up to a length, with a proof, of a model with more states than tokens."""
    model, task = random_model(states, tokens)
    middle = dot(task.mu[0], model.initial)  # labels differ where the prior says neither
    mu = [weight - middle for weight in task.mu[0]]
    chain, rows = model.chain(), list[Row]()
    for length in range(1, longest + 1):
        for word in product(range(tokens), repeat=length):
            label = label_of([0, dot(mu, initial_posterior(chain, chain.embed(word)).tolist())])
            output = output_weights(chain, chain.embed((PLACEHOLDER, *word)))[0].tolist()
            rows.append(Row(tuple(x if label else -x for x in coprime(output)), True))
    assert isinstance(decide(rows), Multipliers)
    lines = [row.coefficients for row in rows]
    floats = np.array([[x / max(line) for x in line] for line in lines], dtype=float)
    scaled = floats / abs(floats).max(1, keepdims=True)
    return Work(
        f"no linear head: {len(rows)} strict inequalities, {tokens} unknowns",
        lambda: decide(rows),
        {name: peer(lines) for name, peer in installed(INEQUALITIES).items()},
        ("HiGHS in floats", lambda: linprog(np.zeros(tokens), -scaled, -np.ones(len(lines)), bounds=(None, None))),
    )


def searching(models: int) -> Work:
    """A search for models that break 3.3 without 3.1: with three states and two tokens, each with all its tasks."""
    shard = next(one for one in shards("hmm", (3, 2, 3)) if one.initial == (1, 1, 1) and len(set(one.emission)) == 3)
    listed = [(model, list(tasks)) for model, tasks in islice(shard, models)]
    problems = [(model, task) for model, tasks in listed if isinstance(model, HMM) for task in tasks]
    return Work(
        f"search of {len(problems)} models, 3 states, 2 tokens",
        lambda: Search("3.3", "3.1", 4).examine(listed),
        {"NumPy, and linprog for each candidate": lambda: [plain_search(*known) for known in problems]},
        ("listing them", lambda: [(model, list(tasks)) for model, tasks in islice(shard, models)]),
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


def compare(*jobs: Job, repeats: int = REPEATS) -> list[float]:
    """Return the median seconds of jobs that are timed in turns, in processor time of this one process."""
    times: list[list[float]] = [[] for _ in jobs]
    for _ in range(repeats):
        for job, seconds in zip(jobs, times, strict=True):
            start = process_time()
            job()
            seconds.append(process_time() - start)
    return [median(seconds) for seconds in times]


def main() -> None:
    """Measure everything and write the table."""
    one_processor()
    small, long = random_model(10, 10)[0], decimal_model(15)
    todo = [
        *(elimination(size) for size in (10, 30)),
        *(exact_outputs(length, lowest, small) for lowest in (False, True) for length in (33, 129)),
        *(exact_outputs(129, lowest, long) for lowest in (False, True)),
        *(outputs_in_floats(1000, 129, states) for states in (4, 10, 30)),
        *(checking(30, tokens) for tokens in (40, 10)),
        inequalities(10, 4, 4),
        searching(40),
    ]
    rows = []
    for work in todo:
        mine, least, *others = compare(work.job, work.limit[1], *work.peers.values())
        ours = f"{work.name} | {mine:.4f} | {work.limit[0]} | {mine / least:.1f}"
        compared = [f"{peer} | {x:.4f} | {x / mine:.1f}" for peer, x in zip(work.peers, others, strict=True)]
        for cells in compared or [" | | "]:
            rows.append((ours, cells))
            print(f"| {ours} | {cells} |", flush=True)
            ours = " | | | "
    ratios = table("work | seconds | limit | ours / limit | peer | its seconds | peer / ours", rows)
    searched = work.job()
    assert isinstance(searched, Outcome)
    rate = f"The search, in a shard with many candidates: {searched.examined / mine:,.0f} models a second."
    missing = [name for peers in (FLOATS, INEQUALITIES) for name in peers if name not in installed(peers)]
    left_out = [f"Not installed, and so not there: {', '.join(missing)}."] if missing else []
    parts = [f"{INTRODUCTION}\n{load()}", ratios, rate, *left_out, FURTHER]
    PAGE.write_text("\n\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
