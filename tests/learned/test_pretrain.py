"""Pretraining learns from tokens, is measured against G, and goes on to the same weights after any interruption."""

import json
import math
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

INSTALL = "is not installed: pip install -c constraints.txt -e '.[learned]'"
torch = pytest.importorskip("torch", reason=f"torch {INSTALL}")
pytest.importorskip("transformers", reason=f"transformers {INSTALL}")

from tiny import GENEROUS, TINY  # noqa: E402

from constructions.appendix_d import appendix_d  # noqa: E402
from constructions.models import HMM  # noqa: E402
from constructions.reading import InputError  # noqa: E402
from learned import cli, mlm  # noqa: E402
from learned.data import exact_outputs, stream  # noqa: E402
from learned.difficulty import FAR, UNCERTAIN, beyond, next_state_entropy, preset_of  # noqa: E402
from learned.downstream import drawn  # noqa: E402
from learned.evaluation import evaluate  # noqa: E402
from learned.presets import PRESETS, Stage  # noqa: E402
from learned.pretrain import Report, Training, identity, masked_loss, pretrain  # noqa: E402

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
    return Training(MODEL, identity(MODEL, kind, 0), PRESETS[kind], 0, "cpu")


def run(folder: Path, kind: str = "tiny") -> Report:
    return pretrain(MODEL, kind, 0, folder)


def weights(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes()


# Going on


PROGRAM = """
import sys
sys.path[:0] = sys.argv[1:3]
import torch
torch.set_num_threads(1)
from pathlib import Path
import test_pretrain as here
here.PRESETS["tiny"] = here.TINY
here.pretrain(here.MODEL, "tiny", 0, Path(sys.argv[3]), watch=lambda training, loss: print(training.step, flush=True))
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
        pretrain(MODEL, kind, 0, tmp_path / "stopped", watch=stop)
    pretrain(MODEL, kind, 0, tmp_path / "stopped", watch=lambda training, loss: steps.append(training.step))
    assert steps == {"tiny": [32, 40, 72, 40, 72, 96], "epochs": [32, 64, 96, 96]}[kind]
    assert weights(tmp_path / "stopped") == weights(tmp_path / "whole")


def test_each_part_of_a_checkpoint_is_needed(tmp_path: Path) -> None:
    whole = run(tmp_path)
    path, fresh = tmp_path / "checkpoint.pt", tmp_path / "fresh.pt"
    training().save(fresh)
    training().finish(path, lambda training, loss: None)
    state, other = (torch.load(file, weights_only=True) for file in (path, fresh))
    assert 0 < state["step"] < TINY.steps
    for forgotten in (None, "weights", "optimizer", "generator", "dropout", "step"):
        torch.save(state | ({forgotten: other[forgotten]} if forgotten else {}), path)
        with torch.random.fork_rng():
            resumed = training()
            resumed.resume(path)
            resumed.finish(tmp_path / "other.pt", lambda training, loss: None)
        _, divergence = evaluate(resumed.lm, MODEL, 0, *TINY.evaluated)
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
            pretrain(*arguments, tmp_path)
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
    lm, seen = mlm.masked_lm(6, replace(TINY.shape, dropout=0.0), 0), []
    lm.bert.register_forward_pre_hook(lambda _, arguments, named: seen.append(named), with_kwargs=True)
    tokens = torch.randint(6, (50, 16), generator=stream(0, "training"))
    loss = masked_loss(lm, tokens, 0.25, stream(0, "pretraining"))
    ((inputs, positions),) = [(named["input_ids"], named["position_ids"]) for named in seen]
    masked = inputs == 6
    assert masked.sum(-1).tolist() == [4] * 50
    assert torch.equal(inputs[~masked], tokens[~masked])
    assert masked.any(0).all()
    log = mlm.log_softmax(lm, lm.bert(input_ids=inputs, position_ids=positions).last_hidden_state)
    expected = -log.gather(-1, tokens.unsqueeze(-1)).squeeze(-1)[masked].mean()
    assert loss.item() == pytest.approx(expected.item(), rel=1e-5)


def test_sequences_stand_at_every_offset_that_the_network_has() -> None:
    lm, seen = mlm.masked_lm(6, TINY.shape, 0), []
    lm.bert.register_forward_pre_hook(lambda _, arguments, named: seen.append(named["position_ids"]), with_kwargs=True)
    masked_loss(lm, torch.zeros(200, 16, dtype=torch.int64), 0.1, stream(0, "pretraining"))
    (positions,) = seen
    assert positions[:, 0].unique().tolist() == [0, 1, 2, 3, 4]
    assert torch.equal(positions, positions[:, :1] + torch.arange(16))


def test_the_learning_rate_grows_in_a_line_and_falls_to_0_in_another() -> None:
    run, shares = training(), []
    for run.step in range(1, TINY.steps + 1):
        shares.append(run.schedule())
    assert shares[:8] == [step / 8 for step in range(1, 9)]
    falls = [before - after for before, after in pairwise(shares[8:])]
    assert falls == pytest.approx([1 / 88] * 87)
    assert shares[-1] == pytest.approx(1 / 88)


def test_each_epoch_sees_each_sequence_of_the_documents_once_and_in_another_order() -> None:
    found = training("epochs")
    assert found.corpus is not None
    assert found.corpus.shape == (120, 16)
    epochs = [epoch.tolist() for epoch in found.order.split(120)]
    assert [sorted(epoch) for epoch in epochs] == [list(range(120))] * 4
    assert epochs[0] != epochs[1]
    found.step = 30
    assert torch.equal(found._draw(EPOCHS.stages[0], 8), found.corpus[found.order[120:128]].long())


# Evaluation


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
    untrained = training().lm
    _, before = evaluate(untrained, MODEL, 0, *TINY.evaluated)
    report = run(tmp_path)
    assert report.divergence < float(before.mean()) - 0.3
    _, loaded = evaluate(mlm.load(tmp_path), MODEL, 0, *TINY.evaluated)
    assert loaded.tolist() == report.by_position


def test_evaluation_does_not_drop_out_and_leaves_the_network_as_it_was() -> None:
    lm = training().lm
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
    assert release == replace(paper, warmup=1000)


def test_the_entropy_of_the_next_state_is_that_of_the_columns_weighed_by_the_first_state() -> None:
    half, zero, one = Fraction(1, 2), Fraction(0), Fraction(1)
    transition = ((half, one), (half, zero))  # from the first state a coin, from the second back for sure
    model = HMM((Fraction(2, 3), Fraction(1, 3)), transition, ((one, zero), (zero, one)))
    assert next_state_entropy(model) == pytest.approx(2 / 3 * math.log(2))


def test_the_preset_for_a_cpu_takes_twice_the_steps_where_the_next_state_is_uncertain() -> None:
    plain, uncertain = (drawn(states, 1)[0] for states in (10, 30))
    assert preset_of("cpu", plain) == PRESETS["cpu"]
    twice = preset_of("cpu", uncertain)
    assert [stage.steps for stage in twice.stages] == [2 * stage.steps for stage in PRESETS["cpu"].stages]
    assert replace(twice, stages=PRESETS["cpu"].stages) == PRESETS["cpu"]
    assert identity(uncertain, "cpu", 1)["settings"] == json.loads(json.dumps(asdict(twice)))
    assert preset_of("paper", uncertain) == PRESETS["paper"]


def test_where_three_neighbours_do_not_tell_g_there_is_another_layer_and_twice_the_steps_again() -> None:
    near, far = (drawn(30, seed)[0] for seed in (1, 2))
    assert min(next_state_entropy(near), next_state_entropy(far)) > UNCERTAIN
    assert beyond(near, 3) < FAR < beyond(far, 3)
    more, usual = preset_of("cpu", far), PRESETS["cpu"]
    assert [stage.steps for stage in more.stages] == [4 * stage.steps for stage in usual.stages]
    assert more.shape == replace(usual.shape, layers=3)
    assert replace(more, stages=usual.stages, shape=usual.shape) == usual


def test_the_command_offers_every_preset() -> None:
    assert {*cli.PRESETS, "tiny", "epochs"} == set(PRESETS)


@pytest.mark.parametrize("name", cli.PRESETS)
def test_every_preset_of_the_figure_ends_on_sequences_as_long_as_a_task_behind_a_prompt(name: str) -> None:
    preset = PRESETS[name]
    assert preset.stages[-1].length >= 129 + 20
    assert preset.evaluated[1] == 129 + 20
    assert max(stage.length for stage in preset.stages) <= preset.shape.positions
