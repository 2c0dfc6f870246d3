"""Learned heads and prompts beside the constructed ones, on exact G and on a language model that has learned little."""

import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install -c constraints.txt -e '.[learned]'")
pytest.importorskip(
    "transformers", reason="transformers is not installed: pip install -c constraints.txt -e '.[learned]'"
)

from all_fields import model  # noqa: E402
from checks import shipped  # noqa: E402

from constructions.models import HMM  # noqa: E402
from constructions.tasks import Task  # noqa: E402
from learned import cells, compare, mlm  # noqa: E402
from learned.cells import PLANS, Cell, Plan  # noqa: E402
from learned.downstream import Downstream, of_model, vanilla  # noqa: E402
from learned.fields import TORCH  # noqa: E402
from learned.outputs import ExactOutputs  # noqa: E402
from learned.presets import PRESETS, Preset, Stage  # noqa: E402
from learned.tune import FEATURES, Head, Schedule, Tuned, tune_head  # noqa: E402

COUNTS = (60, 30, 30)


@pytest.fixture(scope="module")
def task() -> Downstream:
    return vanilla(8, 0, COUNTS)


@pytest.fixture(scope="module")
def exact(task: Downstream) -> ExactOutputs:
    return ExactOutputs(task.model, task.likelihood)


# The constructed side


def test_constructed_heads_are_right_exactly_and_their_identity_holds(task: Downstream, exact: ExactOutputs) -> None:
    built = compare.constructed(task)
    assert built.keys() == {"3.3", "3.6"}
    for classifier in built.values():
        assert compare.identity(task, classifier)
        assert compare.exact_accuracy(task, classifier) == 1
    assert compare.constructed_accuracies(task, exact)["3.3"]["exact"] == 1


def test_a_constructed_head_is_evaluated_on_the_test_inputs(task: Downstream) -> None:
    at = task.rows("test")
    labels = task.labels.clone()
    labels[at] = 1 - labels[at]
    assert compare.exact_accuracy(replace(task, labels=labels), compare.constructed(task)["3.3"]) == 0


def test_where_only_3_5_holds_a_linear_head_needs_the_prompt_of_its_b() -> None:
    """In the shipped model `only-3-5` two states' columns add up to twice the third's."""
    [(only_3_5, wanted)] = shipped("only-3-5")
    task = of_model(only_3_5, wanted, 0, (200, 50, 100))
    exact = ExactOutputs(only_3_5, task.likelihood)
    found = compare.constructed_accuracies(task, exact)
    assert found.pop("3.6") == {"identity": True, "exact": 1.0, "float64": 1.0}
    assert found == {f"B-set prompt, tuned head, {features}": 1.0 for features in FEATURES}
    assert tune_head(exact, task, "probabilities").accuracy(exact, task) < 0.9


def test_without_a_cover_the_prompt_leaves_the_states_likeliest_to_go_where_mu_looks() -> None:
    """Equal columns: 3.5 fails. State 0 goes to 1, 1 to 2, 2 to 0, for the most part; mu tells 1 from 2, and both rows
    have the same weight at 0.
    """
    turn = "1/10 1/10 8/10; 8/10 1/10 1/10; 1/10 8/10 1/10"
    task = replace(vanilla(4, 1, COUNTS), model=model("1/3 1/3 1/3", turn, "1/2 1/2 1/2; 1/2 1/2 1/2"))
    wanted = replace(task, task=Task.of("5 0 0; 5 1 -1"))
    assert compare.needed(wanted) == [1, 2]
    assert compare.nearest_prompt(wanted) == (0, 1)


def test_the_identity_of_a_head_for_another_task_fails(task: Downstream) -> None:
    other = replace(task, task=Task(tuple(tuple(2 * m for m in row) for row in task.task.mu)))
    assert not compare.identity(task, compare.constructed(other)["3.3"])


def test_an_angle_knows_no_scale_no_bias_and_nothing_that_w_annihilates() -> None:
    task = vanilla(4, 1, COUNTS)
    built = compare.float_head(compare.constructed(task)["3.3"]).weights
    unseen = torch.linalg.svd(TORCH.array(task.model.emission).T).Vh[-1]  # W'unseen = 0
    same = Tuned(Head("probabilities", 3 * built + 0.5 + 7 * unseen, -0.5), None, 0.0)
    opposite = Tuned(Head("probabilities", -built, 0.0), None, 0.0)
    for key in ("tokens", "states"):
        assert (compare.angles(task, same) or {})[key] == pytest.approx(0, abs=1e-4)
        assert (compare.angles(task, opposite) or {})[key] == pytest.approx(180, abs=1e-4)


def test_sigma_min_is_right_far_below_what_doubles_resolve() -> None:
    tiny, half = Fraction(1, 10**25), Fraction(1, 2)
    model = HMM((half, half), ((half, half), (half, half)), ((half, half + tiny), (half, half - tiny)))
    assert compare.sigma_min(model) == pytest.approx(1e-25, rel=1e-9)


@pytest.mark.parametrize("emission", ["1/2 1/4; 1/4 1/4; 1/4 1/2", "1/2 1/3 1/4; 1/2 2/3 3/4"])
def test_sigma_min_of_wide_and_tall_emissions_is_the_least_of_their_singular_values(emission: str) -> None:
    n = len(emission.split(";")[0].split())
    uniform = " ".join([f"1/{n}"] * n)
    found = model(uniform, "; ".join([uniform] * n), emission)
    assert compare.sigma_min(found) == pytest.approx(float(torch.linalg.svdvals(TORCH.array(found.emission)).min()))


def test_axes_are_deviations_of_what_a_head_reads_largest_first(task: Downstream, exact: ExactOutputs) -> None:
    """Eight posteriors that sum to 1 span seven directions of G, and no more of them is to be found."""
    found, rows = compare.axes(exact, task, "probabilities"), task.rows("training")
    x = exact(None, rows)[0]
    assert sum(deviation**2 for deviation in found) == pytest.approx(float(x.var(0, correction=0).sum()))
    assert found == sorted(found, reverse=True)
    assert found[5] > 1e-3 > 1e-14 > found[7]
    assert compare.axes(exact, task, "log-odds")[6] > 1


# What is counted


def test_accuracy_is_that_of_the_test_inputs_and_a_majority_that_of_the_training_s_label(
    task: Downstream, exact: ExactOutputs
) -> None:
    """Label 1: two thirds of training, all of validation, 5 of 30 test inputs."""
    labels = torch.tensor([1] * 40 + [0] * 20 + [1] * 30 + [1] * 5 + [0] * 25)
    uneven = replace(task, labels=labels)
    always = Tuned(Head("probabilities", torch.zeros(10, dtype=torch.float64), 1.0), None, 0.0)
    never = Tuned(Head("probabilities", torch.zeros(10, dtype=torch.float64), -1.0), None, 0.0)
    assert uneven.majority == pytest.approx(5 / 30)
    assert always.accuracy(exact, uneven) == pytest.approx(5 / 30)
    assert never.accuracy(exact, uneven) == pytest.approx(25 / 30)


# What a prompt does


def test_a_prompt_that_leaves_one_state_has_the_law_of_its_successors(task: Downstream, exact: ExactOutputs) -> None:
    masses = []
    for state in range(8):
        raw = torch.full((1, 8), -torch.inf, dtype=torch.float64)
        raw[0, state] = torch.inf
        after = [float(row[state]) for row in task.model.transition]
        found = compare.prior_under(task, exact, raw)
        masses.append(found["mass on supp(mu)"])
        assert masses[-1] == pytest.approx(sum(after[h] for h in compare.needed(task)))
        assert found["effective states"] == pytest.approx(2 ** -sum(p * math.log2(p) for p in after if p))
    assert min(masses) < 0.5 < max(masses)


def test_the_law_that_fits_exact_outputs_is_the_one_that_the_prompt_makes() -> None:
    """For inputs that say little of their state; after 128 tokens of appendix D no law can be told from another."""
    task = vanilla(4, 0, COUNTS)
    vague = 0.1 + torch.rand(sum(COUNTS), 4, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    exact = ExactOutputs(task.model, vague)
    prompt = 2 * torch.randn(1, 20, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    prior, divergence = compare.fitted_prior(task, exact, exact(prompt, task.rows("test"))[0])
    assert torch.allclose(prior, exact.prior(prompt)[0], atol=1e-3)
    assert divergence < 1e-6
    assert float((exact.prior(None)[0] - prior).abs().max()) > 0.1


def test_the_distance_to_the_fitted_law_is_the_divergence_of_exact_outputs_from_those_found() -> None:
    task = vanilla(4, 0, COUNTS)
    vague = 0.1 + torch.rand(sum(COUNTS), 4, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    exact = ExactOutputs(task.model, vague)
    found = torch.rand(30, 10, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
    found /= found.sum(-1, keepdim=True)
    prior, divergence = compare.fitted_prior(task, exact, found)

    def nats(law: Any) -> float:
        near = exact.from_prior(law[None], task.rows("test"))[0]
        return float((near * (near / found).log()).sum(-1).mean())

    assert divergence == pytest.approx(nats(prior))
    for law in (exact.first, torch.full((4,), 0.25, dtype=torch.float64), (0.99 * prior + 0.01 * exact.first)):
        assert divergence < nats(law)


def test_what_a_prompt_does_on_a_learned_model_is_read_behind_that_prompt() -> None:
    """A model that is exact: there the law that fits is the one that the prompt makes."""
    task = vanilla(4, 0, COUNTS)
    vague = 0.1 + torch.rand(sum(COUNTS), 4, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    exact = ExactOutputs(task.model, vague)
    prompt = 2 * torch.randn(20, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    for one in (prompt, None):
        found, expected = compare.prior_on(task, exact, exact, one), compare.prior_under(task, exact, one)
        assert found.pop("nats from it") == pytest.approx(0, abs=1e-6)
        assert found == pytest.approx(expected, abs=1e-2)
    assert compare.prior_under(task, exact, prompt) != pytest.approx(expected, abs=0.1)


# Cells


def test_a_learned_cell_tells_a_poor_language_model_from_exact_g(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two steps of pretraining teach nothing: on G the same tuning finds all labels, on Ghat it does not."""
    shape = mlm.Shape(layers=1, width=8, heads=2, positions=149, dropout=0.0)
    quick = Schedule(20, 16, 0.1, 0.1, 2)
    monkeypatch.setitem(PRESETS, "smoke", Preset(shape, (Stage(2, 2, 149, 0.1),), 1e-3, 1, 2, (1, 149)))
    plan = Plan((8,), (2,), 1, 1, COUNTS, (100, 30, 60), quick, quick, replace(quick, steps=60), 1, 32, paper=quick)
    monkeypatch.setitem(PLANS, "smoke", plan)
    found = {kind: cells.compute(Cell("learned", kind, size, 0), "smoke", tmp_path) for kind, size in plan_cells(plan)}
    for kind, name in (
        ("vanilla", "head, log-odds"),
        ("vanilla", "prompt, log-odds"),
        ("memory", "attention, log-odds"),
    ):
        cell = found[kind]
        assert cell["inputs"] == [100, 30, 60]
        assert cell["on exact G"].keys() == cell["accuracy"].keys()
        assert cell["on exact G"][name] > 0.9 > cell["accuracy"][name], (kind, name)
    laws: dict[str, Any] = found["vanilla"]["law of the masked state"]
    assert laws.keys() == {"no prompt", "prompt, probabilities", "prompt, log-odds"}
    assert laws["no prompt"]["nats from it"] > 0.1


def plan_cells(plan: Plan) -> list[tuple[str, int]]:
    return [("vanilla", plan.sizes[0]), ("memory", plan.values[0])]
