"""The heads that serve the inputs so far: input by input, until none is left, which is why no head works."""

from __future__ import annotations

from math import ceil

from constructions.reading import InputError
from constructions.tasks import Task
from verify.shown.plots.chosen import Shown, subject
from verify.shown.plots.clipping import Polygon
from verify.shown.plots.cuts import Cut, cut
from verify.shown.plots.placing import Name, Places, place
from verify.shown.plots.style import INK, Axes, axes, cell, colour, input_text, pyplot, say
from verify.shown.plots.subject import Subject

PANELS, ACROSS = 6, 2
"""How many steps are drawn side by side at most, and how many in a row."""

FEW = 4
"""Up to how many inputs are named at their borders, and in the sum that excludes all heads."""

DASHES = ("-", (0, (4, 2)), (0, (1, 1)))
"""The borders of label 0, 1, ...: two that coincide are both seen."""


def heads(shown: Shown, task: Task | None = None, *, step: int | None = None, ax: Axes | None = None) -> Axes:
    """Draw the heads that serve the first `step` inputs of a refutation, or all of its inputs: then none is left.

    Grey is the set of heads left. A line is the border of the heads that give one input its label; where the input that
    was added last has it is hatched, in the colour of the label. Where none is left, a paler grey shows what was left
    before. The plane is all heads, or a cut through one (+) that serves all inputs but the last.

        import headproof as hp

        hp.plot.heads(hp.verify("3.3", *hp.load("neither")), step=2)

    Raises `InputError` where the conclusion is not refuted by multipliers for linear heads (3.3), and for no step.
    """
    one = subject(shown, task, prompted=False)
    found = cut(one)
    step = len(found.words) if step is None else step
    if not 0 <= step <= len(found.words):
        raise InputError("step", str(step), f"a number of inputs from 0 to {len(found.words)}")
    ax = axes(ax, 4.6, 4.4)
    _draw(ax, one, found, step)
    _names(ax, one, found, step)
    return ax


def shrinking(shown: Shown, task: Task | None = None) -> list[Axes]:
    """Draw the heads left after each input, side by side: at most six steps, the last of them with none left.

    Grey is the set of heads left. A line is the border of the heads that give one input its label; where the input that
    was added last has it is hatched. The title of the last step is the reason, where it is short: inputs of both labels
    have the same mixture of outputs, with the multipliers of the refutation as weights.

        import headproof as hp

        hp.plot.shrinking(hp.verify("3.3", *hp.load("neither")))

    Raises `InputError` as `heads` does.
    """
    one = subject(shown, task, prompted=False)
    found = cut(one)
    steps = chosen_steps(len(found.words))
    across = min(ACROSS, len(steps))
    down = ceil(len(steps) / across)
    size = (3.1 * across, 3.5 * down)
    _, places = pyplot.subplots(down, across, figsize=size, layout="constrained", facecolor="none", squeeze=False)
    panels = list(places.flat)
    for ax in panels[len(steps) :]:
        ax.set_visible(False)
    for ax, step in zip(panels, steps, strict=False):
        _draw(axes(ax, 0, 0), one, found, step)
    for _ in range(2):  # titles have their height in the first drawing, and squares beside them theirs in the second
        panels[0].figure.draw_without_rendering()
    for ax, step in zip(panels, steps, strict=False):
        _names(ax, one, found, step, settled=True)
    return panels[: len(steps)]


def chosen_steps(last: int) -> list[int]:
    """Return the steps that are drawn: all, or some from the first to the last."""
    panels = min(PANELS, last)
    return sorted({round(1 + i * (last - 1) / max(1, panels - 1)) for i in range(panels)})


def sentence(one: Subject, found: Cut, step: int) -> str:
    """Say which input was added; and of the last why none is left: outputs of both labels have the same mixture."""
    if not step:
        return "All heads"
    added = f"{input_text(found.words[step - 1], one.model)}, label {found.labels[step - 1]}"
    if step < len(found.words):
        return f"Heads that serve {'one input' if step == 1 else f'{step} inputs'}: now {added}"
    said = f"No head serves these {step} inputs"
    if len(found.words) > FEW or len(one.task.labels) > 2:
        return f"{said}: now {added}"
    sides = [_side(one, found, label) for label in (1, 0)]
    return f"{said}, as {sides[0]} {'≈' if any('.' in side for side in sides) else '='} {sides[1]}"


def _side(one: Subject, found: Cut, label: int) -> str:
    parts = []
    for weight, word, own in zip(found.mixture, found.words, found.labels, strict=True):
        if own == label and weight:
            parts.append(f"{'' if weight == 1 else f'{cell(weight)} '}G₁{input_text(word, one.model)}")
    return " + ".join(parts) or "0"


def _draw(ax: Axes, one: Subject, found: Cut, step: int) -> None:
    reach = float(found.window[2][0])
    if left := found.left(step):
        _fill(ax, left, "left", color=INK, alpha=0.4, linewidth=0)
    elif step:
        _fill(ax, found.left(step - 1), "before", color=INK, alpha=0.12, linewidth=0)
    if step:
        hue = colour(found.labels[step - 1])
        _fill(ax, found.serves(step - 1), "added", fill=False, edgecolor=hue, hatch="//", alpha=0.5, linewidth=0)
    for row, i in enumerate(found.of):
        if i < step and (ends := found.border(row)):
            x, y = _xy(ends)
            dashes = DASHES[found.labels[i] % len(DASHES)]
            ax.plot(x, y, color=colour(found.labels[i]), linewidth=1.6, linestyle=dashes, gid=f"border {row}")
    if not found.whole:
        ax.plot([0], [0], marker="+", color=INK, markersize=9, markeredgewidth=1.4, zorder=5)
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xticks=[], yticks=[])
    ax.spines[:].set_visible(True)
    ax.set_xlabel("all heads b, up to what no input tells" if found.whole else "heads b, cut through the one at +")
    say(ax, sentence(one, found, step))


def _fill(ax: Axes, polygon: Polygon, gid: str, **style: object) -> None:
    if len(polygon) > 2:
        ax.fill(*_xy(polygon), gid=gid, **style)


def _xy(polygon: Polygon) -> tuple[list[float], list[float]]:
    return [float(corner[0]) for corner in polygon], [float(corner[1]) for corner in polygon]


def _names(ax: Axes, one: Subject, found: Cut, step: int, settled: bool = False) -> None:
    names = []
    for row, i in enumerate(found.of):
        if i < step <= FEW and (ends := found.border(row)):
            places = _between(*zip(*_xy(ends), strict=True))
            names.append(Name(places, input_text(found.words[i], one.model), 3.0, colour(found.labels[i])))
    place(ax, names, settled=settled)


def _between(a: tuple[float, float], b: tuple[float, float]) -> Places:
    """Return some places on a line at which a name may stand."""
    return tuple((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])) for t in (0.85, 0.15, 0.7, 0.3, 0.92, 0.08))
