"""What a step of pretraining masks and changes, and what it costs."""

from dataclasses import replace

import pytest

INSTALL = "is not installed: pip install -c constraints.txt -e '.[learned]'"
torch = pytest.importorskip("torch", reason=f"torch {INSTALL}")
pytest.importorskip("transformers", reason=f"transformers {INSTALL}")

from constructions.appendix_d import appendix_d  # noqa: E402
from constructions.fields import Array  # noqa: E402
from learned import mlm  # noqa: E402
from learned.presets import PRESETS, Preset, Stage  # noqa: E402
from learned.pretrain import Training, identity, operations  # noqa: E402

MODEL, _ = appendix_d(4, 6, 0)
STAGES = (Stage(32, 4, 10, masked=0.3), Stage(32, 4, 20, masked=0.1))


@pytest.fixture
def training(monkeypatch: pytest.MonkeyPatch) -> Training:
    shape = mlm.Shape(layers=1, width=8, heads=2, positions=20, dropout=0.0, deviation=0.3)
    preset = Preset(shape, STAGES, rate=1e-2, warmup=8, checkpoint=1000, evaluated=(1, 20))
    monkeypatch.setitem(PRESETS, "stages", preset)
    return Training(MODEL, identity(MODEL, "stages", 0), preset, 0, "cpu")


def test_each_stage_has_its_own_length_and_share_of_masks(training: Training) -> None:
    seen: list[Array] = []
    training.lm.bert.register_forward_pre_hook(
        lambda _, arguments, named: seen.append(named["input_ids"]), with_kwargs=True
    )
    while training.step < training.preset.steps:
        training._round()
    assert [tuple(tokens.shape) for tokens in seen] == [(4, 10)] * 32 + [(4, 20)] * 32
    assert {int(n) for tokens in seen[:32] for n in (tokens == 6).sum(-1)} == {3}
    assert {int(n) for tokens in seen[32:] for n in (tokens == 6).sum(-1)} == {2}


def test_a_gradient_is_cut_to_the_preset_s_norm(training: Training) -> None:
    for clip in (1e-3, 1e3):
        training.preset = replace(training.preset, clip=clip)
        training._learn(torch.zeros(4, 10, dtype=torch.int64), 0.3)
        gradients = [p.grad for p in training.lm.parameters() if p.grad is not None]
        norm = float(torch.cat([gradient.flatten() for gradient in gradients]).norm())
        assert norm == pytest.approx(1e-3, rel=1e-3) if clip < 1 else norm > 1e-3


def test_weights_do_not_decay(training: Training) -> None:
    """The second kind of token type is never seen: it has no gradient, and stays as it was."""
    never = training.lm.bert.embeddings.token_type_embeddings.weight
    before = never.detach().clone()
    training._round()
    assert torch.equal(never[1], before[1])
    assert not torch.equal(never[0], before[0])


def test_a_token_costs_six_operations_for_each_weight_of_the_layers_and_twelve_widths_for_each_pair() -> None:
    """Weights as BERT has them, biases and norms left out."""
    preset = PRESETS["cpu"]
    layers = mlm.masked_lm(10, preset.shape, 0).bert.encoder.layer
    weights = sum(p.numel() for p in layers.parameters() if p.ndim == 2)
    assert operations(preset, 149) == 6 * weights + 12 * 64 * 149 * 2
