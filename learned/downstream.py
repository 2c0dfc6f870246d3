"""The downstream task of the paper's experiments: labelled inputs whose first token is masked.

    input     ([MASK], x_1, ..., x_t), t = 128; a head reads the output at the mask, G_1
    label     the arg max over two rows of mu'P[H_1 | X_-1], the posterior of the *masked* position's state (section 5)

Write x for the tokens behind the mask and beta(x) = P[X_{2:t+1} = x | H_1]. The label scores x by (mu o p1)'beta(x),
where p1 = P[H_1]. That is equation 3.1's F*, which is about H_0, for the task mu o p1 / p0 on the input x alone: so
theorems 3.3 and 3.6 speak of this experiment.

Every exact output at the mask depends on x through beta(x) alone, so beta(x) is computed once for each input. A task
whose inputs all have one label is redrawn (the paper drops it). Labels are float64's. Where a score is at most
`DOUBTFUL` of the sum of its terms' absolute values, rounding may have decided, and the input is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, count, islice, repeat

import numpy as np
import torch

from constructions.appendix_d import appendix_d, appendix_d_memory, sparse_rows
from constructions.fields import RATIONALS, Array
from constructions.linear import ExactMatrix, Matrix, Vector, combine, exact, identity, minus, transpose
from constructions.memory.joint_chain import joint_model, joint_task
from constructions.messages import word_step
from constructions.models import HMM
from constructions.reading import InputError
from constructions.tasks import Task, class_rows
from learned.data import sample, stream
from learned.fields import TORCH

LENGTH = 128
"""Tokens behind the mask."""

TOKENS = 10
"""Of the models drawn."""

HIDDEN = 4
"""|H| of the memory models."""

Counts = tuple[int, int, int]

SPLITS = ("training", "validation", "test")
COUNTS: Counts = (5000, 500, 1000)
"""What inputs are for, and how many of each there are unless another number is asked for."""

REDRAWS = 20
"""How often a task with one label is drawn again, as in the authors' release."""

DENOMINATOR = 10**20
"""Of all probabilities: fine enough that 3.1 holds for nearly all seeds with 8 and 10 states (see `appendix_d`)."""

MOVES = Fraction(1, 50)
"""Of a slow model: how likely its state moves."""

DOUBTFUL = 1e-12


@dataclass(frozen=True)
class Downstream:
    """A model, a task mu on H_1, and labelled inputs: first training, then validation, and test at the end.

    `tokens` (N, t); `likelihood` (N, n): beta(x), each row up to a positive scale; `labels` (N,). `counts`: how
    many inputs each split has. `doubtful`: how many labels rounding may have decided.
    """

    model: HMM
    task: Task
    tokens: Array
    likelihood: Array
    labels: Array
    counts: Counts
    doubtful: int

    def rows(self, split: str) -> slice:
        """Return the rows of a split."""
        (training, validation, test), end = self.counts, len(self.labels)
        starts = {"training": (0, training), "validation": (training, training + validation), "test": (end - test, end)}
        return slice(*starts[split])

    @property
    def majority(self) -> float:
        """The test accuracy of the label that is more frequent in training."""
        favourite = self.labels[self.rows("training")].double().mean() >= 0.5
        return float((self.labels[self.rows("test")] == favourite).double().mean())

    def agreement(self, model: HMM, task: Task, length: int | None = None) -> float:
        """Return the share of test inputs whose label a vanilla model and a task give by their first tokens."""
        rows = self.rows("test")
        labels, _ = judge(model, task, log_likelihoods(model, self.tokens[rows, :length]))
        return float((labels == self.labels[rows]).double().mean())

    def with_labels(self, count: int) -> Downstream:
        """Keep the first `count` inputs, the last fifth of them for validation, and all test inputs."""
        return replace(self, counts=(count - count // 5, count // 5, self.counts[2]))


def difference(rows: Matrix) -> Vector:
    """Return the row of label 1 less that of label 0, of a task or a head: with two labels only this counts."""
    before, after = class_rows(rows)
    return minus(after, before)


def mixed(first: Matrix, other: Matrix, share: Fraction) -> ExactMatrix:
    """Mix two transitions; `share` is the other's."""
    return exact(tuple(combine((1 - share, share), rows) for rows in zip(first, other, strict=True)))


def moved(model: HMM, other: HMM, distance: Fraction) -> HMM:
    """Mix another model's transition into a model's, to a total variation from it, the mean over columns."""
    before, towards = (hmm.chain(RATIONALS).transition for hmm in (model, other))
    share = 2 * len(model.states) * distance / abs(before - towards).sum()
    return replace(model, transition=mixed(model.transition, other.transition, share))


def draw(kind: str, size: int, seed: int) -> tuple[HMM, Iterator[Task]]:
    """Draw a model of appendix D, the same for pretraining and for tuning, and tasks mu without end.

    `vanilla`: of so many states. `memory`: of so many values over 4 hidden states, as the vanilla chain Hbar. `slow`:
    with probability 1 - `MOVES` a state stays, else it moves as in appendix D; each state's emissions are uniform on
    [1, 10], normalised, so a token tells little of a state; the label is whether half of the states, drawn at random,
    have more posterior mass than they have in P[H_1].
    """
    drawn, task = (
        appendix_d_memory(size, HIDDEN, TOKENS, seed, DENOMINATOR)
        if kind == "memory"
        else appendix_d(size, TOKENS, seed, DENOMINATOR)
    )
    model = joint_model(drawn)
    if kind != "slow":
        random = np.random.default_rng([seed, size] if kind == "vanilla" else [seed, HIDDEN, size]).random
        further = (replace(task, mu=exact(sparse_rows(random, size, DENOMINATOR))) for _ in count())
        return model, (joint_task(drawn, task) for task in chain([task], further))
    generator = np.random.default_rng([seed, size, 1])
    columns = [[1 + 9 * Fraction(u) for u in row] for row in generator.random((size, TOKENS)).tolist()]
    emission = transpose(tuple(tuple(entry / sum(column) for entry in column) for column in columns))
    transition = mixed(identity(size), model.transition, MOVES)
    slow = replace(model, transition=transition, emission=exact(emission), name=f"slow-{size}")
    half = set(generator.permutation(size)[: size // 2].tolist())
    mass = sum((slow.first[h] for h in half), Fraction(0))
    return slow, repeat(Task((tuple((h in half) - mass for h in range(size)),)))


def downstream(kind: str, size: int, seed: int, counts: Counts = COUNTS, length: int = LENGTH) -> Downstream:
    """Draw a model, and a task with both labels in every split."""
    return labelled(*draw(kind, size, seed), seed, counts, length, size if kind == "memory" else 1)


def labelled(
    model: HMM, tasks: Iterable[Task], seed: int, counts: Counts, length: int = LENGTH, blocks: int = 1
) -> Downstream:
    """Draw inputs for each split, and label them by the first task that gives every split both labels.

    Raises `InputError` if the first 1 + `REDRAWS` tasks do not.
    """
    drawn = zip(SPLITS, counts, strict=True)
    tokens = torch.cat([sample(model, n, 1 + length, stream(seed, split))[:, 1:] for split, n in drawn])
    log_likelihood = log_likelihoods(model, tokens, blocks)
    for task in islice(tasks, 1 + REDRAWS):
        labels, doubtful = judge(model, task, log_likelihood)
        if all(bool(part.any()) and not bool(part.all()) for part in labels.split(counts)):
            return Downstream(model, task, tokens, log_likelihood.softmax(-1), labels.long(), counts, doubtful)
    raise InputError("task", f"one label in {1 + REDRAWS} draws of mu", "both labels")


def log_likelihoods(model: HMM, tokens: Array, blocks: int = 1) -> Array:
    """Return log P[X_{2:t+1} = x | H_1], (N, n), for tokens (N, t).

    The states fall into `blocks` of equal size, one for each value of a memory, between which the chain never moves.
    Each block has a scale of its own: after a hundred tokens the likelihoods of one memory may be 10^-400 of another's,
    and the label may depend on them.
    """
    arrays, size = model.chain(TORCH), len(model.states) // blocks
    transition = arrays.transition[:size, :size]  # every block is the same
    emission = arrays.emission.unflatten(-1, (blocks, size))
    message = torch.ones(len(tokens), blocks, size, dtype=torch.float64)
    scale = torch.zeros(len(tokens), blocks, 1, dtype=torch.float64)
    for token in tokens.unbind(-1)[::-1]:
        message = word_step(emission[token], message, transition)
        total = message.sum(-1, keepdim=True)
        message, scale = message / total, scale + total.log()
    return (message.log() + scale).flatten(1)


def judge(model: HMM, task: Task, log_likelihood: Array) -> tuple[Array, int]:
    """Return labels, and how many of them rounding leaves in doubt.

    Only states at which the two rows of mu differ enter. They are scaled by their own sum, so their scores do not
    vanish, however improbable these states are.
    """
    weights = TORCH.array(difference(task.mu))
    at = weights != 0
    terms = (log_likelihood + TORCH.array(model.first).log())[:, at].softmax(-1)
    sums = terms @ weights[at]
    return sums >= 0, int((sums.abs() <= DOUBTFUL * (terms @ weights[at].abs())).sum())
