"""Heads that theory makes of mu, W and an error, and the causes of what an attention head loses."""

from typing import Any

import numpy as np
import pytest

INSTALL = "is not installed: pip install -c constraints.txt -e '.[learned]'"
torch = pytest.importorskip("torch", reason=f"torch {INSTALL}")
pytest.importorskip("transformers", reason=f"transformers {INSTALL}")

from constructions.fields import Array  # noqa: E402
from learned import attention  # noqa: E402
from learned.attention import exact_sequence, hidden_posteriors  # noqa: E402
from learned.downstream import Downstream, memory, vanilla  # noqa: E402
from learned.fields import TORCH  # noqa: E402
from learned.mlm import Shape, masked_lm  # noqa: E402
from learned.outputs import ExactOutputs, NoisyOutputs  # noqa: E402
from learned.study import attended, untuned  # noqa: E402
from learned.tune import EXACT, Schedule, tune_by_gradient  # noqa: E402

QUICK = Schedule(60, 32, 0.2, 0.1, 5)


@pytest.fixture(scope="module")
def task() -> Downstream:
    return vanilla(4, 0, (200, 60, 100))


@pytest.fixture(scope="module")
def exact(task: Downstream) -> ExactOutputs:
    return ExactOutputs(task.model, task.likelihood)


def goal(task: Downstream) -> Array:
    return TORCH.array([after - before for before, after in zip(*task.task.classes, strict=True)])


def test_of_all_heads_with_the_scores_of_the_task_the_least_has_the_least_norm(task: Downstream) -> None:
    w = TORCH.array(task.model.emission)
    found = untuned.least_norm(task)
    assert torch.allclose(w.T @ found, goal(task))
    assert torch.allclose(found, torch.linalg.pinv(w.T) @ goal(task))


def test_a_ridge_for_no_error_has_the_scores_of_the_task_and_for_any_error_the_least_mean_square(
    task: Downstream,
) -> None:
    w, d, p = TORCH.array(task.model.emission), goal(task), TORCH.array(task.model.first)
    assert torch.allclose(w.T @ untuned.ridge(task, 1e-12), d, atol=1e-6)
    error = 0.3
    found = untuned.ridge(task, error)

    def loss(b: Array) -> float:
        return float((p * (w.T @ b - d) ** 2).sum() + error * (b @ b))

    generator = torch.Generator().manual_seed(0)
    for _ in range(20):
        other = found + 0.05 * torch.randn(len(found), generator=generator, dtype=torch.float64)
        assert loss(found) < loss(other)


def test_a_margin_as_large_as_an_error_leaves_no_input_wrong_whatever_direction_it_has() -> None:
    random = np.random.Generator(np.random.PCG64(0))
    x = torch.as_tensor(random.dirichlet([0.3] * 3, 200))
    x = x[(x[:, 0] - x[:, 1]).abs() > 0.2]
    labels = (x[:, 0] > x[:, 1]).long()
    b = untuned.margin(x, labels, 0.1)
    assert float(b.abs().sum()) <= 1 + 1e-9
    sign = 2.0 * labels.double() - 1
    assert bool((sign * (x @ b) >= 0.1 - 1e-9).all())
    worst = x - 0.0999 * sign[:, None] * torch.sign(b)
    assert bool((((worst @ b) >= 0) == (labels == 1)).all())


def test_heads_from_theory_are_right_on_exact_outputs_and_the_matched_ones_see_the_error(
    task: Downstream, exact: ExactOutputs
) -> None:
    noisy = NoisyOutputs(exact, 0.5, len(task.tokens), 0)
    found = untuned.accuracies(task, exact, exact)
    assert list(found) == ["first tokens", "least norm", "ridge", "margin"]
    assert min(found.values()) >= 0.98
    quiet, loud = untuned.heads(task, exact, exact), untuned.heads(task, exact, noisy)
    assert torch.equal(quiet["least norm"].weights, loud["least norm"].weights)
    assert not torch.allclose(quiet["ridge"].weights, loud["ridge"].weights)


def test_the_labels_of_other_inputs_change_no_head_from_theory(task: Downstream, exact: ExactOutputs) -> None:
    from dataclasses import replace

    labels = task.labels.clone()
    labels[untuned.DRAWN :] = 1 - labels[untuned.DRAWN :]
    other = replace(task, labels=labels)
    for name, head in untuned.heads(task, exact, exact).items():
        assert torch.equal(head.weights, untuned.heads(other, exact, exact)[name].weights)


def test_the_paper_s_steps_end_where_the_last_one_does(task: Downstream, exact: ExactOutputs) -> None:
    taken = []
    tuned = tune_by_gradient(exact, task, "probabilities", QUICK, 0, 3, advance=lambda: taken.append(1))
    assert len(taken) == QUICK.steps
    assert tuned.prompt is not None
    assert tuned.prompt.shape == (3, 4)
    assert tuned.validation >= 0.9
    assert EXACT.steps != QUICK.steps


def test_positions_that_a_cycle_divides_show_one_hidden_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """With two memory values and seed 0 the chain has cycles of 2: half of all positions show the same state."""
    monkeypatch.setattr(attended, "STRIDES", (9, 8))
    small = memory(2, 4, 0, (150, 50, 100))
    found = dict(attended.by_stride(small, 0, Schedule(60, 32, 0.1, 0.0, 5)))
    odd, even = (found[f"exact G, every {k}. position"]["probabilities"] for k in (9, 8))
    assert odd > even + 0.05


def test_each_arm_has_its_own_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    small = memory(2, 4, 1, (40, 20, 40))
    lm = masked_lm(10, Shape(layers=1, width=8, heads=2, positions=129, dropout=0.0), 0).eval()
    seen: list[tuple[Array, Array | None]] = []

    def tuned(outputs: Array, *rest: Any, keys: Array | None = None) -> tuple[float, float]:
        seen.append((outputs, keys))
        return 0.5, 0.5

    monkeypatch.setattr(attention, "tune_attention", tuned)
    positions = range(0, 129, 32)
    found = dict(attended.by_cause(lm, small, 2, positions, 1))
    near = attended.alike(small, 2)
    # State 0 of this chain is never left, and there two memories emit within 0.005 of each other.
    posterior = hidden_posteriors(small.model, small.tokens).unflatten(-1, (2, -1)).sum(-2)
    assert torch.equal(near, posterior[:, 5].argmax(-1) == 0)
    assert 0 < int(near.sum()) < len(near)
    exact = exact_sequence(small.model, small.tokens)[:, list(positions)]
    arms = dict(zip(list(found)[1:], seen[::2], strict=False))
    assert torch.equal(arms["exact G"][0], exact)
    learned = arms["learned"][0]
    assert not torch.allclose(learned, exact)
    assert torch.equal(arms["exact keys"][0], learned)
    assert torch.equal(arms["exact values"][0], exact)
    mended = arms["exact G where inputs are alike"][0]
    assert torch.equal(mended[near], exact[near])
    assert torch.equal(mended[~near], learned[~near])
    broken = arms["exact G where they are not"][0]
    assert torch.equal(broken[near], learned[near])
    assert torch.equal(broken[~near], exact[~near])
    assert found["alike inputs"]["test inputs"] == int(near[small.rows("test")].sum())
