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
from constructions.hidden_chain import stationary_laws
from constructions.hmm import HMM
from constructions.linear import Matrix, Vector, nonnegative_solution
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
        initial, *others = stationary_laws(transition)
        if others:
            expected = 'one, or start="solve" or "state"'
            raise InputError("transmat_", f"{1 + len(others)} independent stationary laws", expected)
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


def _with_start_state(model: HMM) -> tuple[Vector, Matrix, Matrix]:
    """Add a state that only H_0 is in, and that goes where the first state of hmmlearn's model is."""
    n, k = len(model.states), len(model.tokens)
    nothing, uniform = Fraction(0), Fraction(1, k)
    moves = tuple((*row, start) for row, start in zip(model.transition, model.initial, strict=True))
    initial = (*(nothing,) * n, Fraction(1))
    return initial, (*moves, (nothing,) * (n + 1)), tuple((*row, uniform) for row in model.emission)
