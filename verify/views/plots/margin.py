"""The margins of inputs by length: by how much a linear head decides, and which inputs are ties.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from constructions.heads import Classifier
from constructions.reading import InputError
from constructions.rendering import brief
from constructions.tasks import Task
from verify.margin.linear import InputMargin, linear_margins
from verify.views.plots.inputs import greatest_length
from verify.views.plots.placing import Name, place
from verify.views.plots.style import INK, Axes, axes, input_text, legend, marker, say, scatter
from verify.views.plots.subject import Source, Subject, choose_subject


def margins(source: Source, task: Task | None = None, *, length: int | None = None, ax: Axes | None = None) -> Axes:
    """Draw the margin of each input up to a length, and a line for the least margin so far.

    The margin is the difference between the largest score of the head and the next, where G is scaled to sum 1. Labels
    with the same row in the head as the winner do not count. A tie has the margin 0, and the line leaves ties out.
    Inputs whose beta(x) are proportional are one point, at the length of the shortest. A ring marks an input that the
    head mislabels.

        import headproof as hp

        hp.plot.margins(*hp.load("umbrella"))

    Raises `InputError` if there is no linear head, if no input has a margin, and for a length below 1 or too large.
    """
    subject = choose_subject(source, task)
    if subject.memory is not None or not isinstance(subject.head, Classifier):
        raise InputError("model", "one with memory", "a vanilla model: margins are those of linear heads")
    length = greatest_length(length, len(subject.model.tokens))
    inputs = [w for w in linear_margins(subject.problem, subject.head, length) if w.margin is not None]
    if not inputs:
        raise InputError("margin", f"no input of length {length} or less that has one", "one")
    ax = axes(ax, 6.4, 3.6)
    for label in subject.task.labels:
        of_label = [_place(subject, w) for w in inputs if w.label == label]
        wrong = [_place(subject, w) for w in inputs if w.head_label == label != w.label]
        scatter(ax, of_label, label, f"F* = {label}", s=16, marker=marker(label), alpha=0.8, linewidth=0, clip_on=False)
        scatter(ax, wrong, label, f"the head says {label}", True, s=70, linewidth=1.6, zorder=2, clip_on=False)
    apart = [w for w in inputs if w.margin]
    up_to = {t: [w for w in apart if len(w.word) <= t] for t in range(1, length + 1)}
    least = {t: min(shorter, key=lambda w: w.margin or 0) for t, shorter in up_to.items() if shorter}
    if least:
        x, y = zip(*((t + side, float(w.margin or 0)) for t, w in least.items() for side in (-0.5, 0.5)), strict=True)
        ax.plot(x, y, color=INK, linewidth=1, label="least so far", zorder=2)
    ties, mislabelled = len(inputs) - len(apart), sum(w.label != w.head_label for w in inputs)
    parts = [f"{mislabelled} of {len(inputs)} mislabelled"] * bool(mislabelled)
    parts += [f"{ties} tie{'s' * (ties > 1)}, decided by convention"] * bool(ties)
    if (last := least.get(length)) is not None:
        others = "the others are decided" if ties else f"the head decides every input up to length {length}"
        parts.append(f"{others} by at least {brief(last.margin)}, reached at {input_text(last.word, subject.model)}")
    sentence = "; ".join(parts)
    say(ax, sentence[0].upper() + sentence[1:])
    heights = [float(w.margin or 0) for w in apart]
    if not heights or max(heights) <= 20 * min(heights):
        ax.set_ylim(bottom=-0.06 * max(heights, default=1.0))
    elif len(apart) == len(inputs):
        ax.set_yscale("log")
    else:
        ax.set_yscale("symlog", linthresh=min(heights), linscale=0.4)
        ax.set_ylim(bottom=-min(heights) / 2)
    ax.set(
        xlim=(0.5, length + 0.5),
        xticks=range(1, length + 1),
        xlabel="length of x; alike inputs stand at the shortest",
        ylabel="margin",
    )
    legend(ax)
    names, previous = list[Name](), float("inf")
    for w in least.values():
        if (at := _place(subject, w))[1] < 0.95 * previous:  # a smaller step is not worth a name
            names.append(Name((at,), input_text(w.word, subject.model)))
            previous = at[1]
    place(ax, names, [_place(subject, w) for w in inputs])
    return ax


def _place(subject: Subject, weighed: InputMargin) -> tuple[float, float]:
    """Return an input's place: its length, shifted a little by its label, and its margin."""
    beside = 0.16 * (weighed.label - (len(subject.task.labels) - 1) / 2)
    return len(weighed.word) + beside, float(weighed.margin or 0)
