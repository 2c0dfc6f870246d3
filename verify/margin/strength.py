"""What `headproof margin` says of a head: singular values of W, the norm of b, and its margins up to a length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

from constructions.evidence import written
from constructions.heads import Classifier
from constructions.linear import Matrix, columns, minus
from constructions.memory.attention import AttentionClassifier
from constructions.memory.model import MemoryHMM
from constructions.models import HMM, Model
from constructions.reading import as_text, texts
from constructions.tasks import MemoryTask, Task, class_rows
from verify.certificates import Json
from verify.heads.one_attention import at_every_scale
from verify.margin.attention import attention_margins
from verify.margin.distance import Distance, distances
from verify.margin.enclosures import Enclosure, euclidean_norm, smallest_singular_value
from verify.margin.linear import Margins, Weighed, linear_margins, summary
from verify.prover import recoverable_states
from verify.statements import Statement
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Problem

Watch: TypeAlias = Callable[[Iterable[Weighed]], Iterator[Weighed]]
"""Shows progress while inputs are weighed."""


@dataclass(frozen=True)
class Norms:
    """||b_m - b_l||_1 and ||b_m - b_l||_2 for labels l < m with b_l != b_m; of a binary head, ||b||."""

    labels: tuple[int, int]
    one: Fraction
    two: Enclosure


@dataclass(frozen=True)
class Strength:
    """A head's figures.

    `recoverable`: H* as columns of W; of a linear head, the states that its output can come from. `singular_values`:
    sigma_min of W, and of these columns. `every_scale`: softmax attention is known to have F* at each, on R.
    """

    statement: str
    model: Model
    recoverable: tuple[int, ...]
    singular_values: tuple[Enclosure, Enclosure]
    norms: tuple[Norms, ...]
    length: int
    margins: Margins
    distances: tuple[Distance, ...]
    every_scale: bool = False


def strength(
    statement: Statement,
    model: Model,
    task: Task,
    classifier: Classifier | AttentionClassifier,
    length: int,
    watch: Watch = iter,
) -> Strength:
    """Measure a head of a statement's class over all inputs up to a length. Raises `ValueError` for any other head."""
    if isinstance(model, MemoryHMM) and isinstance(task, MemoryTask) and isinstance(classifier, AttentionClassifier):
        problem = MemoryProblem(model, task, recoverable_states(statement, model, task))
        weighed, every_scale = attention_margins(problem, classifier, length), at_every_scale(problem, classifier)
        values = range(model.shape.values) if classifier.prompt is None else sorted(task.support)
        recoverable = tuple(model.shape.column(m, h) for m in values for h in problem.states)
    elif isinstance(model, HMM) and isinstance(classifier, Classifier):
        weighed, every_scale = linear_margins(Problem(model, task), classifier, length), False
        recoverable = tuple(h for h, weight in enumerate(classifier.weights(model)) if weight)
    else:
        raise ValueError(f"not a head for a model of the kind {statement.about}")
    inputs, length = _weighed(weighed, watch, length)
    margins = summary(inputs)
    sigma = smallest_singular_value(model.emission), smallest_singular_value(columns(model.emission, recoverable))
    norms, far = tuple(_norms(classifier.head.b)), tuple(distances(model, task))
    return Strength(statement.id, model, recoverable, sigma, norms, length, margins, far, every_scale)


def _weighed(weighed: Iterable[Weighed], watch: Watch, length: int) -> tuple[list[Weighed], int]:
    """Return the inputs, and up to which length they are all there: less than was asked for, if interrupted."""
    found: list[Weighed] = []
    try:
        found.extend(watch(weighed))
    except KeyboardInterrupt:
        length = max((len(one.word) for one in found), default=1) - 1
        if not length:
            raise
    return [one for one in found if len(one.word) <= length], length


def _norms(b: Matrix) -> Iterator[Norms]:
    for (l, lower), (m, upper) in combinations(enumerate(class_rows(b)), 2):
        if any(row := minus(upper, lower)):
            yield Norms((l, m), sum(map(abs, row), Fraction(0)), euclidean_norm(row))


def document(found: Strength) -> Json:
    """The figures as JSON. An enclosure is ["lo", "hi"]; a power of two is written out.

    `softmax`: from which one on; null where every one will do, or where a tie has `prevented` any; `every_length` is
    true where every one is known to do on all of R.
    """
    margins, scale = found.margins, found.margins.scale
    softmax = {
        "scale": as_text(Fraction(2) ** scale) if isinstance(scale, int) else None,
        "prevented": scale == "none",
        "input": written(margins.scale_word),
        "every_length": found.every_scale,
    }
    return {
        "statement": found.statement,
        "model": found.model.name,
        "length": found.length,
        "inputs": margins.inputs,
        "recoverable_columns": list(found.recoverable),
        "singular_value": texts(found.singular_values[0]),
        "recoverable_singular_value": texts(found.singular_values[1]),
        "b": [{"labels": list(n.labels), "norm_1": as_text(n.one), "norm_2": texts(n.two)} for n in found.norms],
        "ties": {"count": len(margins.ties), "input": list(margins.ties[0]) if margins.ties else None},
        "smallest_score": written(margins.score),
        "largest_error": written(margins.error),
        "largest_error_apart_from_ties": written(margins.error_apart_from_ties),
        "mislabelled": written(margins.mislabelled),
        "softmax": softmax if isinstance(found.model, MemoryHMM) else None,
        "distances": [one.document for one in found.distances],
    }
