"""One style for all pictures: transparent, one grey for all words and lines, and a colour with a marker for each label.

The grey and the colours stand out from a white page and from a dark page, so that one picture serves both. The first
three colours are from the palette of Okabe and Ito, whose colours readers with any colour vision can tell apart. The
fourth is a darker shade of the purple in this palette. Markers repeat the distinction.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from textwrap import fill
from typing import Any

from constructions.evidence import Word, word_text
from constructions.reading import InputError, as_text, printable
from constructions.rendering import Named

try:
    from matplotlib import pyplot as pyplot
    from matplotlib.axes import Axes as Axes
    from matplotlib.text import Text as Text
except ModuleNotFoundError as error:
    if error.name != "matplotlib":
        raise
    raise InputError("matplotlib", "none", "it installed: pip install 'headproof[plots]'") from None

INK = "#797979"
"""The colour of words, axes and borders. A page may replace it by the colour of its own text."""

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#c06a97")
MARKERS = ("o", "s", "^", "D", "v")
"""The colours and the markers of labels 0, 1, ... Pairs of a colour and a marker repeat only after 20 labels."""

TITLE, TEXT, SMALL = 10.0, 9.0, 8.0
"""Font sizes in points, for a column as wide as a notebook's."""

MAX_FRACTION_LENGTH = 5
"""The limit on the characters of a fraction in a cell; a longer fraction is rounded to a decimal."""

NO_BREAK = "\u00a0"
"""A space at which no line is broken."""

MAX_NAME_LENGTH = 26
"""The limit on the characters of a name or an input; a longer text is cut off."""


def colour(label: int) -> str:
    """Return a label's colour."""
    return COLOURS[label % len(COLOURS)]


def marker(label: int) -> str:
    """Return a label's marker."""
    return MARKERS[label % len(MARKERS)]


def axes(ax: Axes | None, width: float, height: float) -> Axes:
    """Put axes into this style and return them. If `ax` is None, make a new figure of `width` x `height` inches."""
    if ax is None:
        _, ax = pyplot.subplots(figsize=(width, height), layout="constrained", facecolor="none")
    ax.set_facecolor("none")
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[:].set_color(INK)
    ax.tick_params(colors=INK, labelsize=SMALL)
    for axis in (ax.xaxis, ax.yaxis):
        axis.label.set(color=INK, fontsize=TEXT)
    return ax


def scatter(ax: Axes, places: Sequence[Any], label: int, text: str, hollow: bool = False, **style: Any) -> None:
    """Draw a marker at each place, (x, y) or (x, y, area), in a label's colour; `text` names them in the legend.

    All are circles, unless `style` says otherwise, as with marker=marker(label).
    """
    hue = colour(label)
    if places:
        style |= {"label": text, "facecolor": "none" if hollow else hue, "edgecolor": hue}
        ax.scatter(*zip(*places, strict=True), **style)


def say(ax: Axes, sentence: str) -> None:
    """Give a picture its title, broken into lines that are about as long as the axes are wide."""
    inches = ax.get_position().width * ax.figure.get_figwidth()
    lines = fill(sentence, max(20, int(inches * 72 / (0.56 * TITLE))), break_long_words=False)
    ax.set_title(lines, x=0.0, ha="left", fontsize=TITLE, color=INK)


def plain(text: str) -> str:
    """Write a name as a picture shows it: on one line, cut off if it is long, with dollar signs escaped."""
    printed = printable(text)
    cut = printed if len(printed) <= MAX_NAME_LENGTH else printed[: MAX_NAME_LENGTH - 1] + "…"
    return cut.replace("$", r"\$")


def cell(entry: Fraction) -> str:
    """Write an entry: a short fraction exactly, any other as a decimal with two significant digits."""
    exact = as_text(entry)
    return exact if len(exact) <= MAX_FRACTION_LENGTH else f"{float(entry):.2g}"


def input_text(word: Word, model: Named) -> str:
    """Write an input in brackets, with spaces at which no line breaks. A long text is cut off."""
    return f"({plain(word_text(word, model))})".replace(" ", NO_BREAK)


def legend(ax: Axes) -> None:
    """Put a legend below the label of the x axis, in as many columns as fit, at most three; each name stands once."""
    handles, names = ax.get_legend_handles_labels()
    once = dict(zip(names, handles, strict=True))
    ax.figure.draw_without_rendering()
    below = ax.xaxis.get_tightbbox()
    used = 0.0 if below is None else (ax.bbox.y0 - below.y0) * 72 / ax.figure.dpi
    place = {"loc": "upper center", "bbox_to_anchor": (0.5, 0.0), "borderaxespad": used / SMALL + 0.4}
    style = {"frameon": False, "fontsize": SMALL, "labelcolor": INK}
    for columns in range(min(3, len(once)), 0, -1):
        drawn = ax.legend(once.values(), once.keys(), ncols=columns, **place, **style)
        for handle in drawn.legend_handles:
            if hasattr(handle, "set_sizes"):
                handle.set_sizes([36.0])
        if drawn.get_window_extent().width <= 1.05 * ax.bbox.width:
            break
