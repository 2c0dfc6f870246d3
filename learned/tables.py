"""What the cells of Figure 3 say: findings in sentences, and tables in Markdown, each with its number of seeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from learned.cells import KEYS_OF, KINDS, Json
from learned.figures import PAPER, by_labels, by_size, interval, provenance


def page(cells: Sequence[Json], preset: str) -> str:
    """Return the findings and all tables."""
    origin = provenance(cells, preset)
    versions = ", ".join(f"{name} {number}" for name, number in origin["versions"].items())
    seeds = ", ".join(f"{count} ({name})" for name, count in origin["seeds"].items())
    parts = [
        f"# Figure 3, preset {preset}: the numbers\n",
        f"Made by `{origin['command']}` with {versions}, {origin['machine']}. Seeds: {seeds}.",
        "Accuracies are shares of test inputs, divergences nats: mean ± half of a 95% interval (seeds).",
        "Another seed is another model and another task.\n",
        "## Findings\n",
        *(f"- {finding}" for finding in findings(cells)),
        "",
        *_tables(cells),
    ]
    return "\n".join(parts)


def findings(cells: Sequence[Json]) -> list[str]:
    """Return what the cells say, in sentences; those for which cells are missing are left out."""
    return [
        sentence
        for write in (_theorems, _lookup, _distant, _few_labels, _conditioning, _log_odds, _laws)
        for sentence in write(cells)
    ]


def _theorems(cells: Sequence[Json]) -> list[str]:
    exact = [cell["constructed"] for cell in cells if (cell["source"], cell["kind"]) == ("exact", "vanilla")]
    counts = []
    for theorem, classifier in (("3.3", "head"), ("3.6", "prompt")):
        built = [constructed[theorem] for constructed in exact if theorem in constructed]
        correct = sum(result["identity"] and result["exact"] == 1 for result in built)
        counts.append(f"the {classifier} of {theorem} in {correct} of {len(built)} models")
    return (
        [f"The constructions hold where their assumption does: {', '.join(counts)} of {len(exact)}."] if exact else []
    )


def _lookup(cells: Sequence[Json]) -> list[str]:
    keys = {
        "a prompt on a trained network": ("learned", "accuracy", "prompt, log-odds"),
        "a lookup of the longest prefix seen, without any network,": ("learned", "lookup"),
        "a prompt on an untrained network": ("untrained", "accuracy", "prompt, log-odds"),
    }
    points = {name: by_size(cells, source, "vanilla", path) for name, (source, *path) in keys.items()}
    size = max(set.intersection(*(set(values) for values in points.values())), default=None)
    if size is None:
        return []
    parts = ", ".join(f"{name} has {_percent(values[size])}" for name, values in points.items())
    decided = by_size(cells, "learned", "vanilla", ["decided by five tokens"])
    return [
        "Figure 3 hardly tests a language model: five tokens decide "
        f"{min(map(np.mean, decided.values())):.1f}% of the labels or more at every size. At {size} states {parts}; "
        f"the paper's prompt has {PAPER['prompt'][size]}%."
    ]


def _distant(cells: Sequence[Json]) -> list[str]:
    keys = {
        "a lookup has": ("exact", "lookup"),
        "counts of tokens have": ("exact", "counts"),
        "a head on an untrained network has": ("untrained", "accuracy", "head, log-odds"),
        "a head on a trained network has": ("learned", "accuracy", "head, log-odds"),
        "a head on exact G has": ("exact", "accuracy", "head, log-odds"),
    }
    points = {name: by_size(cells, source, "slow", path) for name, (source, *path) in keys.items()}
    size = max(points["a lookup has"], default=None)
    if size is None:
        return []
    parts = ", ".join(f"{name} {_percent(values[size])}" for name, values in points.items() if size in values)
    decided = by_size(cells, "exact", "slow", ["decided by thirty tokens"])[size]
    text = (
        f"Where {100 - np.mean(decided):.1f}% of the labels change beyond token 30 (slow models, {size} states), "
        f"a language model is needed: {parts}."
    )
    learned = [cell for cell in cells if (cell["source"], cell["kind"], cell["size"]) == ("learned", "slow", size)]
    if learned:
        proved = [100 * cell["constructed"]["3.3"]["right by theorem"] for cell in learned]
        text += (
            f" The trained networks are {np.mean([cell['divergence'] for cell in learned]):.3f} nats from G, "
            f"and by their error the head of 3.3 must be right on {np.mean(proved):.1f}% of the inputs."
        )
    return [text]


def _few_labels(cells: Sequence[Json]) -> list[str]:
    size = max((cell["size"] for cell in cells if len(cell.get("accuracy by labels", ())) > 1), default=None)
    if size is None:
        return []
    methods = {
        "a prompt on a trained network": "learned: prompt, log-odds",
        "one on an untrained": "untrained: prompt, log-odds",
        "one on exact G": "exact: prompt, log-odds",
        "a lookup": "lookup",
    }
    curves = {name: by_labels(cells, size, method) for name, method in methods.items()}
    counts = list(curves["a lookup"])
    parts = [
        f"with {count} " + ", ".join(f"{name} {np.mean(curve[count]):.1f}%" for name, curve in curves.items())
        for count in (counts[0], counts[1], counts[-1])
    ]
    seeds = len(curves["a lookup"][counts[0]])
    return [f"By number of labels, at {size} states (seeds: {seeds}): {'; '.join(parts)}."]


def _conditioning(cells: Sequence[Json]) -> list[str]:
    names = {
        "the paper's steps": "probabilities, the paper's steps",
        "the same steps on whitened features": "probabilities, the paper's steps, whitened",
        "Newton's method": "probabilities, Newton",
    }
    points = {name: by_size(cells, "exact", "vanilla", ("recipes", key)) for name, key in names.items()}
    if not (size := max(points["Newton's method"], default=0)):
        return []
    parts = ", ".join(f"{name} reach {np.mean(values[size]):.1f}%" for name, values in points.items())
    gap = float(np.mean(points["the paper's steps"][size])) - PAPER["head"][size]
    return [
        f"Heads at {size} states on exact G: {parts}. What the paper's steps lose there is conditioning. "
        f"Its figure has {PAPER['head'][size]}%: {gap:.1f} points more, which nothing here explains."
    ]


def _log_odds(cells: Sequence[Json]) -> list[str]:
    name, losses = "head, log-odds", dict[tuple[int, int], float]()
    for cell in cells:
        if (cell["source"], cell["kind"]) == ("learned", "vanilla"):
            losses[cell["size"], cell["seed"]] = 100 * (cell["on exact G"][name] - cell["accuracy"][name])
    if not losses:
        return []
    means = {size: np.mean([loss for (n, _), loss in losses.items() if n == size]) for size, _ in losses}
    size, worst = max(means, key=lambda n: means[n]), sorted(losses, key=lambda key: -losses[key])
    second = next((key for key in worst if key[0] != worst[0][0]), worst[0])
    cases = " and ".join(f"{losses[n, seed]:.1f} at {n} states, seed {seed}" for n, seed in (worst[0], second))
    return [
        "Heads on log-odds lose most to pretraining, beyond what tuning on exact G with the same inputs loses: "
        f"{means[size]:.1f} points on average at {size} states; {cases}."
    ]


def _laws(cells: Sequence[Json]) -> list[str]:
    mechanisms = [cell["mechanism"] for cell in cells if cell["source"] == "labels"]
    if not mechanisms:
        return []
    fits = [mechanism["prompt, log-odds"] for mechanism in mechanisms]
    first, nearest = ([fit[key] for fit in fits] for key in ("from P[H_1]", "nearest"))
    plain = [mechanism["no prompt"]["nearest"] for mechanism in mechanisms]
    return [
        f"Behind a tuned prompt the nearest law of the masked state is {min(nearest):.2f} to {max(nearest):.2f} nats "
        f"from a network's outputs, {np.median(nearest):.2f} in the median of {len(fits)} networks, by the best of "
        f"{fits[0]['starts']} starts; one start had {np.median(first):.2f}. Without a prompt: {np.median(plain):.3f}."
    ]


def _percent(shares: Sequence[float]) -> str:
    return f"{np.mean(shares):.1f}% (seeds: {len(shares)})"


def _tables(cells: Sequence[Json]) -> Iterator[str]:
    """Yield a table for each source and kind: all numbers of its cells, as they stand there, over sizes."""
    for source, kind in product(KEYS_OF, KINDS):
        chosen = [cell for cell in cells if (cell["source"], cell["kind"]) == (source, kind)]
        rows: dict[str, dict[int, list[float]]] = {}
        for cell in chosen:
            for name, number in _numbers(cell):
                rows.setdefault(name, {}).setdefault(cell["size"], []).append(number)
        if not chosen:
            continue
        sizes = sorted({cell["size"] for cell in chosen})
        yield f"## {source.capitalize()}, {kind}\n"
        yield f"| | {' | '.join(map(str, sizes))} |"
        yield "|" + " --- |" * (len(sizes) + 1)
        for name, numbers in rows.items():
            yield f"| {name} | {' | '.join(_mean(numbers.get(size, [])) for size in sizes)} |"
        yield ""


def _numbers(entry: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """Yield all numbers below an entry of a cell with the keys that lead to them."""
    if isinstance(entry, dict):
        for key, value in entry.items():
            if key not in ("source", "kind", "size", "seed"):
                yield from _numbers(value, f"{name}: {key}" if name else key)
    elif isinstance(entry, int | float):
        yield name, float(entry)


def _mean(values: Sequence[float]) -> str:
    """Write a mean with half of its interval and the number of seeds."""
    if not values:
        return "–"
    mean, half = interval(values)
    return f"{mean:.4g}" + f" ± {half:.2g}" * (len(values) > 2) + f" ({len(values)})"
