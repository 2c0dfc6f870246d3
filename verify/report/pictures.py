"""Pictures for pages: drawn where there is one, as SVG that is dark on light pages and light on dark ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from typing import Any

from constructions.evidence import Word
from constructions.memory.model import MemoryHMM
from constructions.reading import InputError
from verify.report.content import Picture
from verify.shown.plots.attention import attention
from verify.shown.plots.heads import shrinking
from verify.shown.plots.margin import margins
from verify.shown.plots.messages import messages
from verify.shown.plots.prompt import prompt_law
from verify.shown.plots.simplex import simplex
from verify.shown.plots.style import INK, pyplot
from verify.verdicts import HeadVerdict, Verdict

INKS = {"light": "#3d444b", "dark": "#c3c9cf"}
"""What stands for the one grey of pictures, on a page that knows its own colour."""

STYLE = (
    f"<style>:root {{ --ink: {INKS['light']} }} "
    f"@media (prefers-color-scheme: dark) {{ :root {{ --ink: {INKS['dark']} }} }}</style>"
)

CAPTIONS: dict[Callable[..., Any], str] = {
    simplex: "Posteriors of inputs, and the borders of F* and of the head. Colour and shape of a point are F*'s label.",
    shrinking: "The linear heads left after each input, down to none. A line borders those that serve an input.",
    prompt_law: "What the prompt leaves of the law of H_2: grey without it, blue behind it.",
    margins: "By how much the head decides on each input, by length.",
    messages: "Masked outputs of one input, a row for each position.",
    attention: "Key scores by position: filled where the head attends, on grey where H_i is surely in H*.",
}
"""What is said below a picture."""


NAMING = (simplex, shrinking, margins)
"""Those that place names last, where nothing moves any more."""


def picture(name: str, draw: Callable[..., Any], *shown: Any, **more: Any) -> Iterator[Picture]:
    """Draw one, if there is one of this kind."""
    pyplot.switch_backend("agg")
    try:
        drawn = draw(*shown, **more)
        axes = drawn if isinstance(drawn, list) else [drawn]
        if draw in NAMING:
            axes[0].figure.set_layout_engine("none")
        written = StringIO()
        with pyplot.rc_context({"svg.hashsalt": "headproof"}):
            axes[0].figure.savefig(written, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    except InputError:
        return  # the theorem has no head here, or the head no prompt
    finally:
        pyplot.close("all")
    alt = ". ".join(" ".join(ax.get_title().split()) for ax in axes)
    yield Picture(name, themed(written.getvalue()), alt.replace("\\$", "$"), CAPTIONS[draw])


def of_model(name: str, verdicts: Sequence[Verdict]) -> list[Picture]:
    """Draw what there is of the verdicts on one model: those on theorems."""
    theorems = [verdict for verdict in verdicts if verdict.statement.head]
    best = next((verdict for verdict in theorems if verdict.answer == "holds"), theorems[0])
    return [
        found
        for part, draw, verdict in _chosen(theorems, best)
        for found in picture(f"{name}-{part}-{verdict.statement.id}", draw, verdict)
    ]


def _chosen(theorems: Sequence[Verdict], best: Verdict) -> Iterator[tuple[str, Callable[..., Any], Verdict]]:
    """Yield the pictures of a model: one of each kind, and of those that show a failure also where it is mended."""
    first, last = theorems[0], theorems[-1]
    yield "simplex", simplex, first
    if first.answer == "fails":
        yield "shrinking", shrinking, first
        yield "simplex", simplex, last
    yield "prompt", prompt_law, last
    yield "margins", margins, best
    if isinstance(best.model, MemoryHMM):
        yield "attention", attention, best
        if best is not last:
            yield "attention", attention, last
    else:
        yield "outputs", messages, best


def of_failure(name: str, word: Word, theorem: Verdict | HeadVerdict) -> Iterator[Picture]:
    """Draw an input on which something fails, with a head on the same model."""
    draw = attention if isinstance(theorem.model, MemoryHMM) else messages
    yield from picture(name, draw, theorem, word=word)


def of_exhibit(name: str, verdict: Verdict) -> Iterator[Picture]:
    """Draw a theorem without one of its hypotheses: why no head will do, or where inputs lie."""
    refuted = verdict.statement.head == "linear" and verdict.answer == "fails"
    yield from picture(name, shrinking if refuted else simplex, verdict)


def themed(svg: str) -> str:
    """Let the grey of a picture follow the page."""
    head, tag, rest = svg.partition("<defs>")
    return head + STYLE + tag + rest.replace(INK, "var(--ink)")
