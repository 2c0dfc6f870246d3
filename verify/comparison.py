"""A language model beside exact G, and a linear head that reads either. All in floats: nothing here is proved.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from constructions.fields import Array
from constructions.heads import PLACEHOLDER, Classifier, LinearHead
from constructions.models import HMM
from constructions.reading import InputError
from constructions.rendering import InNotebooks, Named, Table, View
from constructions.tasks import Task
from constructions.text.entries import Entries, read_functionals
from verify import outputs
from verify.built import Built

NORMALISED_WITHIN = 1e-3
"""The probabilities that a language model gives to all tokens sum to 1, up to this much."""


@dataclass(frozen=True)
class Comparison(InNotebooks):
    """A language model Ghat beside exact G on `count` inputs, and a head that reads both.

    `divergence` (t,): the mean of KL(G_i || Ghat_i) at each position i of the inputs, in nats. `at_mask`: this mean at
    the position that the head reads, the one of a token E in front of the input. `right`: the share of inputs to which
    the head gives the label F* when it reads Ghat. `must_be_right`: the share of inputs x on which the errors of Ghat
    cannot matter: the head gives x the label F* when it reads G, and each entry of |Ghat_1(E, x) - G_1(E, x)| is
    smaller than the head's radius at x. Errors smaller than the radius change no label. All figures are float64.

    Its `repr` is one line; `print` shows a table.
    """

    divergence: Array
    at_mask: float
    right: float
    must_be_right: float
    count: int

    def __repr__(self) -> str:
        return (
            f"Comparison({self.count:,} inputs: KL {self.divergence.mean():z.4f} nats, "
            f"labels right {self.right:.1%}, must be right {self.must_be_right:.1%})"
        )

    def __str__(self) -> str:
        lines = (f"{name:<20}{value:>8}" for name, value in self._rows.items())
        return "\n".join([f"a language model beside exact G, {self.count:,} inputs", *lines])

    @property
    def _rows(self) -> dict[str, str]:
        return {f"KL at {i}, nats": f"{value:z.4f}" for i, value in enumerate(self.divergence.tolist(), 1)} | {
            "KL at E, nats": f"{self.at_mask:z.4f}",
            "labels right": f"{self.right:.1%}",
            "must be right": f"{self.must_be_right:.1%}",
        }

    def view(self, model: Named | None = None) -> View:
        """Show the mean divergence at each position, and both shares."""
        table = Table.of("comparison", {name: [value] for name, value in self._rows.items()}, [""])
        return View("a language model beside exact G", (f"{self.count:,} inputs",), (table,))


def read_head(head: Built | Entries, model: HMM, task: Task) -> LinearHead:
    """Return the linear head of a `Built`, or the head whose rows are `head`: (K, k) for K labels and k tokens.

    One row (k,) is a head for two labels.

    Raises `InputError` for rows of another shape, and for a `Built` that has no head, or whose model is another one, or
    whose head does not read G_1(E, x).
    """
    if isinstance(head, Built):
        if not isinstance(head.classifier, Classifier) or head.classifier.prompt is not None:
            what = "an attention head or one behind a prompt" if head.classifier else f"no head: {head.reason}"
            raise InputError("head", what, "one that reads G_1(E, x), of theorem 3.3")
        if head.model != model:
            raise InputError("head", "one of another model", "this model's")
        return head.classifier.head
    entries = read_functionals(head, "head") if isinstance(head, str) else head
    try:
        rows = np.atleast_2d(np.asarray(entries, dtype=float))
    except (TypeError, ValueError):
        raise InputError("head", "no rows of numbers of one length", "(k,) or (K, k) numbers") from None
    if not np.isfinite(rows).all():
        raise InputError("head", "an infinite entry, or NaN", "(k,) or (K, k) numbers")
    if max(2, len(rows)) != len(task.classes) or rows.shape[1] != len(model.tokens):
        expected = f"{len(task.classes)} x {len(model.tokens)}, a row for each label, or one row of two labels"
        raise InputError("head", f"an array of shape {rows.shape}", expected)
    return LinearHead(rows)


def compare(model: HMM, task: Task, head: LinearHead, lm: Callable[[Array], Any], X: Array) -> Comparison:
    """Compare a language model Ghat with exact G on inputs X (count, t).

    Also compare F* with the labels that `head` gives when it reads Ghat. `lm` maps X to log-probabilities (count, t, k)
    for k tokens, or is a masked language model of `transformers`. It is also called on the inputs with a token for E in
    front, (count, t + 1). Raises `InputError` if its output is not of this kind.
    """
    behind = np.insert(X, 0, PLACEHOLDER, axis=1)
    exact, log_learned = outputs.outputs(model, behind)[:, 0], _log_outputs(lm, model, behind)[:, 0]
    learned, labels = np.exp(log_learned), outputs.labels(model, task, X)
    correct = outputs.last_largest(head.scores(exact)) == labels
    certain = correct & (abs(learned - exact).max(-1) < head.radius(exact))
    return Comparison(
        divergence=divergence(outputs.outputs(model, X), _log_outputs(lm, model, X)).mean(0),
        at_mask=float(divergence(exact, log_learned).mean()),
        right=float((outputs.last_largest(head.scores(learned)) == labels).mean()),
        must_be_right=float(certain.mean()),
        count=len(X),
    )


def divergence(G: Array, log_learned: Array) -> Array:
    """Return KL(G || Ghat) in nats for G and log Ghat of shape (..., k): shape (...).

    It is inf where Ghat excludes a possible token.
    """
    positive = G > 0
    logarithms = np.log(np.where(positive, G, 1)) - np.where(positive, log_learned, 0)
    result: Array = (G * logarithms).sum(-1)
    return result


def _log_outputs(lm: Callable[[Array], Any], model: HMM, X: Array) -> Array:
    """Return the log-probabilities (count, t, k) of a language model at inputs (count, t), in float64.

    Raises `InputError` if they have another shape, or probabilities do not sum to 1.
    """
    tokens = len(model.tokens)
    is_network = any(kind.__module__.startswith("transformers.") for kind in type(lm).__mro__)
    result = _masked(lm, X, tokens) if is_network else lm(X)
    try:
        values = np.asarray(result.detach().cpu() if hasattr(result, "detach") else result, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("lm", f"a {type(result).__name__}", f"log-probabilities {(*X.shape, tokens)}") from None
    if values.shape != (*X.shape, tokens):
        raise InputError("lm", f"an array of shape {values.shape}", f"log-probabilities {(*X.shape, tokens)}")
    sums = np.exp(values).sum(-1)
    wrong = sums[~(abs(sums - 1) < NORMALISED_WITHIN)]
    if wrong.size:
        raise InputError("lm", f"probabilities that sum to {wrong[0]:.4g}", "log-probabilities, whose exp sums to 1")
    return values


def _masked(lm: Any, X: Array, tokens: int) -> Any:
    """Return the output of a Hugging Face masked LM, each position masked in turn, without dropout or gradients."""
    from learned import mlm  # imports transformers, as whoever has such a network did

    torch, size, training = sys.modules["torch"], lm.config.vocab_size, lm.training
    if size != tokens + 1:
        raise InputError("lm", f"a vocabulary of {size}", f"{tokens + 1}: the tokens in their order, then [MASK]")
    lm.eval()
    try:
        with torch.no_grad():
            return mlm.log_outputs(lm, torch.from_numpy(X))
    finally:
        lm.train(training)
