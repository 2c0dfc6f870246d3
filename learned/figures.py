"""Figure 3 of the paper, drawn again with its controls; accuracy against the number of labels; errors and margins.

Means over seeds, each a model and a task of its own, with 95% intervals (Student's t). Dotted is the paper, solid
exact G, dashed a trained network, dash-dotted a control.

The paper's numbers: Wei, Xie, Ma (2021), figure 3, read off the authors' vector figures.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any, TypeAlias

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from scipy.stats import t as student

from learned.downstream import HIDDEN
from learned.pretrain import Json

Points: TypeAlias = Mapping[int, Sequence[float]]
"""Numbers of several seeds over a size, or over a number of labels."""

mpl.rcParams["svg.hashsalt"] = "headproof"  # the same numbers, the same file

PAPER = {
    "prompt": {4: 99.7, 8: 97.0, 10: 93.0, 15: 87.0, 25: 74.8, 30: 75.2},
    "head": {4: 94.0, 8: 84.0, 10: 79.7, 15: 74.6, 25: 66.2, 30: 66.2},
    "attention": {8: 100.0, 12: 100.0, 20: 100.0, 28: 98.9},
    "head ": {8: 92.5, 12: 65.3, 20: 72.6, 28: 73.2},
}
"""Test accuracy in percent, by hidden or joint states; "head ": of vanilla models as large as those with memory."""

PANELS = {
    "the paper's features and steps": ("the paper's steps", "probabilities", ("prompt", "head")),
    "log-odds, our steps": ("accuracy", "log-odds", ("prompt", "head")),
    "memory HMMs": ("accuracy", "probabilities", ("attention",)),
    "vanilla HMMs as large": ("accuracy", "probabilities", ("head ",)),
}
"""Of each panel where its methods stand in a cell, what they read, and their names, as in `PAPER`."""

COLOURS = {
    "prompt": "#1f6fb4",
    "head": "#d9601a",
    "attention": "#2a8a4a",
    "untrained network": "#8a4fa3",
    "lookup": "#222222",
    "majority label": "#8a8a8a",
}

STYLES: dict[str, Json] = {
    "the paper": {"linestyle": ":", "marker": "o", "markerfacecolor": "white", "alpha": 0.75},
    "exact G": {"linestyle": "-", "marker": "D", "markersize": 4},
    "trained network": {"linestyle": "--", "marker": "s", "markersize": 8, "markerfacecolor": "none"},
    "": {"linestyle": "-.", "marker": "x", "markersize": 5},
}


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and half the width of its 95% interval; the latter is 0 of fewer than three."""
    n = len(values)
    half = student.ppf(0.975, n - 1) * np.std(values, ddof=1) / n**0.5 if n > 2 else 0.0
    return float(np.mean(values)), float(half)


def shares(cells: Sequence[Json], source: str, kind: str, *keys: str) -> dict[tuple[int, int], float]:
    """Return what stands under these keys of the cells of a source and a kind, in percent, by (joint) size and seed."""
    numbers = {}
    for cell in cells:
        entry: Any = cell if (cell["source"], cell["kind"]) == (source, kind) else {}
        for key in keys:
            entry = entry.get(key, {})
        if entry != {}:
            numbers[cell["size"] * (HIDDEN if kind == "memory" else 1), cell["seed"]] = 100 * entry
    return dict(sorted(numbers.items()))


def by_size(cells: Sequence[Json], source: str, kind: str, *keys: str) -> dict[int, list[float]]:
    """Gather the numbers of `shares` by size."""
    values: dict[int, list[float]] = {}
    for (size, _), share in shares(cells, source, kind, *keys).items():
        values.setdefault(size, []).append(share)
    return values


def by_labels(cells: Sequence[Json], size: int, method: str) -> dict[int, list[float]]:
    """Gather the accuracies of a method in percent at one size, by the number of labels."""
    counts = {int(count) for cell in cells for count in cell.get("accuracy by labels", ())}
    rows = {n: by_size(cells, "labels", "vanilla", "accuracy by labels", str(n), method) for n in sorted(counts)}
    return {count: values[size] for count, values in rows.items() if size in values}


def draw(cells: Sequence[Json]) -> Figure:
    """Draw Figure 3 under a sentence that says how low prompts and a lookup fall, on average and at worst."""
    figure, lowest = Figure(figsize=(14, 5.2), layout="constrained"), []
    for name, *keys in (("a prompt on a trained network", "accuracy", "prompt, log-odds"), ("a lookup", "lookup")):
        values = by_size(cells, "learned", "vanilla", *keys).values() or [[100.0]]
        lowest.append(f"{name} {min(map(np.mean, values)):.1f}% (worst seed {min(map(min, values)):.1f}%)")
    figure.suptitle(f"Lowest mean: {'; '.join(lowest)}; the paper's prompt {min(PAPER['prompt'].values())}%")
    panels = figure.subplots(1, 4, sharey=True, width_ratios=(3, 3, 2, 2))
    for ax, (title, (where, features, methods)) in zip(panels, PANELS.items(), strict=True):
        kind, sizes = "memory" if "attention" in methods else "vanilla", PAPER[methods[0]]

        def gather(source: str, *keys: str, kind: str = kind, sizes: Container[int] = sizes) -> Points:
            return {n: values for n, values in by_size(cells, source, kind, *keys).items() if n in sizes}

        for method in methods:
            name = f"{method.strip()}, {features}"
            line(ax, method, "the paper", {size: [mean] for size, mean in PAPER[method].items()})
            line(ax, method, "exact G", gather("exact", where, name))
            line(ax, method, "trained network", gather("learned", where, name))
        if "prompt" in methods:
            line(ax, "lookup", "", gather("learned", "lookup"))
            line(ax, "untrained network", "", gather("untrained", where, f"prompt, {features}"))
        finish(ax, title, "hidden or joint states", gather("exact", "majority") or sizes)
    legend(figure)
    return figure


def draw_further(cells: Sequence[Json]) -> Figure:
    """Draw accuracy against the number of labels, a panel for each size, and errors of networks against margins."""
    sizes = sorted({cell["size"] for cell in cells if len(cell.get("accuracy by labels", ())) > 1})
    methods = {
        "exact: prompt, log-odds": ("prompt", "exact G"),
        "learned: prompt, log-odds": ("prompt", "trained network"),
        "learned: head, log-odds": ("head", "trained network"),
        "untrained: prompt, log-odds": ("untrained network", ""),
        "lookup": ("lookup", ""),
    }
    figure = Figure(figsize=(6 + 6 * len(sizes), 4.8), layout="constrained")
    *panels, last = figure.subplots(1, 1 + len(sizes), squeeze=False)[0]
    for ax, size in zip(panels, sizes, strict=True):
        for key, (method, style) in methods.items():
            line(ax, method, style, by_labels(cells, size, key))
        majority = by_labels(cells, size, "majority")
        seeds = len(majority[min(majority)])
        finish(ax, f"{size} states, log-odds, seeds: {seeds}", "labels, a fifth of them for validation", majority)
    for cell in cells:
        pairs = cell.get("constructed", {}).get("3.3", {}).get("radii and errors", [])
        last.loglog(*np.array(pairs).reshape(-1, 2).T, ".", markersize=3)
    last.axline((1e-3, 1e-3), (1e-1, 1e-1), color=COLOURS["majority label"])
    last.set(xlabel="margin of the head of 3.3 at an input", ylabel="error of the trained network there")
    last.set_title("below the line: right by theorem", fontsize=10)
    legend(figure)
    return figure


def line(ax: Any, method: str, style: str, points: Points) -> None:
    """Draw one curve of means with its intervals."""
    if points:
        means, halves = zip(*map(interval, points.values()), strict=True)
        name = ", ".join(filter(None, (method.strip(), style)))
        ax.errorbar(list(points), means, halves, color=COLOURS[method.strip()], label=name, **STYLES[style])


def finish(ax: Any, title: str, axis: str, majority: Mapping[int, Any]) -> None:
    """Draw the majority label's accuracy on the panel's own tasks, and say what is on the axes."""
    means = list(map(np.mean, majority.values()))
    ax.plot(list(majority), means, color=COLOURS["majority label"], label="majority label")
    ax.set(xscale="log", xlabel=axis, ylabel="test accuracy (%)", ylim=(48, 101.5))
    ax.set_title(title, fontsize=10)
    ax.set_xticks(list(majority), map(str, majority))
    ax.minorticks_off()


def legend(figure: Figure) -> None:
    """Name each curve once, below."""
    curves: Json = {}
    for ax in figure.axes:
        handles, names = ax.get_legend_handles_labels()
        curves |= dict(zip(names, handles, strict=True))
    figure.legend(curves.values(), curves, loc="outside lower center", ncols=6, frameon=False, fontsize=9)
