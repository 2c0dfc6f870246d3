"""Fewer tokens than states: 3.3's identity needs a task of one hyperplane, and yet heads serve open sets of models.

`served_nearby` and `excluded_nearby` are finitely many strict inequalities between polynomials in the entries of the
model and the task. So where they hold, they hold on all models and tasks near by: there are heads on one open set, and
none on another. In Rocq: `few_tokens`, `full_rank_is_a_minor`, `positive_entries_are_ergodic`
(formal/statements/converse.v).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from constructions.evidence import Word
from constructions.heads import Classifier, LinearHead
from constructions.hmm import HMM
from constructions.linear import Vector, combine, dot, multiply, null_basis, transpose
from constructions.messages import initial_posterior
from constructions.tasks import Task


def hyperplane(model: HMM) -> Vector | None:
    """Return d (n,), not 0, with d'mu = 0 for each mu of the identity (W'b) o P[H_1] = mu o P[H_0].

    None if the columns of W are independent. Needs P[H_0] > 0.
    """
    if not all(model.first):
        missing = model.first.index(Fraction(0))
        return tuple(Fraction(h == missing) for h in range(len(model.states)))
    null_vectors = null_basis(model.emission)
    if not null_vectors:
        return None
    return tuple(v * p0 / p1 for v, p0, p1 in zip(null_vectors[0], model.initial, model.first, strict=True))


def served_nearby(model: HMM, task: Task, b: Vector, length: int) -> bool:
    """Tell whether the head b (k,) computes a binary F* on all inputs, and does so on all models and tasks near by.

    After each prefix of `length` tokens all entries of the task's functional and of the head's have one sign, and on
    each shorter input the two scores have one sign. False may also mean that longer prefixes are needed.
    """
    layer = [(multiply(task.mu[0], model.initial), multiply(combine(b, model.emission), model.first))]
    for prefix_length in range(1, length + 1):
        moved = [(model.step(f), model.step(g)) for f, g in layer]
        layer = [(multiply(row, f), multiply(row, g)) for row in model.emission for f, g in moved]
        for f, g in layer:
            numbers = [sum(f), sum(g)] if prefix_length < length else [*f, *g]
            if min(numbers) <= 0 <= max(numbers):
                return False
    return True


def excluded_nearby(model: HMM, task: Task, inputs: Sequence[Word]) -> bool:
    """Tell whether these k + 1 inputs exclude all heads for a binary task, also on all models and tasks near by.

    Change the sign of the output of each input of label 0. Then two things are asked: no input has the score 0, and the
    outputs have exactly one linear relation, whose coefficients are positive. A head would make some of these outputs
    positive and none negative, and so their combination positive; but it is 0.
    """
    chain, signed = model.chain(), []
    for word in inputs:
        score = dot(task.mu[0], initial_posterior(chain, chain.embed(word)))
        if not score:
            return False
        output = Classifier(LinearHead(())).output(chain, word)
        signed.append(output if score > 0 else -output)
    relations = null_basis(transpose(signed))
    if len(relations) != 1 or len(inputs) != len(model.tokens) + 1:
        return False
    return min(relations[0]) > 0 or max(relations[0]) < 0
