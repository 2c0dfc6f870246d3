"""Attention heads that may give every x in R its label (theorems 4.3, 4.6 and C.6), and their keys and values.

A column (m,h) of W is *possible* if some H_i, i >= 1, can be h and the cell that h reads can have the value m. It
belongs to H* if h is in H*. Whether or not a theorem's assumption holds, heads are sought that meet these conditions on
the possible columns (`docs/certificate-format.md`, section 10):

- keys give all columns that belong to H* one score, and all others a smaller score. So the head attends to the
  positions at which H_i is surely in H*.
- values map each column (m,h) that belongs to H* to mu[m] W[z,(m,h)], for each token z.

Each head is a candidate. `one_attention` decides whether it is right.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from constructions import theorem_4_3, theorem_4_6
from constructions.linear import Vector, integers, minus, transpose
from constructions.memory import prompts
from constructions.memory.attention import AttentionClassifier, AttentionHead
from constructions.memory.coloops import Recoverable
from verify.words.linear_programs import Row, Solution, decide, equation
from verify.words.memory_problem import MemoryProblem

NO_DUALS = Recoverable((), (), (), ())
"""No dual vectors: the values that are made of them are 0."""


def heads(problem: MemoryProblem) -> Iterator[AttentionClassifier]:
    """Yield candidates for 4.3: the paper's head, a head assembled from keys and values, a head whose values are 0."""
    if head := paper_head(problem):
        yield head
    if head := assembled(problem, keys=True, values=True):
        yield head
    yield AttentionClassifier(_head(problem, NO_DUALS))


def prompted_heads(problem: MemoryProblem) -> Iterator[AttentionClassifier]:
    """Yield candidates for 4.6 and C.6, each a head with a prompt.

    They are the paper's head behind the paper's prompt, the paper's head behind a prompt that gives H_2 the law of H_1,
    and a head that gives every label the score 0.
    """
    if head := behind(problem):
        yield head
    restoring = prompts.restoring_prompt(problem.model, problem.task)  # H_2 has the law of H_1 behind it
    if restoring and (witness := problem.witness(problem.columns_behind(restoring))):
        yield theorem_4_6.construct(problem.model, problem.task, witness, restoring).classifier
    yield AttentionClassifier(_head(problem, NO_DUALS), problem.prompt)


def paper_head(problem: MemoryProblem) -> AttentionClassifier | None:
    """Return the paper's head, made of dual vectors of H* (`MemoryProblem.witness`); None if there are none."""
    witness = problem.witness(problem.possible)
    return theorem_4_3.construct(problem.model, problem.task, witness).classifier if witness else None


def behind(problem: MemoryProblem) -> AttentionClassifier | None:
    """Return the paper's prompt and head if P[H_0] is stationary and there are dual vectors, else None.

    The head never attends to position 1, the prompt's own.
    """
    return keys_behind(problem) if problem.stationary else None


def keys_behind(problem: MemoryProblem) -> AttentionClassifier | None:
    """Return the paper's prompt and head if H_1 and H_2 have the same support and there are dual vectors, else None.

    The keys of this head are right. Its values may not be.
    """
    first, second = problem.model.first, problem.model.step(problem.model.first)
    same = list(map(bool, first)) == list(map(bool, second))
    witness = problem.witness(problem.behind) if same else None
    return theorem_4_6.construct(problem.model, problem.task, witness).classifier if witness else None


def assembled(problem: MemoryProblem, keys: bool, values: bool) -> AttentionClassifier | None:
    """Assemble a head for 4.3 from keys and values that are solved for separately; None if either has no solution.

    Keys need a weaker assumption than 4.2, and so do values. Without `keys` the keys are 0. Without `values` the values
    are 0.
    """
    recoverable_columns = problem.recoverable_columns(problem.possible)
    duals = problem.ground(recoverable_columns).decide(problem.recoverable_states) if values else NO_DUALS
    row = _key_row(problem, recoverable_columns if keys else ())
    if row is None or not isinstance(duals, Recoverable):
        return None
    return AttentionClassifier(_head(problem, duals, row))


def _head(problem: MemoryProblem, duals: Recoverable, row: Vector | None = None) -> AttentionHead:
    """Return the head with values made of `duals`, and with `row` (k,) as the first row of keys; without it, q = 0."""
    nothing, hidden = (Fraction(0),) * len(problem.model.tokens), problem.model.shape.hidden
    keys = (row or nothing, *(nothing,) * (hidden - 1))
    head = theorem_4_3.head(problem.model, problem.task, duals, keys)
    return replace(head, query=(Fraction(row is not None), *(Fraction(0),) * hidden))


def _key_row(problem: MemoryProblem, recoverable_columns: Sequence[int]) -> Vector | None:
    """Find w (k,) such that w'W is equal at these columns of H* and smaller at all other possible ones; else None."""
    W, rows = transpose(problem.model.emission), list[Row]()
    for column in problem.possible if recoverable_columns else ():
        difference = minus(W[recoverable_columns[0]], W[column])
        rows += equation(difference) if column in recoverable_columns else [Row(integers(difference)[0], True)]
    if not any(row.strict for row in rows):
        return (Fraction(0),) * len(problem.model.tokens)
    solution = decide(rows)
    return solution.b if isinstance(solution, Solution) else None
