"""Prompts that are no indicators, behind which a linear head meets the identity of theorem 3.6.

A prompt u and a head b score an input as F* does where y o c = f, with y = W'(b_1 - b_0), c = A(u o p1) >= 0 and f the
task's functional. Let B be the states where u may be positive. Wherever B leads and f is 0, y is 0: so y lies in a
subspace Y of the row space of W. The reduced row echelon form of Y falls into blocks that share no column, and what y
is on one block does not depend on what it is on another. On a block of one row y is known up to a factor, and so is
c = f / y: equations that are linear in u and in one factor for each block. On a block of more rows, y at their pivots
is tried at f times powers of two. Whether some u >= 0 meets the equations is then a linear program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice, product

from constructions.heads import SoftPrompt
from constructions.linear import Matrix, Vector, columns, combine, echelon, integers, minus, null_basis, transpose
from constructions.simplex import inequalities
from verify.words.problem import Problem

EXPONENTS = sorted(range(-24, 25), key=abs)
"""Exponents of two of y / f at the pivots of a block: those near 0 first."""


def proportioned(problem: Problem, covers: Iterable[frozenset[int]], limit: int) -> Iterator[SoftPrompt]:
    """Yield prompts on these sets, or on larger ones that lead nowhere else, behind which the identity can be met.

    For two labels only. At most `limit` linear programs are solved, those with the fewest free ratios first.
    """
    if len(problem.task.labels) != 2:
        return
    score = minus(problem.task_functionals[1], problem.task_functionals[0])
    signed = [h for h, f in enumerate(score) if f]
    reached = {frozenset[int]().union(*map(problem.model.successors, cover)) for cover in covers}
    systems = [
        (states, blocks)
        for states in sorted(map(sorted, reached))
        if (blocks := _blocks(problem, [h for h in states if not score[h]], signed))
    ]
    tried = (
        (states, ratios)
        for states, blocks in sorted(systems, key=lambda system: sum(map(len, system[1])) - len(system[1]))
        for ratios in product(*(_ratios(block, signed, score, limit) for block in blocks))
    )
    yield from filter(None, (_solved(problem, states, ratios) for states, ratios in islice(tried, limit)))


def _blocks(problem: Problem, zero: Sequence[int], signed: Sequence[int]) -> list[Matrix]:
    """Return the rows of each block of Y on the states `signed`, where Y is 0 at `zero`; none if it is 0 at one."""
    W = problem.model.emission
    heads = null_basis(((Fraction(0),) * len(W), *transpose(columns(W, zero))))
    rows, _ = echelon([combine(b, columns(W, signed)) for b in heads])
    if not rows or not all(map(any, transpose(rows))):
        return []
    blocks: list[Matrix] = []
    for row in rows:
        sharing = [b for b in blocks if any(x and y for other in b for x, y in zip(row, other, strict=True))]
        blocks = [*(b for b in blocks if b not in sharing), (row, *(other for b in sharing for other in b))]
    return blocks


def _ratios(block: Matrix, signed: Sequence[int], score: Vector, limit: int) -> Iterator[dict[int, Fraction]]:
    """Yield f / y > 0 at the states of a block, up to a factor, for about `limit` y."""
    states = [(i, score[h]) for i, h in enumerate(signed) if any(row[i] for row in block)]
    pivots = [next(i for i, entry in enumerate(row) if entry) for row in block]
    others = len(block) - 1
    sizes = EXPONENTS[: max(1, int(limit ** (1 / others)))] if others else ()
    for exponents in product(sizes, repeat=others):
        at = [score[signed[i]] * Fraction(2) ** size for i, size in zip(pivots, (0, *exponents), strict=True)]
        y = combine(at, block)
        if all(y[i] * f > 0 for i, f in states):
            yield {signed[i]: f / y[i] for i, f in states}


def _solved(problem: Problem, reached: Sequence[int], ratios: Sequence[dict[int, Fraction]]) -> SoftPrompt | None:
    """Return a prompt that leads only to these states and makes c proportional to each of `ratios`, if there is one."""
    model = problem.model
    free = [f for f, p in enumerate(model.first) if p and set(reached).issuperset(model.successors(f))]
    equations = [
        [*(model.transition[h][f] for f in free), *(-c * (i == j) for j in range(len(ratios)))]
        for i, ratio in enumerate(ratios)
        for h, c in ratio.items()
    ]
    basis = null_basis(equations)
    rows = [integers(row)[0] for row in transpose(basis)]  # u o p1 >= 0, and the factors > 0
    solution = inequalities(rows, [i >= len(free) for i in range(len(rows))]) if basis else None
    if solution is None or not solution[0]:
        return None
    u = {f: weight / model.first[f] for f, weight in zip(free, combine(solution[1], basis), strict=False)}
    largest = max(u.values())
    return SoftPrompt(tuple(u.get(f, Fraction(0)) / largest for f in range(problem.states)))
