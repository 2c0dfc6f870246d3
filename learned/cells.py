"""The cells of Figure 3: one model and task each, by kind, size and seed, on exact G or on a learned LM.

A finished cell is a small JSON file that is written in one step, so that a run can be interrupted at any moment, goes
on where it stopped, and can be given further seeds. The same cell has the same numbers, whatever else is run beside it.

    vanilla   hidden sizes of the left panel: linear heads and prompts; and of the right panel's comparison: heads only
    memory    |M| values over 4 hidden states (right panel): attention heads
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from statistics import median
from typing import Any

import torch

from constructions.fields import Array
from constructions.memory.joint_chain import joint_model
from constructions.reading import InputError, Literal, Node, Pairs, read
from learned import compare, mlm
from learned.attention import ATTENTION, exact_sequence, learned_sequence, share_in_r, tune_attention
from learned.difficulty import preset_of
from learned.downstream import Downstream, drawn, drawn_memory, memory, vanilla
from learned.files import end_with_parent, replace_file
from learned.outputs import ExactOutputs, LearnedOutputs, NoisyOutputs, Outputs
from learned.presets import PRESETS
from learned.pretrain import pretrain
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

KINDS = ("vanilla", "memory")
"""What a cell's model may be."""

KEYS = ("size", "seed", "inputs", "majority", "accuracy", "redraws", "doubtful labels", "test inputs seen in training")
KEYS_OF = {
    "vanilla": ("constructed", "law of the masked state", "law behind", "sigma_min of W", "margin"),
    "memory": ("in R",),
    "learned": ("divergence", "entropy", "pretraining tokens", "on exact G"),
}
"""What a cell's file must have, by its kind and its source."""

HIDDEN = 4
"""|H| of the memory models."""

LEARNED = Schedule(steps=600, batch=64, rate=0.03, prompt_rate=0.03, warmup=50)
"""For prompts through a learned LM, on a CPU."""


@dataclass(frozen=True)
class Plan:
    """What a preset runs: hidden sizes, numbers of memory values, seeds, inputs and steps.

    `exact_counts` and `learned_counts`: inputs for training, validation and test. On a learned LM, attention reads
    every `stride`-th position, as each takes a pass of the network; no cycle of 2 to `HIDDEN` states may have a length
    that divides the stride, as positions at such a distance all show the same hidden state. Recipes of head tuning are
    compared at the sizes `studied`.
    `paper`: the steps that stand for the paper's own, in which a head and a prompt are tuned beside ours.
    """

    sizes: tuple[int, ...]
    values: tuple[int, ...]
    exact_seeds: int
    learned_seeds: int
    exact_counts: tuple[int, int, int]
    learned_counts: tuple[int, int, int]
    exact: Schedule
    learned: Schedule
    attention: Schedule
    restarts: int
    stride: int
    studied: tuple[int, ...] = ()
    paper: Schedule = PAPER


NOISE = 0.1
"""Deviation of the noise on log G that plays a language model: a KL of at most about 0.005 nats."""

CPU = Plan(
    sizes=(4, 8, 10, 15, 25, 30),
    values=(2, 3, 5, 7),
    exact_seeds=20,
    learned_seeds=1,
    exact_counts=(5000, 500, 1000),
    learned_counts=(2000, 500, 1000),
    exact=EXACT,
    learned=LEARNED,
    attention=ATTENTION,
    restarts=3,
    stride=5,
    studied=(8, 10),  # 3.1 holds there, and the paper stays behind 3.3
)

GPU = replace(
    CPU,
    learned_seeds=20,
    learned_counts=CPU.exact_counts,
    learned=Schedule(4000, 128, 0.01, 0.01, 500),
    stride=1,
)
"""For a GPU: on learned models as much as on exact G."""

SMOKE = Plan(
    sizes=(4, 8),
    values=(2,),
    exact_seeds=2,
    learned_seeds=1,
    exact_counts=(500, 100, 200),
    learned_counts=(200, 50, 100),
    exact=Schedule(200, 128, 0.1, 0.1, 20),
    learned=Schedule(20, 32, 0.03, 0.03, 2),
    attention=Schedule(120, 64, 0.1, 0.0, 10),
    restarts=2,
    stride=32,
    paper=Schedule(40, 8, 0.01, 0.01, 4),
)

SECONDS = {
    ("exact", "vanilla"): 7.5,
    ("exact", "memory"): 6.2,
    ("learned", "vanilla"): 282.0,
    ("learned", "memory"): 336.0,
}
"""What a cell of `cpu` takes, in processor seconds: those of the committed figure with plain steps, on average."""

PRETRAINING = 160.0
"""About what of it is pretraining; more steps or layers (`learned.difficulty.preset_of`) take so much more."""

PLANS = {"smoke": SMOKE, "cpu": CPU, "paper": GPU, "release": GPU}
"""By the name of the preset of pretraining."""


@dataclass(frozen=True, order=True)
class Cell:
    """One model and task. `size`: hidden states of a vanilla model, or values of a memory. `source`: exact, learned."""

    source: str
    kind: str
    size: int
    seed: int

    @property
    def name(self) -> str:
        """Return the name of its file, without the suffix."""
        return f"{self.kind}-{self.size:02}-seed{self.seed:02}-{self.source}"


def cells(
    preset: str, exact_seeds: int | None = None, learned_seeds: int | None = None, kinds: Sequence[str] = KINDS
) -> list[Cell]:
    """Return the cells of a preset of these kinds; None for as many seeds as it has."""
    plan = PLANS[preset]
    seeds = {
        "exact": plan.exact_seeds if exact_seeds is None else exact_seeds,
        "learned": plan.learned_seeds if learned_seeds is None else learned_seeds,
    }
    vanillas = sorted({*plan.sizes, *(HIDDEN * value for value in plan.values)})
    return [
        Cell(source, kind, size, seed)
        for source, count in seeds.items()
        for seed in range(count)
        for kind, sizes in (("vanilla", vanillas), ("memory", plan.values))
        if kind in kinds
        for size in sizes
    ]


def run(cells: list[Cell], preset: str, folder: Path, device: str = "cpu", jobs: int | None = None) -> Iterator[Cell]:
    """Compute the missing cells, `jobs` at a time (on a GPU by default one); yield each when its file is written."""
    tasks = [(cell, preset, folder, device) for cell in missing(cells, preset, folder)]
    if not tasks:
        return
    (folder / f"cells-{preset}").mkdir(parents=True, exist_ok=True)
    processors = os.cpu_count() if device == "cpu" else torch.cuda.device_count()
    workers = min(jobs or processors or 1, len(tasks))
    context = get_context("spawn")
    # Threads gain nothing on tensors this small; cells side by side do.
    with context.Pool(workers, _start, (os.getpid(), device, context.Value("i"))) as pool:
        yield from pool.imap_unordered(_compute, tasks)


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
    document = read(file)
    kind, source = (document.member(key).string() for key in ("kind", "source"))
    for key in (*KEYS, *(KEYS_OF.get(kind, ())), *(KEYS_OF.get(source, ()))):
        document.member(key)
    for key in ("majority", "processor seconds"):
        document.member(key).number()
    _check_numbers(document)
    content: Json = json.loads(file.read_text(encoding="utf-8"))
    name = Cell(source, kind, *(int(document.member(key).number()) for key in ("size", "seed"))).name
    if name != file.stem:
        raise InputError("the cell", name, file.stem, str(file))
    return content


def _check_numbers(node: Node) -> None:
    """Raise `InputError` for a NaN or its like, however deep."""
    if isinstance(node.value, Literal):
        node.number()
    elif node.is_list():
        for entry in node.items():
            _check_numbers(entry)
    elif isinstance(node.value, Pairs):
        for key, _ in node.value:
            _check_numbers(node.member(key))


def extra_share(cell: Cell, preset: str) -> float:
    """Return by what share the pretraining of a learned cell takes more steps, in more layers, than the preset says."""
    if cell.source == "exact":
        return 0.0
    vanilla = cell.kind == "vanilla"
    model = drawn(cell.size, cell.seed)[0] if vanilla else joint_model(drawn_memory(cell.size, HIDDEN, cell.seed)[0])
    usual, longer = PRESETS[preset], preset_of(preset, model)
    return longer.steps * longer.shape.layers / (usual.steps * usual.shape.layers) - 1


def budget(cells: list[Cell], preset: str, folder: Path) -> tuple[int, int, float | None]:
    """Return how many cells are missing, how many with a longer pretraining, and about how many processor seconds.

    The seconds are None where nobody knows. A cell takes as long as the finished ones of its kind, or, of the preset
    `cpu`, as those of the committed figure; a longer pretraining takes so much more.
    """
    remaining = missing(cells, preset, folder)
    spent: dict[tuple[str, str], list[float]] = {}
    for cell in finished(folder, preset):
        spent.setdefault((cell["source"], cell["kind"]), []).append(cell["processor seconds"])
    usual = {key: median(seconds) for key, seconds in spent.items()}
    if preset == "cpu":
        usual = SECONDS | usual
    shares = [extra_share(cell, preset) for cell in remaining]
    seconds = None
    if usual.keys() >= {(cell.source, cell.kind) for cell in remaining}:
        seconds = sum(usual[cell.source, cell.kind] for cell in remaining) + PRETRAINING * sum(shares)
    return len(remaining), sum(share > 0 for share in shares), seconds


def _start(parent: int, device: str, started: Synchronized[int]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interruption is the parent's affair
    end_with_parent(parent)
    torch.set_num_threads(1)
    if device != "cpu":
        _take_a_gpu(started)


def _take_a_gpu(started: Synchronized[int]) -> None:
    """Let "cuda" mean one of all GPUs in this worker, in turn; `started` counts the workers."""
    with started.get_lock():
        torch.cuda.set_device(started.value % torch.cuda.device_count())
        started.value += 1


def _compute(job: tuple[Cell, str, Path, str]) -> Cell:
    cell, preset, folder, device = job
    start = time.process_time()
    content = compute(cell, preset, folder / "pretrained", device)
    content["processor seconds"] = round(time.process_time() - start, 2)
    text = json.dumps(content, indent=1) + "\n"
    replace_file(path(folder, preset, cell), lambda partial: partial.write_text(text, encoding="utf-8"))
    return cell


def compute(cell: Cell, preset: str, pretrained: Path, device: str = "cpu") -> Json:
    """Compute one cell; a learned LM is kept in a folder below `pretrained`, and pretrained if it is not there."""
    plan = PLANS[preset]
    counts = plan.exact_counts if cell.source == "exact" else plan.learned_counts
    size, seed = cell.size, cell.seed
    task = vanilla(size, seed, counts) if cell.kind == "vanilla" else memory(size, HIDDEN, seed, counts)
    content: Json = {
        **asdict(cell),
        "inputs": list(counts),
        "majority": task.majority,
        "test inputs seen in training": task.repeated_share,
        "redraws": task.redraws,
        "doubtful labels": task.doubtful,
    }
    lm = None
    if cell.source == "learned":
        folder = pretrained / f"{preset}-{cell.kind}-{cell.size:02}-seed{cell.seed:02}"
        report = pretrain(task.model, preset, cell.seed, folder, device)
        content |= {"divergence": report.divergence, "entropy": report.entropy, "pretraining tokens": report.tokens}
        lm = mlm.load(folder, device)
    return content | (_vanilla if cell.kind == "vanilla" else _memory)(task, plan, cell, lm)


def _vanilla(task: Downstream, plan: Plan, cell: Cell, lm: Any) -> Json:
    """Tune heads and prompts, and hold them against the constructed ones; on a learned LM, also on exact G.

    With the inputs of a learned LM, what is lost on exact G is not pretraining's.
    """
    exact, prompts = ExactOutputs(task.model, task.likelihood), cell.size in plan.sizes
    outputs = exact if lm is None else LearnedOutputs(lm, task.tokens)

    def tuned(outputs: Outputs, schedule: Schedule, restarts: int) -> dict[str, Tuned]:
        results = {}
        for features in FEATURES:
            results[f"head, {features}"] = tune_head(outputs, task, features)
            if prompts:
                results[f"prompt, {features}"] = tune_prompt(outputs, task, features, schedule, restarts, cell.seed)
        return results

    def law(prompt: Array | None) -> dict[str, float]:
        if lm is None:
            return compare.prior_under(task, exact, prompt)
        return compare.prior_on(task, exact, outputs, prompt)

    results = tuned(outputs, plan.exact, plan.restarts) if lm is None else tuned(outputs, plan.learned, 1)
    laws = {name: law(result.prompt) for name, result in results.items() if result.prompt is not None}
    content: Json = {
        "accuracy": _accuracies(outputs, task, results),
        "angle to the constructed head": compare.angles(task, results["head, probabilities"]),
        "law of the masked state": laws,
    }
    if prompts:
        published = {
            f"{what}, probabilities": tune_by_gradient(outputs, task, "probabilities", plan.paper, cell.seed, length)
            for what, length in (("head", 0), ("prompt", PROMPT_LENGTH))
        }
        content["the paper's steps"] = _accuracies(outputs, task, published)
    if lm is not None:
        laws["no prompt"] = law(None)
        content["on exact G"] = _accuracies(exact, task, tuned(exact, plan.exact, 1))
    if cell.size in plan.studied:
        content["recipes"] = _recipes(task, outputs, cell)
        content["axes"] = {features: compare.axes(outputs, task, features) for features in FEATURES}
    return content | compare.construction(task, exact, None if lm is None else outputs)


def _accuracies(outputs: Outputs, task: Downstream, tuned: Mapping[str, Tuned]) -> dict[str, float]:
    return {name: result.accuracy(outputs, task) for name, result in tuned.items()}


def _recipes(task: Downstream, outputs: Outputs, cell: Cell) -> dict[str, float]:
    """Hold ways of head tuning against each other on the same outputs; on exact ones also behind noise."""
    published = {
        f"probabilities, {name}" + ", whitened" * whitened: tune_by_gradient(
            outputs, task, "probabilities", schedule, cell.seed, whitened=whitened
        )
        for name, schedule in (("the paper's steps", PAPER), ("the release's steps", RELEASE))
        for whitened in (False, True)
    }
    accuracies = _accuracies(outputs, task, published)
    ways = {"Newton": outputs}
    if isinstance(outputs, ExactOutputs):
        ways[f"Newton, noise {NOISE} on log G"] = NoisyOutputs(outputs, NOISE, len(task.tokens), cell.seed)
    for way, source in ways.items():
        for features in FEATURES:
            accuracies[f"{features}, {way}"] = tune_head(source, task, features).accuracy(source, task)
    return accuracies


def _memory(task: Downstream, plan: Plan, cell: Cell, lm: Any) -> Json:
    """Tune attention heads, and say how many inputs theorem 4.3 speaks of."""
    positions = range(0, task.tokens.shape[1] + 1, 1 if lm is None else plan.stride)

    def accuracies(outputs: Array) -> dict[str, float]:
        seed, schedule = cell.seed, plan.attention
        return {
            f"attention, {features}": tune_attention(outputs, positions, task, features, schedule, seed)[1]
            for features in FEATURES
        }

    exact = accuracies(exact_sequence(task.model, task.tokens)[:, positions])
    content: Json = {"accuracy": exact, "in R": share_in_r(task, cell.size)}
    if lm is None:
        return content
    return content | {"accuracy": accuracies(learned_sequence(lm, task.tokens, positions)), "on exact G": exact}
