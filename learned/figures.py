"""Draw Figure 3 of the paper again, with controls, and a second figure.

The second figure has the accuracy by number of labelled inputs, the errors of networks beside the margins of heads, and
the accuracy of prompts after the chain's transition matrix was changed.

Curves show means with 95% intervals (Student's t): in Figure 3 over the seeds of a size, in the second figure over
models of all sizes. Each seed is another model and task. Dotted curves show the paper's numbers, solid ones exact G,
dashed ones a trained network, and dash-dotted ones a control.

The paper's numbers: Wei, Xie, Ma (2021), figure 3, read off the authors' vector figures.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from scipy.stats import sem
from scipy.stats import t as student

from learned.downstream import HIDDEN
from learned.pretrain import Json

Numbers: TypeAlias = dict[tuple[int, int], float]
"""A number for each model, by its number of states (of a memory model its joint states) and its seed."""

Table: TypeAlias = dict[tuple[str, ...], Numbers]
"""All numbers of the cells, by the source, the kind, and the keys that lead to a number in a cell."""

Points: TypeAlias = Mapping[Any, Sequence[float]]
"""For each size, number of labels, or distance, the numbers of several models. Accuracies are shares."""

mpl.rcParams["svg.hashsalt"] = "headproof"  # the same numbers, the same file

PAPER = {
    "prompt": {4: 99.7, 8: 97.0, 10: 93.0, 15: 87.0, 25: 74.8, 30: 75.2},
    "head": {4: 94.0, 8: 84.0, 10: 79.7, 15: 74.6, 25: 66.2, 30: 66.2},
    "attention": {8: 100.0, 12: 100.0, 20: 100.0, 28: 98.9},
    "head ": {8: 92.5, 12: 65.3, 20: 72.6, 28: 73.2},
}
"""Test accuracy in percent, by hidden or joint states. "head " is for vanilla models as large as memory models."""

PANELS = {
    "the paper's features and steps": ("the paper's steps", "probabilities", ("prompt", "head")),
    "log-odds, our steps": ("accuracy", "log-odds", ("prompt", "head")),
    "memory HMMs": ("accuracy", "probabilities", ("attention",)),
    "vanilla HMMs as large": ("accuracy", "probabilities", ("head ",)),
}
"""For each panel the key of its accuracies in a cell, the features that heads read, and methods, as in `PAPER`."""

COLOURS = {
    "prompt": "#1f6fb4",
    "head": "#d9601a",
    "attention": "#2a8a4a",
    "untrained network": "#8a4fa3",
    "lookup": "#222222",
    "majority label": "#8a8a8a",
    "constructed prompt": "#2a8a4a",
    "labels that stay": "#8a8a8a",
}
"""The colour of a curve, by the part of its name before the comma."""

STYLES = {"the paper": "o:", "exact G": "D-", "trained network": "s--", "": "x-."}
"""The style of a curve, by the part of its name after the comma."""

HEADS = {"3.3": "lookup", "tuned on exact G": "prompt", "tuned on the network": "head"}
"""For each head, the curve that has the same colour as the head's margins."""

LABELS = {
    "exact: prompt, log-odds": "prompt, exact G",
    "learned: prompt, log-odds": "prompt, trained network",
    "learned: head, log-odds": "head, trained network",
    "untrained: prompt, log-odds": "untrained network",
    "lookup": "lookup",
    "majority": "majority label",
}

TRANSFER = {
    "3.6": "constructed prompt, exact G",
    "tuned on exact G": "prompt, exact G",
    "tuned on the network": "prompt, trained network",
    "labels that stay": "labels that stay",
}


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and half the width of its 95% interval, which is 0 for fewer than three values."""
    n = len(values)
    return float(np.mean(values)), student.ppf(0.975, n - 1) * sem(values) if n > 2 else 0.0


def tabulate(cells: Sequence[Json]) -> Table:
    """Return each number in the cells by source, kind and the keys that lead to it, then by states and seed.

    A cell is the JSON result for one model and task (`learned.cells`).
    """
    table: Table = defaultdict(dict)
    for cell in cells:
        states = cell["size"] * (HIDDEN if cell["kind"] == "memory" else 1)
        for keys, number in _numbers(cell):
            table[cell["source"], cell["kind"], *keys][states, cell["seed"]] = number
    return table


def _numbers(entry: Any, *keys: str) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield each number in an entry of a cell, with the keys that lead to it. Lists are left out."""
    if isinstance(entry, dict):
        for key, value in entry.items():
            yield from _numbers(value, *keys, key)
    elif isinstance(entry, int | float):
        yield keys, float(entry)


def by_size(numbers: Numbers) -> dict[int, list[float]]:
    """Return for each size the list of its numbers, in the order of seeds."""
    return {n: [numbers[key] for key in keys] for n, keys in groupby(sorted(numbers), itemgetter(0))}


def by_row(table: Table, name: str, column: str) -> dict[float, list[float]]:
    """Return, for each row n, the numbers cell[name][n][column] of the cells in the table.

    Cells without the least n are left out, and the others must have every row.
    """
    rows = {float(keys[3]): numbers for keys, numbers in table.items() if (keys[2], *keys[4:]) == (name, column)}
    return {n: [rows[n][model] for model in rows[min(rows)]] for n in sorted(rows)}


def draw(cells: Sequence[Json]) -> Figure:
    """Draw Figure 3.

    Its title has two accuracies of prompts on trained networks, and two of lookups: the lowest mean over the seeds of
    a size, and the worst of a single seed.
    """
    table, figure, lowest = tabulate(cells), Figure(figsize=(14, 5.2), layout="constrained"), []
    for name, *keys in (("a prompt on a trained network", "accuracy", "prompt, log-odds"), ("a lookup", "lookup")):
        if values := [*by_size(table["learned", "vanilla", *keys]).values()]:
            lowest.append(f"{name} {min(map(np.mean, values)):.1%} (worst seed {min(map(min, values)):.1%})")
    figure.suptitle(f"Lowest mean: {'; '.join([*lowest, ''])}the paper's prompt {min(PAPER['prompt'].values())}%")
    panels = figure.subplots(1, 4, sharey=True, width_ratios=(3, 3, 2, 2))
    for ax, (title, (where, features, methods)) in zip(panels, PANELS.items(), strict=True):
        kind = "memory" if "attention" in methods else "vanilla"
        curves: dict[str, Points] = {}
        for method in methods:
            name = method.strip()
            place = kind, where, f"{name}, {features}"
            curves[f"{name}, the paper"] = {size: [mean / 100] for size, mean in PAPER[method].items()}
            curves[f"{name}, exact G"] = by_size(table["exact", *place])
            curves[f"{name}, trained network"] = by_size(table["learned", *place])
        if "prompt" in methods:
            curves["lookup"] = by_size(table["learned", kind, "lookup"])
            curves["untrained network"] = by_size(table["untrained", kind, where, f"prompt, {features}"])
        curves["majority label"] = by_size(table["exact", kind, "majority"])
        ax.set(title=title, xscale="log", xlabel="hidden or joint states")
        plot(ax, curves, PAPER[methods[0]])
    panels[0].set_ylim(48, 101.5)
    legend(figure)
    return figure


def draw_further(cells: Sequence[Json]) -> Figure:
    """Draw accuracy by number of labels, errors of networks against margins, and prompts on altered chains."""
    table, figure = tabulate(cells), Figure(figsize=(18, 4.8), layout="constrained")
    labels, margins, moved = figure.subplots(1, 3)
    labels.set(title="prompts and heads, log-odds", xscale="log", xlabel="labels")
    plot(labels, {name: by_row(table, "accuracy by labels", key) for key, name in LABELS.items()})
    for cell in cells:
        for head, entry in cell.get("margins", {}).items():
            margins.loglog(*np.transpose(entry["radii and errors"]), ".", color=COLOURS[HEADS[head]], markersize=3)
    margins.axline((1e-3, 1e-3), (1e-1, 1e-1), color=COLOURS["majority label"])
    margins.set(title="below the line: right by theorem", ylabel="error of a trained network at an input")
    margins.set_xlabel("margin there: black, head of 3.3; blue, tuned on exact G; orange, on the network")
    moved.set_ylim(0, 101.5)
    plot(moved, {name: by_row(table, "transfer", key) for key, name in TRANSFER.items()})
    moved.set(title="the same prompt on a chain that moved", xlabel="total variation")
    legend(figure)
    return figure


def plot(ax: Any, curves: Mapping[str, Points], sizes: Container[int] | None = None) -> None:
    """Draw curves of means with their intervals, in percent. If `sizes` are given, draw points at these sizes alone."""
    for name, points in curves.items():
        if x := [n for n in points if sizes is None or n in sizes]:
            means, halves = 100 * np.transpose([interval(points[n]) for n in x])
            method, _, style = name.partition(", ")
            ax.errorbar(x, means, halves, None, STYLES[style], color=COLOURS[method], label=name)
            ax.set_xticks(x, [f"{n:g}" for n in x])
    ax.set_ylabel("test accuracy (%)")
    ax.minorticks_off()


def legend(figure: Figure) -> None:
    """Name each curve once, below the panels."""
    curves = {name: handle for ax in figure.axes for handle, name in zip(*ax.get_legend_handles_labels(), strict=True)}
    figure.legend(curves.values(), curves, loc="outside lower center", ncols=6, frameon=False, fontsize=9)
