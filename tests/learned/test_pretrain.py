"""Pretraining learns from tokens, is measured against G, and goes on to the same weights after any interruption."""

import math
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

INSTALL = "is not installed: pip install -c constraints.txt -e '.[learned]'"
torch = pytest.importorskip("torch", reason=f"torch {INSTALL}")
pytest.importorskip("transformers", reason=f"transformers {INSTALL}")

from safetensors.torch import load_file  # noqa: E402
from tiny import GENEROUS, TINY  # noqa: E402

from constructions.appendix_d import appendix_d  # noqa: E402
from constructions.fields import Array  # noqa: E402
from constructions.models import HMM  # noqa: E402
from constructions.reading import InputError  # noqa: E402
from learned import cli, mlm  # noqa: E402
from learned.data import exact_outputs, sample, stream  # noqa: E402
from learned.downstream import drawn_slow  # noqa: E402
from learned.evaluation import evaluate  # noqa: E402
from learned.presets import PRESETS, Stage  # noqa: E402
from learned.pretrain import IGNORED, MaskedLoss, Report, Run, Training, mask, pretrain  # noqa: E402

MODEL, _ = appendix_d(4, 6, 0)
EPOCHS = replace(TINY, stages=(Stage(96, 4, 16, masked=0.1),), documents=(12, 160))


@pytest.fixture(autouse=True)
def presets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add tiny presets, and take one thread: the same sums in the same order."""
    monkeypatch.setitem(PRESETS, "tiny", TINY)
    monkeypatch.setitem(PRESETS, "epochs", EPOCHS)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def training(kind: str = "tiny") -> Training:
    return Training([Run(MODEL, 0, Path("nowhere"))], kind, "cpu")


def run(folder: Path, kind: str = "tiny") -> Report:
    return pretrain(Run(MODEL, 0, folder), kind)


def weights(folder: Path) -> dict[str, bytes]:
    """The bits of each weight; the file may name them in another order."""
    return {name: weight.numpy().tobytes() for name, weight in load_file(folder / "model.safetensors").items()}


# Going on


PROGRAM = """
import sys
sys.path[:0] = sys.argv[1:3]
import torch
torch.set_num_threads(1)
from pathlib import Path
import test_pretrain as here
here.PRESETS["tiny"] = here.TINY
run = here.Run(here.MODEL, 0, Path(sys.argv[3]))
here.pretrain(run, "tiny", watch=lambda training, loss: print(training.step, flush=True))
"""


def start(folder: Path) -> "subprocess.Popen[str]":
    paths = [str(Path(__file__).parent), str(Path(__file__).parents[2]), str(folder)]
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *paths], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.thorough(reason="three processes that load torch: 10 s; an interrupted one resumes in this process")
def test_a_killed_pretraining_resumes_to_the_same_weights(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole")
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
    assert weights(folder) == weights(tmp_path / "whole")
    assert run(folder).divergence == whole.divergence


@pytest.mark.parametrize(
    "kind", ["tiny", pytest.param("epochs", marks=pytest.mark.thorough(reason="2 s; in steps it is quick"))]
)
def test_an_interrupted_pretraining_resumes_to_the_same_weights(kind: str, tmp_path: Path) -> None:
    run(tmp_path / "whole", kind)
    steps = []

    def stop(training: Training, loss: float) -> None:
        steps.append(training.step)
        if training.step > 70:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pretrain(Run(MODEL, 0, tmp_path / "stopped"), kind, watch=stop)
    pretrain(Run(MODEL, 0, tmp_path / "stopped"), kind, watch=lambda training, loss: steps.append(training.step))
    assert steps == {"tiny": [32, 40, 72, 72, 96], "epochs": [32, 64, 96, 96]}[kind]
    assert weights(tmp_path / "stopped") == weights(tmp_path / "whole")


def test_each_part_of_a_checkpoint_is_needed(tmp_path: Path) -> None:
    whole = run(tmp_path)
    path, fresh = tmp_path / "checkpoint.pt", tmp_path / "fresh.pt"
    training().save(fresh)

    def stop(training: Training, loss: float) -> None:
        if training.step > 70:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        training().finish(path, stop)
    state, other = (torch.load(file, weights_only=True) for file in (path, fresh))
    assert 0 < state["step"] < TINY.steps
    for forgotten in (None, "weights", "optimizer", "generators", "dropout", "step"):
        torch.save(state | ({forgotten: other[forgotten]} if forgotten else {}), path)
        with torch.random.fork_rng():
            resumed = training()
            resumed.resume(path)
            resumed.finish(tmp_path / "other.pt", lambda training, loss: None)
        _, divergence = evaluate(resumed.networks()[0], MODEL, 0, *TINY.evaluated)
        assert (divergence.tolist() == whole.by_position) is (forgotten is None), forgotten


def test_a_finished_pretraining_is_only_read(tmp_path: Path) -> None:
    first = run(tmp_path)
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert sorted(before) == ["config.json", "model.safetensors", "report.json"]
    assert run(tmp_path) == first
    assert before == {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}


@pytest.mark.parametrize("file", ["checkpoint.pt", "report.json"])
def test_the_folder_of_another_run_is_refused(file: str, tmp_path: Path) -> None:
    if file == "report.json":
        run(tmp_path)
    else:
        training().save(tmp_path / file)
    other, _ = appendix_d(4, 6, 1)
    changes: dict[str, tuple[HMM, str, int]] = {
        "seed": (MODEL, "tiny", 1),
        "digest": (other, "tiny", 0),
        "preset": (MODEL, "epochs", 0),
    }
    found = {
        "seed": "found 0, expected 1",
        "digest": "found another model's, expected this model's",
        "preset": "found tiny, expected epochs",
    }
    for key, arguments in changes.items():
        with pytest.raises(InputError) as caught:
            pretrain(Run(arguments[0], arguments[2], tmp_path), arguments[1])
        assert str(caught.value) == f"{tmp_path / file}: {key}: {found[key]}, or another folder"


def test_a_file_that_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(InputError, match=r"expected a checkpoint of this command$"):
        run(tmp_path)
    assert path.read_bytes() == b"nothing of the kind"


def test_the_caller_s_generator_is_left_alone(tmp_path: Path) -> None:
    before = torch.get_rng_state()
    run(tmp_path)
    assert torch.equal(before, torch.get_rng_state())


# One step


def test_a_step_masks_so_many_positions_of_each_sequence_and_learns_those_alone() -> None:
    lm = mlm.masked_lm(6, replace(TINY.shape, dropout=0.0), 0)
    tokens = torch.randint(6, (50, 16), generator=stream(0, "training"))
    inputs, targets = mask(tokens, 6, Stage(1, 1, 16, 0.25), stream(0, "pretraining"))
    masked = inputs == 6
    assert masked.sum(-1).tolist() == [4] * 50
    assert torch.equal(inputs[~masked], tokens[~masked])
    assert torch.equal(targets, torch.where(masked, tokens, IGNORED))
    assert masked.any(0).all()
    offsets = torch.arange(50).unsqueeze(-1) % 5
    log = mlm.log_softmax(lm, lm.bert(input_ids=inputs, position_ids=offsets + torch.arange(16)).last_hidden_state)
    expected = -log.gather(-1, tokens.unsqueeze(-1)).squeeze(-1)[masked].mean()
    assert MaskedLoss(lm)(inputs, targets, offsets).item() == pytest.approx(expected.item(), rel=1e-5)


def test_sequences_stand_at_every_offset_that_the_network_has() -> None:
    batches = list(training()._batches(Stage(32, 8, 16, masked=0.1), 32))
    assert len(batches) == 32
    assert [tuple(part.shape) for part in batches[0]] == [(1, 8, 16), (1, 8, 16), (1, 8, 1)]
    assert torch.cat([offsets for *_, offsets in batches]).unique().tolist() == [0, 1, 2, 3, 4]


def test_the_learning_rate_grows_in_a_line_and_falls_to_0_in_another() -> None:
    run, shares = training(), []
    for run.step in range(1, TINY.steps + 1):
        shares.append(run.schedule())
    assert shares[:8] == [step / 8 for step in range(1, 9)]
    falls = [before - after for before, after in pairwise(shares[8:])]
    assert falls == pytest.approx([1 / 88] * 87)
    assert shares[-1] == pytest.approx(1 / 88)


def test_each_epoch_reads_each_sequence_of_the_documents_once_and_in_another_order() -> None:
    run = training("epochs")
    [(corpus, order)] = run.corpora
    assert corpus.shape == (120, 16)
    epochs = [epoch.tolist() for epoch in order.split(120)]
    assert [sorted(epoch) for epoch in epochs] == [list(range(120))] * 4
    assert epochs[0] != epochs[1]
    run.step = 30
    [(inputs, targets, _)] = run._batches(replace(EPOCHS.stages[0], sequences=8), 1)
    start = corpus[order[8 * 30 : 8 * 31]].long()
    assert torch.equal(torch.where(targets == IGNORED, inputs, targets)[0], start)


# Evaluation


def test_a_language_model_is_measured_on_other_sequences_than_it_learns_from(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Both are drawn by seed and split; drawn in one shape, none of them would be the same."""
    seen: list[Array] = []

    def remember(lm: object, tokens: Array) -> Array:
        seen.append(tokens)
        return exact_outputs(model, tokens).log()

    model, _ = drawn_slow(4, 0)  # hardly repeats itself
    monkeypatch.setattr(mlm, "log_outputs", remember)
    training = Training([Run(model, 0, tmp_path)], "smoke", "cpu")
    evaluate(training.networks()[0], model, 0, 50, 40)
    learned = sample(model, 50, 40, training.generators[0])
    assert not set(map(tuple, seen[0].tolist())) & set(map(tuple, learned.tolist()))


def test_exact_outputs_have_divergence_0_and_uniform_ones_the_rest_to_log_k(monkeypatch: pytest.MonkeyPatch) -> None:
    lm = mlm.masked_lm(6, TINY.shape, 0)
    monkeypatch.setattr(mlm, "log_outputs", lambda lm, tokens: exact_outputs(MODEL, tokens).log())
    entropy, divergence = evaluate(lm, MODEL, 0, 50, 18)
    assert divergence.abs().max() < 1e-12
    monkeypatch.setattr(mlm, "log_outputs", lambda lm, tokens: torch.full((*tokens.shape, 6), -math.log(6)))
    same, uniform = evaluate(lm, MODEL, 0, 50, 18)
    assert same == entropy
    assert entropy + float(uniform.mean()) == pytest.approx(math.log(6))
    assert uniform.shape == (18,)


def test_pretraining_comes_nearer_to_the_exact_outputs(tmp_path: Path) -> None:
    untrained = training().networks()[0]
    _, before = evaluate(untrained, MODEL, 0, *TINY.evaluated)
    report = run(tmp_path)
    assert report.divergence < float(before.mean()) - 0.3
    _, loaded = evaluate(mlm.load(tmp_path), MODEL, 0, *TINY.evaluated)
    assert loaded.tolist() == report.by_position


def test_evaluation_does_not_drop_out_and_leaves_the_network_as_it_was() -> None:
    lm = training().networks()[0]
    first, again = (evaluate(lm, MODEL, 0, 2, 18)[1] for _ in range(2))
    assert torch.equal(first, again)
    assert lm.training


# Presets


def test_the_paper_s_preset_is_appendix_d() -> None:
    paper, release = PRESETS["paper"], PRESETS["release"]
    assert paper.documents == (5000, 10_240)
    assert paper.tokens == 3 * 5000 * 10_240
    assert paper.tokens == 153_600_000
    assert paper.steps == 37_500
    assert (release.warmup, release.shape.layers, release.stages[0].release) == (1000, 12, True)
    assert release.tokens == paper.tokens


def test_chains_that_are_hard_to_learn_take_more_steps_and_then_another_layer() -> None:
    plain, longer, deeper = (PRESETS[name] for name in ("cpu", "longer", "deeper"))
    assert (longer.steps, deeper.steps) == (2 * plain.steps, 4 * plain.steps)
    assert (longer.shape, deeper.shape) == (plain.shape, replace(plain.shape, layers=3))


def test_the_command_offers_every_preset() -> None:
    assert {*cli.PRESETS, "longer", "deeper", "tiny", "epochs"} == set(PRESETS)


@pytest.mark.parametrize("name", cli.PRESETS)
def test_every_preset_of_the_figure_ends_on_sequences_as_long_as_a_task_behind_a_prompt(name: str) -> None:
    preset = PRESETS[name]
    assert preset.stages[-1].length >= 129 + 20
    assert preset.evaluated[1] == 129 + 20
    assert max(stage.length for stage in preset.stages) <= preset.shape.positions
