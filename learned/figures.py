"""Figure 3 of the paper, drawn again with its controls; accuracy against the number of labels; and slow models.

Means over seeds, each a model and a task of its own, with 95% intervals (Student's t).

The paper's numbers: Wei, Xie, Ma (2021), figure 3, read off the authors' vector figures.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from scipy.stats import t as student

from constructions.system.writing import put
from learned.cells import HIDDEN, KINDS, PLANS, Json

Points = Mapping[int, Sequence[float]]
"""Numbers of several seeds over a size, or over a number of labels."""

Curve = tuple[str, str, Points]
"""A colour, a style and what is drawn."""

mpl.rcParams["svg.hashsalt"] = "headproof"  # the same numbers, the same file

PAPER = {
    "prompt": {4: 99.7, 8: 97.0, 10: 93.0, 15: 87.0, 25: 74.8, 30: 75.2},
    "head": {4: 94.0, 8: 84.0, 10: 79.7, 15: 74.6, 25: 66.2, 30: 66.2},
    "attention": {8: 100.0, 12: 100.0, 20: 100.0, 28: 98.9},
    "vanilla": {8: 92.5, 12: 65.3, 20: 72.6, 28: 73.2},
}
"""Test accuracy in percent, by hidden or joint states."""

BLUE, GREEN, ORANGE, PURPLE, BLACK, GREY = "#1f6fb4", "#2a8a4a", "#d9601a", "#8a4fa3", "#222222", "#8a8a8a"

STYLES: dict[str, dict[str, Any]] = {
    "paper": {"linestyle": ":", "marker": "o", "markerfacecolor": "white", "linewidth": 1.3},
    "exact": {"linestyle": "-", "marker": "D", "markersize": 4, "linewidth": 1.6},
    "learned": {"linestyle": "--", "marker": "s", "markersize": 8, "markerfacecolor": "none", "linewidth": 1.4},
    "control": {"linestyle": "-.", "marker": "x", "markersize": 5, "linewidth": 1.2},
}
LABELS = {"paper": "the paper", "exact": "exact G", "learned": "trained network", "control": "control"}


COLOURS = {
    "prompt": BLUE,
    "linear head": ORANGE,
    "attention head": GREEN,
    "lookup of a prefix": BLACK,
    "prompt, untrained network": PURPLE,
    "majority label": GREY,
}


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and half the width of its 95% interval; the latter is 0 of fewer than three."""
    mean = float(np.mean(values))
    if len(values) < 3:
        return mean, 0.0
    return mean, float(student.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / len(values) ** 0.5)


def entry(cell: Json, keys: Sequence[str]) -> Any:
    """Return what stands under these keys of a cell; None where nothing does."""
    value: Any = cell
    for key in keys:
        value = (value or {}).get(key)
    return value


def by_size(cells: Sequence[Json], source: str, kind: str, keys: Sequence[str], factor: float = 100.0) -> Points:
    """Gather a number of the cells of a source and a kind, by (joint) states; accuracies in percent."""
    values: dict[int, list[float]] = {}
    for cell in cells:
        if (cell["source"], cell["kind"]) == (source, kind) and (number := entry(cell, keys)) is not None:
            values.setdefault(cell["size"] * (HIDDEN if kind == "memory" else 1), []).append(factor * number)
    return dict(sorted(values.items()))


def by_labels(cells: Sequence[Json], size: int, method: str) -> Points:
    """Gather the accuracies of a method in percent at one size, by the number of labels."""
    rows = [cell["accuracy by labels"] for cell in cells if cell["source"] == "labels" and cell["size"] == size]
    counts = sorted({int(count) for row in rows for count in row})
    shares_by_count = {
        count: [row[str(count)][method] for row in rows if method in row.get(str(count), {})] for count in counts
    }
    return {count: [100 * share for share in shares] for count, shares in shares_by_count.items() if shares}


def provenance(cells: Sequence[Json], preset: str) -> Json:
    """Name the command, versions and kind of machine; seeds are counted by source and kind."""
    seeds = {
        f"{source}, {kind}": len({cell["seed"] for cell in cells if (cell["source"], cell["kind"]) == (source, kind)})
        for source in PLANS[preset].seeds
        for kind in KINDS
    }
    packages = ("headproof", "torch", "transformers", "numpy", "matplotlib")
    counts = [
        max((1 + cell["seed"] for cell in cells if cell["source"] == name), default=0) for name in PLANS[preset].seeds
    ]
    flags = " ".join(f"--{name}-seeds {count}" for name, count in zip(PLANS[preset].seeds, counts, strict=True))
    return {
        "command": f"headproof learn figure --preset {preset} {flags} --out DIR",
        "seeds": {name: count for name, count in seeds.items() if count},
        "versions": {"python": platform.python_version(), **{name: version(name) for name in packages}},
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
    }


def write(cells: Sequence[Json], preset: str, folder: Path) -> list[Path]:
    """Write the figures as .svg and .png, and the cells as .json; return their paths."""
    document = {"made by": provenance(cells, preset), "paper": PAPER, "cells": list(cells)}
    contents: dict[str, str | Callable[[IO[bytes]], object]] = {
        f"figure-3-{preset}.json": json.dumps(document, indent=1) + "\n"
    }
    for part, figure in (("", draw(cells)), ("-labels", draw_labels(cells)), ("-distant", draw_distant(cells))):
        name = f"figure-3-{preset}{part}"
        contents[f"{name}.svg"] = partial(figure.savefig, format="svg", metadata={"Date": None})
        contents[f"{name}.png"] = partial(figure.savefig, format="png", dpi=160)
    return [put(folder / name, content) for name, content in contents.items()]


def draw(cells: Sequence[Json]) -> Figure:
    """Draw Figure 3 under a sentence that says what to see."""
    steps, joint = "the paper's steps", {HIDDEN * cell["size"] for cell in cells if cell["kind"] == "memory"}
    prompted = [cell for cell in cells if steps in cell or "prompt, log-odds" in cell.get("accuracy", {})]
    lookup = (BLACK, "control", by_size(prompted, "learned", "vanilla", ["lookup"]))
    untrained = (PURPLE, "control", by_size(cells, "untrained", "vanilla", ("accuracy", "prompt, log-odds")))

    def curves(chosen: Sequence[Json], kind: str, key: str, name: str, paper: str) -> list[Curve]:
        colour = {"prompt": BLUE, "attention": GREEN}.get(paper, ORANGE)
        ours = [(colour, source, by_size(chosen, source, kind, (key, name))) for source in ("exact", "learned")]
        return [(colour, "paper", {size: [mean] for size, mean in PAPER[paper].items()}), *ours]

    def methods(key: str, features: str) -> list[Curve]:
        return [c for name in ("prompt", "head") for c in curves(prompted, "vanilla", key, f"{name}, {features}", name)]

    as_large = [cell for cell in cells if cell["size"] in joint]
    attention = curves(cells, "memory", "accuracy", "attention, probabilities", "attention")
    linear = curves(as_large, "vanilla", "accuracy", "head, probabilities", "vanilla")
    hidden = "hidden states"
    figure = Figure(figsize=(14, 5.2), layout="constrained")
    figure.suptitle(sentence(cells), fontsize=11)
    first, second, third, fourth = figure.subplots(1, 4, sharey=True, width_ratios=(3, 3, 2, 2))
    by_probabilities = [*methods(steps, "probabilities"), lookup]
    by_log_odds = [*methods("accuracy", "log-odds"), lookup, untrained]
    _panel(first, "the paper's features and steps", hidden, by_probabilities, _majority(prompted, "vanilla"))
    _panel(second, "log-odds, our steps", hidden, by_log_odds, _majority(prompted, "vanilla"))
    _panel(third, "memory HMMs, attention", "joint states |M||H|", attention, _majority(cells, "memory"))
    _panel(fourth, "vanilla HMMs as large, head", hidden, linear, _majority(as_large, "vanilla"))
    first.set_ylabel("test accuracy (%)")
    _legend(figure, list(STYLES), 5)
    return figure


def sentence(cells: Sequence[Json]) -> str:
    """Say what to see: how low prompts on log-odds and a lookup fall, on average and with the worst seed."""
    lowest = []
    for name, source, keys in (
        ("a prompt on a trained network", "learned", ("accuracy", "prompt, log-odds")),
        ("a lookup without any", "learned", ("lookup",)),
    ):
        if points := by_size(cells, source, "vanilla", keys):
            mean, worst = min(map(np.mean, points.values())), min(map(min, points.values()))
            lowest.append(f"{name} {mean:.1f}% (worst seed {worst:.1f}%)")
    if not lowest:
        return "What to see: how far each curve falls below 100%"
    return f"Lowest mean over sizes: {'; '.join(lowest)}; the paper's prompt {min(PAPER['prompt'].values())}%"


def draw_labels(cells: Sequence[Json]) -> Figure:
    """Draw accuracy against the number of labels, a panel for each size with cells of it."""
    sizes = sorted({cell["size"] for cell in cells if len(cell.get("accuracy by labels", ())) > 1})
    methods = {
        "exact: prompt, log-odds": (BLUE, "exact"),
        "learned: prompt, log-odds": (BLUE, "learned"),
        "learned: head, log-odds": (ORANGE, "learned"),
        "untrained: prompt, log-odds": (PURPLE, "control"),
        "lookup": (BLACK, "control"),
    }
    figure = Figure(figsize=(3 + 4.5 * len(sizes), 4.8), layout="constrained")
    figure.suptitle("Accuracy against the number of labels, on log-odds", fontsize=11)
    for ax, size in zip(
        figure.subplots(1, len(sizes), sharey=True, squeeze=False)[0] if sizes else (), sizes, strict=True
    ):
        curves = [(*style, by_labels(cells, size, method)) for method, style in methods.items()]
        seeds = [str(cell["seed"]) for cell in cells if (cell["source"], cell["size"]) == ("labels", size)]
        title = f"{size} states, seeds {', '.join(seeds)}"
        _panel(ax, title, "labels, a fifth of them for validation", curves, by_labels(cells, size, "majority"))
        ax.set_ylabel("test accuracy (%)")
    _legend(figure, ["exact", "learned", "control"], 3)
    return figure


def draw_distant(cells: Sequence[Json]) -> Figure:
    """Draw what slow models take, and how much of a head is right by theorem: its error against its margin."""
    slow = [cell for cell in cells if cell["kind"] == "slow"]
    methods: dict[str, tuple[str, Sequence[str]]] = {
        "majority label": ("exact", ["majority"]),
        "lookup of a prefix": ("exact", ["lookup"]),
        "counts of tokens": ("exact", ["counts"]),
        "head, untrained network": ("untrained", ["accuracy", "head, log-odds"]),
        "head, trained network": ("learned", ["accuracy", "head, log-odds"]),
        "head, exact G": ("exact", ["accuracy", "head, log-odds"]),
    }
    figure = Figure(figsize=(11, 4.4), layout="constrained")
    figure.suptitle("Labels that depend on distant tokens: a language model is needed", fontsize=11)
    left, right = figure.subplots(1, 2)
    for place, (source, keys) in enumerate(methods.values()):
        shares = [100 * share for cell in slow if cell["source"] == source and (share := entry(cell, keys)) is not None]
        left.plot(shares, [place] * len(shares), "o", color=BLUE, markerfacecolor="none")
    left.set_yticks(range(len(methods)), list(methods))
    left.set_xlim(45, 101)
    left.set_xlabel("test accuracy (%), a point for each seed")
    pairs = [pair for cell in slow for pair in (entry(cell, ("constructed", "3.3", "radii and errors")) or [])]
    right.loglog(*np.array(pairs).T.reshape(2, -1), ".", color=ORANGE, markersize=4)
    right.axline((1e-2, 1e-2), (1e-1, 1e-1), color=GREY)
    right.set_xlabel("margin of the head of 3.3 at an input, in the sup norm of G")
    right.set_ylabel("error of the trained network there")
    right.set_title("below the line: right by theorem", fontsize=10)
    for ax in (left, right):
        ax.spines[["top", "right"]].set_visible(False)
    return figure


def _majority(cells: Sequence[Json], kind: str) -> Points:
    """Return the majority label's accuracy on a panel's own tasks: on exact G, or where there is none, on networks."""
    exact, learned = (by_size(cells, source, kind, ["majority"]) for source in ("exact", "learned"))
    return {**learned, **exact}


def _panel(ax: Any, title: str, axis: str, curves: Sequence[Curve], majority: Points) -> None:
    for colour, style, points in curves:
        _line(ax, points, colour, style)
    places = sorted(majority)
    ax.plot(places, [np.mean(majority[place]) for place in places], color=GREY, linewidth=1.2, zorder=1)
    ax.set_title(title, fontsize=10)
    ax.set_xscale("log")
    ax.set_xticks(places, map(str, places))
    ax.set_xlabel(axis)
    ax.minorticks_off()
    ax.set_ylim(48, 101.5)
    ax.grid(axis="y", color="#e4e4e4", linewidth=0.7)
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_axisbelow(True)


def _line(ax: Any, points: Points, colour: str, style: str) -> None:
    """Draw one curve of means with its intervals."""
    sizes, pairs = list(points), [interval(values) for values in points.values()]
    means, halves = [mean for mean, _ in pairs], np.array([half for _, half in pairs])
    ax.plot(sizes, means, color=colour, alpha=0.75 if style == "paper" else 1, label=LABELS[style], **STYLES[style])
    if halves.any():
        ax.fill_between(sizes, means - halves, np.minimum(100, means + halves), color=colour, alpha=0.12, linewidth=0)


def _legend(figure: Figure, styles: Sequence[str], columns: int) -> None:
    """Say below what the colours are, and what the lines."""
    handles = [Line2D([], [], color=colour, linewidth=3, label=name) for name, colour in COLOURS.items()]
    handles += [Line2D([], [], color="black", label=LABELS[style], **STYLES[style]) for style in styles]
    figure.legend(handles=handles, loc="outside lower center", ncols=columns, frameon=False, fontsize=9)
