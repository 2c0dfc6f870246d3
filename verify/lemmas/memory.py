"""The lemmas of appendix C that speak of all inputs, decided on a memory model for inputs of every length.

As in `lemmas.vanilla`, each function decides what its lemma concludes, whether or not its assumptions hold, and returns
the evidence: `docs/certificate-format.md`, section 10. The lemmas on R are in `keys_and_values`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice
from typing import TypeAlias

from constructions.evidence import Evidence, Word
from constructions.linear import Vector, combine, dot, null_basis, transpose
from constructions.memory.assumptions import Stationary
from constructions.memory.coloops import Recoverable
from verify.conclusion import Conclusion
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import beta, multiply


@dataclass(frozen=True)
class NoDuals(Evidence, kind="no-duals", says="{terms} messages that differ at {state} look alike after W"):
    """Sum t col(tau) is 0 after W, and not 0 at this state of H*; a term is (tokens before, tokens after, t)."""

    state: int
    terms: tuple[tuple[Word, Word, Fraction], ...]


@dataclass(frozen=True)
class Moved(Evidence, kind="moved", says="P(H_1 = {state}) is not P(H_0 = {state})"):
    """P(H_1 = state) is not P(H_0 = state), and the input can follow."""

    state: int
    input: Word


@dataclass(frozen=True)
class PriorReaches(Evidence, kind="prior-reaches"):
    """H_1 can be every state that H_2 can be."""


@dataclass(frozen=True)
class PriorLacks(Evidence, kind="prior-lacks", says="H_2 can be {state}, H_1 cannot"):
    """H_2 can be this state and H_1 cannot."""

    state: int


@dataclass(frozen=True)
class PosteriorMoves(Evidence, kind="posterior-moves", says="another posterior on {input}"):
    """On this input the posterior of M_j* behind the prompt is another than the lemma says."""

    input: Word


@dataclass(frozen=True)
class FirstReaches(Evidence, kind="first-reaches"):
    """H_1 can be every state that H_0 can be."""


@dataclass(frozen=True)
class PosteriorRemains(Evidence, kind="posterior-remains", says="not 0 on {input}"):
    """This input cannot follow the prompt, and mu'P[M_j* | x] is not 0."""

    input: Word


MemoryLemma: TypeAlias = Callable[[MemoryProblem], Conclusion | None]


def duals(problem: MemoryProblem) -> Conclusion | None:
    """C.3: Theta1 and Theta2 read the law of H_i and M_j* off G_i, for H_i in H*."""
    return _duals(problem, problem.possible, problem.joint.model.first)


def prompted_duals(problem: MemoryProblem) -> Conclusion | None:
    """C.10: the same behind u*."""
    model = problem.joint.model
    return _duals(problem, problem.behind, model.step(multiply(problem.prompt.u, model.first)))


def shifted(problem: MemoryProblem) -> Conclusion | None:
    """C.8: P[M, H_i, X_{i+1:}] is the same for every i."""
    model = problem.model
    if problem.stationary:
        return Conclusion(True, Stationary())
    moved = [h for h, p in enumerate(model.initial) if model.first[h] != p]
    memory = next(m for m, p in enumerate(model.memory) if p)
    state = memory * model.shape.hidden + moved[0]
    chain = problem.joint.model
    token = next(z for z, row in enumerate(chain.emission) if any(row[g] for g in chain.successors(state)))
    return Conclusion(False, Moved(moved[0], (token,)))


def no_new_states(problem: MemoryProblem) -> Conclusion:
    """C.12: behind u*, H_{i+1} has no state that H_i did not have."""
    model = problem.model
    lacking = [h for h, p in enumerate(model.step(model.first)) if p and not model.first[h]]
    if not lacking or not any(multiply(problem.prompt.u, problem.joint.model.first)):
        return Conclusion(True, PriorReaches())
    return Conclusion(False, PriorLacks(lacking[0]))


def posterior(problem: MemoryProblem) -> Conclusion | None:
    """C.14: mu'P[M_j* | Xhat = xhat] is mu'P[M_j* | X = x] up to the probability of the prompt."""
    if problem.stationary:
        return Conclusion(True, Stationary())
    p0, p1 = problem.joint.model.initial, problem.joint.model.first
    prompted = multiply(problem.prompt.u, p1)
    for word in problem.inputs():
        after = beta(problem.joint, word)
        if dot(prompted, after) and any(
            dot(multiply(row, prompted), after) * dot(p0, after) != dot(multiply(row, p0), after) * dot(p1, after)
            for row in problem.joint.task.classes
        ):
            return Conclusion(False, PosteriorMoves(word))
    return None


def excluded(problem: MemoryProblem) -> Conclusion | None:
    """C.15: where x cannot follow the prompt, mu'P[M_j* | X = x] = 0."""
    if all(q for p, q in zip(problem.model.initial, problem.model.first, strict=True) if p):
        return Conclusion(True, FirstReaches())
    prompted = multiply(problem.prompt.u, problem.joint.model.first)
    for word in problem.inputs():
        after = beta(problem.joint, word)
        remains = any(dot(multiply(row, problem.joint.model.initial), after) for row in problem.joint.task.mu)
        if remains and dot(problem.joint.model.initial, after) and not dot(prompted, after):
            return Conclusion(False, PosteriorRemains(word))
    return None


MEMORY_LEMMAS: dict[str, MemoryLemma] = {
    "C.3": duals,
    "C.8": shifted,
    "C.10": prompted_duals,
    "C.12": no_new_states,
    "C.14": posterior,
    "C.15": excluded,
}


def _duals(problem: MemoryProblem, columns: Sequence[int], start: Vector) -> Conclusion | None:
    """Find a dual vector for each column of H* among those that can occur, or messages that none can tell apart."""
    witness = problem.ground(columns).decide(problem.states)
    if isinstance(witness, Recoverable):
        return Conclusion(True, witness)
    model, shape = problem.joint.model, problem.model.shape
    words = list(islice(chain([()], problem.recoverable.possible()), problem.effort.around))
    ahead = []
    for word in words:
        law = start
        for token in word:
            law = model.step(multiply(model.emission[token], law))
        ahead.append((word, law))
    after = [(word, beta(problem.joint, word)) for word in words]
    pairs = [(left, right, problem.column_sums(multiply(a, b))) for left, a in ahead for right, b in after]
    laws = transpose([law for _, _, law in pairs])
    for weights in null_basis(tuple(combine(row, laws) for row in problem.model.emission)):
        total = combine(weights, [law for _, _, law in pairs])
        states = (shape.state_of(c) for c, entry in enumerate(total) if entry)
        state = next((h for h in states if h in problem.states), None)
        if state is not None:
            terms = tuple((*pairs[i][:2], t) for i, t in enumerate(weights) if t)
            return Conclusion(False, NoDuals(state, terms))
    return None
