"""`python docs/draw.py`: draw the pictures of docs/pictures.md, each by the call that the page shows below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import headproof as hp
from verify.views.plots.style import Axes

DPI = 110


def drawings(page: str) -> Iterator[tuple[str, str, Axes]]:
    """Yield each picture of a page: its title, the name of its file, and its axes (the last, if there are several)."""
    for title, name, call in re.findall(r"^!\[(.*)\]\(pictures/(.*)\)\n\n    (.*)$", page, re.MULTILINE):
        axes = eval(call, {"hp": hp})
        yield title, name, axes[-1] if isinstance(axes, list) else axes


if __name__ == "__main__":
    folder = Path(__file__).parent
    for _, name, ax in drawings((folder / "pictures.md").read_text(encoding="utf-8")):
        ax.figure.savefig(folder / "pictures" / name, dpi=DPI, metadata={"Software": None})
