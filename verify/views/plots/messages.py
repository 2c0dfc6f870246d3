"""The masked outputs of one input as a heat map, with the numbers in the cells if they fit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from constructions.tasks import Task
from verify.views.explain import MemoryExplanation
from verify.views.plots.style import INK, SMALL, Axes, axes, cell, input_text, plain, say
from verify.views.plots.subject import Source, choose_subject

HALFWAY = 0.47
"""The share at which the colour of a cell has the same contrast to black as to white, as WCAG 2 defines contrast."""


def messages(
    source: Source, task: Task | None = None, word: Sequence[int] | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw the masked outputs of one input: a row for each position, a column for each token.

    The colour of a cell shows the entry's share of its row. An entry of 0 has no colour. Fractions are exact, decimals
    rounded. An arrow marks each position whose output the head reads. `word`: token indices; by default a short input
    with many different tokens.

        import headproof as hp

        hp.plot.messages(*hp.load("ice-cream"), (0, 2, 2))

    Raises `InputError` for a `word` that is no input, a model without a task, and a verdict on a lemma.
    """
    subject = choose_subject(source, task)
    explanation = subject.explained(word)
    columns, rows = subject.model.tokens, [step.output for step in explanation.steps]
    if isinstance(explanation, MemoryExplanation):
        read = {i for i, step in enumerate(explanation.steps) if step.attended}
    else:
        read = set() if subject.linear is None else {explanation.read}
    names = ["▸ " * (i in read) + f"{i + 1}: {plain(token)}" for i, token in enumerate(explanation.tokens)]
    ax = axes(ax, max(4.8, 1.6 + 0.62 * min(len(columns), 16)), 1.5 + 0.34 * len(rows))  # inches
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    shares = np.array([[float(entry / sum(row)) if entry else np.nan for entry in row] for row in rows])
    ax.imshow(shares, cmap="cividis", vmin=0.0, vmax=1.0, aspect="auto")
    ax.set_yticks(range(len(rows)), names)
    ax.set_xticks(range(len(columns)), list(map(plain, columns)))
    if max(map(len, columns)) * len(columns) > 60:
        ax.tick_params(axis="x", labelrotation=90)
    ax.set_xlabel(f"x = {input_text(explanation.word, subject.model)}" + (";  ▸ read by the head" if read else ""))
    prompted = subject.classifier and subject.classifier.prompt
    say(ax, f"What the other tokens say of each token: {'Ḡ_i' if prompted else 'G_i'}")
    ax.figure.draw_without_rendering()
    width, height = np.abs(np.subtract(*ax.transData.transform([(0, 0), (1, 1)])))
    texts = []
    for (i, j), share in np.ndenumerate(shares):
        shade = INK if np.isnan(share) else "black" if share > HALFWAY else "white"
        texts.append(ax.text(j, i, cell(rows[i][j]), ha="center", va="center", fontsize=SMALL, color=shade))
    if any(box.width > width - 2 or box.height > height for box in (text.get_window_extent() for text in texts)):
        for text in texts:  # where one does not fit, none is written
            text.remove()
    return ax
