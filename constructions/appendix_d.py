"""The random models of the paper's experiments (appendix D), lifted to exact rationals.

    transition   a convex mix of n random permutation matrices, n states; weights softmax(U[0,1] logits / 0.01)
    start law    softmax(U[0,1] logits / 10): nearly uniform
    emissions    for each state softmax(U[0,1] logits / 0.01): nearly one-hot
    task         two rows mu, sparse: 6 of the 2n entries are Gaussian, the rest 0; the label is the arg max

**Lifting.** Every probability is a multiple of 1/d, where d is the chosen denominator. Each of the m entries of a law
gets one of d units. The other d - m units are divided in proportion to the softmax weights, by largest remainder, and
in a tie the first entry wins. So the law sums to exactly 1, and none of its entries is 0. At temperature 0.01 most
weights lie far below 1/d, and become 1/d. For the transition the weights of the permutations are lifted, not the
matrix, which may have entries 0. A Gaussian entry of mu is rounded to the nearest multiple of 1/d, and to 1/d or -1/d
if that multiple is 0.

With a coarse denominator two nearly one-hot columns may become equal. So 3.1 may fail, though the paper's W meets it
almost surely for n <= k. With 8 states and 10 tokens 3.1 holds for 8 of the seeds 0 to 19 if d = 10^3, for 13 if d =
10^6, and for all if d = 10^12. With 10 states it holds for 3, 9 and 18 seeds at these d, and for all if d = 10^20.

**Reproducible.** All numbers come from `random` (53 bits each) of one generator, PCG64 of the seed, in this order:

1. n x n numbers; sorting row i gives permutation i;
2. n logits of the mix, n logits of the start law, and n x k logits of the emissions, state by state;
3. 2n numbers, of which the 6 least say where mu is not 0, row 0 first;
4. 6 numbers, which the inverse distribution function makes Gaussian.

Exponentials are decimal and correctly rounded, so they do not depend on the platform.

**Memory models** have one cell, and are made in the same way. The chain H has n states, P[M] is a start law like
P[H_0], W has a column for each value and state, and mu has two rows over the values, with at most 6 entries other than
0. The order is: the permutations, the mix, P[H_0], P[M], the emissions column by column, mu.

Source: Wei, Xie, Ma (2021), section 5 and appendix D. Their text does not say which entries of mu are not 0; here all
places are equally likely. Of memory models it says only that N = 1, that the chain has 4 states, and that the memory
has 2, 3, 5 or 7 values. By section 4 M and H_0 are independent.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from statistics import NormalDist
from typing import Any, TypeAlias

import numpy as np

from constructions.fields import Array
from constructions.hmm import HMM
from constructions.importers.arrays import on_grid
from constructions.linear import Matrix, Vector, transpose
from constructions.memory.model import MemoryHMM, Shape
from constructions.reading import InputError
from constructions.tasks import MemoryTask, Task

Draw: TypeAlias = Callable[[Any], Array]
"""A function that draws an array of a size, or of a shape, uniform in [0, 1)."""

SHARP, FLAT = Decimal("0.01"), Decimal(10)
"""The temperature of the mix and the emissions, and that of the start law."""

NONZERO = 6
"""The number of entries of mu that are not 0, in both rows together."""


def appendix_d(states: int, tokens: int, seed: int, denominator: int = 10**6) -> tuple[HMM, Task]:
    """Draw a model with n = `states` and k = `tokens`, and its task.

    Raises `InputError` for fewer than 3 states (mu has 6 entries that are not 0), no token, a negative seed, or a
    denominator smaller than n or k.
    """
    _check("states", states, NONZERO // 2)
    draw, transition, initial = _chain(states, tokens, seed, denominator, max(states, tokens))
    emission = transpose([_lifted(logits, SHARP, denominator) for logits in draw((states, tokens))])
    mu = sparse_rows(draw, states, denominator)
    source = _source(f"appendix_d(states={states}, tokens={tokens}, seed={seed}", denominator)
    return HMM(initial, transition, emission, name=f"appendix-d-{states}", source=source), Task(mu)


def appendix_d_memory(
    values: int, states: int, tokens: int, seed: int, denominator: int = 10**6
) -> tuple[MemoryHMM, MemoryTask]:
    """Draw a memory model with one cell, and its task.

    Raises `InputError` for fewer than 2 values, no state, no token, a negative seed, or a denominator smaller than
    `values`, `states` or `tokens`.
    """
    _check("values", values, 2)
    _check("states", states, 1)
    draw, transition, initial = _chain(states, tokens, seed, denominator, max(values, states, tokens))
    memory = _lifted(draw(values), FLAT, denominator)
    emission = transpose([_lifted(logits, SHARP, denominator) for logits in draw((values * states, tokens))])
    source = f"appendix_d_memory(values={values}, states={states}, tokens={tokens}, seed={seed}"
    model = MemoryHMM(
        initial,
        transition,
        Shape(values, 1, states),
        memory,
        emission,
        name=f"appendix-d-memory-{values}x{states}",
        source=_source(source, denominator),
    )
    return model, MemoryTask(sparse_rows(draw, values, denominator))


def _chain(states: int, tokens: int, seed: int, denominator: int, least: int) -> tuple[Draw, Matrix, Vector]:
    """Draw A and P[H_0]. Return three things: the function that draws all further numbers; A; P[H_0]."""
    _check("tokens", tokens, 1)
    _check("seed", seed, 0)
    _check("denominator", denominator, least)
    draw = np.random.Generator(np.random.PCG64(seed)).random
    permutations = np.argsort(draw((states, states)), axis=-1, kind="stable")
    weights = _lifted(draw(states), SHARP, denominator)
    transition = [[Fraction(0)] * states for _ in range(states)]
    for permutation, weight in zip(permutations, weights, strict=True):
        for h, to in enumerate(permutation):
            transition[to][h] += weight
    return draw, tuple(map(tuple, transition)), _lifted(draw(states), FLAT, denominator)


def _source(call: str, denominator: int) -> str:
    return (
        f"The random models of Wei, Xie and Ma (2021), appendix D: constructions.appendix_d.{call}, "
        f"denominator={denominator}). Every probability is a multiple "
        f"of 1/{denominator}: one unit for each entry, the rest in proportion to the softmax weights, by largest "
        f"remainder; for the transition matrix the weights of the permutations are lifted so. Entries of mu are "
        f"rounded to multiples of 1/{denominator}."
    )


def sparse_rows(draw: Draw, n: int, denominator: int) -> Matrix:
    """Draw mu (2, n). It is Gaussian at 6 places, or at all places if there are fewer, and 0 elsewhere.

    Entries are rounded to multiples of 1/`denominator`. None of the Gaussian ones is rounded to 0.
    """
    places = np.argsort(draw(2 * n), kind="stable")[:NONZERO]
    mu = [Fraction(0)] * (2 * n)
    for place, uniform in zip(places, draw(len(places)), strict=True):
        value = NormalDist().inv_cdf(float(uniform) or 0.5)  # a uniform number is 0 once in 2^53 times
        size = max(1, round(Fraction(abs(value)) * denominator))
        mu[place] = Fraction(-size if value < 0 else size, denominator)
    return tuple(mu[:n]), tuple(mu[n:])


def _lifted(logits: Array, temperature: Decimal, denominator: int) -> Vector:
    """Return softmax(logits / temperature), in multiples of 1/denominator, none of them 0."""
    with localcontext(Context(prec=40)):
        weights = [Fraction((Decimal(float(logit)) / temperature).exp()) for logit in logits]
    share = (denominator - len(weights)) / sum(weights, Fraction(0))
    return on_grid([(1 + share * weight) / denominator for weight in weights], denominator)


def _check(argument: str, value: int, least: int) -> None:
    if value < least:
        raise InputError(argument, str(value), f"at least {least}")
