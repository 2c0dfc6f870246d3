"""Pictures of a model with its task, of a verdict, or of a family of models, with Matplotlib (the extra `plots`).

Here: one file for each picture, with a function that draws exact numbers on Axes and returns the Axes; and shared code:
the style, the theorem and model that are drawn (`subject`), their inputs, exact clipping, and names that do not cover
each other. Not here: the numbers themselves (`margin`, `views.explain`, `constructions`), or pages that pictures stand
in.

    from verify.views.plots.simplex import simplex
    simplex(verify("3.3", model, task))
"""

from importlib import import_module
from typing import Any

PICTURES = {
    "attention": "attention",
    "margins": "margin",
    "messages": "messages",
    "prompt_law": "prompt",
    "shrinking": "shrinking",
    "simplex": "simplex",
}
"""The module of each picture of a model, or a verdict."""

OF_FAMILIES = {"phase_diagram": "phases"}
"""The module of each picture of a family of models."""

NAMES_PLACED_LAST = ("simplex", "shrinking", "margins")
"""Pictures that place names after the layout is final: a second layout would move them."""


def usual_picture(verdict: Any) -> str:
    """Name the most telling picture of a verdict: shrinking if several inputs refute all linear heads, else simplex."""
    several = len(verdict.counterexample) > 1
    return "shrinking" if verdict.statement.head == "linear" and several else "simplex"


def draw(name: str, verdict: Any, **options: Any) -> tuple[Any, list[str]]:
    """Draw a picture without a screen; return its figure, and the titles of its axes, which say what one should see.

    Raises the errors of `picture`, and `InputError` if the head or the prompt to draw does not exist.
    """
    function, pyplot = picture(name), import_module("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    function(verdict, **options)
    figure = pyplot.gcf()
    if name in NAMES_PLACED_LAST:
        figure.set_layout_engine("none")
    pyplot.close(figure)
    return figure, [" ".join(ax.get_title().split()).replace("\\$", "$") for ax in figure.axes]


def picture(name: str) -> Any:
    """Import a picture's function. Raises `AttributeError` for an unknown name, `InputError` without Matplotlib."""
    modules = PICTURES | OF_FAMILIES
    if name not in modules:
        raise AttributeError(f"no picture {name!r}, only {', '.join(modules)}")
    return getattr(import_module(f"{__name__}.{modules[name]}"), name)
