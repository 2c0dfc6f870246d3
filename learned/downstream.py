"""The downstream task of the paper's experiments: labelled inputs whose first token is masked.

    input     ([MASK], x_1, ..., x_t), t = 128; a head reads the output at the mask, G_1
    label     the arg max over two rows of mu'P[H_1 | X_-1], the posterior of the *masked* position's state (section 5)

Write x for the tokens behind the mask and beta(x) = P[X_{2:t+1} = x | H_1]. The label scores x by (mu o p1)'beta(x),
where p1 = P[H_1]. That is equation 3.1's F*, which is about H_0, for the task mu o p1 / p0 on the input x alone: so
theorems 3.3 and 3.6 speak of this experiment, and `theorem_task` is the task to build their heads for.

beta(x) is all that any output at the mask knows of x: it is computed once, and kept. A task whose inputs all have one
label is redrawn (the paper drops it) and counted. Labels are float64's; where the scores of the two labels agree to
`DOUBTFUL` of the terms that they are sums of, rounding may have decided, and the input is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, count, islice, repeat
from operator import mul, truediv

import numpy as np
import torch

from constructions.appendix_d import appendix_d, appendix_d_memory, sparse_rows
from constructions.fields import Array
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

    `tokens` (N, t); `likelihood` (N, n): beta(x), each row up to a positive scale; `labels` (N,); `margins` (N,): the
    score of label 1 less that of label 0, on the posterior. `counts`: how many inputs each split has.
    """

    model: HMM
    task: Task
    tokens: Array
    likelihood: Array
    labels: Array
    margins: Array
    counts: Counts
    redraws: int
    doubtful: int

    def rows(self, split: str) -> slice:
        """Return the rows of a split."""
        start = {"training": 0, "validation": self.counts[0], "test": len(self.labels) - self.counts[2]}[split]
        return slice(start, start + self.counts[SPLITS.index(split)])

    @property
    def majority(self) -> float:
        """The test accuracy of the label that is more frequent in training."""
        favourite = self.labels[self.rows("training")].double().mean() >= 0.5
        return float((self.labels[self.rows("test")] == favourite).double().mean())

    def agreement(self, model: HMM, task: Task, length: int | None = None) -> float:
        """Return the share of test inputs whose label a vanilla model and a task give by their first tokens."""
        rows = self.rows("test")
        labels, _, _ = judge(model, task, log_likelihoods(model, self.tokens[rows, :length]))
        return float((labels == self.labels[rows]).double().mean())

    def with_labels(self, count: int) -> Downstream:
        """Keep the first `count` inputs, the last fifth of them for validation, and all test inputs."""
        return replace(self, counts=(count - count // 5, count // 5, self.counts[2]))

    @property
    def theorem_task(self) -> Task:
        """The task mu o p1 / p0 on H_0 that has the same labels, exactly."""
        return Task(weighted(self.task.mu, map(truediv, self.model.first, self.model.initial)))


def weighted(rows: Matrix, weights: Iterable[Fraction]) -> Matrix:
    """Multiply each row with weights, entry by entry."""
    weights = tuple(weights)
    return tuple(tuple(map(mul, row, weights)) for row in rows)


def difference(rows: Matrix) -> Vector:
    """Return the row of label 1 less that of label 0, of a task or a head: with two labels only this counts."""
    before, after = class_rows(rows)
    return minus(after, before)


def mixed(first: Matrix, other: Matrix, share: Fraction) -> ExactMatrix:
    """Mix two transitions; `share` is the other's."""
    return exact(tuple(combine((1 - share, share), rows) for rows in zip(first, other, strict=True)))


def draw(kind: str, size: int, seed: int) -> tuple[HMM, Iterator[Task]]:
    """Draw a model of appendix D, the same for pretraining and for tuning, and tasks mu without end.

    `vanilla`: of so many states. `memory`: of so many values over 4 hidden states, as the vanilla chain Hbar. `slow`:
    with probability 1 - `MOVES` a state stays, else it moves as in appendix D; each state's emissions are uniform on
    [1, 10], normalised, so a token tells little of a state; the label is whether half of the states, drawn at random,
    have more posterior mass than they have in P[H_1].
    """
    if kind == "memory":
        memory, cell = appendix_d_memory(size, HIDDEN, TOKENS, seed, DENOMINATOR)
        random = np.random.default_rng([seed, HIDDEN, size]).random
        further = (replace(cell, mu=exact(sparse_rows(random, size, DENOMINATOR))) for _ in count())
        return joint_model(memory), (joint_task(memory, task) for task in chain([cell], further))
    model, task = appendix_d(size, TOKENS, seed, DENOMINATOR)
    if kind == "vanilla":
        random = np.random.default_rng([seed, size]).random
        return model, chain([task], (Task(sparse_rows(random, size, DENOMINATOR)) for _ in count()))
    generator = np.random.default_rng([seed, size, 1])
    columns = [[1 + 9 * Fraction(u) for u in row] for row in generator.random((size, TOKENS)).tolist()]
    emission = transpose(tuple(tuple(entry / sum(column) for entry in column) for column in columns))
    transition = mixed(identity(size), model.transition, MOVES)
    slow = replace(model, transition=transition, emission=exact(emission), name=f"slow-{size}")
    half = set(generator.permutation(size)[: size // 2].tolist())
    mass = sum((p for h, p in enumerate(slow.first) if h in half), Fraction(0))
    return slow, repeat(Task(((mass,) * size, tuple(Fraction(h in half) for h in range(size)))))


def downstream(kind: str, size: int, seed: int, counts: Counts = COUNTS, length: int = LENGTH) -> Downstream:
    """Draw a model, and a task with both labels in every split."""
    return labelled(*draw(kind, size, seed), seed, counts, length, size if kind == "memory" else 1)


def labelled(
    model: HMM, tasks: Iterable[Task], seed: int, counts: Counts, length: int = LENGTH, blocks: int = 1
) -> Downstream:
    """Draw inputs for each split, and take another task as long as those of some split all have one label.

    Raises `InputError` after `REDRAWS`.
    """
    drawn = zip(SPLITS, counts, strict=True)
    tokens = torch.cat([sample(model, n, 1 + length, stream(seed, split))[:, 1:] for split, n in drawn])
    log_likelihood = log_likelihoods(model, tokens, blocks)
    likelihood = (log_likelihood - log_likelihood.amax(-1, keepdim=True)).exp()
    for redraws, task in enumerate(islice(tasks, 1 + REDRAWS)):
        labels, margins, doubtful = judge(model, task, log_likelihood)
        if all(bool(part.any()) and not bool(part.all()) for part in labels.split(counts)):
            return Downstream(model, task, tokens, likelihood, labels.long(), margins, counts, redraws, doubtful)
    raise InputError("task", f"one label in {1 + REDRAWS} draws of mu", "both labels")


def log_likelihoods(model: HMM, tokens: Array, blocks: int = 1) -> Array:
    """Return log P[X_{2:t+1} = x | H_1], (N, n), for tokens (N, t).

    The chain falls into `blocks` of equal size, one for each value of a memory, between which it never moves. Each
    keeps a scale of its own, as after a hundred tokens what one memory makes of them may be 10^-400 of what another
    does, and the label depend on it.
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


def judge(model: HMM, task: Task, log_likelihood: Array) -> tuple[Array, Array, int]:
    """Return labels, margins (the score of label 1 less that of label 0), and how many labels rounding leaves in doubt.

    The sign is found on the scale of the states at which the two rows of mu differ, however improbable these are.
    """
    log_joint = log_likelihood + TORCH.array(model.first).log()
    weights = TORCH.array(difference(task.mu))
    at = weights != 0
    top = log_joint[:, at].amax(-1, keepdim=True)
    terms = (log_joint[:, at] - top).exp()
    sums = terms @ weights[at]
    margins = sums * (top[:, 0] - log_joint.logsumexp(-1)).exp()
    return sums >= 0, margins, int((sums.abs() <= DOUBTFUL * (terms @ weights[at].abs())).sum())
