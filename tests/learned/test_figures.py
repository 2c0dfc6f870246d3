import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest

INSTALL = "is not installed: pip install -c constraints.txt -e '.[learned]'"
pytest.importorskip("torch", reason=f"torch {INSTALL}")
pytest.importorskip("transformers", reason=f"transformers {INSTALL}")
pytest.importorskip("matplotlib", reason=f"matplotlib {INSTALL}")

from learned import cells, figures, tables  # noqa: E402
from learned.cells import PLANS, Cell  # noqa: E402
from learned.presets import PRESETS  # noqa: E402

ROOT = Path(__file__).parents[2]
FEATURES = ("probabilities", "log-odds")


def made_up(source: str, kind: str, size: int, seed: int, share: float) -> dict[str, Any]:
    """A cell as `compute` writes it, with one accuracy for all."""
    methods = ("attention",) if kind == "memory" else ("head", "prompt")
    names = [f"{method}, {features}" for method in methods for features in FEATURES]
    cell: dict[str, Any] = {
        "source": source,
        "kind": kind,
        "size": size,
        "seed": seed,
        "inputs": [2, 1, 1],
        "majority": 0.6,
        "redraws": 1,
        "doubtful labels": 0,
        "processor seconds": 1.5,
        "lookup": 0.55,
        "decided by five tokens": 0.97,
    }
    if source == "labels":
        row = {f"{name}: {method}, log-odds": share for name in ("exact", "learned", "untrained") for method in methods}
        rows = {str(n): row | {"lookup": share - 0.01 * i, "majority": 0.5} for i, n in enumerate((30, 100))}
        fit = {"from P[H_1]": 1.0, "nearest": 0.25 + 0.1 * seed, "starts": 31}
        mechanism = {"no prompt": {**fit, "nearest": 0.001}, "prompt, log-odds": fit}
        return cell | {
            "accuracy by labels": rows,
            "divergence": 0.01,
            "divergence at the mask": 0.02,
            "mechanism": mechanism,
        }
    cell["accuracy"] = dict.fromkeys(names, share)
    if source == "learned":
        cell |= {
            "divergence": 0.01,
            "entropy": 0.2,
            "pretraining tokens": 7,
            "on exact G": dict.fromkeys(names, share + 0.2),
        }
    if kind == "memory" or source == "untrained":
        return cell
    return cell | {"constructed": {}, "the paper's steps": dict.fromkeys(names[::2], share - 0.1)}


@pytest.fixture
def everything() -> list[dict[str, Any]]:
    return [
        made_up(source, kind, size, seed, 0.9 + 0.01 * seed - 0.2 * (source == "learned"))
        for source in ("exact", "learned", "untrained", "labels")
        for kind, sizes in (("vanilla", (4, 8)), ("memory", (2,)))
        for size in sizes
        for seed in range(3)
        if kind == "vanilla" or source in ("exact", "learned")
    ]


def test_an_interval_is_student_s() -> None:
    mean, half = figures.interval([1.0, 2.0, 3.0])
    assert mean == 2
    assert half == pytest.approx(4.302652729911275 / 3**0.5)
    assert figures.interval([5.0]) == (5.0, 0.0)


def test_what_made_a_figure_is_a_command_and_seeds(everything: list[dict[str, Any]]) -> None:
    made = figures.provenance([*everything, made_up("learned", "memory", 2, 4, 1.0)], "smoke")
    flags = "--exact-seeds 3 --learned-seeds 5 --untrained-seeds 3 --labels-seeds 3"
    assert made["command"] == f"headproof learn figure --preset smoke {flags} --out DIR"
    assert made["seeds"] == {
        "exact, vanilla": 3, "exact, memory": 3, "learned, vanilla": 3, "learned, memory": 4,
        "untrained, vanilla": 3, "labels, vanilla": 3,
    }  # fmt: skip


def test_slow_models_have_a_point_for_each_seed_and_their_margins(everything: list[dict[str, Any]]) -> None:
    slow = [made_up(source, "slow", 8, seed, 0.7 + 0.1 * seed) for source in ("exact", "learned") for seed in (0, 1)]
    for seed, cell in enumerate(slow[2:]):
        slow[seed] |= {"counts": 0.65, "decided by thirty tokens": 0.8}
        cell["constructed"] = {"3.3": {"radii and errors": [[0.1, 0.2], [0.3, 0.01 + seed]], "right by theorem": 0.5}}
    left, right = figures.draw_distant([*everything, *slow]).axes
    points = {
        label.get_text(): sorted(line.get_xdata())
        for label, line in zip(left.get_yticklabels(), left.get_lines(), strict=True)
    }
    assert points["head, exact G"] == pytest.approx([70, 80])
    assert points["counts of tokens"] == pytest.approx([65, 65])
    assert points["head, untrained network"] == []
    margins = right.get_lines()[0].get_xydata().tolist()
    assert margins == [[0.1, 0.2], [0.3, 0.01], [0.1, 0.2], [0.3, 1.01]]


def test_every_curve_is_drawn_through_its_own_numbers(everything: list[dict[str, Any]]) -> None:
    for at, cell in enumerate(everything):
        cell |= {"majority": 0.5 + 0.001 * at, "lookup": 0.45 + 0.001 * at}
        for key in ("accuracy", "the paper's steps"):
            cell[key] = {name: 0.6 + 0.001 * at + 0.05 * i for i, name in enumerate(cell.get(key, {}))}
    plain, log_odds, memory, as_large = figures.draw(everything).axes
    by_size = figures.by_size

    def both(kind: str, *keys: str) -> list[figures.Points]:
        return [by_size(everything, source, kind, keys) for source in ("exact", "learned")]

    lookup = by_size(everything, "learned", "vanilla", ["lookup"])
    untrained = by_size(everything, "untrained", "vanilla", ["accuracy", "prompt, log-odds"])
    steps = "the paper's steps"
    expected: list[list[figures.Points]] = [
        [*both("vanilla", steps, "prompt, probabilities"), *both("vanilla", steps, "head, probabilities"), lookup],
        [
            *both("vanilla", "accuracy", "prompt, log-odds"),
            *both("vanilla", "accuracy", "head, log-odds"),
            lookup,
            untrained,
        ],
        both("memory", "accuracy", "attention, probabilities"),
        [{8: points[8]} for points in both("vanilla", "accuracy", "head, probabilities")],
    ]
    papers = [("prompt", "head"), ("prompt", "head"), ("attention",), ("vanilla",)]
    for ax, curves, methods in zip((plain, log_odds, memory, as_large), expected, papers, strict=True):
        drawn = [dict(zip(*line.get_data(), strict=True)) for line in ax.get_lines()]
        *_, majority = drawn
        means = [{size: pytest.approx(np.mean(values)) for size, values in points.items()} for points in curves]
        for curve in [*means, *(figures.PAPER[method] for method in methods)]:
            assert any(line == curve for line in drawn), (ax.get_title(), curve)
        assert len(drawn) == len(curves) + len(methods) + 1
        kind = "memory" if ax is memory else "vanilla"
        own = [
            100 * cell["majority"]
            for cell in everything
            if (cell["source"], cell["kind"], cell["size"]) == ("exact", kind, 2 if ax is memory else 8)
        ]
        assert majority[8] == pytest.approx(np.mean(own))


def test_the_second_figure_has_a_curve_for_each_way_over_the_numbers_of_labels(
    everything: list[dict[str, Any]],
) -> None:
    panels = figures.draw_labels(everything).axes
    assert [ax.get_title() for ax in panels] == ["4 states, seeds 0, 1, 2", "8 states, seeds 0, 1, 2"]
    *curves, majority = (dict(zip(*line.get_data(), strict=True)) for line in panels[0].get_lines())
    assert curves[-1] == {30: pytest.approx(91), 100: pytest.approx(90)}
    assert curves[:-1] == [{30: pytest.approx(91), 100: pytest.approx(91)}] * 4
    assert majority == {30: 50, 100: 50}


def test_the_figure_says_what_to_see_by_its_own_numbers(everything: list[dict[str, Any]]) -> None:
    title = figures.draw(everything).get_suptitle()
    assert (
        "a prompt on a trained network 71.0% (worst seed 70.0%); a lookup without any 55.0% (worst seed 55.0%)" in title
    )
    assert title.endswith("the paper's prompt 74.8%")
    assert "how far each curve" in figures.draw(everything[:1]).get_suptitle()


def test_bands_are_the_intervals(everything: list[dict[str, Any]]) -> None:
    ax = figures.draw(everything).axes[1]
    heights = [np.array(path.vertices)[:, 1] for band in ax.collections for path in band.get_paths()]
    bands = {(round(float(y.min()), 3), round(float(y.max()), 3)) for y in heights}
    assert bands == {(91 - 2.484, 91 + 2.484), (71 - 2.484, 71 + 2.484)}


def test_the_files_are_pictures_drawings_and_numbers_without_a_path(
    everything: list[dict[str, Any]], tmp_path: Path
) -> None:
    paths = figures.write(everything, "smoke", tmp_path)
    assert sorted(path.name for path in paths) == sorted(path.name for path in tmp_path.iterdir())
    drawings = [path for path in paths if path.suffix == ".svg"]
    assert len(drawings) == 3
    assert all(ElementTree.parse(drawing).getroot().tag.endswith("svg") for drawing in drawings)
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths if path.suffix == ".png")
    assert json.loads((tmp_path / "figure-3-smoke.json").read_text())["cells"] == everything
    assert not any(str(tmp_path) in path.read_text() for path in paths if path.suffix != ".png")


def test_a_figure_of_unfinished_work_is_drawn_too(everything: list[dict[str, Any]], tmp_path: Path) -> None:
    only_learned = [cell for cell in everything if cell["source"] == "learned" and cell["kind"] == "vanilla"]
    for part in (only_learned, everything[:1], everything[-1:]):
        figures.write(part, "cpu", tmp_path)
        assert tables.page(part, "cpu").startswith("# Figure 3")


# Findings and tables


def test_the_tables_have_all_numbers_of_the_cells(everything: list[dict[str, Any]]) -> None:
    page = tables.page(everything, "smoke")
    assert "| accuracy: prompt, log-odds | 0.91 ± 0.025 (3) | 0.91 ± 0.025 (3) |" in page
    assert "| accuracy by labels: 100: lookup | 0.9 ± 0.025 (3) | 0.9 ± 0.025 (3) |" in page


def test_findings_are_computed(everything: list[dict[str, Any]]) -> None:
    worst = next(cell for cell in everything if (cell["source"], cell["size"], cell["seed"]) == ("learned", 8, 1))
    worst["on exact G"]["head, log-odds"] += 0.05
    findings = "\n".join(tables.findings(everything))
    assert "At 8 states a prompt on a trained network has 71.0% (seeds: 3), a lookup" in findings
    assert "has 55.0% (seeds: 3), a prompt on an untrained network has 91.0% (seeds: 3); the paper's" in findings
    assert "with 100 a prompt on a trained network 91.0%" in findings
    assert "21.7 points on average at 8 states; 25.0 at 8 states, seed 1 and 20.0 at 4 states, seed" in findings
    assert (
        "is 0.25 to 0.45 nats from a network's outputs, 0.35 in the median of 6 networks, by the best of 31" in findings
    )


def test_what_is_committed_is_what_its_cells_say() -> None:
    document = json.loads((ROOT / "results" / "figure-3-cpu.json").read_text(encoding="utf-8"))
    committed = (ROOT / "results" / "figure-3-cpu.md").read_text(encoding="utf-8").partition("## Findings")[2]
    assert committed == tables.page(document["cells"], "cpu").partition("## Findings")[2]
    assert document["made by"]["seeds"] == figures.provenance(document["cells"], "cpu")["seeds"]
    assert json.loads(json.dumps(document["paper"])) == json.loads(json.dumps(figures.PAPER))


def test_the_page_has_the_findings_of_the_committed_cells() -> None:
    document = json.loads((ROOT / "results" / "figure-3-cpu.json").read_text(encoding="utf-8"))
    page = " ".join((ROOT / "docs" / "learned.md").read_text(encoding="utf-8").split())
    findings = tables.findings(document["cells"])
    assert len(findings) >= 5
    for finding in findings:
        assert finding in page


def test_the_paper_s_curves_cover_the_sizes_of_the_presets() -> None:
    plan = PLANS["paper"]
    assert all(set(figures.PAPER[method]) == set(plan.sizes) for method in ("prompt", "head"))
    assert all(
        set(figures.PAPER[method]) == {4 * value for value in plan.values} for method in ("attention", "vanilla")
    )


def test_every_committed_network_was_trained_as_its_preset_is_now() -> None:
    document = json.loads((ROOT / "results" / "figure-3-cpu.json").read_text(encoding="utf-8"))
    learned = [cell for cell in document["cells"] if cell["source"] in ("learned", "labels")]
    for cell in learned:
        preset = Cell(cell["source"], cell["kind"], cell["size"], cell["seed"]).preset("cpu")
        assert cell["pretraining tokens"] == PRESETS[preset].tokens, (cell["kind"], cell["size"], cell["seed"])
    assert len(learned) >= 65


# Cells


def test_the_cells_of_one_kind_are_some_of_all() -> None:
    parts = {kind: set(cells.cells("cpu", {}, [kind])) for kind in cells.KINDS}
    assert set.union(*parts.values()) == set(cells.cells("cpu", {}))
    assert all({cell.kind for cell in part} == {kind} for kind, part in parts.items())


def test_further_seeds_only_add_cells() -> None:
    few, more = (set(cells.cells("cpu", {"exact": n, "learned": n - 1, "labels": 0})) for n in (2, 3))
    assert few < more
    assert {cell.size for cell in few if cell.source == "exact" and cell.kind == "vanilla"} == {
        4,
        8,
        10,
        12,
        15,
        20,
        25,
        28,
        30,
    }
    assert {cell.source for cell in few} == {"exact", "learned", "untrained"}


def test_networks_are_stacked_by_preset_at_most_so_many_together() -> None:
    groups = list(cells.stacks(cells.cells("cpu", {"learned": 5, "labels": 5}), "cpu"))
    assert all(0 < len(group) <= cells.STACK for _, group in groups)
    networks = [(cell.kind, cell.size, cell.seed) for _, group in groups for cell in group]
    assert len(networks) == len(set(networks)) == 70
    assert all(cell.preset("cpu") == name for name, group in groups for cell in group)
    assert [name for name, _ in groups] == ["cpu"] * 6 + ["longer", "deeper"]


@pytest.mark.thorough(reason="computes cells in processes that load torch; test_cells computes them here")
def test_a_finished_cell_is_left_alone_and_a_missing_one_is_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, missing = Cell("exact", "vanilla", 4, 0), Cell("exact", "vanilla", 4, 1)
    monkeypatch.setitem(PLANS, "smoke", PLANS["smoke"])
    where = cells.path(tmp_path, "smoke", done)
    where.parent.mkdir()
    where.write_text("{}")
    (where.parent / "vanilla-04-seed01-exact.partial").write_text('{"half a')  # what a killed run leaves
    assert list(cells.run([done, missing], "smoke", tmp_path, jobs=1)) == [missing]
    assert where.read_text() == "{}"
    written = json.loads(cells.path(tmp_path, "smoke", missing).read_text())
    assert (written["size"], written["seed"], written["accuracy"]["head, log-odds"]) == (4, 1, 1.0)
    assert str(tmp_path) not in json.dumps(written)
    assert list(cells.run([done, missing], "smoke", tmp_path, jobs=1)) == []


def test_a_plan_counts_what_is_missing_by_what_finished_cells_took(tmp_path: Path) -> None:
    seeds = {"exact": 1, "learned": 1, "untrained": 0, "labels": 0}
    chosen, usual = cells.cells("cpu", seeds, ["vanilla", "memory"]), cells.SECONDS
    vanilla, memory = (sum(cell.kind == kind for cell in chosen) / 2 for kind in ("vanilla", "memory"))
    rest = vanilla * usual["exact", "vanilla"] + memory * sum(usual[name, "memory"] for name in ("exact", "learned"))
    budget = cells.budget(chosen, "cpu", tmp_path)
    assert (budget["cells"], budget["missing"], budget["networks"]) == (26, 26, 13)
    assert budget["processor_seconds"] == round(rest + vanilla * usual["learned", "vanilla"])
    done = Cell("learned", "vanilla", 4, 0)
    file = cells.path(tmp_path, "cpu", done)
    file.parent.mkdir()
    file.write_text(json.dumps(made_up("learned", "vanilla", 4, 0, 0.9) | {"processor seconds": 10.0}))
    again = cells.budget(chosen, "cpu", tmp_path)
    assert again["processor_seconds"] == round(rest + (vanilla - 1) * 10)
    assert again["operations"] < budget["operations"]
    assert cells.budget(cells.cells("smoke", seeds), "smoke", tmp_path)["processor_seconds"] is None
    assert cells.budget([done], "cpu", tmp_path)["processor_seconds"] == 0


def test_a_plan_for_a_gpu_is_bounded_by_its_peak(tmp_path: Path) -> None:
    """One network of the paper: 153.6 million tokens through six layers."""
    [cell] = cells.cells("paper", {"exact": 0, "learned": 1, "untrained": 0, "labels": 0}, ["memory"])[:1]
    budget = cells.budget([cell], "paper", tmp_path)
    operations = 153.6e6 * 6 * (72 * 768**2 + 12 * 768 * 512)
    assert budget["operations"] == pytest.approx(operations)
