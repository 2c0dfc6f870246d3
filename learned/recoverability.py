"""On how many inputs of the memory experiments is x in R, of which alone theorem 4.3 speaks?

R holds the inputs with a position i at which supp(P[H_i | X_-i]) lies in a recoverable H* (assumption 4.2): the states
h whose columns W[:,(m,h)] are all coloops, zero in every null vector of W. Where no probability is 0 no posterior has a
zero, so R is everything if H* = H and nothing otherwise. Nearly: at some position one state has probability
1 - epsilon.
"""

from __future__ import annotations

from typing import Any

from constructions.memory.coloops import Ground
from constructions.models import HMM
from learned.attention import hidden_posteriors
from learned.downstream import Downstream

NEARLY = (0.1, 0.01, 0.001, 0.0001)

INPUTS = 500


def recoverable(model: HMM, values: int) -> list[int]:
    """Return the largest H* of 4.2 for the chain Hbar of a memory model, N = 1: exact."""
    size, every = len(model.states) // values, range(len(model.states))
    ground = Ground(model.emission, tuple(every), {h: tuple(every[h::size]) for h in range(size)})
    return list(ground.admissible())


def full_support(model: HMM, values: int) -> bool:
    """Tell whether no posterior of H_i ever has a zero: sufficient, and true of appendix D's models."""
    size = len(model.states) // values
    block = [row[:size] for row in model.transition[:size]]
    positive = [entry for row in model.emission for entry in row] + list(model.initial)
    lines = [any(row) for row in block] + [any(column) for column in zip(*block, strict=True)]
    return all(positive) and all(lines)


def share_in_r(task: Downstream, values: int) -> dict[str, Any]:
    """Return H*, the share of inputs in R (None where supports would have to be followed), and nearly."""
    states = recoverable(task.model, values)
    exactly = float(len(states) == len(task.model.states) // values) if full_support(task.model, values) else None
    test = task.tokens[task.rows("test")][:INPUTS]
    posterior = hidden_posteriors(task.model, test).unflatten(-1, (values, -1)).sum(-2)
    surest = posterior.amax(1)  # (inputs, states)
    return {
        "recoverable": states,
        "exactly": exactly,
        "nearly, any state": {str(e): float((surest.amax(-1) >= 1 - e).double().mean()) for e in NEARLY},
        "nearly, the same state for all": {str(e): float((surest >= 1 - e).double().mean(0).max()) for e in NEARLY},
    }
