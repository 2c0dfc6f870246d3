"""Every task has a linear head iff T = W diag(w) is injective on the span V of the vectors beta(x).

Here w is P[H_1], what a head of theorem 3.3 reads, or A(u o P[H_1]) behind a prompt u, and P[H_0] > 0. Where V is all
of R^n, T is injective iff 3.1 holds and w > 0: 3.1 is exactly what is needed for all tasks.

Proof, and construction: if T v = 0 for some v = sum_i t_i beta(x_i) that is not 0, beta(x_i) a basis of V, let mu have
(mu o P[H_0])'beta(x_i) = t_i. A head would make b'T beta(x_i) < 0 where t_i < 0, and >= 0 where t_i > 0. So if
some t_i < 0 (else take -v), sum_i t_i b'T beta(x_i) > 0; but it is b'T v = 0. In Rocq: `every_task_has_a_head`,
`every_task_behind_a_prompt` (formal/statements/converse.v).
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
    """A task without a head, and multipliers that show it: sum_i t_i W(w o beta(x_i)) = 0, with t_i the score of x_i.

    `inputs`: words as indices of tokens. `weights` (len(inputs),): t, none of them 0.
    """

    task: Task
    inputs: tuple[Word, ...]
    weights: Vector

    def view(self, model: Named | None = None) -> View:
        """Show mu, and the inputs with their weights."""
        lines = tuple(f"{weight}: input {word}" for word, weight in zip(self.inputs, self.weights, strict=True))
        return View("the hardest task", lines, self.task.view(model).tables)


def hardest_task(model: HMM, prompt: SoftPrompt | Entries | None = None) -> HardestTask | None:
    """Return a binary task that no linear head computes, behind a prompt u (n,) or without; None if each has a head.

    Without a prompt the heads are those of theorem 3.3, with one those of 3.6. The result has `task`, the `inputs` that
    exclude every head, as token indices, and their `weights`. The theorem is docs/theorems.md, and not in the paper.
    Raises `InputError` unless P[H_0] > 0.
    """
    if not all(model.initial):
        raise InputError("initial", f"0 at {model.states[model.initial.index(Fraction(0))]}", "only positive entries")
    words, betas = basis(model)
    prompt = prompt if prompt is None or isinstance(prompt, SoftPrompt) else SoftPrompt.of(prompt)
    weights = Classifier(LinearHead(()), prompt).weights(model)
    outputs = product([multiply(weights, beta) for beta in betas], transpose(model.emission))
    null_vectors = null_basis(transpose(outputs))
    if not null_vectors:
        return None
    t = null_vectors[0] if min(null_vectors[0]) < 0 else tuple(-entry for entry in null_vectors[0])
    scores = solve(betas, [[entry] for entry in t])
    if scores is None:
        raise ArithmeticError("vectors that are no basis")
    mu = tuple(score / p for [score], p in zip(scores, model.initial, strict=True))
    return HardestTask(Task((mu,)), tuple(compress(words, t)), tuple(filter(None, t)))


def basis(model: HMM) -> tuple[list[Word], Matrix]:
    """Return inputs x_1, x_2, ..., shortest first, whose vectors beta(x_i) are a basis of V, and these vectors."""
    words: list[Word] = [()]
    betas = [(Fraction(1),) * len(model.states)]
    for suffix, message in zip(words, betas, strict=True):
        emitted = [multiply(row, message) for row in model.emission]
        for z, beta in enumerate(product(emitted, model.transition)):
            if len(echelon([*betas[1:], beta])[0]) == len(betas):
                words.append((z, *suffix))
                betas.append(beta)
    return words[1:], tuple(betas[1:])
