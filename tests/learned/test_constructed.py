"""Constructed heads and prompts, and learned ones, on the exact outputs G and on a language model barely trained.

Notation: constructions/__init__.py.
"""

from dataclasses import replace
from pathlib import Path

import pytest
from libraries import required

torch = required("torch", "transformers")

from tiny import UNTAUGHT  # noqa: E402

from constructions.fields import INTEGERS  # noqa: E402
from constructions.tasks import Task, label_of  # noqa: E402
from learned import cells, constructed  # noqa: E402
from learned.cells import PLANS, Cell, Plan  # noqa: E402
from learned.downstream import Downstream, downstream  # noqa: E402
from learned.outputs import ExactOutputs  # noqa: E402
from learned.pretrain import PRESETS  # noqa: E402
from learned.tune import Schedule, Tuned  # noqa: E402

COUNTS = (60, 30, 30)


@pytest.fixture(scope="module")
def task() -> Downstream:
    return downstream("vanilla", 8, 0, COUNTS)


@pytest.fixture(scope="module")
def exact(task: Downstream) -> ExactOutputs:
    return ExactOutputs(task)


# The constructed side


def test_constructed_heads_are_right_exactly_and_their_identity_holds(task: Downstream, exact: ExactOutputs) -> None:
    built = constructed.constructed(task)
    assert built.keys() == {"3.3", "3.6"}
    for classifier in built.values():
        assert constructed.identity(task, classifier)
    rows = task.rows("test")
    scores = built["3.3"].scores(task.model.chain(INTEGERS), task.tokens[rows].tolist())
    assert [label_of(list(row)) for row in scores] == task.labels[rows].tolist()
    assert constructed.in_doubles(built["3.3"]).accuracy(exact, task) > 0.9


def test_the_identity_of_a_head_for_another_task_fails(task: Downstream) -> None:
    other = replace(task, task=Task(tuple(tuple(2 * m for m in row) for row in task.task.mu)))
    assert not constructed.identity(task, constructed.constructed(other)["3.3"])


def test_accuracy_is_that_of_the_test_inputs_and_a_majority_that_of_the_training_s_label(
    task: Downstream, exact: ExactOutputs
) -> None:
    """Two thirds of the training inputs, all validation inputs and 5 of the 30 test inputs have label 1."""
    uneven = replace(task, labels=torch.tensor([1] * 40 + [0] * 20 + [1] * 30 + [1] * 5 + [0] * 25))
    always = Tuned("probabilities", torch.zeros(10, dtype=torch.float64), 1.0)
    never = Tuned("probabilities", torch.zeros(10, dtype=torch.float64), -1.0)
    assert uneven.majority == pytest.approx(5 / 30)
    assert always.accuracy(exact, uneven) == pytest.approx(5 / 30)
    assert never.accuracy(exact, uneven) == pytest.approx(25 / 30)


# Cells


def test_a_learned_cell_tells_a_poor_language_model_from_exact_g(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two steps of pretraining teach nothing.

    The same tuning gives more than 90% of the test inputs their label with exact G, and fewer with the network.
    """
    quick = Schedule(20, 16, 0.1, 2)
    sizes = {"vanilla": (8,), "memory": (2,), "slow": ()}
    plan = Plan(sizes, {}, COUNTS, (100, 30, 60), (), quick, quick, replace(quick, steps=60), 1, 32, paper=quick)
    monkeypatch.setitem(PRESETS, "smoke", UNTAUGHT)
    monkeypatch.setitem(PLANS, "smoke", plan)
    by_kind = {
        kind: cells.compute(Cell("smoke", "learned", kind, n, 0), tmp_path) for kind in sizes for n in sizes[kind]
    }
    for kind, name in (
        ("vanilla", "head, log-odds"),
        ("vanilla", "prompt, log-odds"),
        ("memory", "attention, log-odds"),
    ):
        cell = by_kind[kind]
        assert cell["inputs"] == [100, 30, 60]
        assert cell["on exact G"].keys() == cell["accuracy"].keys()
        assert cell["on exact G"][name] > 0.9 > cell["accuracy"][name], (kind, name)
