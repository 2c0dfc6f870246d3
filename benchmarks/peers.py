"""Other people's forward and backward passes, each at its best settings, and two plain ones of our own hand.

All return a law for each position of each sequence: the libraries P[H_i | X], which is what they have, NumPy, Numba and
integers the masked outputs G_i. Last, two that decide linear inequalities exactly. Headproof needs none of the
libraries, the extra `bench` has them; a peer that is not installed is left out of the table, which says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import TypeVar

import numpy as np
from flint import fmpz, fmpz_mat

from constructions.fields import FLOAT64, INTEGERS, Array
from constructions.models import HMM
from constructions.own.fitted import to_hmmlearn

Job = Callable[[], object]
Peer = Callable[[HMM, Array], Job]
Lines = Sequence[Sequence[int]]
Found = TypeVar("Found")


def of_hmmlearn(model: HMM, tokens: Array) -> Job:
    """Hmmlearn with scaling, several times as fast as with logarithms."""
    peer = to_hmmlearn(model)
    peer.implementation = "scaling"
    column, lengths = tokens.reshape(-1, 1), [tokens.shape[1]] * len(tokens)
    return lambda: peer.predict_proba(column, lengths)


def of_dynamax(model: HMM, tokens: Array) -> Job:
    """Dynamax's smoother in double precision, compiled for the whole batch."""
    import jax
    from dynamax.hidden_markov_model import hmm_smoother

    jax.config.update("jax_enable_x64", True)
    chain = model.chain(FLOAT64)
    first, rows, logs = chain.first, chain.transition.T, np.log(chain.emission)
    smooth = jax.jit(jax.vmap(lambda likely: hmm_smoother(first, rows, likely).smoothed_probs))
    return lambda: np.asarray(smooth(logs[tokens]))


def of_pomegranate(model: HMM, tokens: Array) -> Job:
    """Pomegranate's dense model, in the single precision that it has."""
    import torch
    from pomegranate.distributions import Categorical
    from pomegranate.hmm import DenseHMM

    chain = model.chain(FLOAT64)
    laws = [Categorical(torch.tensor(column[None], dtype=torch.float32)) for column in chain.emission.T]
    edges, starts = (torch.tensor(array, dtype=torch.float32) for array in (chain.transition.T, chain.first))
    peer = DenseHMM(laws, edges=edges, starts=starts, ends=torch.full((len(laws),), 1e-9))
    given = torch.as_tensor(tokens[:, :, None])
    return lambda: peer.predict_proba(given)


def of_numba(model: HMM, tokens: Array) -> Job:
    """A loop over sequences, positions and states that Numba compiles: all of one sequence stays in the cache."""
    import numba

    chain = model.chain(FLOAT64)
    first, moves, emits = chain.first, np.ascontiguousarray(chain.transition), np.ascontiguousarray(chain.emission)

    def outputs(first: Array, moves: Array, emits: Array, tokens: Array) -> Array:
        count, length = tokens.shape
        n, k = len(first), len(emits)
        found, before = np.empty((count, length, k)), np.empty((length, n))
        for s in range(count):
            x = first.copy()
            for i in range(length):
                before[i] = x
                x = moves @ (emits[tokens[s, i]] * x)
                x /= x.sum()
            y = np.ones(n)
            for i in range(length - 1, -1, -1):
                law = emits @ (before[i] * y)
                found[s, i] = law / law.sum()
                y = (emits[tokens[s, i]] * y) @ moves
                y /= y.sum()
        return found

    compiled = numba.njit(fastmath=True)(outputs)
    return lambda: compiled(first, moves, emits, tokens)


def of_numpy(model: HMM, tokens: Array) -> Job:
    """NumPy by hand, whole arrays in the best layout: position, state, sequence; in place."""
    chain = model.chain(FLOAT64)
    first, moves, emits = chain.first, np.ascontiguousarray(chain.transition), np.ascontiguousarray(chain.emission)
    back = np.ascontiguousarray(moves.T)

    def outputs() -> Array:
        count, length = tokens.shape
        v = np.moveaxis(np.ascontiguousarray(emits.T)[:, tokens.T], 1, 0).copy()
        tau = np.empty((length, len(first), count))
        tau[0] = first[:, None]
        for i in range(length - 1):
            np.matmul(moves, v[i] * tau[i], out=tau[i + 1])
            tau[i + 1] /= tau[i + 1].sum(0)
        y = np.ones((len(first), count))
        for i in range(length - 1, -1, -1):
            tau[i] *= y
            y = back @ (v[i] * y)
            y /= y.sum(0)
        law = emits @ tau
        law /= law.sum(1, keepdims=True)
        return np.moveaxis(law, 2, 0)

    return outputs


def of_products(model: HMM, tokens: Array) -> Job:
    """The products of matrices alone, each in memory that is there and in the cache."""
    chain, (count, length) = model.chain(FLOAT64), tokens.shape
    moves, emits = np.ascontiguousarray(chain.transition), np.ascontiguousarray(chain.emission)
    back, messages, laws = np.ascontiguousarray(moves.T), np.ones((2, len(moves), count)), np.ones((len(emits), count))

    def products() -> None:
        for _ in range(length - 1):
            np.matmul(moves, messages[0], out=messages[1])
            np.matmul(back, messages[1], out=messages[0])
        for _ in range(length):
            np.matmul(emits, messages[0], out=laws)

    return products


def of_integers(model: HMM, tokens: Array) -> Job:
    """The integers alone: W tau_i of one sequence by FLINT's matrices, no fraction made of them."""
    chain = model.chain(INTEGERS)
    n = len(model.states)
    moves, emits = fmpz_mat(chain.transition.tolist()), fmpz_mat(chain.emission.tolist())
    back, rows = moves.transpose(), [[fmpz(x) for x in row] for row in chain.emission.tolist()]
    first = moves * fmpz_mat(n, 1, chain.initial.tolist())

    def step(matrix: fmpz_mat, v: list[fmpz], message: fmpz_mat) -> fmpz_mat:
        return matrix * fmpz_mat(n, 1, [x * y for x, y in zip(v, message.entries(), strict=True)])

    def outputs() -> list[fmpz_mat]:
        v = [rows[token] for token in tokens]
        before = [first]
        for token in v[:-1]:
            before.append(step(moves, token, before[-1]))
        message, found = fmpz_mat(n, 1, [1] * n), []
        for token in reversed(v):
            found.append(step(emits, before.pop().entries(), message))
            message = step(back, token, message)
        return found[::-1]

    return outputs


def of_pplpy(lines: Lines) -> Job:
    """The Parma Polyhedra Library: whether the open cone is empty, by exact double description."""
    from ppl import Constraint_System, Linear_Expression, NNC_Polyhedron

    def empty() -> bool:
        system = Constraint_System()
        for line in lines:
            system.insert(Linear_Expression(list(line), 0) > 0)
        found = NNC_Polyhedron(system).is_empty()
        assert found
        return bool(found)

    return empty


def of_z3(lines: Lines) -> Job:
    """The simplex method of z3, over linear real arithmetic."""
    import z3

    def unsatisfiable() -> bool:
        solver, b = z3.SolverFor("QF_LRA"), z3.RealVector("b", len(lines[0]))
        solver.add([z3.Sum([x * y for x, y in zip(line, b, strict=True)]) > 0 for line in lines])
        assert solver.check() == z3.unsat
        return True

    return unsatisfiable


FLOATS: dict[str, tuple[Peer, str]] = {
    "NumPy, by hand": (of_numpy, "numpy"),
    "Numba": (of_numba, "numba"),
    "dynamax": (of_dynamax, "dynamax"),
    "pomegranate": (of_pomegranate, "pomegranate"),
    "hmmlearn, scaling": (of_hmmlearn, "hmmlearn"),
}
"""Peers of the float G_i, with the package that each needs."""

INEQUALITIES: dict[str, tuple[Callable[[Lines], Job], str]] = {"pplpy": (of_pplpy, "ppl"), "z3": (of_z3, "z3")}
"""Peers of the question whether strict inequalities with integer coefficients have a solution."""


def installed(peers: Mapping[str, tuple[Found, str]]) -> dict[str, Found]:
    """Return those of some peers that can be run."""
    return {name: peer for name, (peer, package) in peers.items() if find_spec(package)}
