"""Messages and masked outputs as heat maps: of one input, with the numbers in their cells where they fit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from constructions.linear import Vector
from constructions.reading import InputError
from constructions.tasks import Task
from verify.views.explain import MESSAGES, Explanation, MemoryExplanation
from verify.views.plots.style import INK, SMALL, Axes, axes, cell, input_text, plain, say
from verify.views.plots.subject import Source, Subject, choose_subject

WORDS = {
    "embedding": "What each token says of its state: P[X_i | H_i], and u",
    "right": "What the tokens before say: P[H_i, X before i]",
    "left": "What the tokens after say: P[H_i, X after i]",
    "tau": "What all other tokens say: τ_i = P[H_i, X except i]",
    "columns": "What the other tokens say of memory and state: P[M_J, H | X except i]",
    "output": "What the other tokens say of each token: G_i",
}
"""What each heat map is of."""


def messages(
    source: Source,
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
    subject = choose_subject(source, task)
    explanation = subject.explained(word)
    rows, names, read, columns = _matrix(subject, explanation, of)
    ax = axes(ax, max(4.8, 1.6 + 0.62 * min(len(columns), 16)), 1.5 + 0.34 * len(rows))  # inches
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    shares = np.array([[float(entry / sum(row)) if entry else np.nan for entry in row] for row in rows])
    image = ax.imshow(shares, cmap="cividis", vmin=0.0, vmax=1.0, aspect="auto")
    ax.set_yticks(range(len(rows)), [f"▸ {name}" if i in read else name for i, name in enumerate(names)])
    ax.set_xticks(range(len(columns)), list(map(plain, columns)))
    if max(map(len, columns)) * len(columns) > 60:
        ax.tick_params(axis="x", labelrotation=90)
    ax.set_xlabel(f"x = {input_text(explanation.word, subject.model)}" + (";  ▸ read by the head" if read else ""))
    say(ax, WORDS[of].replace("G_i", "Ḡ_i") if subject.classifier and subject.classifier.prompt else WORDS[of])
    ax.figure.draw_without_rendering()
    width, height = (abs(b - a) for a, b in zip(*ax.transData.transform([(0, 0), (1, 1)]), strict=True))
    texts = []
    for (i, j), share in np.ndenumerate(shares):
        luminance = np.dot((0.2126, 0.7152, 0.0722), np.array(image.to_rgba(share)[:3]) ** 2.2)
        shade = INK if np.isnan(share) else "black" if luminance > 0.18 else "white"
        texts.append(ax.text(j, i, cell(rows[i][j]), ha="center", va="center", fontsize=SMALL, color=shade))
    if any(box.width > width - 2 or box.height > height for box in (text.get_window_extent() for text in texts)):
        for text in texts:  # where one does not fit, none is written
            text.remove()
    return ax


def _matrix(
    subject: Subject, explanation: Explanation | MemoryExplanation, of: str
) -> tuple[Sequence[Vector], Sequence[str], set[int], Sequence[str]]:
    """Return the rows, their names, which of them the head reads, and the names of the columns."""
    kinds = ("columns", "output") if subject.memory is not None else (*MESSAGES, "output")
    if of not in kinds:
        raise InputError("of", repr(of), f"one of {', '.join(kinds)}")
    columns = list(subject.model.tokens if of == "output" else subject.model.states)
    rows = [tuple(getattr(step, of)) for step in explanation.steps]
    if not isinstance(explanation, MemoryExplanation):
        read = {explanation.read} if of == "output" and subject.linear is not None else set()
    else:
        read = {i for i, step in enumerate(explanation.steps) if step.attended}
        if of == "columns":
            possible = [c for c in range(explanation.model.shape.columns) if any(row[c] for row in rows)]
            rows = [tuple(row[c] for c in possible) for row in rows]
            columns = list(map(explanation.model.column_name, possible))
    return rows, [f"{i}: {plain(token)}" for i, token in enumerate(explanation.tokens, 1)], read, columns
