"""The prompt that makes a row b exact, beyond assumption 3.5.

Behind a prompt u, b scores an input x by ((W'b) o A(u o P[H_1]))'beta(x), up to a positive factor, and the task scores
it by (mu o P[H_0])'beta(x). Where these functionals are equal up to a positive factor, b behind u computes F* on every
input. Let mu_h and W_h'b be nonzero for all h, and A have an inverse: then u o P[H_1] is A^-1 ((mu o P[H_0]) / (W'b)),
so that there is such a u iff W_h'b has the sign of mu_h for all h, and this vector is >= 0. Near A = I it is, so that
only the signs are left: columns of W with mu_h > 0 and with mu_h < 0 that a linear functional strictly separates. In
Rocq: `prompt_from_head`, `prompt_near_identity` (formal/statements/converse.v).
"""

from __future__ import annotations

from fractions import Fraction

from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.hmm import HMM
from constructions.linear import Vector, combine, null_basis, solve
from constructions.reading import InputError
from constructions.tasks import Task


def prompt_for(model: HMM, task: Task, b: Vector) -> Classifier | None:
    """Return b (k,) with the prompt behind which it scores as the task does, largest entry 1; None if there is none.

    The task is binary, and mu is nowhere 0. Raises `InputError` for another task, a singular A, and P[H_1] with a 0.
    """
    quotients = _quotients(model, task, b)
    if not all(model.first):
        raise InputError("transition", "a state that H_1 cannot be in", "P[H_1] > 0")
    if null_basis(model.transition):
        raise InputError("transition", "a singular matrix", "an A that has an inverse")
    before = solve(model.transition, [[quotient] for quotient in quotients]) if quotients else None
    if before is None or any(entry < 0 for [entry] in before):
        return None
    u = [entry / p for [entry], p in zip(before, model.first, strict=True)]
    return Classifier(LinearHead((b,)), SoftPrompt(tuple(entry / max(u) for entry in u)))


def distance_from_identity(model: HMM, task: Task, b: Vector) -> Fraction | None:
    """Return an eps > 0: b has a prompt wherever each entry of A is within eps of that of I, W and P[H_0] as here.

    None if W_h'b has not the sign of mu_h for all h: then b has a prompt for no A. The task is binary, mu is nowhere 0,
    and P[H_0] > 0.

    Let q = (mu o P[H_0]) / (W'b), A = I + E, A v = q, and m the largest |v_h|. Then |E v| <= n eps m, and so m <= max q
    + n eps m. Take n eps = min q / (2 max q) <= 1/2: then m <= 2 max q, and v = q - E v >= min q - n eps m >= 0.
    """
    quotients = _quotients(model, task, b)
    return min(quotients) / (2 * len(quotients) * max(quotients)) if quotients else None


def _quotients(model: HMM, task: Task, b: Vector) -> Vector | None:
    """Return (mu o P[H_0]) / (W'b), None unless W_h'b has the sign of mu_h for all h."""
    if len(task.mu) > 1 or not all(task.mu[0]):
        raise InputError("mu", "several rows, or a 0", "one row without zeros")
    [mu], scores = task.mu, combine(b, model.emission)
    if any(m * score <= 0 for m, score in zip(mu, scores, strict=True)):
        return None
    return tuple(m * p / score for m, p, score in zip(mu, model.initial, scores, strict=True))
