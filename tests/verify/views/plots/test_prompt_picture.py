"""The picture of a prompt: bars are the exact laws of H_2, and names say which states are in B and H*.

Notation: constructions/__init__.py.
"""

from fractions import Fraction
from itertools import product
from typing import Any

import memory_checks
import oracle
import pytest
from checks import plain, shipped
from drawn import verdict
from test_message_picture import written

from constructions.heads import Classifier
from constructions.memory.attention import AttentionClassifier
from constructions.reading import InputError
from constructions.tasks import MemoryTask
from verify import verify
from verify.views.plots.prompt import prompt_law


def bars(ax: Any) -> list[list[float]]:
    """Return the widths of the bars of both laws, without and behind the prompt, from the top."""
    return [[float(bar.get_width()) for bar in group] for group in ax.containers]


def shows(ax: Any, without: list[Fraction], behind: list[Fraction]) -> None:
    assert bars(ax) == [pytest.approx(list(map(float, law))) for law in (without, behind)]
    assert [text.get_text() for text in ax.texts] == [written(p) for p in (*without, *behind)]
    for text, (law, i) in zip(ax.texts, product((0, 1), range(len(without))), strict=True):
        bar = ax.containers[law][i]
        assert bar.get_y() <= text.xy[1] <= bar.get_y() + bar.get_height()


def normalised(law: list[Fraction]) -> list[Fraction]:
    return [p / sum(law) for p in law]


@pytest.mark.parametrize("name", ["only-3-5", "multiclass", "umbrella", "initial-zero"])
def test_bars_are_the_law_of_h_2_and_what_is_left_of_it(name: str) -> None:
    answer, (model, task) = verdict("3.6", name), shipped(name)
    assert answer.conclusion is not None
    assert isinstance(answer.conclusion.head, Classifier)
    assert answer.conclusion.head.prompt is not None
    u, steps = answer.conclusion.head.prompt.u, [list(row) for row in model.transition]
    first = oracle.times(steps, list(model.initial))
    without = normalised(oracle.times(steps, first))
    behind = normalised(oracle.times(steps, oracle.hadamard(list(u), first)))
    ax = prompt_law(answer)
    shows(ax, without, behind)
    marks = [label.get_text() for label in ax.get_yticklabels()]
    assert ["B" in mark.partition("[")[2] for mark in marks] == [bool(entry) for entry in u]
    assert ["H*" in mark for mark in marks] == [bool(p) for p in behind]
    assert ax.yaxis_inverted()
    if answer.status == "proved":  # u is the indicator of a B that meets 3.5
        assert oracle.meets_3_5(
            plain(model, task), plain(model, task)["task"]["mu"], [h for h, entry in enumerate(u) if entry]
        )


@pytest.mark.parametrize(("name", "cell"), [("topic-mixed", 0), ("loud-outsider", 0), ("sky-and-wind", 1)])
def test_of_a_memory_model_they_are_laws_of_the_task_s_cell_too(name: str, cell: int) -> None:
    model, shipped_task = memory_checks.shipped(name)
    task = MemoryTask(shipped_task.mu, cell)
    answer = verify("C.6", model, task)
    assert answer.conclusion is not None
    assert isinstance(answer.conclusion.head, AttentionClassifier)
    assert answer.conclusion.head.prompt is not None
    truth = memory_checks.plain(model, task)
    u = dict(zip(product(model.shape.memories, truth.states), answer.conclusion.head.prompt.u, strict=True))
    laws = []
    for weigh in (False, True):
        law = dict.fromkeys(product(truth.values, truth.states), Fraction(0))
        for memory, a, b, c in product(truth.memory, truth.states, truth.states, truth.states):
            p = truth.memory[memory] * truth.initial[a] * truth.transition[b, a] * truth.transition[c, b]
            law[memory[task.cell], c] += p * (u[memory, b] if weigh else 1)
        laws.append(normalised(list(law.values())))
    ax = prompt_law(answer)
    shows(ax, *laws)
    assert answer.recoverable is not None
    places = product(truth.values, range(len(truth.states)))
    expected = [m in task.support and h in answer.recoverable for m, h in places]
    assert ["H*" in label.get_text() for label in ax.get_yticklabels()] == expected


def test_the_title_counts_what_is_left() -> None:
    assert prompt_law(verdict("3.6", "only-3-5")).get_title() == "The prompt leaves 2 of 3 possible states of H₂"
    assert prompt_law(verdict("4.6", "last-position")).get_title().endswith("3 of 6 possible pairs (value, H₂)")


@pytest.mark.parametrize(
    ("statement", "name", "complaint"),
    [
        ("3.3", "umbrella", r"^prompt: found none in the head of 3\.3, expected a verdict on 3\.6, 4\.6 or C\.6$"),
        ("3.6", "neither", r"^head: found none for 3\.6 \(no head serves 4 inputs"),
    ],
)
def test_without_a_prompt_there_is_no_picture(statement: str, name: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        prompt_law(verdict(statement, name))
