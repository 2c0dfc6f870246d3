"""Speed as ratios against a named peer in the same run: `make bench` rewrites the table in `benchmarks/README.md`.

Each pair is timed alternately, and medians are compared, since machines are shared and noisy: the ratios hold better
than the times.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from hmmlearn.hmm import CategoricalHMM
from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from constructions.fields import FLOAT64, INTEGERS, RATIONALS
from constructions.linear import Matrix, echelon
from constructions.messages import joint, masked_outputs
from constructions.models import HMM
from constructions.tasks import Task
from verify import kernel
from verify.certificates import statement_certificate
from verify.prover import prove
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
    peer = CategoricalHMM(states)
    peer.startprob_ = np.array(model.first, dtype=float)
    peer.transmat_ = np.array(model.transition, dtype=float).T
    peer.emissionprob_ = np.array(model.emission, dtype=float).T
    peer.n_features = 10
    column, lengths = tokens.reshape(-1, 1), [length] * count
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
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
