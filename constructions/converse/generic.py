"""Heads for fewer tokens than states: some open set of models and tasks has heads, and another has none.

The identity in the proof of 3.3 is (W'b) o P[H_1] = mu o P[H_0]. With fewer tokens than states it holds for some b only
if mu lies in a certain `hyperplane`. Heads do not need the identity. `served_nearby` and `excluded_nearby` each decide
finitely many strict inequalities between polynomials in the entries of the model and the task. If these hold on one
model and task, they hold on all that are close enough. In Rocq: `few_tokens`, `full_rank_is_a_minor`,
`positive_entries_are_ergodic` (formal/proofs/converse_prompts.v).

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from constructions.evidence import Word
from constructions.heads import Classifier, LinearHead
from constructions.hmm import HMM
from constructions.linear import Vector, combine, dot, identity, minus, multiply, null_basis, transpose
from constructions.messages import initial_posterior
from constructions.reading import whole_number
from constructions.tasks import Task


def hyperplane(model: HMM) -> Vector | None:
    """Return d (n,), other than 0, with d'mu = 0 for every mu for which some b has (W'b) o P[H_1] = mu o P[H_0].

    None if there is no such d: then P[H_1] > 0, and the columns of W are independent. Needs P[H_0] > 0.
    """
    if not all(model.first):
        missing = model.first.index(0)
        return identity(len(model.states))[missing]
    null_vectors = null_basis(model.emission)
    if not null_vectors:
        return None
    return tuple(v * p0 / p1 for v, p0, p1 in zip(null_vectors[0], model.initial, model.first, strict=True))


def served_nearby(model: HMM, task: Task, b: Vector, length: int) -> bool:
    """Tell whether the head b (k,) surely computes F*, for this model and binary task and for all near by.

    After a prefix, the task's score and the head's score are linear functionals of beta(rest of the input). The result
    is True if both scores have the same sign on each input shorter than `length`, if all entries of both functionals
    have the same sign after each prefix of `length` tokens, and if no score or entry is 0. If it is False, a longer
    `length` may give True. Raises `InputError` for a length below 1.
    """
    length = whole_number("length", length)
    mu = minus(*reversed(task.classes))  # the row of label 1 minus the row of label 0
    layer = [(multiply(mu, model.initial), multiply(combine(b, model.emission), model.first))]
    for prefix_length in range(1, length + 1):
        moved = [(model.step(f), model.step(g)) for f, g in layer]
        layer = [(multiply(row, f), multiply(row, g)) for row in model.emission for f, g in moved]
        for f, g in layer:
            numbers = [sum(f), sum(g)] if prefix_length < length else [*f, *g]
            if min(numbers) <= 0 <= max(numbers):
                return False
    return True


def excluded_nearby(model: HMM, task: Task, inputs: Sequence[Word]) -> bool:
    """Tell whether these inputs surely exclude all heads, for this model and binary task and for all near by.

    For k tokens there must be k + 1 inputs; for another number the answer is False. An input x of label 1 has the
    vector G_1(E, x), and an input of label 0 has -G_1(E, x). True means that the task's score is 0 on none of these
    inputs, and that the vectors have exactly one linear relation up to scale, with positive coefficients only. If all
    labels were 1, the relation would be that a sum of laws with positive coefficients is 0, which it cannot be. So some
    input has label 0. If a head b gave all inputs their labels, b'v would be >= 0 for the vector v of each input, and >
    0 if the input has label 0. So b'v, summed over the inputs with the relation's coefficients, would be > 0. But by
    the relation this sum is 0.
    """
    if len(inputs) != len(model.tokens) + 1:
        return False
    mu = minus(*reversed(task.classes))  # as above
    chain, signed = model.chain(), []
    for word in inputs:
        score = dot(mu, initial_posterior(chain, chain.embed(word)))
        if not score:
            return False
        output = Classifier(LinearHead(())).output(chain, word)
        signed.append(output if score > 0 else -output)
    relations = null_basis(transpose(signed))
    return len(relations) == 1 and min(relations[0]) > 0  # the first entry is >= 0
