"""A brute-force oracle for vanilla hidden Markov models: the definitions, applied by enumerating hidden paths.

It shares no code with Headproof and is as slow as it is plain; the tests compare all faster code with it.
States and tokens count from 0, positions i from 1 (as in the paper), a word is a tuple of tokens, H_0 emits nothing.

Notation: constructions/__init__.py.
"""

import itertools
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import TypedDict

Vector = list[Fraction]
Matrix = list[Vector]
Word = tuple[int, ...]


class Task(TypedDict):
    mu: Vector | Matrix


class Model(TypedDict):
    initial: Vector  # P(H_0=h)
    transition: Matrix  # [h'][h] = P(H_i=h' | H_{i-1}=h)
    emission: Matrix  # [z][h] = P(X_i=z | H_i=h)
    task: Task


def parse(text: str) -> Model:
    """The numbers of a model file, exactly; names and sources are left out."""
    raw = json.loads(text, parse_float=Fraction, parse_int=Fraction)
    mu = raw["task"]["mu"]
    return {
        "initial": [Fraction(p) for p in raw["initial"]],
        "transition": [[Fraction(p) for p in row] for row in raw["transition"]],
        "emission": [[Fraction(p) for p in row] for row in raw["emission"]],
        "task": {
            "mu": [[Fraction(p) for p in row] for row in mu] if isinstance(mu[0], list) else [Fraction(p) for p in mu]
        },
    }


# Probabilities, by enumeration


def emission(model: Model, z: int, u: Sequence[Fraction] | None) -> Vector:
    """P(token z | H=h) for every h. If u is given, there is one more token, the fake one, with the largest index.

    The fake token has the probability u[h]. The others share the rest as they share 1 without u.
    """
    if u is None:
        return model["emission"][z]
    return list(u) if z == len(model["emission"]) else hadamard([1 - q for q in u], model["emission"][z])


def paths(model: Model, x: Sequence[int], u: Sequence[Fraction] | None = None) -> list[tuple[Word, Fraction]]:
    """Every hidden path with its P(H_{0:t}=path, X_{1:t}=x), if this is > 0. With u, X_1 may be the fake token."""
    weighted: list[tuple[Word, Fraction]] = [((h,), p) for h, p in enumerate(model["initial"]) if p]
    for i, z in enumerate(x):
        emits = emission(model, z, u if i == 0 else None)
        steps = [(h, row, w) for h, (row, w) in enumerate(zip(model["transition"], emits, strict=True)) if w]
        weighted = [((*path, h), p * row[path[-1]] * w) for path, p in weighted for h, row, w in steps if row[path[-1]]]
    return weighted


def probability(model: Model, x: Sequence[int], u: Sequence[Fraction] | None = None) -> Fraction:
    return sum((p for _, p in paths(model, x, u)), Fraction(0))


def inputs(model: Model, max_length: int) -> list[Word]:
    """Every word of 1 to max_length tokens that has positive probability, shortest first."""
    tokens = range(len(model["emission"]))
    words = (x for t in range(1, max_length + 1) for x in itertools.product(tokens, repeat=t))
    return [x for x in words if probability(model, x) > 0]


def posterior_initial(model: Model, x: Sequence[int]) -> Vector:
    """P[H_0 | X_{1:t}=x]."""
    law = [Fraction(0)] * len(model["initial"])
    for path, p in paths(model, x):
        law[path[0]] += p
    return [p / sum(law) for p in law]


def G(model: Model, x: Sequence[int], i: int) -> Vector | None:
    """P[X_i | X_-i = x_-i], or None where it is not defined."""
    weights = [probability(model, (*x[: i - 1], z, *x[i:])) for z in range(len(model["emission"]))]
    return [w / sum(weights) for w in weights] if any(weights) else None


def prompted_G(model: Model, u: Sequence[Fraction], e_token: int, x: Sequence[int], i: int) -> Vector:
    """P[Xhat_i | Xhat_-i = (ztilde, E, x)_-i] for i > 1, 0 if undefined. ztilde is the fake token."""
    fake = len(model["emission"])
    prompted = (fake, e_token, *x)
    weights = [probability(model, (*prompted[: i - 1], z, *prompted[i:]), u) for z in range(fake)]
    return [w / sum(weights) for w in weights] if any(weights) else weights


# Labels


def dot(v: Sequence[Fraction], w: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(v, w, strict=True)), Fraction(0))


def as_rows(mu: Vector | Matrix) -> Matrix:
    """One row for each label; a vector v stands for the rows 0 and v."""
    rows = [row for row in mu if isinstance(row, list)]
    vector = [entry for entry in mu if not isinstance(entry, list)]
    return rows or [[Fraction(0)] * len(vector), vector]


def largest(scores: Sequence[Fraction]) -> int:
    """The largest index among those of the largest score."""
    return max(range(len(scores)), key=lambda index: (scores[index], index))


def label(model: Model, mu: Vector | Matrix, x: Sequence[int]) -> int:
    """F*(x)."""
    posterior = posterior_initial(model, x)
    return largest([dot(row, posterior) for row in as_rows(mu)])


def linear_head_label(model: Model, b: Vector | Matrix, x: Sequence[int]) -> int:
    """The label that the head b gives x (3.3): the l of the largest b_l' G_1(E, x).

    E is token 0, and G_1 is 0 if it is undefined.
    """
    g = G(model, (0, *x), 1) or [Fraction(0)] * len(model["emission"])
    return largest([dot(row, g) for row in as_rows(b)])


def prompted_head_label(model: Model, u: Vector, b: Vector | Matrix, x: Sequence[int]) -> int:
    """The label that the head b of theorem 3.6 gives x behind the prompt u, by b' Gbar_2(u, E, x). E is token 0."""
    g = prompted_G(model, u, 0, x, 2)
    return largest([dot(row, g) for row in as_rows(b)])


# Appendix B, letter by letter


def divide(p: Fraction, q: Fraction) -> Fraction:
    return p / q if q != 0 else Fraction(0)


def times(matrix: Matrix, v: Sequence[Fraction]) -> Vector:
    return [dot(row, v) for row in matrix]


def hadamard(v: Sequence[Fraction], w: Sequence[Fraction]) -> Vector:
    return [a * b for a, b in zip(v, w, strict=True)]


def appendix_b(model: Model, v_list: Sequence[Sequence[Fraction]]) -> tuple[list[Vector], list[Vector]]:
    """The tau_i and Gbar_i of appendix B, i = 1..t, for embeddings v_i. If these embed a word, tau_i = P[H_i, X_-i]."""
    t, states = len(v_list), range(len(model["initial"]))
    v: list[Sequence[Fraction]] = [[], *v_list]  # v[1]..v[t]
    marginal = [model["initial"]]  # marginal[i] = P[H_i]
    for _ in range(t):
        marginal.append(times(model["transition"], marginal[-1]))

    def backward(i: int) -> Matrix:  # P[H_{i-1} | H_i]
        joints = [[model["transition"][h][g] * marginal[i - 1][g] for h in states] for g in states]
        return [[divide(joints[g][h], marginal[i][h]) for h in states] for g in states]

    left = {t: marginal[t]}  # left[i] = left_{i+1 -> i}
    for i in range(t, 1, -1):
        left[i - 1] = times(backward(i), hadamard(left[i], v[i]))
    right = {1: marginal[1]}  # right[i] = right_{i-1 -> i}
    for i in range(1, t):
        right[i + 1] = times(model["transition"], hadamard(right[i], v[i]))
    taus = []
    for i in range(1, t + 1):
        if i == 1:
            taus.append(left[1])
        elif i == t:
            taus.append(right[t])
        else:
            taus.append([divide(p, q) for p, q in zip(hadamard(right[i], left[i]), marginal[i], strict=True)])
    return taus, [[divide(p, sum(tau, Fraction(0))) for p in times(model["emission"], tau)] for tau in taus]


# Assumptions


def rank(rows: Sequence[Sequence[Fraction]]) -> int:
    """The rank of a list of vectors, by elimination."""
    done, left = 0, [list(row) for row in rows]
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((row for row in left if row[column] != 0), None)
        if pivot is None:
            continue
        left.remove(pivot)
        left = [[a - row[column] / pivot[column] * b for a, b in zip(row, pivot, strict=True)] for row in left]
        done += 1
    return done


def independent(model: Model, states: Sequence[int]) -> bool:
    """Whether the emission columns of these states are linearly independent."""
    return rank([[row[h] for row in model["emission"]] for h in states]) == len(states)


def assumption_3_1(model: Model) -> bool:
    return independent(model, range(len(model["initial"])))


def ergodic(model: Model) -> bool:
    """Irreducible and aperiodic: some power of A is positive (then so are all from the (n-1)^2+1st on)."""
    states = range(len(model["initial"]))
    step = [[p > 0 for p in row] for row in model["transition"]]
    power = step
    for _ in range((len(states) - 1) ** 2):
        power = [[any(power[g][f] and step[f][h] for f in states) for h in states] for g in states]
    return all(all(row) for row in power)


def full_support(model: Model) -> bool:
    return all(p > 0 for p in model["initial"])


def assumption_3_5(model: Model, mu: Vector | Matrix) -> tuple[list[int], list[int]] | None:
    """The first set B of states, by size, that meets 3.5, and its H*; None if no set does."""
    states = range(len(model["initial"]))
    for size in range(1, len(states) + 1):
        for b in itertools.combinations(states, size):
            recoverable = meets_3_5(model, mu, b)
            if recoverable is not None:
                return list(b), recoverable
    return None


def meets_3_5(model: Model, mu: Vector | Matrix, b: Sequence[int]) -> list[int] | None:
    """H* of this set B if B meets 3.5; otherwise None."""
    states = range(len(model["initial"]))
    support = {h for row in as_rows(mu) for h in states if row[h] != 0}
    recoverable = [g for g in states if any(model["transition"][g][h] > 0 for h in b)]
    return recoverable if support <= set(recoverable) and independent(model, recoverable) else None
