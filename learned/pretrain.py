"""Pretraining: a masked language model on fresh data of one hidden Markov model, held against the exact G.

    learned = pretrain(model, "cpu", seed=0, folder=Path("pretrained/ten"))
    lm = mlm.load(Path("pretrained/ten"))

A step masks a fixed number of positions of each sequence, at random, and predicts what stood there. Nothing but tokens
is learned from; G enters only afterwards, when `evaluate` measures the mean of KL(G_i(x) || Ghat_i(x)).

**Interruptions.** `checkpoint.pt` is replaced in one step every so many steps, and holds all that the rest depends on:
weights, optimiser, the states of the generators, the step. After any interruption, `kill -9` included, the same call
goes on from there, on a CPU (with as many threads) to the same weights, bit for bit.

**On a GPU** matrix products are in bfloat16 and the network is compiled; bits are not promised there.

**On several devices** (`learned.ranks`) the batches, sequences, masks and rates are those of one, and so are the
weights, up to the order of sums, unless there is dropout: each device has its own. Only the first writes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from pickle import UnpicklingError
from time import perf_counter
from typing import Any

import torch

from constructions.fields import Array
from constructions.models import HMM, document
from constructions.reading import InputError
from constructions.system.writing import put
from learned import mlm
from learned.data import MOST_SEEDS, Sampler, stream
from learned.difficulty import preset_of
from learned.evaluation import evaluate
from learned.presets import Preset, Stage
from learned.ranks import ALONE, Ranks

ROUND = 32
"""Steps whose sequences are drawn together; checkpoints lie between rounds."""

BLOCK = 500
"""Documents that are drawn together."""


PEAK = {"A100": 312e12, "H100": 989e12, "H200": 989e12}
"""Floating-point operations a second in bfloat16 without sparsity, by the makers' data sheets."""


@dataclass(frozen=True)
class Report:
    """What was trained, and how near it came: means over sequences and positions, in nats.

    `device` is the kind of each of the `devices`; `seconds` were spent training, by all of them at once. `utilisation`
    is the share of their peak that was used (MFU), where that peak is known. `divergence` is the
    mean of KL(G || Ghat), `entropy` that of G, the least loss there is; `by_position` are the
    divergences of each position, from the first.
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
    devices: int = 1


Watch = Callable[["Training", float], None]
"""Called after each round, with the training and its last loss."""


def pretrain(
    model: HMM,
    preset: str,
    seed: int,
    folder: Path,
    device: str = "cpu",
    watch: Watch = lambda training, loss: None,
    ranks: Ranks = ALONE,
) -> Report:
    """Train a masked language model for this model and write it to `folder`, or go on where that stopped.

    In the end the folder holds config.json, model.safetensors and report.json. A finished one is only read. Raises
    `InputError` for a folder that holds another run, and for devices that cannot share this one.
    """
    run, numbers = identity(model, preset, seed), preset_of(preset, model)
    report = folder / "report.json"
    if report.is_file():
        found = Report(**json.loads(report.read_text(encoding="utf-8")))
        _same(report, found.run, run)
        return found
    ranks.check(numbers, device)
    with ranks.joined(device), torch.random.fork_rng(devices=[device] if device != "cpu" else []):
        training = Training(model, run, numbers, seed, device, ranks)
        training.resume(folder / "checkpoint.pt")
        if ranks.rank == 0:
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
        devices=ranks.size,
    )
    if ranks.rank == 0:
        mlm.save(training.lm, folder)
        put(report, json.dumps(asdict(result)) + "\n")
        (folder / "checkpoint.pt").unlink(missing_ok=True)
    return result


def identity(model: HMM, preset: str, seed: int) -> dict[str, Any]:
    """Return what decides the weights: the model by a digest of its numbers, the preset with its own, the seed."""
    numbers = {key: value for key, value in document(model, None).items() if key not in ("name", "source")}
    digest = sha256(json.dumps(numbers).encode()).hexdigest()
    settings = json.loads(json.dumps(asdict(preset_of(preset, model))))
    return {"model": model.name, "digest": digest, "preset": preset, "settings": settings, "seed": seed}


class Training:
    """A pretraining between two steps, as one of the ranks has it."""

    def __init__(
        self, model: HMM, run: dict[str, Any], preset: Preset, seed: int, device: str, ranks: Ranks = ALONE
    ) -> None:
        self.run, self.preset, self.device, self.ranks = run, preset, device, ranks
        torch.manual_seed(dropout_seed(seed, ranks.rank))
        self.lm = mlm.masked_lm(len(model.tokens), preset.shape, seed).to(device)
        if device != "cpu":
            self.lm.bert.compile()
        self.optimizer = torch.optim.AdamW(self.lm.parameters(), lr=preset.rate, weight_decay=0.0)
        self.generator = stream(seed, "pretraining", device)
        self.sampler = Sampler(model, device)
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
        dropout = self.ranks.gather(
            torch.get_rng_state() if self.device == "cpu" else torch.cuda.get_rng_state(self.device)
        )
        if self.ranks.rank > 0:
            return
        state = {
            "run": self.run,
            "devices": self.devices,
            "step": self.step,
            "seconds": self.seconds,
            "weights": self.lm.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "generator": self.generator.get_state(),
            "dropout": dropout,
        }
        put(path, lambda file: torch.save(state, file))

    def resume(self, path: Path) -> None:
        """Take over a checkpoint, if there is one. Raises `InputError` if it is of another run, or cannot be read."""
        if not path.is_file():
            return
        try:
            state = torch.load(path, map_location="cpu", weights_only=True)
        except (RuntimeError, EOFError, OSError, ValueError, UnpicklingError) as error:
            raise InputError("the file", type(error).__name__, "a checkpoint of this command", str(path)) from None
        _same(path, state["run"], self.run)
        _same(path, state, {"devices": self.devices})
        self.step, self.seconds = state["step"], state["seconds"]
        self.lm.load_state_dict(state["weights"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.generator.set_state(state["generator"])
        dropout = state["dropout"][self.ranks.rank]
        if self.device == "cpu":
            torch.set_rng_state(dropout)
        else:
            torch.cuda.set_rng_state(dropout, self.device)

    @property
    def devices(self) -> str:
        """What a checkpoint can be resumed on: so many devices, of one type."""
        return f"{self.ranks.size} x {self.device.split(':')[0]}"

    @property
    def tokens(self) -> int:
        """How many tokens have been seen."""
        seen, rest = 0, self.step
        for stage in self.preset.stages:
            seen += min(rest, stage.steps) * stage.sequences * stage.length
            rest -= min(rest, stage.steps)
        return seen

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
            return self.sampler.draw(rows, stage.length, self.generator)
        start = self.step * stage.sequences
        return self.corpus[self.order[start : start + rows]].long()

    def _learn(self, tokens: Array, masked: float) -> Array:
        """Take one step; return its loss."""
        self.step += 1
        with torch.autocast(self.device.split(":")[0], torch.bfloat16, enabled=self.device != "cpu"):
            loss = masked_loss(self.lm, tokens, masked, self.generator, self.ranks.rows)
        self.optimizer.zero_grad()
        loss.backward()
        self.ranks.average(self.lm.parameters())
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
        drawn = [self.sampler.draw(block, length, self.generator).to(torch.uint8) for block in blocks]
        corpus = torch.cat(drawn).view(-1, stage.length)
        epochs = math.ceil(stage.steps * stage.sequences / len(corpus))
        orders = [torch.randperm(len(corpus), generator=self.generator, device=self.device) for _ in range(epochs)]
        self.order = torch.cat(orders)
        return corpus


def masked_loss(lm: Any, tokens: Array, share: float, generator: torch.Generator, rows: slice = ALONE.rows) -> Array:
    """Return the mean of -log Ghat at the masked positions: so many in each sequence, at random, all at once.

    The sequences stand at random offsets, as far as the network has positions. Masks and offsets are drawn for all
    sequences, also where the mean is over some `rows` alone.
    """
    sequences, length = tokens.shape
    random = {"generator": generator, "device": tokens.device}
    chosen = torch.rand((sequences, length), **random).topk(max(1, round(share * length)), sorted=False).indices
    offsets = torch.randint(lm.config.max_position_embeddings - length + 1, (sequences, 1), **random)
    tokens, chosen, offsets = tokens[rows], chosen[rows], offsets[rows]
    masked = tokens.scatter(1, chosen, mlm.mask_token(lm))
    positions = offsets + torch.arange(length, device=tokens.device)
    hidden = lm.bert(input_ids=masked, position_ids=positions).last_hidden_state
    found = mlm.log_softmax(lm, hidden.gather(1, chosen.unsqueeze(-1).expand(-1, -1, hidden.shape[-1])))
    return torch.nn.functional.nll_loss(found.flatten(0, 1), tokens.gather(1, chosen).flatten())


def dropout_seed(seed: int, rank: int) -> int:
    """Return what the dropout of a rank starts from: of the first the seed, of no two the same.

    A generator on a CPU takes the last 32 bits alone; the factor is odd, so these differ, too.
    """
    return seed + rank * (MOST_SEEDS + 1)


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
    """Return the share of its devices' peak that a finished training has used; None where that peak is not known."""
    peak = next((peak for name, peak in PEAK.items() if name in device_name(training.device)), None)
    if peak is None or not training.seconds:
        return None
    done = sum(stage.tokens * operations(training.preset, stage.length) for stage in training.preset.stages)
    return done / training.seconds / (peak * training.ranks.size)


def _same(path: Path, found: dict[str, Any], expected: dict[str, Any]) -> None:
    """Refuse what belongs to another run, naming the first difference."""
    for key, value in expected.items():
        if found.get(key) != value:
            shown = {"digest": ("another model's", "this model's"), "settings": ("other ones", "those of the preset")}
            was, wanted = shown.get(key, (str(found.get(key)), str(value)))
            raise InputError(key, was, f"{wanted}, or another folder", str(path))
