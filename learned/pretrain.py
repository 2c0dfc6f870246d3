"""Pretraining: masked language models on data of hidden Markov models, held against the exact G.

    report = pretrain(Run(model, seed=0, folder=Path("ten")), preset="cpu")
    lm = mlm.load(Path("ten"))

A step masks some positions of each sequence, at random, and predicts what stood there. Nothing but tokens is learned
from; G enters only afterwards, when `evaluate` measures the mean of KL(G_i(x) || Ghat_i(x)).

**Stacked.** Networks of one shape are trained side by side: each weight is one tensor with an axis for networks
(`torch.func`), so a product of matrices is one batch of products. Each network has its own data, gradient norm and
report.

**Interruptions.** `checkpoint.pt` is replaced every two minutes, and holds all that the rest depends
on: weights, optimiser, the states of the generators, the step. After any interruption, `kill -9` included, the same
call goes on from there, on a CPU to the same weights, bit for bit.

**On a GPU** matrix products are in bfloat16, and a step is one CUDA graph. This was never run on one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from pickle import UnpicklingError
from time import perf_counter
from typing import Any

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from constructions.system.writing import put
from constructions.fields import Array
from constructions.models import HMM, document
from constructions.reading import InputError, read
from learned import mlm
from learned.data import sample, stream
from learned.evaluation import evaluate
from learned.files import read_json
from learned.presets import PRESETS, Preset, Stage

ROUND = 32
"""Steps whose sequences are drawn together; checkpoints lie between rounds."""

WARM_UP = 3
"""Steps on a GPU before one is recorded as a graph."""

BACKENDS = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
"""Of attention on a GPU; on a CPU the only one that can be stacked is MATH."""

IGNORED = -100
"""The target of a position that is not predicted."""

UNREADABLE = (AttributeError, EOFError, KeyError, OSError, RuntimeError, TypeError, ValueError, UnpicklingError)
"""What torch raises for files that are not its own, or of other networks."""

PEAKS = {"A100": 312e12, "H100 PCIe": 756e12, "H100": 989e12, "H200": 989e12}
"""Floating-point operations a second in bfloat16 without sparsity, by the makers' data sheets; the first that fits."""


@dataclass(frozen=True)
class Report:
    """What was trained, and how near it came: means over sequences and positions, in nats.

    `device` is the kind of device; `seconds` were spent training, by the whole stack. `utilisation` is the share of the
    device's peak that was used (MFU), the first round left out, where that peak is listed. `divergence` is the mean of
    KL(G || Ghat), `entropy` that of G, the least loss there is; `by_position` are the divergences of each position.
    """

    run: dict[str, Any]
    steps: int
    tokens: int
    seconds: float
    device: str
    utilisation: float | None
    divergence: float
    entropy: float
    by_position: list[float]

    @classmethod
    def read(cls, path: Path) -> Report:
        """Read a report file. Raises `InputError`, which names the file, where it is malformed."""
        members = read(path).members({field.name for field in fields(cls)})
        members["run"].members({"model", "digest", "preset", "settings", "seed"})
        members["by_position"].items()
        return cls(**read_json(path, (), ("steps", "tokens", "seconds", "divergence", "entropy")))


@dataclass(frozen=True)
class Run:
    """One network: the model whose data it learns from, the seed of data and weights, and the folder it goes to."""

    model: HMM
    seed: int
    folder: Path

    @property
    def report(self) -> Path:
        """Return the file that is written last."""
        return self.folder / "report.json"

    def identity(self, preset: str) -> dict[str, Any]:
        """Return what decides the weights: the model by a digest of its numbers, the preset with its own, the seed."""
        numbers = {key: value for key, value in document(self.model, None).items() if key not in ("name", "source")}
        digest = sha256(json.dumps(numbers).encode()).hexdigest()
        settings = json.loads(json.dumps(asdict(PRESETS[preset])))
        return {"model": self.model.name, "digest": digest, "preset": preset, "settings": settings, "seed": self.seed}


Watch = Callable[["Training", float], None]
"""Called after each round, with the training and its last mean loss."""


def pretrain(run: Run, preset: str, device: str = "cpu", watch: Watch = lambda training, loss: None) -> Report:
    """Train one network; see `pretrain_stack`."""
    return pretrain_stack([run], preset, device, watch)[0]


def pretrain_stack(
    runs: Sequence[Run], preset: str, device: str = "cpu", watch: Watch = lambda training, loss: None
) -> list[Report]:
    """Train networks side by side and write each to its folder, or go on where that stopped; return their reports.

    In the end each folder holds config.json, model.safetensors and report.json. Finished networks are only read. The
    checkpoint stands in the first unfinished one's folder. Raises `InputError` for a folder that holds another run, or
    files that cannot be read.
    """
    for run in runs:
        if run.report.is_file():
            _refuse_another_run(run.report, Report.read(run.report).run, run.identity(preset))
    if unfinished := [run for run in runs if not run.report.is_file()]:
        _train(unfinished, preset, device, watch)
    return [Report.read(run.report) for run in runs]


def _train(runs: Sequence[Run], preset: str, device: str, watch: Watch) -> None:
    with torch.random.fork_rng(devices=[device] if device != "cpu" else []):
        training = Training(runs, preset, device)
        checkpoint = runs[0].folder / "checkpoint.pt"
        training.resume(checkpoint)
        for run in runs:
            run.folder.mkdir(parents=True, exist_ok=True)
        training.finish(checkpoint, watch)
    networks = training.networks()
    measured = [
        evaluate(lm, run.model, run.seed, *training.preset.evaluated) for lm, run in zip(networks, runs, strict=True)
    ]
    for run, lm, (entropy, divergences) in zip(runs, networks, measured, strict=True):
        report = Report(
            run=run.identity(preset),
            steps=training.step,
            tokens=training.preset.tokens,
            seconds=training.seconds,
            device="CPU" if device == "cpu" else torch.cuda.get_device_name(device),
            utilisation=training.utilisation,
            divergence=float(divergences.mean()),
            entropy=entropy,
            by_position=divergences.tolist(),
        )
        mlm.save(lm, run.folder)
        put(run.report, json.dumps(asdict(report)) + "\n")
    checkpoint.unlink(missing_ok=True)


class MaskedLoss(torch.nn.Module):  # type: ignore[misc]
    """A network whose output is the mean of -log Ghat at the masked positions."""

    def __init__(self, lm: Any) -> None:
        super().__init__()
        self.lm = lm

    def forward(self, inputs: Array, targets: Array, offsets: Array) -> Array:
        """Return the loss of sequences (S, L) that stand at offsets (S, 1)."""
        positions = offsets + torch.arange(inputs.shape[1], device=inputs.device)
        hidden = self.lm.bert(input_ids=inputs, position_ids=positions).last_hidden_state
        log_outputs = mlm.log_softmax(self.lm, hidden)
        return torch.nn.functional.nll_loss(log_outputs.flatten(0, 1), targets.flatten(), ignore_index=IGNORED)


class Training:
    """A stack of networks between two steps: each weight has an axis in front, for the network."""

    def __init__(self, runs: Sequence[Run], preset: str, device: str) -> None:
        self.runs, self.preset, self.device = runs, PRESETS[preset], device
        self.identities = [run.identity(preset) for run in runs]
        torch.manual_seed(runs[0].seed)  # of dropout
        self.modules = [
            MaskedLoss(mlm.masked_lm(len(run.model.tokens), self.preset.shape, run.seed)).to(device) for run in runs
        ]
        self.weights, _ = torch.func.stack_module_state(self.modules)
        rate = torch.tensor(self.preset.rate, device=device)
        self.optimizer = torch.optim.AdamW(
            self.weights.values(), lr=rate, weight_decay=0.0, fused=True, capturable=device != "cpu"
        )
        self.generators = [stream(run.seed, "pretraining", device) for run in runs]
        self.corpora = [] if self.preset.documents is None else list(map(self._corpus, runs, self.generators))
        self.step, self.seconds, self.timed_steps, self.timed_seconds = 0, 0.0, 0, 0.0
        self.steps = {stage: self._update if device == "cpu" else Graph(self._update) for stage in self.preset.stages}

    def finish(self, checkpoint: Path, watch: Watch) -> None:
        """Train to the last step."""
        saved = perf_counter()
        while self.step < self.preset.steps:
            start, step = perf_counter(), self.step
            loss = self._round()
            elapsed = perf_counter() - start
            if self.seconds:  # the first round compiles and records
                self.timed_steps, self.timed_seconds = self.timed_steps + self.step - step, self.timed_seconds + elapsed
            self.seconds += elapsed
            watch(self, loss)
            if perf_counter() - saved >= self.preset.checkpoint:
                self.save(checkpoint)
                saved = perf_counter()

    def save(self, path: Path) -> None:
        """Write everything that the rest of the training depends on, in one step."""
        dropout = torch.get_rng_state() if self.device == "cpu" else torch.cuda.get_rng_state(self.device)
        state = {
            "runs": self.identities,
            "device": self.device.split(":")[0],
            "step": self.step,
            "seconds": self.seconds,
            "weights": self.weights,
            "optimizer": self.optimizer.state_dict(),
            "generators": [generator.get_state() for generator in self.generators],
            "dropout": dropout,
        }
        put(path, lambda file: torch.save(state, file))

    def resume(self, path: Path) -> None:
        """Take over a checkpoint, if there is one. Raises `InputError` if it is of another run, or cannot be read."""
        if not path.is_file():
            return
        try:
            state = torch.load(path, map_location="cpu", weights_only=True)
            if not isinstance(state, dict):
                raise TypeError
            _refuse_another_run(path, {"runs": len(state["runs"])}, {"runs": len(self.runs)})
            for theirs, ours in zip(state["runs"], self.identities, strict=True):
                _refuse_another_run(path, theirs, ours)
            _refuse_another_run(path, state, {"device": self.device.split(":")[0]})
            with torch.no_grad():
                for name, weight in self.weights.items():
                    weight.copy_(state["weights"][name])
            self.optimizer.load_state_dict(state["optimizer"])
            for generator, position in zip(self.generators, state["generators"], strict=True):
                generator.set_state(position)
            if self.device == "cpu":
                torch.set_rng_state(state["dropout"])
            else:
                torch.cuda.set_rng_state(state["dropout"], self.device)
            self.step, self.seconds = int(state["step"]), float(state["seconds"])
        except InputError:
            raise
        except UNREADABLE as error:
            raise InputError("the file", type(error).__name__, "a checkpoint of this command", str(path)) from None

    def networks(self) -> list[Any]:
        """Return each network with its own weights."""
        with torch.no_grad():
            for i, module in enumerate(self.modules):
                for name, weight in module.named_parameters():
                    weight.copy_(self.weights[name][i])
        return [module.lm for module in self.modules]

    @property
    def utilisation(self) -> float | None:
        """Return the share of the device's peak that was used after the first round; None where it is not listed."""
        name = "" if self.device == "cpu" else torch.cuda.get_device_name(self.device)
        peak = next((peak for key, peak in PEAKS.items() if key in name), None)
        if peak is None or not self.timed_seconds:
            return None
        share = self.timed_steps / self.preset.steps
        return len(self.runs) * share * operations(self.preset) / self.timed_seconds / peak

    def _round(self) -> float:
        """Take the next steps of one stage; return the last mean loss."""
        ends = accumulate(stage.steps for stage in self.preset.stages)
        stage, end = next(pair for pair in zip(self.preset.stages, ends, strict=True) if self.step < pair[1])
        for batch in self._batches(stage, min(ROUND, end - self.step)):
            self.step += 1
            for group in self.optimizer.param_groups:
                group["lr"].fill_(self.preset.rate * self.schedule())
            loss = self.steps[stage](*batch)
        return float(loss)  # waits for the device

    def _batches(self, stage: Stage, count: int) -> Iterator[tuple[Array, ...]]:
        """Yield inputs, targets (networks, sequences, length) and offsets (networks, sequences, 1) of steps."""
        rows, parts = count * stage.sequences, []
        free = self.preset.shape.positions - stage.length + 1
        for i, (run, generator) in enumerate(zip(self.runs, self.generators, strict=True)):
            if self.corpora:
                corpus, order = self.corpora[i]
                start = self.step * stage.sequences
                tokens = corpus[order[start : start + rows]].long()
            else:
                tokens = sample(run.model, rows, stage.length, generator)
            inputs, targets = mask(tokens, len(run.model.tokens), stage, generator)
            parts.append((inputs, targets, torch.randint(free, (rows, 1), generator=generator, device=self.device)))
        stacked = [torch.stack(part).unflatten(1, (count, stage.sequences)) for part in zip(*parts, strict=True)]
        yield from zip(*(part.transpose(0, 1) for part in stacked), strict=True)

    def _update(self, inputs: Array, targets: Array, offsets: Array) -> Array:
        """Change all weights by one step; return the mean loss."""
        with torch.autocast(self.device.split(":")[0], torch.bfloat16, self.device != "cpu", cache_enabled=False):
            if len(self.runs) == 1:  # one batch of products less is faster on a CPU
                weights = {name: weight[0] for name, weight in self.weights.items()}
                losses = self._loss(weights, inputs[0], targets[0], offsets[0])[None]
            else:
                with sdpa_kernel([SDPBackend.MATH] if self.device == "cpu" else BACKENDS):
                    losses = torch.vmap(self._loss, randomness="different")(self.weights, inputs, targets, offsets)
        self.optimizer.zero_grad()
        losses.sum().backward()
        gradients = [weight.grad for weight in self.weights.values()]
        norms = torch.stack([gradient.flatten(1).square().sum(1) for gradient in gradients]).sum(0).sqrt()
        factors = (self.preset.clip / (norms + 1e-6)).clamp_max(1)
        for gradient in gradients:
            gradient.mul_(factors.view(-1, *[1] * (gradient.ndim - 1)))
        self.optimizer.step()
        return losses.detach().mean()

    def _loss(self, weights: dict[str, Array], *batch: Array) -> Array:
        return torch.func.functional_call(self.modules[0], weights, batch)

    def schedule(self) -> float:
        """Return the share of the learning rate for this step: up in a line, and down in another."""
        remaining = (self.preset.steps - self.step + 1) / (self.preset.steps - self.preset.warmup)
        return min(self.step / self.preset.warmup, remaining)

    def _corpus(self, run: Run, generator: torch.Generator) -> tuple[Array, Array]:
        """Draw the documents, cut into sequences, and the order in which all epochs read them."""
        (stage,), (count, length) = self.preset.stages, self.preset.documents or (0, 0)
        corpus = sample(run.model, count, length, generator).to(torch.uint8).view(-1, stage.length)
        epochs = math.ceil(stage.steps * stage.sequences / len(corpus))
        orders = [torch.randperm(len(corpus), generator=generator, device=self.device) for _ in range(epochs)]
        return corpus, torch.cat(orders)


class Graph:
    """A step that is recorded as a CUDA graph after some steps, and replayed from then on."""

    def __init__(self, step: Callable[..., Array]) -> None:
        self.step, self.calls = step, 0
        self.replay: Callable[[], Array] | None = None
        self.stream = torch.cuda.Stream() if torch.cuda.is_available() else None

    def __call__(self, *batch: Array) -> Array:
        """Take the step on a batch, which always has the same shapes."""
        self.calls += 1
        if self.calls <= WARM_UP:
            with torch.cuda.stream(self.stream):
                return self.step(*batch)
        if self.replay is None:
            self.inputs = [part.clone() for part in batch]
            self.replay = record(self.step, self.inputs)
        for part, values in zip(self.inputs, batch, strict=True):
            part.copy_(values)
        return self.replay()


def record(step: Callable[..., Array], inputs: Sequence[Array]) -> Callable[[], Array]:
    """Record a step on these tensors as a CUDA graph; return what replays it."""
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loss = step(*inputs)

    def replay() -> Array:
        graph.replay()
        return loss

    return replay


def mask(tokens: Array, mask_token: int, stage: Stage, generator: torch.Generator) -> tuple[Array, Array]:
    """Return inputs with masks, and targets, `IGNORED` elsewhere, of sequences (S, L).

    The stage's share of each sequence is masked, to the next whole number. With `release`, each position is chosen by
    itself; of those chosen 80% are masked, 10% show a random token, and 10% stay.
    """
    random: dict[str, Any] = {"generator": generator, "device": tokens.device}
    noise = torch.rand(tokens.shape, **random)
    if stage.release:
        chosen, kind = noise < stage.masked, torch.rand(tokens.shape, **random)
        inputs = tokens.masked_fill(chosen & (kind < 0.8), mask_token)
        inputs = torch.where(chosen & (kind >= 0.9), torch.randint(mask_token, tokens.shape, **random), inputs)
    else:
        places = noise.topk(max(1, round(stage.masked * tokens.shape[1])), sorted=False).indices
        chosen = torch.zeros_like(tokens, dtype=torch.bool).scatter(1, places, True)
        inputs = tokens.masked_fill(chosen, mask_token)
    return inputs, tokens.masked_fill(~chosen, IGNORED)


def operations(preset: Preset) -> float:
    """Return the floating-point operations of a pretraining, forwards and backwards.

    Each token takes 6 for each weight of the layers (12 width^2 in each), and 12 width for each pair of positions.
    """
    shape = preset.shape
    return sum(
        stage.tokens * shape.layers * (6 * 12 * shape.width**2 + 12 * shape.width * stage.length)
        for stage in preset.stages
    )


def _refuse_another_run(path: Path, run: dict[str, Any], expected: dict[str, Any]) -> None:
    """Raise `InputError`, which names the first difference, for a file of another run."""
    words = {"digest": ("another model's", "this model's"), "settings": ("other ones", "those of the preset")}
    for key, value in expected.items():
        if run.get(key) != value:
            theirs, ours = words.get(key, (str(run.get(key)), str(value)))
            raise InputError(key, theirs, f"{ours}, or another folder", str(path))
