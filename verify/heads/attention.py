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
from constructions.linear import Vector, columns, integers, minus, transpose
from constructions.memory import prompts
from constructions.memory.attention import AttentionClassifier, AttentionHead
from constructions.memory.coloops import Recoverable
from verify.words.linear_programs import Row, Solution, decide, equation
from verify.words.memory_problem import MemoryProblem

NO_DUALS = Recoverable((), (), (), ())


def heads(problem: MemoryProblem) -> Iterator[AttentionClassifier]:
    """Yield heads that may do for 4.3: the paper's, one whose keys and values are found apart, and one that is 0."""
    for construct in (paper_head, lambda problem: assembled(problem, keys=True, values=True)):
        if head := construct(problem):
            yield AttentionClassifier(head)
    yield AttentionClassifier(_without_keys(problem, NO_DUALS))


def prompted_heads(problem: MemoryProblem) -> Iterator[AttentionClassifier]:
    """Yield prompts and heads that may do for 4.6 and C.6: the paper's, behind its prompt or another, and one of 0."""
    for construct in (behind, _restored):
        if classifier := construct(problem):
            yield classifier
    yield AttentionClassifier(_without_keys(problem, NO_DUALS), problem.prompt)


def paper_head(problem: MemoryProblem) -> AttentionHead | None:
    """Return the paper's head, from its assumption, or from the columns that can occur."""
    witness = problem.witness(problem.possible)
    return theorem_4_3.construct(problem.model, problem.task, witness).classifier.head if witness else None


def behind(problem: MemoryProblem) -> AttentionClassifier | None:
    """Return the paper's prompt and head, with position 1 out of reach."""
    return keys_behind(problem) if problem.stationary else None


def keys_behind(problem: MemoryProblem) -> AttentionClassifier | None:
    """Return the same if H_1 and H_2 have one support: its keys are then right, and its values need not be."""
    first, second = problem.model.first, problem.model.step(problem.model.first)
    same = all(bool(p) == bool(q) for p, q in zip(first, second, strict=True))
    witness = problem.witness(problem.behind) if same else None
    return theorem_4_6.construct(problem.model, problem.task, witness).classifier if witness else None


def _restored(problem: MemoryProblem) -> AttentionClassifier | None:
    """Return the paper's head behind the prompt that gives H_2 the law of H_1 where P[H_0] is not stationary."""
    prompt = prompts.restoring_prompt(problem.model, problem.task)
    witness = problem.witness(problem.columns_behind(prompt)) if prompt else None
    if not prompt or not witness:
        return None
    return theorem_4_6.construct(problem.model, problem.task, witness, prompt).classifier


def assembled(problem: MemoryProblem, keys: bool, values: bool) -> AttentionHead | None:
    """Assemble a head from keys and values that are solved for separately: each needs less than 4.2."""
    nothing = (Fraction(0),) * len(problem.model.tokens)
    recoverable_columns = problem.recoverable_columns(problem.possible)
    duals = problem.ground(recoverable_columns).decide(problem.recoverable_states) if values else NO_DUALS
    row = _key_row(problem, recoverable_columns) if keys else nothing
    if row is None or not isinstance(duals, Recoverable):
        return None
    head = _without_keys(problem, duals)
    return replace(head, query=(Fraction(1), *head.query[1:]), key=(row, *head.key[1:]))


def _without_keys(problem: MemoryProblem, duals: Recoverable) -> AttentionHead:
    """Return a head that attends to every position alike."""
    shape = problem.model.shape
    nothing = ((Fraction(0),) * len(problem.model.tokens),) * shape.hidden
    head = theorem_4_3.head(problem.model, problem.task, duals, nothing)
    return replace(head, query=(Fraction(0),) * (shape.hidden + 1))


def _key_row(problem: MemoryProblem, recoverable_columns: Sequence[int]) -> Vector | None:
    """Find w with w'W one number at the columns of H*, and smaller at the other possible ones."""
    table = dict(zip(problem.possible, transpose(columns(problem.model.emission, problem.possible)), strict=True))
    rows: list[Row] = []
    for column in problem.possible if recoverable_columns else ():
        difference = minus(table[recoverable_columns[0]], table[column])
        rows += equation(difference) if column in recoverable_columns else [Row(integers(difference)[0], True)]
    if not any(row.strict for row in rows):
        return (Fraction(0),) * len(problem.model.tokens)
    solution = decide(rows)
    return solution.b if isinstance(solution, Solution) else None
