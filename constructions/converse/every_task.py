"""Every task has a linear head iff T = W diag(w) is injective on the span V of the vectors beta(x).

P[H_0] > 0 is assumed, beta(x) is P[X = x | H_0], and o is the elementwise product. The vector w is P[H_1] for heads
without a prompt (theorem 3.3), and A(u o P[H_1]) for heads behind a prompt u. If V is all of R^n, T is injective iff
3.1 holds and w > 0. So if V is all of R^n and w > 0, every task has a head iff 3.1 holds.

If T is injective on V, a left inverse of T on V gives each task a head.

**Proof of the converse, and construction.** Let T not be injective on V, and let beta(x_1), beta(x_2), ... be a basis
of V.

1. There is a v = sum_i t_i beta(x_i) other than 0 with T v = 0. Some t_i is negative, or else take -v.
2. Choose mu with (mu o P[H_0])'beta(x_i) = t_i for all i: the scores of these inputs are t_i.
3. A head b that computes F* has b'T beta(x_i) < 0 where t_i < 0, and >= 0 where t_i > 0. So
   sum_i t_i b'T beta(x_i) > 0.
4. But this sum is b'T v = 0. So no head computes F* for this mu.

In Rocq: `every_task_has_a_head`, `every_task_behind_a_prompt` (formal/proofs/converse.v).

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import compress

from constructions.evidence import Word
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.hmm import HMM
from constructions.linear import Matrix, Vector, echelon, multiply, null_basis, product, solve, transpose
from constructions.reading import InputError
from constructions.rendering import InNotebooks, Named, View
from constructions.tasks import Task
from constructions.text.entries import Entries


@dataclass(frozen=True)
class HardestTask(InNotebooks):
    """A task without a head, with its multipliers: sum_i t_i W(w o beta(x_i)) = 0, where x_i has the score t_i.

    `inputs`: the x_i, as indices of tokens. `weights` (len(inputs),): the t_i, none of them 0.
    """

    task: Task
    inputs: tuple[Word, ...]
    weights: Vector

    def view(self, model: Named | None = None) -> View:
        """Show mu, and the inputs with their weights."""
        lines = tuple(f"{weight}: input {word}" for word, weight in zip(self.inputs, self.weights, strict=True))
        return View("the hardest task", lines, self.task.view(model).tables)


def hardest_task(model: HMM, prompt: SoftPrompt | Entries | None = None) -> HardestTask | None:
    """Return a binary task that no linear head computes, or None if every task has a head.

    Without a `prompt` the heads are those of theorem 3.3, and behind a prompt u (n,) those of 3.6. The result has the
    `task`, and the `inputs` (token indices) that exclude every head, with the `weights` t_i of the proof. Raises
    `InputError` if P[H_0] has a 0, or if the prompt does not have n numbers. Not in the paper: docs/theorems.md.
    """
    if not all(model.initial):
        raise InputError("initial", f"0 at {model.states[model.initial.index(0)]}", "only positive entries")
    words, betas = basis(model)
    if prompt is not None:
        prompt = prompt if isinstance(prompt, SoftPrompt) else SoftPrompt.of(prompt)
        if len(prompt.u) != len(model.states):
            raise InputError("u", f"{len(prompt.u)} entries", f"{len(model.states)}, one for each state")
    weights = Classifier(LinearHead(()), prompt).weights(model)
    outputs = product([multiply(weights, beta) for beta in betas], transpose(model.emission))
    null_vectors = null_basis(transpose(outputs))
    if not null_vectors:
        return None
    t = null_vectors[0]
    if min(t) >= 0:
        t = tuple(-entry for entry in t)
    scores = solve(betas, [[entry] for entry in t])
    if scores is None:
        raise ArithmeticError("vectors that are no basis")
    mu = tuple(score / p for [score], p in zip(scores, model.initial, strict=True))
    return HardestTask(Task((mu,)), tuple(compress(words, t)), tuple(filter(None, t)))


def basis(model: HMM) -> tuple[list[Word], Matrix]:
    """Return inputs x_1, x_2, ..., the shortest first, with a basis of V: the vectors beta(x_i)."""
    words: list[Word] = [()]
    betas = [(Fraction(1),) * len(model.states)]
    for suffix, message in zip(words, betas, strict=True):
        emitted = [multiply(row, message) for row in model.emission]
        for z, beta in enumerate(product(emitted, model.transition)):
            if len(echelon([*betas[1:], beta])[0]) == len(betas):
                words.append((z, *suffix))
                betas.append(beta)
    return words[1:], tuple(betas[1:])
