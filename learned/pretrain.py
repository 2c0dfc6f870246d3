"""Pretraining: a masked language model on fresh data of one hidden Markov model, held against the exact G.

    learned = pretrain(model, "cpu", seed=0, folder=Path("pretrained/ten"))
    lm = mlm.load(Path("pretrained/ten"))

A step masks a fixed number of positions of each sequence, at random, and predicts what stood there. Nothing but tokens
is learned from; G enters only afterwards, when `evaluate` measures the mean of KL(G_i(x) || Ghat_i(x)).

**Interruptions.** `checkpoint.pt` is replaced in one step every so many steps, and holds all that the rest depends on:
weights, optimiser, the states of the generators, the step. After any interruption, `kill -9` included, the same call
goes on from there, on a CPU (with as many threads) to the same weights, bit for bit.

**On a GPU** matrix products are in bfloat16 and the network is compiled; bits are not promised there.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from pickle import UnpicklingError
from time import perf_counter
from typing import Any

import torch

from constructions.fields import Array
from constructions.models import HMM, document
from constructions.reading import InputError, read
from learned import mlm
from learned.data import sample, stream
from learned.difficulty import preset_of
from learned.evaluation import evaluate
from learned.files import replace_file
from learned.presets import Preset, Stage

ROUND = 32
"""Steps whose sequences are drawn together; checkpoints lie between rounds."""

BLOCK = 500
"""Documents that are drawn together."""

UNREADABLE = (AttributeError, EOFError, KeyError, OSError, RuntimeError, TypeError, ValueError, UnpicklingError)
"""What torch raises for files that are not its own, or of other networks."""

PEAK = {"A100": 312e12, "H100": 989e12, "H200": 989e12}
"""Floating-point operations a second in bfloat16 without sparsity, by the makers' data sheets."""


@dataclass(frozen=True)
class Report:
    """What was trained, and how near it came: means over sequences and positions, in nats.

    `device` is the kind of device; `seconds` were spent training. `utilisation` is the share of the device's peak that
    was used (MFU), where that peak is known. `divergence` is the mean of KL(G || Ghat), `entropy` that of G, the least
    loss there is; `by_position` are the divergences of each position, from the first.
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
        document = read(path)
        members = document.members({field.name for field in fields(cls)})
        members["run"].members({"model", "digest", "preset", "settings", "seed"})
        members["device"].string()
        numbers = [members[name] for name in ("steps", "tokens", "seconds", "divergence", "entropy")]
        numbers += members["by_position"].items()
        numbers += [members["utilisation"]] if members["utilisation"].value is not None else []
        for number in numbers:
            number.number()
        return cls(**json.loads(path.read_text(encoding="utf-8")))


Watch = Callable[["Training", float], None]
"""Called after each round, with the training and its last loss."""


def pretrain(
    model: HMM,
    preset: str,
    seed: int,
    folder: Path,
    device: str = "cpu",
    watch: Watch = lambda training, loss: None,
) -> Report:
    """Train a masked language model for this model and write it to `folder`, or go on where that stopped.

    In the end the folder holds config.json, model.safetensors and report.json. A finished one is only read. Raises
    `InputError` for a folder that holds another run, or files that cannot be read.
    """
    run, numbers = identity(model, preset, seed), preset_of(preset, model)
    report = folder / "report.json"
    if report.is_file():
        finished = Report.read(report)
        _refuse_another_run(report, finished.run, run)
        return finished
    with torch.random.fork_rng(devices=[device] if device != "cpu" else []):
        training = Training(model, run, numbers, seed, device)
        training.resume(folder / "checkpoint.pt")
        folder.mkdir(parents=True, exist_ok=True)
        training.finish(folder / "checkpoint.pt", watch)
    entropy, divergences = evaluate(training.lm, model, seed, *numbers.evaluated)
    result = Report(
        run=run,
        steps=training.step,
        tokens=numbers.tokens,
        seconds=training.seconds,
        device=device_name(device),
        utilisation=utilisation(training),
        divergence=float(divergences.mean()),
        entropy=entropy,
        by_position=divergences.tolist(),
    )
    mlm.save(training.lm, folder)
    replace_file(report, lambda path: path.write_text(json.dumps(asdict(result)) + "\n", encoding="utf-8"))
    (folder / "checkpoint.pt").unlink(missing_ok=True)
    return result


def identity(model: HMM, preset: str, seed: int) -> dict[str, Any]:
    """Return what decides the weights: the model by a digest of its numbers, the preset with its own, the seed."""
    numbers = {key: value for key, value in document(model, None).items() if key not in ("name", "source")}
    digest = sha256(json.dumps(numbers).encode()).hexdigest()
    settings = json.loads(json.dumps(asdict(preset_of(preset, model))))
    return {"model": model.name, "digest": digest, "preset": preset, "settings": settings, "seed": seed}


class Training:
    """A pretraining between two steps."""

    def __init__(self, model: HMM, run: dict[str, Any], preset: Preset, seed: int, device: str) -> None:
        self.model, self.run, self.preset, self.device = model, run, preset, device
        torch.manual_seed(seed)  # of dropout
        self.lm = mlm.masked_lm(len(model.tokens), preset.shape, seed).to(device)
        if device != "cpu":
            self.lm.bert.compile()
        self.optimizer = torch.optim.AdamW(self.lm.parameters(), lr=preset.rate, weight_decay=0.0)
        self.generator = stream(seed, "pretraining", device)
        self.corpus = None if preset.documents is None else self._corpus(*preset.documents)
        self.step, self.seconds = 0, 0.0

    def finish(self, checkpoint: Path, watch: Watch) -> None:
        """Train to the last step."""
        saved = self.step
        while self.step < self.preset.steps:
            start = perf_counter()
            loss = self._round()
            self.seconds += perf_counter() - start
            watch(self, loss)
            if self.step - saved >= self.preset.checkpoint:
                self.save(checkpoint)
                saved = self.step

    def save(self, path: Path) -> None:
        """Write everything that the rest of the training depends on, in one step."""
        dropout = torch.get_rng_state() if self.device == "cpu" else torch.cuda.get_rng_state(self.device)
        state = {
            "run": self.run,
            "device": self.device.split(":")[0],
            "step": self.step,
            "seconds": self.seconds,
            "weights": self.lm.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "generator": self.generator.get_state(),
            "dropout": dropout,
        }
        replace_file(path, lambda partial: torch.save(state, partial))

    def resume(self, path: Path) -> None:
        """Take over a checkpoint, if there is one. Raises `InputError` if it is of another run, or cannot be read."""
        if not path.is_file():
            return
        try:
            state = torch.load(path, map_location="cpu", weights_only=True)
            if not isinstance(state, dict):
                raise TypeError
            _refuse_another_run(path, state["run"], self.run)
            _refuse_another_run(path, state, {"device": self.device.split(":")[0]})
            self.step, self.seconds = int(state["step"]), float(state["seconds"])
            self.lm.load_state_dict(state["weights"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.generator.set_state(state["generator"])
            if self.device == "cpu":
                torch.set_rng_state(state["dropout"])
            else:
                torch.cuda.set_rng_state(state["dropout"], self.device)
        except InputError:
            raise
        except UNREADABLE as error:
            raise InputError("the file", type(error).__name__, "a checkpoint of this command", str(path)) from None

    @property
    def tokens(self) -> int:
        """How many tokens have been seen."""
        total, steps = 0, self.step
        for stage in self.preset.stages:
            total += min(steps, stage.steps) * stage.sequences * stage.length
            steps -= min(steps, stage.steps)
        return total

    @property
    def stage(self) -> tuple[Stage, int]:
        """The stage of the next step, and the step at which it ends."""
        ends = accumulate(stage.steps for stage in self.preset.stages)
        return next((stage, end) for stage, end in zip(self.preset.stages, ends, strict=True) if self.step < end)

    def _round(self) -> float:
        """Take the next steps of one stage; return the last loss."""
        stage, end = self.stage
        count = min(ROUND, end - self.step)
        for tokens in self._draw(stage, count * stage.sequences).split(stage.sequences):
            loss = self._learn(tokens, stage.masked)
        return float(loss.detach())  # waits for the device

    def _draw(self, stage: Stage, rows: int) -> Array:
        """Return the next sequences (rows, length)."""
        if self.corpus is None:
            return sample(self.model, rows, stage.length, self.generator)
        start = self.step * stage.sequences
        return self.corpus[self.order[start : start + rows]].long()

    def _learn(self, tokens: Array, masked: float) -> Array:
        """Take one step; return its loss."""
        self.step += 1
        with torch.autocast(self.device.split(":")[0], torch.bfloat16, enabled=self.device != "cpu"):
            loss = masked_loss(self.lm, tokens, masked, self.generator)
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.lm.parameters(), self.preset.clip)
        for group in self.optimizer.param_groups:
            group["lr"] = self.preset.rate * self.schedule()
        self.optimizer.step()
        return loss

    def schedule(self) -> float:
        """Return the share of the learning rate for this step: up in a line, and down in another."""
        rest = (self.preset.steps - self.step + 1) / (self.preset.steps - self.preset.warmup)
        return min(self.step / self.preset.warmup, rest)

    def _corpus(self, count: int, length: int) -> Array:
        """Draw the documents, cut into sequences, and the order in which all epochs see them."""
        (stage,) = self.preset.stages
        blocks = [min(BLOCK, count - start) for start in range(0, count, BLOCK)]
        documents = [sample(self.model, block, length, self.generator).to(torch.uint8) for block in blocks]
        corpus = torch.cat(documents).view(-1, stage.length)
        epochs = math.ceil(stage.steps * stage.sequences / len(corpus))
        orders = [torch.randperm(len(corpus), generator=self.generator, device=self.device) for _ in range(epochs)]
        self.order = torch.cat(orders)
        return corpus


def masked_loss(lm: Any, tokens: Array, share: float, generator: torch.Generator) -> Array:
    """Return the mean of -log Ghat at the masked positions: so many in each sequence, at random, all at once.

    The sequences stand at random offsets, as far as the network has positions.
    """
    sequences, length = tokens.shape
    random = {"generator": generator, "device": tokens.device}
    chosen = torch.rand((sequences, length), **random).topk(max(1, round(share * length)), sorted=False).indices
    offsets = torch.randint(lm.config.max_position_embeddings - length + 1, (sequences, 1), **random)
    masked = tokens.scatter(1, chosen, mlm.mask_token(lm))
    positions = offsets + torch.arange(length, device=tokens.device)
    hidden = lm.bert(input_ids=masked, position_ids=positions).last_hidden_state
    log_outputs = mlm.log_softmax(lm, hidden.gather(1, chosen.unsqueeze(-1).expand(-1, -1, hidden.shape[-1])))
    return torch.nn.functional.nll_loss(log_outputs.flatten(0, 1), tokens.gather(1, chosen).flatten())


def operations(preset: Preset, length: int) -> float:
    """Return floating-point operations for each token of a step, forwards and backwards: 6 for each weight of the
    layers (12 width^2 in each), and 12 width for each pair of positions.
    """  # noqa: D205
    shape = preset.shape
    return shape.layers * (6 * 12 * shape.width**2 + 12 * shape.width * length)


def device_name(device: str) -> str:
    """Name the kind of device."""
    return "CPU" if device == "cpu" else str(torch.cuda.get_device_name(device))


def utilisation(training: Training) -> float | None:
    """Return the share of the device's peak that a finished training has used; None where that peak is not known."""
    peak = next((peak for name, peak in PEAK.items() if name in device_name(training.device)), None)
    if peak is None or not training.seconds:
        return None
    total = sum(stage.tokens * operations(training.preset, stage.length) for stage in training.preset.stages)
    return total / training.seconds / peak


def _refuse_another_run(path: Path, run: dict[str, Any], expected: dict[str, Any]) -> None:
    """Raise `InputError`, which names the first difference, for a file of another run."""
    words = {"digest": ("another model's", "this model's"), "settings": ("other ones", "those of the preset")}
    for key, value in expected.items():
        if run.get(key) != value:
            theirs, ours = words.get(key, (str(run.get(key)), str(value)))
            raise InputError(key, theirs, f"{ours}, or another folder", str(path))
