"""The results of the cells of Figure 3: findings in sentences, and tables in Markdown, with numbers of seeds.

A cell is the JSON result for one model and task (`learned.cells`).

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib.metadata import version
from itertools import product
from pathlib import Path
from statistics import fmean, median

from constructions.system.writing import put
from learned.cells import KINDS, SOURCES
from learned.figures import HEADS, PAPER, TRANSFER, Table, by_row, by_size, draw, draw_further, interval, tabulate
from learned.pretrain import Json

OMITTED = ("size", "seed", "recipes", "redraws", "doubtful labels", "test inputs seen in training", "processor seconds")
"""The keys of cells that tables leave out."""

HEAD, PROMPT = ("accuracy", "head, log-odds"), ("accuracy", "prompt, log-odds")


def write(cells: Sequence[Json], preset: str, folder: Path) -> list[Path]:
    """Write the figures as .svg and .png, the cells as .json, and findings and tables as .md; return their paths."""
    document, name = {"made by": provenance(cells, preset), "paper": PAPER, "cells": cells}, f"figure-3-{preset}"
    contents: Json = {f"{name}.json": json.dumps(document, indent=1) + "\n", f"{name}.md": page(cells, preset)}
    for part, figure in ((name, draw(cells)), (f"{name}-further", draw_further(cells))):
        for kind, options in (("svg", {"metadata": {"Date": None}}), ("png", {"dpi": 160})):
            contents[f"{part}.{kind}"] = partial(figure.savefig, format=kind, **options)
    return [put(folder / file, content) for file, content in contents.items()]


def provenance(cells: Sequence[Json], preset: str) -> Json:
    """Name the command, the versions and the kind of machine, and the number of seeds by source and kind."""
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
        "Another seed is another model and another task. Columns are states, of memory models joint ones.\n",
        "## Findings\n",
        *(f"- {finding}" for finding in findings(cells)),
        "",
        *_tables(tabulate(cells)),
    ])  # fmt: skip


def findings(cells: Sequence[Json]) -> list[str]:
    """Return the findings. A finding is left out if cells for it are missing."""
    table, sentences = tabulate(cells), []
    for write in (_lookup, _pretraining, _few_labels, _distant, _losses, _margins, _transfer, _theorems, _laws):
        with suppress(LookupError, ValueError):
            sentences.append(write(table))
    return sentences


def _lookup(table: Table) -> str:
    """Compare a lookup with a prompt on a trained network. Where the lookup does well, no language model is needed."""
    prompt, lookup, decided = (
        by_size(table["learned", "vanilla", *keys]) for keys in (PROMPT, ["lookup"], ["decided by five tokens"])
    )
    size = max(prompt.keys() & lookup)
    return (
        f"A lookup of the longest prefix seen in training, without any network, has {_percent(lookup[size])} at {size} "
        f"states, where a prompt on a trained network has {_percent(prompt[size])}: five tokens decide "
        f"{min(map(fmean, decided.values())):.1%} of the labels or more at every size."
    )


def _pretraining(table: Table) -> str:
    """Say what pretraining brings to a prompt, by size, on models that have both a trained and an untrained network."""
    trained, untrained = (table[source, "vanilla", *PROMPT] for source in ("learned", "untrained"))
    gains = by_size({key: 100 * trained[key] - 100 * untrained[key] for key in trained.keys() & untrained})
    largest = max(gains)
    over = 100 * fmean(by_size(untrained)[largest]) - PAPER["prompt"][largest]
    parts = ", ".join(f"{fmean(points):.1f} at {n} states (seeds: {len(points)})" for n, points in gains.items())
    return (
        f"Points that pretraining brings to a prompt, over the same network before its first step: {parts}. The "
        f"untrained one is {abs(over):.1f} points {'above' if over > 0 else 'below'} the paper's prompt at {largest} "
        f"states."
    )


def _few_labels(table: Table) -> str:
    """Say, for each number of labels, what pretraining brings to a prompt, and how far ahead a lookup is."""
    methods = ("learned: prompt, log-odds", "untrained: prompt, log-odds", "lookup")
    trained, untrained, lookup = (by_row(table, "accuracy by labels", method) for method in methods)
    models = table["labels", "vanilla", "accuracy by labels", f"{min(lookup):g}", "lookup"]
    places = " and ".join(map(str, sorted({n for n, _ in models})))
    gains = ", ".join(f"{100 * (fmean(trained[n]) - fmean(untrained[n])):.1f} with {n:g}" for n in lookup)
    ahead = ", ".join(f"{100 * (fmean(lookup[n]) - fmean(trained[n])):+.1f}" for n in lookup)
    return (
        f"The same points by number of labels, at {places} states (models: {len(models)}): {gains}. A "
        f"lookup is ahead of the trained network by {ahead}."
    )


def _distant(table: Table) -> str:
    """Compare heads where labels depend on distant tokens, on models that have a trained and an untrained network."""
    keys = (HEAD, ("on exact G", HEAD[1]), ["counts"], ["decided by thirty tokens"], ["divergence"])
    columns = [table["learned", "slow", *key] for key in keys] + [table["untrained", "slow", *HEAD]]
    models = set.intersection(*map(set, columns))
    [size] = {n for n, _ in models}
    trained, exact, counts, decided, divergence, untrained = (
        fmean(column[key] for key in models) for column in columns
    )
    return (
        f"Where {1 - decided:.1%} of the labels change beyond token 30 (slow models, {size} states, seeds: "
        f"{len(models)}), a head has {trained:.1%} on a trained network, {untrained:.1%} on an untrained one, "
        f"{counts:.1%} on counts of tokens, {exact:.1%} on exact G. The KL is {divergence:.3f} nats."
    )


def _losses(table: Table) -> str:
    """Say how many points heads on log-odds lose if they read a trained network instead of exact G.

    The sentence ends with the KL between G and the network's outputs: at the mask, where heads read, and on average
    over the positions.
    """
    exact, learned = (table["learned", "vanilla", key, HEAD[1]] for key in ("on exact G", "accuracy"))
    losses = {key: 100 * (exact[key] - learned[key]) for key in learned}
    mean, size = max((fmean(points), size) for size, points in by_size(losses).items())
    cases = ", ".join(f"{loss:.1f} at {n} states, seed {seed}" for (n, seed), loss in losses.items() if loss > 10)
    at_mask, divergences = (
        by_size(table["labels", "vanilla", key]) for key in ("divergence at the mask", "divergence")
    )
    largest = max(at_mask)
    return (
        f"Heads on log-odds lose {mean:.1f} points to pretraining on average at {size} states, beyond what tuning on "
        f"exact G with the same inputs loses; more than 10 are {cases or 'none'}. At the mask, which heads read, the "
        f"KL at {largest} states is {fmean(at_mask[largest]):.3f} nats; the mean over positions is "
        f"{fmean(divergences[largest]):.3f}."
    )


def _margins(table: Table) -> str:
    """Say on what share of the inputs a head is right on exact G and its margin is above the network's error."""
    parts = []
    for head in HEADS:
        keys = ("margins", head, "right by theorem")
        values = by_size(table["transfer", "vanilla", *keys])
        slow = table["learned", "slow", *keys].values()
        parts.append(f"{head} {', '.join(f'{100 * fmean(right):.1f}' for right in (*values.values(), slow))}%")
    sizes, seeds = ", ".join(map(str, values)), max(map(len, values.values()))
    return (
        f"By the error of a network, a head must be right on this share of the inputs, at {sizes} states (seeds: "
        f"{seeds}) and on slow models (seeds: {len(slow)}): {'; '.join(parts)}."
    )


def _transfer(table: Table) -> str:
    """Say how well prompts do on a chain whose transition has changed since they were tuned or constructed."""
    columns = {column: by_row(table, "transfer", column) for column in TRANSFER}
    distance = sorted(columns["3.6"])[1]
    parts = ", ".join(f"{fmean(values[distance]):.1%} ({column})" for column, values in columns.items())
    models = len(columns["3.6"][distance])
    return f"On chains that moved by {distance:g} in total variation (models: {models}), accuracies are {parts}."


def _theorems(table: Table) -> str:
    """Count, for 3.3 and 3.6, the models on which the construction applies.

    Of these models, count those on which the scores of its head are those of F* on every input.
    """
    counts = []
    for theorem, classifier in (("3.3", "head"), ("3.6", "prompt")):
        correct = table["exact", "vanilla", "constructed", theorem, "identity"].values()
        counts.append(f"the {classifier} of {theorem} in {sum(correct):.0f} of {len(correct)} models")
    if not (models := len(table["exact", "vanilla", *HEAD])):
        raise LookupError("no models")
    return f"The constructions hold where their assumption does: {', '.join(counts)} of {models}."


def _laws(table: Table) -> str:
    """Say how near a network's outputs are to normalised W(c o beta(x)), behind a tuned prompt and without a prompt.

    Here c is the law of the masked position's state for which W(c o beta(x)) diverges least, on average, from the
    network's outputs (`learned.controls.nearest_laws`).
    """
    nearest, first, starts, without = (
        table["labels", "vanilla", "mechanism", *key].values()
        for key in (*product([PROMPT[1]], ("nearest", "from P[H_1]", "starts")), ("no prompt", "nearest"))
    )
    return (
        f"Behind a tuned prompt the nearest law of the masked state is {min(nearest):.2f} to {max(nearest):.2f} nats "
        f"from a network's outputs, {median(nearest):.2f} in the median of {len(nearest)} networks, by the best of "
        f"{min(starts):.0f} starts; one start had {median(first):.2f}. Without a prompt: {median(without):.3f}."
    )


def _percent(values: Sequence[float]) -> str:
    return f"{fmean(values):.1%} (seeds: {len(values)})"


def _tables(table: Table) -> Iterator[str]:
    """Yield the lines of a table for each source and kind: a row for each key but `OMITTED`, a column for each size."""
    for source, kind in product(SOURCES, KINDS):
        rows = {
            ": ".join(keys[2:]): by_size(numbers)
            for keys, numbers in table.items()
            if keys[:2] == (source, kind) and keys[2] not in OMITTED
        }
        if rows:
            sizes = sorted(set().union(*rows.values()))
            yield f"## {source.capitalize()}, {kind}\n"
            yield f"| | {' | '.join(map(str, sizes))} |"
            yield "|" + " --- |" * (len(sizes) + 1)
            for name, numbers in rows.items():
                yield f"| {name} | {' | '.join(_mean(numbers.get(size, ())) for size in sizes)} |"
            yield ""


def _mean(values: Sequence[float]) -> str:
    """Write a mean with the number of seeds, and for three or more with half the width of its interval.

    Without values, write a dash.
    """
    if not values:
        return "–"
    mean, half = interval(values)
    return f"{mean:.4g}" + f" ± {half:.2g}" * (len(values) > 2) + f" ({len(values)})"
