"""Pictures of one model and task, or of a verdict on them, with Matplotlib (the extra `plots`).

Here: one file a picture, each a function that draws exact numbers on an Axes and returns it; and what they share: one
style, the subject, its inputs, exact clipping, and labels that do not cover each other. Not here: the numbers
themselves (`margin`, `views.explain`, `constructions`), or pages that pictures stand in.

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
    """Name the picture of a verdict that says most: why no linear head serves, or else the simplex."""
    return "shrinking" if verdict.statement.head == "linear" and verdict.answer == "fails" else "simplex"


def draw(name: str, verdict: Any, **options: Any) -> tuple[Any, list[str]]:
    """Draw a picture without a screen; return its figure, and the titles of its axes, which say what one should see.

    Raises as `picture` does, and `InputError` where there is nothing to draw: no head, or no prompt.
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
    """Import a picture by its name. Raises `AttributeError` for what is none, `ImportError` without Matplotlib."""
    modules = PICTURES | OF_FAMILIES
    if name not in modules:
        raise AttributeError(f"no picture {name!r}, only {', '.join(modules)}")
    try:
        return getattr(import_module(f"{__name__}.{modules[name]}"), name)
    except ModuleNotFoundError as error:
        raise ImportError(f"no module {error.name}: pip install 'headproof[plots]'") from None
