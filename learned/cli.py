"""The commands `headproof learn ...`. torch is imported when they run; without it each says what to install.

Networks this small gain nothing from threads, so every command takes one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from constructions.memory.joint_chain import joint_model
from constructions.models import HMM, load
from constructions.reading import InputError, as_text, needs, read
from constructions.system.writing import check_folder
from constructions.tasks import Task

if TYPE_CHECKING:
    from learned.cells import Json
    from learned.downstream import Downstream
    from learned.pretrain import Report, Training
    from learned.tune import Tuned

PRESETS = ("smoke", "cpu", "paper", "release")
"""Those of the figure; `longer` and `deeper` are for single networks."""

COUNT, SEED, STATES = click.IntRange(min=1), click.IntRange(min=0), click.IntRange(min=3)

model_option = click.option("--model", "model_file", metavar="FILE", help="A model file, or a name.")
states_option = click.option("--states", type=STATES, help="Or so many states, drawn as in appendix D by the seed.")
seed_option = click.option("--seed", type=SEED, default=0, show_default=True, help="Of the model, data and weights.")
preset_option = click.option("--preset", type=click.Choice(PRESETS), default="cpu", show_default=True, help="Sizes.")
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
    _require_one(model_file, states)
    prepare(device)
    from learned import presets
    from learned import pretrain as pretraining
    from learned.downstream import drawn

    model = drawn(states or 0, seed)[0] if model_file is None else _chain(model_file)
    check_folder(Path(out), "the network")
    with _progress(f"pretraining ({preset})", presets.PRESETS[preset].steps) as update:

        def watch(training: Training, loss: float) -> None:
            rate = training.step / training.seconds
            update(completed=training.step, note=f"{rate:,.1f} steps/s  loss {loss:.3f}")

        report = pretraining.pretrain(pretraining.Run(model, seed, Path(out)), preset, device, watch)
    return answer(asdict(report), None if as_json else _report_lines(model, report, out))


@learn.command(epilog="\b\nExample:\n  headproof learn tune --states 10 --prompt 5")
@model_option
@states_option
@seed_option
@click.option("--features", type=click.Choice(("probabilities", "log-odds")), default="log-odds", show_default=True)
@click.option("--prompt", "length", type=SEED, default=20, show_default=True, help="Positions, or 0.")
@click.option("--lm", "folder", metavar="DIR", help="A pretrained language model of this model; default: exact G.")
@click.option("--restarts", type=COUNT, default=3, show_default=True, help="Prompts trained side by side (exact G).")
@click.option(
    "--steps", type=click.Choice(("ours", "paper", "release")), default="ours", show_default=True, help="Whose."
)
@device_option
@json_option
def tune(
    model_file: str | None,
    states: int | None,
    seed: int,
    features: str,
    length: int,
    folder: str | None,
    restarts: int,
    steps: str,
    device: str,
    as_json: bool,
) -> int:
    """Tune a head, or a prompt and a head, on exact G or on a learned language model.

    With the steps of the paper, or of its authors' code: one start, plain features, and what the last step leaves.
    """
    _require_one(model_file, states)
    prepare(device)
    from learned import tune as tuning
    from learned.cells import LEARNED
    from learned.outputs import ExactOutputs, LearnedOutputs

    task = _task(model_file, states, seed)
    exact = ExactOutputs(task.model, task.likelihood)
    outputs = exact if folder is None else LearnedOutputs(language_model(Path(folder), task.model, device), task.tokens)
    published = {"paper": tuning.PAPER, "release": tuning.RELEASE}.get(steps)
    schedule, starts = (tuning.EXACT, restarts) if folder is None else (LEARNED, 1)
    with _progress("tuning", (published or schedule).steps) as update:
        advance = partial(update, advance=1)
        if published:
            tuned = tuning.tune_by_gradient(outputs, task, features, published, seed, length, advance=advance)
        elif length:
            tuned = tuning.tune_prompt(outputs, task, features, schedule, starts, seed, length, advance)
        else:
            tuned = tuning.tune_head(outputs, task, features)
    accuracy = tuned.accuracy(outputs, task)
    if as_json:
        return answer(_tuned_document(tuned, folder is None) | {"accuracy": _exact_text(accuracy)})
    return answer({}, [
        f"{task.model.name}: {f'prompt of {length} and head' if length else 'head'} on {features}",
        f"  test accuracy   {accuracy:.1%} of {task.counts[2]:,}, majority label {task.majority:.1%}",
        f"  validation      {tuned.validation:.1%} of {task.counts[1]:,}; training {task.counts[0]:,}",
        f"  tasks redrawn   {task.redraws}; labels that rounding leaves in doubt: {task.doubtful}",
    ])  # fmt: skip


@learn.command(epilog="\b\nExample:\n  headproof learn figure --preset smoke --out figure")
@preset_option
@click.option("--out", metavar="DIR", required=True, help="Where finished cells go.")
@click.option("--exact-seeds", type=SEED, help="Seeds on exact G.  [default: the preset's]")
@click.option("--learned-seeds", type=SEED, help="Seeds on learned models.  [default: the preset's]")
@click.option("--untrained-seeds", type=SEED, help="Seeds of the controls.  [default: the preset's]")
@click.option("--labels-seeds", type=SEED, help="Seeds for numbers of labels.  [default: the preset's]")
@click.option("--only", type=click.Choice(("vanilla", "memory", "slow")), help="One kind of model.  [default: all]")
@click.option("--plan", is_flag=True, help="Say how many cells are missing and what they take; run none.")
@device_option
@click.option("--jobs", type=COUNT, help="Cells side by side.  [default: one for each processor, or GPU]")
@json_option
def figure(
    preset: str,
    out: str,
    only: str | None,
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
    from learned.cells import KINDS, budget, cells, finished, missing, run
    from learned.figures import write
    from learned.pretrain import PEAKS
    from learned.tables import page

    by_source = {name.removesuffix("_seeds"): count for name, count in seeds.items()}
    chosen = cells(preset, by_source, (only,) if only else KINDS)
    if plan:
        document = budget(chosen, preset, folder)
        seconds = document["processor_seconds"]
        took = "an unknown time" if seconds is None else f"about {seconds / 60:.0f} processor minutes"
        line = f"{document['missing']:,} of {document['cells']:,} cells are missing: {took}"
        minutes = document["operations"] / PEAKS["H100"] / 60
        bound = f"{document['networks']:,} networks: at least {minutes:.2g} minutes of one H100 at its peak"
        return answer(document, None if as_json else [line, bound])
    remaining = missing(chosen, preset, folder)
    with _progress("cells", len(chosen), len(chosen) - len(remaining)) as update:
        for cell in run(remaining, preset, folder, device, jobs):
            update(advance=1, note=cell.name)
    contents = finished(folder, preset)
    text = folder / f"figure-3-{preset}.md"
    text.write_text(page(contents, preset), encoding="utf-8")
    files = [str(path) for path in (*write(contents, preset, folder), text)]
    return answer({"files": files, "cells": len(contents)}, None if as_json else files)


def prepare(device: str) -> None:
    """Check that the libraries and the device are there, and take one thread. Raises `InputError`."""
    needs("learned", "torch", "transformers", "safetensors", "matplotlib")
    import torch

    devices = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
    if device not in devices:
        raise InputError("", f'"{device[:40]}"', f"one of {', '.join(devices)}, as this machine has", "--device")
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision("high")  # TF32, on GPUs that have it


def language_model(folder: Path, model: HMM, device: str = "cpu") -> Any:
    """Read a network that was pretrained on this model. Raises `InputError` for another model's."""
    from learned import mlm
    from learned.pretrain import Run

    lm = mlm.load(folder, device)
    digest = read(folder / "report.json").member("run").member("digest")
    if digest.string() != Run(model, 0, folder).identity("cpu")["digest"]:  # of the model, whatever preset and seed
        raise digest.complain("this model's, or another folder", "another model's")
    return lm


def answer(document: Mapping[str, object], lines: Iterable[str] | None = None) -> int:
    """Print one JSON object, or lines in its place; return the exit status."""
    click.echo(json.dumps(document) if lines is None else "\n".join(lines))
    return 0


def _require_one(model_file: str | None, states: int | None) -> None:
    if (model_file is None) == (states is None):
        raise click.UsageError("either --model or --states is needed")


def _chain(path: str) -> HMM:
    """Read a model file; the data of a memory HMM are those of Hbar."""
    return joint_model(load(path)[0])


def _task(model_file: str | None, states: int | None, seed: int) -> Downstream:
    from learned.downstream import of_model, vanilla

    if model_file is None:
        return vanilla(states or 0, seed)
    model, task = load(model_file)
    if not isinstance(model, HMM):
        raise InputError("kind", '"memory-hmm"', '"hmm"', model_file)
    if not isinstance(task, Task):
        raise InputError("task", "none", "a task in the file", model_file)
    return of_model(model, task, seed)


def _report_lines(model: HMM, report: Report, out: str) -> Iterator[str]:
    rate = report.tokens / report.seconds if report.seconds else 0.0
    yield f"{model.name}: {report.tokens:,} tokens in {report.seconds:.0f} s on {report.device} ({rate:,.0f} a second)"
    if report.utilisation is not None:
        yield f"  share of the device's peak (MFU)  {report.utilisation:.1%}"
    yield f"  mean KL(G || Ghat)                {report.divergence:.4f} nats"
    yield f"  mean entropy of G                 {report.entropy:.4f} nats"
    yield f"  network                           {out}/model.safetensors"


def _exact_text(number: float) -> str:
    return as_text(Fraction(number))


def _tuned_document(tuned: Tuned, exact: bool) -> Json:
    """Return head and prompt, every float as the fraction that it is.

    A head on probabilities, alone or behind one soft token, is one that `headproof test` reads: its bias is the row
    (c, ..., c).
    """
    bias = tuned.head.bias if tuned.head.features == "probabilities" else 0.0
    head: Json = {"b": [_exact_text(weight + bias) for weight in tuned.head.weights.tolist()]}
    if tuned.head.features != "probabilities":
        head |= {"bias": _exact_text(tuned.head.bias), "features": tuned.head.features}
    prompt = None
    if tuned.prompt is not None:
        rows = (tuned.prompt.sigmoid() if exact else tuned.prompt).tolist()
        entries = [[_exact_text(entry) for entry in row] for row in rows]
        prompt = {"u": entries[0] if len(entries) == 1 else entries}
    return {"head": head, "prompt": prompt}


@contextmanager
def _progress(what: str, total: int, completed: int = 0) -> Iterator[Callable[..., None]]:
    """Show one bar on standard error, if that is a terminal; call what it yields to update it, with a `note`."""
    console = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), TimeRemainingColumn(), TextColumn("{task.fields[note]}"))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield partial(bar.update, bar.add_task("", total=total, completed=completed, note=""))
