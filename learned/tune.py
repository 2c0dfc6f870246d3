"""Head tuning and prompt tuning: what learning finds, on exact Gbar as on a learned LM.

A linear head reads the masked output G in one of two forms (`FEATURES`): the *probabilities* G themselves, as in the
paper's experiments and theorems, or their *log-odds* log G_z, up to the constant that a bias takes. With two labels
only the difference of the two rows of a head matters, so a head is one row and a bias.

**Head tuning** on fixed features is logistic regression: convex, so it is solved, not trained. `newton` takes damped
Newton steps on whitened features, with several ridges, of which validation chooses. `tune_by_gradient` is the paper's
way, a fixed number of steps of Adam; how far it stays behind is measured in `learned.cells`.

**Prompt tuning** trains a prompt and a head together by Adam, `restarts` prompts at once along a batch axis, keeps of
each the state that did best on validation, solves the head anew for those prompts, and returns the best on validation.
All choices use training and validation alone.

Source of the setting: Wei, Xie, Ma (2021), section 5 and appendix D. Theirs is `PAPER`; where their text is silent
(batch size) or their released code differs, `RELEASE`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch.nn import functional

from constructions.fields import Array
from learned.downstream import Downstream
from learned.outputs import Outputs, read

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

    def share(self, step: int) -> float:
        """The share of the full rate that a step, from 0, is taken at."""
        return min((step + 1) / self.warmup, max(0.0, self.steps - step) / (self.steps - self.warmup))


PAPER = Schedule(steps=3125, batch=8, rate=0.01, prompt_rate=0.01, warmup=312)
"""Rate 0.01 and 5 epochs over 5,000 inputs are the paper's; batches of 8 are its pretraining's, the warm-up a guess."""

RELEASE = Schedule(steps=4000, batch=128, rate=0.01, prompt_rate=0.01, warmup=500)
"""The authors' released code: 100 epochs in batches of 128, 500 steps of warm-up."""

EXACT = Schedule(steps=1000, batch=512, rate=0.1, prompt_rate=0.1, warmup=50)
"""For prompts through exact Gbar."""


@dataclass(frozen=True)
class Tuned:
    """A head, with or without a prompt (P, width), and its accuracy on validation."""

    head: Head
    prompt: Array | None
    validation: float

    def scores(self, outputs: Outputs, rows: slice) -> Array:
        """Score inputs: (rows,)."""
        return self.head.scores(read(outputs, rows, self.prompt))

    def accuracy(self, outputs: Outputs, task: Downstream, split: str = "test") -> float:
        """Return the share of a split's inputs that get their label."""
        rows = task.rows(split)
        return float(accuracy(self.scores(outputs, rows), task.labels[rows]))


def accuracy(scores: Array, labels: Array) -> Array:
    """Return the share of inputs, last axis, that get their label."""
    return ((scores >= 0) == (labels == 1)).double().mean(-1)


def newton(outputs: Array, labels: Array, features: str, ridge: float) -> Head:
    """Solve logistic regression with a small ridge on whitened features; outputs (N, k), labels (N,)."""
    x, undo = _whitened(FEATURES[features](outputs.double()))
    sign = 2.0 * labels.double() - 1
    w = torch.zeros(x.shape[1], dtype=torch.float64)

    def loss(at: Array) -> Array:
        return functional.softplus(-sign * (x @ at)).mean() + ridge / 2 * at @ at

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
    weights, bias = undo(w)
    return Head(features, weights, bias)


def _whitened(x: Array) -> tuple[Array, Callable[[Array], tuple[Array, float]]]:
    """Turn features into uncorrelated ones of variance 1 and a constant, and say how to turn weights back."""
    mean = x.mean(0)
    u, s, v = torch.linalg.svd(x - mean, full_matrices=False)
    nonzero = s > s[0] * 1e-14 + 1e-300
    root = len(x) ** 0.5

    def undo(w: Array) -> tuple[Array, float]:
        weights = v[nonzero].T @ (w[1:] * root / s[nonzero])
        return weights, float(w[0] - mean @ weights)

    return torch.cat([torch.ones_like(u[:, :1]), u[:, nonzero] * root], 1), undo


def tune_head(outputs: Outputs, task: Downstream, features: str, prompt: Array | None = None) -> Tuned:
    """Solve for the head on G, or on Gbar behind a raw prompt (P, width); the ridge is the best on validation."""
    training, validation = task.rows("training"), task.rows("validation")
    x, held_out = read(outputs, training, prompt), read(outputs, validation, prompt)
    tuned = []
    for ridge in RIDGES:
        head = newton(x, task.labels[training], features, ridge)
        tuned.append(Tuned(head, prompt, float(accuracy(head.scores(held_out), task.labels[validation]))))
    return max(tuned, key=lambda result: result.validation)


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
    rows, held_out = task.rows("training"), task.rows("validation")
    labels, held_out_labels = task.labels[rows], task.labels[held_out]
    prompt = outputs.start((restarts, length), torch.Generator().manual_seed(seed)).requires_grad_()
    plain = FEATURES[features](read(outputs, slice(rows.start, min(rows.start + 1000, rows.stop)))[None])
    # Standardised as they are without a prompt, so that one rate suits all features.
    mean, deviation = plain.mean(1, keepdim=True), plain.std(1, keepdim=True).clamp_min(1e-2)
    heads = _zero_heads(plain.expand(restarts, -1, -1))
    best, prompts = torch.full((restarts,), -torch.inf, dtype=torch.float64), prompt.detach().clone()
    for step, batch in enumerate(descent(heads, prompt, schedule, len(labels), seed), 1):
        x = (FEATURES[features](outputs(prompt, batch + rows.start)) - mean) / deviation
        logistic_loss(_scores(x, heads), labels[batch]).sum().backward()
        if step % max(1, schedule.steps // CHECKS) == 0:
            with torch.no_grad():
                scores = _scores((FEATURES[features](outputs(prompt, held_out)) - mean) / deviation, heads)
            loss = logistic_loss(scores, held_out_labels).double()
            merit = accuracy(scores, held_out_labels) - 1e-4 * loss.clamp_max(1)
            better = merit > best
            best = torch.where(better, merit, best)
            prompts = torch.where(better[:, None, None], prompt.detach(), prompts)
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
    whitened: bool = False,
    advance: Callable[[], object] = lambda: None,
) -> Tuned:
    """Take the schedule's steps of Adam on a head, from 0, and on a prompt of `length` or none: the paper's way.

    Return what the last step leaves. Features are plain; without a prompt they may be `whitened`: the same heads can be
    found there, and the loss is well conditioned. `tune_prompt` differs in its schedule, standardised features, several
    starts, the state that it keeps and the head, which it solves for in the end.
    """
    rows = task.rows("training")
    prompt = outputs.start((1, length), torch.Generator().manual_seed(seed)).requires_grad_() if length else None
    plain = read(outputs, rows)
    x = FEATURES[features](plain if length else plain.double())
    x, undo = _whitened(x) if whitened else (x, lambda weights: (weights, 0.0))
    heads = _zero_heads(x[None])
    for batch in descent(heads, prompt, schedule, len(x), seed):
        batch_x = x[None, batch] if prompt is None else FEATURES[features](outputs(prompt, batch + rows.start))
        logistic_loss(_scores(batch_x, heads), task.labels[rows][batch]).sum().backward()
        advance()
    weights, constant = undo(heads[0].detach()[0, :, 0].double())
    head = Head(features, weights, float(heads[1].detach()) + constant)
    last = Tuned(head, None if prompt is None else prompt.detach()[0], 0.0)
    return replace(last, validation=last.accuracy(outputs, task, "validation"))


def _zero_heads(features: Array) -> tuple[Array, Array]:
    """Heads to be trained side by side, one for each row of features (R, N, k): weights (R, k, 1), bias (R, 1)."""
    weights = torch.zeros(features.shape[0], features.shape[2], 1, dtype=features.dtype, device=features.device)
    return weights.requires_grad_(), weights.new_zeros(len(weights), 1).requires_grad_()


def _scores(features: Array, heads: tuple[Array, Array]) -> Array:
    """Score features (R, N, k) by these heads: (R, N)."""
    return (features @ heads[0])[..., 0] + heads[1]


def logistic_loss(scores: Array, labels: Array) -> Array:
    """The logistic loss of each row of scores (R, N)."""
    return functional.softplus((1 - 2 * labels) * scores).mean(-1)


def descent(head: Sequence[Array], prompt: Array | None, schedule: Schedule, count: int, seed: int) -> Iterator[Array]:
    """Yield a batch of indices for each step; the gradients that have come by the next one make the step."""
    generator = torch.Generator().manual_seed(seed)
    groups = [{"params": list(head), "lr": schedule.rate}]
    groups += [{"params": [prompt], "lr": schedule.prompt_rate}] if prompt is not None else []
    optimiser = torch.optim.Adam(groups, betas=(0.9, 0.99))
    rate = torch.optim.lr_scheduler.LambdaLR(optimiser, schedule.share)
    order = torch.randperm(count, generator=generator)
    for _ in range(schedule.steps):
        while len(order) < schedule.batch:
            order = torch.cat([order, torch.randperm(count, generator=generator)])
        yield order[: schedule.batch]
        order = order[schedule.batch :]
        optimiser.step()
        optimiser.zero_grad()
        rate.step()
