"""The cells of Figure 3: one model and task each, by source, kind, size and seed.

A finished cell is a small JSON file that is written in one step, so a run can be interrupted at any moment, goes on
where it stopped, and can be given further seeds. A cell has the same numbers whatever else runs beside it.

    vanilla     hidden sizes: linear heads, prompts and a lookup; as many states as memory models have jointly: heads
    memory      |M| values over 4 hidden states: attention heads
    slow        hidden sizes of models whose labels depend on distant tokens (`learned.downstream.drawn_slow`): heads

    exact       everything reads exact G
    learned     everything reads a pretrained network, and exact G on the same inputs
    untrained   a head, and for vanilla a prompt, read a network that was never trained (vanilla, slow)
    labels      all of these with few labels and with many, and the law that a tuned prompt stands for (vanilla)
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from multiprocessing import get_context
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from statistics import median
from typing import Any

import torch

from constructions.memory.joint_chain import joint_model
from constructions.reading import InputError
from constructions.system.processes import end_with_parent
from constructions.system.writing import put
from learned import mlm
from learned.attention import ATTENTION, exact_sequence, learned_sequence, tune_attention
from learned.constructed import constructed_accuracies
from learned.controls import counts_accuracy, divergence, lookup_accuracy, nearest_laws
from learned.downstream import Downstream, drawn, drawn_memory, drawn_slow, memory, slow, vanilla
from learned.files import read_json
from learned.outputs import ExactOutputs, LearnedOutputs, Outputs, read
from learned.presets import PRESETS
from learned.pretrain import Run, operations, pretrain, pretrain_stack
from learned.tune import (
    EXACT,
    FEATURES,
    PAPER,
    PROMPT_LENGTH,
    RELEASE,
    Schedule,
    Tuned,
    tune_by_gradient,
    tune_head,
    tune_prompt,
)

Json = dict[str, Any]

KINDS = ("vanilla", "memory", "slow")
"""What a cell's model may be."""

KEYS = ("kind", "inputs", "majority", "redraws", "doubtful labels")
KEYS_OF = {
    "exact": ("accuracy",),
    "learned": ("accuracy", "divergence", "entropy", "pretraining tokens", "on exact G"),
    "untrained": ("accuracy",),
    "labels": ("accuracy by labels", "divergence", "divergence at the mask", "mechanism"),
}
"""What a cell's file must have: all, and those of a source."""

HIDDEN = 4
"""|H| of the memory models."""

LEARNED = Schedule(steps=600, batch=64, rate=0.03, prompt_rate=0.03, warmup=50)
"""For prompts through a network, on a CPU."""

STACK = 10
"""Networks that a GPU trains side by side."""

LABEL_LENGTH = 31
"""Tokens behind the mask where the number of labels varies: the first five decide 99 of 100 labels."""


@dataclass(frozen=True)
class Plan:
    """What a preset runs: hidden sizes, memory values, sizes of slow models, seeds by source, inputs and steps.

    `exact_counts` and `learned_counts`: inputs for training, validation and test. `labels`: numbers of labels that are
    compared, at the `sizes`. On a network, attention reads every `stride`-th position, as each takes a pass; no cycle
    of 2 to `HIDDEN` states may have a length that divides the stride, as positions at such a distance all show the same
    hidden state. A network reads the first `context` tokens of an input. Recipes of head tuning are compared at the
    sizes `studied`. `paper`: the steps that stand for the paper's own, taken beside ours.
    """

    sizes: tuple[int, ...]
    values: tuple[int, ...]
    slow: tuple[int, ...]
    seeds: Mapping[str, int]
    exact_counts: tuple[int, int, int]
    learned_counts: tuple[int, int, int]
    labels: tuple[int, ...]
    exact: Schedule
    learned: Schedule
    attention: Schedule
    restarts: int
    stride: int
    studied: tuple[int, ...] = ()
    paper: Schedule = PAPER
    context: int | None = None


CPU = Plan(
    sizes=(4, 8, 10, 15, 25, 30),
    values=(2, 3, 5, 7),
    slow=(8,),
    seeds={"exact": 20, "learned": 1, "untrained": 1, "labels": 1},
    exact_counts=(5000, 500, 1000),
    learned_counts=(2000, 500, 1000),
    labels=(30, 100, 300, 1000, 5000),
    exact=EXACT,
    learned=LEARNED,
    attention=ATTENTION,
    restarts=3,
    stride=5,
    studied=(8, 10),  # 3.1 holds there, and the paper stays behind 3.3
)

GPU = replace(
    CPU, seeds=dict.fromkeys(CPU.seeds, 20), learned_counts=CPU.exact_counts, learned=PAPER, attention=RELEASE, stride=1
)

SMOKE = Plan(
    sizes=(4, 8),
    values=(2,),
    slow=(4,),
    seeds={"exact": 2, "learned": 1, "untrained": 1, "labels": 1},
    exact_counts=(500, 100, 200),
    learned_counts=(200, 50, 100),
    labels=(30, 100),
    exact=Schedule(200, 128, 0.1, 0.1, 20),
    learned=Schedule(20, 32, 0.03, 0.03, 2),
    attention=Schedule(120, 64, 0.1, 0.0, 10),
    restarts=2,
    stride=32,
    paper=Schedule(40, 8, 0.01, 0.01, 4),
)

PLANS = {
    "smoke": SMOKE,
    "cpu": CPU,
    "paper": GPU,
    "release": replace(GPU, learned=RELEASE, paper=RELEASE, context=79),  # its inputs are cut to 80 positions
}
"""By the name of the preset of pretraining."""

LONGER = {
    **dict.fromkeys(((8, 3), (12, 3), (15, 1), (15, 3), (25, 2), (30, 1), (30, 4)), "longer"),
    **dict.fromkeys(((20, 0), (20, 1), (28, 1), (30, 2)), "deeper"),
}
"""Vanilla models of `cpu`, by states and seed, whose networks take longer: their next state is uncertain by more than
0.55 nats; and, for `deeper`, three neighbours on either side leave more than 0.025 nats of G open."""

SECONDS = {
    ("exact", "vanilla"): 7.5,
    ("exact", "memory"): 6.2,
    ("learned", "vanilla"): 282.0,
    ("learned", "memory"): 336.0,
    ("exact", "slow"): 2.0,
    ("learned", "slow"): 280.0,
    ("untrained", "vanilla"): 115.0,
    ("untrained", "slow"): 4.0,
    ("labels", "vanilla"): 500.0,
}
"""Processor seconds of a cell of `cpu`, pretraining included: means of the committed ones, or measured on a few."""


@dataclass(frozen=True, order=True)
class Cell:
    """One model and task. `size`: hidden states of a vanilla model, or values of a memory."""

    source: str
    kind: str
    size: int
    seed: int

    @property
    def name(self) -> str:
        """Return the name of its file, without the suffix."""
        return f"{self.kind}-{self.size:02}-seed{self.seed:02}-{self.source}"

    def prompted(self, plan: Plan) -> bool:
        """Tell whether prompts are tuned for it, too."""
        return self.kind == "vanilla" and self.size in plan.sizes

    def task(self, counts: tuple[int, int, int]) -> Downstream:
        """Draw its model and task, with these numbers of inputs."""
        if self.kind == "memory":
            return memory(self.size, HIDDEN, self.seed, counts)
        if self.kind == "slow":
            return slow(self.size, self.seed, counts)
        return vanilla(self.size, self.seed, counts, **({"length": LABEL_LENGTH} if self.source == "labels" else {}))

    def preset(self, preset: str) -> str:
        """Return the preset of its network."""
        longer = preset == "cpu" and self.kind == "vanilla"
        return LONGER.get((self.size, self.seed), preset) if longer else preset

    def run(self, preset: str, folder: Path) -> Run:
        """Return the pretraining of its network."""
        name = f"{preset}-{self.kind}-{self.size:02}-seed{self.seed:02}"
        if self.kind == "memory":
            model = joint_model(drawn_memory(self.size, HIDDEN, self.seed)[0])
        else:
            model, _ = (drawn if self.kind == "vanilla" else drawn_slow)(self.size, self.seed)
        return Run(model, self.seed, folder / "pretrained" / name)


def cells(preset: str, seeds: Mapping[str, int | None], kinds: Sequence[str] = KINDS) -> list[Cell]:
    """Return the cells of a preset of these kinds; `seeds` by source, None for as many as the preset has."""
    plan, chosen = PLANS[preset], []
    vanillas = tuple(sorted({*plan.sizes, *(HIDDEN * value for value in plan.values)}))
    for source, default in plan.seeds.items():
        count = seeds.get(source)
        sizes = {"vanilla": vanillas, "memory": plan.values, "slow": plan.slow}
        if source == "untrained":
            sizes = {"vanilla": plan.sizes, "slow": plan.slow}
        elif source == "labels":
            sizes = {"vanilla": plan.sizes}
        for seed in range(default if count is None else count):
            chosen += [Cell(source, kind, n, seed) for kind in kinds if kind in sizes for n in sizes[kind]]
    return chosen


def run(cells: list[Cell], preset: str, folder: Path, device: str = "cpu", jobs: int | None = None) -> Iterator[Cell]:
    """Compute the missing cells, `jobs` at a time; yield each when its file is written.

    Default: a job for each processor, or for each GPU; there the networks are pretrained first, in stacks.
    """
    tasks = [(cell, preset, folder, device) for cell in missing(cells, preset, folder)]
    if not tasks:
        return
    (folder / f"cells-{preset}").mkdir(parents=True, exist_ok=True)
    if device != "cpu":
        for name, group in stacks([cell for cell, *_ in tasks], preset):
            pretrain_stack([cell.run(preset, folder) for cell in group], name, device)
    processors = os.cpu_count() if device == "cpu" else torch.cuda.device_count()
    context = get_context("spawn")
    # Threads gain nothing on tensors this small; cells side by side do.
    with context.Pool(
        min(jobs or processors or 1, len(tasks)), _start, (os.getpid(), device, context.Value("i"))
    ) as pool:
        yield from pool.imap_unordered(_compute, tasks)


def stacks(cells: Sequence[Cell], preset: str) -> Iterator[tuple[str, list[Cell]]]:
    """Yield the networks that cells need, at most `STACK` of one preset together."""
    pretrained = {(cell.kind, cell.size, cell.seed): cell for cell in cells if cell.source in ("learned", "labels")}
    for name in PRESETS:
        group = [cell for cell in pretrained.values() if cell.preset(preset) == name]
        for start in range(0, len(group), STACK):
            yield name, group[start : start + STACK]


def path(folder: Path, preset: str, cell: Cell) -> Path:
    """Return the file of a cell."""
    return folder / f"cells-{preset}" / f"{cell.name}.json"


def missing(cells: list[Cell], preset: str, folder: Path) -> list[Cell]:
    """Return the cells that are not finished."""
    return [cell for cell in cells if not path(folder, preset, cell).is_file()]


def finished(folder: Path, preset: str) -> list[Json]:
    """Read all finished cells of a preset. Raises `InputError`, which names the file, for one that is malformed."""
    return [read_cell(file) for file in sorted((folder / f"cells-{preset}").glob("*.json"))]


def read_cell(file: Path) -> Json:
    """Read a finished cell. Raises `InputError` for a missing key, a number that is none, or another cell's name."""
    content = read_json(file, ["source", *KEYS], ["size", "seed", "majority", "processor seconds"])
    read_json(file, KEYS_OF.get(content["source"], ()), ())
    name = Cell(*(content[key] for key in ("source", "kind", "size", "seed"))).name
    if name != file.stem:
        raise InputError("the cell", name, file.stem, str(file))
    return content


def budget(cells: list[Cell], preset: str, folder: Path) -> Json:
    """Return how many cells are missing, of how many, and what they take.

    `processor_seconds`: as finished cells of their source and kind took, or, of `cpu`, those of the committed figure;
    None where nobody knows. `operations`: of the missing networks' training, in floating point.
    """
    remaining, spent = missing(cells, preset, folder), dict[tuple[str, str], list[float]]()
    for cell in finished(folder, preset):
        spent.setdefault((cell["source"], cell["kind"]), []).append(cell["processor seconds"])
    usual = (SECONDS if preset == "cpu" else {}) | {key: median(seconds) for key, seconds in spent.items()}
    seconds = [usual.get((cell.source, cell.kind)) for cell in remaining]
    networks = [(name, cell) for name, group in stacks(remaining, preset) for cell in group]
    total = sum(operations(PRESETS[name]) for name, cell in networks)
    return {
        "cells": len(cells),
        "missing": len(remaining),
        "networks": len(networks),
        "processor_seconds": None if None in seconds else round(sum(filter(None, seconds))),
        "operations": round(total),
    }


def _start(parent: int, device: str, started: Synchronized[int]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interruption is the parent's affair
    end_with_parent(parent)
    torch.set_num_threads(1)
    if device != "cpu":  # "cuda" is one of all GPUs in this worker, in turn
        with started.get_lock():
            torch.cuda.set_device(started.value % torch.cuda.device_count())
            started.value += 1


def _compute(task: tuple[Cell, str, Path, str]) -> Cell:
    cell, preset, folder, device = task
    start = time.process_time()
    content = compute(cell, preset, folder, device)
    content["processor seconds"] = round(time.process_time() - start, 2)
    put(path(folder, preset, cell), json.dumps(content, indent=1) + "\n")
    return cell


def compute(cell: Cell, preset: str, folder: Path, device: str = "cpu") -> Json:
    """Compute one cell; its network goes to a folder below `folder`, and is pretrained if it is not there."""
    plan = PLANS[preset]
    counts = plan.exact_counts if cell.source in ("exact", "labels") else plan.learned_counts
    task = cell.task(counts)
    content: Json = {
        **asdict(cell),
        "inputs": list(counts),
        "majority": task.majority,
        "test inputs seen in training": task.repeated_share,
        "redraws": task.redraws,
        "doubtful labels": task.doubtful,
    }
    if cell.kind != "memory":
        content |= {
            "lookup": lookup_accuracy(task),
            "counts": counts_accuracy(task),
            "decided by five tokens": task.decided_share(5),
            "decided by thirty tokens": task.decided_share(30),
        }
    if cell.source == "exact":
        return content | (_memory(task, plan, cell) if cell.kind == "memory" else _exact(task, plan, cell))
    untrained = mlm.masked_lm(len(task.model.tokens), PRESETS[preset].shape, cell.seed).to(device)
    if cell.source == "untrained":
        return content | {
            "accuracy": _untrained(task, plan, cell, LearnedOutputs(untrained, task.tokens, plan.context))
        }
    network = cell.run(preset, folder)
    report = pretrain(network, cell.preset(preset), device)
    content |= {"divergence": report.divergence, "entropy": report.entropy, "pretraining tokens": report.tokens}
    lm = mlm.load(network.folder, device)
    if cell.source == "labels":
        return content | _labels(task, plan, cell, {"learned": lm, "untrained": untrained})
    return content | (_memory if cell.kind == "memory" else _learned)(task, plan, cell, lm)


def _accuracies(outputs: Outputs, task: Downstream, tuned: Mapping[str, Tuned]) -> dict[str, float]:
    return {name: result.accuracy(outputs, task) for name, result in tuned.items()}


def _tune(task: Downstream, plan: Plan, cell: Cell, outputs: Outputs, restarts: int = 1) -> dict[str, float]:
    """Tune heads, and at the left panel's sizes prompts, by our own steps; return test accuracies."""
    tuned = {f"head, {features}": tune_head(outputs, task, features) for features in FEATURES}
    schedule = plan.exact if isinstance(outputs, ExactOutputs) else plan.learned
    for features in FEATURES if cell.prompted(plan) else ():
        tuned[f"prompt, {features}"] = tune_prompt(outputs, task, features, schedule, restarts, cell.seed)
    return _accuracies(outputs, task, tuned)


def _tune_as_published(task: Downstream, plan: Plan, cell: Cell, outputs: Outputs) -> Json:
    """Take the paper's steps on a head and a prompt; at the sizes `studied`, compare ways of tuning a head."""
    content: Json = {}

    def steps(schedule: Schedule, length: int = 0, whitened: bool = False) -> Tuned:
        return tune_by_gradient(outputs, task, "probabilities", schedule, cell.seed, length, whitened)

    if cell.prompted(plan):
        tuned = {"head, probabilities": steps(plan.paper), "prompt, probabilities": steps(plan.paper, PROMPT_LENGTH)}
        content["the paper's steps"] = _accuracies(outputs, task, tuned)
    if cell.kind == "vanilla" and cell.size in plan.studied:
        recipes = {
            f"probabilities, {name}" + ", whitened" * whitened: steps(schedule, whitened=whitened)
            for (name, schedule), whitened in product(
                (("the paper's steps", PAPER), ("the release's steps", RELEASE)), (False, True)
            )
        }
        recipes |= {f"{features}, Newton": tune_head(outputs, task, features) for features in FEATURES}
        content["recipes"] = _accuracies(outputs, task, recipes)
    return content


def _exact(task: Downstream, plan: Plan, cell: Cell) -> Json:
    exact = ExactOutputs(task.model, task.likelihood)
    margins = task.margins[task.rows("test")].abs()
    content = {
        "accuracy": _tune(task, plan, cell, exact, plan.restarts),
        "margin": {"smallest": float(margins.min()), "median": float(margins.median())},
        "constructed": constructed_accuracies(task, exact),
    }
    return content | _tune_as_published(task, plan, cell, exact)


def _learned(task: Downstream, plan: Plan, cell: Cell, lm: Any) -> Json:
    """Tune on a network, and on exact G with the same inputs: what is lost there is not pretraining's."""
    exact, outputs = ExactOutputs(task.model, task.likelihood), LearnedOutputs(lm, task.tokens, plan.context)
    content: Json = {
        "accuracy": _tune(task, plan, cell, outputs),
        "on exact G": _tune(task, plan, cell, exact),
        "constructed": constructed_accuracies(task, exact, outputs),
    }
    return content | _tune_as_published(task, plan, cell, outputs)


def _untrained(task: Downstream, plan: Plan, cell: Cell, outputs: Outputs) -> dict[str, float]:
    tuned = {"head, log-odds": tune_head(outputs, task, "log-odds")}
    if cell.prompted(plan):
        tuned["prompt, log-odds"] = tune_prompt(outputs, task, "log-odds", plan.learned, 1, cell.seed)
    return _accuracies(outputs, task, tuned)


def _labels(pool: Downstream, plan: Plan, cell: Cell, lms: Mapping[str, Any]) -> Json:
    """Tune on log-odds with each number of labels; fit laws to the network behind the prompt of the most labels."""
    rows: dict[str, dict[str, float]] = {}
    for count in plan.labels:
        task = pool.with_labels(count)
        exact = ExactOutputs(task.model, task.likelihood)
        sources: dict[str, Outputs] = {"exact": exact}
        sources |= {name: LearnedOutputs(lm, task.tokens) for name, lm in lms.items()}
        row = rows[str(count)] = {"majority": task.majority, "lookup": lookup_accuracy(task)}
        prompts: dict[str, Any] = {"no prompt": None}
        for source, outputs in sources.items():
            schedule, restarts = (plan.exact, plan.restarts) if source == "exact" else (plan.learned, 1)
            tuned = tune_prompt(outputs, task, "log-odds", schedule, restarts, cell.seed)
            row[f"{source}: head, log-odds"] = tune_head(outputs, task, "log-odds").accuracy(outputs, task)
            row[f"{source}: prompt, log-odds"] = tuned.accuracy(outputs, task)
            if source == "learned":
                prompts["prompt, log-odds"] = tuned.prompt
    test, learned, mechanism = task.rows("test"), sources["learned"], {}
    for name, prompt in prompts.items():
        ends = nearest_laws(task, exact, read(learned, test, prompt), cell.seed)
        mechanism[name] = {"from P[H_1]": ends[0], "nearest": min(ends), "starts": len(ends)}
    at_mask = float(divergence(read(exact, test), read(learned, test)))
    return {"accuracy by labels": rows, "divergence at the mask": at_mask, "mechanism": mechanism}


def _memory(task: Downstream, plan: Plan, cell: Cell, lm: Any = None) -> Json:
    """Tune attention heads on exact G, and on a network with the same inputs."""
    positions = range(0, task.tokens.shape[1] + 1, 1 if lm is None else plan.stride)
    sequences = {"on exact G": exact_sequence(task.model, task.tokens)[:, positions]}
    if lm is not None:
        sequences["accuracy"] = learned_sequence(lm, task.tokens, positions)
    content = {
        key: {
            f"attention, {features}": tune_attention(outputs, positions, task, features, plan.attention, cell.seed)[1]
            for features in FEATURES
        }
        for key, outputs in sequences.items()
    }
    return content if lm is not None else {"accuracy": content["on exact G"]}
