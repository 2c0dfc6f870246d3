"""The cells of Figure 3. A cell is one model and one task, with a source of outputs, a kind, a size and a seed.

A finished cell is a small JSON file, which is written in one step. So a run can be interrupted at any moment, goes on
where it stopped, and can be given further seeds. On a CPU a cell does not depend on the cells that run beside it. On a
GPU networks are trained in stacks (`learned.pretrain`): with dropout, weights depend on the stack, and a stack that was
interrupted has to be finished before further seeds are given.

Kinds of models, and what is tuned on them, or looked up (`learned.controls`):

    vanilla     on models of the preset's sizes: linear heads, prompts, a lookup
                on models with as many states as Hbar of a memory model: linear heads, a lookup
    memory      |M| values over 4 hidden states: attention heads
    slow        models whose labels depend on distant tokens (`learned.downstream.draw`): linear heads, a lookup

Sources, and what a cell of each has:

    exact       heads and prompts on exact G
    learned     heads and prompts on a pretrained network, and on exact G for the same inputs
    untrained   a head and, for vanilla, a prompt on a network that was never trained (vanilla and slow)
    labels      heads and prompts on the outputs of these three, with few and with many labelled inputs; a lookup; and
                the law of the masked state with which exact G comes nearest to the network (vanilla)
    transfer    prompts that were tuned or constructed on one chain and are tested on a moved one (vanilla)

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from itertools import cycle, product, repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import torch

from constructions.fields import RATIONALS
from constructions.heads import Classifier
from constructions.reading import InputError
from constructions.system.processes import end_with_parent
from constructions.system.writing import put
from constructions.tasks import Task
from learned import mlm
from learned.attention import exact_sequence, tune_attention
from learned.constructed import constructed, identity, in_doubles, linear, margins
from learned.controls import counts_accuracy, lookup_accuracy, nearest_laws
from learned.downstream import COUNTS, HIDDEN, LENGTH, TOKENS, Counts, Downstream, downstream, draw, labelled, moved
from learned.fields import divergence
from learned.outputs import ExactOutputs, LearnedOutputs, Outputs
from learned.pretrain import PEAKS, PRESETS, Json, Run, pretrain, read_json
from learned.tune import (
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

KINDS = ("vanilla", "memory", "slow")
"""The kinds of models."""

TRAINED = ("learned", "labels", "transfer")
"""The sources that need a pretrained network."""

SOURCES = {
    "exact": KINDS,
    "learned": KINDS,
    "untrained": ("vanilla", "slow"),
    "labels": ("vanilla",),
    "transfer": ("vanilla",),
}
"""The kinds that each source has."""

KEYS = {"source", "kind", "size", "seed", "inputs", "majority", "doubtful labels", "processor seconds"}
"""The keys that a cell's file must have."""

RATES = {"one core of 2026, as measured": 2e10, "one H100 at its peak": PEAKS["H100"]}
"""Floating-point operations per second, by which a plan estimates its time."""

STACK = 10
"""The number of networks that a GPU trains side by side."""

LABEL_LENGTH = 31
"""The number of tokens behind the mask in the source `labels`. The first five decide 99 of 100 labels."""

DISTANCES = ("0.0", "0.05", "0.1", "0.2", "0.4")
"""How far a chain moves: the total variation between the old and new law of the next state, mean over states."""


@dataclass(frozen=True)
class Plan:
    """The cells of a preset: sizes by kind, numbers of seeds by source, numbers of inputs, and steps of tuning.

    `exact_counts` and `learned_counts` are the numbers of inputs for training, validation and test. `labels` are the
    numbers of labelled inputs for which there are results.

    Three schedules of steps are for prompts on exact G (`exact`), for prompts on a network (`learned`) and for
    attention heads (`attention`). Heads and prompts are tuned a second time by the schedule `paper`. On exact G prompts
    are tuned from `restarts` starts. In the source "learned" they are tuned from one start.

    On a network, attention heads read every `stride`-th position, since each position needs a pass of the network. The
    chain of a memory model nearly repeats a cycle of up to `HIDDEN` states. If the stride is a multiple of the cycle's
    length, the positions that are read mostly show one hidden state. For linear heads and prompts a network reads only
    the first `context` tokens of an input.
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
    paper: Schedule
    context: int | None = None


CPU = Plan(
    sizes={"vanilla": (4, 8, 10, 15, 25, 30), "memory": (2, 3, 5, 7), "slow": (8,)},
    seeds={**dict.fromkeys(SOURCES, 1), "exact": 20},
    exact_counts=COUNTS,
    learned_counts=(2000, 500, 1000),
    labels=(30, 100, 300, 1000, 5000),
    exact=Schedule(1000, 512, 0.1, 50),
    learned=Schedule(600, 64, 0.03, 50),
    attention=Schedule(600, 128, 0.03, 50),
    restarts=3,
    stride=5,
    paper=PAPER,
)

GPU = replace(CPU, seeds=dict.fromkeys(SOURCES, 20), learned_counts=COUNTS, learned=PAPER, attention=RELEASE, stride=1)

QUICK = Schedule(60, 32, 0.1, 6)

PLANS = {
    "smoke": replace(
        CPU,
        sizes={"vanilla": (4, 8), "memory": (2,), "slow": (4,)},
        seeds={**CPU.seeds, "exact": 2},
        exact_counts=(500, 100, 200),
        learned_counts=(200, 50, 100),
        labels=(30, 100),
        restarts=2,
        stride=31,
        exact=QUICK,
        learned=QUICK,
        attention=QUICK,
        paper=QUICK,
    ),
    "cpu": CPU,
    "paper": GPU,
    "release": replace(GPU, learned=RELEASE, paper=RELEASE, context=79),  # its inputs are cut to 80 positions
}
"""The plan of each preset."""

LONGER = dict.fromkeys(((8, 3), (12, 3), (15, 1), (15, 3), (25, 2), (30, 1), (30, 4)), "longer")
LONGER |= dict.fromkeys(((20, 0), (20, 1), (28, 1), (30, 2)), "deeper")
"""Presets of the networks of some vanilla models of `cpu`, by states and seed. The next state of these models is
uncertain by more than 0.55 nats. `deeper`: also KL(G, G_3) >= 0.025 nats, where G_3 reads only three neighbours on
either side."""


@dataclass(frozen=True)
class Cell:
    """One model and task. `size` is the number of values of a memory model, or of hidden states of any other."""

    preset: str
    source: str
    kind: str
    size: int
    seed: int

    @property
    def name(self) -> str:
        """Return the name of the cell's file, without the suffix."""
        return f"{self.kind}-{self.size:02}-seed{self.seed:02}-{self.source}"

    @property
    def plan(self) -> Plan:
        """Return the plan of the cell's preset."""
        return PLANS[self.preset]

    @property
    def prompted(self) -> bool:
        """Tell whether prompts are tuned for the cell, too."""
        return self.kind == "vanilla" and self.size in self.plan.sizes["vanilla"]

    @property
    def pretraining(self) -> str:
        """Return the preset of pretraining of the cell's network."""
        if self.preset != "cpu" or self.kind == "memory":
            return self.preset
        return "slow" if self.kind == "slow" else LONGER.get((self.size, self.seed), "cpu")

    def run(self, folder: Path) -> Run:
        """Return the run that pretrains the cell's network."""
        name = f"{self.preset}-{self.kind}-{self.size:02}-seed{self.seed:02}"
        return Run(draw(self.kind, self.size, self.seed)[0], self.seed, folder / "pretrained" / name)

    def file(self, folder: Path) -> Path:
        """Return the file to which the cell is written."""
        return folder / f"cells-{self.preset}" / f"{self.name}.json"


def cells(preset: str, seeds: Mapping[str, int]) -> list[Cell]:
    """Return the cells of a preset. `seeds` replaces the preset's numbers of seeds, for the sources that it names."""
    plan = PLANS[preset]
    # Heads of vanilla models are compared with those of memory models, too.
    joint = [HIDDEN * values for values in plan.sizes["memory"]]
    return [
        Cell(preset, source, kind, n, seed)
        for source, count in {**plan.seeds, **seeds}.items()
        for seed in range(count)
        for kind in SOURCES[source]
        for n in sorted({*plan.sizes[kind], *(joint if kind == "vanilla" and "memory" in SOURCES[source] else ())})
        if source != "transfer" or n <= TOKENS
    ]


def run(cells: Sequence[Cell], folder: Path, device: str, jobs: int | None = None) -> Iterator[Cell]:
    """Compute cells, `jobs` at a time; yield each when its file is written.

    Without `jobs`, as many run as there are processors, or GPUs. On GPUs, networks are pretrained first, in stacks.
    """
    if not cells:
        return
    devices = [device] * (os.cpu_count() or 1)
    if device != "cpu":
        devices = [f"cuda:{i}" for i in range(torch.cuda.device_count())]
        for name, group in stacks(cells):
            pretrain([cell.run(folder) for cell in group], name, device)
    # Threads gain nothing on tensors this small; cells side by side do.
    with get_context("spawn").Pool(min(jobs or len(devices), len(cells)), _start, (os.getpid(),)) as pool:
        yield from pool.imap_unordered(_compute, zip(cells, repeat(folder), cycle(devices), strict=False))


def stacks(cells: Sequence[Cell]) -> Iterator[tuple[str, list[Cell]]]:
    """Divide the networks that cells need into stacks. For each stack yield its preset and at most `STACK` cells."""
    pretrained = {(cell.kind, cell.size, cell.seed): cell for cell in cells if cell.source in TRAINED}
    for name in PRESETS:
        group = [cell for cell in pretrained.values() if cell.pretraining == name]
        for start in range(0, len(group), STACK):
            yield name, group[start : start + STACK]


def missing(cells: Sequence[Cell], folder: Path) -> list[Cell]:
    """Return the cells that are not finished."""
    return [cell for cell in cells if not cell.file(folder).is_file()]


def finished(folder: Path, preset: str) -> list[Json]:
    """Read all finished cells of a preset.

    Raises `InputError`, which names the file, if a file is no object with the keys `KEYS`, or has another cell's name.
    """
    contents = []
    for file in sorted((folder / f"cells-{preset}").glob("*.json")):
        contents.append(content := read_json(file, KEYS))
        if not all(isinstance(content[key], int) for key in ("size", "seed")):
            raise InputError("the size or the seed", "no integer", "an integer", str(file))
        name = Cell(preset, *(content[key] for key in ("source", "kind", "size", "seed"))).name
        if name != file.stem:
            raise InputError("the cell", name, file.stem, str(file))
    return contents


def budget(cells: Sequence[Cell], folder: Path) -> Json:
    """Return the numbers of cells, of missing cells, and of the networks that the missing cells read.

    `operations` are the floating-point operations of training these networks, and `seconds` their time at each of
    `RATES`. A network counts even if it is trained already.
    """
    remaining = missing(cells, folder)
    operations = [PRESETS[name].operations for name, group in stacks(remaining) for _ in group]
    return {
        "cells": len(cells),
        "missing": len(remaining),
        "networks": len(operations),
        "operations": sum(operations),
        "seconds": {device: round(sum(operations) / rate) for device, rate in RATES.items()},
    }


def _start(parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interruption is the parent's affair
    end_with_parent(parent)
    torch.set_num_threads(1)
    if torch.cuda.is_available():
        torch.set_float32_matmul_precision("high")  # TF32, which a CPU is not to imitate


def _compute(job: tuple[Cell, Path, str]) -> Cell:
    compute(*job)
    return job[0]


def compute(cell: Cell, folder: Path, device: str = "cpu") -> Json:
    """Compute one cell, write its file, and return the content.

    If the cell reads a pretrained network that does not exist yet, pretrain the network first.
    """
    start = time.process_time()
    counts = cell.plan.exact_counts if cell.source in ("exact", "labels") else cell.plan.learned_counts
    length = LABEL_LENGTH if cell.source == "labels" else LENGTH
    task = downstream(cell.kind, cell.size, cell.seed, counts, length)
    content: Json = asdict(cell) | {"inputs": list(counts), "majority": task.majority, "doubtful labels": task.doubtful}
    lms = {}
    if cell.source in ("untrained", "labels"):
        lms["untrained"] = mlm.masked_lm(len(task.model.tokens), PRESETS[cell.pretraining].shape, cell.seed).to(device)
    if cell.source in TRAINED:
        network = cell.run(folder)
        [report] = pretrain([network], cell.pretraining, device)
        content |= {
            "divergence": report["divergence"],
            "entropy": report["entropy"],
            "pretraining tokens": report["tokens"],
        }
        lms["learned"] = mlm.load(network.folder, device)
    content |= (_memory if cell.kind == "memory" else _linear)(cell, task, lms)
    content["processor seconds"] = round(time.process_time() - start, 2)
    put(cell.file(folder), json.dumps(content, indent=1) + "\n")
    return content


def _memory(cell: Cell, task: Downstream, lms: Mapping[str, Any]) -> Json:
    """Tune attention heads on exact G, and on a network if there is one, with the same inputs."""
    positions = range(0, LENGTH + 1, cell.plan.stride if lms else 1)
    sequences = {"on exact G" if lms else "accuracy": exact_sequence(task.model, task.tokens)[:, positions]}
    if lms:
        sequences["accuracy"] = LearnedOutputs(lms["learned"], task.tokens).sequence(positions)
    return {
        key: {
            f"attention, {name}": tune_attention(outputs, positions, task, name, cell.plan.attention, cell.seed)
            for name in FEATURES
        }
        for key, outputs in sequences.items()
    }


def _linear(cell: Cell, task: Downstream, lms: Mapping[str, Any]) -> Json:
    """Tune heads and prompts on the outputs that the cell's source names, and evaluate controls.

    If the source is `exact` or `learned`, evaluate the constructions of the theorems, too.
    """
    exact, built = ExactOutputs(task), constructed(task)
    sources: dict[str, Outputs] = {"exact": exact}
    sources |= {name: LearnedOutputs(lm, task.tokens[:, : cell.plan.context]) for name, lm in lms.items()}
    content: Json = {
        "lookup": lookup_accuracy(task),
        "counts": counts_accuracy(task),
        "decided by five tokens": task.agreement(task.model, task.task, 5),
        "decided by thirty tokens": task.agreement(task.model, task.task, 30),
    }
    if network := sources.get("learned"):
        rows = task.rows("test")
        content["divergence at the mask"] = float(divergence(exact(rows), FEATURES["log-odds"](network(rows))).mean())
        heads = {
            "tuned on exact G": linear(tune_head(exact, task, "probabilities")),
            "tuned on the network": linear(tune_head(network, task, "probabilities")),
        }
        if "3.3" in built:
            heads["3.3"] = built["3.3"].head
        content["margins"] = margins(task, network, heads)
    if cell.source == "labels":
        return content | _labels(cell, task, exact, sources)
    if cell.source == "transfer":
        (on_exact,), (on_network,) = (
            _tune(cell, [task], way, "prompt, log-odds") for way in (exact, sources["learned"])
        )
        return content | {"transfer": _transfer(cell, task, built["3.6"], on_exact, on_network, lms["learned"])}
    outputs = sources[cell.source]
    readers = {"accuracy": outputs}
    if cell.source == "learned":  # what is lost on exact G with the same inputs is not pretraining's
        readers["on exact G"] = exact
    for key, reader in readers.items():
        content[key] = {
            f"{way}, {name}": _tune(cell, [task], reader, f"{way}, {name}")[0].accuracy(reader, task)
            for way in ("head", "prompt")[: 1 + cell.prompted]
            for name in (["log-odds"] if cell.source == "untrained" else FEATURES)
        }
    if cell.source == "untrained":
        return content
    if cell.prompted:
        content["the paper's steps"] = {
            f"{way}, probabilities": tune_by_gradient(
                outputs, [(task, cell.seed)], "probabilities", cell.plan.paper, length
            )[0].accuracy(outputs, task)
            for way, length in (("head", 0), ("prompt", PROMPT_LENGTH))
        }
    content["constructed"] = {
        theorem: {"identity": identity(task, classifier), "float64": in_doubles(classifier).accuracy(exact, task)}
        for theorem, classifier in built.items()
    }
    if network and "3.3" in built:
        content["constructed"]["3.3"]["learned"] = in_doubles(built["3.3"]).accuracy(network, task)
    return content


def _labels(cell: Cell, task: Downstream, exact: ExactOutputs, sources: Mapping[str, Outputs]) -> Json:
    """Tune heads and prompts on log-odds with each number of labelled inputs, then fit laws of the masked state.

    Laws are fitted without a prompt, and behind the prompt that was tuned on the trained network with the most labelled
    inputs.
    """
    tasks = [task.with_labels(count) for count in cell.plan.labels]
    rows = [{"majority": few.majority, "lookup": lookup_accuracy(few)} for few in tasks]
    prompts = {"no prompt": mlm.NO_PROMPT}
    for (source, outputs), method in product(sources.items(), ("head, log-odds", "prompt, log-odds")):
        for row, few, tuned in zip(rows, tasks, _tune(cell, tasks, outputs, method), strict=True):
            row[f"{source}: {method}"] = tuned.accuracy(outputs, few)
    prompts[method] = tuned.prompt  # of the last source, which is the trained network
    mechanism = {}
    for name, prompt in prompts.items():
        ends = nearest_laws(task, exact, sources["learned"](task.rows("test"), prompt), cell.seed)
        mechanism[name] = {"from P[H_1]": ends[0], "nearest": min(ends), "starts": len(ends)}
    return {"accuracy by labels": dict(zip(map(str, cell.plan.labels), rows, strict=True)), "mechanism": mechanism}


def _transfer(
    cell: Cell, task: Downstream, classifier: Classifier, on_exact: Tuned, on_network: Tuned, lm: Any
) -> Json:
    """Return, by distance, how well F* and prompts of one chain do on a moved chain.

    `classifier` is that of theorem 3.6 on the first chain. On the moved chain its score is (W'b o c)'beta(x), up to a
    positive scale, where c is the law of H_2 behind the prompt. A task with the row W'b o c / P[H_1] has the same score
    (`as_task`). The network was trained on the first chain. Inputs and exact outputs are those of the moved chain.
    """
    rows, other = {}, draw(cell.kind, cell.size, cell.seed + 1)[0]
    for distance in DISTANCES:
        model = moved(task.model, other, Fraction(distance))
        there = labelled(model, [task.task], cell.seed, task.counts)
        b, c = map(RATIONALS.array, (classifier.head.b, classifier.weights(model)))
        chain = model.chain(RATIONALS)
        as_task = Task.of(b @ chain.emission * c / chain.first)
        rows[distance] = {
            "labels that stay": there.agreement(task.model, task.task),
            "3.6": there.agreement(model, as_task),
            "tuned on exact G": on_exact.accuracy(ExactOutputs(there), there),
            "tuned on the network": on_network.accuracy(
                LearnedOutputs(lm, there.tokens[:, : cell.plan.context]), there
            ),
        }
    return rows


def _tune(cell: Cell, tasks: Sequence[Downstream], outputs: Outputs, method: str) -> list[Tuned]:
    """Tune for each task a head, or a prompt by the plan's steps. `method` is, for example, "head, log-odds"."""
    way, features = method.split(", ")
    if way == "head":
        return [tune_head(outputs, task, features) for task in tasks]
    schedule, restarts = cell.plan.learned, 1
    if isinstance(outputs, ExactOutputs):
        schedule, restarts = cell.plan.exact, 1 if cell.source == "learned" else cell.plan.restarts
    return tune_prompt(outputs, tasks, features, schedule, restarts, cell.seed)
