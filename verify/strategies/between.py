"""Hypothesis strategies for models between 3.1 and the weakest condition of `verify.margin.weakest`.

3.2 holds and 3.1 fails, so theorem 3.3 says nothing of them. But the identity of its proof can be met, and so its
conclusion holds for every input.

Valid by construction, as in `verify.strategies.vanilla`, and in two ways, one for each part of the gap:

- `seen_by_outputs`: a task in the row space of W diag(P[H_1]), that is mu = (W'b o P[H_1]) / P[H_0] for a drawn b. The
  kernel is not 0, but this mu does not see it.
- `twins`: a model with independent columns, one state of which is divided into two that emit alike, go on alike up to
  which twin they come to, and are entered in any proportions. No input tells the twins apart, so beta(x) is the same at
  both: V is smaller than R^n, and the identity can be met on it for every mu.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from constructions.linear import Vector, combine, transpose
from constructions.models import HMM
from constructions.tasks import Task
from verify.strategies.vanilla import Problem, Sizes, hmms_satisfying, hmms_violating, tasks

SHARES = st.sampled_from((Fraction(1, 2), Fraction(1, 3), Fraction(2, 3)))


@st.composite
def seen_by_outputs(draw: DrawFn, rows: int = 1, states: Sizes = (2, 3), tokens: Sizes = (1, 3)) -> Problem:
    """Draw a model that violates 3.1 and meets 3.2, with a task in the row space of its outputs."""
    model = draw(hmms_violating("3.1", ("3.2",), states, tokens))
    weights = st.integers(-3, 3).map(Fraction)
    bs = draw(st.lists(st.tuples(*[weights] * len(model.tokens)), min_size=rows, max_size=rows))
    mu = [_in_row_space(model, b) for b in bs]
    if not any(any(row) for row in mu):  # W'1 = 1
        mu[0] = _in_row_space(model, (Fraction(1),) * len(model.tokens))
    return model, Task(tuple(mu))


@st.composite
def twins(draw: DrawFn, rows: int = 1, states: Sizes = (1, 3), tokens: Sizes = (1, 3)) -> Problem:
    """Draw a model that meets 3.2 and of whose states the last is a twin, with any task."""
    model = draw(hmms_satisfying("3.1", ("3.2",), states, tokens))
    n = len(model.states)
    twin = draw(st.integers(0, n - 1))
    shares = draw(st.lists(SHARES, min_size=n + 2, max_size=n + 2))
    arrivals = [*transpose(model.transition), transpose(model.transition)[twin]]
    divided = HMM(
        initial=_divided(model.initial, twin, shares[0]),
        transition=transpose([_divided(law, twin, share) for law, share in zip(arrivals, shares[1:], strict=True)]),
        emission=tuple((*row, row[twin]) for row in model.emission),
    )
    return divided, draw(tasks(divided, rows))


def _in_row_space(model: HMM, b: Vector) -> Vector:
    scores = combine(b, model.emission)
    return tuple(s * p1 / p0 for s, p1, p0 in zip(scores, model.first, model.initial, strict=True))


def _divided(law: Sequence[Fraction], twin: int, share: Fraction) -> Vector:
    """Give the new last state its share of one state's probability."""
    kept = [p * (1 - share) if state == twin else p for state, p in enumerate(law)]
    return (*kept, law[twin] * share)
