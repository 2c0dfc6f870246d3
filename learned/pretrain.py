"""Pretraining: masked language models on data of hidden Markov models, held against the exact G.

    [report] = pretrain([Run(model, 0, Path("ten"))], "cpu")
    lm = mlm.load(Path("ten"))

To be read from top to bottom: the presets, what a step masks and changes, the loop, the checkpoint, the measure.
Nothing but tokens is learned from. G enters only in `evaluate`, as the mean of KL(G_i(x) || Ghat_i(x)).

**Stacked.** Networks of one shape are trained side by side: each weight is one tensor with an axis for networks
(`torch.func`). Each network has its own data, gradient norm and report.

**Interruptions.** `checkpoint.pt` is replaced every two minutes. After any interruption, `kill -9` included, the same
call goes on from there, on a CPU to the same weights, bit for bit.

**On a GPU** matrix products are in bfloat16, and forward and backward passes are CUDA graphs. This was never run on
one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any, TypeAlias

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import cross_entropy

from constructions.fields import FLOAT64, Array
from constructions.messages import masked_outputs
from constructions.models import HMM, document
from constructions.reading import InputError
from constructions.system.writing import put
from constructions.text.documents import read
from learned import mlm
from learned.data import sample, stream
from learned.mlm import Shape

Json: TypeAlias = dict[str, Any]

# Presets


@dataclass(frozen=True)
class Stage:
    """Steps on batches of `sequences`, each of `length` tokens, of which the share `masked` is masked.

    `release`: as the authors' code masks (`mask`).
    """

    steps: int
    sequences: int
    length: int
    masked: float
    release: bool = False


@dataclass(frozen=True)
class Preset:
    """The numbers of a pretraining.

    `rate` is AdamW's learning rate, after `warmup` steps of linear growth and before a linear decay to 0. With
    `documents` (count, length), these are drawn once, cut into sequences and read in a new order in each epoch;
    without, every sequence is fresh. Sequences shorter than the network's positions stand at a random offset.
    `evaluated` (sequences, length) is the size of the evaluation.
    """

    shape: Shape
    stages: tuple[Stage, ...]
    rate: float
    warmup: int
    evaluated: tuple[int, int]
    documents: tuple[int, int] | None = None

    @property
    def steps(self) -> int:
        """Return the steps of all stages."""
        return sum(stage.steps for stage in self.stages)

    @property
    def tokens(self) -> int:
        """Return how many tokens all stages read."""
        return sum(stage.steps * stage.sequences * stage.length for stage in self.stages)

    @property
    def operations(self) -> float:
        """Return the floating-point operations, forwards and backwards.

        Each token takes 6 for each weight of the layers (12 width^2 in each), and 12 width for each pair of positions.
        """
        layers, width = self.shape.layers, self.shape.width
        pairs = sum(stage.steps * stage.sequences * stage.length**2 for stage in self.stages)
        return layers * (6 * 12 * width**2 * self.tokens + 12 * width * pairs)

    def times(self, factor: int) -> Preset:
        """Return the same with so many times the steps."""
        return replace(self, stages=tuple(replace(stage, steps=factor * stage.steps) for stage in self.stages))


# 160 positions: 129 of a task, 20 of a prompt, and a few by which sequences can be shifted.
SMALL = Shape(layers=2, width=64, heads=4, positions=160, dropout=0.0, deviation=0.125, local=True)

CPU = Preset(SMALL, (Stage(5120, 32, 32, 0.3), Stage(768, 16, 149, 0.1)), rate=5e-3, warmup=100, evaluated=(32, 149))

PAPER = Preset(
    Shape(layers=6, width=768, heads=12, positions=512, dropout=0.1),  # BERT-base with 6 layers
    (Stage(37_500, 8, 512, 0.05),),  # 3 epochs
    rate=1e-5,
    warmup=500,
    evaluated=(64, 149),
    documents=(5000, 10_240),
)

PRESETS = {
    "smoke": replace(CPU, stages=(Stage(96, 32, 32, 0.3), Stage(16, 8, 149, 0.3)), warmup=10, evaluated=(2, 149)),
    "cpu": CPU,
    "longer": CPU.times(2),
    "deeper": replace(CPU.times(4), shape=replace(SMALL, layers=3)),
    "paper": PAPER,
    "release": replace(
        PAPER, shape=replace(PAPER.shape, layers=12), stages=(replace(PAPER.stages[0], release=True),), warmup=1000
    ),
}
"""For a CPU `smoke`, `cpu`, and for chains that are hard to learn `longer` and `deeper`; for a GPU `paper`, which is
appendix D of Wei, Xie and Ma (2021) as written, and `release`, their code (github.com/sangmichaelxie/
pretraining_analysis) where it differs: it has 12 layers, since it sets `n_layer`, which `BertConfig` does not read.
What `cpu` does otherwise, and why, is in docs/decisions/0005-pretraining.md."""

ROUND = 32
"""Steps whose sequences are drawn together; checkpoints lie between rounds."""

CHECKPOINT_SECONDS = 120.0

CLIP = 1.0
"""The largest norm of a network's gradient."""

IGNORED = -100
"""The target of a position that is not predicted, as PyTorch has it."""

BACKENDS = [SDPBackend.MATH, SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]
"""Kernels of attention that can be stacked; on a CPU only the first."""

PEAKS = {"A100": 312e12, "H100 PCIe": 756e12, "H100": 989e12, "H200": 989e12}
"""Floating-point operations a second in bfloat16 without sparsity, by the makers' data sheets; the first that fits."""


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

    def identity(self, preset: str) -> Json:
        """Return what decides the weights: the model by a digest of its numbers, the preset with its own, the seed."""
        numbers = {key: value for key, value in document(self.model, None).items() if key not in ("name", "source")}
        digest = sha256(json.dumps(numbers).encode()).hexdigest()
        settings = json.loads(json.dumps(asdict(PRESETS[preset])))
        return {"model": self.model.name, "digest": digest, "preset": preset, "settings": settings, "seed": self.seed}


Watch: TypeAlias = Callable[[int, float, float], object]
"""Called after each round, with the steps and seconds so far and the last mean loss."""


def pretrain(
    runs: Sequence[Run], preset: str, device: str = "cpu", watch: Watch = lambda step, seconds, loss: None
) -> list[Json]:
    """Train networks side by side and write each to its folder, or go on where that stopped; return their reports.

    In the end each folder holds config.json, model.safetensors and report.json. Finished networks are only read. The
    checkpoint stands in the first unfinished one's folder. Raises `InputError` for a folder that holds another run, or
    files that cannot be read.

    A report has the `run`, the `device`, `steps`, `tokens`, the `seconds` that the stack took, `utilisation`: the share
    of the device's peak (MFU) after the first round, where that peak is listed; and means in nats: `divergence`
    KL(G || Ghat), the same `by_position`, and the `entropy` of G, the least loss there is.
    """
    if unfinished := [run for run in runs if not run.report.is_file()]:
        with torch.random.fork_rng(devices=[device] if device != "cpu" else []):
            _train(unfinished, preset, device, watch)
    reports = [read_json(run.report, ("run", "by_position"), NUMBERS) for run in runs]
    for run, report in zip(runs, reports, strict=True):
        _refuse_another_run(run.report, report["run"], run.identity(preset))
    return reports


# A step


def mask(tokens: Array, mask_token: int, stage: Stage, generator: torch.Generator) -> tuple[Array, Array]:
    """Return inputs with masks, and targets, `IGNORED` elsewhere, of sequences (S, L).

    The stage's share of each sequence is masked, to the next whole number. With `release`, each position is chosen by
    itself; of those chosen 80% are masked, 10% show a random token, and 10% stay.
    """
    noise, kind = torch.rand((2, *tokens.shape), generator=generator, device=tokens.device)
    if stage.release:
        chosen = noise < stage.masked
    else:
        chosen, kind = noise.argsort(1).argsort(1) < max(1, round(stage.masked * tokens.shape[1])), 0 * kind
    others = torch.randint(mask_token, tokens.shape, generator=generator, device=tokens.device)
    inputs = torch.where(chosen & (kind >= 0.9), others, tokens.masked_fill(chosen & (kind < 0.8), mask_token))
    return inputs, tokens.masked_fill(~chosen, IGNORED)


class Stack(torch.nn.Module):  # type: ignore[misc]
    """Networks side by side: each weight has an axis in front, for the network."""

    def __init__(self, runs: Sequence[Run], shape: Shape, device: str) -> None:
        super().__init__()
        # In a list: their weights are not the stack's.
        self.lms = [mlm.masked_lm(len(run.model.tokens), shape, run.seed).to(device) for run in runs]
        weights, _ = torch.func.stack_module_state(self.lms)
        self.names, self.weights = list(weights), torch.nn.ParameterList(weights.values())

    def forward(self, *batch: Array) -> Array:
        """Return the mean of -log Ghat at the masked positions, of each network.

        Inputs and targets (networks, sequences, length) stand at offsets (networks, sequences, 1).
        """

        def loss(weights: Sequence[Array], inputs: Array, targets: Array, offsets: Array) -> Array:
            positions = offsets + torch.arange(inputs.shape[1], device=inputs.device)
            read, stacked = (
                {"input_ids": inputs, "position_ids": positions},
                dict(zip(self.names, weights, strict=True)),
            )
            logits = torch.func.functional_call(self.lms[0], stacked, (), read).logits
            return cross_entropy(logits[..., :-1].float().flatten(0, 1), targets.flatten())

        weights, kind = tuple(self.weights), "cuda" if batch[0].is_cuda else "cpu"
        with torch.autocast(kind, torch.bfloat16, kind == "cuda", cache_enabled=False):
            if len(self.lms) == 1:  # one batch of products less is faster on a CPU
                return loss([weight[0] for weight in weights], *(part[0] for part in batch))[None]
            with sdpa_kernel(BACKENDS if kind == "cuda" else BACKENDS[:1]):
                return torch.vmap(loss, randomness="different")(weights, *batch)

    def clip(self) -> None:
        """Cut each network's gradient to the norm `CLIP`."""
        gradients = [weight.grad for weight in self.weights]
        norms = torch.stack([gradient.flatten(1).square().sum(1) for gradient in gradients]).sum(0).sqrt()
        for gradient in gradients:
            gradient.mul_((CLIP / (norms + 1e-6)).clamp_max(1).view(-1, *[1] * (gradient.ndim - 1)))

    def networks(self) -> list[Any]:
        """Return each network with its own weights."""
        for i, lm in enumerate(self.lms):
            lm.load_state_dict({name: w[i] for name, w in zip(self.names, self.weights, strict=True)}, strict=False)
        return self.lms


def linear_share(step: int, warmup: int, steps: int) -> float:
    """Return the share of the full rate that a step, from 0, is taken at: up in a line, and down in another."""
    return min((step + 1) / warmup, (steps - step) / (steps - warmup))


# Data


class Data:
    """What a network reads, from a generator of its own."""

    def __init__(self, run: Run, preset: Preset, device: str) -> None:
        self.model, self.free = run.model, preset.shape.positions + 1
        self.generator = stream(run.seed, "pretraining", device)
        if preset.documents:
            [stage] = preset.stages
            corpus = sample(run.model, *preset.documents, self.generator).to(torch.uint8).view(-1, stage.length)
            epochs = math.ceil(stage.steps * stage.sequences / len(corpus))
            orders = [torch.randperm(len(corpus), generator=self.generator, device=device) for _ in range(epochs)]
            self.corpus = corpus[torch.cat(orders)]

    def batches(self, stage: Stage, step: int, count: int) -> list[Array]:
        """Return inputs, targets (count, sequences, length) and offsets (count, sequences, 1) of the next steps."""
        rows = count * stage.sequences
        if hasattr(self, "corpus"):
            tokens = self.corpus[step * stage.sequences :][:rows].long()
        else:
            tokens = sample(self.model, rows, stage.length, self.generator)
        parts = mask(tokens, len(self.model.tokens), stage, self.generator)
        offsets = torch.randint(self.free - stage.length, (rows, 1), generator=self.generator, device=tokens.device)
        return [part.unflatten(0, (count, stage.sequences)) for part in (*parts, offsets)]


# The loop


def _train(runs: Sequence[Run], name: str, device: str, watch: Watch) -> None:
    preset, checkpoint = PRESETS[name], runs[0].folder / "checkpoint.pt"
    stack, data = Stack(runs, preset.shape, device), [Data(run, preset, device) for run in runs]
    optimizer = torch.optim.AdamW(stack.parameters(), weight_decay=0.0, fused=True)
    identities = [run.identity(name) | {"device": torch.device(device).type} for run in runs]
    step, seconds, first, end, saved = 0, 0.0, None, 0, perf_counter()
    if checkpoint.is_file():
        try:
            state = torch.load(checkpoint, map_location="cpu", weights_only=True)
            for theirs, ours in zip(state["runs"], identities, strict=True):
                _refuse_another_run(checkpoint, theirs, ours)
            stack.load_state_dict(state["weights"])
            optimizer.load_state_dict(state["optimizer"])
            for part, position in zip(data, state["generators"], strict=True):
                part.generator.set_state(position)
            step, seconds = int(state["step"]), float(state["seconds"])
        except InputError:
            raise
        except Exception as error:
            expected = "a checkpoint of this command"
            raise InputError("the file", type(error).__name__, expected, str(checkpoint)) from None
    for run in runs:
        run.folder.mkdir(parents=True, exist_ok=True)
    for stage in preset.stages:
        end, losses = end + stage.steps, stack
        while step < end:
            start, count = perf_counter(), min(ROUND, end - step)
            torch.manual_seed(step)  # of dropout
            rounds = [
                torch.stack(parts, 1)
                for parts in zip(*(part.batches(stage, step, count) for part in data), strict=True)
            ]
            if losses is stack and device != "cpu":
                losses = torch.cuda.make_graphed_callables(stack, tuple(parts[0].clone() for parts in rounds))
            for batch in zip(*rounds, strict=True):
                optimizer.zero_grad()
                loss = losses(*batch)
                loss.sum().backward()
                stack.clip()
                optimizer.param_groups[0]["lr"] = preset.rate * linear_share(step, preset.warmup, preset.steps)
                optimizer.step()
                step += 1
            mean = float(loss.detach().mean())  # waits for the device
            seconds += perf_counter() - start
            first = first or (step, seconds)  # the first round records
            watch(step, seconds, mean)
            if perf_counter() - saved >= CHECKPOINT_SECONDS:
                state = {"runs": identities, "step": step, "seconds": seconds, "weights": stack.state_dict()}
                state["optimizer"] = optimizer.state_dict()
                state["generators"] = [part.generator.get_state() for part in data]
                put(checkpoint, partial(torch.save, state))
                saved = perf_counter()
    machine = "CPU" if device == "cpu" else torch.cuda.get_device_name(device)
    peak = next((PEAKS[key] for key in PEAKS if key in machine), math.inf)
    share = 0.0 if first is None or first[0] == step else (step - first[0]) / step / (seconds - first[1])
    for run, lm in zip(runs, stack.networks(), strict=True):
        entropy, divergences = evaluate(lm, run.model, run.seed, *preset.evaluated)
        mlm.save(lm, run.folder)
        report = {
            "run": run.identity(name),
            "steps": step,
            "tokens": preset.tokens,
            "seconds": seconds,
            "device": machine,
            "utilisation": share * len(runs) * preset.operations / peak or None,
            "divergence": float(divergences.mean()),
            "entropy": entropy,
            "by_position": divergences.tolist(),
        }
        put(run.report, json.dumps(report) + "\n")
    checkpoint.unlink(missing_ok=True)


# The measure, and what is read back


def evaluate(lm: Any, model: HMM, seed: int, sequences: int, length: int) -> tuple[float, Array]:
    """Hold a language model against G on sequences that it was not trained on, with one position masked at a time.

    Return the mean entropy of G, and the mean of KL(G_i || Ghat_i) for each position i, (length,), in nats.
    """
    tokens = sample(model, sequences, length, stream(seed, "evaluation"))
    chain = model.chain(FLOAT64)
    exact = torch.from_numpy(masked_outputs(chain, chain.embed(tokens.numpy())))
    with torch.no_grad():
        log_outputs = mlm.log_outputs(lm.eval(), tokens).double().cpu()
    entropy = -torch.xlogy(exact, exact).sum(-1)
    divergence = -(exact * log_outputs).sum(-1) - entropy
    return float(entropy.mean()), divergence.mean(0)


NUMBERS = ("steps", "tokens", "seconds", "divergence", "entropy")
"""Of a report."""


def read_json(path: Path, keys: Iterable[str], numbers: Iterable[str]) -> Json:
    """Read an object with these members, some of them numbers. Raises `InputError`, which names file and place.

    A NaN or its like is refused, however deep.
    """

    def refuse(constant: str) -> None:
        raise InputError("the document", constant, "a number", str(path))

    document = read(path)
    for key in keys:
        document.member(key)
    for key in numbers:
        document.member(key).number()
    content: Json = json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)
    return content


def _refuse_another_run(path: Path, run: Any, expected: Json) -> None:
    """Raise `InputError`, which names the first difference, for a file of another run."""
    words = {"digest": ("another model's", "this model's"), "settings": ("other ones", "those of the preset")}
    for key, value in expected.items():
        if (other := run.get(key) if isinstance(run, dict) else run) != value:
            theirs, ours = words.get(key, (str(other), str(value)))
            raise InputError(key, theirs, f"{ours}, or another folder", str(path))
