"""A cell of figure 3 is about the model, task and inputs of its seed; its accuracies are those on the test inputs."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from libraries import required

torch = required("torch", "transformers")

from tiny import LIVELY, QUICK_PLAN, UNTAUGHT  # noqa: E402

from constructions.fields import Array  # noqa: E402
from learned import cells  # noqa: E402
from learned.attention import exact_sequence  # noqa: E402
from learned.cells import PLANS, Cell  # noqa: E402
from learned.controls import lookup_accuracy  # noqa: E402
from learned.downstream import downstream, draw  # noqa: E402
from learned.mlm import masked_lm  # noqa: E402
from learned.outputs import ExactOutputs, LearnedOutputs  # noqa: E402
from learned.pretrain import PRESETS  # noqa: E402
from learned.tune import PROMPT_LENGTH, Schedule, tune_by_gradient  # noqa: E402

PLAN = QUICK_PLAN


@pytest.fixture(autouse=True)
def plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLANS, "smoke", PLAN)
    monkeypatch.setitem(PRESETS, "smoke", UNTAUGHT)


@pytest.mark.parametrize("seed", [0, 1])
def test_a_cell_is_of_the_model_task_and_inputs_of_its_seed(seed: int, tmp_path: Path) -> None:
    content = cells.compute(Cell("smoke", "exact", "vanilla", 4, seed), tmp_path)
    task = downstream("vanilla", 4, seed, PLAN.exact_counts)
    assert task.model == draw("vanilla", 4, seed)[0]
    assert content["inputs"] == [40, 20, 20]
    assert content["majority"] == task.majority
    assert content["lookup"] == lookup_accuracy(task)


def test_attention_reads_exact_and_learned_outputs_at_the_same_positions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[tuple[Array, list[int]]] = []

    def judged(outputs: Array, positions: Any, *rest: object) -> float:
        calls.append((outputs, list(positions)))
        return 0.75 if len(calls) <= 2 else 0.5

    monkeypatch.setattr(cells, "tune_attention", judged)
    task = downstream("memory", 2, 0, PLAN.learned_counts)
    lm = masked_lm(10, LIVELY, 0).eval()
    content = cells._memory(Cell("smoke", "learned", "memory", 2, 0), task, {"learned": lm})
    assert set(content["on exact G"].values()) == {0.75}
    assert set(content["accuracy"].values()) == {0.5}
    sequence = exact_sequence(task.model, task.tokens)
    assert all(positions == [0, 40, 80, 120] for _, positions in calls)
    assert [torch.equal(outputs, sequence[:, [0, 40, 80, 120]]) for outputs, _ in calls] == [True, True, False, False]
    assert torch.equal(calls[2][0], LearnedOutputs(lm, task.tokens).sequence([0, 40, 80, 120]))


def test_a_head_and_a_prompt_are_tuned_in_the_paper_s_steps_beside_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = Schedule(60, 8, 0.1, 1)
    monkeypatch.setitem(
        PLANS, "smoke", replace(PLAN, sizes={"vanilla": (8,), "memory": ()}, exact_counts=(100, 20, 100), paper=steps)
    )
    accuracies = cells.compute(Cell("smoke", "exact", "vanilla", 8, 2), tmp_path)["the paper's steps"]
    task = downstream("vanilla", 8, 2, (100, 20, 100))
    exact = ExactOutputs(task)
    for way, length in (("head", 0), ("prompt", PROMPT_LENGTH)):
        [tuned] = tune_by_gradient(exact, [(task, 2)], "probabilities", steps, length)
        assert accuracies[f"{way}, probabilities"] == tuned.accuracy(exact, task)
    assert accuracies["prompt, probabilities"] != accuracies["head, probabilities"]


def test_a_slow_cell_has_heads_controls_and_what_is_right_by_theorem(tmp_path: Path) -> None:
    content = cells.compute(Cell("smoke", "learned", "slow", 4, 0), tmp_path)
    assert content["accuracy"].keys() == content["on exact G"].keys() == {"head, probabilities", "head, log-odds"}
    assert {"lookup", "counts", "decided by thirty tokens"} <= content.keys()
    assert content["constructed"]["3.3"]["identity"] is True
    assert content["margins"].keys() == {"3.3", "tuned on exact G", "tuned on the network"}
    pairs = content["margins"]["3.3"]["radii and errors"]
    assert len(pairs) == 10
    assert content["margins"]["3.3"]["right by theorem"] == sum(error < radius for radius, error in pairs) / 10
    assert content["majority"] == downstream("slow", 4, 0, PLAN.learned_counts).majority


def test_labels_are_tuned_at_each_number_and_laws_fitted_at_the_most(tmp_path: Path) -> None:
    content = cells.compute(Cell("smoke", "labels", "vanilla", 4, 0), tmp_path)
    rows = content["accuracy by labels"]
    assert rows.keys() == {"10", "40"}
    tuned = {f"{source}: {way}, log-odds" for source in ("exact", "learned", "untrained") for way in ("head", "prompt")}
    assert rows["40"].keys() == {"majority", "lookup", *tuned}
    assert content["mechanism"].keys() == {"no prompt", "prompt, log-odds"}
    fit = content["mechanism"]["prompt, log-odds"]
    assert fit["nearest"] <= fit["from P[H_1]"]
    assert content["divergence at the mask"] > content["mechanism"]["no prompt"]["nearest"] - 0.05


def test_transfer_has_its_prompts_at_each_distance_and_theirs_at_none(tmp_path: Path) -> None:
    content = cells.compute(Cell("smoke", "transfer", "vanilla", 4, 0), tmp_path)
    rows = content["transfer"]
    assert list(map(float, rows)) == [0, 0.05, 0.1, 0.2, 0.4]
    assert rows["0.0"]["labels that stay"] == rows["0.0"]["3.6"] == 1
    assert {"divergence", "margins"} <= content.keys()
    assert {cell.size for cell in cells.cells("cpu", {"transfer": 1}) if cell.source == "transfer"} == {4, 8, 10}
