"""How fast Headproof is beside other people's libraries. `make bench` writes the ratios to `benchmarks/README.md`.

Machines are shared and noisy. So Headproof and its peers are timed in turns, and their medians are compared: ratios
vary less than times. Each peer is called at its best settings. The peers for hidden Markov models do not compute the
masked outputs G_i: they are timed on P[H_i | X], and Headproof on G_i. Headproof needs none of the peers. The extra
`bench` installs the peers, and the page names those that are missing.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import process_time
from timeit import timeit

import numpy as np
from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from benchmarks import circumstances, one_processor
from constructions.fields import FLOAT64, Array
from constructions.importers.fitted import to_hmmlearn
from constructions.linear import Matrix, coprime, dot, echelon, identity, transpose
from constructions.messages import masked_outputs
from constructions.models import HMM
from constructions.rendering import Table, markdown
from constructions.tasks import Task
from verify.heads.no_linear import Inequalities
from verify.words.linear_programs import Multipliers, Row, decide
from verify.words.problem import Inputs, Problem, shared_integers

Job = Callable[[], object]
Work = tuple[str, Job, Mapping[str, Job]]
"""One piece of work: its name, Headproof's job, and the jobs that peers do for it, by the peers' names."""
Lines = Sequence[Sequence[int]]

REPEATS = 7
PAGE = Path(__file__).with_name("README.md")
INTRODUCTION = f"""\
# Benchmarks

`make bench` writes this page. Medians of {REPEATS} runs in turns, one thread on one processor, in its
time. Read the ratios. The peers of float G_i compute P[H_i | X]."""
FURTHER = """\
![Growth](growth.svg)

[growth.md](growth.md) has its numbers and the sizes of certificates.
"""


def stochastic(rows: int, columns: int, seed: int) -> Matrix:
    """Draw a matrix whose columns are distributions: small positive integers over the sum of their column."""
    weights = np.random.default_rng(seed).integers(1, 20, (rows, columns))
    totals = weights.sum(0).tolist()
    return tuple(tuple(map(Fraction, row, totals)) for row in weights.tolist())


def random_task(*shape: int) -> Task:
    """Draw a task with mu of this shape: (states,) for one row, or (labels, states) for a row for each label."""
    return Task.of(np.random.default_rng(4).integers(-5, 6, shape))


def random_model(states: int, tokens: int) -> tuple[HMM, Task]:
    """Draw a model whose probabilities are all positive, and a task."""
    [initial] = transpose(stochastic(states, 1, 1))
    return HMM(initial, stochastic(states, states, 2), stochastic(tokens, states, 3)), random_task(states)


def of_hmmlearn(model: HMM, tokens: Array) -> Job:
    """Return hmmlearn's job, P[H_i | X] of tokens (count, t), by scaling: several times as fast as by logs."""
    peer = to_hmmlearn(model)
    peer.implementation = "scaling"
    column, lengths = tokens.reshape(-1, 1), [tokens.shape[1]] * len(tokens)
    return lambda: peer.predict_proba(column, lengths)


def of_dynamax(model: HMM, tokens: Array) -> Job:
    """Return Dynamax's job, P[H_i | X] of tokens (count, t) in double precision, compiled for the whole batch."""
    import jax
    from dynamax.hidden_markov_model import hmm_smoother

    jax.config.update("jax_enable_x64", True)
    chain = model.chain(FLOAT64)
    first, rows, logs = chain.first, chain.transition.T, np.log(chain.emission)
    smooth = jax.jit(jax.vmap(lambda likely: hmm_smoother(first, rows, likely).smoothed_probs))
    return lambda: np.asarray(smooth(logs[tokens]))


def of_pplpy(lines: Lines) -> Job:
    """Return the job of the Parma Polyhedra Library: to show that no b has line'b > 0 for every line.

    The library computes an exact double description of the open cone of all such b, which is empty.
    """
    from ppl import Constraint_System, Linear_Expression, NNC_Polyhedron

    def empty() -> None:
        system = Constraint_System()
        for line in lines:
            system.insert(Linear_Expression(list(line), 0) > 0)
        assert NNC_Polyhedron(system).is_empty()

    return empty


def of_z3(lines: Lines) -> Job:
    """Return the job of z3: to show that no b has line'b > 0 for every line, by simplex over linear real arithmetic."""
    import z3

    def unsatisfiable() -> None:
        solver, b = z3.SolverFor("QF_LRA"), z3.RealVector("b", len(lines[0]))
        solver.add([z3.Sum([x * y for x, y in zip(line, b, strict=True)]) > 0 for line in lines])
        assert solver.check() == z3.unsat

    return unsatisfiable


HMMS = {"dynamax": (of_dynamax, "dynamax"), "hmmlearn, scaling": (of_hmmlearn, "hmmlearn")}
"""The peers for float G_i: for each the function that returns its job, and the package that it needs."""

INEQUALITIES = {"pplpy": (of_pplpy, "ppl"), "z3": (of_z3, "z3")}
"""The peers that decide whether strict inequalities with integer coefficients have a solution; likewise."""


def elimination(size: int) -> Work:
    """Return the work: row echelon form over Q of a stochastic matrix beside an identity."""
    beside = tuple((*row, *unit) for row, unit in zip(stochastic(size, size, 0), identity(size), strict=True))
    entries = [[QQ(*entry.as_integer_ratio()) for entry in row] for row in beside]
    peers = {"SymPy DomainMatrix": DomainMatrix(entries, (size, 2 * size), QQ).rref}
    return f"rref over Q, {size} x {2 * size}", lambda: echelon(beside), peers


def outputs_in_floats(count: int, length: int, states: int) -> Work:
    """Return the work: G_i at every position of a batch of `count` inputs."""
    model, _ = random_model(states, 10)
    chain = model.chain(FLOAT64)
    tokens = np.random.default_rng(5).integers(0, 10, (count, length))
    peers = {name: peer(model, tokens) for name, (peer, package) in HMMS.items() if find_spec(package)}
    for job in peers.values():
        job()  # what compiles has compiled
    name = f"float G_i, {count} x {length}, {states} states"
    return name, lambda: masked_outputs(chain, chain.embed(tokens)), peers


def inequalities(states: int, tokens: int, longest: int) -> Work:
    """Return the work: prove that no linear head computes F* on all inputs up to a length. States outnumber tokens."""
    model, task = random_model(states, tokens)
    middle = dot(task.mu[0], model.initial)  # labels differ where the prior says neither
    problem = Problem(model, Task((tuple(weight - middle for weight in task.mu[0]),)))
    inputs = Inputs(problem).up_to(longest)
    assert inputs
    features = shared_integers(problem.features(None))
    lines = [coprime(row.coefficients) for row in Inequalities(problem, features, inputs).rows]
    rows = [Row(line, True) for line in lines]
    assert isinstance(decide(rows), Multipliers)
    peers = {name: peer(lines) for name, (peer, package) in INEQUALITIES.items() if find_spec(package)}
    return f"no linear head: {len(rows)} strict inequalities, {tokens} unknowns", lambda: decide(rows), peers


def compare(*jobs: Job, repeats: int = REPEATS) -> list[float]:
    """Return the median seconds of jobs that are timed in turns, in processor time of this one process."""
    turns = [[timeit(job, timer=process_time, number=1) for job in jobs] for _ in range(repeats)]
    return list(map(median, zip(*turns, strict=True)))


def main() -> None:
    """Measure everything and write the table."""
    one_processor()
    works = [
        *(elimination(size) for size in (10, 30)),
        *(outputs_in_floats(1000, 129, states) for states in (4, 10, 30)),
        inequalities(10, 4, 4),
    ]
    rows = []
    for name, job, peers in works:
        ours, *others = compare(job, *peers.values())
        first = (name, f"{ours:.4f}")
        for peer, seconds in zip(peers, others, strict=True):
            rows.append((*first, peer, f"{seconds:.4f}", f"{seconds / ours:.1f}"))
            first = ("", "")
    columns = ["seconds", "peer", "its seconds", "peer / ours"]
    ratios = markdown(Table("work", [row[1:] for row in rows], [row[0] for row in rows], columns))
    missing = [name for name, (_, package) in (HMMS | INEQUALITIES).items() if not find_spec(package)]
    left_out = [f"Not installed, and so not there: {', '.join(missing)}."] if missing else []
    PAGE.write_text("\n\n".join([f"{INTRODUCTION}\n{circumstances()}", ratios, *left_out, FURTHER]), encoding="utf-8")


if __name__ == "__main__":
    main()
