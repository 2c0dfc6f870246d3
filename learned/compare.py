"""Learned heads and prompts beside those that the theorems construct, on exact G and on a learned LM.

For a downstream task (`learned.downstream`) the constructions are those of theorems 3.3 and 3.6 for the task
mu o p1 / p0, which has the same labels. They are evaluated twice: in float64, as any program would, and exactly, in
integers, on the first `EXACT_INPUTS` test inputs; that they are right on *all* inputs is an identity of rational
numbers, which is checked too (`identity`). Where W is ill conditioned the two part: b grows as 1 / sigma_min(W).

**The angle** between a learned head w and the constructed b. With two labels only the difference of the rows counts,
which takes care of a row that is added to both; a bias c is the row (c, ..., c); an angle knows no positive scale.
What W' annihilates changes no score: `tokens` is the angle between the projections on the column space of W, and
`states` that between W'w and W'b, the weights that both give to the posterior of the masked state.

**The loss.** With the same inputs, what is lost on exact G is tuning's; what Ghat loses beyond that, pretraining's.

**What a prompt does.** On exact G it makes a law c of the masked state, P[H_{P+1} | prompt]. A learned LM has no such
law; `fitted_prior` finds the one by which exact Gbar comes nearest to its outputs, and how near that is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import torch
from flint import acb_mat, ctx, fmpq, fmpq_mat

from constructions.assumptions import Cover, LeftInverse, Minor, cover, independent_columns
from constructions.fields import INTEGERS, Array
from constructions.heads import Classifier
from constructions.linear import combine, transpose
from constructions.messages import likelihoods
from constructions.models import HMM
from constructions.tasks import label_of
from constructions.theorem_3_3 import construct as construct_head
from constructions.theorem_3_6 import construct as construct_prompt
from constructions.theorem_3_6 import indicator
from learned.downstream import Downstream, difference
from learned.fields import TORCH
from learned.outputs import ExactOutputs, Outputs, read
from learned.tune import FEATURES, Head, Tuned, tune_head

EXACT_INPUTS = 20
"""Test inputs on which a constructed head is evaluated in integers."""


def constructed(task: Downstream) -> dict[str, Classifier]:
    """Return the paper's classifiers, by theorem, for those whose assumption on W holds (3.2 always does here)."""
    target, classifiers = task.theorem_task, dict[str, Classifier]()
    inverse, covered = independent_columns(task.model).evidence, cover(task.model, target).evidence
    if isinstance(inverse, LeftInverse | Minor):
        classifiers["3.3"] = construct_head(task.model, target, inverse).classifier
    if isinstance(covered, Cover):
        classifiers["3.6"] = construct_prompt(task.model, target, covered).classifier
    return classifiers


def identity(task: Downstream, classifier: Classifier) -> bool:
    """Tell whether a classifier's scores are those of F* on every input: W'b o c = mu o p1, exactly."""
    model, weights = task.model, classifier.weights(task.model)
    for row, mu in zip(classifier.head.b, task.task.mu, strict=True):
        scores = combine(row, model.emission)
        if any(s * c != m * p for s, c, m, p in zip(scores, weights, mu, model.first, strict=True)):
            return False
    return True


def exact_accuracy(task: Downstream, classifier: Classifier) -> float:
    """Evaluate a constructed classifier in integers on the first test inputs, against the labels."""
    rows = task.rows("test")
    chain = task.model.chain(INTEGERS)
    embeddings = chain.embed(task.tokens[rows][:EXACT_INPUTS].tolist())
    beta = (likelihoods(chain, embeddings)[:, 0] * embeddings[:, 0]) @ chain.transition
    weights = INTEGERS.array(classifier.weights(task.model))
    scores = ((beta * weights) @ chain.emission.T) @ INTEGERS.array(classifier.head.b).T
    labels = task.labels[rows][:EXACT_INPUTS].tolist()
    return float(np.mean([label_of(list(row)) == label for row, label in zip(scores, labels, strict=True)]))


def float_head(classifier: Classifier) -> Head:
    """Round a constructed head's rows to doubles: one row, the difference, scaled to 1."""
    row = difference(classifier.head.b)
    largest = max(map(abs, row))
    return Head("probabilities", TORCH.array([entry / largest for entry in row]), 0.0)


def raw_prompt(u: Sequence[Fraction]) -> Array:
    """Return a raw prompt (1, n) whose sigmoid is u: infinite at 0 and 1."""
    return TORCH.array([float(entry) for entry in u]).logit()[None]


def nearest_prompt(task: Downstream) -> tuple[int, ...]:
    """Return the B of 3.5 where there is one, or else for each state that mu needs the state likeliest to go there."""
    evidence = cover(task.model, task.theorem_task).evidence
    if isinstance(evidence, Cover):
        return evidence.prompt_states
    return tuple(sorted({row.index(max(row)) for row in (task.model.transition[h] for h in needed(task))}))


def needed(task: Downstream) -> list[int]:
    """The states at which the two rows of mu differ."""
    return [h for h, weight in enumerate(difference(task.task.mu)) if weight]


def constructed_accuracies(task: Downstream, exact: ExactOutputs, learned: Outputs | None = None) -> dict[str, Any]:
    """Evaluate the constructions: exactly, in float64 on G, and on the outputs of a learned LM (heads of 3.3 only)."""
    result: dict[str, Any] = {}
    for theorem, classifier in constructed(task).items():
        prompt = None if classifier.prompt is None else raw_prompt(classifier.prompt.u)
        tuned = Tuned(float_head(classifier), prompt, 0.0)
        result[theorem] = {
            "identity": identity(task, classifier),
            "exact": exact_accuracy(task, classifier),
            "float64": tuned.accuracy(exact, task),
        }
        if learned is not None and prompt is None:
            result[theorem]["learned"] = tuned.accuracy(learned, task)
    near = raw_prompt(indicator(nearest_prompt(task), len(task.model.states)).u)
    for features in FEATURES:
        tuned = tune_head(exact, task, features, near)
        result[f"B-set prompt, tuned head, {features}"] = tuned.accuracy(exact, task)
    return result


def angles(task: Downstream, tuned: Tuned) -> dict[str, float] | None:
    """Return the angles in degrees between a head on probabilities and the constructed one; None without 3.1."""
    classifier = constructed(task).get("3.3")
    if classifier is None or tuned.head.features != "probabilities":
        return None
    emission = TORCH.array(task.model.emission)
    learned, built = tuned.head.weights.double() + tuned.head.bias, float_head(classifier).weights
    basis = torch.linalg.qr(emission).Q
    # W'b is known exactly, and lost in floats where W is ill conditioned: mu / D, the difference of the rows.
    exact = TORCH.array(difference(task.task.mu))
    return {"tokens": _angle(basis.T @ learned, basis.T @ built), "states": _angle(emission.T @ learned, exact)}


def _angle(a: Array, b: Array) -> float:
    cosine = (a @ b) / (a.norm() * b.norm())
    return float(torch.rad2deg(torch.acos(cosine.clamp(-1, 1))))


def prior_under(task: Downstream, exact: ExactOutputs, prompt: Array | None) -> dict[str, float]:
    """Say what a prompt makes of the law of the masked state: its mass on what mu needs, and exp(entropy)."""
    return _spread(task, exact.prior(None if prompt is None else prompt[None])[0])


def _spread(task: Downstream, prior: Array) -> dict[str, float]:
    entropy = -(prior * prior.clamp_min(1e-300).log()).sum()
    return {"mass on supp(mu)": float(prior[needed(task)].sum()), "effective states": float(entropy.exp())}


def fitted_prior(task: Downstream, exact: ExactOutputs, outputs: Array) -> tuple[Array, float]:
    """Return the law c (n,) whose Gbar has the least mean of KL(Gbar || Ghat) over the test inputs, and that mean.

    `outputs` (N, k): Ghat,: what a language model outputs on the test inputs. By L-BFGS from the model's own P[H_1].
    """
    outputs, rows = outputs.double(), task.rows("test")
    logits = exact.first.log().clone().requires_grad_()
    optimiser = torch.optim.LBFGS([logits], max_iter=200, line_search_fn="strong_wolfe")

    def divergence() -> Array:
        near = exact.from_prior(logits.softmax(-1)[None], rows)[0]
        return (torch.xlogy(near, near) - torch.xlogy(near, outputs)).sum(-1).mean()

    def closure() -> Array:
        optimiser.zero_grad()
        loss = divergence()
        loss.backward()
        return loss

    optimiser.step(closure)
    with torch.no_grad():
        return logits.softmax(-1), float(divergence())


def prior_on(task: Downstream, exact: ExactOutputs, learned: Outputs, prompt: Array | None) -> dict[str, float]:
    """Say what a prompt does on a learned LM: the law that fits its outputs best, as `prior_under`, and how well."""
    prior, divergence = fitted_prior(task, exact, read(learned, task.rows("test"), prompt))
    return _spread(task, prior) | {"nats from it": divergence}


def axes(outputs: Outputs, task: Downstream, features: str) -> list[float]:
    """Return the deviations of the training features along their principal axes, the largest first.

    What tells the labels apart may lie along the least: a weight there has to grow as 1 / deviation.
    """
    x = FEATURES[features](read(outputs, task.rows("training")).double())
    deviations: list[float] = (torch.linalg.svdvals(x - x.mean(0)) / len(x) ** 0.5).tolist()
    return deviations


def sigma_min(model: HMM) -> float:
    """Return the smallest of the min(n, k) singular values of W, computed with 300 bits: it may be 1e-18."""
    matrix = model.emission if len(model.states) <= len(model.tokens) else transpose(model.emission)
    flint = fmpq_mat(len(matrix), len(matrix[0]), [fmpq(e.numerator, e.denominator) for row in matrix for e in row])
    before, ctx.prec = ctx.prec, 300
    try:
        eigenvalues = acb_mat(flint.transpose() * flint).eig(nonstop=True)
    finally:
        ctx.prec = before
    least = min(float(value.real.mid()) for value in eigenvalues)
    return math.sqrt(max(0.0, least))


def construction(task: Downstream, exact: ExactOutputs, learned: Outputs | None = None) -> dict[str, Any]:
    """Everything about the constructed side of a task: accuracies, what prompts do, conditioning and margins."""
    size = task.margins[task.rows("test")].abs()
    near = raw_prompt(indicator(nearest_prompt(task), len(task.model.states)).u)
    return {
        "constructed": constructed_accuracies(task, exact, learned),
        "law behind": {"no prompt": prior_under(task, exact, None), "B-set prompt": prior_under(task, exact, near)},
        "sigma_min of W": sigma_min(task.model),
        "margin": {"smallest": float(size.min()), "median": float(size.median())},
    }
