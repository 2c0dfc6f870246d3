"""The prompt behind which a linear head b computes F*. Assumption 3.5 is not needed.

Let o be the elementwise product, and W_h column h of W. Up to a positive factor, the head b behind a prompt u scores
an input x by ((W'b) o A(u o P[H_1]))'beta(x), and the task scores x by (mu o P[H_0])'beta(x). If these functionals are
equal up to a positive factor, b behind u computes F* on every input.

Let P[H_0] > 0 and P[H_1] > 0, let mu_h and W_h'b be other than 0 for all h, and let A have an inverse. Then u o P[H_1]
must be a positive multiple of v = A^-1 ((mu o P[H_0]) / (W'b)). So there is such a u iff W_h'b has the sign of mu_h for
all h, and v >= 0. If A is close to I, v >= 0 follows from the signs. Then there is a u iff the linear functional b
strictly separates the columns of W with mu_h > 0 from those with mu_h < 0. In Rocq: `prompt_from_head`,
`prompt_near_identity` (formal/statements/converse.v).

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from fractions import Fraction

from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.hmm import HMM
from constructions.linear import Vector, combine, null_basis, solve
from constructions.reading import InputError
from constructions.tasks import Task


def prompt_for(model: HMM, task: Task, b: Vector) -> Classifier | None:
    """Return b (k,) with a prompt behind which the head's functional of beta(x) is the task's, times a factor > 0.

    Return None if there is none. Even then b may compute F* behind a prompt, if the betas of all inputs do not span the
    space. The largest entry of the prompt is 1. The task is binary, and mu is nowhere 0. Raises `InputError` for
    another task, for a singular A, and for a P[H_0] or a P[H_1] with a 0.
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
    """Return an eps > 0 such that `prompt_for` finds a prompt for every A whose entries are within eps of those of I.

    W and P[H_0] stay as they are. Return None if W_h'b and mu_h differ in sign for some h: then `prompt_for` finds no
    prompt, whatever A is. The task is binary, and mu is nowhere 0. Raises `InputError` for another task, and for a
    P[H_0] with a 0.

    Proof. Let q = (mu o P[H_0]) / (W'b), A = I + E, A v = q, and let m be the largest |v_h|. Take n eps = min q / (2
    max q), which is at most 1/2. The entries of E v are at most n eps m in absolute value. So m <= max q + n eps m, and
    m <= 2 max q. So v = q - E v >= min q - n eps m >= 0.
    """
    quotients = _quotients(model, task, b)
    return min(quotients) / (2 * len(quotients) * max(quotients)) if quotients else None


def _quotients(model: HMM, task: Task, b: Vector) -> Vector | None:
    """Return (mu o P[H_0]) / (W'b), or None if for some h W_h'b has not the sign of mu_h."""
    if not all(model.initial):
        raise InputError("initial", "a state that H_0 cannot be in", "P[H_0] > 0")
    if len(task.mu) > 1 or not all(task.mu[0]):
        raise InputError("mu", "several rows, or a 0", "one row without zeros")
    [mu], scores = task.mu, combine(b, model.emission)
    if any(m * score <= 0 for m, score in zip(mu, scores, strict=True)):
        return None
    return tuple(m * p / score for m, p, score in zip(mu, model.initial, scores, strict=True))
