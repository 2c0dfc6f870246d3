"""The belief simplex: the posteriors of inputs, coloured by F*, with the labels of a head.

With two states (or values of a memory cell) the simplex is a segment, and the height of a point shows the length of its
input. With three it is a triangle. With more, two scores are drawn that are linear in the posterior.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from constructions.evidence import input_words
from constructions.reading import InputError
from constructions.tasks import Task
from verify.views.plots.coordinates import quadrants, segment, triangle, unseen
from verify.views.plots.inputs import Point, list_points
from verify.views.plots.placing import Name, place
from verify.views.plots.style import Axes, axes, input_text, legend, marker, say, scatter
from verify.views.plots.subject import Source, Subject, choose_subject

MIN_AREA, AREA_PER_PROBABILITY = 9.0, 260.0  # of a marker, in square points; probability 1 has the sum


def simplex(source: Source, task: Task | None = None, *, length: int | None = None, ax: Axes | None = None) -> Axes:
    """Draw the posteriors of all inputs up to a length, with the borders of F* and of the head.

    A ring in the colour of the head's label marks an input that the head mislabels. Hollow markers are inputs outside
    R; theorems of section 4 are not about these. If 3.3 fails on three states, and outputs depend on only two
    dimensions of the posterior, each of the inputs that refute every head has a dotted line through it. All inputs on a
    dotted line have the same masked output.

        import headproof as hp

        hp.plot.simplex(*hp.load("umbrella"))
        hp.plot.simplex(hp.verify("3.6", *hp.load("only-3-5")))

    Raises `InputError` for a length below 1 or too large, one state (or value of a memory cell), three or more labels
    on four or more states (or values), a model without a task, and a verdict on a lemma.
    """
    subject = choose_subject(source, task, prompted=False)
    points = list_points(subject, length)
    kind = "state" if subject.memory is None else "value"
    names = subject.model.states if subject.memory is None else subject.memory.model.values
    if len(names) < 2:
        raise InputError("model", f"one {kind}", "two or more: the posterior is always the same")
    if len(names) > 3 and (labels := len(subject.task.labels)) > 2:
        raise InputError("task", f"{labels} labels on {len(names)} {kind}s", f"two labels, or three {kind}s")
    draw, size = {2: (segment, (6.4, 3.4)), 3: (triangle, (5.6, 4.8))}.get(len(names), (quadrants, (5.6, 4.4)))
    ax = axes(ax, *size)
    pairs = list(zip(points, draw(ax, subject, names, points), strict=True))
    say(ax, sentence(subject, points))
    small_last = sorted(pairs, key=lambda pair: -pair[0].probability)
    for hollow, label in product((False, True), subject.task.labels):
        markers = [(*xy, area(p)) for p, xy in small_last if p.label == label and p.counts is not hollow]
        style = {"marker": marker(label), "linewidth": 0.9, "alpha": 0.8, "zorder": 3}
        scatter(ax, markers, label, f"F* = {label}{', not in R' * hollow}", hollow, **style)
    wrong = [pair for pair in pairs if pair[0].mislabelled]
    for label in subject.task.labels:
        rings = [(*xy, area(p) + 70) for p, xy in wrong if p.head_label == label]
        scatter(ax, rings, label, f"the head says {label}", hollow=True, linewidth=1.6, zorder=4)
    legend(ax)
    refuting = [pair for pair in pairs if pair[0].word in subject.refuting]
    chosen = refuting or wrong or [pair for pair in pairs if len(pair[0].word) == 1]
    names_of = [Name((xy,), input_text(p.word, subject.model), 4 + area(p) ** 0.5 / 2) for p, xy in chosen[:8]]
    place(ax, names_of, [xy for _, xy in pairs])
    return ax


def sentence(subject: Subject, points: Sequence[Point]) -> str:
    """Return the title: a sentence that says what one should see."""
    wrong, of = sum(p.mislabelled for p in points), sum(p.counts for p in points)
    if subject.conclusion is not None and subject.conclusion.holds is False:
        named = ", ".join(input_text(word, subject.model) for word in subject.refuting)
        what = named if len(subject.refuting) <= 3 else input_words(subject.refuting, subject.model)
        dotted = subject.linear is None and len(points[0].posterior) == 3 and unseen(subject)
        why = ": heads see no difference along a dotted line" if dotted else ""
        return f"No head serves {what} together{why}"
    if subject.classifier is None:
        return "F* by the posterior of the input; no head is known"
    what = "The head" if subject.conclusion is None or subject.conclusion.holds else "A candidate"
    behind = " behind its prompt" if subject.classifier.prompt is not None else ""
    inputs = f"{of} inputs" + ("" if subject.memory is None else " of R")
    return f"{what}{behind} " + (f"mislabels {wrong} of the {inputs}" if wrong else f"gives all {inputs} their labels")


def area(point: Point) -> float:
    """Return the area of an input's marker in square points."""
    return MIN_AREA + AREA_PER_PROBABILITY * float(point.probability)
