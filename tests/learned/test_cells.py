"""A cell computes what its name says: its own seed, its own inputs, test accuracies, and the positions asked for."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

INSTALL = "is not installed: pip install -c constraints.txt -e '.[learned]'"
torch = pytest.importorskip("torch", reason=f"torch {INSTALL}")
pytest.importorskip("transformers", reason=f"transformers {INSTALL}")

from constructions.fields import Array  # noqa: E402
from learned import cells  # noqa: E402
from learned.attention import exact_sequence, learned_sequence  # noqa: E402
from learned.cells import PLANS, Cell, Plan  # noqa: E402
from learned.controls import lookup_accuracy  # noqa: E402
from learned.downstream import drawn, memory, vanilla  # noqa: E402
from learned.mlm import Shape, masked_lm  # noqa: E402
from learned.outputs import ExactOutputs  # noqa: E402
from learned.tune import PROMPT_LENGTH, Schedule, tune_by_gradient  # noqa: E402

QUICK = Schedule(4, 8, 0.1, 0.1, 1)
SEEDS = {"exact": 1, "learned": 1, "untrained": 1, "labels": 1}
PLAN = Plan(
    (4,), (2,), SEEDS, (40, 20, 20), (20, 10, 10), (10, 40), QUICK, QUICK, QUICK, restarts=1, stride=40, paper=QUICK
)


@pytest.fixture(autouse=True)
def plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLANS, "smoke", PLAN)


@pytest.mark.parametrize("seed", [0, 1])
def test_a_cell_is_of_the_model_task_and_inputs_of_its_seed(seed: int, tmp_path: Path) -> None:
    found = cells.compute(Cell("exact", "vanilla", 4, seed), "smoke", tmp_path)
    task = vanilla(4, seed, PLAN.exact_counts)
    assert task.model == drawn(4, seed)[0]
    assert found["inputs"] == [40, 20, 20]
    assert found["majority"] == task.majority
    assert found["margin"]["median"] == float(task.margins[task.rows("test")].abs().median())
    assert found["lookup"] == lookup_accuracy(task)


def test_attention_reads_exact_and_learned_outputs_at_the_same_positions_and_is_judged_on_the_test(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[Array, list[int]]] = []

    def judged(outputs: Array, positions: Any, *rest: object) -> tuple[float, float]:
        seen.append((outputs, list(positions)))
        return 0.25, 0.75 if len(seen) <= 2 else 0.5

    monkeypatch.setattr(cells, "tune_attention", judged)
    task = memory(2, 4, 0, PLAN.learned_counts)
    lm = masked_lm(10, Shape(layers=1, width=8, heads=2, positions=129, dropout=0.0), 0).eval()
    found = cells._memory(task, PLAN, Cell("learned", "memory", 2, 0), lm)
    assert set(found["on exact G"].values()) == {0.75}
    assert set(found["accuracy"].values()) == {0.5}
    every = exact_sequence(task.model, task.tokens)
    assert all(positions == [0, 40, 80, 120] for _, positions in seen)
    assert [torch.equal(outputs, every[:, [0, 40, 80, 120]]) for outputs, _ in seen] == [True, True, False, False]
    assert torch.equal(seen[2][0], learned_sequence(lm, task.tokens, [0, 40, 80, 120]))


def test_each_way_of_head_tuning_stands_under_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    paper, release = replace(QUICK, steps=3), replace(QUICK, steps=40)
    monkeypatch.setattr(cells, "PAPER", paper)
    monkeypatch.setattr(cells, "RELEASE", release)
    task = vanilla(8, 0, (200, 50, 100))
    exact = ExactOutputs(task.model, task.likelihood)
    studied = replace(PLAN, sizes=(), studied=(8,))
    found = cells._tune_as_published(task, studied, Cell("exact", "vanilla", 8, 3), exact)["recipes"]
    expected = {
        f"probabilities, {name}{', whitened' if white else ''}": tune_by_gradient(
            exact, task, "probabilities", schedule, 3, whitened=white
        ).accuracy(exact, task)
        for name, schedule in (("the paper's steps", paper), ("the release's steps", release))
        for white in (False, True)
    }
    assert len(set(expected.values())) > 2
    assert {name: found[name] for name in expected} == expected


def test_a_head_and_a_prompt_are_tuned_in_the_paper_s_steps_beside_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = Schedule(60, 8, 0.1, 0.3, 1)
    monkeypatch.setitem(PLANS, "smoke", replace(PLAN, sizes=(8,), exact_counts=(100, 20, 100), paper=steps))
    found = cells.compute(Cell("exact", "vanilla", 8, 2), "smoke", tmp_path)["the paper's steps"]
    task = vanilla(8, 2, (100, 20, 100))
    exact = ExactOutputs(task.model, task.likelihood)
    tuned = {
        "head, probabilities": tune_by_gradient(exact, task, "probabilities", steps, 2),
        "prompt, probabilities": tune_by_gradient(exact, task, "probabilities", steps, 2, PROMPT_LENGTH),
    }
    assert found == {name: one.accuracy(exact, task) for name, one in tuned.items()}
    assert found["prompt, probabilities"] != found["head, probabilities"]
