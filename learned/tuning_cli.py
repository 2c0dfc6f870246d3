"""The commands `headproof learn tune | compare | figure`. torch is imported when they run, not before."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

from constructions.models import HMM, load
from constructions.reading import InputError, as_text, needs, read
from constructions.system.writing import check_folder, put
from constructions.tasks import Task
from learned.cli import FIGURES, LEARNING, answer, learn, progress

__all__ = ["learn"]

if TYPE_CHECKING:
    from learned.cells import Cell, Json
    from learned.downstream import Downstream

_COUNT, _SEED, _STATES = click.IntRange(min=1), click.IntRange(min=0), click.IntRange(min=3)

preset_option = click.option("--preset", type=click.Choice(FIGURES), default="cpu", show_default=True, help="Sizes.")
out_option = click.option("--out", "out", metavar="DIR", required=True, help="Where finished cells are kept.")
device_option = click.option("--device", default="cpu", show_default=True, help="Of the language models: cpu, or cuda.")
jobs_option = click.option("--jobs", type=_COUNT, help="Cells side by side.  [default: one for each processor]")
seed_option = click.option("--seed", type=_SEED, default=0, show_default=True, help="Of model and task.")


@learn.command(epilog="\b\nExample:\n  headproof learn tune --states 10 --prompt 5")
@click.option("--model", "model_file", metavar="FILE", help="A model file or name, with its task, of two labels.")
@click.option("--states", type=_STATES, help="Or so many states: model and task of appendix D.")
@click.option("--features", type=click.Choice(("probabilities", "log-odds")), default="log-odds", show_default=True)
@click.option("--prompt", "length", type=_SEED, default=20, show_default=True, help="Positions, or 0.")
@click.option("--lm", "folder", metavar="DIR", help="A pretrained language model of this model; default: exact G.")
@click.option("--restarts", type=_COUNT, default=3, show_default=True, help="Prompts trained side by side (exact G).")
@click.option(
    "--steps", type=click.Choice(("ours", "paper", "release")), default="ours", show_default=True, help="Whose."
)
@seed_option
@click.option("--json", "as_json", is_flag=True, help="Print head and prompt as one JSON object.")
def tune(
    model_file: str | None,
    states: int | None,
    features: str,
    length: int,
    folder: str | None,
    restarts: int,
    steps: str,
    seed: int,
    as_json: bool,
) -> int:
    """Tune a head, or a prompt and a head, on exact G or on a learned language model.

    With the steps of the paper, or of its authors' code: one start, plain features, and what the last step leaves.
    """
    if (model_file is None) == (states is None):
        raise click.UsageError("either --model or --states is needed")
    needs(*LEARNING)
    from learned import tune as tuning
    from learned.cells import LEARNED
    from learned.outputs import ExactOutputs, LearnedOutputs

    task = _task(model_file, states, seed)
    exact = ExactOutputs(task.model, task.likelihood)
    outputs = exact if folder is None else LearnedOutputs(language_model(Path(folder), task.model), task.tokens)
    theirs = {"paper": tuning.PAPER, "release": tuning.RELEASE}.get(steps)
    schedule, starts = (tuning.EXACT, restarts) if folder is None else (LEARNED, 1)
    with _counting("tuning", (theirs or schedule).steps, shown=length > 0) as advance:
        if theirs:
            tuned = tuning.tune_by_gradient(outputs, task, features, theirs, seed, length, advance=advance)
        elif length:
            tuned = tuning.tune_prompt(outputs, task, features, schedule, starts, seed, length, advance)
        else:
            tuned = tuning.tune_head(outputs, task, features)
    right = tuned.accuracy(outputs, task)
    if as_json:
        return answer(_tuned_document(tuned, folder is None) | {"accuracy": as_text_of(right)})
    console = Console()
    console.print(f"{task.model.name}: {'prompt of ' + str(length) + ' and head' if length else 'head'} on {features}")
    console.print(f"  test accuracy   {right:.1%} of {task.counts[2]:,}, majority label {task.majority:.1%}")
    console.print(f"  validation      {tuned.validation:.1%} of {task.counts[1]:,}; training {task.counts[0]:,}")
    console.print(f"  tasks redrawn   {task.redraws}; labels that rounding leaves in doubt: {task.doubtful}")
    return 0


@learn.command(epilog="\b\nExample:\n  headproof learn compare --states 10 --preset smoke --out cells")
@click.option("--states", type=_STATES, required=True, help="Hidden states of a model of appendix D.")
@seed_option
@preset_option
@out_option
@click.option("--learned", is_flag=True, help="Also on a language model: pretrained if it is not there.")
@device_option
@jobs_option
@click.option("--json", "as_json", is_flag=True, help="Print the files of the cells as one JSON object.")
def compare(
    states: int, seed: int, preset: str, out: str, learned: bool, device: str, jobs: int | None, as_json: bool
) -> int:
    """Hold learned heads and prompts against the constructed ones, on exact G and on a learned model."""
    needs(*LEARNING, "matplotlib")
    check_folder(Path(out), "the figure")
    from rich.markdown import Markdown

    from learned.cells import Cell, path
    from learned.summary import summary

    wanted = [Cell(source, "vanilla", states, seed) for source in ("exact", "learned")[: 1 + learned]]
    _run(wanted, preset, Path(out), device, jobs)
    files = [path(Path(out), preset, cell) for cell in wanted]
    if as_json:
        return answer({"files": list(map(str, files)), "cells": len(wanted)})
    Console().print(Markdown(summary([json.loads(file.read_text(encoding="utf-8")) for file in files], preset)))
    return 0


@learn.command(epilog="\b\nExample:\n  headproof learn figure --preset smoke --out figure")
@preset_option
@out_option
@click.option("--exact-seeds", type=_SEED, help="Seeds on exact G.  [default: the preset's]")
@click.option("--learned-seeds", type=_SEED, help="Seeds on learned models.  [default: the preset's]")
@click.option("--only", type=click.Choice(("vanilla", "memory")), help="One kind of model.  [default: both]")
@click.option("--plan", "planned", is_flag=True, help="Say how many cells are missing and what they take; run none.")
@device_option
@jobs_option
@click.option("--json", "as_json", is_flag=True, help="Print the files written as one JSON object.")
def figure(
    preset: str,
    out: str,
    exact_seeds: int | None,
    learned_seeds: int | None,
    only: str | None,
    planned: bool,
    device: str,
    jobs: int | None,
    as_json: bool,
) -> int:
    """Draw Figure 3 of the paper: theirs, ours on exact G, ours on learned models. Goes on where it was stopped."""
    needs(*LEARNING, "matplotlib")
    folder = Path(out)
    check_folder(folder, "the figure")
    from learned.cells import KINDS, budget, cells, found
    from learned.figures import write
    from learned.summary import summary

    wanted = cells(preset, exact_seeds, learned_seeds, (only,) if only else KINDS)
    if planned:
        missing, longer, seconds = budget(wanted, preset, folder)
        took = "an unknown time" if seconds is None else f"about {seconds / 60:.0f} processor minutes"
        said = {"cells": len(wanted), "missing": missing, "longer": longer, "processor_seconds": seconds}
        of_these = f", {longer:,} with a longer pretraining" * bool(longer)
        line = f"{missing:,} of {len(wanted):,} cells are missing{of_these}: {took}"
        return answer(said, None if as_json else [line])
    _run(wanted, preset, folder, device, jobs)
    finished = found(folder, preset)
    paths = write(finished, preset, folder)
    page = put(folder / f"figure-3-{preset}.md", summary(finished, preset))
    files = [str(path) for path in (*paths, page)]
    return answer({"files": files, "cells": len(finished)}, None if as_json else files)


@learn.command(epilog="\b\nExample:\n  headproof learn untuned --states 8 --lm network")
@click.option("--states", type=_STATES, required=True, help="Hidden states of a model of appendix D.")
@seed_option
@click.option("--lm", "folder", metavar="DIR", required=True, help="A language model pretrained on this model.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def untuned(states: int, seed: int, folder: str, as_json: bool) -> int:
    """Hold heads that theory makes of mu, W and the error of a language model against one tuned on 2,000 labels."""
    needs(*LEARNING)
    from learned.cells import CPU
    from learned.downstream import vanilla
    from learned.outputs import ExactOutputs, LearnedOutputs
    from learned.study.untuned import accuracies
    from learned.tune import FEATURES, tune_head

    task = vanilla(states, seed, CPU.learned_counts)
    exact = ExactOutputs(task.model, task.likelihood)
    learned = LearnedOutputs(language_model(Path(folder), task.model), task.tokens)
    found = accuracies(task, exact, learned)
    for features in FEATURES:
        found[f"tuned, {features}"] = tune_head(learned, task, features).accuracy(learned, task)
    found["majority"] = task.majority
    lines = (f"{name:20} {right:.1%}" for name, right in found.items())
    return answer({"states": states, "seed": seed, "accuracy": found}, None if as_json else lines)


@learn.command(epilog="\b\nExample:\n  headproof learn attention --values 2")
@click.option("--values", type=click.IntRange(min=2), required=True, help="Of the memory, over 4 hidden states.")
@seed_option
@click.option("--lm", "folder", metavar="DIR", help="A language model pretrained on this model's chain.")
@click.option("--stride", type=_COUNT, default=5, show_default=True, help="Positions read: every so many (with --lm).")
@click.option("--inputs", type=_COUNT, default=2000, show_default=True, help="For training; a quarter, a half more.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def attention(values: int, seed: int, folder: str | None, stride: int, inputs: int, as_json: bool) -> int:
    """Find out where an attention head on a memory model of appendix D loses points, one cause at a time."""
    needs(*LEARNING)
    from learned.cells import HIDDEN
    from learned.downstream import memory
    from learned.study import attended

    task = memory(values, HIDDEN, seed, (inputs, max(1, inputs // 4), max(1, inputs // 2)))
    if folder is None:
        arms = attended.by_stride(task, seed)
    else:
        lm = language_model(Path(folder), task.model)
        arms = attended.by_cause(lm, task, values, range(0, task.tokens.shape[1] + 1, stride), seed)
    if as_json:
        return answer({"values": values, "seed": seed, "inputs": task.counts, "arms": dict(arms)})
    click.echo(f"{task.model.name}, {task.counts[2]:,} test inputs, majority label {task.majority:.1%}")
    for name, found in arms:
        shown = ", ".join(f"{key} {value if value is None else format(value, '.4g')}" for key, value in found.items())
        click.echo(f"  {name:40} {shown}")
    return 0


def as_text_of(number: float) -> str:
    """Write a float exactly."""
    return as_text(Fraction(number))


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


def language_model(folder: Path, model: HMM) -> Any:
    """Read a network that was pretrained on this model. Raises `InputError` for another model's."""
    from learned import mlm
    from learned.pretrain import identity

    lm = mlm.load(folder)
    digest = read(folder / "report.json").member("run").member("digest")
    if digest.string() != identity(model, "cpu", 0)["digest"]:  # of the model alone, whatever preset and seed
        raise digest.complain("this model's, or another folder", "another model's")
    return lm


def _tuned_document(tuned: Any, exact: bool) -> Json:
    """Head and prompt, every float as the fraction that it is.

    A head on probabilities, alone or behind one soft token, is one that `headproof test` reads: its bias is the row
    (c, ..., c).
    """
    bias = tuned.head.bias if tuned.head.features == "probabilities" else 0.0
    head: Json = {"b": [as_text_of(weight + bias) for weight in tuned.head.weights.tolist()]}
    if tuned.head.features != "probabilities":
        head |= {"bias": as_text_of(tuned.head.bias), "features": tuned.head.features}
    prompt = None
    if tuned.prompt is not None:
        rows = (tuned.prompt.sigmoid() if exact else tuned.prompt).tolist()
        written = [[as_text_of(entry) for entry in row] for row in rows]
        prompt = {"u": written[0] if len(written) == 1 else written}
    return {"head": head, "prompt": prompt}


def _run(wanted: list[Cell], preset: str, folder: Path, device: str, jobs: int | None) -> None:
    from learned.cells import missing, run
    from learned.ranks import started

    if (size := started().size) > 1:
        raise InputError("processes", str(size), "1, which starts others itself (--jobs)", "torchrun")
    left = missing(wanted, preset, folder)
    with _counting("cells", len(wanted), len(wanted) - len(left)) as advance:
        for cell in run(left, preset, folder, device, jobs):
            advance(last=cell.name)


@contextmanager
def _counting(what: str, total: int, done: int = 0, shown: bool = True) -> Iterator[Callable[..., None]]:
    """Show how many are done, and the last; what it yields is to be called for each."""
    last = TextColumn("{task.fields[last]}")
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), last)
    with progress(*columns, shown=shown, total=total, completed=done, last="") as update:
        yield partial(update, advance=1)
