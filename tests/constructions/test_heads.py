"""Heads and prompts as they are written and read."""

import json
from fractions import Fraction

import numpy as np
import pytest

from constructions.fields import INTEGERS
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.memory.attention import AttentionHead
from constructions.models import HMM
from constructions.tasks import Task
from constructions.text.documents import parse
from constructions.text.entries import read_matrix, read_vector

MODEL = HMM.of("1/2 1/2", "3/4 1/2; 1/4 1/2", "1/2 1/4; 1/4 1/2; 1/4 1/4")
ROWS = Classifier(LinearHead.of("1 0 -1; 0 1/3 2"), SoftPrompt.of("1 1/2"))


def read(head: object, prompt: object, task: str) -> Classifier:
    b, u = (parse(json.dumps(part), "head.json") for part in (head, prompt))
    return Classifier.from_node(b, u, MODEL, Task.of(task))


@pytest.mark.parametrize(
    ("classifier", "task"), [(ROWS, "1 0; 0 1"), (Classifier(LinearHead.of("1 0 -1")), "1 -1")], ids=["rows", "binary"]
)
def test_what_is_written_is_read_back(classifier: Classifier, task: str) -> None:
    assert read(*classifier.documents, task) == classifier


def test_the_score_of_a_position_is_added_to_that_of_its_output() -> None:
    """Position i scores 2 a_i[0] + 3 beta_i[1], for its output a_i and its position vector beta_i.

    The last position vector also serves all later positions.
    """
    parts = ("1 0; 0 0", "0 1; 0 2", "1 0; 0 1", "1 -1", "1 1; 1 1")
    head = AttentionHead(read_vector("2 3", "query"), *(read_matrix(part, "a part") for part in parts))
    attention = head.attend(read_matrix("1 0; 0 1; 0 1", "outputs"), read_matrix("1 1; 1 1; 1 2", "embeddings"))
    assert attention.scores == read_vector("5 6 6", "scores")
    assert attention.attended == (1, 2)
    assert attention.values == read_matrix("0 1; 0 -1; 0 -2", "values")
    assert attention.output == read_vector("0 -3/2", "output")
    assert attention.label == 0


def test_scores_are_of_the_field_of_the_outputs_up_to_its_scale() -> None:
    head, outputs = LinearHead.of("0 1/3"), np.array([0, 1])
    assert head.scores(outputs).tolist() == [0, Fraction(1, 3)]
    assert head.scores(outputs, INTEGERS).tolist() == [0, 1]
    assert head.scores(np.array([0.0, 1.0])).dtype == np.float64
    chain, classifier = MODEL.chain(), Classifier(LinearHead.of("0 1/3 1/2"))
    expected = classifier.head.scores(classifier.output(chain, (0,)), INTEGERS).tolist()
    assert classifier.scores(chain, (0,)).tolist() == expected


@pytest.mark.parametrize(
    ("b", "radii"), [("1 -1", [0, 1 / 2]), ("3 0; 0 1; 2 0", [1 / 4, 3 / 4]), ("1 2; 1 2", [np.inf, np.inf])]
)
def test_a_label_bears_errors_up_to_the_least_gap_over_the_distance_of_rows(b: str, radii: list[float]) -> None:
    """Where all rows are equal, no error changes the label, and the radius is infinite."""
    assert LinearHead.of(b).radius(np.array([[0.5, 0.5], [1.0, 0.0]])).tolist() == radii
