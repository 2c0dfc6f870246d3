"""To and from hmmlearn's `CategoricalHMM`, whose distributions are rows and whose first state emits.

    hmmlearn          here
    startprob_        P[H_1] = A P[H_0]: the law of the first state that emits. Our H_0 emits nothing.
    transmat_         A', rows [h, h']
    emissionprob_     W', rows [h, z]

So a model from hmmlearn needs a P[H_0], and there are three ways to choose it (`start`):

- "solve": some p0 >= 0 with A p0 = startprob_, exactly. Every word keeps its probability. Often there is none, above
  all where startprob_ is nearly one-hot, as after a fit to a single sequence: then `InputError`, and you choose.
- "stationary": the law that A leaves as it is; startprob_ is not used. Later words keep the law that they tend to.
- "state": one more state, the last, in which H_0 always is: it goes to startprob_, is never seen again, and its column
  of the emission matrix (uniform) is never used. Every word keeps its probability, but assumption 3.2 fails, and every
  task is constant, since H_0 is known.

Floats are lifted by `constructions.arrays`, which reports the change. Only `to_hmmlearn` needs hmmlearn itself:
`pip install 'headproof[hmmlearn]'`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np

from constructions.arrays import Lift, from_arrays
from constructions.hmm import HMM
from constructions.linear import Matrix, Vector, identity, null_basis
from constructions.reading import InputError

Start: TypeAlias = Literal["solve", "stationary", "state"]
STARTS = ("solve", "stationary", "state")


def from_hmmlearn(
    model: Any, *, start: Start = "solve", denominator: int | None = None, name: str = "", source: str = ""
) -> tuple[HMM, Lift]:
    """Read a `CategoricalHMM` that has its parameters: the model, and what lifting its floats changed.

    `start` chooses P[H_0] as above; `denominator` is that of `from_arrays`. Raises `InputError` for a model without
    parameters or of another kind, and where the chosen P[H_0] does not exist.
    """
    if start not in STARTS:
        raise InputError("start", repr(start), "one of " + ", ".join(f'"{choice}"' for choice in STARTS))
    law, moves, emits = (_parameter(model, key) for key in ("startprob_", "transmat_", "emissionprob_"))
    if start == "stationary":
        law = (Fraction(1, len(law)),) * len(law)  # a placeholder: what is not used must not count as changed
    found, lift = from_arrays(law, moves, emits, orientation="rows", denominator=denominator)
    initial, transition, emission = found.initial, found.transition, found.emission
    if start == "solve":
        initial = _before(transition, found.initial)
    elif start == "stationary":
        initial = _stationary(transition)
    else:
        initial, transition, emission = _with_start_state(found)
    return HMM(initial, transition, emission, name=name, source=source), lift


def to_hmmlearn(model: HMM) -> Any:
    """Return a `CategoricalHMM` with this model's law of words, in floats. The law of H_0 itself is not kept."""
    try:
        from hmmlearn.hmm import CategoricalHMM
    except ModuleNotFoundError as error:
        raise InputError("hmmlearn", "none", "it installed: pip install 'headproof[hmmlearn]'") from error
    result = CategoricalHMM(n_components=len(model.states), n_features=len(model.tokens))
    result.startprob_ = np.array(model.first, dtype=np.float64)
    result.transmat_ = np.array(model.transition, dtype=np.float64).T
    result.emissionprob_ = np.array(model.emission, dtype=np.float64).T
    return result


def _parameter(model: Any, key: str) -> Any:
    if hasattr(model, "n_trials"):  # a MultinomialHMM: its emissionprob_ is about counts, not tokens
        raise InputError("hmmlearn", f"a {type(model).__name__}", "a CategoricalHMM")
    if not hasattr(model, key):
        raise InputError("hmmlearn", f"a {type(model).__name__} without {key}", "a fitted CategoricalHMM")
    return getattr(model, key)


def _before(transition: Matrix, first: Vector) -> Vector:
    """Return some law p0 with A p0 = p1. Its sum is 1 without asking, since the columns of A sum to 1."""
    initial = nonnegative_solution(transition, first)
    if initial is None:
        raise InputError("startprob_", "a law that no law one step before it leads to", 'start="stationary" or "state"')
    return initial


def _stationary(transition: Matrix) -> Vector:
    """Return the law p with A p = p, if there is only one."""
    n = len(transition)
    difference = tuple(
        tuple(a - i for a, i in zip(row, unit, strict=True)) for row, unit in zip(transition, identity(n), strict=True)
    )
    basis = null_basis(difference)
    if len(basis) > 1:
        raise InputError("transmat_", f"{len(basis)} independent stationary laws", 'one, or start="solve" or "state"')
    return tuple(entry / sum(basis[0]) for entry in basis[0])


def _with_start_state(model: HMM) -> tuple[Vector, Matrix, Matrix]:
    """Add a state that only H_0 is in, and that goes where the first state of hmmlearn's model is."""
    n, k = len(model.states), len(model.tokens)
    nothing, uniform = Fraction(0), Fraction(1, k)
    moves = tuple((*row, start) for row, start in zip(model.transition, model.initial, strict=True))
    initial = (*(nothing,) * n, Fraction(1))
    return initial, (*moves, (nothing,) * (n + 1)), tuple((*row, uniform) for row in model.emission)


def nonnegative_solution(matrix: Matrix, right: Vector) -> Vector | None:
    """Return some x >= 0 with matrix x = right >= 0, or None if there is none: phase one of the simplex method over Q.

    Bland's rule (the least index enters, and leaves on a tie) keeps it from cycling. For systems of a model's size.
    """
    if any(entry < 0 for entry in right):
        raise ValueError("the right side has a negative entry")
    unknowns = len(matrix[0])
    rows = [[*row, goal] for row, goal in zip(matrix, right, strict=True)]
    basis = list(range(unknowns, unknowns + len(rows)))  # an artificial variable for each equation, never to come back
    while True:
        artificial = [row for row, variable in zip(rows, basis, strict=True) if variable >= unknowns]
        enters = next((j for j in range(unknowns) if sum(row[j] for row in artificial) > 0), None)
        if enters is None:
            break
        leaves = min((row[-1] / row[enters], basis[i], i) for i, row in enumerate(rows) if row[enters] > 0)[2]
        _pivot(rows, leaves, enters)
        basis[leaves] = enters
    if any(row[-1] for row in artificial):
        return None
    solution = [Fraction(0)] * unknowns
    for row, variable in zip(rows, basis, strict=True):
        if variable < unknowns:
            solution[variable] = row[-1]
    return tuple(solution)


def _pivot(rows: list[list[Fraction]], pivot: int, column: int) -> None:
    """Make one column a unit vector, 1 in the pivot row."""
    rows[pivot] = [entry / rows[pivot][column] for entry in rows[pivot]]
    for i, row in enumerate(rows):
        if i != pivot and row[column]:
            rows[i] = [entry - row[column] * by for entry, by in zip(row, rows[pivot], strict=True)]
