"""What a step of pretraining masks and changes, and what it costs."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

INSTALL = "is not installed: pip install -c constraints.txt -e '.[learned]'"
torch = pytest.importorskip("torch", reason=f"torch {INSTALL}")
pytest.importorskip("transformers", reason=f"transformers {INSTALL}")

from torch.utils.flop_counter import FlopCounterMode  # noqa: E402

from constructions.appendix_d import appendix_d  # noqa: E402
from constructions.fields import Array  # noqa: E402
from learned import mlm  # noqa: E402
from learned import pretrain as pretraining  # noqa: E402
from learned.data import sample, stream  # noqa: E402
from learned.presets import PRESETS, Preset, Stage  # noqa: E402
from learned.pretrain import IGNORED, Graph, MaskedLoss, Run, Training, mask, operations  # noqa: E402

MODEL, _ = appendix_d(4, 6, 0)
STAGES = (Stage(32, 4, 10, masked=0.3), Stage(32, 4, 20, masked=0.1))


@pytest.fixture
def training(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Training:
    shape = mlm.Shape(layers=1, width=8, heads=2, positions=20, dropout=0.0, deviation=0.3)
    preset = Preset(shape, STAGES, rate=1e-2, warmup=8, evaluated=(1, 20))
    monkeypatch.setitem(PRESETS, "stages", preset)
    return Training([Run(MODEL, 0, tmp_path)], "stages", "cpu")


def test_each_stage_has_its_own_length_and_share_of_masks(training: Training) -> None:
    seen: list[Array] = []
    training.modules[0].lm.bert.register_forward_pre_hook(
        lambda _, arguments, named: seen.append(named["input_ids"]), with_kwargs=True
    )
    while training.step < training.preset.steps:
        training._round()
    assert [tuple(tokens.shape) for tokens in seen] == [(4, 10)] * 32 + [(4, 20)] * 32
    assert {int(n) for tokens in seen[:32] for n in (tokens == 6).sum(-1)} == {3}
    assert {int(n) for tokens in seen[32:] for n in (tokens == 6).sum(-1)} == {2}


def test_the_gradient_of_each_network_is_cut_to_the_preset_s_norm(tmp_path: Path, training: Training) -> None:
    pair = Training([Run(MODEL, seed, tmp_path) for seed in (0, 1)], "stages", "cpu")
    batch = [torch.zeros(2, 4, 10, dtype=torch.int64)] * 2 + [torch.zeros(2, 4, 1, dtype=torch.int64)]
    for clip in (1e-3, 1e3):
        pair.preset = replace(pair.preset, clip=clip)
        pair._update(*batch)
        for i in range(2):
            norm = float(torch.cat([weight.grad[i].flatten() for weight in pair.weights.values()]).norm())
            assert norm == pytest.approx(1e-3, rel=1e-3) if clip < 1 else norm > 1e-3


def test_weights_do_not_decay(training: Training) -> None:
    """The second kind of token type is never read: it has no gradient, and stays as it was."""
    unused = training.weights["lm.bert.embeddings.token_type_embeddings.weight"]
    before = unused.detach().clone()
    training._round()
    assert torch.equal(unused[0, 1], before[0, 1])
    assert not torch.equal(unused[0, 0], before[0, 0])


def test_networks_side_by_side_learn_what_each_learns_alone(tmp_path: Path, training: Training) -> None:
    """One stack of three, each with its own model, data, and gradient norm, against three trainings."""
    models = [appendix_d(4, 6, seed)[0] for seed in range(3)]
    stack = Training([Run(model, seed, tmp_path) for seed, model in enumerate(models)], "stages", "cpu")
    stack._round()
    for seed, model in enumerate(models):
        alone = Training([Run(model, seed, tmp_path)], "stages", "cpu")
        alone._round()
        together = mlm.outputs(stack.networks()[seed].eval(), sample(model, 3, 20, stream(0, "test")))
        assert torch.allclose(
            together, mlm.outputs(alone.networks()[0].eval(), sample(model, 3, 20, stream(0, "test"))), atol=5e-3
        )


def test_a_step_that_is_replayed_is_the_step(
    tmp_path: Path, training: Training, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a fake in place of the CUDA graph: inputs are copied to where it was recorded, once for each stage."""
    recorded: list[list[Array]] = []

    def record(step: Callable[..., Array], inputs: list[Array]) -> Callable[[], Array]:
        recorded.append(inputs)
        return lambda: step(*inputs)

    monkeypatch.setattr(pretraining, "record", record)
    graphed = Training([Run(MODEL, 0, tmp_path)], "stages", "cpu")
    graphed.steps = {stage: Graph(graphed._update) for stage in STAGES}
    while training.step < training.preset.steps:
        training._round()
        graphed._round()
    assert [tuple(inputs[0].shape) for inputs in recorded] == [(1, 4, 10), (1, 4, 20)]
    for name, weight in training.weights.items():
        assert torch.equal(graphed.weights[name], weight)


def test_thirteen_of_the_paper_s_networks_fit_together_and_cost_what_the_formula_says() -> None:
    """On the meta device, which has shapes and no numbers: a forward and backward pass in bfloat16 shapes."""
    preset = PRESETS["paper"]
    small = replace(preset.shape, layers=1)
    with torch.device("meta"):
        module = MaskedLoss(mlm.masked_lm(10, small, 0))
        weights = {
            name: torch.empty(13, *weight.shape, requires_grad=True) for name, weight in module.named_parameters()
        }
        batch = [torch.zeros(13, 8, 512, dtype=torch.int64)] * 2 + [torch.zeros(13, 8, 1, dtype=torch.int64)]
        with FlopCounterMode(display=False) as counter:
            losses = torch.vmap(lambda *at: torch.func.functional_call(module, at[0], at[1:]), randomness="different")(
                weights, *batch
            )
            losses.sum().backward()
    assert losses.shape == (13,)
    expected = 13 * operations(replace(preset, shape=small, stages=(Stage(1, 8, 512, 0.05),)))
    assert counter.get_total_flops() == pytest.approx(expected, rel=0.15)


def test_the_release_masks_by_chance_and_shows_some(training: Training) -> None:
    tokens = sample(MODEL, 2000, 20, stream(0, "test"))
    inputs, targets = mask(tokens, 6, Stage(1, 1, 20, 0.3, release=True), stream(0, "pretraining"))
    chosen = targets != IGNORED
    assert torch.equal(targets[chosen], tokens[chosen])
    assert chosen.sum(1).unique().numel() > 5
    assert float(chosen.double().mean()) == pytest.approx(0.3, abs=0.01)
    assert float((inputs[chosen] == 6).double().mean()) == pytest.approx(0.8, abs=0.02)
    assert torch.equal(inputs[~chosen], tokens[~chosen])
    other = (inputs != tokens) & (inputs != 6)
    assert float(other[chosen].double().mean()) == pytest.approx(0.1 * 5 / 6, abs=0.02)


def test_a_token_costs_six_operations_for_each_weight_of_the_layers_and_twelve_widths_for_each_pair() -> None:
    """Weights as BERT has them, biases and norms left out."""
    preset = PRESETS["cpu"]
    layers = mlm.masked_lm(10, preset.shape, 0).bert.encoder.layer
    weights = sum(p.numel() for p in layers.parameters() if p.ndim == 2)
    one = replace(preset, stages=(Stage(1, 1, 149, 0.1),))
    assert operations(one) == 149 * (6 * weights + 12 * 64 * 149 * 2)
