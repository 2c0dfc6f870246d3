"""Where an attention head on a learned memory model loses what it loses, one cause at a time.

Every arm is a head that is tuned anew, on the same inputs and task, with one thing changed:

- on exact G, every k-th position is read: positions cost a pass of the network each, so the figure reads a few. A
  chain of 4 states that nearly permutes them has cycles of 1 to 4, and positions whose distance a cycle divides all
  show the *same* hidden state; if the memories emit alike there, the head has nothing to read;
- on the language model: more steps, more starts; exact keys or exact values; exact G on the inputs whose memory is **in
  doubt** (no value of it has posterior 0.999), or on all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from constructions.fields import Array
from learned.attention import ATTENTION, exact_sequence, learned_sequence, tune_attention
from learned.downstream import Downstream
from learned.fields import TORCH
from learned.tune import FEATURES, Schedule

Json = dict[str, Any]

STRIDES = (1, 2, 3, 4, 5, 6)

SURE = 0.999

STARTS = 5


def by_stride(task: Downstream, seed: int, schedule: Schedule = ATTENTION) -> Iterator[tuple[str, Json]]:
    """Yield the test accuracies of heads on exact G that read every k-th position."""
    exact = exact_sequence(task.model, task.tokens)
    for stride in STRIDES:
        positions = range(0, exact.shape[1], stride)
        yield f"exact G, every {stride}. position", _tuned(exact[:, positions], positions, task, seed, schedule)


def by_cause(
    lm: Any, task: Downstream, values: int, positions: Sequence[int], seed: int, schedule: Schedule = ATTENTION
) -> Iterator[tuple[str, Json]]:
    """Yield the test accuracies of heads on a language model, and on what is exact in part; and what is in doubt."""
    exact = exact_sequence(task.model, task.tokens)[:, list(positions)]
    learned = learned_sequence(lm, task.tokens, positions)
    doubt = in_doubt(task, values)
    yield "in doubt", _doubted(task, exact, learned, doubt)
    at = doubt[:, None, None]
    arms = {
        "exact G": (exact, exact),
        "learned": (learned, learned),
        "exact keys": (learned, exact),
        "exact values": (exact, learned),
        "exact G where the memory is in doubt": (exact.where(at, learned),) * 2,
        "exact G where it is not": (learned.where(at, exact),) * 2,
    }
    for name, (outputs, keys) in arms.items():
        yield name, _tuned(outputs, positions, task, seed, schedule, keys)
    longer = replace(schedule, steps=8 * schedule.steps)
    yield "learned, 8 times the steps", _tuned(learned, positions, task, seed, longer)
    yield f"learned, best of {STARTS} starts", _tuned(learned, positions, task, seed, schedule, starts=STARTS)


def in_doubt(task: Downstream, values: int) -> Array:
    """Tell of which inputs no value of the memory has a posterior of 0.999: (N,)."""
    joint = task.likelihood * TORCH.array(task.model.first)
    memory: Array = (joint / joint.sum(-1, keepdim=True)).unflatten(-1, (values, -1)).sum(-1)
    return memory.amax(-1) < SURE


def _doubted(task: Downstream, exact: Array, learned: Array, doubt: Array) -> Json:
    """Say how many test inputs are in doubt, how many have the rarer label there, and what tells the labels apart.

    `apart`: the largest difference, over positions and tokens, of the mean outputs of the two labels among inputs in
    doubt; `error`: the mean over these inputs of the largest error of the language model at a position.
    """
    test = task.rows("test")
    labels = task.labels[test][doubt[test]]
    rarer = int(min(labels.sum(), (1 - labels).sum())) if len(labels) else 0
    found: Json = {"test inputs": len(labels), "of the rarer label": rarer, "apart": None, "error": None}
    chosen, ones = exact[doubt], task.labels[doubt] == 1
    if bool(ones.any()) and not bool(ones.all()):
        found["apart"] = float((chosen[ones].mean(0) - chosen[~ones].mean(0)).abs().max())
        found["error"] = float((learned[doubt] - chosen).abs().amax((1, 2)).mean())
    return found


def _tuned(
    outputs: Array,
    positions: Sequence[int],
    task: Downstream,
    seed: int,
    schedule: Schedule,
    keys: Array | None = None,
    starts: int = 1,
) -> Json:
    """Return the test accuracy on each kind of features, of the start that does best on validation."""
    return {
        features: max(
            (
                tune_attention(outputs, positions, task, features, schedule, start, keys=keys)
                for start in range(seed, seed + starts)
            ),
            key=lambda found: found[0],
        )[1]
        for features in FEATURES
    }
