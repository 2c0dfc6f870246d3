"""Models fitted with other libraries: hmmlearn, pomegranate, dynamax.

    hmmlearn, CategoricalHMM    transmat_                      emissionprob_
    pomegranate, Dense-         exp(edges), exp(ends)          distributions[h].probs
      and SparseHMM
    dynamax, the parameters of  transitions.transition_matrix  emissions.probs
      a CategoricalHMM

In all of them distributions are rows, and the first state emits: its law is P[H_1] = A P[H_0] here, where H_0 emits
nothing. So such a model needs a P[H_0], and it gets the law that A leaves as it is. The law of the first state, of
which a fit to one sequence knows nothing, is not used. With a denominator P[H_0] is put on the grid, too.

A model of pomegranate may end after any state. Words here go on: each step is that of a model that does not end, and
the largest probability of an end is in the report, as a defect of a sum.

Floats are lifted by `constructions.importers.arrays`, which reports the change. What is read are attributes alone: no
library is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from constructions.fields import Array
from constructions.hidden_chain import stationary_laws
from constructions.hmm import HMM
from constructions.importers.arrays import Lift, from_arrays, on_grid, variation
from constructions.reading import InputError

KINDS = "a fitted CategoricalHMM of hmmlearn, a DenseHMM or SparseHMM of pomegranate, or the parameters of dynamax's"


def from_fitted(
    model: Any,
    *,
    denominator: int | None = None,
    states: Sequence[str] = (),
    tokens: Sequence[str] = (),
    name: str = "",
    source: str = "",
) -> tuple[HMM, Lift]:
    """Read a fitted model: the model, and what lifting its floats changed.

    `denominator` is that of `from_arrays`. Raises `InputError` for a model without parameters or of another kind, and
    for a chain with several stationary laws.
    """
    moves, emits = _parameters(model)
    ends = Lift()
    if hasattr(model, "ends"):
        goes_on = moves.sum(axis=1, keepdims=True)
        moves, ends = moves / goes_on, Lift(defect=Fraction(float(1 - goes_on.min())))
    uniform = (Fraction(1, len(moves)),) * len(moves)  # a placeholder
    lifted, lift = from_arrays(uniform, moves, emits, orientation="rows", denominator=denominator)
    exact, *others = stationary_laws(lifted.transition)
    if others:
        raise InputError("transition", f"{1 + len(others)} independent stationary laws", "one")
    initial = exact if denominator is None else on_grid(exact, denominator, "the stationary law")
    lift |= Lift(variation=variation(initial, exact))
    named = tuple(states), tuple(tokens), name, source
    return HMM(initial, lifted.transition, lifted.emission, *named, lift.variation), lift | ends


def _parameters(model: Any) -> tuple[Any, Any]:
    """Return the rows of transitions and emissions, in floats."""
    if hasattr(model, "distributions") and hasattr(model, "edges"):
        return _of_pomegranate(model)
    if hasattr(model, "transitions") and hasattr(model, "emissions"):
        return _of_dynamax(model)
    if hasattr(model, "n_trials"):  # a MultinomialHMM: its emissionprob_ is about counts, not tokens
        raise InputError("model", f"a {type(model).__name__}", KINDS)
    for key in ("transmat_", "emissionprob_"):
        if not hasattr(model, key):
            raise InputError("model", f"a {type(model).__name__} without {key}", KINDS)
    return _floats(model.transmat_), _floats(model.emissionprob_)


def _of_pomegranate(model: Any) -> tuple[Any, Any]:
    kind, n = type(model).__name__, len(model.distributions or ())
    if not n or not hasattr(model.edges, "detach"):  # a SparseHMM lists them until it is used
        raise InputError("model", f"a {kind} without states or edges, or not fitted yet", KINDS)
    if not all(hasattr(emission, "probs") and len(emission.probs) == 1 for emission in model.distributions):
        raise InputError("model", f"a {kind} whose states emit something else", "one Categorical for each state")
    moves = np.exp(_floats(model.edges))
    if moves.ndim == 1:  # a SparseHMM has a list of edges
        moves, edges = np.zeros((n, n)), moves
        moves[_floats(model._edge_idx_starts).astype(int), _floats(model._edge_idx_ends).astype(int)] = edges
    return moves, np.vstack([_floats(emission.probs)[0] for emission in model.distributions])


def _of_dynamax(model: Any) -> tuple[Any, Any]:
    if not hasattr(model.emissions, "probs"):
        raise InputError("model", f"a {type(model).__name__}", KINDS)
    emits = _floats(model.emissions.probs)
    if emits.ndim != 3 or emits.shape[1] != 1:
        raise InputError("emissions", f"an array of the shape {emits.shape}", "one token at a time, emission_dim 1")
    return _floats(model.transitions.transition_matrix), emits[:, 0]


def _floats(array: Any) -> Array:
    """Return an array of floats, whether it is NumPy's, PyTorch's or JAX's."""
    return np.asarray(array.detach().cpu() if hasattr(array, "detach") else array, dtype=np.float64)
