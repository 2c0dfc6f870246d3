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
    """Write the graph for Graphviz. The assumptions that rest on no other assumption stand on top."""
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
    width, height = map(float, drawing["bb"].split(",")[2:])

    def down(point: str) -> tuple[float, float]:
        x, y = map(float, point.split(","))
        return round(x, 1), round(height - y, 1)

    drawn_nodes = [node for node in drawing["objects"] if "pos" in node]
    sizes = ([round(float(node[size]) * DOTS, 1) for size in ("width", "height")] for node in drawn_nodes)
    boxes = {node["name"]: [*down(node["pos"]), *size] for node, size in zip(drawn_nodes, sizes, strict=True)}
    names, arrows = {node["_gvid"]: node["name"] for node in drawn_nodes}, []
    for edge in drawing[
        "edges"
    ]:  # `e,tip p0 p1 p2 p3 ...`: Bezier curves one after the other, to where the head begins
        _, start, *curve = (f"{x:g},{y:g}" for x, y in map(down, edge["pos"].removeprefix("e,").split()))
        arrows.append([names[edge["tail"]], names[edge["head"]], edge["class"], f"M{start} C{' '.join(curve)}"])
    return {"width": width, "height": height, "nodes": boxes, "edges": sorted(arrows)}


@cache
def layout() -> dict[str, Any]:
    """Read the committed layout, which `document` wrote.

    It has the size of the drawing, the centre and the size of each node, and the path of each edge up to its head, in
    points.
    """
    drawing: dict[str, Any] = json.loads(read(FILE))
    return drawing


if __name__ == "__main__":
    Path(__file__).with_name(FILE).write_text(json.dumps(document(), indent=1) + "\n", encoding="utf-8")
