"""What a prompt leaves of the law of H_2: bars for each state, without and behind it, with B and H* marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from constructions.linear import Vector
from constructions.reading import InputError
from constructions.tasks import Task
from verify.shown.explain import with_cell
from verify.shown.plots.chosen import Shown, subject
from verify.shown.plots.style import COLOURS, INK, SMALL, Axes, axes, cell, legend, plain, say
from verify.shown.plots.subject import Subject
from verify.words.problem import multiply

LEFT = COLOURS[0]
"""The colour of what is left."""


@dataclass(frozen=True)
class Left:
    """A law of H_2 without the prompt, and behind it, by state; of a memory model of (M_j*, H_2).

    `prompted`: the states that u allows (B, where u is 0 or 1); `recoverable`: H*.
    """

    names: Sequence[str]
    without: Vector
    behind: Vector
    prompted: frozenset[int]
    recoverable: frozenset[int]


def prompt_law(shown: Shown, task: Task | None = None, *, ax: Axes | None = None) -> Axes:
    """Draw P[H_2] and P[H_2 | prompt]: a grey bar without the prompt, a blue one behind it.

    B are the states that u allows the position before, H* what they reach, where the head need be right. Of a memory
    model these are laws of the task's cell with H_2; u marks what the prompt allows, H* where supp(mu) meets H*.

        import headproof as hp

        hp.plot.prompt_law(hp.verify("3.6", *hp.load("only-3-5")))

    Raises `InputError` where there is no head, or one without a prompt.
    """
    one = subject(shown, task, prompted=True)
    found = left(one)
    rows = range(len(found.names))
    ax = axes(ax, 6.0, 1.4 + 0.42 * len(rows))
    law = "H₂" if one.memory is None else f"M_{plain(one.memory.model.cells[one.memory.task.cell])}, H₂"
    ax.barh([i - 0.2 for i in rows], list(map(float, found.without)), 0.34, color=INK, alpha=0.5, label=f"P[{law}]")
    ax.barh([i + 0.2 for i in rows], list(map(float, found.behind)), 0.34, color=LEFT, label=f"P[{law} | prompt]")
    ax.set_yticks(rows, [_name(found, i, "B" if one.memory is None else "u") for i in rows])
    ax.invert_yaxis()
    most = float(max((*found.without, *found.behind)))
    for i in rows:
        for bar, shift in ((found.without, -0.2), (found.behind, 0.2)):
            ax.text(float(bar[i]) + 0.01 * most, i + shift, cell(bar[i]), va="center", fontsize=SMALL, color=INK)
    ax.set(xlim=(0, 1.15 * most), xlabel="probability; fractions exact, decimals rounded")
    say(ax, sentence(found))
    legend(ax)
    return ax


def left(one: Subject) -> Left:
    """Compute both laws. Raises `InputError` where there is no prompt."""
    prompt = one.head.prompt
    if prompt is None:
        raise InputError("prompt", f"none in the head of {one.statement.id}", "a verdict on 3.6, 4.6 or C.6")
    chain = one.problem.model
    without = _normalised(chain.step(chain.first))
    behind = _normalised(chain.step(multiply(prompt.u, chain.first)))
    if one.memory is None:
        return Left(chain.states, without, behind, _support(prompt.u), _support(behind))
    model = one.memory.model
    names = [f"{value} {state}" for value in model.values for state in model.states]
    recoverable = frozenset(m * model.shape.hidden + h for m in one.task.support for h in one.memory.states)
    without, behind, allowed = (with_cell(one.memory, law) for law in (without, behind, prompt.u))
    return Left(names, without, behind, _support(allowed), recoverable)


def _normalised(law: Vector) -> Vector:
    total = sum(law, Fraction(0)) or Fraction(1)
    return tuple(p / total for p in law)


def _support(vector: Vector) -> frozenset[int]:
    return frozenset(h for h, entry in enumerate(vector) if entry)


def _name(found: Left, state: int, allowed: str) -> str:
    marks = [mark for mark, states in ((allowed, found.prompted), ("H*", found.recoverable)) if state in states]
    return plain(found.names[state]) + (f"  [{', '.join(marks)}]" if marks else "")


def sentence(found: Left) -> str:
    """Say what is left."""
    possible = [h for h, p in enumerate(found.without) if p]
    kept = [h for h, p in enumerate(found.behind) if p]
    if not kept:
        return "Behind the prompt nothing is possible: its output is 0"
    if len(kept) == len(possible):
        law = "its law" if found.without == found.behind else "another law"
        return f"The prompt leaves all {len(possible)} possible states of H₂, with {law}"
    return f"The prompt leaves {len(kept)} of {len(possible)} possible states of H₂"
