"""Where an attention head on a learned memory model loses what it loses, one cause at a time.

Every arm is a head that is tuned anew, on the same inputs and task, with one thing changed:

- on exact G, every k-th position is read: positions cost a pass of the network each, so the figure reads a few. A
  chain of 4 states that nearly permutes them has cycles of 1 to 4, and positions whose distance a cycle divides all
  show the *same* hidden state; if the memories emit alike there, the head has nothing to read;
- on the language model: more steps, more starts; exact keys, exact values; exact G on inputs that are **alike**, or on
  all others: at every position two memories of different labels emit alike in the states where the chain may be,
  so that they differ by less than 0.01 in every output, however sure the memory is by a rare token elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import torch

from constructions.fields import Array
from learned.attention import ATTENTION, by_features, exact_sequence, hidden_posteriors, learned_sequence
from learned.downstream import Downstream
from learned.fields import TORCH
from learned.tune import Schedule

Json = dict[str, Any]

STRIDES = (1, 2, 3, 4, 5, 6)

ALIKE = 0.01
"""In total variation of the law of a token."""

STARTS = 5


def by_stride(task: Downstream, seed: int, schedule: Schedule = ATTENTION) -> Iterator[tuple[str, Json]]:
    """Yield the test accuracies of heads on exact G that read every k-th position."""
    exact = exact_sequence(task.model, task.tokens)
    for stride in STRIDES:
        positions = range(0, exact.shape[1], stride)
        yield f"exact G, every {stride}. position", by_features(exact[:, positions], positions, task, seed, schedule)


def by_cause(
    lm: Any, task: Downstream, values: int, positions: Sequence[int], seed: int, schedule: Schedule = ATTENTION
) -> Iterator[tuple[str, Json]]:
    """Yield the test accuracies of heads on a language model, and on what is exact in part; and what is alike."""
    exact = exact_sequence(task.model, task.tokens)[:, list(positions)]
    learned = learned_sequence(lm, task.tokens, positions)
    near = alike(task, values)
    yield "alike inputs", _alike(task, exact, learned, near)
    at = near[:, None, None]
    arms = {
        "exact G": (exact, exact),
        "learned": (learned, learned),
        "exact keys": (learned, exact),
        "exact values": (exact, learned),
        "exact G where inputs are alike": (exact.where(at, learned),) * 2,
        "exact G where they are not": (learned.where(at, exact),) * 2,
    }
    for name, (outputs, keys) in arms.items():
        yield name, by_features(outputs, positions, task, seed, schedule, keys)
    longer = replace(schedule, steps=8 * schedule.steps)
    yield "learned, 8 times the steps", by_features(learned, positions, task, seed, longer)
    yield f"learned, best of {STARTS} starts", by_features(learned, positions, task, seed, schedule, starts=STARTS)


def alike(task: Downstream, values: int) -> Array:
    """Tell of which inputs no output differs much between some two memories of different labels: (N,).

    A position tells two memories apart by the distance of their emissions, in the mean over P[H_i | X_-i].
    """
    emission = TORCH.array(task.model.emission).unflatten(-1, (values, -1))
    distance = (emission[:, :, None] - emission[:, None]).abs().sum(0) / 2  # (memory, memory, state)
    states = hidden_posteriors(task.model, task.tokens).unflatten(-1, (values, -1)).sum(-2)
    before, after = (TORCH.array(row).unflatten(-1, (values, -1))[:, 0] for row in task.task.classes)
    ones = after >= before
    told = [(states @ distance[m, l].float()).amax(-1) for m in range(values) for l in range(m) if ones[m] != ones[l]]
    return torch.stack(told).amin(0) < ALIKE


def _alike(task: Downstream, exact: Array, learned: Array, near: Array) -> Json:
    """Say how many test inputs are alike, how many have the rarer label there, and what tells the labels apart.

    `apart`: the largest difference, over positions and tokens, of the mean outputs of the two labels among these
    inputs; `error`: the mean over these inputs of the largest error of the language model at a position.
    """
    test = task.rows("test")
    labels = task.labels[test][near[test]]
    rarer = int(min(labels.sum(), (1 - labels).sum())) if len(labels) else 0
    found: Json = {"test inputs": len(labels), "of the rarer label": rarer, "apart": None, "error": None}
    chosen, ones = exact[near], task.labels[near] == 1
    if bool(ones.any()) and not bool(ones.all()):
        found["apart"] = float((chosen[ones].mean(0) - chosen[~ones].mean(0)).abs().max())
        found["error"] = float((learned[near] - chosen).abs().amax((1, 2)).mean())
    return found
