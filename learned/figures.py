"""Figure 3 of the paper, drawn again: the paper's curves, ours on exact G and on a learned LM, and the baseline.

Left panel, in two halves: head and prompt tuning over the hidden states of vanilla models, on the paper's features
(probabilities) and on log-odds. Right panel: attention heads on memory models beside linear heads on vanilla models
with as many (joint) states. Means over seeds, each a model and a task of its own, with 95% intervals (Student's t).

The paper's numbers: Wei, Xie, Ma (2021), figure 3, read off the authors' vector figures.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from scipy.stats import t as student

from learned.cells import HIDDEN, KINDS, Json
from learned.files import replace_file
from learned.tune import FEATURES

Value = Callable[[Json], float | None]
"""What reads a number off a cell, if it is there."""

mpl.rcParams["svg.hashsalt"] = "headproof"  # the same numbers, the same file

PAPER_LEFT = {
    "prompt": {4: 99.7, 8: 97.0, 10: 93.0, 15: 87.0, 25: 74.8, 30: 75.2},
    "head": {4: 94.0, 8: 84.0, 10: 79.7, 15: 74.6, 25: 66.2, 30: 66.2},
}
PAPER_RIGHT = {
    "attention": {8: 100.0, 12: 100.0, 20: 100.0, 28: 98.9},
    "vanilla": {8: 92.5, 12: 65.3, 20: 72.6, 28: 73.2},
}
"""Test accuracy in percent, by hidden or joint states."""

BLUE, GREEN, ORANGE, GREY = "#1f6fb4", "#2a8a4a", "#d9601a", "#8a8a8a"

SOURCES: dict[str, dict[str, Any]] = {
    "paper": {"linestyle": (0, (1.5, 1.8)), "marker": "o", "markerfacecolor": "white", "linewidth": 1.3},
    "exact": {"linestyle": "-", "marker": "D", "markersize": 4, "linewidth": 1.6},
    "learned": {"linestyle": "--", "marker": "s", "markersize": 8, "markerfacecolor": "none", "linewidth": 1.4},
}
COMPUTED = ("exact", "learned")
"""The sources that are not the paper."""

LABELS = {"paper": "paper", "exact": "ours, exact G", "learned": "ours, learned LM"}

DODGE = {BLUE: 0.985, GREEN: 0.985, ORANGE: 1.015}
"""By which factor a curve stands beside its place, that one at 100% may not hide another."""


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and half the width of its 95% interval; the latter is 0 of fewer than three."""
    mean = float(np.mean(values))
    if len(values) < 3:
        return mean, 0.0
    return mean, float(student.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / len(values) ** 0.5)


def at(*keys: str) -> Value:
    """Return the reader of a number that stands under these keys of a cell; None where there is none."""

    def value(cell: Json) -> float | None:
        entry: Any = cell
        for key in keys:
            entry = (entry or {}).get(key)
        return None if entry is None else float(entry)

    return value


def by_size(cells: Sequence[Json], source: str, kind: str, value: Value) -> dict[int, list[float]]:
    """Gather what the cells of a source and a kind have of a quantity, by their sizes."""
    values: dict[int, list[float]] = {}
    for cell in cells:
        if (cell["source"], cell["kind"]) == (source, kind) and (number := value(cell)) is not None:
            values.setdefault(cell["size"], []).append(number)
    return dict(sorted(values.items()))


def curve(cells: Sequence[Json], source: str, kind: str, *keys: str) -> Json:
    """Gather a quantity in percent by (joint) states: {size: {"mean", "interval", "trials"}}."""
    result = {}
    for size, values in by_size(cells, source, kind, at(*keys)).items():
        mean, half = interval([100 * value for value in values])
        states = size * (HIDDEN if kind == "memory" else 1)
        result[str(states)] = {"mean": round(mean, 3), "interval": round(half, 3), "trials": len(values)}
    return result


def numbers(cells: Sequence[Json], preset: str) -> Json:
    """Return everything that the figure shows, what made it, and the cells."""
    left: Json = {}
    right: Json = {}
    joint = {cell["size"] * HIDDEN for cell in cells if cell["kind"] == "memory"}
    beside = [cell for cell in cells if cell["size"] in joint]
    for source, features in product(COMPUTED, FEATURES):
        for name in (f"prompt, {features}", f"head, {features}"):
            left[f"{name}, {source}"] = curve(cells, source, "vanilla", "accuracy", name)
        name = f"attention, {features}"
        right[f"{name}, {source}"] = curve(cells, source, "memory", "accuracy", name)
    for source in COMPUTED:
        key = f"vanilla, probabilities, {source}"
        right[key] = curve(beside, source, "vanilla", "accuracy", "head, probabilities")
    sizes = {cell["size"] for cell in cells if "prompt, log-odds" in cell["accuracy"]}
    prompted = [cell for cell in cells if cell["size"] in sizes]
    # The same tasks, whichever model reads them: where exact G has not been run yet, the learned one's serve.
    for panel, kind, here in ((left, "vanilla", prompted), (right, "memory", cells)):
        exact, learned = (curve(here, source, kind, "majority") for source in COMPUTED)
        panel["majority"] = learned | exact
    return {
        "made by": provenance(cells, preset),
        "paper": {"left": PAPER_LEFT, "right": PAPER_RIGHT, "source": "Wei, Xie, Ma (2021), figure 3"},
        "left": left,
        "right": right,
        "cells": list(cells),
    }


def provenance(cells: Sequence[Json], preset: str) -> Json:
    """Name the command, seeds, versions and kind of machine; a command for each kind of model if their seeds differ."""
    counts = {kind: {source: _seeds(cells, source, kind) for source in COMPUTED} for kind in KINDS}
    counts = {kind: count for kind, count in counts.items() if any(count.values())}
    differ = len({tuple(count.values()) for count in counts.values()}) > 1
    commands = []
    for kind, count in counts.items() if differ else list(counts.items())[:1]:
        numbers = " ".join(f"--{source}-seeds {number}" for source, number in count.items())
        only = f" --only {kind}" * differ
        commands.append(f"headproof learn figure --preset {preset} {numbers}{only} --out DIR")
    packages = ("headproof", "torch", "transformers", "numpy", "matplotlib")
    return {
        "command": " && ".join(commands),
        "seeds": {source: _spans({kind: count[source] for kind, count in counts.items()}) for source in COMPUTED},
        "versions": {"python": platform.python_version(), **{name: version(name) for name in packages}},
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
    }


def _seeds(cells: Sequence[Json], source: str, kind: str) -> int:
    return max((1 + cell["seed"] for cell in cells if (cell["source"], cell["kind"]) == (source, kind)), default=0)


def _spans(counts: Mapping[str, int]) -> str:
    """Name the first so many seeds of all kinds of models: once where they are as many."""
    several = len(set(counts.values())) > 1
    spans = {kind: f"seeds 0 to {n - 1}" if n > 1 else ("no seed", "seed 0")[n] for kind, n in counts.items()}
    return ", ".join(dict.fromkeys(span + f" ({kind})" * several for kind, span in spans.items()))


def write(cells: Sequence[Json], preset: str, folder: Path) -> list[Path]:
    """Write figure-3-PRESET.svg, .png and .json; return their paths."""
    document = numbers(cells, preset)
    figure = draw(document)
    drawing, picture, data = (folder / f"figure-3-{preset}.{suffix}" for suffix in ("svg", "png", "json"))
    replace_file(drawing, lambda path: figure.savefig(path, format="svg", metadata={"Date": None}))
    replace_file(picture, lambda path: figure.savefig(path, format="png", dpi=160))
    replace_file(data, lambda path: path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8"))
    return [drawing, picture, data]


def draw(document: Json) -> Figure:
    """Draw both panels, the left one in two halves, under a sentence that says what to see."""
    figure = Figure(figsize=(12, 5.0), layout="constrained")
    figure.suptitle(_sentence(document), fontsize=11)
    plain, log_odds, right = figure.subplots(1, 3, sharey=True)
    for ax, features, note in ((plain, "probabilities", "(the paper's features)"), (log_odds, "log-odds", "")):
        curves = {f"prompt, {features}": BLUE, f"head, {features}": ORANGE}
        _panel(ax, document, "left", curves, f"vanilla HMMs, head reads {features}\n{note}", "hidden states")
    curves = {"attention, probabilities": GREEN, "vanilla, probabilities": ORANGE}
    title = "memory HMMs, attention head; vanilla, linear head\n(probabilities)"
    _panel(right, document, "right", curves, title, "joint states |M||H|")
    plain.set_ylabel("test accuracy (%)")
    _legend(figure, document)
    return figure


def _sentence(document: Json) -> str:
    """Say what to see: how low a prompt on log-odds falls, where the paper's does."""
    least = []
    for source in COMPUTED:
        if points := document["left"][f"prompt, log-odds, {source}"]:
            least.append(f"{min(point['mean'] for point in points.values()):.1f}% ({LABELS[source]})")
    if not least:
        return "What to see: how far each curve falls below 100%"
    paper = min(document["paper"]["left"]["prompt"].values())
    return f"What to see: on log-odds a prompt never falls below {' or '.join(least)}; the paper's falls to {paper}%"


def _panel(ax: Any, document: Json, side: str, curves: Mapping[str, str], title: str, states: str) -> None:
    """One panel: curves, "method, features", by their colours; the paper's, ours on exact G and on a learned LM."""
    panel, majority = document[side], document[side]["majority"]
    sizes = sorted(map(int, majority))
    ax.set_title(title, fontsize=10)
    for name, colour in curves.items():
        paper = document["paper"][side][name.partition(",")[0]]
        _line(ax, sizes, {str(size): {"mean": mean, "interval": 0.0} for size, mean in paper.items()}, "paper", colour)
        for source in COMPUTED:
            _line(ax, sizes, panel[f"{name}, {source}"], source, colour)
    ax.plot(sizes, [majority[str(n)]["mean"] for n in sizes], color=GREY, linewidth=1.2, zorder=1)
    ax.set_xscale("log")
    ax.set_xticks(sizes, map(str, sizes))
    ax.minorticks_off()
    ax.set_xlabel(states)
    ax.set_ylim(48, 101.5)
    ax.grid(axis="y", color="#e4e4e4", linewidth=0.7)
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_axisbelow(True)


def _line(ax: Any, sizes: Sequence[int], points: Json, source: str, colour: str) -> None:
    """One curve with its intervals."""
    drawn = [(size, points[str(size)]) for size in sizes if str(size) in points]
    at, curve = [size * DODGE[colour] for size, _ in drawn], [point for _, point in drawn]
    means = [point["mean"] for point in curve]
    style = SOURCES[source]
    ax.plot(at, means, color=colour, alpha=0.75 if source == "paper" else 1, label=LABELS[source], **style)
    low = [point["mean"] - point["interval"] for point in curve]
    high = [min(100.0, point["mean"] + point["interval"]) for point in curve]
    if any(point["interval"] for point in curve):
        ax.fill_between(at, low, high, color=colour, alpha=0.12, linewidth=0)


def _legend(figure: Figure, document: Json) -> None:
    """One legend below: what the colours are, and what the lines."""
    colours = {"prompt": BLUE, "attention": GREEN, "linear head": ORANGE, "majority label": GREY}
    handles: list[Any] = [Line2D([], [], color=colour, linewidth=3, label=name) for name, colour in colours.items()]
    for source, style in SOURCES.items():
        seeds = document["made by"]["seeds"].get(source)
        handles.append(Line2D([], [], color="black", label=LABELS[source] + (f", {seeds}" if seeds else ""), **style))
    handles.append(Patch(color=BLUE, alpha=0.12, linewidth=0, label="95% interval"))
    figure.legend(handles=handles, loc="outside lower center", ncols=(len(handles) + 1) // 2, frameon=False, fontsize=9)
