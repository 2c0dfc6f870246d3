"""What the cells of Figure 3 say, as tables in Markdown: one for each question, each with its number of trials."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np
from scipy.stats import spearmanr

from learned.attention import NEARLY
from learned.cells import HIDDEN, Json
from learned.figures import COMPUTED, PAPER_LEFT, Value, at, by_size, interval, provenance
from learned.tune import FEATURES

Row = tuple[str, str, Value, float]
"""A row of a table by sizes: its name; of which source what is shown, and how many times that."""

NAMES = {"nats from it": "KL(Gbar, Ghat), nats x 1000"}


def summary(cells: Sequence[Json], preset: str) -> str:
    """Return the whole page."""
    origin = provenance(cells, preset)
    versions = ", ".join(f"{name} {number}" for name, number in origin["versions"].items())
    parts = [
        f"# Figure 3, preset {preset}: the numbers\n",
        f"Made by `{origin['command']}` ({versions}; {origin['machine']}). Exact G: {origin['seeds']['exact']}; "
        f"learned LM: {origin['seeds']['learned']}. Test accuracies in percent: mean ± half of a 95% interval "
        "(trials). Another seed is another model and another task.\n",
        *_accuracies(cells),
        *_constructed(cells),
        *_shares(cells),
        *_prediction(cells),
        *_recipes(cells),
        *_laws(cells),
        *_memory(cells),
    ]
    return "\n".join(parts)


def _table(title: str, head: Sequence[object], rows: Iterable[Sequence[object]]) -> list[str]:
    """A heading and a table, or nothing where there is no row."""
    lines = [f"| {' | '.join(map(str, row))} |" for row in rows]
    if not lines:
        return []
    return [f"## {title}\n", f"| {' | '.join(map(str, head))} |", "|" + " --- |" * len(head), *lines, ""]


def _of(cells: Sequence[Json], source: str, kind: str, size: int) -> list[Json]:
    return [cell for cell in cells if (cell["source"], cell["kind"], cell["size"]) == (source, kind, size)]


def _sizes(cells: Sequence[Json], kind: str) -> list[int]:
    return sorted({cell["size"] for cell in cells if cell["kind"] == kind})


def _mean(values: Sequence[float], factor: float = 100.0) -> str:
    """The mean of what there is of a quantity."""
    if not values:
        return "–"
    mean, half = interval([factor * value for value in values])
    return f"{mean:.1f}" + (f" ± {half:.1f}" if len(values) > 2 else "") + f" ({len(values)})"


def _by_sizes(
    title: str,
    cells: Sequence[Json],
    rows: Iterable[Row],
    further: Iterable[Sequence[object]] = (),
    kind: str = "vanilla",
) -> list[str]:
    """A table of means whose columns are the sizes of a kind of model, and `further` rows below them."""
    sizes, means = _sizes(cells, kind), list[Sequence[object]]()
    for name, source, value, factor in rows:
        values = by_size(cells, source, kind, value)
        means.append([name, *(_mean(values.get(size, []), factor) for size in sizes)])
    states = f" x {HIDDEN}" if kind == "memory" else ""
    return _table(title, ["", *(f"{size}{states}" for size in sizes)], [*means, *further])


def _accuracies(cells: Sequence[Json]) -> list[str]:
    parts: list[str] = []
    for kind, methods, title in (
        ("vanilla", ("head", "prompt"), "Vanilla models, by hidden states"),
        ("memory", ("attention",), "Memory models, by |M| x |H|"),
    ):
        tuned = [("accuracy", f"{method}, {features}", "") for method in methods for features in FEATURES]
        theirs = [
            ("the paper's steps", f"{method}, probabilities", ", the paper's steps") for method in ("prompt", "head")
        ]
        means: list[Row] = [
            ("majority label", "exact", at("majority"), 100.0),
            *(
                (f"{source}: {name}{way}", source, at(key, name), 100.0)
                for several in (tuned, theirs if kind == "vanilla" else [])
                for source, (key, name, way) in product(COMPUTED, several)
            ),
            ("test inputs seen in training", "exact", at("test inputs seen in training"), 100.0),
            ("KL(G, Ghat), nats x 1000", "learned", at("divergence"), 1000.0),
            *((f"{source}: processor seconds a cell", source, at("processor seconds"), 1.0) for source in COMPUTED),
        ]
        sums = [
            [name, *(sum(cell[key] for cell in _of(cells, "exact", kind, size)) for size in _sizes(cells, kind))]
            for name, key in (("tasks redrawn", "redraws"), ("labels in doubt", "doubtful labels"))
        ]
        parts += _by_sizes(title, cells, means, sums, kind)
    return parts


def _constructed(cells: Sequence[Json]) -> list[str]:
    rows: list[Row] = [
        ("models where 3.1 holds", "exact", lambda cell: float("3.3" in cell["constructed"]), 100.0),
        ("models where 3.5 holds", "exact", lambda cell: float("3.6" in cell["constructed"]), 100.0),
    ]
    right = {
        "right on all inputs, by its identity": "identity",
        "on exact G, in integers": "exact",
        "on exact G, in float64": "float64",
    }
    for theorem, (name, key) in product(("3.3", "3.6"), right.items()):
        rows.append((f"{theorem}: {name}", "exact", at("constructed", theorem, key), 100.0))
    rows.append(("3.3: on the learned LM, in float64", "learned", at("constructed", "3.3", "learned"), 100.0))
    for features in FEATURES:
        name = f"B-set prompt, tuned head, {features}"
        rows.append((f"exact: {name}", "exact", at("constructed", name), 100.0))
    for key, source in product(("tokens", "states"), COMPUTED):
        name = f"{source}: angle of the tuned to the constructed head, degrees, {key}"
        rows.append((name, source, at("angle to the constructed head", key), 1.0))
    return _by_sizes("Constructed heads and prompts, by hidden states", cells, rows)


def _shares(cells: Sequence[Json]) -> list[str]:
    """What is lost on exact G is tuning's share, the rest pretraining's: tuned with the same inputs."""
    rows = []
    for kind in ("vanilla", "memory"):
        for size in _sizes(cells, kind):
            here = _of(cells, "learned", kind, size)
            for name in here[0]["accuracy"] if here else ():
                tuning = [100 * (1 - cell["on exact G"][name]) for cell in here]
                rest = [100 * (cell["on exact G"][name] - cell["accuracy"][name]) for cell in here]
                rows.append([kind, size, name, f"{np.mean(tuning):.1f}", f"{np.mean(rest):.1f}", len(here)])
    return _table(
        "Points lost: tuning's share and pretraining's", ["", "size", "", "tuning", "pretraining", "seeds"], rows
    )


def _prediction(cells: Sequence[Json]) -> list[str]:
    """Do sigma_min of W, or the margins of the task, predict the accuracy over seeds?"""
    rows = []
    measures = {
        "sigma_min of W": at("sigma_min of W"),
        "smallest margin": at("margin", "smallest"),
        "median margin": at("margin", "median"),
    }
    heads = {
        "Newton": at("accuracy", "head, probabilities"),
        "paper": at("recipes", "probabilities, the paper's steps"),
    }
    for size, (name, value) in product(_sizes(cells, "vanilla"), heads.items()):
        here = [cell for cell in cells if value(cell) is not None]
        accuracies = by_size(here, "exact", "vanilla", value).get(size, [])
        if len(accuracies) < 5:
            continue
        row: list[object] = [size, name, len(accuracies)]
        for measure in measures.values():
            values = by_size(here, "exact", "vanilla", measure)[size]
            if len(set(accuracies)) == 1:
                row += [f"{np.median(values):.1e}", "all alike"]
                continue
            rank = spearmanr(values, accuracies)
            row += [f"{np.median(values):.1e}", f"{rank.statistic:+.2f} (p = {rank.pvalue:.3f})"]
        rows.append(row)
    head = ["states", "steps", "seeds", *(text for name in measures for text in (f"median {name}", "rank correlation"))]
    return _table("Do conditioning and margins predict the tuned head's accuracy? (exact G, probabilities)", head, rows)


def _recipes(cells: Sequence[Json]) -> list[str]:
    studied = [cell for cell in cells if "recipes" in cell]
    sizes = _sizes(studied, "vanilla")
    rows: list[Row] = [
        (f"{source}: {name}", source, at("recipes", name), 100.0)
        for source in COMPUTED
        for name in dict.fromkeys(name for cell in studied if cell["source"] == source for name in cell["recipes"])
    ]
    paper = [["the paper's figure", *(PAPER_LEFT["head"].get(size, "–") for size in sizes)]] if rows else []
    title = "Ways of head tuning where 3.3 promises 100%, by hidden states"
    return [*_by_sizes(title, studied, rows, paper), *_axes(studied)]


def _axes(studied: Sequence[Json]) -> list[str]:
    """Where the features vary at all: on exact G in n - 1 directions, the last of them hardly."""
    rows = []
    for size in _sizes(studied, "vanilla"):
        for source in COMPUTED:
            here = _of(studied, source, "vanilla", size)
            for features in FEATURES if here else ():
                medians = np.median([cell["axes"][features] for cell in here], axis=0)
                rows.append([size, source, features, len(here), *(f"{value:.0e}" for value in medians)])
    head = ["states", "", "features", "seeds", *(f"axis {i + 1}" for i in range(len(rows[0]) - 4))] if rows else []
    return _table("Deviations of the features along their principal axes, medians over seeds", head, rows)


def _laws(cells: Sequence[Json]) -> list[str]:
    """What prompts make of the law of the masked state; on a learned LM, of the law that fits its outputs best.

    There `law behind`, exact G's, does not stand in for its own.
    """
    prompted = [cell for cell in cells if cell["kind"] == "vanilla" and "prompt, log-odds" in cell["accuracy"]]
    by_outputs, exact = "law of the masked state", "law behind"
    tuned = {f"prompt, {features}": by_outputs for features in FEATURES}
    laws = {"exact": {"no prompt": exact, "B-set prompt": exact} | tuned, "learned": {"no prompt": by_outputs} | tuned}
    measures = [
        *product((("mass on supp(mu)", 100.0), ("effective states", 1.0)), COMPUTED),
        (("nats from it", 1000.0), "learned"),
    ]
    rows: list[Row] = [
        (f"{source}: {NAMES.get(key, key)}: {name}", source, at(law, name, key), factor)
        for (key, factor), source in measures
        for name, law in laws[source].items()
    ]
    title = "The law of the masked state behind a prompt: mass on supp(mu) in percent, and effective states"
    return _by_sizes(title, prompted, rows)


def _memory(cells: Sequence[Json]) -> list[str]:
    rows = []
    for size in _sizes(cells, "memory"):
        here = _of(cells, "exact", "memory", size)
        if not here:
            continue
        states = sorted({len(cell["in R"]["recoverable"]) for cell in here})
        exactly = [share for cell in here if (share := cell["in R"]["exactly"]) is not None]
        nearly = [[cell["in R"]["nearly, any state"][e] for cell in here] for e in here[0]["in R"]["nearly, any state"]]
        rows.append([f"{size} x {HIDDEN}", ", ".join(map(str, states)), *map(_mean, (exactly, *nearly))])
    head = ["model", "states in H*", "inputs in R", *(f"nearly, 1 - {e}" for e in NEARLY)]
    return _table("Memory models: on how many test inputs does theorem 4.3 speak?", head, rows)
