"""Pretraining: masked language models on data of hidden Markov models, measured against the exact G.

    [report] = pretrain([Run(model, 0, Path("ten"))], preset="cpu")
    lm = mlm.load(Path("ten"))

From top to bottom the file has the presets, the call above, a step, the data, the loop with its checkpoint, and the
measure. Networks learn from tokens alone. Only `evaluate` uses G: it returns the mean of KL(G_i(x) || Ghat_i(x)), where
Ghat_i(x) is the network's output for a mask at position i.

**Stacked.** Networks of one shape are trained side by side: each weight is one tensor with an axis for networks
(`torch.func`). Each network has its own data, gradient norm and report.

**Interruptions.** `checkpoint.pt` is replaced every two minutes. After an interruption of the training, `kill -9`
included, the same call goes on from the last checkpoint. On a CPU it ends with the weights of a call without
interruption, bit for bit.

**On a GPU** matrix products are in bfloat16, and forward and backward passes are CUDA graphs. No GPU has run this code.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any, TypeAlias

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import cross_entropy

from constructions.fields import Array
from constructions.messages import masked_outputs
from constructions.models import HMM
from constructions.reading import InputError
from constructions.system.writing import put
from learned import mlm
from learned.data import epochs, sample, stream
from learned.fields import TORCH, divergence
from learned.mlm import Shape

Json: TypeAlias = dict[str, Any]

Watch: TypeAlias = Callable[[int, float, float], object]
"""A function that is called after each round with the steps and seconds so far, and the mean loss of the last step."""

# Presets


@dataclass(frozen=True)
class Stage:
    """A part of a pretraining: `steps` steps, each with a batch of `sequences` sequences of `length` tokens.

    The share `masked` of the tokens is to be predicted. All of these tokens are masked, or with `release` most of them,
    as in the authors' code.
    """

    steps: int
    sequences: int
    length: int
    masked: float
    release: bool = False

    @property
    def tokens(self) -> int:
        """Return the number of tokens that are read."""
        return self.steps * self.sequences * self.length


@dataclass(frozen=True)
class Preset:
    """The settings of a pretraining.

    AdamW's learning rate grows linearly to `rate` over `warmup` steps, and then falls linearly to 0. `documents`
    (count, length) are drawn once and cut into sequences, which each epoch reads in a new order; a preset with
    documents has one stage. Without documents every batch is drawn anew. A sequence with fewer tokens than the network
    has positions stands at a random offset. `evaluated` (sequences, length) is the size of the evaluation.
    """

    shape: Shape
    stages: tuple[Stage, ...]
    rate: float
    warmup: int
    evaluated: tuple[int, int]
    documents: tuple[int, int] | None = None

    @property
    def steps(self) -> int:
        """Return the number of steps of all stages."""
        return sum(stage.steps for stage in self.stages)

    @property
    def tokens(self) -> int:
        """Return the number of tokens that all stages read."""
        return sum(stage.tokens for stage in self.stages)

    @property
    def operations(self) -> int:
        """Return the number of floating-point operations, forwards and backwards.

        A layer has 12 width^2 weights. In each layer a token takes 6 operations for each weight, and 12 * width for
        each position of its sequence.
        """
        width = self.shape.width
        products = sum(stage.tokens * (6 * 12 * width**2 + 12 * width * stage.length) for stage in self.stages)
        return self.shape.layers * products


# 160 positions: 129 of a task, 20 of a prompt, and a few by which sequences can be shifted.
SMALL = Shape(layers=2, width=64, heads=4, positions=160, dropout=0.0, deviation=0.125, local=True)

CPU, LONGER, DEEPER = (
    Preset(
        replace(SMALL, layers=layers),
        (Stage(factor * 5120, 32, 32, 0.3), Stage(factor * 768, 16, 149, 0.1)),
        rate=5e-3,
        warmup=100,
        evaluated=(32, 149),
    )
    for layers, factor in ((2, 1), (2, 2), (3, 4))
)

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
    "longer": LONGER,
    "deeper": DEEPER,
    "slow": replace(
        CPU, shape=replace(SMALL, local=False), stages=(Stage(9216, 8, 149, 0.3), Stage(3072, 8, 149, 0.1)), rate=1e-3
    ),
    "paper": PAPER,
    "release": replace(
        PAPER, shape=replace(PAPER.shape, layers=12), stages=(replace(PAPER.stages[0], release=True),), warmup=1000
    ),
}
"""The settings of each preset.

`smoke` and `cpu` are for a CPU. `longer` and `deeper` are for chains that are hard to learn. `slow` is for chains whose
states show only in averages of many tokens; its heads start from noise, and prefer no distance. `paper` and `release`
are for a GPU. `paper` is appendix D of Wei, Xie and Ma (2021) as written. `release` follows their code
(github.com/sangmichaelxie/pretraining_analysis) where it differs. That code has 12 layers, since it sets `n_layer`,
which `BertConfig` does not read. docs/decisions/0005-pretraining.md says where `cpu` departs from the paper, and why.
"""

ROUND = 32
"""The number of steps in a round. Their sequences are drawn together, and checkpoints are written between rounds."""

CHECKPOINT_SECONDS = 120.0

CLIP = 1.0
"""The largest norm of a network's gradient."""

IGNORED = -100
"""The target of a position that is not predicted. The number is PyTorch's."""

BACKENDS = [SDPBackend.MATH, SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]
"""Kernels of attention that work on stacked networks. On a CPU only the first does."""

PEAKS = {"A100": 312e12, "H100 PCIe": 756e12, "H100": 989e12, "H200": 989e12}
"""Floating-point operations per second in bfloat16 without sparsity, by the makers' data sheets. A device has the first
peak whose key is part of its name."""


@dataclass(frozen=True)
class Run:
    """One network: the model from whose data it learns, the seed of data and weights, and the folder for its files."""

    model: HMM
    seed: int
    folder: Path

    @property
    def report(self) -> Path:
        """Return the file of the report, which is written last."""
        return self.folder / "report.json"

    def identity(self, preset: str) -> Json:
        """Return what decides the weights: the preset, its settings, the seed, and a digest of the model's numbers."""
        numbers = repr((self.model.initial, self.model.transition, self.model.emission))
        settings = json.loads(json.dumps(asdict(PRESETS[preset])))
        digest = sha256(numbers.encode()).hexdigest()
        return {"model": digest, "preset": preset, "settings": settings, "seed": self.seed}


def pretrain(
    runs: Sequence[Run], preset: str, device: str = "cpu", watch: Watch = lambda step, seconds, loss: None
) -> list[Json]:
    """Train networks side by side, from their checkpoint if there is one; return their reports.

    Each folder gets config.json, model.safetensors and report.json. A network that has its report is not trained again.
    The checkpoint is in the folder of the first network without a report. The models of `runs` must have equal numbers
    of tokens. Raises `InputError` for a folder that holds another run, and for a file that is no report or checkpoint.

    A report has the `run`, the `device`, `steps`, `tokens`, and the `seconds` that all networks took together.
    `utilisation` is the share of the device's peak (MFU), or None if that peak is not listed. The report also has, in
    nats, the mean `divergence` KL(G || Ghat), the same mean for each position (`by_position`), and the mean `entropy`
    of G, which is the least possible loss with one token masked.
    """
    missing = []
    for run in runs:
        if run.report.is_file():
            _refuse_another_run(run.report, read_json(run.report, REPORT)["run"], run.identity(preset))
        else:
            missing.append(run)
    if missing:
        with torch.random.fork_rng(devices=[device] if device != "cpu" else []):
            _train(missing, preset, device, watch)
    return [read_json(run.report, REPORT) for run in runs]


# A step


def mask(tokens: Array, mask_token: int, stage: Stage, generator: torch.Generator) -> tuple[Array, Array]:
    """Mask sequences (S, L). Return the inputs, and the targets, which are `IGNORED` at positions not predicted.

    Without `stage.release`, a fixed number of positions of each sequence is masked: the stage's share, rounded, but at
    least one. With `release`, each position is chosen independently with the stage's share as probability. A chosen
    position is then masked with probability 80%, gets a random token with 10%, and stays as it is with 10%.
    """
    noise, kind = torch.rand((2, *tokens.shape), generator=generator, device=tokens.device)
    others = torch.randint(mask_token, tokens.shape, generator=generator, device=tokens.device)
    chosen = noise < stage.masked
    if not stage.release:
        chosen, kind = noise.argsort(1).argsort(1) < max(1, round(stage.masked * tokens.shape[1])), 0 * kind
    inputs = torch.where(chosen & (kind >= 0.9), others, tokens.masked_fill(chosen & (kind < 0.8), mask_token))
    return inputs, tokens.masked_fill(~chosen, IGNORED)


class Stack(torch.nn.Module):  # type: ignore[misc]
    """Networks side by side. Each weight has a first axis for the networks."""

    def __init__(self, runs: Sequence[Run], shape: Shape, device: str) -> None:
        super().__init__()
        # A plain list registers no weights. The networks' weights are views of the stack's.
        self.lms = [mlm.masked_lm(len(run.model.tokens), shape, run.seed).to(device) for run in runs]
        weights, _ = torch.func.stack_module_state(self.lms)
        self.names, self.weights = list(weights), torch.nn.ParameterList(weights.values())
        for i, lm in enumerate(self.lms):
            for name, weight in lm.named_parameters():
                weight.data = weights[name].data[i]

    def forward(self, *batch: Array) -> Array:
        """Return each network's loss, the mean of -log Ghat(token) over the positions to predict: (networks,).

        A batch has inputs and targets (networks, sequences, length), and for each sequence the offset of its positions
        (networks, sequences, 1).
        """

        def loss(weights: Sequence[Array], inputs: Array, targets: Array, offsets: Array) -> Array:
            parameters = dict(zip(self.names, weights, strict=True))
            positions = offsets + torch.arange(inputs.shape[1], device=inputs.device)
            read = {"input_ids": inputs, "position_ids": positions}
            logits = torch.func.functional_call(self.lms[0], parameters, (), read).logits
            return cross_entropy(logits[..., :-1].float().flatten(0, 1), targets.flatten())

        weights, kind = tuple(self.weights), "cuda" if batch[0].is_cuda else "cpu"
        with torch.autocast(kind, torch.bfloat16, kind == "cuda", cache_enabled=False):
            if len(self.lms) == 1:  # one batch of products less is faster on a CPU
                return loss([weight[0] for weight in weights], *(part[0] for part in batch))[None]
            with sdpa_kernel(BACKENDS if kind == "cuda" else BACKENDS[:1]):
                return torch.vmap(loss, randomness="different")(weights, *batch)

    def clip(self) -> None:
        """Scale down each network's gradient whose norm is above `CLIP`."""
        gradients = [weight.grad for weight in self.weights]
        norms = torch.stack([gradient.flatten(1).norm(dim=1) for gradient in gradients]).norm(dim=0)
        for gradient in gradients:
            gradient.movedim(0, -1).mul_((CLIP / (norms + 1e-6)).clamp_max(1))


def linear_share(step: int, warmup: int, steps: int) -> float:
    """Return the rate of a step, counted from 0, as a share of the full rate: it grows, and then falls, linearly."""
    return min((step + 1) / warmup, (steps - step) / (steps - warmup))


# Data


class Data:
    """The training data of one network. They are drawn with a generator of their own."""

    def __init__(self, run: Run, preset: Preset, device: str) -> None:
        self.model, self.positions = run.model, preset.shape.positions
        self.corpus: Array = None
        self.generator = stream(run.seed, "pretraining", device)
        if preset.documents:
            [stage] = preset.stages
            small = torch.uint8 if len(run.model.tokens) <= 256 else torch.int32
            corpus = sample(run.model, *preset.documents, self.generator).to(small).view(-1, stage.length)
            self.corpus = corpus[epochs(len(corpus), stage.steps * stage.sequences, self.generator)]

    def batches(self, stage: Stage, step: int, count: int) -> list[Array]:
        """Return inputs and targets (count, sequences, length) of `count` steps, and offsets (count, sequences, 1)."""
        rows = count * stage.sequences
        if self.corpus is None:
            tokens = sample(self.model, rows, stage.length, self.generator)
        else:
            tokens = self.corpus[step * stage.sequences :][:rows].long()
        inputs, targets = mask(tokens, len(self.model.tokens), stage, self.generator)
        shifts = 1 + self.positions - stage.length
        offsets = torch.randint(shifts, (rows, 1), generator=self.generator, device=tokens.device)
        return [part.unflatten(0, (count, stage.sequences)) for part in (inputs, targets, offsets)]


# The loop


def _train(runs: Sequence[Run], name: str, device: str, watch: Watch) -> None:
    preset, checkpoint = PRESETS[name], runs[0].folder / "checkpoint.pt"
    stack, data = Stack(runs, preset.shape, device), [Data(run, preset, device) for run in runs]
    optimizer = torch.optim.AdamW(stack.parameters(), weight_decay=0.0, fused=True)
    identity = {"device": torch.device(device).type, "runs": [run.identity(name) for run in runs]}
    step, seconds, end, saved = 0, 0.0, 0, perf_counter()
    if checkpoint.is_file():
        try:
            state = torch.load(checkpoint, map_location="cpu", weights_only=True)
        except Exception as error:
            raise InputError(
                "the file", type(error).__name__, "a checkpoint of this command", str(checkpoint)
            ) from None
        _refuse_another_run(checkpoint, state, identity)
        step, seconds = state["step"], state["seconds"]
        stack.load_state_dict(state["weights"])
        optimizer.load_state_dict(state["optimizer"])
        for part, position in zip(data, state["generators"], strict=True):
            part.generator.set_state(position)
    for stage in preset.stages:
        end, losses = end + stage.steps, stack
        while step < end:
            start, count = perf_counter(), min(ROUND, end - step)
            torch.manual_seed(step)  # of dropout
            drawn = [part.batches(stage, step, count) for part in data]
            batches = [torch.stack(parts, 1) for parts in zip(*drawn, strict=True)]
            if losses is stack and device != "cpu":
                losses = torch.cuda.make_graphed_callables(stack, tuple(part[0].clone() for part in batches))
                start = perf_counter()  # recording is no training
            for batch in zip(*batches, strict=True):
                optimizer.param_groups[0]["lr"] = preset.rate * linear_share(step, preset.warmup, preset.steps)
                optimizer.zero_grad()
                loss = losses(*batch)
                loss.sum().backward()
                stack.clip()
                optimizer.step()
                step += 1
            mean = float(loss.detach().mean())  # waits for the device
            seconds += perf_counter() - start
            watch(step, seconds, mean)
            if perf_counter() - saved >= CHECKPOINT_SECONDS:
                state = {
                    "step": step,
                    "seconds": seconds,
                    "weights": stack.state_dict(),
                    "optimizer": optimizer.state_dict(),
                    "generators": [part.generator.get_state() for part in data],
                }
                put(checkpoint, partial(torch.save, identity | state))
                saved = perf_counter()
    machine = "CPU" if device == "cpu" else torch.cuda.get_device_name(device)
    peak = next((PEAKS[key] for key in PEAKS if key in machine), math.inf)
    # All are measured before the first report: a network without one would be trained anew, alone.
    measures = [evaluate(lm, run.model, run.seed, *preset.evaluated) for run, lm in zip(runs, stack.lms, strict=True)]
    for run, lm, (entropy, divergences) in zip(runs, stack.lms, measures, strict=True):
        lm.save_pretrained(run.folder)
        report = {
            "run": run.identity(name),
            "steps": step,
            "tokens": preset.tokens,
            "seconds": seconds,
            "device": machine,
            "utilisation": len(runs) * preset.operations / seconds / peak or None,
            "divergence": float(divergences.mean()),
            "entropy": entropy,
            "by_position": divergences.tolist(),
        }
        put(run.report, json.dumps(report) + "\n")
    checkpoint.unlink(missing_ok=True)


# The measure, and what is read back


def evaluate(lm: Any, model: HMM, seed: int, sequences: int, length: int) -> tuple[float, Array]:
    """Compare a language model with G on sequences that are not training data, with one position masked at a time.

    Return the mean entropy of G, and the mean of KL(G_i || Ghat_i) for each position i, (length,), in nats. The
    language model is left in evaluation mode.
    """
    tokens = sample(model, sequences, length, stream(seed, "evaluation"))
    chain = model.chain(TORCH)
    exact = masked_outputs(chain, chain.embed(tokens))
    with torch.no_grad():
        log_outputs = mlm.log_outputs(lm.eval(), tokens)
    return -float(torch.xlogy(exact, exact).sum(-1).mean()), divergence(exact, log_outputs).mean(0)


REPORT = {"run", "steps", "tokens", "seconds", "divergence", "entropy", "by_position"}
"""The keys that a report must have."""


def read_json(path: Path, keys: set[str]) -> Json:
    """Read a JSON object that has these keys. Raises `OSError` for a file that cannot be opened.

    Raises `InputError`, which names the file, for any other content, and for a NaN or an infinity.
    """
    try:
        content: Json = json.loads(path.read_text(encoding="utf-8"))
        json.dumps(content, allow_nan=False)
        missing = keys - content.keys()
    except (ValueError, AttributeError, RecursionError) as error:
        raise InputError("the document", type(error).__name__, "an object of numbers", str(path)) from None
    if missing:
        raise InputError("the document", "none", f'the key "{min(missing)}"', str(path))
    return content


def _refuse_another_run(path: Path, run: Any, expected: Json) -> None:
    """Raise `InputError`, which names the first difference, for a file of another run."""
    for key, value in expected.items():
        if not isinstance(run, dict) or run.get(key) != value:
            raise InputError(key, "another run's", "this run's, or another folder", str(path))
