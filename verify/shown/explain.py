"""One input step by step: posterior, messages, masked output, scores and both labels, as exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from constructions.evidence import Json, Word, word_text
from constructions.fields import RATIONALS, Array
from constructions.heads import PLACEHOLDER, Classifier
from constructions.linear import dot
from constructions.messages import Chain, initial_posterior, joint, likelihoods, masked_outputs, predictions
from constructions.models import HMM, Model
from constructions.reading import texts
from constructions.rendering import InNotebooks, Named, Table, View
from constructions.tasks import Task, class_rows, label_of

MESSAGES = {
    "embedding": ("v_i", "the embeddings"),
    "right": ("right_i", "P[H_i, X before i]"),
    "left": ("left_i", "P[H_i, X after i]"),
    "tau": ("τ_i", "P[H_i, X except i]"),
}
"""The messages of appendix B, in the order of their computation; v_i is a probability for each state."""


@dataclass(frozen=True)
class Step:
    """A position of the sequence that the language model reads.

    `right` = P[H_i, tokens before], `left` = P[H_i, tokens after], `tau` = P[H_i, all other tokens], `output` = Gbar_i.
    """

    token: str
    embedding: Array
    right: Array
    left: Array
    tau: Array
    output: Array


@dataclass(frozen=True)
class Explained(InNotebooks):
    """How F* and a head label one input of a model; without a head there are no `head_scores`."""

    model: Model
    word: Word
    posterior: Sequence[Fraction]
    task_scores: Sequence[Fraction]
    head_scores: Sequence[Fraction] | None

    @property
    def label(self) -> int:
        """The label F*."""
        return label_of(self.task_scores)

    @property
    def head_label(self) -> int | None:
        """The head's label."""
        return None if self.head_scores is None else label_of(self.head_scores)

    @property
    def parts(self) -> tuple[Json, Json]:
        """What a kind of model has to say in JSON of the input, and of its positions."""
        raise NotImplementedError

    @property
    def document(self) -> Json:
        """The input position by position, as JSON."""
        of_input, of_positions = self.parts
        return {
            "model": self.model.name,
            "input": list(self.word),
            **of_input,
            "posterior": texts(self.posterior),
            "task_scores": texts(self.task_scores),
            "label": self.label,
            **of_positions,
            "head_scores": None if self.head_scores is None else texts(self.head_scores),
            "head_label": self.head_label,
        }

    @property
    def title(self) -> str:
        """Which input it is."""
        return f"input ({word_text(self.word, self.model)})"

    @property
    def scores(self) -> Table:
        """Both labels with their scores: the label is the largest score's, the last of them on a tie."""
        columns = [*(f"of {one}" for one in range(len(self.task_scores))), ""]
        rows = [[*self.task_scores, f"label {self.label}"]]
        if self.head_scores is None:
            return Table("scores", rows, ["F*"], columns, "no head")
        rows.append([*self.head_scores, f"label {self.head_label}"])
        words = "both labels are the same" if self.label == self.head_label else "the labels differ"
        return Table("scores", rows, ["F*", "head"], columns, words)


@dataclass(frozen=True)
class Explanation(Explained):
    """The same of a vanilla model, step by step. `read` is the position (from 0) whose output the head reads."""

    steps: list[Step]
    read: int

    @property
    def parts(self) -> tuple[Json, Json]:
        """The steps; `read` is the index of the one that the head reads."""
        steps = [
            {"token": step.token} | {key: texts(getattr(step, key)) for key in (*MESSAGES, "output")}
            for step in self.steps
        ]
        return {}, {"messages": steps, "read": self.read}

    def view(self, model: Named | None = None) -> View:
        """Show the posterior, messages by position, masked outputs, scores and both labels."""
        states, tokens = self.model.states, self.model.tokens
        positions = [f"{i}: {step.token}" for i, step in enumerate(self.steps, 1)]
        messages = [
            Table(symbol, [getattr(step, key) for step in self.steps], positions, states, words)
            for key, (symbol, words) in MESSAGES.items()
        ]
        masked = Table(
            "G_i" if positions[0].endswith("E") else "Ḡ_i",
            [step.output for step in self.steps],
            positions,
            tokens,
            f"masked outputs; the head reads row {self.read + 1}",
        )
        posterior = Table("P[H_0 | x]", [self.posterior], [""], states)
        return View(self.title, (), (posterior, *messages, masked, self.scores))


def explain(model: HMM, task: Task, word: Word, classifier: Classifier | None) -> Explanation | None:
    """Explain a word.

    None if it has probability 0. Without a classifier there is no prompt, and there are no head scores.
    """
    chain = model.chain(RATIONALS)
    posterior = initial_posterior(chain, chain.embed(word))
    if not posterior.any():
        return None
    embeddings = chain.embed([PLACEHOLDER, *word])
    tokens = ["E", *(model.tokens[token] for token in word)]
    if classifier is not None and classifier.prompt is not None:
        embeddings = classifier.prompt.prepend(chain, embeddings)
        tokens = ["u", *tokens]
    steps = _steps(chain, embeddings, tokens)
    read = tokens.index("E")
    rows = None if classifier is None else class_rows(classifier.head.b)
    return Explanation(
        model=model,
        word=word,
        posterior=posterior,
        task_scores=[dot(row, posterior) for row in task.classes],
        head_scores=None if rows is None else [dot(row, steps[read].output) for row in rows],
        steps=steps,
        read=read,
    )


def _steps(chain: Chain, embeddings: Array, tokens: list[str]) -> list[Step]:
    marginals = [chain.first]
    while len(marginals) < len(tokens):
        marginals.append(chain.transition @ marginals[-1])
    columns = (
        tokens,
        embeddings,
        predictions(chain, embeddings),
        np.array(marginals) * likelihoods(chain, embeddings),
        joint(chain, embeddings),
        masked_outputs(chain, embeddings),
    )
    return [Step(*step) for step in zip(*columns, strict=True)]
