"""Models fitted with hmmlearn, pomegranate or dynamax, and models for hmmlearn.

    hmmlearn, CategoricalHMM    startprob_      transmat_                      emissionprob_
    pomegranate, DenseHMM       exp(starts)     exp(edges), exp(ends)          distributions[h].probs
    pomegranate, SparseHMM      exp(starts)     exp(edges), exp(ends)          distributions[h].probs
    dynamax, CategoricalHMM     initial.probs   transitions.transition_matrix  emissions.probs

The table has the law of the first state, the transition (in pomegranate also the probabilities of an end), and the
emission. For dynamax the argument is the object with a model's parameters. In these libraries distributions are rows,
and the first state emits. Here H_0 emits nothing, so the law of their first state is P[H_1] = A P[H_0], and a P[H_0]
must be chosen. There are three ways (`start`):

- "stationary": a law p with A p = p. The law of the first state is not used. If the chain is ergodic, the law of words
  far from the start is nearly that of the fitted model. If numbers are rounded to multiples of 1/d, p is rounded so,
  too.
- "solve": some p0 >= 0 for which A p0 is exactly the law of the first state. Every word keeps its probability. Often
  there is no such p0, above all if the law of the first state is nearly one-hot, as after a fit to a single sequence.
  Then `InputError` is raised.
- "state": one more state, the last, which is always H_0. From it the chain moves by the law of the library's first
  state, and never comes back to it. The new state's column of the emission matrix is uniform, and never used. Every
  word keeps its probability. But assumption 3.2 fails, and every task is constant, since H_0 is known.

A model of pomegranate may end after any state. Words do not end here: each step is that of the model under the
condition that it does not end. The `defect` of the returned `Lift` is at least 1 minus the least row sum of exp(edges).
In a fitted model this bound is the largest probability of an end.

Floats are lifted by `constructions.importers.arrays`, which reports the change. Only attributes of a fitted model are
read, so its library is not needed. `to_hmmlearn` needs `pip install 'headproof[hmmlearn]'`.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np

from constructions.fields import Array
from constructions.hidden_chain import stationary_laws
from constructions.hmm import HMM
from constructions.importers.arrays import Lift, from_arrays, on_grid, variation
from constructions.linear import Matrix, Vector, identity
from constructions.reading import InputError
from constructions.simplex import nonnegative_solution

Start: TypeAlias = Literal["stationary", "solve", "state"]
STARTS = ("stationary", "solve", "state")

KINDS = "a fitted CategoricalHMM of hmmlearn, a DenseHMM or SparseHMM of pomegranate, or the parameters of dynamax's"


def from_fitted(
    model: Any,
    *,
    start: Start = "stationary",
    denominator: int | None = None,
    states: Sequence[str] = (),
    tokens: Sequence[str] = (),
    name: str = "",
    source: str = "",
) -> tuple[HMM, Lift]:
    """Read a fitted model. Returns the model, and the change by lifting its floats.

    `start` chooses P[H_0]: the "stationary" law of A, a law that A takes to that of the first state ("solve"), or an
    added "state". `denominator` is that of `from_arrays`. Raises `InputError` for a model without parameters or of
    another kind, if there is no P[H_0] of the chosen kind, and if there are several stationary laws to choose from.
    """
    if start not in STARTS:
        raise InputError("start", repr(start), "one of " + ", ".join(f'"{choice}"' for choice in STARTS))
    law, moves, emits = _parameters(model)
    ends = Lift()
    if hasattr(model, "ends"):
        goes_on = moves.sum(axis=1, keepdims=True)
        moves, ends = moves / goes_on, Lift(defect=Fraction(float(1 - goes_on.min())))
    if start == "stationary":
        law = (Fraction(1, len(law)),) * len(law)  # a placeholder: what is not used must not count as changed
    lifted, lift = from_arrays(law, moves, emits, orientation="rows", denominator=denominator)
    initial: Vector = lifted.initial
    transition: Matrix = lifted.transition
    emission: Matrix = lifted.emission
    if start == "solve":
        solution = nonnegative_solution(transition, initial)  # it sums to 1, as the columns of A do
        if solution is None:
            raise InputError(
                "the law of the first state",
                "a law that no law one step before it leads to",
                'start="stationary" or "state"',
            )
        initial = solution
    elif start == "stationary":
        exact, *others = stationary_laws(transition)
        if others:
            raise InputError(
                "transition", f"{1 + len(others)} independent stationary laws", 'one, or start="solve" or "state"'
            )
        initial = exact if denominator is None else on_grid(exact, denominator, "the stationary law")
        lift |= Lift(variation=variation(initial, exact))
    else:  # one more state, which goes where the first state of the fitted model is
        n, uniform = len(initial), Fraction(1, len(emission))
        moves = tuple((*row, first) for row, first in zip(transition, initial, strict=True))
        initial, transition = identity(n + 1)[n], (*moves, (Fraction(0),) * (n + 1))
        emission = tuple((*row, uniform) for row in emission)
        states = (*states, "start") if states else ()
    return HMM(initial, transition, emission, tuple(states), tuple(tokens), name, source, lift.variation), lift | ends


def to_hmmlearn(model: HMM) -> Any:
    """Return hmmlearn's `CategoricalHMM` with this model's law of words, in floats. P[H_0] itself is lost.

    Raises `InputError` if hmmlearn is not installed.
    """
    try:
        from hmmlearn.hmm import CategoricalHMM
    except ModuleNotFoundError as error:
        raise InputError("hmmlearn", "none", "it installed: pip install 'headproof[hmmlearn]'") from error
    result = CategoricalHMM(n_components=len(model.states), n_features=len(model.tokens))
    result.startprob_ = model.first.numpy()
    result.transmat_ = model.transition.numpy().T
    result.emissionprob_ = model.emission.numpy().T
    return result


def _parameters(model: Any) -> tuple[Any, ...]:
    """Return the law of the first state, and the rows of transitions and emissions, in floats."""
    if hasattr(model, "distributions") and hasattr(model, "edges"):
        return _of_pomegranate(model)
    if hasattr(model, "transitions") and hasattr(model, "emissions"):
        return _of_dynamax(model)
    if hasattr(model, "n_trials"):  # a MultinomialHMM: its emissionprob_ is about counts, not tokens
        raise InputError("model", f"a {type(model).__name__}", KINDS)
    keys = ("startprob_", "transmat_", "emissionprob_")
    for key in keys:
        if not hasattr(model, key):
            raise InputError("model", f"a {type(model).__name__} without {key}", KINDS)
    return tuple(_floats(getattr(model, key)) for key in keys)


def _of_pomegranate(model: Any) -> tuple[Any, Any, Any]:
    kind, n = type(model).__name__, len(model.distributions or ())
    if not n or model.starts is None or not hasattr(model.edges, "detach"):  # a SparseHMM lists them until it is used
        raise InputError("model", f"a {kind} without states or edges, or not fitted yet", KINDS)
    emits = [np.atleast_1d(_floats(getattr(emission, "probs", None))) for emission in model.distributions]
    if any(probabilities.shape != (1, emits[0].shape[-1]) for probabilities in emits):
        raise InputError("model", f"a {kind} whose states emit something else", "Categoricals of the same tokens")
    moves = np.exp(_floats(model.edges))
    if moves.ndim == 1:  # a SparseHMM has a list of edges
        moves, edges = np.zeros((n, n)), moves
        moves[_floats(model._edge_idx_starts).astype(int), _floats(model._edge_idx_ends).astype(int)] = edges
    return np.exp(_floats(model.starts)), moves, np.vstack(emits)


def _of_dynamax(model: Any) -> tuple[Any, Any, Any]:
    if not hasattr(model.emissions, "probs") or "Multinomial" in type(model).__name__:  # as above
        raise InputError("model", f"a {type(model).__name__}", KINDS)
    emits = _floats(model.emissions.probs)
    if emits.ndim != 3 or emits.shape[1] != 1:
        raise InputError("emissions", f"an array of the shape {emits.shape}", "one token at a time, emission_dim 1")
    return _floats(model.initial.probs), _floats(model.transitions.transition_matrix), emits[:, 0]


def _floats(array: Any) -> Array:
    """Return an array of NumPy, PyTorch or JAX as a NumPy array of floats."""
    return np.asarray(array.detach().cpu() if hasattr(array, "detach") else array, dtype=np.float64)
