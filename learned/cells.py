"""The cells of Figure 3: one model and task each, by source, kind, size and seed.

A finished cell is a small JSON file that is written in one step, so a run can be interrupted at any moment, goes on
where it stopped, and can be given further seeds. A cell has the same numbers whatever else runs beside it.

    vanilla     hidden sizes: linear heads, prompts and a lookup; as many states as memory models have jointly: heads
    memory      |M| values over 4 hidden states: attention heads
    slow        hidden sizes of models whose labels depend on distant tokens (`learned.downstream.draw`): heads

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
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import torch

from constructions.reading import InputError
from constructions.system.processes import end_with_parent
from constructions.system.writing import put
from learned import mlm
from learned.attention import ATTENTION, exact_sequence, learned_sequence, tune_attention
from learned.constructed import constructed_accuracies
from learned.controls import counts_accuracy, divergence, lookup_accuracy, nearest_laws
from learned.downstream import COUNTS, HIDDEN, LENGTH, Counts, Downstream, downstream, draw
from learned.outputs import ExactOutputs, LearnedOutputs, Outputs, read
from learned.pretrain import PRESETS, Json, Run, pretrain, read_json
from learned.tune import (
    EXACT,
    FEATURES,
    LEARNED,
    PAPER,
    PROMPT_LENGTH,
    RELEASE,
    Schedule,
    Tuned,
    tune_by_gradient,
    tune_head,
    tune_prompt,
)

KINDS = ("vanilla", "memory", "slow")
"""What a cell's model may be."""

SOURCES = {"exact": KINDS, "learned": KINDS, "untrained": ("vanilla", "slow"), "labels": ("vanilla",)}
"""The kinds that each source has."""

KEYS = ("source", "kind", "inputs", "redraws", "doubtful labels")
NUMBERS = ("size", "seed", "majority", "processor seconds")
"""What every cell's file must have."""

STACK = 10
"""Networks that a GPU trains side by side."""

LABEL_LENGTH = 31
"""Tokens behind the mask where the number of labels varies: the first five decide 99 of 100 labels."""


@dataclass(frozen=True)
class Plan:
    """What a preset runs: sizes by kind, seeds by source, inputs and steps.

    `exact_counts` and `learned_counts`: inputs for training, validation and test. `labels`: numbers of labels that are
    compared. On a network, attention reads every `stride`-th position, as each takes a pass; no cycle of 2 to `HIDDEN`
    states may have a length that divides the stride, as positions at such a distance all show the same hidden state. A
    network reads the first `context` tokens of an input. `paper`: the steps that stand for the paper's own, taken
    beside ours.
    """

    sizes: Mapping[str, Sequence[int]]
    seeds: Mapping[str, int]
    exact_counts: Counts
    learned_counts: Counts
    labels: tuple[int, ...]
    exact: Schedule
    learned: Schedule
    attention: Schedule
    restarts: int
    stride: int
    paper: Schedule = PAPER
    context: int | None = None


CPU = Plan(
    sizes={"vanilla": (4, 8, 10, 15, 25, 30), "memory": (2, 3, 5, 7), "slow": (8,)},
    seeds={"exact": 20, "learned": 1, "untrained": 1, "labels": 1},
    exact_counts=COUNTS,
    learned_counts=(2000, 500, 1000),
    labels=(30, 100, 300, 1000, 5000),
    exact=EXACT,
    learned=LEARNED,
    attention=ATTENTION,
    restarts=3,
    stride=5,
)

GPU = replace(CPU, seeds=dict.fromkeys(SOURCES, 20), learned_counts=COUNTS, learned=PAPER, attention=RELEASE, stride=1)

PLANS = {
    "smoke": Plan(
        sizes={"vanilla": (4, 8), "memory": (2,), "slow": (4,)},
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
    ),
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
    "exact": {"vanilla": 7.5, "memory": 6.2, "slow": 2.0},
    "learned": {"vanilla": 282.0, "memory": 336.0, "slow": 280.0},
    "untrained": {"vanilla": 115.0, "slow": 4.0},
    "labels": {"vanilla": 500.0},
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
        return self.kind == "vanilla" and self.size in plan.sizes["vanilla"]

    def preset(self, preset: str) -> str:
        """Return the preset of its network."""
        longer = preset == "cpu" and self.kind == "vanilla"
        return LONGER.get((self.size, self.seed), preset) if longer else preset

    def run(self, preset: str, folder: Path) -> Run:
        """Return the pretraining of its network."""
        name = f"{preset}-{self.kind}-{self.size:02}-seed{self.seed:02}"
        return Run(draw(self.kind, self.size, self.seed)[0], self.seed, folder / "pretrained" / name)


def cells(preset: str, seeds: Mapping[str, int | None]) -> list[Cell]:
    """Return the cells of a preset; `seeds` by source, None for as many as the preset has."""
    plan, chosen = PLANS[preset], []
    for source, default in plan.seeds.items():
        # Heads of vanilla models are compared with those of memory models, too.
        joint = [HIDDEN * values for values in plan.sizes["memory"]] if "memory" in SOURCES[source] else []
        sizes = {**plan.sizes, "vanilla": sorted({*plan.sizes["vanilla"], *joint})}
        for seed in range(default if (count := seeds.get(source)) is None else count):
            chosen += [Cell(source, kind, n, seed) for kind in SOURCES[source] for n in sizes[kind]]
    return chosen


def run(cells: Sequence[Cell], preset: str, folder: Path, device: str, jobs: int | None = None) -> Iterator[Cell]:
    """Compute missing cells, `jobs` at a time; yield each when its file is written.

    Default: a job for each processor, or for each GPU; there the networks are pretrained first, in stacks.
    """
    if not cells:
        return
    if device != "cpu":
        for name, group in stacks(cells, preset):
            pretrain([cell.run(preset, folder) for cell in group], name, device)
    count = jobs or (os.cpu_count() if device == "cpu" else torch.cuda.device_count()) or 1
    devices = cycle(["cpu"] if device == "cpu" else [f"cuda:{i}" for i in range(torch.cuda.device_count())])
    work = [(cell, preset, folder, name) for cell, name in zip(cells, devices, strict=False)]
    # Threads gain nothing on tensors this small; cells side by side do.
    with get_context("spawn").Pool(min(count, len(cells)), _start, (os.getpid(),)) as pool:
        yield from pool.imap_unordered(_compute, work)


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


def missing(cells: Sequence[Cell], preset: str, folder: Path) -> list[Cell]:
    """Return the cells that are not finished."""
    return [cell for cell in cells if not path(folder, preset, cell).is_file()]


def finished(folder: Path, preset: str) -> list[Json]:
    """Read all finished cells of a preset.

    Raises `InputError`, which names the file, for a missing key, a number that is none, or another cell's name.
    """
    contents = []
    for file in sorted((folder / f"cells-{preset}").glob("*.json")):
        content = read_json(file, KEYS, NUMBERS)
        name = Cell(*(content[key] for key in ("source", "kind", "size", "seed"))).name
        if name != file.stem:
            raise InputError("the cell", name, file.stem, str(file))
        contents.append(content)
    return contents


def budget(cells: Sequence[Cell], preset: str, folder: Path) -> Json:
    """Return how many cells are missing, of how many, and what they take.

    `processor_seconds`: of `cpu`, as cells of their source and kind took for the committed figure; None where nobody
    knows. `operations`: of the missing networks' training, in floating point.
    """
    remaining = missing(cells, preset, folder)
    networks = [name for name, group in stacks(remaining, preset) for _ in group]
    seconds = round(sum(SECONDS[cell.source][cell.kind] for cell in remaining)) if preset == "cpu" else None
    return {
        "cells": len(cells),
        "missing": len(remaining),
        "networks": len(networks),
        "processor_seconds": seconds,
        "operations": round(sum(PRESETS[name].operations for name in networks)),
    }


def _start(parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interruption is the parent's affair
    end_with_parent(parent)
    torch.set_num_threads(1)


def _compute(job: tuple[Cell, str, Path, str]) -> Cell:
    cell, preset, folder, device = job
    start = time.process_time()
    content = compute(cell, preset, folder, device)
    content["processor seconds"] = round(time.process_time() - start, 2)
    put(path(folder, preset, cell), json.dumps(content, indent=1) + "\n")
    return cell


def compute(cell: Cell, preset: str, folder: Path, device: str = "cpu") -> Json:
    """Compute one cell; its network goes to a folder below `folder`, and is pretrained if it is not there."""
    plan = PLANS[preset]
    counts = plan.exact_counts if cell.source in ("exact", "labels") else plan.learned_counts
    length = LABEL_LENGTH if cell.source == "labels" else LENGTH
    task = downstream(cell.kind, cell.size, cell.seed, counts, length)
    content: Json = asdict(cell) | {
        "inputs": list(counts),
        "majority": task.majority,
        "redraws": task.redraws,
        "doubtful labels": task.doubtful,
    }
    lms = {}
    if cell.source in ("untrained", "labels"):
        lms["untrained"] = mlm.masked_lm(len(task.model.tokens), PRESETS[preset].shape, cell.seed).to(device)
    if cell.source in ("learned", "labels"):
        network = cell.run(preset, folder)
        [report] = pretrain([network], cell.preset(preset), device)
        content |= {"divergence": report["divergence"], "entropy": report["entropy"]}
        content["pretraining tokens"] = report["tokens"]
        lms["learned"] = mlm.load(network.folder, device)
    return content | (_memory if cell.kind == "memory" else _linear)(cell, plan, task, lms)


def _memory(cell: Cell, plan: Plan, task: Downstream, lms: Mapping[str, Any]) -> Json:
    """Tune attention heads on exact G, and on a network with the same inputs."""
    positions = range(0, LENGTH + 1, plan.stride if lms else 1)
    sequences = {"on exact G": exact_sequence(task.model, task.tokens)[:, positions]}
    if lms:
        sequences["accuracy"] = learned_sequence(lms["learned"], task.tokens, positions)
    content = {
        key: {
            f"attention, {features}": tune_attention(outputs, positions, task, features, plan.attention, cell.seed)[1]
            for features in FEATURES
        }
        for key, outputs in sequences.items()
    }
    return content if lms else {"accuracy": content["on exact G"]}


def _linear(cell: Cell, plan: Plan, task: Downstream, lms: Mapping[str, Any]) -> Json:
    """Tune heads and prompts on exact G and on networks, beside controls and what the theorems construct."""
    exact, rows = ExactOutputs(task.model, task.likelihood), task.rows("test")
    networks = {name: LearnedOutputs(lm, task.tokens, plan.context) for name, lm in lms.items()}
    outputs: Outputs = networks.get(cell.source, exact)
    content: Json = {
        "lookup": lookup_accuracy(task),
        "counts": counts_accuracy(task),
        "decided by five tokens": task.decided_share(5),
        "decided by thirty tokens": task.decided_share(30),
    }
    if "learned" in networks:
        content["divergence at the mask"] = float(divergence(read(exact, rows), read(networks["learned"], rows)))
    if cell.source == "labels":
        return content | _labels(cell, plan, task, exact, networks)
    features = ["log-odds"] if cell.source == "untrained" else list(FEATURES)
    content["accuracy"] = _accuracies(_tune(cell, plan, task, outputs, features), outputs, task)
    if cell.source == "untrained":
        return content
    if cell.source == "learned":  # what is lost on exact G with the same inputs is not pretraining's
        content["on exact G"] = _accuracies(_tune(cell, plan, task, exact, features), exact, task)
    if cell.prompted(plan):
        ways = {"head": 0, "prompt": PROMPT_LENGTH}
        steps = {
            f"{way}, probabilities": tune_by_gradient(outputs, task, "probabilities", plan.paper, cell.seed, length)
            for way, length in ways.items()
        }
        content["the paper's steps"] = _accuracies(steps, outputs, task)
    margins = task.margins[rows].abs()
    content["margin"] = {"smallest": float(margins.min()), "median": float(margins.median())}
    content["constructed"] = constructed_accuracies(task, exact, networks.get("learned"))
    return content


def _labels(
    cell: Cell, plan: Plan, task: Downstream, exact: ExactOutputs, networks: Mapping[str, LearnedOutputs]
) -> Json:
    """Tune on log-odds with each number of labels; fit laws to the network behind the prompt of the most labels."""
    rows: dict[str, dict[str, float]] = {}
    prompts: dict[str, Any] = {"no prompt": None}
    for count in plan.labels:
        few = task.with_labels(count)
        row = rows[str(count)] = {"majority": few.majority, "lookup": lookup_accuracy(few)}
        sources: dict[str, Outputs] = {"exact": exact, **networks}
        for source, outputs in sources.items():
            tuned = _tune(cell, plan, few, outputs, ["log-odds"])
            accuracies = _accuracies(tuned, outputs, few)
            row |= {f"{source}: {name}": share for name, share in accuracies.items()}
            if source == "learned":
                prompts["prompt, log-odds"] = tuned["prompt, log-odds"].prompt
    mechanism = {}
    for name, prompt in prompts.items():
        ends = nearest_laws(task, exact, read(networks["learned"], task.rows("test"), prompt), cell.seed)
        mechanism[name] = {"from P[H_1]": ends[0], "nearest": min(ends), "starts": len(ends)}
    return {"accuracy by labels": rows, "mechanism": mechanism}


def _tune(cell: Cell, plan: Plan, task: Downstream, outputs: Outputs, features: Sequence[str]) -> dict[str, Tuned]:
    """Tune heads, and at the left panel's sizes prompts, by our own steps."""
    tuned = {f"head, {name}": tune_head(outputs, task, name) for name in features}
    exact = isinstance(outputs, ExactOutputs)
    restarts = plan.restarts if exact and cell.source != "learned" else 1
    for name in features if cell.prompted(plan) else ():
        schedule = plan.exact if exact else plan.learned
        tuned[f"prompt, {name}"] = tune_prompt(outputs, task, name, schedule, restarts, cell.seed)
    return tuned


def _accuracies(tuned: Mapping[str, Tuned], outputs: Outputs, task: Downstream) -> dict[str, float]:
    return {name: way.accuracy(outputs, task) for name, way in tuned.items()}
