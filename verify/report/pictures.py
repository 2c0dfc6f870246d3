"""Pictures for pages, as SVG. Their ink is dark on a light page, and light on a dark page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from constructions.reading import InputError
from verify.verdicts import HeadVerdict, Verdict
from verify.views.plots import draw
from verify.views.plots.style import INK, pyplot

INKS = {"light": "#3d444b", "dark": "#c3c9cf"}
"""The ink of pictures on light and on dark pages."""

STYLE = (
    f"<style>:root {{ --ink: {INKS['light']} }} "
    f"@media (prefers-color-scheme: dark) {{ :root {{ --ink: {INKS['dark']} }} }}</style>"
)

CAPTIONS = {
    "simplex": "Posteriors of inputs, and the borders of F* and of the head. "
    "Colour and shape of a point are F*'s label.",
    "shrinking": "The linear heads left after each input, down to none. A line borders those that serve an input.",
    "prompt_law": "What the prompt leaves of the law of H_2: grey without it, blue behind it.",
    "margins": "By how much the head decides on each input, by length.",
    "messages": "Masked outputs of one input, a row for each position.",
    "attention": "Key scores by position: filled where the head attends, on grey where H_i is surely in H*.",
}
"""The caption below each kind of picture."""


@dataclass(frozen=True)
class Picture:
    """A picture: its path in the report, its SVG, a text `alt` that says what one should see, and its caption."""

    file: str
    svg: str
    alt: str
    caption: str


def picture(name: str, kind: str, verdict: Verdict | HeadVerdict, **options: Any) -> Iterator[Picture]:
    """Yield the picture of this kind, a key of `plots.PICTURES`. Yield nothing if `draw` raises an `InputError`."""
    try:
        figure, titles = draw(kind, verdict, **options)
    except InputError:
        return  # the theorem has no head here, or the head no prompt
    written = StringIO()
    with pyplot.rc_context({"svg.hashsalt": "headproof"}):
        figure.savefig(written, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    yield Picture(f"pictures/{name}.svg", themed(written.getvalue()), ". ".join(titles), CAPTIONS[kind])


def of_model(name: str, theorems: Sequence[Verdict], best: Verdict) -> Iterator[Picture]:
    """Yield the pictures of a model, from the verdicts on its theorems, of which the last has a prompt.

    `best`: the first verdict on a theorem whose conclusion holds, or else the first verdict. The picture of margins
    shows the head of `best`, and so does, for a vanilla model, the picture of messages. For a memory model, pictures of
    attention show the heads of `best` and of the last theorem. The simplex shows the first theorem, and the prompt's
    law the last. If the conclusion of the first theorem fails, the picture `shrinking` shows why, and the simplex shows
    the last theorem, too.
    """
    first, last = theorems[0], theorems[-1]
    chosen = [("simplex", first)]
    if first.answer == "fails":
        chosen += [("shrinking", first), ("simplex", last)]
    chosen += [("prompt_law", last), ("margins", best)]
    if best.model.kind == "memory-hmm":
        chosen += [("attention", verdict) for verdict in ([best] if best is last else [best, last])]
    else:
        chosen.append(("messages", best))
    for kind, verdict in chosen:
        yield from picture(f"{name}-{kind}-{verdict.statement.id}", kind, verdict)


def themed(svg: str) -> str:
    """Replace the grey of a picture by a colour that follows the page."""
    head, tag, rest = svg.partition("<defs>")
    return head + STYLE + tag + rest.replace(INK, "var(--ink)")
