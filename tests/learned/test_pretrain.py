"""Pretraining learns from tokens, is measured against G, and ends with the same weights after any interruption."""

import json
import math
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from checks import refusal
from libraries import required

torch = required("torch", "transformers")

from safetensors.torch import load_file  # noqa: E402
from tiny import EPOCHS, GENEROUS, TINY  # noqa: E402
from torch.utils.flop_counter import FlopCounterMode  # noqa: E402

from constructions.appendix_d import appendix_d  # noqa: E402
from constructions.fields import FLOAT64, Array  # noqa: E402
from constructions.messages import masked_outputs  # noqa: E402
from constructions.models import HMM  # noqa: E402
from learned import mlm  # noqa: E402
from learned import pretrain as pretraining  # noqa: E402
from learned.data import sample, stream  # noqa: E402
from learned.downstream import draw  # noqa: E402
from learned.pretrain import (  # noqa: E402
    IGNORED,
    PRESETS,
    Data,
    Run,
    Stack,
    Stage,
    evaluate,
    linear_share,
    mask,
    pretrain,
)
from verify.commands import learn  # noqa: E402

MODEL, _ = appendix_d(4, 6, 0)
MODELS = [appendix_d(4, 6, seed)[0] for seed in range(3)]
RUN = Run(MODEL, 0, Path("nowhere"))


@pytest.fixture(autouse=True)
def presets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add tiny presets, write a checkpoint after each round, and use one thread, which fixes the order of sums."""
    monkeypatch.setitem(PRESETS, "tiny", TINY)
    monkeypatch.setitem(PRESETS, "epochs", EPOCHS)
    monkeypatch.setitem(PRESETS, "plain", replace(TINY, shape=replace(TINY.shape, dropout=0.0)))
    monkeypatch.setattr(pretraining, "CHECKPOINT_SECONDS", 0.0)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def run(folder: Path, kind: str = "tiny", **watch: Any) -> dict[str, Any]:
    return pretrain([Run(MODEL, 0, folder)], kind, **watch)[0]


def stop_after(step: int) -> Callable[..., None]:
    """Return a `watch` that interrupts a training once it is beyond `step`."""

    def watch(steps: int, seconds: float, loss: float) -> None:
        if steps > step:
            raise KeyboardInterrupt

    return watch


def weights(folder: Path) -> dict[str, bytes]:
    """Return the bytes of each weight by its name; a file may list weights in any order."""
    return {name: weight.numpy().tobytes() for name, weight in load_file(folder / "model.safetensors").items()}


# Going on


PROGRAM = """
import sys
sys.path[:0] = sys.argv[2:]
import torch
torch.set_num_threads(1)
from pathlib import Path
import test_pretrain as here
here.PRESETS["tiny"] = here.TINY
here.pretraining.CHECKPOINT_SECONDS = 0.0
run = here.Run(here.MODEL, 0, Path(sys.argv[1]))
here.pretrain([run], "tiny", watch=lambda step, seconds, loss: print(step, flush=True))
"""


def start(folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder), *sys.path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.thorough(reason="two processes that load torch: 10 s; an interrupted one resumes in this process")
def test_a_killed_pretraining_resumes_to_the_same_weights(tmp_path: Path) -> None:
    complete = run(tmp_path / "complete")
    folder = tmp_path / "killed"
    process = start(folder)
    while not (folder / "checkpoint.pt").exists() and process.poll() is None:
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    _, err = process.communicate(timeout=GENEROUS)
    assert process.returncode == -signal.SIGKILL, err
    assert not (folder / "report.json").exists()

    again = start(folder)
    out, err = again.communicate(timeout=GENEROUS)
    assert again.returncode == 0, err
    assert int(out.split()[0]) > 32
    assert weights(folder) == weights(tmp_path / "complete")
    assert run(folder)["divergence"] == complete["divergence"]


@pytest.mark.parametrize("kind", ["tiny", "epochs"])
def test_an_interrupted_pretraining_resumes_to_the_same_weights_and_needs_each_part_of_its_checkpoint(
    kind: str, tmp_path: Path
) -> None:
    """Two networks are trained side by side, each with its own generator."""
    folders = [tmp_path / name for name in ("complete", "stopped", "first")]
    steps: list[int] = []

    def train(folder: Path, **watch: Any) -> list[dict[str, bytes]]:
        pretrain([Run(MODELS[seed], seed, folder / f"{seed}") for seed in (0, 1)], kind, **watch)
        return [weights(folder / f"{seed}") for seed in (0, 1)]

    complete = train(folders[0])
    for folder, step in ((folders[1], 70), (folders[2], 32)):
        with pytest.raises(KeyboardInterrupt):
            train(folder, watch=stop_after(step))
    files = [folder / "0" / "checkpoint.pt" for folder in folders[1:]]
    state, other = (torch.load(file, weights_only=True) for file in files)
    assert state["step"] == {"tiny": 40, "epochs": 64}[kind]
    for forgotten in (None, "weights", "optimizer", "generators", "step") if kind == "tiny" else (None,):
        resumed = tmp_path / str(forgotten)
        (resumed / "0").mkdir(parents=True)
        torch.save(state | ({forgotten: other[forgotten]} if forgotten else {}), resumed / "0" / "checkpoint.pt")
        again = train(resumed, watch=lambda step, seconds, loss: steps.append(step))
        assert (again == complete) is (forgotten is None), forgotten
        if forgotten is None:
            assert steps == {"tiny": [72, 96], "epochs": [96]}[kind]


def test_no_network_of_a_stack_has_a_report_before_all_are_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pretraining, "evaluate", lambda *arguments: {0: (0.0, torch.zeros(1))}[arguments[2]])
    with pytest.raises(KeyError):
        pretrain([Run(MODELS[seed], seed, tmp_path / f"{seed}") for seed in (0, 1)], "tiny")
    assert not [*tmp_path.glob("*/report.json")]


def test_a_finished_pretraining_is_only_read_and_leaves_the_caller_s_generator_alone(tmp_path: Path) -> None:
    random = torch.get_rng_state()
    first = run(tmp_path)
    assert torch.equal(random, torch.get_rng_state())
    assert first == json.loads((tmp_path / "report.json").read_text())
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert sorted(before) == ["config.json", "model.safetensors", "report.json"]
    assert run(tmp_path) == first
    assert before == {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}


@pytest.mark.parametrize("file", ["checkpoint.pt", "report.json"])
def test_the_folder_of_another_run_is_refused(file: str, tmp_path: Path) -> None:
    if file == "report.json":
        run(tmp_path)
    else:
        with pytest.raises(KeyboardInterrupt):
            run(tmp_path, watch=stop_after(32))
    changes = {"seed": (MODEL, "tiny", 1), "model": (MODELS[1], "tiny", 0), "preset": (MODEL, "epochs", 0)}
    for key, (model, preset, seed) in changes.items():
        place = f"{tmp_path / file}: {key if file == 'report.json' else 'runs'}"
        line = f"{place}: found another run's, expected this run's, or another folder"
        assert refusal(pretrain, [Run(model, seed, tmp_path), Run(model, 0, tmp_path / "new")], preset) == line
        assert not (tmp_path / "new").exists()


# One step


def test_a_step_masks_so_many_positions_of_each_sequence_and_learns_those_alone() -> None:
    networks = Stack([RUN], replace(TINY.shape, dropout=0.0), "cpu")
    lm = mlm.masked_lm(6, replace(TINY.shape, dropout=0.0), 0)
    tokens = torch.randint(6, (50, 16), generator=stream(0, "training"))
    inputs, targets = mask(tokens, 6, Stage(1, 1, 16, 0.25), stream(0, "pretraining"))
    masked = inputs == 6
    assert masked.sum(-1).tolist() == [4] * 50
    assert torch.equal(inputs[~masked], tokens[~masked])
    assert torch.equal(targets, torch.where(masked, tokens, IGNORED))
    assert masked.any(0).all()
    offsets = torch.arange(50).unsqueeze(-1) % 5
    logits = lm.eval()(input_ids=inputs, position_ids=offsets + torch.arange(16)).logits[..., :6]
    expected = -logits.log_softmax(-1).gather(-1, tokens.unsqueeze(-1)).squeeze(-1)[masked].mean()
    [loss] = networks.eval()(inputs[None], targets[None], offsets[None])
    assert loss.item() == pytest.approx(expected.item(), rel=1e-5)


def test_the_release_masks_by_chance_and_shows_some() -> None:
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


def test_each_stage_has_its_own_length_and_stands_at_every_offset_that_the_network_has() -> None:
    data = Data(RUN, TINY, "cpu")
    for stage, offsets in ((TINY.stages[0], 15), (TINY.stages[1], 5)):
        inputs, targets, places = data.batches(stage, 0, 32)
        shape = (32, stage.sequences, stage.length)
        assert (inputs.shape, targets.shape, places.shape) == (shape, shape, (*shape[:2], 1))
        assert (inputs == 6).sum(-1).unique().tolist() == [2]
        assert places.unique().tolist() == list(range(offsets))


def test_each_epoch_reads_each_sequence_of_the_documents_once_and_in_another_order() -> None:
    data = Data(Run(HMM.of("1", "1", ";".join(["1/300"] * 300)), 0, Path()), EPOCHS, "cpu")
    assert data.corpus.max() > 255
    epochs = [[tuple(row) for row in epoch.tolist()] for epoch in data.corpus.split(120)]
    assert [len(epoch) for epoch in epochs] == [120, 120, 120, 24]  # 96 steps of 4
    assert sorted(epochs[0]) == sorted(epochs[1]) == sorted(epochs[2])
    assert epochs[0] != epochs[1]
    inputs, targets, _ = data.batches(EPOCHS.stages[0], 30, 2)
    read = torch.where(targets == IGNORED, inputs, targets).flatten(0, 1)
    assert torch.equal(read, data.corpus[4 * 30 : 4 * 32].long())


def test_the_learning_rate_grows_in_a_line_and_falls_to_0_in_another() -> None:
    shares = [linear_share(step, 8, 96) for step in range(96)]
    assert shares[:8] == [step / 8 for step in range(1, 9)]
    assert [before - after for before, after in pairwise(shares[8:])] == pytest.approx([1 / 88] * 87)
    assert shares[-1] == pytest.approx(1 / 88)


def test_the_gradient_of_each_network_is_cut_to_its_own_norm(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Stack([RUN, replace(RUN, seed=1)], TINY.shape, "cpu")
    batch = [torch.zeros(2, 4, 10, dtype=torch.int64)] * 2 + [torch.zeros(2, 4, 1, dtype=torch.int64)]
    for largest in (1e-3, 1e3):
        monkeypatch.setattr(pretraining, "CLIP", largest)
        pair.zero_grad()
        pair(*batch).sum().backward()
        pair.clip()
        for i in range(2):
            norm = float(torch.cat([weight.grad[i].flatten() for weight in pair.weights]).norm())
            assert norm == pytest.approx(1e-3, rel=1e-3) if largest < 1 else 1e-3 < norm < 1e3


def test_networks_side_by_side_learn_what_each_learns_alone_and_unread_weights_stay(tmp_path: Path) -> None:
    """Compare the outputs of three networks trained in one stack with those of three trained alone.

    Each network has its own model, data and gradient norm. The second token type is never read. Its embedding has no
    gradient and, without weight decay, must not change.
    """
    pretrain([Run(model, seed, tmp_path / f"{seed}") for seed, model in enumerate(MODELS)], "plain")
    for seed, model in enumerate(MODELS):
        pretrain([Run(model, seed, tmp_path / f"alone-{seed}")], "plain")
        x = sample(model, 3, 20, stream(0, "test"))
        together, alone = (mlm.load(tmp_path / name) for name in (f"{seed}", f"alone-{seed}"))
        assert torch.allclose(mlm.log_outputs(together, x).exp(), mlm.log_outputs(alone, x).exp(), atol=2e-2)
        before = mlm.masked_lm(6, TINY.shape, seed).bert.embeddings.token_type_embeddings.weight
        after = together.bert.embeddings.token_type_embeddings.weight
        assert torch.equal(after[1], before[1])
        assert not torch.equal(after[0], before[0])


def test_thirteen_of_the_paper_s_networks_fit_together_and_cost_what_the_formula_says() -> None:
    """Run a forward and a backward pass on the meta device, which has shapes and no numbers."""
    paper = PRESETS["paper"]
    small = replace(paper, shape=replace(paper.shape, layers=1), stages=(Stage(1, 8, 512, 0.05),))
    with torch.device("meta"):
        networks = Stack([RUN] * 13, small.shape, "meta")
        batch = [torch.zeros(13, 8, 512, dtype=torch.int64)] * 2 + [torch.zeros(13, 8, 1, dtype=torch.int64)]
        with FlopCounterMode(display=False) as counter:
            losses = networks(*batch)
            losses.sum().backward()
    assert losses.shape == (13,)
    assert counter.get_total_flops() == pytest.approx(13 * small.operations, rel=0.15)


# Evaluation


def test_a_language_model_is_measured_on_other_sequences_than_it_learns_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here evaluation and training draw arrays of one shape with one seed. They must have no sequence in common."""
    heard: list[Array] = []

    def remember(lm: object, tokens: Array) -> Array:
        heard.append(tokens)
        return torch.zeros(*tokens.shape, 10)

    model = draw("slow", 4, 0)[0]  # hardly repeats itself
    monkeypatch.setattr(mlm, "log_outputs", remember)
    evaluate(mlm.masked_lm(10, TINY.shape, 0), model, 0, 50, 40)
    learned = sample(model, 50, 40, Data(Run(model, 0, Path("nowhere")), TINY, "cpu").generator)
    assert not set(map(tuple, heard[0].tolist())) & set(map(tuple, learned.tolist()))


def test_exact_outputs_have_divergence_0_and_uniform_ones_the_rest_to_log_k(monkeypatch: pytest.MonkeyPatch) -> None:
    lm, chain = mlm.masked_lm(6, TINY.shape, 0), MODEL.chain(FLOAT64)
    monkeypatch.setattr(
        mlm,
        "log_outputs",
        lambda lm, tokens: torch.from_numpy(masked_outputs(chain, chain.embed(tokens.numpy()))).log(),
    )
    entropy, divergence = evaluate(lm, MODEL, 0, 50, 18)
    assert divergence.abs().max() < 1e-12
    monkeypatch.setattr(mlm, "log_outputs", lambda lm, tokens: torch.full((*tokens.shape, 6), -math.log(6)))
    same, uniform = evaluate(lm, MODEL, 0, 50, 18)
    assert same == entropy
    assert entropy + float(uniform.mean()) == pytest.approx(math.log(6))
    assert uniform.shape == (18,)


def test_pretraining_comes_nearer_to_the_exact_outputs_without_dropout(tmp_path: Path) -> None:
    _, before = evaluate(mlm.masked_lm(6, TINY.shape, 0), MODEL, 0, *TINY.evaluated)
    report = run(tmp_path)
    assert report["divergence"] < float(before.mean()) - 0.3
    _, loaded = evaluate(mlm.load(tmp_path).train(), MODEL, 0, *TINY.evaluated)
    assert loaded.tolist() == report["by_position"]


# Presets


def test_the_paper_s_preset_is_appendix_d_and_chains_that_are_hard_to_learn_take_more_steps() -> None:
    paper, release = PRESETS["paper"], PRESETS["release"]
    assert paper.documents == (5000, 10_240)
    assert paper.tokens == release.tokens == 3 * 5000 * 10_240
    assert paper.steps == 37_500
    assert (release.warmup, release.shape.layers, release.stages[0].release) == (1000, 12, True)
    plain, longer, deeper = (PRESETS[name] for name in ("cpu", "longer", "deeper"))
    assert (longer.steps, deeper.steps) == (2 * plain.steps, 4 * plain.steps)
    assert (longer.shape, deeper.shape) == (plain.shape, replace(plain.shape, layers=3))


def test_a_token_costs_six_operations_for_each_weight_of_the_layers_and_twelve_widths_for_each_pair() -> None:
    """Count the weights of BERT's layers themselves, without biases and norms."""
    preset = PRESETS["cpu"]
    layers = mlm.masked_lm(10, preset.shape, 0).bert.encoder.layer
    matrices = sum(p.numel() for p in layers.parameters() if p.ndim == 2)
    assert replace(preset, stages=(Stage(1, 1, 149, 0.1),)).operations == 149 * (6 * matrices + 12 * 64 * 149 * 2)


def test_the_command_offers_every_preset_and_those_of_the_figure_end_on_a_task_behind_a_prompt() -> None:
    assert {*learn.NETWORKS, "tiny", "epochs", "plain"} == set(PRESETS)
    for preset in map(PRESETS.__getitem__, learn.PRESETS):
        assert preset.stages[-1].length >= 129 + 20 == preset.evaluated[1]
        assert max(stage.length for stage in preset.stages) <= preset.shape.positions
