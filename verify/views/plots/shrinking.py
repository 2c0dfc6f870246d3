"""Why no head works: the set of linear heads that are right on the first 1, 2, 3, ... inputs shrinks to nothing."""

from __future__ import annotations

import numpy as np

from constructions.tasks import Task
from verify.views.plots.clipping import in_plane
from verify.views.plots.cuts import Cut, cut
from verify.views.plots.placing import Name, place
from verify.views.plots.style import INK, Axes, axes, cell, colour, input_text, pyplot, say
from verify.views.plots.subject import Source, Subject, choose_subject

MAX_PANELS, PANELS_IN_A_ROW, MAX_NAMED_INPUTS = 6, 2, 4
"""The limit on steps that are drawn, the panels in a row, and the limit on inputs that are named."""

DASHES = ("-", (0, (4, 2)), (0, (1, 1)))  # of label 0, 1, ...: two borders that coincide are both seen


def shrinking(source: Source, task: Task | None = None) -> list[Axes]:
    """Draw the heads that are left after each input: at most six panels, and in the last no head is left.

    The heads left are grey; if none is left, a paler grey shows the heads left one step before. Each line is the border
    of the heads that give one input its label. The heads that give the newest input its label are hatched in the
    label's colour. Each panel shows the same plane of heads. This is the plane of all heads, or a plane through one
    head, which is marked + and serves all inputs but the last.

    With two labels and at most four inputs, the title of the last step gives the reason: a mixture of the outputs for
    label 1 equals a mixture of the outputs for label 0. Their weights are the multipliers of the refutation.

        import headproof as hp

        hp.plot.shrinking(hp.verify("3.3", *hp.load("neither")))

    Raises `InputError` unless multipliers of two or more inputs refute 3.3, and heads have two or more entries.
    """
    subject = choose_subject(source, task, prompted=False)
    plane = cut(subject)
    steps = chosen_steps(len(plane.words))
    across = min(PANELS_IN_A_ROW, len(steps))
    down = -(-len(steps) // across)
    figure = pyplot.figure(figsize=(3.1 * across, 3.5 * down), layout="constrained", facecolor="none")
    panels = [axes(figure.add_subplot(down, across, i), 0, 0) for i in range(1, len(steps) + 1)]
    named = [_draw(ax, subject, plane, step) for ax, step in zip(panels, steps, strict=True)]
    for _ in range(2):  # titles have their height in the first drawing, and squares beside them theirs in the second
        figure.draw_without_rendering()
    for ax, names in zip(panels, named, strict=True):
        place(ax, names, settled=True)
    return panels


def chosen_steps(last: int) -> list[int]:
    """Return the numbers of the steps that are drawn, from 1 to `last`: all, or `MAX_PANELS` evenly spread ones."""
    return list(map(int, np.linspace(1, last, min(MAX_PANELS, last)).round()))


def sentence(subject: Subject, plane: Cut, step: int) -> str:
    """Say which input was added; at the last step, instead, why no head is left: an equation of mixtures of outputs.

    With three or more labels, or more than `MAX_NAMED_INPUTS` inputs, the last step has no equation, and names the
    added input.
    """
    added = f"{input_text(plane.words[step - 1], subject.model)}, label {plane.labels[step - 1]}"
    if step < len(plane.words):
        return f"Heads that serve {'one input' if step == 1 else f'{step} inputs'}: now {added}"
    none_left = f"No head serves these {step} inputs"
    if len(plane.words) > MAX_NAMED_INPUTS or len(subject.task.labels) > 2:
        return f"{none_left}: now {added}"
    sides = {0: list[str](), 1: list[str]()}
    for weight, word, label in zip(plane.mixture, plane.words, plane.labels, strict=True):
        if weight:
            sides[label].append(f"{'' if weight == 1 else f'{cell(weight)} '}G₁{input_text(word, subject.model)}")
    left, right = (" + ".join(sides[label]) or "0" for label in (1, 0))
    return f"{none_left}, as {left} {'≈' if '.' in left + right else '='} {right}"


def _draw(ax: Axes, subject: Subject, plane: Cut, step: int) -> list[Name]:
    """Draw a panel; return the names of the inputs at their borders, or none if there are too many inputs."""
    reach, hue = float(plane.window[2][0]), colour(plane.labels[step - 1])
    left, names = plane.serves(range(step)), list[Name]()
    grey = {"gid": "left", "color": INK, "alpha": 0.4} if left else {"gid": "before", "color": INK, "alpha": 0.12}
    hatched = {"gid": "added", "fill": False, "edgecolor": hue, "hatch": "//", "alpha": 0.5}
    for polygon, style in ((left or plane.serves(range(step - 1)), grey), (plane.serves([step - 1]), hatched)):
        if polygon:
            ax.fill(*zip(*in_plane(polygon), strict=True), linewidth=0, **style)
    for row, i in enumerate(plane.input_of):
        if i < step and (ends := in_plane(plane.border(row))):
            (x, y), (u, v), label = *ends, plane.labels[i]
            style = {"color": colour(label), "linestyle": DASHES[label % len(DASHES)]}
            ax.plot([x, u], [y, v], linewidth=1.6, gid=f"border {row}", **style)
            if step <= MAX_NAMED_INPUTS:
                places = tuple((x + t * (u - x), y + t * (v - y)) for t in (0.85, 0.15, 0.7, 0.3, 0.92, 0.08))
                names.append(Name(places, input_text(plane.words[i], subject.model), 3.0, colour(label)))
    if not plane.covers_all:
        ax.plot([0], [0], marker="+", color=INK, markersize=9, markeredgewidth=1.4, zorder=5)
    heads = "all heads b, up to what no input tells" if plane.covers_all else "heads b, cut through the one at +"
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xticks=[], yticks=[], xlabel=heads)
    ax.spines[:].set_visible(True)
    say(ax, sentence(subject, plane, step))
    return names
