"""What a learned language model gives on every input up to a length, beside what it must give, by theorem.

A linear head reads Ghat at a mask in front of x, and |b'(Ghat - G)| <= ||b||_1 ||Ghat - G||_inf. So a head that is
right on G(x), as theorem 3.3's is, **must** be right on Ghat(x) where Ghat errs by less than the head's radius at x,
the least difference of its scores on G over ||b_l - b_m||_1; and wherever an error that it bears on inputs of every
length is certified (`headproof margin`) and is larger than Ghat's. Where neither is so it may be right all the same.

Everything here is computed in floats, and proves nothing: a language model has no exact outputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch

from constructions.fields import Array
from constructions.heads import Classifier
from constructions.models import HMM
from constructions.reading import InputError
from constructions.tasks import Task, class_rows
from learned import mlm
from learned.data import exact_outputs
from learned.downstream import DOUBTFUL, log_likelihoods, of_model
from learned.fields import TORCH
from learned.outputs import ExactOutputs, LearnedOutputs
from learned.tune import tune_head

Json = dict[str, Any]

MOST = 1_000_000
"""How many inputs are listed."""

COUNTS = (2000, 500, 1000)
"""Inputs for tuning, of the longest length: training, validation, test."""


@dataclass(frozen=True)
class EveryInput:
    """All possible inputs up to a length, the shorter first.

    `counts`: how many there are of each length, from 1. `longest`: the longest themselves. `labels` (N,): F*, where
    scores that agree up to rounding are a tie. `likely` (N,): Pr(x). `exact`, `learned` (N, k): G and
    Ghat at the mask in front.
    """

    lm: Any
    model: HMM
    task: Task
    counts: tuple[int, ...]
    longest: Array
    labels: Array
    likely: Array
    exact: Array
    learned: Array

    @classmethod
    def listed(cls, lm: Any, model: HMM, task: Task, length: int) -> EveryInput:
        """List them and pass them through the network. Raises `InputError` where there are too many, or too long."""
        size = sum(len(model.tokens) ** t for t in range(1, length + 1))
        if size > MOST:
            raise InputError("--length", f"{size:,} inputs up to length {length}", f"at most {MOST:,}")
        parts = [_of_length(lm, model, task, t) for t in range(1, length + 1)]
        counts = tuple(len(part[0]) for part in parts)
        return cls(lm, model, task, counts, parts[-1][0], *map(torch.cat, list(zip(*parts, strict=True))[1:]))

    @cached_property
    def error(self) -> Array:
        """The sup norm of Ghat - G, (N,)."""
        return (self.learned - self.exact).abs().amax(-1)

    def lengths(self) -> list[Json]:
        """Return, for each length, the number of inputs, and the largest error and its mean by probability."""
        return [
            {"length": t, "inputs": len(error), "largest": float(error.max()), "mean": float(error @ likely)}
            for t, (error, likely) in enumerate(self._by_length(self.error), 1)
        ]

    def positions(self) -> list[Json]:
        """Return the error at each position of the longest inputs, masked alone: largest, and mean by probability."""
        exact = exact_outputs(self.model, self.longest)
        with torch.no_grad():
            error = (mlm.outputs(self.lm, self.longest).double().cpu() - exact).abs().amax(-1)
        likely = self.likely.split(self.counts)[-1]
        return [
            {"position": i, "largest": float(column.max()), "mean": float(likely @ column)}
            for i, column in enumerate(error.unbind(-1), 1)
        ]

    def read_by(self, rows: Array, borne: float = 0.0) -> Json:
        """Judge a head of a row for each label (labels, k): on how many inputs of each length it is right, and must be.

        `borne`: an error that is certified for inputs of every length but those that the certificate leaves out; their
        radius is what tells these apart, as every input that is not left out bears it.
        """
        radius, right_on_exact = self._radius(rows)
        right = _last_best(self.learned @ rows.T, 0) == self.labels
        must = right_on_exact & (self.error < radius)
        certified = right_on_exact & (self.error < borne) & (radius >= borne)
        return {
            "norm_1": max(float((rows[i] - rows[j]).abs().sum()) for i in range(len(rows)) for j in range(i)),
            "borne": borne,
            "right": self._counted(right),
            "right, by probability": [float(p[r].sum()) for r, p in self._by_length(right)],
            "right on G": self._counted(right_on_exact),
            "must be right": self._counted(must),
            "must be right, by the certificate": self._counted(certified),
            "wrong where it must be right": int((must & ~right).sum()),
        }

    def _by_length(self, values: Array) -> Iterator[tuple[Array, Array]]:
        """Take what there is of each input, and its probability, apart by length."""
        return zip(values.split(self.counts), self.likely.split(self.counts), strict=True)

    def _counted(self, chosen: Array) -> list[int]:
        return [int(part.sum()) for part in chosen.split(self.counts)]

    def _radius(self, rows: Array) -> tuple[Array, Array]:
        """Return the radius of each input, and whether the head is right on G there."""
        scores = self.exact @ rows.T
        label = _last_best(scores, DOUBTFUL * (self.exact @ rows.abs().T).amax(-1, keepdim=True))
        own = scores.gather(-1, label[:, None])
        norms = (rows[label][:, None] - rows).abs().sum(-1)  # (N, labels); 0 for the label itself
        ratios = torch.where(norms > 0, (own - scores) / norms, torch.inf)
        return ratios.amin(-1), label == self.labels


def rows_of(classifier: Classifier) -> Array:
    """Return the rows of a head without a prompt, one for each label, in doubles."""
    return TORCH.array(class_rows(classifier.head.b))


def tuned(every: EveryInput, seed: int) -> Array:
    """Return the rows of a head that is tuned on the network's outputs for drawn inputs of the longest length.

    Raises `InputError` for a task of more than two labels.
    """
    task = of_model(every.model, every.task, seed, COUNTS, len(every.counts))
    head = tune_head(LearnedOutputs(every.lm, task.tokens), task, "probabilities").head
    row = head.weights + head.bias  # outputs sum to 1
    return torch.stack([torch.zeros_like(row), row])


def _of_length(lm: Any, model: HMM, task: Task, length: int) -> tuple[Array, Array, Array, Array, Array]:
    """Return the possible inputs of one length, with labels, probabilities, G and Ghat."""
    tokens = torch.cartesian_prod(*[torch.arange(len(model.tokens))] * length).view(-1, length)
    log_likelihood = log_likelihoods(model, tokens)
    likely = (log_likelihood + TORCH.array(model.first).log()).logsumexp(-1).exp()
    possible = likely > 0  # an impossible one is 0, or not a number
    tokens, log_likelihood, likely = tokens[possible], log_likelihood[possible], likely[possible]
    likelihood = (log_likelihood - log_likelihood.amax(-1, keepdim=True)).exp()
    weights = TORCH.array([[m * p for m, p in zip(row, model.initial, strict=True)] for row in task.classes])
    terms = (likelihood @ weights.abs().T).amax(-1, keepdim=True)
    labels = _last_best(likelihood @ weights.T, DOUBTFUL * terms)
    exact = ExactOutputs(model, likelihood)(None, slice(None))[0]
    return tokens, labels, likely, exact, LearnedOutputs(lm, tokens).plain.double()


def _last_best(scores: Array, close: Array | float) -> Array:
    """Return the last label whose score is the largest, or as close to it as that."""
    best = scores >= scores.amax(-1, keepdim=True) - close
    return (best * torch.arange(1, scores.shape[-1] + 1)).amax(-1) - 1


def document(every: EveryInput, heads: Sequence[tuple[str, Array, float]]) -> Json:
    """Put everything down: errors by length and by position, and each head with its name and the error it bears."""
    read = [{"which": name} | every.read_by(rows, borne) for name, rows, borne in heads]
    return {"floats": True, "lengths": every.lengths(), "positions": every.positions(), "heads": read}
