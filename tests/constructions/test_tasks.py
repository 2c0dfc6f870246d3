"""F*: the arg max of scores, ties to the largest index, and mu as a vector or as rows.

Notation: constructions/__init__.py.
"""

from fractions import Fraction
from typing import Any

import oracle
import pytest
from checks import MANY, computed_labels_are_f_star, refusal, shipped
from hypothesis import given
from hypothesis import strategies as st

from constructions.fields import FLOAT64, INTEGERS
from constructions.heads import Classifier, LinearHead
from constructions.reading import InputError
from constructions.tasks import MemoryTask, Task, label_of, read_rows, row_or_rows
from constructions.text.documents import parse


def row(*entries: int) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, entries))


@MANY
@given(st.lists(st.integers(-2, 2).map(Fraction), min_size=1, max_size=5))
def test_the_label_is_the_largest_index_of_the_largest_score(scores: list[Fraction]) -> None:
    assert label_of(scores) == oracle.largest(scores)


def test_a_score_of_exactly_zero_has_label_one() -> None:
    assert label_of([Fraction(0), Fraction(0)]) == 1


def test_inputs_with_a_score_of_exactly_zero_get_label_one_from_the_head_too() -> None:
    model, task = shipped("tie")
    computed_labels_are_f_star(model, task)


def test_a_vector_stands_for_the_rows_zero_and_itself() -> None:
    task = Task((row(2, -1),))
    assert task.classes == (row(0, 0), row(2, -1))
    assert list(task.labels) == [0, 1]


def test_several_rows_have_a_label_each() -> None:
    task = Task((row(1, 0), row(0, 0), row(0, 0)))
    assert task.classes == task.mu
    assert list(task.labels) == [0, 1, 2]


def test_the_support_is_where_some_row_is_not_zero() -> None:
    assert Task((row(1, 0, 0), row(0, 0, -2))).support == {0, 2}


@pytest.mark.parametrize("mu", [(), (row(1, 0), row(1)), (row(0, 0),), (row(0, 0), row(0, 0)), (row(),)])
def test_a_mu_without_rows_with_ragged_rows_or_of_zeros_is_refused(mu: tuple[tuple[Fraction, ...], ...]) -> None:
    with pytest.raises(InputError, match="mu: found"):
        Task(mu)


@pytest.mark.parametrize(
    ("mu", "complaint"),
    [
        ([row(1, 0)], "mu: found list, expected a tuple of fractions"),
        (([Fraction(1)],), "mu[0]: found list, expected a tuple of fractions"),
        ((row(1), (0.5,)), "mu[1], entry 0: found the float 0.5"),
    ],
)
def test_a_mu_that_is_not_exact_is_refused_by_its_place(mu: Any, complaint: str) -> None:
    assert refusal(Task, mu).startswith(complaint)


def test_a_task_of_a_cell_prints_itself_as_it_is_read() -> None:
    assert repr(MemoryTask.of("1 -1", cell=2)) == "MemoryTask.of('1 -1', cell=2)"
    assert repr(MemoryTask.of("1 -1", 0, [1])) == "MemoryTask.of('1 -1', cell=0, recoverable=(1,))"
    with pytest.raises(InputError, match=r"^mu\[0\]: found nothing"):
        MemoryTask.of("")


@pytest.mark.parametrize(("text", "rows"), [("[1, 2]", (row(1, 2),)), ("[[1, 2], [3, 4]]", (row(1, 2), row(3, 4)))])
def test_rows_are_read_and_written_alike(text: str, rows: tuple[tuple[Fraction, ...], ...]) -> None:
    assert read_rows(parse(text), 2) == rows
    assert row_or_rows(rows) == (rows[0] if len(rows) == 1 else rows)


def test_a_head_of_several_rows_labels_by_their_arg_max_and_ties_go_to_the_largest() -> None:
    head = LinearHead((row(1, 0), row(0, 1), row(0, 1)))
    assert label_of(list(head.scores(INTEGERS.array(row(2, 1))))) == 0
    assert label_of(list(head.scores(FLOAT64.array(row(0, 1))))) == 2


def test_a_head_of_zeros_always_says_one() -> None:
    model, _ = shipped("umbrella")
    assert label_of(list(Classifier(LinearHead((row(0, 0),))).scores(model.chain(), (0, 1)))) == 1
