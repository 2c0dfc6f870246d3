import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install -c constraints.txt -e '.[learned]'")
pytest.importorskip(
    "transformers", reason="transformers is not installed: pip install -c constraints.txt -e '.[learned]'"
)
pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install -c constraints.txt -e '.[learned]'")

from all_fields import model

from constructions.memory.joint_chain import joint_model
from learned import cells, downstream, figures
from learned.attention import full_support, recoverable, share_in_r
from learned.cells import PLANS, Cell
from learned.difficulty import preset_of
from learned.summary import summary


def made_up(source: str, kind: str, size: int, seed: int, right: float) -> dict[str, Any]:
    """A cell as `compute` writes it, with one accuracy for all."""
    methods = ("head", "prompt") if kind == "vanilla" else ("attention",)
    names = [f"{method}, {features}" for method in methods for features in ("probabilities", "log-odds")]
    cell: dict[str, Any] = {
        "source": source,
        "kind": kind,
        "size": size,
        "seed": seed,
        "majority": 0.6,
        "redraws": 1,
        "doubtful labels": 0,
        "test inputs seen in training": 0.1,
        "accuracy": dict.fromkeys(names, right),
    }
    if source == "learned":
        cell |= {"divergence": 0.01, "entropy": 0.2, "on exact G": dict.fromkeys(names, right + 0.2)}
    if kind == "memory":
        return cell | {"in R": {"recoverable": [], "exactly": 0.0, "nearly, any state": {"0.1": 1.0}}}
    law = {"mass on supp(mu)": 0.5, "effective states": 2.0}
    return cell | {
        "constructed": {},
        "angle to the constructed head": None,
        "law of the masked state": {},
        "law behind": {"no prompt": law, "B-set prompt": law},
        "sigma_min of W": 0.1 * seed,
        "margin": {"smallest": 0.1, "median": 0.2},
    }


@pytest.fixture
def everything() -> list[dict[str, Any]]:
    return [
        made_up(source, kind, size, seed, 0.9 + 0.01 * seed - 0.2 * (source == "learned"))
        for source in ("exact", "learned")
        for kind, sizes in (("vanilla", (4, 8)), ("memory", (2,)))
        for size in sizes
        for seed in range(3)
    ]


def test_an_interval_is_student_s() -> None:
    mean, half = figures.interval([1.0, 2.0, 3.0])
    assert mean == 2
    assert half == pytest.approx(4.302652729911275 / 3**0.5)
    assert figures.interval([5.0]) == (5.0, 0.0)


def test_both_panels_hold_all_curves_and_say_what_made_them(everything: list[dict[str, Any]]) -> None:
    document = figures.numbers(everything, "smoke")
    assert document["left"]["prompt, log-odds, exact"]["8"] == {"mean": 91.0, "interval": 2.484, "trials": 3}
    assert document["right"]["attention, probabilities, learned"]["8"]["mean"] == 71.0
    assert document["right"]["vanilla, probabilities, exact"].keys() == {"8"}
    assert document["made by"]["command"].startswith("headproof learn figure --preset smoke --exact-seeds 3")
    assert document["made by"]["seeds"] == {"exact": "seeds 0 to 2", "learned": "seeds 0 to 2"}


def test_a_kind_of_model_that_has_more_seeds_is_named_with_a_command_of_its_own(
    everything: list[dict[str, Any]],
) -> None:
    made = figures.provenance([*everything, made_up("learned", "memory", 2, 4, 1.0)], "smoke")
    assert made["command"].split(" && ") == [
        "headproof learn figure --preset smoke --exact-seeds 3 --learned-seeds 3 --only vanilla --out DIR",
        "headproof learn figure --preset smoke --exact-seeds 3 --learned-seeds 5 --only memory --out DIR",
    ]
    assert made["seeds"] == {"exact": "seeds 0 to 2", "learned": "seeds 0 to 2 (vanilla), seeds 0 to 4 (memory)"}


def test_every_curve_is_drawn_through_its_own_numbers(everything: list[dict[str, Any]]) -> None:
    """Curves stand a little beside their places, that one at 100% may not hide another."""
    for at, cell in enumerate(everything):
        cell["majority"] = 0.5 + 0.001 * at
        cell["accuracy"] = {name: 0.6 + 0.001 * at + 0.05 * i for i, name in enumerate(cell["accuracy"])}
    document = figures.numbers(everything, "smoke")
    plain, log, right = figures.draw(document).axes
    for ax, features in ((plain, "probabilities"), (log, "log-odds")):
        assert ax.get_title().startswith(f"vanilla HMMs, head reads {features}")
        curves = {
            (method, source): document["left"][f"{method}, {features}, {source}"]
            for method in ("prompt", "head")
            for source in ("exact", "learned")
        }
        paper = {(method, "paper"): figures.PAPER_LEFT[method] for method in ("prompt", "head")}
        assert drawn(ax, {figures.BLUE: "prompt", figures.ORANGE: "head"}) == points([4, 8], curves, paper)
    curves = {
        (method, source): document["right"][f"{method}, probabilities, {source}"]
        for method in ("attention", "vanilla")
        for source in ("exact", "learned")
    }
    paper = {(method, "paper"): figures.PAPER_RIGHT[method] for method in ("attention", "vanilla")}
    assert drawn(right, {figures.GREEN: "attention", figures.ORANGE: "vanilla"}) == points([8], curves, paper)


def drawn(ax: Any, methods: dict[str, str]) -> dict[tuple[str, str], list[tuple[str, float]]]:
    """What a panel shows, read off it: for each method, by its colour, and source, by its label, sizes and means."""
    ticks = list(zip(ax.get_xticks(), (label.get_text() for label in ax.get_xticklabels()), strict=True))
    sources = {v: k for k, v in figures.LABELS.items()}
    assert ax.get_xscale() == "log"
    return {
        (methods[line.get_color()], sources[line.get_label()]): [
            (next(name for at, name in ticks if abs(x / at - 1) < 0.02), float(y))
            for x, y in zip(*line.get_data(), strict=True)
        ]
        for line in ax.get_lines()
        if line.get_color() in methods
    }


def points(
    sizes: list[int], ours: dict[tuple[str, str], Any], theirs: dict[tuple[str, str], Any]
) -> dict[tuple[str, str], list[tuple[str, float]]]:
    """The same from the document."""
    curves = {key: [(str(size), curve[str(size)]["mean"]) for size in sizes] for key, curve in ours.items()}
    return curves | {key: [(str(size), curve[size]) for size in sizes] for key, curve in theirs.items()}


def test_the_figure_says_what_to_see_by_its_own_numbers(everything: list[dict[str, Any]]) -> None:
    said = figures.draw(figures.numbers(everything, "smoke")).get_suptitle()
    assert "91.0% (ours, exact G) or 71.0% (ours, learned LM); the paper's falls to 74.8%" in said
    assert "how far each curve" in figures.draw(figures.numbers(everything[-1:], "smoke")).get_suptitle()


def test_bands_are_the_intervals_and_the_grey_line_is_the_majority(everything: list[dict[str, Any]]) -> None:
    for cell in everything:
        cell["majority"] = 0.5 + 0.1 * (cell["kind"] == "memory") + 0.01 * cell["size"]
    document = figures.numbers(everything, "smoke")
    plain, _, right = figures.draw(document).axes
    for ax, expected in ((plain, [54, 58]), (right, [62])):
        [grey] = [line for line in ax.get_lines() if line.get_color() == figures.GREY]
        assert grey.get_ydata() == pytest.approx(expected)
    heights = [np.array(path.vertices)[:, 1] for band in plain.collections for path in band.get_paths()]
    bands = {(round(float(y.min()), 3), round(float(y.max()), 3)) for y in heights}
    assert bands == {(91 - 2.484, 91 + 2.484), (71 - 2.484, 71 + 2.484)}


def test_the_files_are_a_picture_a_drawing_and_numbers_without_a_path(
    everything: list[dict[str, Any]], tmp_path: Path
) -> None:
    drawing, picture, numbers = figures.write(everything, "smoke", tmp_path)
    assert ElementTree.parse(drawing).getroot().tag.endswith("svg")
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert json.loads(numbers.read_text())["cells"] == everything
    assert str(tmp_path) not in drawing.read_text() + numbers.read_text()
    assert not list(tmp_path.glob("*.partial"))


@pytest.mark.thorough(reason="draws twice what test_the_files_are_a_picture... draws once: 2 s")
def test_the_same_cells_draw_the_same_file(everything: list[dict[str, Any]], tmp_path: Path) -> None:
    once = figures.write(everything, "smoke", tmp_path)[0].read_bytes()
    assert figures.write(everything, "smoke", tmp_path)[0].read_bytes() == once


def test_a_figure_of_unfinished_work_is_drawn_too(everything: list[dict[str, Any]], tmp_path: Path) -> None:
    only_learned = [cell for cell in everything if cell["source"] == "learned" and cell["kind"] == "vanilla"]
    for part in (only_learned, everything[:1], everything[-1:]):
        figures.write(part, "cpu", tmp_path)
        assert summary(part, "cpu").startswith("# Figure 3")


def test_the_summary_splits_what_is_lost(everything: list[dict[str, Any]]) -> None:
    page = summary(everything, "smoke")
    assert "| vanilla | 4 | head, probabilities | 9.0 | 20.0 | 3 |" in page
    assert "| exact: prompt, log-odds | 91.0 ± 2.5 (3) | 91.0 ± 2.5 (3) |" in page


def test_the_paper_s_curves_cover_the_sizes_of_the_presets() -> None:
    plan = PLANS["paper"]
    assert all(set(curve) == set(plan.sizes) for curve in figures.PAPER_LEFT.values())
    assert all(set(curve) == {4 * value for value in plan.values} for curve in figures.PAPER_RIGHT.values())


def test_what_is_committed_is_what_its_cells_say() -> None:
    folder = Path(__file__).parents[2] / "results"
    document = json.loads((folder / "figure-3-cpu.json").read_text())
    again = json.loads(json.dumps(figures.numbers(document["cells"], "cpu")))
    assert [again[panel] for panel in ("left", "right", "paper")] == [
        document[panel] for panel in ("left", "right", "paper")
    ]
    assert again["made by"]["command"] == document["made by"]["command"]
    tables = (folder / "figure-3-cpu.md").read_text().split("\n## ")[1:]
    assert tables == summary(document["cells"], "cpu").split("\n## ")[1:]


ROOT = Path(__file__).parents[2]
SIZES = (4, 8, 10, 15, 25, 30)
ROWS = [
    ("exact G, log-odds", "exact: prompt, log-odds"),
    ("learned, log-odds", "learned: prompt, log-odds"),
    ("exact G, probabilities", "exact: prompt, probabilities"),
    ("learned, probabilities", "learned: prompt, probabilities"),
    ("exact G, probabilities, the paper's steps, 5 seeds", "exact: prompt, probabilities, the paper's steps"),
    ("learned, probabilities, the paper's steps", "learned: prompt, probabilities, the paper's steps"),
    ("exact G, probabilities", "exact: head, probabilities"),
    ("learned, probabilities", "learned: head, probabilities"),
    ("exact G, probabilities, the paper's steps, 5 seeds", "exact: head, probabilities, the paper's steps"),
    ("learned, probabilities, the paper's steps", "learned: head, probabilities, the paper's steps"),
]
"""Rows of the first table of docs/learned.md in the left panel, in their order, and those of the committed tables."""


def rows(page: str) -> list[list[str]]:
    """The cells of all rows of tables."""
    lines = [line for line in page.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def test_the_page_has_the_accuracies_of_the_committed_tables() -> None:
    page = rows((ROOT / "docs" / "learned.md").read_text(encoding="utf-8"))
    tables = (ROOT / "results" / "figure-3-cpu.md").read_text(encoding="utf-8").split("\n## ")
    (head, *table) = rows(next(table for table in tables if table.startswith("Vanilla models, by hidden states")))
    at = [head.index(str(size)) for size in SIZES]
    committed = {row[0]: [row[i].rsplit(" (", 1)[0] for i in at] for row in table}
    names = [name for name, _ in ROWS]
    written = [row for row in page if row[0] in names and all("±" in cell for cell in row[1:7])][: len(ROWS)]
    assert [(row[0], row[1:7]) for row in written] == [(name, committed[key]) for name, key in ROWS]


def test_the_page_has_the_numbers_of_each_seed() -> None:
    document = json.loads((ROOT / "results" / "figure-3-cpu.json").read_text(encoding="utf-8"))
    vanilla = {
        (cell["size"], cell["seed"]): cell
        for cell in document["cells"]
        if (cell["source"], cell["kind"]) == ("learned", "vanilla")
    }
    page = {
        row[0]: row[1:] for row in rows((ROOT / "docs" / "learned.md").read_text(encoding="utf-8")) if len(row) == 7
    }

    def share(value: float) -> str:
        return "100" if value == 1 else f"{100 * value:.1f}"

    readers: dict[str, Callable[[Any], str]] = {
        "KL(G, Ghat), nats": lambda cell: f"{cell['divergence']:.4f}",
        "entropy of G, nats": lambda cell: f"{cell['entropy']:.3f}",
        "learned LM: prompt, log-odds": lambda cell: share(cell["accuracy"]["prompt, log-odds"]),
        "learned LM: prompt, probabilities": lambda cell: share(cell["accuracy"]["prompt, probabilities"]),
        "exact G, the same inputs: prompt, log-odds": lambda cell: share(cell["on exact G"]["prompt, log-odds"]),
        "learned LM: prompt, the paper's steps": lambda cell: share(cell["the paper's steps"]["prompt, probabilities"]),
        "learned LM: head, the paper's steps": lambda cell: share(cell["the paper's steps"]["head, probabilities"]),
    }
    for name, read in readers.items():
        expected = [" / ".join(read(vanilla[size, seed]) for seed in range(5)) for size in SIZES]
        assert page[name] == expected, name


@pytest.mark.thorough(reason="looks at three neighbours in eleven chains")
def test_every_committed_network_was_trained_as_the_preset_is_now() -> None:
    document = json.loads((ROOT / "results" / "figure-3-cpu.json").read_text(encoding="utf-8"))
    for cell in document["cells"]:
        if cell["source"] == "learned":
            size, seed, vanilla = cell["size"], cell["seed"], cell["kind"] == "vanilla"
            memory = None if vanilla else downstream.drawn_memory(size, cells.HIDDEN, seed)[0]
            model = joint_model(memory) if memory else downstream.drawn(size, seed)[0]
            assert cell["pretraining tokens"] == preset_of("cpu", model).tokens, (cell["kind"], size, seed)


# Cells


def test_the_cells_of_one_kind_are_some_of_all() -> None:
    vanilla, memory = (set(cells.cells("cpu", kinds=[kind])) for kind in cells.KINDS)
    assert vanilla | memory == set(cells.cells("cpu"))
    assert {cell.kind for cell in memory} == {"memory"}
    assert {cell.kind for cell in vanilla} == {"vanilla"}


def test_further_seeds_only_add_cells() -> None:
    few, more = set(cells.cells("cpu", 2, 1)), set(cells.cells("cpu", 3, 2))
    assert few < more
    assert {cell.size for cell in few if cell.kind == "vanilla"} == {4, 8, 10, 12, 15, 20, 25, 28, 30}


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
    wanted = cells.cells("cpu", 1, 1)
    vanilla, memory = (sum(cell.kind == kind for cell in wanted) / 2 for kind in ("vanilla", "memory"))
    usual = cells.SECONDS
    rest = vanilla * usual["exact", "vanilla"] + memory * sum(usual[s, "memory"] for s in ("exact", "learned"))
    rest += 5 * cells.PRETRAINING  # 20 states, seed 0: four times the steps, in three layers for two
    assert cells.budget(wanted, "cpu", tmp_path) == (26, 1, rest + vanilla * usual["learned", "vanilla"])
    (tmp_path / "cells-cpu").mkdir()
    done = Cell("learned", "vanilla", 4, 0)
    content = made_up("learned", "vanilla", 4, 0, 0.9) | {"inputs": [1, 1, 1], "pretraining tokens": 1}
    cells.path(tmp_path, "cpu", done).write_text(json.dumps(content | {"processor seconds": 10.0}))
    assert cells.budget(wanted, "cpu", tmp_path) == (25, 1, rest + (vanilla - 1) * 10)
    assert cells.budget(cells.cells("smoke", 1, 0), "smoke", tmp_path) == (3, 0, None)
    assert cells.budget([done], "cpu", tmp_path) == (0, 0, 0)


# R


def test_what_is_recoverable_is_what_no_null_vector_touches() -> None:
    from constructions.appendix_d import appendix_d_memory
    from constructions.memory.joint_chain import joint_model

    two, three = (joint_model(appendix_d_memory(values, 4, 10, 0, 10**20)[0]) for values in (2, 3))
    assert recoverable(two, values=2) == [0, 1, 2, 3]
    assert recoverable(three, values=3) == []
    assert full_support(three, values=3)


def test_a_state_is_recoverable_where_its_columns_are_with_every_memory() -> None:
    """States (m, h): with h = 1 both memories emit the same."""
    block = "1/2 1/2 0 0; 1/2 1/2 0 0; 0 0 1/2 1/2; 0 0 1/2 1/2"
    assert recoverable(model("1/4 1/4 1/4 1/4", block, "1 0 0 0; 0 1 0 1; 0 0 1 0"), values=2) == [0]


def test_the_share_in_r_is_everything_or_nothing_and_nearly_is_the_surest_posterior_of_h() -> None:
    """By plain products of matrices: the first position at which some hidden state is sure enough, whatever M is."""
    from learned.attention import hidden_posteriors
    from learned.downstream import memory

    assert share_in_r(memory(2, 4, 0, (20, 10, 10)), 2)["exactly"] == 1
    task = memory(3, 4, 1, (20, 10, 10))
    found = share_in_r(task, 3)
    assert (found["exactly"], found["recoverable"]) == (0, [])
    by_chain = hidden_posteriors(task.model, task.tokens[task.rows("test")]).tolist()
    surest = [[max(sum(position[m * 4 + h] for m in range(3)) for position in x) for h in range(4)] for x in by_chain]
    for e in (0.1, 0.0001):
        some = [max(states) >= 1 - e for states in surest]
        same = [sum(states[h] >= 1 - e for states in surest) for h in range(4)]
        assert found["nearly, any state"][str(e)] == pytest.approx(sum(some) / 10)
        assert found["nearly, the same state for all"][str(e)] == pytest.approx(max(same) / 10)
