"""What the cells of Figure 3 say, as tables in Markdown: one for each question, each with its number of trials."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np
from scipy.stats import spearmanr

from learned.attention import NEARLY
from learned.cells import HIDDEN, Json
from learned.figures import COMPUTED, PAPER_LEFT, interval, provenance
from learned.tune import FEATURES

Value = Callable[[Json], float | None]

NAMES = {"nats from it": "KL(Gbar, Ghat), nats x 1000"}


def summary(cells: Sequence[Json], preset: str) -> str:
    """Return the whole page."""
    made = provenance(cells, preset)
    versions = ", ".join(f"{name} {number}" for name, number in made["versions"].items())
    parts = [
        f"# Figure 3, preset {preset}: the numbers\n",
        f"Made by `{made['command']}` ({versions}; {made['machine']}). Exact G: {made['seeds']['exact']}; "
        f"learned LM: {made['seeds']['learned']}. Test accuracies in percent: mean ± half of a 95% interval (trials). "
        "Another seed is another model and another task.\n",
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


def _of(cells: Sequence[Json], source: str, kind: str, size: int | None = None) -> list[Json]:
    return [c for c in cells if (c["source"], c["kind"]) == (source, kind) and size in (None, c["size"])]


def _sizes(cells: Sequence[Json], kind: str) -> list[int]:
    return sorted({cell["size"] for cell in cells if cell["kind"] == kind})


def _values(cells: Sequence[Json], value: Value) -> list[float]:
    return [found for cell in cells if (found := value(cell)) is not None]


def _mean(cells: Sequence[Json], value: Value, factor: float = 100.0) -> str:
    """The mean of what the cells have of a quantity."""
    values = [factor * found for found in _values(cells, value)]
    if not values:
        return "–"
    mean, half = interval(values)
    return f"{mean:.1f}" + (f" ± {half:.1f}" if len(values) > 2 else "") + f" ({len(values)})"


def _row(name: str, cells: Sequence[Json], source: str, kind: str, value: Value, factor: float = 100.0) -> list[str]:
    return [name, *(_mean(_of(cells, source, kind, size), value, factor) for size in _sizes(cells, kind))]


def _accuracies(cells: Sequence[Json]) -> list[str]:
    parts: list[str] = []
    for kind, methods in (("vanilla", ("head", "prompt")), ("memory", ("attention",))):
        sizes = _sizes(cells, kind)
        tuned = [
            (f"{source}: {method}, {features}", source, _at("accuracy", f"{method}, {features}"), 100.0)
            for source in COMPUTED
            for method in methods
            for features in FEATURES
        ]
        theirs = [
            (f"{source}: {name}, the paper's steps", source, _at("the paper's steps", name), 100.0)
            for source in COMPUTED
            for name in ("prompt, probabilities", "head, probabilities")
            if kind == "vanilla"
        ]
        means = [
            ("majority label", "exact", _at("majority"), 100.0),
            *tuned,
            *theirs,
            ("test inputs seen in training", "exact", _at("test inputs seen in training"), 100.0),
            ("KL(G, Ghat), nats x 1000", "learned", _at("divergence"), 1000.0),
            ("exact: processor seconds a cell", "exact", _at("processor seconds"), 1.0),
            ("learned: processor seconds a cell", "learned", _at("processor seconds"), 1.0),
        ]
        rows: list[list[object]] = [[*_row(name, cells, source, kind, value, by)] for name, source, value, by in means]
        for name, key in (("tasks redrawn", "redraws"), ("labels in doubt", "doubtful labels")):
            rows.append([name, *(sum(cell[key] for cell in _of(cells, "exact", kind, size)) for size in sizes)])
        names = sizes if kind == "vanilla" else [f"{size} x {HIDDEN}" for size in sizes]
        title = "Vanilla models, by hidden states" if kind == "vanilla" else "Memory models, by |M| x |H|"
        parts += _table(title, ["", *names], rows)
    return parts


def _at(*keys: str) -> Value:
    """Return the reader of a number that stands under these keys; None where there is none."""

    def value(cell: Json) -> float | None:
        found: Any = cell
        for key in keys:
            found = (found or {}).get(key)
        return None if found is None else float(found)

    return value


def _constructed(cells: Sequence[Json]) -> list[str]:
    rows: list[tuple[str, str, Value]] = [
        ("models where 3.1 holds", "exact", lambda cell: float("3.3" in cell["constructed"])),
        ("models where 3.5 holds", "exact", lambda cell: float("3.6" in cell["constructed"])),
    ]
    right = {
        "right on all inputs, by its identity": "identity",
        "on exact G, in integers": "exact",
        "on exact G, in float64": "float64",
    }
    for theorem, (name, key) in product(("3.3", "3.6"), right.items()):
        rows.append((f"{theorem}: {name}", "exact", _at("constructed", theorem, key)))
    rows.append(("3.3: on the learned LM, in float64", "learned", _at("constructed", "3.3", "learned")))
    for features in FEATURES:
        name = f"B-set prompt, tuned head, {features}"
        rows.append((f"exact: {name}", "exact", _at("constructed", name)))
    shown = [_row(name, cells, source, "vanilla", value) for name, source, value in rows]
    for key, source in product(("tokens", "states"), COMPUTED):
        name = f"{source}: angle of the tuned to the constructed head, degrees, {key}"
        shown.append(_row(name, cells, source, "vanilla", _at("angle to the constructed head", key), 1.0))
    return _table("Constructed heads and prompts, by hidden states", ["", *_sizes(cells, "vanilla")], shown)


def _shares(cells: Sequence[Json]) -> list[str]:
    """What is lost on exact G is tuning's share, the rest pretraining's: tuned with the same inputs."""
    rows = []
    for kind in ("vanilla", "memory"):
        for size in _sizes(_of(cells, "learned", kind), kind):
            here = _of(cells, "learned", kind, size)
            for name in here[0]["accuracy"]:
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
        "sigma_min of W": _at("sigma_min of W"),
        "smallest margin": _at("margin", "smallest"),
        "median margin": _at("margin", "median"),
    }
    heads = {
        "Newton": _at("accuracy", "head, probabilities"),
        "paper": _at("recipes", "probabilities, the paper's steps"),
    }
    for size, (name, value) in product(_sizes(cells, "vanilla"), heads.items()):
        here = [cell for cell in _of(cells, "exact", "vanilla", size) if value(cell) is not None]
        if len(here) < 5:
            continue
        accuracies = _values(here, value)
        row: list[object] = [size, name, len(here)]
        for measure in measures.values():
            values = _values(here, measure)
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
    rows = []
    for source in COMPUTED:
        for name in dict.fromkeys(name for cell in studied if cell["source"] == source for name in cell["recipes"]):
            rows.append(_row(f"{source}: {name}", studied, source, "vanilla", _at("recipes", name)))
    if rows:
        rows.append(["the paper's figure", *(str(PAPER_LEFT["head"].get(size, "–")) for size in sizes)])
    table = _table("Ways of head tuning where 3.3 promises 100%, by hidden states", ["", *sizes], rows)
    return [*table, *_axes(studied)]


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
    """What prompts make of the law of the masked state; on a learned LM, of the law that fits its outputs best."""
    prompted = [cell for cell in cells if cell["kind"] == "vanilla" and "prompt, log-odds" in cell["accuracy"]]
    tuned = [f"prompt, {features}" for features in FEATURES]
    behind = {"exact": ["no prompt", "B-set prompt", *tuned], "learned": ["no prompt", *tuned]}
    measures = [
        *product((("mass on supp(mu)", 100.0), ("effective states", 1.0)), COMPUTED),
        (("nats from it", 1000.0), "learned"),
    ]
    rows = [
        _row(f"{source}: {NAMES.get(key, key)}: {name}", prompted, source, "vanilla", _law(name, key), factor)
        for (key, factor), source in measures
        for name in behind[source]
    ]
    title = "The law of the masked state behind a prompt: mass on supp(mu) in percent, and effective states"
    return _table(title, ["", *_sizes(prompted, "vanilla")], rows)


def _law(name: str, key: str) -> Value:
    """Return the reader of a law: of a learned LM its own, which `law behind`, exact G's, does not stand in for."""

    def value(cell: Json) -> float | None:
        laws: Json = cell["law of the masked state"]
        if cell["source"] == "exact":
            laws = cell["law behind"] | laws
        found: float | None = laws.get(name, {}).get(key)
        return found

    return value


def _memory(cells: Sequence[Json]) -> list[str]:
    rows = []
    for size in _sizes(cells, "memory"):
        here = _of(cells, "exact", "memory", size)
        if not here:
            continue
        states = sorted({len(cell["in R"]["recoverable"]) for cell in here})
        nearly = [_mean(here, _at("in R", "nearly, any state", e)) for e in here[0]["in R"]["nearly, any state"]]
        rows.append([f"{size} x {HIDDEN}", ", ".join(map(str, states)), _mean(here, _at("in R", "exactly")), *nearly])
    head = ["model", "states in H*", "inputs in R", *(f"nearly, 1 - {e}" for e in NEARLY)]
    return _table("Memory models: on how many test inputs does theorem 4.3 speak?", head, rows)
