"""Where the nodes and arrows of the graph are drawn: layout.json, so that a report needs no Graphviz.

`python -m verify.report.layout` draws it anew with Graphviz: when paper.toml or the hypotheses of statements change.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from verify.report.paper import Edge, drawn, nodes

FILE = "layout.json"
DOTS = 72
"""Points to an inch: Graphviz gives sizes in inches and places in points."""


@dataclass(frozen=True)
class Box:
    """A node's centre and its size, in points."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Layout:
    """The size of the drawing, a box for each node, and the path of each edge with the corners of its head."""

    width: float
    height: float
    boxes: dict[str, Box]
    paths: dict[Edge, str]
    heads: dict[Edge, str]


def dot() -> str:
    """Write the graph for Graphviz."""
    return "\n".join(["digraph paper {", *_lines(), "}"])


def _lines() -> Iterator[str]:
    yield 'rankdir=TB; ranksep=0.5; nodesep=0.22; node [shape=box, fixedsize=true, height=0.62, label=""]'
    yield from (f'"{id}" [width={max(1.4, 0.4 + 0.16 * len(id)):.2f}];' for id in nodes())
    for edge in drawn():
        yield f'"{edge.start}" -> "{edge.end}" [class={edge.kind}];'
    yield f"{{ rank=min; {' '.join(f'{chr(34)}{id}{chr(34)};' for id in nodes() if _first(id))} }}"


def _first(id: str) -> bool:
    """Whether it is an assumption on which no other one bears."""
    return nodes()[id].kind == "assumption" and not nodes()[id].assumes


def document() -> dict[str, Any]:
    """Ask Graphviz, and return the layout as JSON, with y downwards."""
    written = subprocess.run(["dot", "-Tjson"], input=dot(), capture_output=True, text=True, check=True).stdout
    found = json.loads(written)
    _, _, width, height = map(float, found["bb"].split(","))
    names = {one["_gvid"]: one["name"] for one in found["objects"] if "pos" in one}
    boxes = {one["name"]: _box(one, height) for one in found["objects"] if "pos" in one}
    arrows = [
        [names[one["tail"]], names[one["head"]], one["class"], *_path(one["pos"], height)] for one in found["edges"]
    ]
    return {"width": width, "height": height, "nodes": boxes, "edges": sorted(arrows)}


def _box(one: dict[str, Any], height: float) -> list[float]:
    x, y = map(float, one["pos"].split(","))
    return [round(x, 1), round(height - y, 1), *(round(float(one[size]) * DOTS, 1) for size in ("width", "height"))]


def _path(pos: str, height: float) -> tuple[str, list[float]]:
    """Turn `e,tip p0 p1 p2 p3 ...`, Bezier curves one after the other, into an SVG path and the place of the tip."""
    tip, *points = pos.removeprefix("e,").split()
    places = [_down(point, height) for point in points]
    curve = f"M{places[0][0]:g},{places[0][1]:g} C" + " ".join(f"{x:g},{y:g}" for x, y in places[1:])
    return curve, list(_down(tip, height))


def _down(point: str, height: float) -> tuple[float, float]:
    x, y = map(float, point.split(","))
    return round(x, 1), round(height - y, 1)


@cache
def layout() -> Layout:
    """Read the committed layout."""
    found = json.loads(files("verify.report").joinpath(FILE).read_text(encoding="utf-8"))
    paths, heads = {}, {}
    for start, end, kind, path, tip in found["edges"]:
        edge = Edge(start, end, kind)
        paths[edge], heads[edge] = path, _head(path, tip)
    boxes = {id: Box(*box) for id, box in found["nodes"].items()}
    return Layout(found["width"], found["height"], boxes, paths, heads)


def _head(path: str, tip: list[float]) -> str:
    """Return the corners of an arrow's head, from the end of its path to its tip."""
    x, y = map(float, path.rpartition(" ")[2].removeprefix("C").split(","))
    across, up = (tip[0] - x) * 0.4, (tip[1] - y) * 0.4
    return f"{tip[0]:g},{tip[1]:g} {x - up:g},{y + across:g} {x + up:g},{y - across:g}"


if __name__ == "__main__":
    Path(__file__).with_name(FILE).write_text(json.dumps(document(), indent=1) + "\n", encoding="utf-8")
