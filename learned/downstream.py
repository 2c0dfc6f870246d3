"""The downstream task of the paper's experiments: labelled inputs whose first token is masked.

    input     ([MASK], x_1, ..., x_t), t = 128; a head reads the output at the mask, G_1
    label     the arg max over two rows of mu'P[H_1 | X_-1], the posterior of the *masked* position's state (section 5)

Write x for the tokens behind the mask, beta(x) = P[X_{2:t+1} = x | H_1], p0 = P[H_0], p1 = P[H_1], and d for the second
row of mu minus the first. The label is decided by the sign of the score (d o p1)'beta(x). It is therefore F*(x) of
equation 3.1, which is about H_0, for the task with the row d o p1 / p0. So theorems 3.3 and 3.6 apply to this
experiment. Every exact output at the mask depends on x through beta(x) alone.

A task is drawn again if the inputs of some split all have one label (the paper drops a task with one label). Labels are
computed in float64. A label is doubtful if |score| is at most `DOUBTFUL` times the sum of the absolute values of the
score's terms: rounding may have decided it. Doubtful labels are counted.

Notation: constructions/__init__.py.
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
"""The number of tokens behind the mask."""

TOKENS = 10
"""The number of tokens of the models."""

HIDDEN = 4
"""The number |H| of hidden states of the memory models."""

Counts = tuple[int, int, int]

SPLITS = ("training", "validation", "test")
COUNTS: Counts = (5000, 500, 1000)
"""The purposes of inputs, and the default number of inputs for each."""

REDRAWS = 20
"""The number of times that a task with one label is drawn again, as in the authors' release."""

DENOMINATOR = 10**20
"""The denominator of all probabilities. 3.1 then holds for nearly all seeds with 8 and 10 states (`appendix_d`)."""

MOVES = Fraction(1, 50)
"""The probability that a slow model takes a step of appendix D, which may lead back to the same state."""

DOUBTFUL = 1e-12


@dataclass(frozen=True)
class Downstream:
    """A model, a task mu on H_1, and labelled inputs: first training, then validation, and test at the end.

    `tokens` (N, t); `labels` (N,). `counts`: the number of inputs of each split. `doubtful`: the number of labels that
    rounding may have decided.
    """

    model: HMM
    task: Task
    tokens: Array
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
        return frequency(self.labels[self.rows("test")] == favourite)

    def agreement(self, model: HMM, task: Task, length: int | None = None) -> float:
        """Return the share of test inputs with two equal labels: the stored one, and one computed from `length` tokens.

        `model` and `task` label the first `length` tokens of the input, by the posterior of H_1. Without `length` all
        tokens count.
        """
        rows = self.rows("test")
        labels, _ = judge(model, task, self.tokens[rows, :length])
        return frequency(labels == self.labels[rows])

    def with_labels(self, count: int) -> Downstream:
        """Use the test inputs and only the first `count` others, of which the last fifth is for validation.

        `tokens` and `labels` keep all rows.
        """
        return replace(self, counts=(count - count // 5, count // 5, self.counts[2]))


def frequency(right: Array) -> float:
    """Return the share of a tensor's truth values that are true."""
    return float(right.double().mean())


def difference(rows: Matrix) -> Vector:
    """Return the row of label 1 of a task or a head minus the row of label 0."""
    before, after = class_rows(rows)
    return minus(after, before)


def mixed(first: Matrix, other: Matrix, share: Fraction) -> ExactMatrix:
    """Mix two transition matrices. `share` is the weight of `other`."""
    return exact(tuple(combine((1 - share, share), rows) for rows in zip(first, other, strict=True)))


def moved(model: HMM, other: HMM, distance: Fraction) -> HMM:
    """Mix `other`'s transition into `model`'s. The columns move by `distance` in total variation, on average."""
    before, towards = (hmm.chain(RATIONALS).transition for hmm in (model, other))
    share = 2 * len(model.states) * distance / abs(before - towards).sum()
    return replace(model, transition=mixed(model.transition, other.transition, share))


def draw(kind: str, size: int, seed: int) -> tuple[HMM, Iterator[Task]]:
    """Draw a model by appendix D, and return it with an endless iterator of tasks. A seed always gives the same ones.

    - `vanilla`: a model with `size` states.
    - `memory`: the vanilla chain Hbar of a memory model with 4 hidden states, whose cells have `size` values.
    - `slow`: a model with `size` states. A state stays with probability 1 - `MOVES`, and else takes a step of appendix
      D. The emission probabilities of each state are proportional to random numbers, uniform on [1, 10], so a token
      tells little of the state. All tasks are the same: whether a random half of the states has more mass in the
      posterior than in P[H_1].
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
    """Draw a model, a task and labelled inputs of `length` tokens, with both labels in every split.

    `kind` and `size` are those of `draw`. `counts` are the numbers of inputs of each split. Raises `InputError` if none
    of the tasks that are drawn gives every split both labels.
    """
    return labelled(*draw(kind, size, seed), seed, counts, length)


def labelled(model: HMM, tasks: Iterable[Task], seed: int, counts: Counts, length: int = LENGTH) -> Downstream:
    """Draw inputs for each split, and label them by the first task that gives every split both labels.

    Raises `InputError` if the first 1 + `REDRAWS` tasks do not.
    """
    drawn = zip(SPLITS, counts, strict=True)
    tokens = torch.cat([sample(model, n, 1 + length, stream(seed, split))[:, 1:] for split, n in drawn])
    for task in islice(tasks, 1 + REDRAWS):
        labels, doubtful = judge(model, task, tokens)
        if all(len(part.unique()) == 2 for part in labels.split(counts)):
            return Downstream(model, task, tokens, labels.long(), counts, doubtful)
    raise InputError("task", f"one label in {1 + REDRAWS} draws of mu", "both labels")


def likelihoods(model: HMM, tokens: Array, after: Array) -> Array:
    """Return beta(x) (N, n) of tokens (N, t), each row up to a scale > 0.

    `after` (n,) takes the place of beta of the empty word, which has all entries 1.
    """
    chain = model.chain(TORCH)
    message = after.expand(len(tokens), -1)
    for token in tokens.unbind(-1)[::-1]:
        message = TORCH.rescale(word_step(chain.emission[token], message, chain.transition))
    return message


def judge(model: HMM, task: Task, tokens: Array) -> tuple[Array, int]:
    """Return the labels of tokens (N, t), and the number of doubtful ones.

    The label depends only on states at which the two rows of mu differ, and on states that the chain can reach from
    them. At all other states the backward recursion starts with 0 in place of 1. If it started with 1, their
    likelihoods could be 10^400 times larger after a hundred tokens, and those on which the label depends could become 0
    in floats.
    """
    chain, weights = model.chain(TORCH), TORCH.array(difference(task.mu))
    n = len(weights)
    reached = (torch.eye(n) + chain.transition > 0).double().matrix_power(n) @ weights.abs() > 0
    terms = likelihoods(model, tokens, reached.double()) * chain.first * weights
    sums = terms.sum(-1)
    return sums >= 0, int((sums.abs() <= DOUBTFUL * terms.abs().sum(-1)).sum())
