"""Head tuning and prompt tuning, on exact Gbar and on a learned language model alike.

A linear head reads the masked output G in one of two forms (`FEATURES`): "probabilities", the G_z, as in the paper's
experiments and theorems, or "log-odds", the logarithms log G_z. With two labels only the difference of the two rows of
a head matters, so a head is one row and a bias. A *raw prompt* (P, width) has P vectors of numbers that training
changes: `learned.outputs` says how exact Gbar and a language model read them.

**Head tuning** on fixed features is logistic regression. It is convex, so `newton` solves it, by Newton steps in a
trust region on whitened features. It is solved for several ridges, and validation chooses one. `tune_by_gradient` is
the paper's way, a fixed number of steps of Adam.

**Prompt tuning** trains a prompt and a head together by Adam, from several starts. For each start it keeps the prompt
that, during training, did best on validation, and solves for the head behind that prompt. Of these prompts with their
heads it returns the best on validation. Test inputs have no part in any choice.

Source of the setting: Wei, Xie, Ma (2021), section 5 and appendix D. `PAPER` follows their text. `RELEASE` follows
their released code, which differs from the text. The code also has numbers that the text lacks, such as the batch size.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, TypeAlias

import torch
from scipy.optimize import minimize
from torch.func import grad, jacrev
from torch.nn import functional

from constructions.fields import Array
from learned.data import epochs
from learned.downstream import Downstream, frequency
from learned.mlm import NO_PROMPT
from learned.outputs import Outputs
from learned.pretrain import linear_share

FEATURES: dict[str, Callable[[Array], Array]] = {
    "probabilities": lambda outputs: outputs,
    "log-odds": lambda outputs: outputs.clamp_min(torch.finfo(outputs.dtype).tiny).log(),
}
"""The features of a masked output that a linear head may read."""

RIDGES = (1e-3, 1e-5, 1e-7, 1e-9)

PROMPT_LENGTH = 20

CHECKS = 10
"""How often validation is evaluated while prompts or attention heads are trained."""

ENOUGH = 1 - 1e-6
"""Training stops once each merit on validation, the accuracy less 10^-4 of the mean loss, is at least this."""

Stack: TypeAlias = Sequence[tuple[Downstream, int]]
"""Members that are trained side by side: the task of each, and the seed of its start and of the order of its inputs."""


@dataclass(frozen=True)
class Schedule:
    """Steps of Adam on batches of inputs. The rate grows linearly for `warmup` steps, and then falls linearly to 0."""

    steps: int
    batch: int
    rate: float
    warmup: int


PAPER = Schedule(steps=3125, batch=8, rate=0.01, warmup=312)
"""The paper has a rate of 0.01 and 5 epochs over 5,000 inputs. The batch is its pretraining's, the warm-up ours."""

RELEASE = Schedule(steps=4000, batch=128, rate=0.01, warmup=500)
"""The authors' released code: 100 epochs in batches of 128, 500 steps of warm-up."""


@dataclass(frozen=True)
class Tuned:
    """A head, `weights` (k,) and `bias`, behind a raw prompt (P, width). Label 1 iff features . weights + bias >= 0."""

    features: str
    weights: Array
    bias: float
    prompt: Array = NO_PROMPT

    def scores(self, outputs: Array) -> Array:
        """Return the scores (...) of masked outputs (..., k)."""
        return FEATURES[self.features](outputs.double()) @ self.weights + self.bias

    def accuracy(self, outputs: Outputs, task: Downstream, split: str = "test") -> float:
        """Return the share of a split's inputs to which the head gives their label."""
        rows = task.rows(split)
        return accuracy(self.scores(outputs(rows, self.prompt)), task.labels[rows])


def accuracy(scores: Array, labels: Array) -> float:
    """Return the share of inputs whose score (N,) is >= 0 iff their label (N,) is 1."""
    return frequency((scores >= 0) == (labels == 1))


def newton(outputs: Array, labels: Array, features: str, ridge: float) -> Tuned:
    """Solve logistic regression with a ridge on whitened features; return the head on plain features, without a prompt.

    `outputs` (N, k), `labels` (N,). The penalty is `ridge` / 2 times the squared norm of whitened weights and bias.
    """
    plain, sign = FEATURES[features](outputs.double()), 2.0 * labels.double() - 1
    mean = plain.mean(0)
    _, s, v = torch.linalg.svd(plain - mean, full_matrices=False)
    nonzero = s > s[0] * 1e-14 + 1e-300
    whiten = v[nonzero].T * (len(plain) ** 0.5 / s[nonzero])
    x = sign[:, None] * functional.pad((plain - mean) @ whiten, (1, 0), value=1.0)

    def loss(w: Array) -> Array:
        return functional.softplus(-x @ w).mean() + ridge / 2 * w @ w

    value, slope, curvature = map(in_numpy, (loss, grad(loss), jacrev(grad(loss))))
    start = x.new_zeros(x.shape[1]).numpy()
    w = torch.from_numpy(minimize(value, start, jac=slope, hess=curvature, method="trust-exact", tol=1e-9).x)
    weights = whiten @ w[1:]
    return Tuned(features, weights, float(w[0] - mean @ weights))


def in_numpy(function: Callable[[Array], Array]) -> Callable[[Any], Any]:
    """Turn a function of tensors into a function of NumPy arrays, for SciPy."""
    return lambda point: function(torch.from_numpy(point)).numpy()


def tune_head(outputs: Outputs, task: Downstream, features: str, prompts: Sequence[Array] = (NO_PROMPT,)) -> Tuned:
    """Solve for the head on G, or on Gbar behind each raw prompt (P, width). Validation chooses prompt and ridge."""
    rows = task.rows("training")
    tuned: list[Tuned] = []
    for prompt in prompts:
        x = outputs(rows, prompt)
        tuned += [replace(newton(x, task.labels[rows], features, ridge), prompt=prompt) for ridge in RIDGES]
    return max(tuned, key=lambda way: way.accuracy(outputs, task, "validation"))


def tune_prompt(
    outputs: Outputs, tasks: Sequence[Downstream], features: str, schedule: Schedule, restarts: int = 1, seed: int = 0
) -> list[Tuned]:
    """Tune a prompt of `PROMPT_LENGTH` vectors and a head for each task; return one result for each task.

    All tasks are about the inputs of `outputs`; labels and sizes of splits may differ. For each task `restarts`
    prompts are trained, and then a head behind each is solved for. Validation chooses prompt and ridge.
    """
    stack = list(product(tasks, range(seed, seed + 1000 * restarts, 1000)))
    trained = tune_by_gradient(outputs, stack, features, schedule, PROMPT_LENGTH, CHECKS)
    prompts = torch.stack([tuned.prompt for tuned in trained]).split(restarts)
    return [tune_head(outputs, task, features, starts) for task, starts in zip(tasks, prompts, strict=True)]


def tune_by_gradient(
    outputs: Outputs, stack: Stack, features: str, schedule: Schedule, length: int = 0, checks: int = 1
) -> list[Tuned]:
    """Train a head and a prompt of `length` vectors for each member of a stack, by the schedule's steps of Adam.

    Heads start at 0. `checks`: how often validation is evaluated. 1 is the paper's way: train on plain features, and
    return the parameters after the last step. With more checks, train on standardised features, and return the
    parameters that did best on validation (`train`). The heads that are returned read plain features in both cases.
    """
    plain = [FEATURES[features](outputs(slice(0, min(1000, task.counts[0])))) for task, _ in stack]
    means = torch.stack([x.mean(0) for x in plain])  # without a prompt; so one rate suits all features
    deviations = torch.stack([x.std(0).clamp_min(1e-2) for x in plain])
    if checks == 1:
        means, deviations = torch.zeros_like(means), torch.ones_like(means)
    prompts = torch.stack([outputs.start(length, torch.Generator().manual_seed(seed)) for _, seed in stack])

    def scores(rows: slice | Array, weights: Array, bias: Array, prompt: Array, mean: Array, deviation: Array) -> Array:
        return (FEATURES[features](outputs(rows, prompt)) - mean) / deviation @ weights + bias

    parameters = [0 * means, 0 * means[:, 0], prompts]
    heads = []
    for weights, bias, prompt, mean, deviation in train(scores, parameters, stack, schedule, checks, means, deviations):
        weights = (weights / deviation).double()
        heads.append(Tuned(features, weights, float(bias - (mean * weights).sum()), prompt))
    return heads


def train(
    scores: Callable[..., Array],
    parameters: Sequence[Array],
    stack: Stack,
    schedule: Schedule,
    checks: int,
    *constants: Array,
) -> list[list[Array]]:
    """Train all members of a stack at once by Adam on the logistic loss; return a list of tensors for each member.

    Each member is trained as it would be alone. Each parameter and constant has a first axis for the members. `scores`
    takes inputs (indices or a slice), and the parameters and constants of one member, and returns the inputs' scores.

    Let n be `schedule.steps // checks`, or 1 if that is 0. Validation is evaluated after every n steps. Training stops
    early once all members reach `ENOUGH`. The tensors of a member are its parameters, as they were at its best
    validation, and its constants.
    """
    tensors = [*(parameter.requires_grad_() for parameter in parameters), *constants]
    optimiser = torch.optim.Adam(parameters, schedule.rate, betas=(0.9, 0.99))
    count = schedule.steps * schedule.batch
    order = torch.stack([epochs(task.counts[0], count, torch.Generator().manual_seed(seed)) for task, seed in stack])
    labels = torch.stack([task.labels for task, _ in stack])
    merits, states = [-math.inf] * len(stack), [list[Array]()] * len(stack)
    for step, batch in enumerate(order.split(schedule.batch, 1)):
        optimiser.param_groups[0]["lr"] = schedule.rate * linear_share(step, schedule.warmup, schedule.steps)
        optimiser.zero_grad()
        losses = logistic_loss(torch.vmap(scores)(batch, *tensors), labels.gather(1, batch))
        losses.sum().backward()  # not their mean: no member's gradient depends on how many there are
        optimiser.step()
        if (step + 1) % max(1, schedule.steps // checks) == 0:
            members = zip(*(tensor.detach().clone() for tensor in tensors), strict=True)
            for i, (member, (task, _)) in enumerate(zip(members, stack, strict=True)):
                rows = task.rows("validation")
                held_out, expected = scores(rows, *member), task.labels[rows]
                loss = min(1.0, float(logistic_loss(held_out, expected)))
                merit = min(ENOUGH, accuracy(held_out, expected) - 1e-4 * loss)
                if merit > merits[i]:
                    merits[i], states[i] = merit, list(member)
            if min(merits) == ENOUGH:
                break
    return states


def logistic_loss(scores: Array, labels: Array) -> Array:
    """Return the mean logistic loss over the last axis of the scores (..., N)."""
    return functional.softplus((1 - 2 * labels) * scores).mean(-1)
