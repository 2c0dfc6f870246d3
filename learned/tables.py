"""What the cells of Figure 3 say: findings in sentences, and tables in Markdown, each with its number of seeds."""

from __future__ import annotations

import json
import platform
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from constructions.system.writing import put
from learned.cells import KINDS, SOURCES
from learned.figures import PAPER, TRANSFER, by_row, by_size, draw, draw_further, gather, interval, shares
from learned.pretrain import Json

OMITTED = ("recipes", "redraws", "doubtful labels", "test inputs seen in training", "processor seconds")
"""Of cells, what tables leave out."""

HEAD, PROMPT = ("accuracy", "head, log-odds"), ("accuracy", "prompt, log-odds")


def write(cells: Sequence[Json], preset: str, folder: Path) -> list[Path]:
    """Write the figures as .svg and .png, the cells as .json, and findings and tables as .md; return their paths."""
    document = {"made by": provenance(cells, preset), "paper": PAPER, "cells": list(cells)}
    name = f"figure-3-{preset}"
    paths = [put(folder / f"{name}.json", json.dumps(document, indent=1) + "\n")]
    paths.append(put(folder / f"{name}.md", page(cells, preset)))
    for part, figure in ((name, draw(cells)), (f"{name}-further", draw_further(cells))):
        for kind, options in (("svg", {"metadata": {"Date": None}}), ("png", {"dpi": 160})):
            paths.append(put(folder / f"{part}.{kind}", partial(figure.savefig, format=kind, **options)))
    return paths


def provenance(cells: Sequence[Json], preset: str) -> Json:
    """Name the command, versions and kind of machine; seeds are counted by source and kind."""
    seeds = {(cell["source"], cell["kind"], cell["seed"]) for cell in cells}
    packages = ("headproof", "torch", "transformers", "numpy", "matplotlib")
    return {
        "command": f"headproof learn figure --preset {preset} --out DIR",
        "seeds": dict(Counter(f"{source}, {kind}" for source, kind, _ in sorted(seeds))),
        "versions": {"python": platform.python_version(), **{name: version(name) for name in packages}},
        "machine": f"{platform.system()} {platform.machine()}",
    }


def page(cells: Sequence[Json], preset: str) -> str:
    """Return the findings and all tables."""
    origin = provenance(cells, preset)
    versions, seeds = (", ".join(f"{key} {n}" for key, n in origin[part].items()) for part in ("versions", "seeds"))
    return "\n".join([
        f"# Figure 3, preset {preset}: the numbers\n",
        f"Made by `{origin['command']}` with {versions}, {origin['machine']}. Seeds: {seeds}.",
        "Accuracies are shares of test inputs, divergences nats: mean ± half of a 95% interval (seeds).",
        "Another seed is another model and another task.\n",
        "## Findings\n",
        *(f"- {finding}" for finding in findings(cells)),
        "",
        *_tables(cells),
    ])  # fmt: skip


def findings(cells: Sequence[Json]) -> list[str]:
    """Return what the cells say, in sentences; those for which cells are missing are left out."""
    sentences = []
    for write in (_lookup, _pretraining, _few_labels, _distant, _losses, _margins, _transfer, _theorems, _laws):
        with suppress(LookupError, ValueError):
            sentences.append(write(cells))
    return sentences


def _lookup(cells: Sequence[Json]) -> str:
    """Figure 3 hardly tests a language model."""
    prompt, lookup = (by_size(cells, "learned", "vanilla", *keys) for keys in (PROMPT, ["lookup"]))
    decided = by_size(cells, "learned", "vanilla", "decided by five tokens").values()
    size = max(prompt.keys() & lookup)
    return (
        f"A lookup of the longest prefix seen in training, without any network, has {_percent(lookup[size])} at {size} "
        f"states, where a prompt on a trained network has {_percent(prompt[size])}: five tokens decide "
        f"{min(map(np.mean, decided)):.1f}% of the labels or more at every size."
    )


def _pretraining(cells: Sequence[Json]) -> str:
    """What pretraining brings to a prompt: by size, over models that have both networks."""
    trained, untrained = (shares(cells, source, "vanilla", *PROMPT) for source in ("learned", "untrained"))
    gains = gather({key: trained[key] - untrained[key] for key in sorted(trained.keys() & untrained)})
    largest = max(gains)
    over = np.mean(gather(untrained)[largest]) - PAPER["prompt"][largest]
    parts = ", ".join(f"{np.mean(points):.1f} at {n} states (seeds: {len(points)})" for n, points in gains.items())
    return (
        f"Points that pretraining brings to a prompt, over the same network before its first step: {parts}. The "
        f"untrained one is {over:.1f} points above the paper's prompt at {largest} states."
    )


def _few_labels(cells: Sequence[Json]) -> str:
    """What pretraining brings by the number of labels."""
    sizes = [cell["size"] for cell in cells if len(cell.get("accuracy by labels", ())) > 1]
    places = " and ".join(map(str, sorted(set(sizes))))
    methods = ("learned: prompt, log-odds", "untrained: prompt, log-odds", "lookup")
    trained, untrained, lookup = (by_row(cells, "accuracy by labels", method) for method in methods)
    gains = ", ".join(f"{np.mean(trained[n]) - np.mean(untrained[n]):.1f} with {n:g}" for n in lookup)
    ahead = ", ".join(f"{np.mean(lookup[n]) - np.mean(trained[n]):+.1f}" for n in lookup)
    return (
        f"The same points by number of labels, at {places} states (seeds: {len(sizes)}): {gains}. A "
        f"lookup is ahead of the trained network by {ahead}."
    )


def _distant(cells: Sequence[Json]) -> str:
    """Where labels depend on distant tokens: over models that have both networks."""
    keys = (HEAD, ("on exact G", HEAD[1]), ["counts"], ["decided by thirty tokens"], ["divergence"])
    points = [shares(cells, "learned", "slow", *key) for key in keys]
    points.append(shares(cells, "untrained", "slow", *HEAD))
    models = set.intersection(*map(set, points))
    [size] = {n for n, _ in models}
    trained, exact, counts, decided, divergence, untrained = (np.mean([part[key] for key in models]) for part in points)
    return (
        f"Where {100 - decided:.1f}% of the labels change beyond token 30 (slow models, {size} states, seeds: "
        f"{len(models)}), a head has {trained:.1f}% on a trained network, {untrained:.1f}% on an untrained one, "
        f"{counts:.1f}% on counts of tokens, {exact:.1f}% on exact G. The KL is {divergence / 100:.3f} nats."
    )


def _losses(cells: Sequence[Json]) -> str:
    """Where pretraining loses most: heads on log-odds, which read the position where the network is worst."""
    exact, learned = (shares(cells, "learned", "vanilla", key, HEAD[1]) for key in ("on exact G", "accuracy"))
    losses = {key: exact[key] - learned[key] for key in learned}
    mean, size = max((np.mean(points), size) for size, points in gather(losses).items())
    cases = ", ".join(f"{loss:.1f} at {n} states, seed {seed}" for (n, seed), loss in losses.items() if loss > 10)
    at_mask, divergences = (
        by_size(cells, "labels", "vanilla", key) for key in ("divergence at the mask", "divergence")
    )
    largest = max(at_mask)
    return (
        f"Heads on log-odds lose {mean:.1f} points to pretraining on average at {size} states, beyond what tuning on "
        f"exact G with the same inputs loses; more than 10 are {cases}. At the mask, which heads read, the KL at "
        f"{largest} states is {at_mask[largest][0] / 100:.3f} nats; the mean over positions is "
        f"{divergences[largest][0] / 100:.3f}."
    )


def _margins(cells: Sequence[Json]) -> str:
    """How much of the distribution is right by theorem."""
    parts = []
    for head in ("3.3", "tuned on exact G", "tuned on the network"):
        keys = ("margins", head, "right by theorem")
        values = by_size(cells, "transfer", "vanilla", *keys)
        [slow] = by_size(cells, "learned", "slow", *keys).values()
        parts.append(f"{head} {', '.join(f'{np.mean(right):.1f}' for right in (*values.values(), slow))}%")
    sizes, seeds = ", ".join(map(str, values)), max(map(len, values.values()))
    return (
        f"By the error of a network, a head must be right on this share of the inputs, at {sizes} states (seeds: "
        f"{seeds}) and on slow models (seeds: {len(slow)}): {'; '.join(parts)}."
    )


def _transfer(cells: Sequence[Json]) -> str:
    """What becomes of prompts on a chain that moved."""
    columns = {column: by_row(cells, "transfer", column) for column in TRANSFER}
    distance = sorted(columns["3.6"])[1]
    parts = ", ".join(f"{np.mean(values[distance]):.1f}% ({column})" for column, values in columns.items())
    models = len(columns["3.6"][distance])
    return f"On chains that moved by {distance:g} in total variation (models: {models}), accuracies are {parts}."


def _theorems(cells: Sequence[Json]) -> str:
    """The constructions hold where their assumption does."""
    counts = []
    for theorem, classifier in (("3.3", "head"), ("3.6", "prompt")):
        correct = shares(cells, "exact", "vanilla", "constructed", theorem, "identity").values()
        counts.append(f"the {classifier} of {theorem} in {round(sum(correct) / 100)} of {len(correct)} models")
    models = len(shares(cells, "exact", "vanilla", *HEAD))
    return f"The constructions hold where their assumption does: {', '.join(counts)} of {models}."


def _laws(cells: Sequence[Json]) -> str:
    """How far tuned prompts are from the mechanism of 3.6."""
    prompt, plain = (
        [cell["mechanism"][key] for cell in cells if "mechanism" in cell] for key in (PROMPT[1], "no prompt")
    )
    first, nearest, without = (
        [fit[key] for fit in fits] for fits, key in ((prompt, "from P[H_1]"), (prompt, "nearest"), (plain, "nearest"))
    )
    return (
        f"Behind a tuned prompt the nearest law of the masked state is {min(nearest):.2f} to {max(nearest):.2f} nats "
        f"from a network's outputs, {np.median(nearest):.2f} in the median of {len(prompt)} networks, by the best of "
        f"{prompt[0]['starts']} starts; one start had {np.median(first):.2f}. Without a prompt: "
        f"{np.median(without):.3f}."
    )


def _percent(values: Sequence[float]) -> str:
    return f"{np.mean(values):.1f}% (seeds: {len(values)})"


def _tables(cells: Sequence[Json]) -> Iterator[str]:
    """Yield a table for each source and kind: all numbers of its cells, as they stand there, over sizes."""
    for source, kind in product(SOURCES, KINDS):
        rows: defaultdict[str, defaultdict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
        for cell in cells:
            if (cell["source"], cell["kind"]) == (source, kind):
                for name, number in _numbers({key: entry for key, entry in cell.items() if key not in OMITTED}):
                    rows[name][cell["size"]].append(number)
        if rows:
            sizes = sorted(rows.pop("size"))
            yield f"## {source.capitalize()}, {kind}\n"
            yield f"| | {' | '.join(map(str, sizes))} |"
            yield "|" + " --- |" * (len(sizes) + 1)
            for name, numbers in rows.items():
                yield f"| {name} | {' | '.join(_mean(numbers[size]) for size in sizes)} |"
            yield ""


def _numbers(entry: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """Yield all numbers below an entry of a cell with the keys that lead to them."""
    if isinstance(entry, dict):
        for key, value in entry.items():
            yield from _numbers(value, f"{name}: {key}" if name else key)
    elif isinstance(entry, int | float) and name != "seed":
        yield name, float(entry)


def _mean(values: Sequence[float]) -> str:
    """Write a mean with half of its interval and the number of seeds; a dash where there is none."""
    if not values:
        return "–"
    mean, half = interval(values)
    return f"{mean:.4g}" + f" ± {half:.2g}" * (len(values) > 2) + f" ({len(values)})"
