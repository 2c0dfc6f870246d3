"""The head that a verdict is about, with the parts of the paper's proof by the paper's names.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from constructions.evidence import Json
from constructions.fields import Array
from constructions.heads import Classifier
from constructions.linear import ExactMatrix, ExactVector, Matrix, Vector, columns, exact, identity, spread
from constructions.memory.attention import AttentionClassifier, AttentionHead
from constructions.memory.joint_chain import joint_model
from constructions.models import Model
from constructions.rendering import InNotebooks, Named, View
from constructions.theorem_3_3 import LinearConstruction
from constructions.theorem_3_6 import PromptConstruction
from verify import outputs

OF_PROMPTS = ("u", "prompt_law")
"""The parts that only a head behind a prompt has."""


@dataclass(frozen=True)
class Built(InNotebooks):
    """The head of a statement on a model. Where there is no head, `reason` says why.

    `answer`: whether the statement's conclusion holds, fails or is undecided. The parts of the head are attributes:

        3.3              W_plus, D, b
        3.6              B, H_star, u, prompt_law, W_plus, b
        4.3, 4.6, C.6    query, key, position, value, embedding, b, H_star; behind a prompt also u, prompt_law

    n is the number of states, k of tokens, L of rows of mu (one row for two labels), |M| of values, |H| of hidden
    states. Matrices are exact. Their arrays are `.numpy()`, `.sympy()` and `.torch()`. A part that does not exist
    raises an `AttributeError` that says why.

    Theorem 3.3 has b' = mu' D W+, with D = diag(P[H_0] / P[H_1]). This D is the inverse of the D of the paper's claim
    A.1, so that the paper writes b' = mu' D^-1 W+. The head gives the label 1 iff b'G_1(E, x) >= 0.

    Theorem 3.6 has c = A(u o P[H_1]), and b' is the sum over h in H* of mu_h P(H_0=h) / c_h times the row of W+ for h.

    >>> import headproof as hp
    >>> model, task = hp.load("healthy-fever")
    >>> head = hp.build("3.3", model, task)
    >>> task.mu @ head.D @ head.W_plus == head.b
    True
    >>> b = task.mu.numpy() @ head.D.numpy() @ head.W_plus.numpy()  # (1, k)
    >>> X = [[0, 0, 2], [2, 2, 0]]
    >>> G_1 = hp.outputs(model, [[0, *x] for x in X])[:, 0]  # (count, k), at E; any token serves as E
    >>> (G_1 @ b[0] >= 0).astype(int), head.predict(X)
    (array([0, 1]), array([0, 1]))
    >>> hp.build("3.3", *hp.load("only-3-5")).W_plus
    Traceback (most recent call last):
    AttributeError: no W_plus: no head serves inputs (0), (1)
    """

    model: Model
    classifier: Classifier | AttentionClassifier | None
    reason: str = ""
    answer: str = "holds"
    construction: LinearConstruction | PromptConstruction | None = None
    recoverable: tuple[int, ...] | None = None

    def __repr__(self) -> str:
        kind = "an attention head" if isinstance(self.classifier, AttentionClassifier) else "a linear head"
        head = f"{kind}{' behind a prompt' if self.classifier.prompt else ''}" if self.classifier else "no head"
        return f"Built({head} on {self.model.name or 'a model'}{f': {self.reason}' if self.reason else ''})"

    @property
    def document(self) -> Json:
        """The head and its prompt as JSON, each null where there is none."""
        head, prompt = (None, None) if self.classifier is None else self.classifier.documents
        return {"head": head, "prompt": prompt}

    def view(self, model: Named | None = None) -> View:
        """Show the head, or why there is none. The paper's head is shown with the parts of its proof."""
        if self.classifier is None:
            return View("no head", (self.reason,))
        return (self.construction or self.classifier).view(model or self.model)

    def scores(self, X: Any, exact: bool = False) -> Array:
        """Return the score of each of K labels on inputs X (count, t) of token indices: (count, K), float64 or exact.

        A linear head scores label l by b_l'G_1(E, x), or behind a prompt by b_l'Gbar_2. An attention head scores it by
        Attn, the mean of its values for l at the positions attended to. With one row of mu the score of label 0 is 0.
        Raises `AttributeError` if there is no head, and `InputError` unless X are token indices.
        """
        return outputs.scores(self.model, self._part("scores", self.classifier), X, exact)

    def predict(self, X: Any, exact: bool = False) -> Array:
        """Return the label of each of the inputs X (count, t) of token indices: int64 (count,).

        A tie goes to the last label. In floats rounding may break a tie; with `exact` it does not. Raises the same
        errors as `scores`.
        """
        return outputs.last_largest(self.scores(X, exact))

    @property
    def b(self) -> ExactMatrix:
        """The rows b of a linear head, (L, k), or of an attention head, (L, |M||H|)."""
        b: Matrix = self._part("b", self.classifier).head.b
        return exact(b)

    @property
    def u(self) -> ExactVector:
        """The soft prompt u, (n,): the paper's u of 3.6 is 1 on B.

        With memory it has an entry for each pair of a memory and a hidden state, the states of the paper's Hbar.
        """
        u: Vector = self._part("u", self.classifier and self.classifier.prompt).u
        return exact(u)

    @property
    def prompt_law(self) -> ExactVector:
        """P[H_2 | Xhat_1 = u], the law of H_2 behind the prompt, (n,): A(u o P[H_1]) over its sum; 0 if the sum is 0.

        With memory it is a law on the same pairs as in `u`. Equation 3.3 and lemma B.2 of the paper.
        """
        model, u = joint_model(self.model), self._part("prompt_law", self.classifier and self.classifier.prompt).u
        law = model.step(tuple(weight * p for weight, p in zip(u, model.first, strict=True)))
        return exact(tuple(p / (sum(law) or 1) for p in law))

    @property
    def W_plus(self) -> ExactMatrix:
        """The left inverse of W, (n, k); in theorem 3.6 the left inverse of W[:,H*], (|H*|, k)."""
        made = self._part("W_plus", self.construction)
        W: Matrix = self.model.emission
        if not isinstance(made, LinearConstruction):
            made, W = made.cover, columns(W, made.cover.recoverable)
        inverse: Matrix = made.inverse.through(identity(len(W[0])), W)
        return exact(inverse)

    @property
    def D(self) -> ExactMatrix:
        """diag(P[H_0] / P[H_1]) of theorem 3.3, (n, n): b' = mu' D W+. Its inverse is the D of the paper's claim A.1.

        D P[H_1 | X_{2:t+1} = x] is P[H_0 | X_{1:t} = x], up to a positive factor.
        """
        made = self.construction if isinstance(self.construction, LinearConstruction) else None
        diagonal: Vector = self._part("D", made).diagonal
        return exact(tuple(spread((d,), (h,), len(diagonal)) for h, d in enumerate(diagonal)))

    @property
    def B(self) -> tuple[int, ...]:
        """The states on which the prompt of theorem 3.6 is 1."""
        made = self.construction if isinstance(self.construction, PromptConstruction) else None
        states: tuple[int, ...] = self._part("B", made).cover.prompt_states
        return states

    @property
    def H_star(self) -> tuple[int, ...]:
        """H*: in theorem 3.6 the states that B reaches in one step, in section 4 the recoverable states."""
        made = self.construction if isinstance(self.construction, PromptConstruction) else None
        states = made.cover.recoverable if made else self.recoverable if self.classifier else None
        recoverable: tuple[int, ...] = self._part("H_star", states)
        return recoverable

    @property
    def query(self) -> ExactVector:
        """The query q, (|H|+1,)."""
        return exact(self._attention("query").query)

    @property
    def key(self) -> ExactMatrix:
        """The key matrix Theta_K, (|H|+1, k)."""
        return exact(self._attention("key").key)

    @property
    def position(self) -> ExactMatrix:
        """The position embeddings beta_1, beta_2, ..., each (|H|+1,). The last serves all further positions."""
        return exact(self._attention("position").position)

    @property
    def value(self) -> ExactMatrix:
        """The value matrix Theta_V, (|M||H|, k)."""
        return exact(self._attention("value").value)

    @property
    def embedding(self) -> ExactMatrix:
        """The token embeddings, (k, |M||H|): row z is e(z)."""
        return exact(self._attention("embedding").embedding)

    def _attention(self, name: str) -> AttentionHead:
        classifier = self.classifier if isinstance(self.classifier, AttentionClassifier) else None
        head: AttentionHead = self._part(name, classifier).head
        return head

    def _part(self, name: str, part: Any) -> Any:
        """Return a part. If it is None, raise an `AttributeError` that says why the head has no such part."""
        if part is not None:
            return part
        if self.classifier is None:
            why = self.reason
        elif isinstance(self.classifier, AttentionClassifier):
            why = (
                "an attention head without a prompt has none" if name in OF_PROMPTS else "it is a part of linear heads"
            )
        elif name in ("query", "key", "position", "value", "embedding"):
            why = "it is a part of attention heads"
        elif self.construction is None and name not in OF_PROMPTS:
            why = "this head is not the paper's construction, though it gives every input its label"
        else:
            why = f"the construction of theorem {'3.6' if self.classifier.prompt else '3.3'} has none"
        raise AttributeError(f"no {name}: {why}")
