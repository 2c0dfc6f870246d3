"""The margin of every input by its length: by how much a head decides, and where it decides by convention."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from constructions.reading import InputError
from constructions.rendering import brief
from constructions.tasks import Task
from verify.margin.attention import attention_margins
from verify.margin.linear import Weighed, linear_margins
from verify.shown.plots.chosen import Shown, subject
from verify.shown.plots.inputs import usual_length
from verify.shown.plots.placing import Name, place
from verify.shown.plots.style import INK, Axes, axes, colour, input_text, legend, marker, say
from verify.shown.plots.subject import Subject

SPREAD = 20
"""From which ratio of the largest margin to the smallest on the scale is logarithmic."""

WORTH = 0.95
"""An input is named whose margin is at most this share of the least before it."""


def margins(shown: Shown, task: Task | None = None, *, length: int | None = None, ax: Axes | None = None) -> Axes:
    """Draw the margin of each input up to a length (in R, for an attention head), and a line for the least so far.

    A margin is the difference between the scores of the head's label and of the next; ties have 0, and the line leaves
    them out. Of inputs whose outputs are alike one of the shortest stands for all. A ring marks inputs that the head
    mislabels.

        import headproof as hp

        hp.plot.margins(*hp.load("umbrella"))

    Raises `InputError` where there is no head, no input in R, or no rival label, and for a length that is too large.
    """
    one = subject(shown, task)
    length = usual_length(len(one.model.tokens)) if length is None else length
    found = [input for input in weighed(one, length) if input.margin is not None]
    if not found:
        where = "in R " if one.memory is not None else ""
        raise InputError("margin", f"no input {where}of length {length} or less that has one", "one")
    ax = axes(ax, 6.4, 3.6)
    _inputs(ax, one, found)
    least = least_so_far(found, length)
    if least:
        x, y = zip(*((t + side, _at(w)) for t, w in least.items() for side in (-0.5, 0.5)), strict=True)
        ax.plot(x, y, color=INK, linewidth=1, label="least so far", zorder=2)
    say(ax, sentence(one, found, length))
    _scale(ax, found)
    ax.set(xlim=(0.5, length + 0.5), xticks=range(1, length + 1), ylabel="margin")
    ax.set_xlabel("length of x; alike inputs stand at the shortest" if one.memory is None else "length of x in R")
    legend(ax)
    names = [Name(((_across(one, w), _at(w)),), input_text(w.word, one.model)) for w in _records(least.values())]
    place(ax, names, [(_across(one, w), _at(w)) for w in found])
    return ax


def weighed(one: Subject, length: int) -> list[Weighed]:
    """Return the inputs with their margins."""
    head = one.head
    if one.linear is not None:
        return list(linear_margins(one.problem, one.linear, length))
    assert one.memory is not None
    assert one.attention is head
    return list(attention_margins(one.memory, one.attention, length))


def sentence(one: Subject, found: Sequence[Weighed], length: int) -> str:
    """Say by how much the head decides, and how many inputs it does not."""
    ties, wrong = sum(not w.margin for w in found), sum(w.label != w.head_label for w in found)
    apart = [w for w in found if w.margin]
    parts = [f"{wrong} of {len(found)} mislabelled"] if wrong else []
    parts += [f"{ties} tie{'s' * (ties > 1)}, decided by convention"] if ties else []
    if apart:
        least = min(apart, key=_at)
        others = "the others are decided" if ties else f"the head decides every input up to length {length}"
        parts.append(f"{others} by at least {brief(least.margin)}, reached at {input_text(least.word, one.model)}")
    said = "; ".join(parts)
    return said[0].upper() + said[1:]


def _at(one: Weighed) -> float:
    return float(one.margin or 0)


def _across(one: Subject, input: Weighed) -> float:
    """Put the inputs of each label a little beside their length."""
    return len(input.word) + 0.16 * (input.label - (len(one.task.labels) - 1) / 2)


def least_so_far(found: Iterable[Weighed], length: int) -> dict[int, Weighed]:
    """Return for each length the first input of least margin up to it, apart from ties, where there is one."""
    apart = [one for one in found if one.margin]
    up_to = {t: [one for one in apart if len(one.word) <= t] for t in range(1, length + 1)}
    return {t: min(those, key=lambda one: one.margin or 0) for t, those in up_to.items() if those}


def _records(least: Iterable[Weighed]) -> list[Weighed]:
    """Return those that are worth a name: by so much less than the one before."""
    found: list[Weighed] = []
    for one in least:
        if not found or _at(one) < WORTH * _at(found[-1]):
            found.append(one)
    return found


def _inputs(ax: Axes, one: Subject, found: Sequence[Weighed]) -> None:
    def scatter(own: Sequence[Weighed], said: str, **style: object) -> None:
        if own:
            ax.scatter([_across(one, w) for w in own], list(map(_at, own)), label=said, clip_on=False, **style)

    for label in one.task.labels:
        point = {"s": 16, "marker": marker(label), "color": colour(label), "alpha": 0.8, "linewidth": 0}
        scatter([w for w in found if w.label == label], f"F* = {label}", **point)
    for label in one.task.labels:
        ring = {"s": 70, "facecolor": "none", "edgecolor": colour(label), "linewidth": 1.6}
        scatter([w for w in found if w.head_label == label != w.label], f"the head says {label}", **ring)


def _scale(ax: Axes, found: Sequence[Weighed]) -> None:
    apart = [_at(w) for w in found if w.margin]
    wide = bool(apart) and max(apart) > SPREAD * min(apart)
    if wide and len(apart) == len(found):
        ax.set_yscale("log")
    elif wide:
        ax.set_yscale("symlog", linthresh=min(apart), linscale=0.4)
        ax.set_ylim(bottom=-min(apart) / 2)
    else:
        ax.set_ylim(bottom=-0.06 * max(apart, default=1.0))
