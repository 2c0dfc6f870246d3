"""Transfer: prompts and heads of one chain, applied to a chain that moved.

The transition moves towards that of another model of appendix D; start and emissions stay. `DISTANCES` are total
variation between the laws of the next state before and after, in the mean over states. A network is not trained anew:
it reads inputs of the moved chain. Exact outputs are those of the moved chain.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from operator import truediv
from typing import Any

from constructions.heads import Classifier
from constructions.linear import exact
from constructions.models import HMM
from constructions.tasks import Task
from learned.downstream import Downstream, labelled, mixed, weighted
from learned.outputs import ExactOutputs, LearnedOutputs
from learned.tune import Tuned

DISTANCES = ("0", "1/20", "1/10", "1/5", "2/5")


def moved(model: HMM, other: HMM, distance: Fraction) -> HMM:
    """Mix another model's transition into a model's, up to a mean total variation between their columns."""
    pairs = zip(sum(model.transition, ()), sum(other.transition, ()), strict=True)
    share = 2 * len(model.states) * distance / sum(abs(p - q) for p, q in pairs)
    return replace(model, transition=mixed(model.transition, other.transition, share))


def transfer(
    task: Downstream, other: HMM, seed: int, classifier: Classifier, on_exact: Tuned, on_network: Tuned, lm: Any
) -> dict[str, dict[str, float]]:
    """Return test accuracies on moved chains by distance: of F* of the old chain, and of prompts that were made there.

    `classifier` is that of theorem 3.6, whose score (W'b o c)'beta(x) is the posterior's under another mu. The others
    are tuned on exact G and on a network.
    """
    rows = {}
    for distance in DISTANCES:
        model = moved(task.model, other, Fraction(distance))
        there = labelled(model, [task.task], seed, task.counts)
        ratios = map(truediv, classifier.weights(model), model.first)
        as_task = Task(weighted(exact(classifier.head.b) @ model.emission, ratios))
        rows[str(float(Fraction(distance)))] = {
            "labels that stay": there.agreement(task.model, task.task),
            "3.6": there.agreement(model, as_task),
            "tuned on exact G": on_exact.accuracy(ExactOutputs(model, there.likelihood), there),
            "tuned on the network": on_network.accuracy(LearnedOutputs(lm, there.tokens), there),
        }
    return rows
