"""`python -m verify.views.plots.page docs`: write docs/pictures.md, and its pictures into docs/pictures."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from inspect import getdoc, getmodule
from itertools import groupby
from pathlib import Path

from verify.library import shipped
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.views.plots import picture
from verify.views.plots.style import Axes

DPI = 110

INTRODUCTION = """\
# Pictures

Each is a function of `verify/views/plots/` that takes a verdict, or a model and a task, and returns Matplotlib's axes;
`ax=` draws on axes that are there. It needs the extra `plots`. The background is transparent, and one grey serves light
and dark pages. This page is made by `python -m verify.views.plots.page docs`.

    from verify import verify
    from verify.library import shipped

    known = {model.name: (model, task) for model, task in shipped()}
"""
"""How the page begins."""


@dataclass(frozen=True)
class Example:
    """A picture of a statement's verdict on a shipped model."""

    picture: str
    statement: str
    model: str
    word: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The name of the picture's file."""
        return f"{self.picture.replace('_', '-')}-{self.statement}-{self.model}"

    @property
    def call(self) -> str:
        """The line that draws it."""
        word = f", word={self.word}" if self.word else ""
        return f'{self.picture}(verify("{self.statement}", *known["{self.model}"]){word})'

    def drawn(self) -> Axes:
        """Draw it, and return its axes, of several the last."""
        models = {model.name: (model, task) for model, task in shipped()}
        options = {"word": self.word} if self.word else {}
        axes = picture(self.picture)(prove(STATEMENTS[self.statement], *models[self.model]), **options)
        return axes[-1] if isinstance(axes, list) else axes


EXAMPLES = (
    Example("simplex", "3.3", "only-3-5"),
    Example("simplex", "3.6", "only-3-5"),
    Example("shrinking", "3.3", "neither"),
    Example("prompt_law", "3.6", "only-3-5"),
    Example("margins", "3.3", "umbrella"),
    Example("messages", "3.3", "ice-cream", (0, 2, 1)),
    Example("attention", "C.6", "surely-open", (2, 1, 2, 0)),
)


def page(titles: dict[str, str]) -> str:
    """Write the page; `titles` are the pictures' own, by name."""
    sections = [INTRODUCTION]
    for kind, examples in groupby(EXAMPLES, lambda example: example.picture):
        draw = picture(kind)
        sections.append(f"## {(getdoc(getmodule(draw)) or '').partition(':')[0]}\n")
        sections += [f"{part}\n" for part in (getdoc(draw) or "").split("\n\n")[:2]]
        for example in examples:
            sections += [f"![{titles[example.name]}](pictures/{example.name}.png)\n", f"    {example.call}\n"]
    return "\n".join(sections)


def write(folder: Path) -> None:
    """Draw all pictures and write the page."""
    titles = {}
    (folder / "pictures").mkdir(exist_ok=True)
    for example in EXAMPLES:
        ax = example.drawn()
        titles[example.name] = " ".join(ax.get_title().split())
        ax.figure.savefig(folder / "pictures" / f"{example.name}.png", dpi=DPI, metadata={"Software": None})
    (folder / "pictures.md").write_text(page(titles), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
