import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from libraries import required

required("torch", "transformers", "matplotlib")

from learned import cells, figures, tables  # noqa: E402
from learned.cells import PLANS, Cell  # noqa: E402
from learned.pretrain import PRESETS  # noqa: E402
from verify.commands import learn  # noqa: E402

ROOT = Path(__file__).parents[2]
HEADS = ("3.3", "tuned on exact G", "tuned on the network")
FEATURES = ("probabilities", "log-odds")
COMMITTED: dict[str, Any] = json.loads((ROOT / "results" / "figure-3-cpu.json").read_text(encoding="utf-8"))


def made_up(source: str, kind: str, size: int, seed: int, share: float) -> dict[str, Any]:
    """Return a made-up cell with the keys that `figures` and `tables` read. Accuracies are `share`, or near it."""
    methods = ("attention",) if kind == "memory" else ("head", "prompt")
    shares = {f"{method}, {features}": share for method in methods for features in FEATURES}
    fit = {"from P[H_1]": 1.0, "nearest": 0.25 + 0.1 * seed, "starts": 31}
    pairs = [[0.1, 0.2], [0.3, 0.01 + seed]]
    cell: dict[str, Any] = {
        "source": source,
        "kind": kind,
        "size": size,
        "seed": seed,
        "majority": 0.6,
        "processor seconds": 1.5,
        "lookup": 0.55,
        "decided by five tokens": 0.97,
        "accuracy": shares,
        "divergence": 0.01,
        "divergence at the mask": 0.02,
    }
    if source == "labels":
        row = {f"{name}: {way}, log-odds": share for name in ("exact", "learned") for way in methods}
        rows = {
            str(n): row | dict.fromkeys(("lookup", "untrained: prompt, log-odds"), share - 0.01 * i) | {"majority": 0.5}
            for i, n in enumerate((30, 100))
        }
        mechanism = {"no prompt": {**fit, "nearest": 0.001}, "prompt, log-odds": fit}
        return cell | {"accuracy": {}, "accuracy by labels": rows, "mechanism": mechanism}
    if source == "transfer":
        margins = {head: {"right by theorem": 0.2 * i, "radii and errors": pairs} for i, head in enumerate(HEADS)}
        rows = {d: {name: share - float(d) - 0.1 * i for i, name in enumerate(figures.TRANSFER)} for d in ("0", "0.2")}
        return cell | {"accuracy": {}, "margins": margins, "transfer": rows}
    if source == "learned":
        cell["on exact G"] = dict.fromkeys(shares, share + 0.2)
    if kind == "vanilla" and source != "untrained":
        cell["the paper's steps"] = {name: share - 0.1 for name in shares if "probabilities" in name}
        cell["constructed"] = {"3.3": {"identity": True}} if source == "learned" else {}
    return cell


@pytest.fixture
def everything() -> list[dict[str, Any]]:
    return [
        made_up(source, kind, size, seed, 0.9 + 0.01 * seed - 0.2 * (source == "learned"))
        for source, kinds in cells.SOURCES.items()
        for kind, sizes in (("vanilla", (4, 8)), ("memory", (2,)))
        for size in sizes
        for seed in range(3)
        if kind in kinds
    ]


def curves(ax: Any) -> dict[str, dict[float, Any]]:
    """Return for each name in the legend of a panel the points of its line, as {x: y}."""
    handles, names = ax.get_legend_handles_labels()
    lines = [handle if hasattr(handle, "get_data") else handle.lines[0] for handle in handles]
    return {name: dict(zip(*line.get_data(), strict=True)) for name, line in zip(names, lines, strict=True)}


def test_an_interval_is_student_s() -> None:
    mean, half = figures.interval([1.0, 2.0, 3.0])
    assert mean == 2
    assert half == pytest.approx(4.302652729911275 / 3**0.5)
    assert figures.interval([5.0]) == (5.0, 0.0)


def test_what_made_a_figure_is_a_command_and_seeds(everything: list[dict[str, Any]]) -> None:
    origin = tables.provenance([*everything, made_up("learned", "memory", 2, 4, 1.0)], "smoke")
    assert origin["command"] == "headproof learn figure --preset smoke --out DIR"
    assert origin["seeds"] == {
        "exact, vanilla": 3, "exact, memory": 3, "learned, vanilla": 3, "learned, memory": 4,
        "untrained, vanilla": 3, "labels, vanilla": 3, "transfer, vanilla": 3,
    }  # fmt: skip


def test_every_curve_is_drawn_through_its_own_numbers(everything: list[dict[str, Any]]) -> None:
    for at, cell in enumerate(everything):
        cell |= {"majority": 0.5 + 0.001 * at, "lookup": 0.45 + 0.001 * at}
        for key in ("accuracy", "the paper's steps"):
            cell[key] = {name: 0.6 + 0.001 * at + 0.05 * i for i, name in enumerate(cell.get(key, {}))}

    def gathered(source: str, kind: str, *keys: str) -> dict[int, Any]:
        points = figures.by_size(figures.tabulate(everything)[source, kind, *keys])
        return {size: pytest.approx(100 * np.mean(values)) for size, values in points.items()}

    panels = dict(zip(figures.PANELS, map(curves, figures.draw(everything).axes), strict=True))
    for title, (where, features, methods) in figures.PANELS.items():
        kind = "memory" if title == "memory HMMs" else "vanilla"
        for method in methods:
            name = f"{method.strip()}, {features}"
            drawn = panels[title]
            assert drawn[f"{method.strip()}, the paper"] == pytest.approx(figures.PAPER[method])
            for label, source in (("exact G", "exact"), ("trained network", "learned")):
                expected = gathered(source, kind, where, name)
                expected = {n: mean for n, mean in expected.items() if n in figures.PAPER[methods[0]]}
                assert drawn[f"{method.strip()}, {label}"] == expected
        majority = gathered("exact", kind, "majority")
        assert panels[title]["majority label"] == {n: majority[n] for n in figures.PAPER[methods[0]] if n in majority}
    both, log_odds, *others = panels.values()
    assert both["lookup"] == log_odds["lookup"] == gathered("learned", "vanilla", "lookup")
    assert log_odds["untrained network"] == gathered("untrained", "vanilla", "accuracy", "prompt, log-odds")
    assert not any("lookup" in panel for panel in others)


def test_the_second_figure_has_each_way_over_the_numbers_of_labels_margins_and_chains_that_moved(
    everything: list[dict[str, Any]],
) -> None:
    labels, margins, moved = figures.draw_further(everything).axes
    drawn = curves(labels)
    assert drawn.pop("majority label") == {30: 50, 100: 50}
    for falling in ("lookup", "untrained network"):
        assert drawn.pop(falling) == {30: pytest.approx(91), 100: pytest.approx(90)}
    assert list(drawn.values()) == [{30: pytest.approx(91), 100: pytest.approx(91)}] * 3
    points = [line.get_xydata().tolist() for line in margins.get_lines() if len(line.get_xdata())]
    assert sum(pairs == [[0.1, 0.2], [0.3, 2.01]] for pairs in points) == 6  # two sizes, three heads
    drawn = curves(moved)
    for i, name in enumerate(figures.TRANSFER.values()):
        assert drawn[name] == {0: pytest.approx(91 - 10 * i), 0.2: pytest.approx(71 - 10 * i)}


def test_the_figure_says_what_to_see_by_its_own_numbers(everything: list[dict[str, Any]]) -> None:
    title = figures.draw(everything).get_suptitle()
    expected = "a prompt on a trained network 71.0% (worst seed 70.0%); a lookup 55.0% (worst seed 55.0%)"
    assert title == f"Lowest mean: {expected}; the paper's prompt 74.8%"
    assert figures.draw([]).get_suptitle() == "Lowest mean: the paper's prompt 74.8%"
    assert tables.findings([]) == []


def test_the_files_are_pictures_drawings_tables_and_numbers_without_a_path(
    everything: list[dict[str, Any]], tmp_path: Path
) -> None:
    paths = tables.write(everything, "smoke", tmp_path)
    assert sorted(path.name for path in paths) == sorted(path.name for path in tmp_path.iterdir())
    drawings = [path for path in paths if path.suffix == ".svg"]
    assert len(drawings) == 2
    assert all(ElementTree.parse(drawing).getroot().tag.endswith("svg") for drawing in drawings)
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths if path.suffix == ".png")
    assert json.loads((tmp_path / "figure-3-smoke.json").read_text())["cells"] == everything
    assert not any(str(tmp_path) in path.read_text() for path in paths if path.suffix != ".png")
    page = (tmp_path / "figure-3-smoke.md").read_text()
    assert "| accuracy: prompt, log-odds | 0.91 ± 0.025 (3) | 0.91 ± 0.025 (3) |" in page
    assert "| accuracy by labels: 100: lookup | 0.9 ± 0.025 (3) | 0.9 ± 0.025 (3) |" in page


def test_a_figure_of_unfinished_work_is_drawn_too(everything: list[dict[str, Any]]) -> None:
    only_learned = [cell for cell in everything if cell["source"] == "learned" and cell["kind"] == "vanilla"]
    for part in (only_learned, everything[:1], everything[-1:]):
        figures.draw(part)
        figures.draw_further(part)
        assert tables.page(part, "cpu").startswith("# Figure 3")


# Findings


def test_findings_are_computed(everything: list[dict[str, Any]]) -> None:
    worst = next(cell for cell in everything if (cell["source"], cell["size"], cell["seed"]) == ("learned", 8, 1))
    worst["on exact G"]["head, log-odds"] += 0.05
    for source in ("exact", "learned", "untrained"):
        slow = {
            "counts": 0.65,
            "decided by thirty tokens": 0.8,
            "margins": {head: {"right by theorem": 0.5} for head in HEADS},
        }
        everything.append(made_up(source, "slow", 8, 0, 0.70 if source == "untrained" else 0.75) | slow)
    findings = tables.findings(everything)
    assert len(findings) == 9
    parts = [
        "has 55.0% (seeds: 3) at 8 states, where a prompt on a trained network has 71.0% (seeds: 3): five tokens "
        "decide 97.0% of the labels",
        "step: -20.0 at 4 states (seeds: 3), -20.0 at 8 states (seeds: 3). The untrained one is 6.0 points below",
        "at 4 and 8 states (models: 6): 0.0 with 30, 1.0 with 100. A lookup is ahead of the trained network by +0.0",
        "Where 20.0% of the labels change beyond token 30 (slow models, 8 states, seeds: 1), a head has 75.0% on a "
        "trained network, 70.0% on an untrained one, 65.0% on counts of tokens, 95.0% on exact G. The KL is 0.010 ",
        "lose 21.7 points to pretraining on average at 8 states, beyond what tuning on exact G with the same inputs "
        "loses; more than 10 are 20.0 at 4 states, seed 0, 20.0 at 4 states, seed 1, 20.0 at 4 states, seed 2, 20.0",
        "at 4, 8 states (seeds: 3) and on slow models (seeds: 1): 3.3 0.0, 0.0, 50.0%; tuned on exact G 20.0, "
        "20.0, 50.0%; tuned",
        "by 0.2 in total variation (models: 6), accuracies are 71.0% (3.6), 61.0% (tuned on exact G), 51.0% (tuned on",
        "the head of 3.3 in 0 of 0 models, the prompt of 3.6 in 0 of 0 models of 6.",
        "is 0.25 to 0.45 nats from a network's outputs, 0.35 in the median of 6 networks, by the best of 31 starts; ",
    ]
    for part, finding in zip(parts, findings, strict=True):
        assert part in finding
    assert "at 8 states is 0.020 nats; the mean over positions is 0.010." in findings[4]


def test_what_is_committed_is_what_its_cells_say_and_the_page_has_the_findings() -> None:
    committed = (ROOT / "results" / "figure-3-cpu.md").read_text(encoding="utf-8").partition("## Findings")[2]
    assert committed == tables.page(COMMITTED["cells"], "cpu").partition("## Findings")[2]
    assert COMMITTED["made by"]["seeds"] == tables.provenance(COMMITTED["cells"], "cpu")["seeds"]
    assert COMMITTED["paper"] == json.loads(json.dumps(figures.PAPER))
    page = " ".join((ROOT / "docs" / "learned.md").read_text(encoding="utf-8").split())
    findings = tables.findings(COMMITTED["cells"])
    assert len(findings) == 9
    for finding in findings:
        assert finding in page


def test_the_page_has_no_more_than_1500_words() -> None:
    assert len((ROOT / "docs" / "learned.md").read_text(encoding="utf-8").split()) <= 1500


def test_the_paper_s_curves_cover_the_sizes_of_the_presets() -> None:
    sizes = PLANS["paper"].sizes
    assert all(set(figures.PAPER[method]) == set(sizes["vanilla"]) for method in ("prompt", "head"))
    assert all(set(figures.PAPER[method]) == {4 * n for n in sizes["memory"]} for method in ("attention", "head "))


def test_every_committed_network_was_trained_on_as_many_tokens_as_its_preset_says() -> None:
    learned = [cell for cell in COMMITTED["cells"] if cell["source"] in cells.TRAINED]
    for cell in learned:
        preset = Cell("cpu", *(cell[key] for key in ("source", "kind", "size", "seed"))).pretraining
        assert cell["pretraining tokens"] == PRESETS[preset].tokens, (cell["kind"], cell["size"], cell["seed"])
    assert len(learned) >= 65


# Cells


def test_the_command_has_the_sources_of_the_cells() -> None:
    assert tuple(cells.SOURCES) == learn.SOURCES


def test_further_seeds_only_add_cells() -> None:
    few, many = (set(cells.cells("cpu", {"exact": n, "learned": n - 1, "labels": 0, "transfer": 0})) for n in (2, 3))
    assert few < many
    exact = {cell.size for cell in few if (cell.source, cell.kind) == ("exact", "vanilla")}
    assert exact == {4, 8, 10, 12, 15, 20, 25, 28, 30}
    assert {(cell.source, cell.kind) for cell in few} == {
        (source, kind)
        for source, kinds in cells.SOURCES.items()
        for kind in kinds
        if source not in ("labels", "transfer")
    }


def test_networks_are_stacked_by_preset_at_most_so_many_together() -> None:
    groups = list(cells.stacks(cells.cells("cpu", {"learned": 5, "labels": 5})))
    assert all(0 < len(group) <= cells.STACK for _, group in groups)
    networks = [(cell.kind, cell.size, cell.seed) for _, group in groups for cell in group]
    assert len(networks) == len(set(networks)) == 70
    assert all(cell.pretraining == name for name, group in groups for cell in group)
    assert [name for name, _ in groups] == ["cpu"] * 6 + ["longer", "deeper", "slow"]


def test_a_plan_counts_what_is_missing_and_the_operations_of_its_networks(tmp_path: Path) -> None:
    chosen = [
        Cell("cpu", "exact", "memory", 2, 0),
        Cell("cpu", "learned", "vanilla", 4, 0),
        Cell("cpu", "labels", "vanilla", 4, 0),
    ]
    budget = cells.budget(chosen, tmp_path)
    assert (budget["cells"], budget["missing"], budget["networks"]) == (3, 3, 1)
    assert list(budget["seconds"].values()) == [round(budget["operations"] / rate) for rate in cells.RATES.values()]
    file = chosen[2].file(tmp_path)
    file.parent.mkdir()
    file.write_text("{}")
    assert cells.budget(chosen, tmp_path)["missing"] == 2
    paper = cells.budget(
        [replace(cell, preset="paper") for cell in chosen], tmp_path
    )  # 153.6 million tokens through six layers
    assert paper["operations"] == pytest.approx(153.6e6 * 6 * (72 * 768**2 + 12 * 768 * 512))
