"""One input step by step: posterior, messages, masked output, scores and both labels, as exact numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from constructions.fields import RATIONALS, Array
from constructions.heads import PLACEHOLDER, Classifier
from constructions.linear import Matrix
from constructions.messages import Chain, initial_posterior, joint, likelihoods, masked_outputs, predictions
from constructions.models import HMM
from constructions.tasks import Task, class_rows, label_of
from verify.functionals import Word


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
class Explanation:
    """How F* and a head label one input. `read` is the position (from 0) whose output the head reads."""

    model: HMM
    word: Word
    posterior: Array
    task_scores: list[Fraction]
    label: int
    steps: list[Step]
    read: int
    head_scores: list[Fraction] | None
    head_label: int | None

    def _repr_html_(self) -> str:
        from verify.display import explanation_view

        return explanation_view(self)._repr_html_()


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
    task_scores = _scores(task.classes, posterior)
    head_scores = None if classifier is None else _scores(class_rows(classifier.head.b), steps[read].output)
    return Explanation(
        model=model,
        word=word,
        posterior=posterior,
        task_scores=task_scores,
        label=label_of(task_scores),
        steps=steps,
        read=read,
        head_scores=head_scores,
        head_label=None if head_scores is None else label_of(head_scores),
    )


def _scores(rows: Matrix, vector: Array) -> list[Fraction]:
    return [sum((weight * entry for weight, entry in zip(row, vector, strict=True)), Fraction(0)) for row in rows]


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
