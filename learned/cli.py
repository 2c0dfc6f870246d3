"""The commands `headproof learn ...`. torch is imported when they run; without it each says what to install.

Networks this small gain nothing from threads, so every command takes one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from constructions.memory.joint_chain import joint_model
from constructions.models import HMM, load
from constructions.reading import InputError, as_text
from constructions.system.packages import needs
from constructions.system.writing import check_folder
from constructions.tasks import Task
from constructions.text.documents import read

if TYPE_CHECKING:
    from learned.pretrain import Json
    from learned.tune import Tuned

PRESETS = ("smoke", "cpu", "paper", "release")
"""Those of the figure; `longer` and `deeper` are for single networks."""

COUNT, SEED = click.IntRange(min=1), click.IntRange(min=0)

model_option = click.option("--model", "model_file", metavar="FILE", help="A model file, or a name.")
states_option = click.option(
    "--states", type=click.IntRange(min=3), help="Or so many states, drawn as in appendix D by the seed."
)
seed_option = click.option("--seed", type=SEED, default=0, show_default=True, help="Of the model, data and weights.")
device_option = click.option("--device", default="cpu", show_default=True, help="Of the networks: cpu, or cuda.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.group()
def learn() -> None:
    """Pretrain language models and tune heads.

    What they learn is held against what theory builds.
    """


@learn.command(epilog="\b\nExample:\n  headproof learn pretrain --states 10 --preset smoke --out network")
@model_option
@states_option
@seed_option
@click.option("--preset", type=click.Choice((*PRESETS, "longer", "deeper")), default="cpu", show_default=True)
@click.option("--out", metavar="DIR", required=True, help="Where the network goes; one that is stopped there goes on.")
@device_option
@json_option
def pretrain(
    model_file: str | None, states: int | None, seed: int, preset: str, out: str, device: str, as_json: bool
) -> int:
    """Train a masked language model on fresh data of one model, and measure it against the exact G."""
    prepare(device, model_file, states)
    from learned import pretrain as pretraining
    from learned.downstream import draw

    # The data of a memory HMM are those of Hbar.
    model = draw("vanilla", states or 0, seed)[0] if model_file is None else joint_model(load(model_file)[0])
    check_folder(Path(out), "the network")
    with progress(f"pretraining ({preset})", pretraining.PRESETS[preset].steps) as update:

        def watch(step: int, seconds: float, loss: float) -> None:
            update(completed=step, note=f"{step / seconds:,.1f} steps/s  loss {loss:.3f}")

        [report] = pretraining.pretrain([pretraining.Run(model, seed, Path(out))], preset, device, watch)
    return answer(report, as_json, {
        "tokens": f"{report['tokens']:,} in {report['seconds']:.0f} s on {report['device']}",
        "share of the device's peak (MFU)": report["utilisation"],
        "mean KL(G || Ghat), nats": f"{report['divergence']:.4f}",
        "mean entropy of G, nats": f"{report['entropy']:.4f}",
        "network": f"{out}/model.safetensors",
    })  # fmt: skip


@learn.command(epilog="\b\nExample:\n  headproof learn tune --states 10 --prompt 5")
@model_option
@states_option
@seed_option
@click.option("--features", type=click.Choice(("probabilities", "log-odds")), default="log-odds", show_default=True)
@click.option("--prompt", "length", type=SEED, default=20, show_default=True, help="Positions, or 0.")
@click.option("--lm", "folder", metavar="DIR", help="A pretrained language model of this model; default: exact G.")
@device_option
@json_option
def tune(
    model_file: str | None,
    states: int | None,
    seed: int,
    features: str,
    length: int,
    folder: str | None,
    device: str,
    as_json: bool,
) -> int:
    """Tune a head, or a prompt and a head, on exact G or on a learned language model."""
    prepare(device, model_file, states)
    from learned import tune as tuning
    from learned.downstream import downstream, of_model
    from learned.outputs import ExactOutputs, LearnedOutputs

    if model_file is None:
        task = downstream("vanilla", states or 0, seed)
    else:
        model, target = load(model_file)
        if not isinstance(model, HMM):
            raise InputError("kind", '"memory-hmm"', '"hmm"', model_file)
        if not isinstance(target, Task):
            raise InputError("task", "none", "a task in the file", model_file)
        task = of_model(model, target, seed)
    exact = ExactOutputs(task.model, task.likelihood)
    outputs = exact if folder is None else LearnedOutputs(language_model(Path(folder), task.model, device), task.tokens)
    schedule, restarts = (tuning.EXACT, 3) if folder is None else (tuning.LEARNED, 1)
    with progress("tuning", schedule.steps) as update:
        if length:
            advance = partial(update, advance=1)
            tuned = tuning.tune_prompt(outputs, task, features, schedule, restarts, seed, length, advance)
        else:
            tuned = tuning.tune_head(outputs, task, features)
    accuracy = tuned.accuracy(outputs, task)
    document = tuned_document(tuned, folder is None) | {"accuracy": as_text(Fraction(accuracy))}
    return answer(document, as_json, {
        "test accuracy": f"{accuracy:.1%}",
        "of the majority label": f"{task.majority:.1%}",
        "on validation": f"{tuned.validation:.1%}",
        "inputs: training, validation, test": task.counts,
        "labels that rounding leaves in doubt": task.doubtful,
    })  # fmt: skip


@learn.command(epilog="\b\nExample:\n  headproof learn figure --preset smoke --out figure")
@click.option("--preset", type=click.Choice(PRESETS), default="cpu", show_default=True)
@click.option("--out", metavar="DIR", required=True, help="Where finished cells go.")
@click.option("--exact-seeds", type=SEED, help="Seeds on exact G.  [default: the preset's]")
@click.option("--learned-seeds", type=SEED, help="Seeds on learned models.  [default: the preset's]")
@click.option("--untrained-seeds", type=SEED, help="Seeds of the controls.  [default: the preset's]")
@click.option("--labels-seeds", type=SEED, help="Seeds for numbers of labels.  [default: the preset's]")
@click.option("--plan", is_flag=True, help="Say how many cells are missing and what they take; run none.")
@device_option
@click.option("--jobs", type=COUNT, help="Cells side by side.  [default: one for each processor, or GPU]")
@json_option
def figure(
    preset: str,
    out: str,
    plan: bool,
    device: str,
    jobs: int | None,
    as_json: bool,
    **seeds: int | None,
) -> int:
    """Draw Figure 3 of the paper: theirs, ours on exact G, ours on learned models. Goes on where it was stopped."""
    prepare(device)
    folder = Path(out)
    check_folder(folder, "the figure")
    from learned import cells
    from learned.pretrain import PEAKS
    from learned.tables import write

    by_source = {name.removesuffix("_seeds"): count for name, count in seeds.items()}
    chosen = cells.cells(preset, by_source)
    if plan:
        document = cells.budget(chosen, preset, folder)
        hours = {"hours of one H100 at its peak, at least": document["operations"] / PEAKS["H100"] / 3600}
        return answer(document, as_json, document | hours)
    missing = cells.missing(chosen, preset, folder)
    with progress("cells", len(chosen), len(chosen) - len(missing)) as update:
        for cell in cells.run(missing, preset, folder, device, jobs):
            update(advance=1, note=cell.name)
    contents = cells.finished(folder, preset)
    files = [str(path) for path in write(contents, preset, folder)]
    document = {"files": files, "cells": len(contents)}
    return answer(document, as_json, document)


def prepare(device: str, *model: object) -> None:
    """Check that there is one model, the libraries and the device, and take one thread. Raises `InputError`."""
    if model and model.count(None) != 1:
        raise click.UsageError("either --model or --states is needed")
    needs("learned", "torch", "transformers", "safetensors", "matplotlib")
    import torch

    devices = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
    if device not in devices:
        raise InputError("", f'"{device[:40]}"', f"one of {', '.join(devices)}, as this machine has", "--device")
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision("high")  # TF32, on GPUs that have it


def language_model(folder: Path, model: HMM, device: str) -> Any:
    """Read a network that was pretrained on this model. Raises `InputError` for another model's."""
    from learned import mlm
    from learned.pretrain import Run

    lm = mlm.load(folder, device)
    digest = read(folder / "report.json").member("run").member("digest")
    if digest.string() != Run(model, 0, folder).identity("cpu")["digest"]:  # of the model, whatever preset and seed
        raise digest.complain("this model's, or another folder", "another model's")
    return lm


def tuned_document(tuned: Tuned, exact: bool) -> Json:
    """Return head and prompt, every float as the fraction that it is.

    A head on probabilities, alone or behind one soft token, is one that `headproof test` reads: its bias is the row
    (c, ..., c).
    """

    def texts(numbers: Iterable[float]) -> list[str]:
        return [as_text(Fraction(number)) for number in numbers]

    weights, bias, features = tuned.head.weights.tolist(), tuned.head.bias, tuned.head.features
    if features == "probabilities":
        head: Json = {"b": texts(weight + bias for weight in weights)}
    else:
        head = {"b": texts(weights), "bias": as_text(Fraction(bias)), "features": features}
    if tuned.prompt is None:
        return {"head": head, "prompt": None}
    rows = [texts(row) for row in (tuned.prompt.sigmoid() if exact else tuned.prompt).tolist()]
    return {"head": head, "prompt": {"u": rows[0] if len(rows) == 1 else rows}}


def answer(document: Json, as_json: bool, summary: Json) -> int:
    """Print one JSON object, or a line for each entry of a summary that is there; return the exit status."""
    lines = [f"{key}: {value}" for key, value in summary.items() if value is not None]
    click.echo(json.dumps(document) if as_json else "\n".join(lines))
    return 0


@contextmanager
def progress(what: str, total: int, completed: int = 0) -> Iterator[Callable[..., None]]:
    """Show one bar on standard error, if that is a terminal; call what it yields to update it, with a `note`."""
    console = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), TimeRemainingColumn(), TextColumn("{task.fields[note]}"))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield partial(bar.update, bar.add_task("", total=total, completed=completed, note=""))
