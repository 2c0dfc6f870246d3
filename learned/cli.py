"""The commands `headproof learn ...`. Without torch and Transformers, each says what to install."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

from constructions.memory.joint_chain import joint_model
from constructions.models import HMM, load
from constructions.reading import InputError, needs
from constructions.system.writing import check_folder

if TYPE_CHECKING:
    from learned.pretrain import Report, Training, Watch

FIGURES = ("smoke", "cpu", "paper", "release")
"""The presets whose networks read the inputs of Figure 3."""

PRESETS = ("short", *FIGURES)

LEARNING = ("learned", "torch", "transformers", "safetensors")
"""The extra that learning needs, and what it brings."""

PATIENCE = 30
"""Seconds that a rank other than the first keeps a complaint to itself."""


@click.group()
def learn() -> None:
    """Pretrain language models on data of these models, and hold what they learn against what theory builds."""


@learn.command(epilog="\b\nExample:\n  headproof learn pretrain --states 10 --preset smoke --out network")
@click.option("--model", "model_file", metavar="FILE", help="A model file, or a name.")
@click.option("--states", type=click.IntRange(min=3), help="Or so many states, drawn as in appendix D by the seed.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the model, data, weights.")
@click.option("--preset", type=click.Choice(PRESETS), default="cpu", show_default=True, help="The numbers to train by.")
@click.option("--out", metavar="DIR", required=True, help="Where the network goes; one that is stopped there goes on.")
@click.option("--device", default="cpu", show_default=True, help="cpu, or cuda.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def pretrain(
    model_file: str | None, states: int | None, seed: int, preset: str, out: str, device: str, as_json: bool
) -> int:
    """Train a masked language model on fresh data of one model, and measure it against the exact G."""
    if (model_file is None) == (states is None):
        raise click.UsageError("either --model or --states is needed")
    needs(*LEARNING)
    from learned import pretrain as pretraining
    from learned.downstream import drawn
    from learned.ranks import started

    ranks = started()
    with _complaining_once(ranks.rank):
        model = _chain(model_file) if model_file is not None else drawn(states or 0, seed)[0]
        _check_device(device)
        check_folder(Path(out), "the network")
        with _watching(preset, ranks.rank) as watch:
            report = pretraining.pretrain(model, preset, seed, Path(out), device, watch, ranks)
    return answer(asdict(report), None if as_json else _lines(model, report, out)) if ranks.rank == 0 else 0


@contextmanager
def _complaining_once(rank: int) -> Iterator[None]:
    """Let the first rank have the word: what is wrong is wrong for all, and torchrun ends them when one has failed."""
    try:
        yield
    except InputError:
        if rank > 0:
            time.sleep(PATIENCE)  # should the first have nothing to complain of, this one is heard
        raise


def _chain(path: str) -> HMM:
    """Read a model file; the data of a memory HMM are those of Hbar."""
    return joint_model(load(path)[0])


def _lines(model: HMM, report: Report, out: str) -> Iterator[str]:
    rate = report.tokens / report.seconds if report.seconds else 0.0
    device = report.device if report.devices == 1 else f"{report.devices} x {report.device}"
    yield f"{model.name}: {report.tokens:,} tokens in {report.seconds:.0f} s on {device} ({rate:,.0f} a second)"
    if report.utilisation is not None:
        yield f"  share of the device's peak (MFU)  {report.utilisation:.1%}"
    yield f"  mean KL(G || Ghat)                {report.divergence:.4f} nats"
    yield f"  mean entropy of G                 {report.entropy:.4f} nats"
    yield f"  network                           {out}/model.safetensors"


def answer(document: Mapping[str, object], lines: Iterable[str] | None = None) -> int:
    """Print one JSON object, or lines in its place; return the exit status."""
    click.echo(json.dumps(document) if lines is None else "\n".join(lines))
    return 0


@contextmanager
def progress(*columns: ProgressColumn, shown: bool = True, **fields: Any) -> Iterator[Callable[..., None]]:
    """One bar on standard error, if that is a terminal; what it yields updates it."""
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not (shown and console.is_terminal)) as bar:
        yield partial(bar.update, bar.add_task("", **fields))


@contextmanager
def _watching(preset: str, rank: int) -> Iterator[Watch]:
    """Show the share of steps done, tokens/s, the last loss."""
    text = TextColumn("{task.fields[rate]:>9,.0f} tokens/s  loss {task.fields[loss]:.3f}")
    columns = (TextColumn(f"pretraining ({preset})"), BarColumn(), text, TimeRemainingColumn())
    with progress(*columns, shown=rank == 0, total=None, rate=0.0, loss=float("nan")) as update:

        def watch(training: Training, loss: float) -> None:
            rate = training.tokens / training.seconds
            update(completed=training.tokens, total=training.preset.tokens, rate=rate, loss=loss)

        yield watch


def _check_device(device: str) -> None:
    import torch

    names = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
    if device not in names:
        raise InputError("", f'"{device[:40]}"', f"one of {', '.join(names)}, as this machine has", "--device")
