"""Prompts behind which a linear head meets the identity of theorem 3.6, for two labels.

A prompt u and a head b score every input as F* does if y o c = f, where o is the elementwise product and

    y = W'(b_1 - b_0),    c = A(u o p1) >= 0,    p1 = P[H_1],    f = (mu_1 - mu_0) o P[H_0].

Such a u is sought in four steps:

1. Let B be the states at which u o p1 is positive. At every state to which B leads, c > 0. So if f is 0 at such a
   state, y is 0 there. So y lies in a subspace Y of the row space of W.
2. The rows of the reduced row echelon form of Y fall into blocks. No two blocks are nonzero in the same column, so y at
   the columns of one block does not depend on y at the columns of another.
3. On a block of one row, y is known up to a factor. On a block of more rows, y at the pivots is tried as f times powers
   of 2. Either way c = f / y is known up to one factor for each block.
4. So c = A(u o p1) gives equations that are linear in u and in these factors. A linear program decides whether some
   u >= 0 meets them.

Notation: constructions/__init__.py.
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
"""The powers of 2 that are tried for y / f at the pivots of a block, by their exponents: those near 0 first."""


def proportioned(problem: Problem, covers: Iterable[frozenset[int]], limit: int) -> Iterator[SoftPrompt]:
    """Yield prompts behind which the identity can be met; none if there are more than two labels.

    `covers`: sets B of states. A prompt may also be positive at further states that lead only to states to which B
    leads. At most `limit` linear programs are solved. The sets B are ordered by the number of rows of
    Y minus the number of blocks.
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
    """Return the blocks of Y, each as a list of rows. A row has the entries at the states `signed`, where f is not 0.

    Y has the vectors of the row space of W that are 0 at the states `zero`. There are no blocks if for some state in
    `signed` all vectors of Y are 0 there.
    """
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
    """Yield f / y at each state of a block, up to one factor, for at most `limit` vectors y on the block.

    `score`: f. A vector y is left out if y f <= 0 at some state of the block.
    """
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
    """Return a prompt that leads only to `reached`, with c on each block proportional to its ratios; or None."""
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
