"""Large models, proved and checked by both checkers: `python -m benchmarks.large` writes `large.md`.

Laws are drawn from a flat Dirichlet law, in multiples of 1/denominator, none of them 0; there are as many tokens as
states. For 3.3 all of A is positive; for 3.6 each state leads to some ten others, mu is 0 but on those of state 0, and
two states off them emit alike, so that 3.1 fails.
"""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import process_time

import numpy as np

from benchmarks import load, one_processor, table
from benchmarks.exact import compare
from constructions.hmm import HMM
from constructions.linear import Matrix, Vector, transpose
from constructions.tasks import Task
from verify import kernel, second_checker
from verify.certificates import statement_certificate
from verify.prover import prove
from verify.statements import STATEMENTS

PAGE = Path(__file__).with_name("large.md")
SIZES, DENOMINATORS, TARGETS = (100, 200, 500), (10**3, 10**6), 10


def law(draw: np.random.Generator, n: int, denominator: int) -> Vector:
    """Draw a law on n things in multiples of 1/denominator."""
    units = 1 + (draw.dirichlet(np.ones(n)) * (denominator - n)).astype(int)
    units[: denominator - units.sum()] += 1
    return tuple(Fraction(int(unit), denominator) for unit in units)


def for_3_3(n: int, denominator: int) -> tuple[HMM, Task]:
    """Draw a model whose laws are all positive."""
    draw = np.random.default_rng(0)
    initial, *columns = (law(draw, n, denominator) for _ in range(2 * n + 1))
    mu = tuple(Fraction(int(m)) for m in draw.integers(-5, 6, n))
    return HMM(initial, transpose(columns[:n]), transpose(columns[n:])), Task((mu,))


def for_3_6(n: int, denominator: int) -> tuple[HMM, Task]:
    """Draw a model that meets 3.5 and not 3.1."""
    draw = np.random.default_rng(0)
    steps = [np.arange(n), np.roll(np.arange(n), 1), *(draw.permutation(n) for _ in range(TARGETS))]
    columns = [[Fraction(0)] * n for _ in range(n)]
    for to, weight in zip(steps, law(draw, len(steps), denominator), strict=True):
        for column, h in zip(columns, to, strict=True):
            column[h] += weight
    A: Matrix = transpose([tuple(column) for column in columns])
    emission = [law(draw, n, denominator) for _ in range(n)]
    off = [h for h in range(n) if not A[h][0]]
    emission[off[1]] = emission[off[0]]
    mu = tuple(Fraction(int(m)) if A[h][0] else Fraction(0) for h, m in enumerate(draw.integers(-5, 6, n)))
    return HMM(law(draw, n, denominator), A, transpose(emission)), Task((mu,))


def row(statement: str, n: int, denominator: int) -> tuple[object, ...]:
    """Prove, write and check; the kernel also checks what is written, once before."""
    model, task = (for_3_3 if statement == "3.3" else for_3_6)(n, denominator)
    start = process_time()
    verdict = prove(STATEMENTS[statement], model, task)
    proof = process_time() - start
    certificate = statement_certificate(verdict)
    assert certificate is not None
    assert verdict.status == "proved"
    text = json.dumps(certificate)
    seconds = [proof, *compare(lambda: kernel.check(text), lambda: second_checker.check(text), repeats=1)]
    sizes = [len(json.dumps(part)) / 10**6 for part in (certificate, certificate["model"])]
    power, peak = len(str(denominator)) - 1, getrusage(RUSAGE_SELF).ru_maxrss / 1024
    return statement, n, f"10^{power}", *(f"{x:.1f}" for x in seconds + sizes), f"{peak:.0f}"


def main() -> None:
    """Measure, and write the table."""
    one_processor()
    above = f"# Large models\n\n`make bench` writes this page. Seconds are of processor time.\n\n{load()}\n\n"
    titles = "statement | states, tokens | denominator | proof | kernel | second"
    titles += " | certificate, MB | its model, MB | memory, MB"
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:  # a row's peak of memory is that of its own process
        rows = pool.starmap(row, product(("3.3", "3.6"), SIZES, DENOMINATORS), chunksize=1)
    PAGE.write_text(f"{above}{table(titles, rows)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
