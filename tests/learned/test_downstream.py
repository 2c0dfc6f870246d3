"""Labelled inputs of the experiments: the posterior that labels them, the masked token, and splits without overlap.

Notation: constructions/__init__.py.
"""

from fractions import Fraction
from itertools import repeat
from typing import Any

import numpy as np
import pytest
from libraries import required

torch = required("torch")

from all_fields import model  # noqa: E402

from constructions.appendix_d import appendix_d_memory  # noqa: E402
from constructions.fields import Array  # noqa: E402
from constructions.linear import Matrix, Vector, dot  # noqa: E402
from constructions.reading import InputError  # noqa: E402
from constructions.tasks import Task  # noqa: E402
from learned import downstream  # noqa: E402
from learned.downstream import Downstream, labelled  # noqa: E402

TURNING = model("9/10 1/10", "1/10 9/10; 9/10 1/10", "9/10 1/10; 1/10 9/10")
"""P[H_1] = (18/100, 82/100) and P[H_0] favour different states, and 128 tokens leave the first state in doubt."""

TWO_LABELS = Task.of("0 0; 1 -1")


@pytest.fixture(scope="module")
def task() -> Downstream:
    return labelled(TURNING, [TWO_LABELS], 0, (30, 20, 20))


def integer_entries(matrix: Matrix, denominator: int) -> Array:
    """Return a matrix's entries in units of 1 / denominator, as integers."""
    return np.array([[int(denominator * entry) for entry in row] for row in matrix], dtype=object)


def likelihood(transition: Array, emission: Array, x: list[int]) -> list[Any]:
    """Return P[x | the state before x] for each state, up to a scale, computed from the last token backwards."""
    beta = np.full(len(transition), 1, dtype=object)
    for z in x[::-1]:
        beta = (emission[z] * beta) @ transition
    return list(beta)


def score(law: Vector, mu: Vector, x: list[int]) -> Fraction:
    """Return mu'P[H | x] in `TURNING`. H is the state before x, and `law` is its prior."""
    beta = likelihood(integer_entries(TURNING.transition, 10), integer_entries(TURNING.emission, 10), x)
    joint = [p * b for p, b in zip(law, beta, strict=True)]
    return dot(mu, joint) / sum(joint, Fraction(0))


# Labels


def test_labels_are_of_the_masked_state_where_the_start_law_would_give_others(task: Downstream) -> None:
    inputs, mu = task.tokens.tolist(), TWO_LABELS.mu[1]
    masked, start = ([score(law, mu, x) for x in inputs] for law in (TURNING.first, TURNING.initial))
    assert task.labels.tolist() == [int(value >= 0) for value in masked] != [int(value >= 0) for value in start]


def test_scores_that_are_equal_have_label_1_and_are_in_doubt() -> None:
    staying = model("1/2 1/2", "1 0; 0 1", "1/2 1/2; 1/8 1/2; 3/8 0")
    labels, doubtful = downstream.judge(staying, TWO_LABELS, torch.tensor([[0], [1]]))
    assert labels.tolist() == [True, False]
    assert doubtful == 1


def test_labels_of_a_memory_are_the_exact_ones_however_improbable_what_mu_needs() -> None:
    """In float64 the likelihoods of the values that mu weighs can vanish beside that of another value."""
    drawn, _ = appendix_d_memory(7, 4, 10, 1, 10**20)
    task = downstream.downstream("memory", 7, 1, (10, 5, 5))
    transition, emission = integer_entries(drawn.transition, 10**20), integer_entries(drawn.emission, 10**20)
    first = [dot(row, drawn.initial) for row in drawn.transition]
    for x, label in zip(task.tokens.tolist(), task.labels.tolist(), strict=True):
        total = Fraction(0)
        for value, p in enumerate(drawn.memory):
            columns = slice(4 * value, 4 * value + 4)
            before, after = (row[4 * value] for row in task.task.classes)
            total += (after - before) * p * dot(first, likelihood(transition, emission[:, columns], x))
        assert label == int(total >= 0)


# Inputs


def test_the_token_behind_the_mask_comes_first_and_the_masked_one_is_left_out() -> None:
    """X_1 is 2 or 3 and X_2 is 0 or 1."""
    alternating = model("1/2 1/2 0 0", "0 0 1 0; 0 0 0 1; 1 0 0 0; 0 1 0 0", "1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1")
    for length in (1, downstream.LENGTH):
        task = labelled(alternating, [Task.of("0 0 0 0; 0 0 1 -1")], 0, (20, 10, 10), length)
        assert task.tokens.shape == (40, length)
        assert task.tokens[:, 0].unique().tolist() == [0, 1]
        assert torch.equal(task.labels, 1 - task.tokens[:, 0])


def test_no_input_stands_in_two_splits_of_a_model_that_hardly_repeats_itself() -> None:
    """All splits have the same size. If they shared their random numbers, they would have the same inputs."""
    assert len(set(map(tuple, labelled(TURNING, [TWO_LABELS], 0, (30, 30, 30)).tokens.tolist()))) == 90


def test_a_task_is_redrawn_until_every_split_has_both_labels() -> None:
    for counts in ((1, 30, 30), (30, 1, 30), (30, 30, 1)):
        with pytest.raises(InputError, match="found one label in 21 draws of mu, expected both labels"):
            labelled(TURNING, repeat(TWO_LABELS), 0, counts)
