"""Where the nodes and arrows of the graph are drawn: layout.json, so that a report needs no Graphviz.

`python -m verify.report.layout` draws it anew with Graphviz: when paper.toml or the hypotheses of statements change.
"""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from verify.report.paper import drawn, nodes, read

FILE = "layout.json"
DOTS = 72
"""Points to an inch: Graphviz gives sizes in inches and places in points."""


def dot() -> str:
    """Write the graph for Graphviz: on top the assumptions on which no other one bears."""
    first = [f'"{id}";' for id, node in nodes().items() if node.kind == "assumption" and not node.assumes]
    lines = [
        'rankdir=TB; ranksep=0.5; nodesep=0.22; node [shape=box, fixedsize=true, height=0.62, label=""]',
        *(f'"{id}" [width={max(1.4, 0.4 + 0.16 * len(id)):.2f}];' for id, node in nodes().items() if node.place),
        *(f'"{edge.start}" -> "{edge.end}" [class={edge.kind}];' for edge in drawn()),
        f"{{ rank=min; {' '.join(first)} }}",
    ]
    return "\n".join(["digraph paper {", *lines, "}"])


def document() -> dict[str, Any]:
    """Ask Graphviz, and return the layout as JSON, with y downwards."""
    written = subprocess.run(["dot", "-Tjson"], input=dot(), capture_output=True, text=True, check=True).stdout
    drawing = json.loads(written)
    _, _, width, height = map(float, drawing["bb"].split(","))
    names = {node["_gvid"]: node["name"] for node in drawing["objects"] if "pos" in node}
    boxes = {node["name"]: _box(node, height) for node in drawing["objects"] if "pos" in node}
    arrows = [[names[e["tail"]], names[e["head"]], e["class"], _path(e["pos"], height)] for e in drawing["edges"]]
    return {"width": width, "height": height, "nodes": boxes, "edges": sorted(arrows)}


def _box(node: dict[str, Any], height: float) -> list[float]:
    return [*_down(node["pos"], height), *(round(float(node[size]) * DOTS, 1) for size in ("width", "height"))]


def _path(pos: str, height: float) -> tuple[str, str]:
    """Turn `e,tip p0 p1 p2 p3 ...`, Bezier curves one after the other, into an SVG path and the corners of a head."""
    tip, start, *points = [_down(point, height) for point in pos.removeprefix("e,").split()]
    curve = f"M{start[0]:g},{start[1]:g} C" + " ".join(f"{x:g},{y:g}" for x, y in points)
    x, y = points[-1]
    across, up = (tip[0] - x) * 0.4, (tip[1] - y) * 0.4
    return curve, f"{tip[0]:g},{tip[1]:g} {x - up:g},{y + across:g} {x + up:g},{y - across:g}"


def _down(point: str, height: float) -> tuple[float, float]:
    x, y = map(float, point.split(","))
    return round(x, 1), round(height - y, 1)


@cache
def layout() -> dict[str, Any]:
    """Read the committed layout, as it is returned above.

    The size of the drawing, the centre and the size of each node in points, and of each edge its path and the corners
    of its head.
    """
    drawing: dict[str, Any] = json.loads(read(FILE))
    return drawing


if __name__ == "__main__":
    Path(__file__).with_name(FILE).write_text(json.dumps(document(), indent=1) + "\n", encoding="utf-8")
