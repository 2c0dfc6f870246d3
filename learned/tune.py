"""Head tuning and prompt tuning: what learning finds, on exact Gbar as on a learned LM.

A linear head reads the masked output G in one of two forms (`FEATURES`): the *probabilities* G themselves, as in the
paper's experiments and theorems, or their *log-odds* log G_z, up to the constant that a bias takes. With two labels
only the difference of the two rows of a head matters, so a head is one row and a bias.

**Head tuning** on fixed features is logistic regression: convex, so it is solved, not trained. `newton` takes damped
Newton steps on whitened features, with several ridges, of which validation chooses. `tune_by_gradient` is the paper's
way, a fixed number of steps of Adam.

**Prompt tuning** trains a prompt and a head together by Adam, `restarts` prompts at once along a batch axis, keeps of
each the state that did best on validation, solves the head anew for those prompts, and returns the best on validation.
All choices use training and validation alone.

Source of the setting: Wei, Xie, Ma (2021), section 5 and appendix D. Theirs is `PAPER`; where their text is silent
(batch size) or their released code differs, `RELEASE`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch.nn import functional
from torch.utils.data import BatchSampler, RandomSampler

from constructions.fields import Array
from learned.downstream import Downstream
from learned.outputs import Outputs, read
from learned.pretrain import linear_share

FEATURES: dict[str, Callable[[Array], Array]] = {
    "probabilities": lambda outputs: outputs,
    "log-odds": lambda outputs: outputs.clamp_min(torch.finfo(outputs.dtype).tiny).log(),
}
"""What a linear head may read of a masked output."""

RIDGES = (1e-3, 1e-5, 1e-7, 1e-9)

PROMPT_LENGTH = 20

CHECKS = 10
"""How often validation looks at prompts in training."""

STOP_LOSS = 0.01
"""Training stops when validation is all right with a mean loss below this."""


@dataclass(frozen=True)
class Head:
    """Label 1 iff features . weights + bias >= 0. `weights` (k,)."""

    features: str
    weights: Array
    bias: float

    def scores(self, outputs: Array) -> Array:
        """Score masked outputs (..., k)."""
        return FEATURES[self.features](outputs.double()) @ self.weights + self.bias


@dataclass(frozen=True)
class Schedule:
    """Steps of Adam: batches of so many inputs; rates of head and prompt, warmed up and then decayed, both linearly."""

    steps: int
    batch: int
    rate: float
    prompt_rate: float
    warmup: int


PAPER = Schedule(steps=3125, batch=8, rate=0.01, prompt_rate=0.01, warmup=312)
"""Rate 0.01 and 5 epochs over 5,000 inputs are the paper's; batches of 8 are its pretraining's, the warm-up a guess."""

RELEASE = Schedule(steps=4000, batch=128, rate=0.01, prompt_rate=0.01, warmup=500)
"""The authors' released code: 100 epochs in batches of 128, 500 steps of warm-up."""

EXACT = Schedule(steps=1000, batch=512, rate=0.1, prompt_rate=0.1, warmup=50)
"""For prompts through exact Gbar."""

LEARNED = Schedule(steps=600, batch=64, rate=0.03, prompt_rate=0.03, warmup=50)
"""For prompts through a network, on a CPU."""


@dataclass(frozen=True)
class Tuned:
    """A head, with or without a prompt (P, width), and its accuracy on validation."""

    head: Head
    prompt: Array | None
    validation: float = 0.0

    def accuracy(self, outputs: Outputs, task: Downstream, split: str = "test") -> float:
        """Return the share of a split's inputs that get their label."""
        rows = task.rows(split)
        return float(accuracy(self.head.scores(read(outputs, rows, self.prompt)), task.labels[rows]))


def accuracy(scores: Array, labels: Array) -> Array:
    """Return the share of inputs, last axis, that get their label."""
    return ((scores >= 0) == (labels == 1)).double().mean(-1)


def newton(outputs: Array, labels: Array, features: str, ridge: float) -> Head:
    """Solve logistic regression with a small ridge on whitened features; outputs (N, k), labels (N,)."""
    plain, sign = FEATURES[features](outputs.double()), 2.0 * labels.double() - 1
    mean = plain.mean(0)
    _, s, v = torch.linalg.svd(plain - mean, full_matrices=False)
    nonzero = s > s[0] * 1e-14 + 1e-300
    whiten = v[nonzero].T * (len(plain) ** 0.5 / s[nonzero])
    x = functional.pad((plain - mean) @ whiten, (1, 0), value=1.0)

    def loss(w: Array) -> Array:
        return functional.softplus(-sign * (x @ w)).mean() + ridge / 2 * w @ w

    w = torch.zeros(x.shape[1], dtype=torch.float64)
    for _ in range(60):
        p = torch.sigmoid(-sign * (x @ w))
        slope = ridge * w - x.T @ (sign * p) / len(x)
        curvature = (x.T * (p * (1 - p))) @ x / len(x) + ridge * torch.eye(len(w), dtype=torch.float64)
        step = torch.linalg.solve(curvature, slope)
        length = 1.0  # halved until it helps
        while loss(w - length * step) > loss(w) - 1e-4 * length * (slope @ step) and length > 1e-6:
            length /= 2
        w = w - length * step
        if length * float(slope @ step) < 1e-12:
            break
    weights = whiten @ w[1:]
    return Head(features, weights, float(w[0] - mean @ weights))


def tune_head(outputs: Outputs, task: Downstream, features: str, prompt: Array | None = None) -> Tuned:
    """Solve for the head on G, or on Gbar behind a raw prompt (P, width); the ridge is the best on validation."""
    rows = task.rows("training")
    x = read(outputs, rows, prompt)
    tuned = [Tuned(newton(x, task.labels[rows], features, ridge), prompt) for ridge in RIDGES]
    judged = [replace(way, validation=way.accuracy(outputs, task, "validation")) for way in tuned]
    return max(judged, key=lambda way: way.validation)


def tune_prompt(
    outputs: Outputs,
    task: Downstream,
    features: str,
    schedule: Schedule = EXACT,
    restarts: int = 4,
    seed: int = 0,
    length: int = PROMPT_LENGTH,
    advance: Callable[[], object] = lambda: None,
) -> Tuned:
    """Train `restarts` prompts of `length` positions, each with a head; `advance` is called after each step."""
    prompt = outputs.start((restarts, length), torch.Generator().manual_seed(seed)).requires_grad_()
    plain = FEATURES[features](read(outputs, slice(0, min(1000, task.counts[0]))))
    # Standardised as they are without a prompt, so that one rate suits all features.
    standard = plain.mean(0), plain.std(0).clamp_min(1e-2)
    held_out = task.rows("validation")
    best, prompts = torch.full((restarts,), -torch.inf, dtype=torch.float64), prompt.detach().clone()
    for step, (scores, _) in enumerate(_train(outputs, task, features, schedule, prompt, seed, *standard), 1):
        if step % max(1, schedule.steps // CHECKS) == 0:
            with torch.no_grad():
                at = scores(held_out)
            loss = logistic_loss(at, task.labels[held_out]).double()
            merit = accuracy(at, task.labels[held_out]) - 1e-4 * loss.clamp_max(1)
            prompts = torch.where((merit > best)[:, None, None], prompt.detach(), prompts)
            best = torch.maximum(merit, best)
            if float(best.max()) > 1 - 1e-4 * STOP_LOSS:
                break
        advance()
    return max((tune_head(outputs, task, features, vectors) for vectors in prompts), key=lambda tuned: tuned.validation)


def tune_by_gradient(
    outputs: Outputs,
    task: Downstream,
    features: str,
    schedule: Schedule,
    seed: int = 0,
    length: int = 0,
) -> Tuned:
    """Take the schedule's steps of Adam on a head, from 0, and on a prompt of `length` or none: the paper's way.

    Return what the last step leaves. `tune_prompt` differs in its schedule, standardised features, several starts, the
    state that it keeps and the head, which it solves for in the end.
    """
    prompt = outputs.start((1, length), torch.Generator().manual_seed(seed)).requires_grad_() if length else None
    *_, (_, (weights, bias)) = _train(outputs, task, features, schedule, prompt, seed)
    head = Head(features, weights.detach()[0, :, 0].double(), float(bias.detach()))
    return Tuned(head, None if prompt is None else prompt.detach()[0])


def _train(
    outputs: Outputs,
    task: Downstream,
    features: str,
    schedule: Schedule,
    prompt: Array | None,
    seed: int,
    mean: Array | float = 0.0,
    deviation: Array | float = 1.0,
) -> Iterator[tuple[Any, tuple[Array, Array]]]:
    """Train heads from 0, and prompts (R, P, width), side by side on features less a mean, over a deviation.

    Yield at each step what scores inputs, rows to (R, rows), and the heads: weights (R, k, 1) and biases (R, 1).
    """
    plain = read(outputs, slice(0, 1))
    weights = plain.new_zeros(1 if prompt is None else len(prompt), plain.shape[1], 1).requires_grad_()
    bias = plain.new_zeros(len(weights), 1).requires_grad_()

    def scores(rows: slice | Array) -> Array:
        return ((FEATURES[features](outputs(prompt, rows)) - mean) / deviation @ weights)[..., 0] + bias

    for batch in descent([weights, bias], prompt, schedule, task.counts[0], seed):
        logistic_loss(scores(batch), task.labels[batch]).sum().backward()
        yield scores, (weights, bias)


def logistic_loss(scores: Array, labels: Array) -> Array:
    """The logistic loss of each row of scores (R, N)."""
    return functional.softplus((1 - 2 * labels) * scores).mean(-1)


def descent(head: Sequence[Array], prompt: Array | None, schedule: Schedule, count: int, seed: int) -> Iterator[Array]:
    """Yield a batch of indices for each step; the gradients that have come by the next one make the step."""
    prompts = {"params": [] if prompt is None else [prompt], "lr": schedule.prompt_rate}
    optimiser = torch.optim.Adam([{"params": list(head), "lr": schedule.rate}, prompts], betas=(0.9, 0.99))
    rate = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: linear_share(step, schedule.warmup, schedule.steps)
    )
    total, generator = schedule.steps * schedule.batch, torch.Generator().manual_seed(seed)
    epochs = RandomSampler(range(count), num_samples=total, generator=generator)
    for batch in BatchSampler(epochs, schedule.batch, drop_last=False):
        yield torch.tensor(batch)
        optimiser.step()
        optimiser.zero_grad()
        rate.step()
