"""Heads, which read a masked language model's outputs, and prompts, which are put in front of its inputs.

A linear head scores G with one row b_l for each label l, and its label is the l with the largest score. The paper's
binary head b stands for the two rows (0, b), as a binary task mu stands for (0, mu). A soft prompt u is put in front of
the input's embeddings: ehat(x) = (u, e(E), e(x_1), ..., e(x_t)) (equation 3.2).

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from constructions.fields import Array, Field
from constructions.hmm import HMM
from constructions.linear import Matrix, Vector, multiply
from constructions.messages import Chain, joint
from constructions.reading import Json, is_rational, rows_text, texts
from constructions.rendering import InNotebooks, Named, View, by_label, state_names, token_names
from constructions.tasks import Task, class_rows, read_b, row_or_rows
from constructions.text.documents import Node
from constructions.text.entries import Entries, read_functionals, read_vector

PLACEHOLDER = 0
"""The token that stands for E in front of the input. Any token will do: G_i does not depend on the token at i."""


@dataclass(frozen=True)
class LinearHead(InNotebooks):
    """A linear head. `b` is (1, k) for a binary head, or (K, k), with k tokens and K labels.

    `b` has rational entries, or is an array of a field (`constructions.fields`).
    """

    b: Matrix | Array

    @classmethod
    def of(cls, b: Entries) -> LinearHead:
        """Read a head from its printed form, `LinearHead.of("1 -1/2")`; several rows have semicolons between them.

        Raises `InputError` for what is not an exact number.
        """
        return cls(read_functionals(b, "b"))

    def __repr__(self) -> str:
        return f"LinearHead.of({rows_text(self.b)!r})" if is_rational(self.b) else f"LinearHead(b={self.b!r})"

    def scores(self, outputs: Array, field: Field | None = None) -> Array:
        """Return the score of each of K labels, (..., K), for masked outputs (..., k) over k tokens.

        `field`: the field to which the array `outputs` belongs. With it, the scores are right up to a positive scale.
        Without it, scores of exact outputs, integers among them, are exact, and scores of floats are floats.
        """
        dtype = None if field or outputs.dtype.kind in "iu" else outputs.dtype
        rows = np.array(self.b, dtype) if field is None else field.array(self.b)
        xp = np if field is None else field.xp
        if len(rows) == 1:
            rows = xp.concatenate([xp.zeros_like(rows), rows])
        return outputs @ rows.T

    def radius(self, outputs: Array) -> Array:
        """Return the radius (...) of outputs G (..., k): if each entry errs by less, the head's label is the same.

        If the head gives G the label l, the radius is the least (b_l - b_m)'G / ||b_l - b_m||_1 over all other labels
        m. It is inf if no error can change the label.
        """
        scores = self.scores(outputs)
        rows = np.array(class_rows(self.b), scores.dtype)
        gaps = scores.max(-1, keepdims=True) - scores
        norms = abs(rows[scores.argmax(-1)][..., None, :] - rows).sum(-1)
        return np.divide(gaps, norms, out=np.full_like(gaps, np.inf), where=norms > 0).min(-1)

    def view(self, model: Named | None = None) -> View:
        """Show b."""
        return Classifier(self).view(model)


@dataclass(frozen=True)
class SoftPrompt(InNotebooks):
    """A soft prompt: the embedding u in [0,1]^n of a made-up token. u_h is its probability in the hidden state h.

    `u` has rationals, or is a vector (..., n) of a field.
    """

    u: Vector | Array

    @classmethod
    def of(cls, u: Entries) -> SoftPrompt:
        """Read a prompt from its printed form, `SoftPrompt.of("1 0 1/2")`. Entries outside [0, 1] are not refused.

        Raises `InputError` for a float, and for anything else that is not a vector of numbers.
        """
        return cls(read_vector(u, "u"))

    def __repr__(self) -> str:
        return f"SoftPrompt.of({rows_text((self.u,))!r})" if is_rational((self.u,)) else f"SoftPrompt(u={self.u!r})"

    def prepend(self, chain: Chain, embeddings: Array) -> Array:
        """Put u in front of embeddings (..., t, n) of t tokens. Returns (..., t + 1, n) of the chain's field."""
        u = chain.field.array(self.u)
        row = chain.field.xp.broadcast_to(u[..., None, :], (*embeddings.shape[:-2], 1, u.shape[-1]))
        return chain.field.xp.concatenate([row, embeddings], -2)

    @property
    def document(self) -> Json:
        """The prompt as JSON, {"u": ...}."""
        return {"u": texts(self.u)}

    @classmethod
    def from_node(cls, node: Node | None, states: int) -> SoftPrompt | None:
        """Read a prompt, {"u": ...}; return None for null or for no node.

        Raises `InputError` unless u has a number in [0, 1] for each of the `states`.
        """
        if node is None or node.value is None:
            return None
        entries = node.members({"u"})["u"].items(states, "entries, one for each state")
        for entry in entries:
            if not 0 <= entry.number() <= 1:
                raise entry.complain("a number in [0, 1]")
        return cls(tuple(entry.number() for entry in entries))

    def view(self, model: Named | None = None) -> View:
        """Show u."""
        table = by_label("u", [self.u], state_names(model, len(self.u)), "the prompt, on states")
        return View("prompt", (), (table,))


@dataclass(frozen=True)
class Classifier(InNotebooks):
    """A head, with or without a prompt: a function from inputs to labels that reads one masked output.

    Without a prompt it reads G_1(E, x) (theorem 3.3), and with a prompt Gbar_2(u, e(E), e(x)) (theorem 3.6).
    """

    head: LinearHead
    prompt: SoftPrompt | None = None

    def output(self, chain: Chain, tokens: Sequence[int] | Array) -> Array:
        """Return the masked output that the head reads: (..., k) for tokens (..., t)."""
        embeddings, position = SoftPrompt(chain.emission[PLACEHOLDER]).prepend(chain, chain.embed(tokens)), 0
        if self.prompt is not None:
            embeddings, position = self.prompt.prepend(chain, embeddings), 1
        return chain.field.normalise(joint(chain, embeddings)[..., position, :] @ chain.emission.T)

    def scores(self, chain: Chain, tokens: Sequence[int] | Array) -> Array:
        """Return each label's score, (..., K) for tokens (..., t), up to a positive scale."""
        return self.head.scores(self.output(chain, tokens), chain.field)

    def weights(self, model: HMM) -> Vector:
        """Return c (n,): the output that the head reads is W(c o beta(x)), up to a positive scale.

        Without a prompt c = P[H_1]. With a prompt c = A(u o P[H_1]), which is P[prompt, H_2]: the law of H_2 together
        with the event that H_1 emits the prompt.
        """
        if self.prompt is None:
            return model.first
        return model.step(multiply(self.prompt.u, model.first))

    @property
    def documents(self) -> tuple[Json, Json | None]:
        """The head and the prompt as JSON: {"b": ...} and {"u": ...} or None."""
        return {"b": texts(row_or_rows(self.head.b))}, None if self.prompt is None else self.prompt.document

    @classmethod
    def from_node(cls, head: Node, prompt: Node | None, model: HMM, task: Task) -> Classifier:
        """Read a head, {"b": ...}, and a prompt, {"u": ...} or null.

        Raises `InputError` if they do not fit the model and the task.
        """
        b = read_b(head.members({"b"})["b"], len(model.tokens), task)
        return cls(LinearHead(b), SoftPrompt.from_node(prompt, len(model.states)))

    def view(self, model: Named | None = None) -> View:
        """Show u and b, and which output the head reads."""
        b = self.head.b
        head = (by_label("b", b, token_names(model, len(b[0])), "the head, on tokens"),) if len(b) else ()
        if self.prompt is None:
            return View("head", ("reads G₁(E, x)",), head)
        return View("prompt and head", ("reads Ḡ₂(u, e(E), e(x))",), (*self.prompt.view(model).tables, *head))
