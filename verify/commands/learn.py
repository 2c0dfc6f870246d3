"""The commands `headproof learn ...`. They import torch when they run. Without torch they say what to install.

Networks this small gain nothing from threads, so torch runs on one thread in every process.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from constructions.memory.joint_chain import joint_model
from constructions.models import load
from constructions.reading import InputError
from constructions.system.packages import needs
from constructions.system.writing import check_folder
from verify.commands.output import as_json, show
from verify.views.terminal import progress

PRESETS, SOURCES = ("smoke", "cpu", "paper", "release"), ("exact", "learned", "untrained", "labels", "transfer")
"""The presets of the figure, and the sources of its cells."""

NETWORKS = (*PRESETS, "longer", "deeper", "slow")
"""Presets of single networks."""

SEED = click.IntRange(min=0)

out_option = click.option(
    "--out", metavar="DIR", required=True, help="The folder for results. A run that was stopped goes on there."
)
device_option = click.option(
    "--device", default="cpu", show_default=True, help="The device of the networks: cpu or cuda."
)


@click.group()
def learn() -> None:
    """Pretrain language models and tune heads.

    Learned models and heads are compared with exact G and with the heads that the theorems build.
    """


@learn.command(epilog="\b\nExample:\n  headproof learn pretrain --states 10 --preset smoke --out network")
@click.option("--model", "model_file", metavar="FILE", help="A model file, or a name.")
@click.option(
    "--states", type=click.IntRange(min=3), help="Draw a model of this many states, as in appendix D, by the seed."
)
@click.option(
    "--seed", type=SEED, default=0, show_default=True, help="The seed of the model, the data and the weights."
)
@click.option("--preset", type=click.Choice(NETWORKS), default="cpu", show_default=True)
@out_option
@device_option
@as_json
def pretrain(model_file: str | None, states: int | None, seed: int, preset: str, out: str, device: str) -> None:
    """Train a masked language model on data of one model, and measure it against the exact G.

    The report has the mean of KL(G || Ghat) as `divergence`, where Ghat is the network's G, and the mean entropy of G
    as `entropy`, both in nats.
    """
    if (model_file is None) == (states is None):
        raise click.UsageError("either --model or --states is needed")
    prepare(device)
    from learned import pretrain as pretraining
    from learned.downstream import draw

    # The data of a memory HMM are drawn from Hbar, the chain of memory and state together.
    model = draw("vanilla", states or 0, seed)[0] if model_file is None else joint_model(load(model_file)[0])
    check_folder(Path(out), "the network")
    with click.progressbar(
        length=pretraining.PRESETS[preset].steps,
        label=f"pretraining ({preset})",
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
        item_show_func=lambda note: note,
    ) as bar:
        [report] = pretraining.pretrain(
            [pretraining.Run(model, seed, Path(out))],
            preset,
            device,
            lambda step, seconds, loss: bar.update(step - bar.pos, f"{step / seconds:,.1f} steps/s  loss {loss:.3f}"),
        )
    answer(report)


@learn.command(epilog="\b\nExample:\n  headproof learn figure --preset smoke --out figure")
@click.option("--preset", type=click.Choice(PRESETS), default="cpu", show_default=True)
@out_option
@click.option(
    "--seeds",
    type=(click.Choice(SOURCES), SEED),
    multiple=True,
    help="The number of seeds of a source, in place of the preset's.",
)
@click.option("--plan", is_flag=True, help="Say how many cells are missing and what they take; run none.")
@device_option
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="The number of cells side by side.  [default: one for each processor, or GPU]",
)
@as_json
def figure(preset: str, out: str, seeds: Sequence[tuple[str, int]], plan: bool, device: str, jobs: int | None) -> None:
    """Draw Figure 3 of the paper.

    It shows the paper's numbers, and ours on exact G and on learned models. A run that was stopped goes on.
    """
    prepare(device)
    folder = Path(out)
    check_folder(folder, "the figure")
    from learned import cells
    from learned.tables import write

    chosen = cells.cells(preset, dict(seeds))
    if plan:
        answer(cells.budget(chosen, folder))
        return
    missing = cells.missing(chosen, folder)
    for _ in zip(progress(missing, "cells"), cells.run(missing, folder, device, jobs), strict=True):
        pass
    contents = cells.finished(folder, preset)
    answer({"files": [str(path) for path in write(contents, preset, folder)], "cells": len(contents)})


def prepare(device: str) -> None:
    """Check that the libraries and the device are available, and limit torch to one thread.

    Raises `InputError` if a library or the device is missing.
    """
    needs("learned", "torch", "transformers", "safetensors", "matplotlib")
    import torch

    devices = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
    if device not in devices:
        raise InputError("", f'"{device[:40]}"', f"one of {', '.join(devices)}, as this machine has", "--device")
    torch.set_num_threads(1)


def answer(document: Mapping[str, object]) -> None:
    """Print a document: with `--json` as one JSON object, otherwise as a line for each entry."""
    show(document, *(f"{key}: {value}" for key, value in document.items()))
