"""The layout of the graph of paper.py: places of nodes and arrows, stored so that a report needs no Graphviz.

When paper.toml or the hypotheses of statements change, run `python -m verify.report.layout`: it writes layout.json anew
with Graphviz.
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
"""Points per inch: Graphviz writes sizes in inches, and places in points."""


def dot() -> str:
    """Return the graph in the language of Graphviz. The top row has the assumptions that rest on no other."""
    first = [f'"{id}";' for id, node in nodes().items() if node.kind == "assumption" and not node.assumes]
    lines = [
        'rankdir=TB; ranksep=0.5; nodesep=0.22; node [shape=box, fixedsize=true, height=0.62, label=""]',
        *(f'"{id}" [width={max(1.4, 0.4 + 0.16 * len(id)):.2f}];' for id, node in nodes().items() if node.place),
        *(f'"{edge.start}" -> "{edge.end}" [class={edge.kind}];' for edge in drawn()),
        f"{{ rank=min; {' '.join(first)} }}",
    ]
    return "\n".join(["digraph paper {", *lines, "}"])


def document() -> dict[str, Any]:
    """Run Graphviz, and return its layout as `layout` describes it. The y axis points down."""
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
    """Read the committed layout, which `document` wrote; all lengths are in points.

    "width", "height": of the drawing. "nodes": for each the x and y of its centre, its width and its height. "edges":
    for each its start, its end, its kind, and its path up to the arrowhead, in the language of SVG.
    """
    drawing: dict[str, Any] = json.loads(read(FILE))
    return drawing


if __name__ == "__main__":
    Path(__file__).with_name(FILE).write_text(json.dumps(document(), indent=1) + "\n", encoding="utf-8")
