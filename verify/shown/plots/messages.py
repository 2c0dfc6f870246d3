"""Messages and masked outputs as heat maps: of one input, with the numbers in their cells where they fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from constructions.linear import Vector
from constructions.reading import InputError
from constructions.tasks import Task
from verify.shown.explain import MESSAGES, Explanation, MemoryExplanation
from verify.shown.plots.chosen import Shown, subject
from verify.shown.plots.style import INK, SMALL, Axes, axes, cell, input_text, plain, say
from verify.shown.plots.subject import Subject

WORDS = {
    "embedding": "What each token says of its state: P[X_i | H_i], and u",
    "right": "What the tokens before say: P[H_i, X before i]",
    "left": "What the tokens after say: P[H_i, X after i]",
    "tau": "What all other tokens say: τ_i = P[H_i, X except i]",
    "columns": "What the other tokens say of memory and state: P[M_J, H | X except i]",
    "output": "What the other tokens say of each token: G_i",
}
"""What each heat map is of."""

CELL = (0.62, 0.34)
"""The width and height of a cell in inches, where the picture may choose."""

NARROWEST = 4.8
"""The width of a picture with few columns."""


def messages(
    shown: Shown,
    task: Task | None = None,
    word: Sequence[int] | None = None,
    *,
    of: str = "output",
    ax: Axes | None = None,
) -> Axes:
    """Draw one message of one input, or its masked outputs: a row for each position, a column for each state or token.

    `of`: "embedding", "right", "left", "tau" or "output"; for a memory model "columns" or "output". A colour is an
    entry's share of its row; zeros are empty. Fractions are exact, decimals rounded. An arrow marks what a head reads.

        import headproof as hp
        from matplotlib import pyplot

        figure, places = pyplot.subplots(1, 3, figsize=(12, 3), layout="constrained")
        for ax, of in zip(places, ("right", "left", "output")):
            hp.plot.messages(*hp.load("ice-cream"), (0, 2, 2), of=of, ax=ax)

    Raises `InputError` for another `of`, and for what is no input.
    """
    one = subject(shown, task)
    found = one.explained(word)
    rows, names, read, columns = _matrix(one, found, of)
    ax = axes(ax, max(NARROWEST, 1.6 + min(len(columns), 16) * CELL[0]), 1.5 + len(rows) * CELL[1])
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    shares = np.array([[float(entry / sum(row)) if entry else np.nan for entry in row] for row in rows])
    image = ax.imshow(shares, cmap="cividis", vmin=0.0, vmax=1.0, aspect="auto")
    ax.set_yticks(range(len(rows)), [f"▸ {name}" if i in read else name for i, name in enumerate(names)])
    ax.set_xticks(range(len(columns)), list(map(plain, columns)))
    if max(map(len, columns)) * len(columns) > 60:
        ax.tick_params(axis="x", labelrotation=90)
    ax.set_xlabel(f"x = {input_text(found.word, one.model)}" + (";  ▸ read by the head" if read else ""))
    behind = one.classifier is not None and one.classifier.prompt is not None
    say(ax, WORDS[of].replace("G_i", "Ḡ_i") if behind else WORDS[of])
    _numbers(ax, rows, shares, image)
    return ax


def _matrix(
    one: Subject, found: Explanation | MemoryExplanation, of: str
) -> tuple[Sequence[Vector], Sequence[str], set[int], Sequence[str]]:
    """Return the rows, their names, which of them the head reads, and the names of the columns."""
    kinds = ("columns", "output") if one.memory is not None else (*MESSAGES, "output")
    if of not in kinds:
        raise InputError("of", repr(of), f"one of {', '.join(kinds)}")
    columns = list(one.model.tokens if of == "output" else one.model.states)
    rows = [tuple(getattr(step, of)) for step in found.steps]
    if not isinstance(found, MemoryExplanation):
        read = {found.read} if of == "output" and one.linear is not None else set()
    else:
        read = {i for i, step in enumerate(found.steps) if step.attended}
        if of == "columns":
            kept = [c for c in range(found.model.shape.columns) if any(row[c] for row in rows)]
            rows, columns = [tuple(row[c] for c in kept) for row in rows], list(map(found.model.column_name, kept))
    return rows, [f"{i}: {plain(token)}" for i, token in enumerate(found.tokens, 1)], read, columns


def _numbers(ax: Axes, rows: Sequence[Vector], shares: Any, image: Any) -> None:
    """Write the entries into their cells, all of them or, where one does not fit, none."""
    ax.figure.draw_without_rendering()
    width, height = (abs(b - a) for a, b in zip(*ax.transData.transform([(0, 0), (1, 1)]), strict=True))
    written = []
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            shade = INK if np.isnan(shares[i, j]) else _ink_on(image.to_rgba(shares[i, j]))
            written.append(ax.text(j, i, cell(entry), ha="center", va="center", fontsize=SMALL, color=shade))
    boxes = [text.get_window_extent() for text in written]
    if any(box.width > width - 2 or box.height > height for box in boxes):
        for text in written:
            text.remove()


def _ink_on(rgba: Sequence[float]) -> str:
    """Return black or white, whichever is further from a colour."""
    return "black" if 0.2126 * rgba[0] ** 2.2 + 0.7152 * rgba[1] ** 2.2 + 0.0722 * rgba[2] ** 2.2 > 0.18 else "white"
