"""The prompt that makes a row b exact, beyond assumption 3.5.

Behind a prompt u, b scores an input x by ((W'b) o A(u o P[H_1]))'beta(x), up to a positive factor, and the task scores
it by (mu o P[H_0])'beta(x). Where these functionals are equal up to a positive factor, b behind u computes F* on every
input. Let mu_h and W_h'b be nonzero for all h, and A have an inverse: then u o P[H_1] is A^-1 ((mu o P[H_0]) / (W'b)),
so that there is such a u iff W_h'b has the sign of mu_h for all h, and this vector is >= 0. In Rocq:
`prompt_from_head` (formal/statements/converse.v).
"""

from __future__ import annotations

from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.hmm import HMM
from constructions.linear import Vector, combine, solve
from constructions.reading import InputError
from constructions.tasks import Task


def prompt_for(model: HMM, task: Task, b: Vector) -> Classifier | None:
    """Return b (k,) with the prompt behind which it scores as the task does, largest entry 1; None if there is none.

    The task is binary, and mu is nowhere 0. Raises `InputError` for another task, a singular A, and P[H_1] with a 0.
    """
    if len(task.mu) > 1 or not all(task.mu[0]):
        raise InputError("mu", "several rows, or a 0", "one row without zeros")
    if not all(model.first):
        raise InputError("transition", "a state that H_1 cannot be in", "P[H_1] > 0")
    goal = [m * p for m, p in zip(task.mu[0], model.initial, strict=True)]
    scores = combine(b, model.emission)
    if any(s * m <= 0 for s, m in zip(scores, task.mu[0], strict=True)):
        return None
    try:
        before = solve(model.transition, [[g / s] for g, s in zip(goal, scores, strict=True)])
    except ZeroDivisionError:
        before = None
    if before is None or len(set(model.transition)) < len(model.states):
        raise InputError("transition", "a singular matrix", "an A that has an inverse")
    u = [entry / p for [entry], p in zip(before, model.first, strict=True)]
    if min(u) < 0:
        return None
    return Classifier(LinearHead((b,)), SoftPrompt(tuple(entry / max(u) for entry in u)))
