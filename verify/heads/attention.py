"""Attention heads that give every x in R its label (theorems 4.3, 4.6 and C.6), and their keys and values.

Whether or not the assumption holds, a head is looked for by finite identities over the columns that can occur:
`docs/certificate-format.md`, section 10. Keys give every column of H* one score and all others a smaller one, so that
the positions whose H_i is surely in H* are attended to; values read mu[m] W[z,(m,h)] off the columns of H*. Each is a
candidate, which the judge of one head has to find right.
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


def heads(problem: MemoryProblem) -> Iterator[AttentionClassifier]:
    """Yield heads that may do for 4.3: the paper's, one whose keys and values are found apart, and one that is 0."""
    if head := paper_head(problem):
        yield head
    if head := assembled(problem, keys=True, values=True):
        yield head
    yield AttentionClassifier(_head(problem, NO_DUALS))


def prompted_heads(problem: MemoryProblem) -> Iterator[AttentionClassifier]:
    """Yield prompts and heads that may do for 4.6 and C.6: the paper's, behind its prompt or another, and one of 0."""
    if head := behind(problem):
        yield head
    restoring = prompts.restoring_prompt(problem.model, problem.task)  # H_2 has the law of H_1 behind it
    witness = problem.witness(problem.columns_behind(restoring)) if restoring else None
    if restoring and witness:
        yield theorem_4_6.construct(problem.model, problem.task, witness, restoring).classifier
    yield AttentionClassifier(_head(problem, NO_DUALS), problem.prompt)


def paper_head(problem: MemoryProblem) -> AttentionClassifier | None:
    """Return the paper's head, from its assumption, or from the columns that can occur."""
    witness = problem.witness(problem.possible)
    return theorem_4_3.construct(problem.model, problem.task, witness).classifier if witness else None


def behind(problem: MemoryProblem) -> AttentionClassifier | None:
    """Return the paper's prompt and head, with position 1 out of reach, if P[H_0] is stationary."""
    return keys_behind(problem) if problem.stationary else None


def keys_behind(problem: MemoryProblem) -> AttentionClassifier | None:
    """Return the same if H_1 and H_2 have one support: its keys are then right, and its values need not be."""
    first, second = problem.model.first, problem.model.step(problem.model.first)
    same = list(map(bool, first)) == list(map(bool, second))
    witness = problem.witness(problem.behind) if same else None
    return theorem_4_6.construct(problem.model, problem.task, witness).classifier if witness else None


def assembled(problem: MemoryProblem, keys: bool, values: bool) -> AttentionClassifier | None:
    """Assemble a head from keys and values that are solved for separately: each needs less than 4.2.

    Keys, or values, that are not asked for are 0.
    """
    recoverable_columns = problem.recoverable_columns(problem.possible)
    duals = problem.ground(recoverable_columns).decide(problem.recoverable_states) if values else NO_DUALS
    row = _key_row(problem, recoverable_columns if keys else ())
    if row is None or not isinstance(duals, Recoverable):
        return None
    return AttentionClassifier(_head(problem, duals, row))


def _head(problem: MemoryProblem, duals: Recoverable, row: Vector | None = None) -> AttentionHead:
    """Return the head whose values are read by these dual vectors, with one key row, or q = 0 if there is none."""
    nothing, hidden = (Fraction(0),) * len(problem.model.tokens), problem.model.shape.hidden
    keys = (row or nothing, *(nothing,) * (hidden - 1))
    head = theorem_4_3.head(problem.model, problem.task, duals, keys)
    return replace(head, query=(Fraction(row is not None), *(Fraction(0),) * hidden))


def _key_row(problem: MemoryProblem, recoverable_columns: Sequence[int]) -> Vector | None:
    """Find w with w'W one number at the columns of H*, and smaller at the other possible ones."""
    W, rows = transpose(problem.model.emission), list[Row]()
    for column in problem.possible if recoverable_columns else ():
        difference = minus(W[recoverable_columns[0]], W[column])
        rows += equation(difference) if column in recoverable_columns else [Row(integers(difference)[0], True)]
    if not any(row.strict for row in rows):
        return (Fraction(0),) * len(problem.model.tokens)
    solution = decide(rows)
    return solution.b if isinstance(solution, Solution) else None
