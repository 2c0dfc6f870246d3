"""Attention heads of section 4: how one is applied to the masked outputs of a memory HMM.

    I    = arg max over i of q'(K(a_i) + beta_i),     K(a) = Theta_K a
    Attn = mean over I of V(a_i, e_i),                V(a, e) = b'((Theta_V a) o e)

I is the attended set: all positions that reach the maximum. Without a prompt (4.3) a_i is G_i(x), e_i the embedding
e(x_i) of a token, and beta_i the embedding of position i.
Behind a prompt u (4.6, C.6) a_i is Gbar_i(ehat(x)) with ehat(x) = (u, eta(e(x_1)), ..., eta(e(x_t))). Position 1 is
then the prompt's: e_1 = phi(u), and e_{i+1} = phi(eta(e(x_i))) = e(x_i). `joint_chain` defines the maps phi and eta. b
has one row (the label is 1 iff Attn >= 0), or one row for each label. The arg max needs exact comparisons, so heads are
applied in exact numbers here; `verify.outputs.scores` applies them in floats, too.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from constructions.heads import SoftPrompt
from constructions.linear import Matrix, Vector, combine, dot, multiply, transpose
from constructions.memory.joint_chain import joint_names, phi
from constructions.memory.model import MemoryHMM, Shape, column_names
from constructions.messages import Chain, masked_outputs
from constructions.reading import Json, texts
from constructions.rendering import InNotebooks, Named, Table, View, by_label, state_names, token_names
from constructions.tasks import MemoryTask, class_rows, label_of, read_b, row_or_rows
from constructions.text.documents import Node


@dataclass(frozen=True)
class AttentionHead:
    """An attention head with |H|+1 key dimensions, |M||H| value dimensions and k tokens.

    `query`: q (|H|+1,). `key`: Theta_K (|H|+1, k). `position`: beta_1, beta_2, ..., each (|H|+1,); the last one is also
    that of all further positions. `value`: Theta_V (|M||H|, k). `b`: rows (|M||H|,). `embedding`: the e(z), (k,
    |M||H|).
    """

    query: Vector
    key: Matrix
    position: Matrix
    value: Matrix
    b: Matrix
    embedding: Matrix

    @property
    def key_row(self) -> Vector:
        """q'Theta_K, (k,). The score of position i is key_row'a_i + q'beta_i."""
        return combine(self.query, self.key)

    def position_score(self, i: int) -> Fraction:
        """Return q'beta_{i+1}: `i` counts positions from 0, and beta_1 is the first position's."""
        return dot(self.query, self.position[min(i, len(self.position) - 1)])

    def value_rows(self, embedding: Vector) -> Matrix:
        """Return one row v_l for each label, (k,), with V(a, e) = v_l'a for the embedding e."""
        return tuple(combine(multiply(b, embedding), self.value) for b in class_rows(self.b))

    def attend(self, outputs: Sequence[Vector], embeddings: Sequence[Vector]) -> Attention:
        """Apply the head to t masked outputs (k,) and t embeddings (|M||H|,)."""
        scores = tuple(dot(self.key_row, output) + self.position_score(i) for i, output in enumerate(outputs))
        values = tuple(
            tuple(dot(row, output) for row in self.value_rows(embedding))
            for output, embedding in zip(outputs, embeddings, strict=True)
        )
        return Attention(scores, values)


@dataclass(frozen=True)
class Attention:
    """The result of a head on one input: the score of each position (from 0), and its value for each label."""

    scores: Vector
    values: Matrix

    @property
    def attended(self) -> tuple[int, ...]:
        """I: the positions with the largest score."""
        return tuple(i for i, score in enumerate(self.scores) if score == max(self.scores))

    @property
    def output(self) -> Vector:
        """Attn, for each label: the mean value over I."""
        chosen = [self.values[i] for i in self.attended]
        return tuple(sum(column, Fraction(0)) / len(chosen) for column in transpose(chosen))

    @property
    def label(self) -> int:
        """The arg max of Attn; in a tie the largest label."""
        return label_of(self.output)


@dataclass(frozen=True)
class AttentionClassifier(InNotebooks):
    """An attention head, with or without a prompt u over the states of Hbar: a function from inputs to labels."""

    head: AttentionHead
    prompt: SoftPrompt | None = None

    def attention(self, shape: Shape, chain: Chain, tokens: Sequence[int]) -> Attention:
        """Apply the head to an input of a model of this shape, in exact numbers. `chain` is the chain Hbar."""
        lifted, embeddings = chain.embed(tokens), [self.head.embedding[z] for z in tokens]
        if self.prompt is not None:
            lifted = self.prompt.prepend(chain, lifted)
            embeddings = [phi(shape, self.prompt.u), *embeddings]
        return self.head.attend([tuple(row) for row in masked_outputs(chain, lifted)], embeddings)

    @property
    def documents(self) -> tuple[Json, Json | None]:
        """The head and the prompt as JSON."""
        keys = ("query", "key", "position", "value", "embedding")
        head = {key: texts(getattr(self.head, key)) for key in keys} | {"b": texts(row_or_rows(self.head.b))}
        return dict(head), None if self.prompt is None else self.prompt.document

    @classmethod
    def from_node(cls, head: Node, prompt: Node | None, model: MemoryHMM, task: MemoryTask) -> AttentionClassifier:
        """Read a head and a prompt, {"u": ...} or null, that fit a model and a task.

        Behind a prompt the token embeddings must be e(z) = W[z,:]. Raises `InputError` if a part does not fit.
        """
        shape, tokens, width = model.shape, len(model.tokens), model.shape.hidden + 1
        parts = head.members({"query", "key", "position", "value", "b", "embedding"})
        built = AttentionHead(
            query=parts["query"].vector(width),
            key=parts["key"].matrix(width, tokens),
            position=parts["position"].matrix(None, width),
            value=parts["value"].matrix(shape.columns, tokens),
            b=read_b(parts["b"], shape.columns, task),
            embedding=parts["embedding"].matrix(tokens, shape.columns),
        )
        if not built.position:
            raise parts["position"].complain("at least one row", "none")
        u = SoftPrompt.from_node(prompt, shape.values**shape.cells * shape.hidden)
        if u is not None:
            for z, (row, expected) in enumerate(zip(built.embedding, model.emission, strict=True)):
                if row != expected:
                    raise parts["embedding"].items()[z].complain("the row of W for this token, as there is a prompt")
        return cls(built, u)

    def view(self, model: Named | None = None) -> View:
        """Show all parts of the head, and the prompt if there is one."""
        head, tokens = self.head, token_names(model, len(self.head.key[0]))
        keys = [*state_names(model, len(head.query) - 1), "position"]
        columns = column_names(model, range(len(head.value)))
        positions = [str(i) for i in range(1, 1 + len(head.position))]
        tables = (
            by_label("q", [head.query], keys, "the query"),
            Table("Θ_K", head.key, keys, tokens, "keys"),
            Table("β_i", head.position, positions, keys, "positions; the last repeats"),
            Table("Θ_V", head.value, columns, tokens, "values"),
            by_label("b", head.b, columns),
            Table("e", head.embedding, tokens, columns, "token embeddings"),
        )
        if self.prompt is None:
            return View("attention head", (), tables)
        u = self.prompt.u
        names = joint_names(model) if isinstance(model, MemoryHMM) else state_names(None, len(u))
        prompt = by_label("u", [u], names, "the prompt, on values and states")
        return View("prompt and attention head", (), (prompt, *tables))
