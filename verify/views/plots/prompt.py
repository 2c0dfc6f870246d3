"""What a prompt leaves of the law of H_2: bars for each state, without and behind it, with B and H* marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from constructions.linear import Vector
from constructions.reading import InputError
from constructions.tasks import Task
from verify.views.explain import with_cell
from verify.views.plots.style import COLOURS, INK, SMALL, Axes, axes, cell, legend, plain, say
from verify.views.plots.subject import Source, Subject, choose_subject
from verify.words.problem import multiply


@dataclass(frozen=True)
class Laws:
    """The law of H_2 without the prompt, and behind it, by state; of a memory model of (M_j*, H_2).

    `prompted`: the states that u allows (B, where u is 0 or 1); `recoverable`: H*.
    """

    names: Sequence[str]
    without: Vector
    behind: Vector
    prompted: frozenset[int]
    recoverable: frozenset[int]


def prompt_law(source: Source, task: Task | None = None, *, ax: Axes | None = None) -> Axes:
    """Draw P[H_2] and P[H_2 | prompt]: a grey bar without the prompt, a blue one behind it.

    B are the states that u allows the position before, H* what they reach, where the head need be right. Of a memory
    model these are laws of the task's cell with H_2; u marks what the prompt allows, H* where supp(mu) meets H*.

        import headproof as hp

        hp.plot.prompt_law(hp.verify("3.6", *hp.load("only-3-5")))

    Raises `InputError` where there is no head, or one without a prompt.
    """
    subject = choose_subject(source, task, prompted=True)
    laws = laws_of(subject)
    rows, memory = range(len(laws.names)), subject.memory
    allowed, law = ("u", f"M_{plain(memory.model.cells[memory.task.cell])}, H₂") if memory else ("B", "H₂")
    ax = axes(ax, 6.0, 1.4 + 0.42 * len(rows))
    limit = float(max((*laws.without, *laws.behind)))
    bars = (laws.without, -0.2, INK, 0.5, f"P[{law}]"), (laws.behind, 0.2, COLOURS[0], 1.0, f"P[{law} | prompt]")
    for bar, shift, colour, alpha, label in bars:
        ax.barh([i + shift for i in rows], list(map(float, bar)), 0.34, color=colour, alpha=alpha, label=label)
        for i in rows:
            ax.text(float(bar[i]) + 0.01 * limit, i + shift, cell(bar[i]), va="center", fontsize=SMALL, color=INK)
    marks = [(allowed, laws.prompted), ("H*", laws.recoverable)]
    of_rows = [", ".join(mark for mark, states in marks if i in states) for i in rows]
    ax.set_yticks(rows, [plain(laws.names[i]) + f"  [{of_rows[i]}]" * bool(of_rows[i]) for i in rows])
    ax.invert_yaxis()
    ax.set(xlim=(0, 1.15 * limit), xlabel="probability; fractions exact, decimals rounded")
    say(ax, sentence(laws))
    legend(ax)
    return ax


def laws_of(subject: Subject) -> Laws:
    """Compute both laws. Raises `InputError` where there is no prompt."""
    prompt = subject.head.prompt
    if prompt is None:
        raise InputError("prompt", f"none in the head of {subject.statement.id}", "a verdict on 3.6, 4.6 or C.6")
    chain = subject.problem.model
    without = _normalised(chain.step(chain.first))
    behind = _normalised(chain.step(multiply(prompt.u, chain.first)))
    if subject.memory is None:
        return Laws(chain.states, without, behind, _support(prompt.u), _support(behind))
    model = subject.memory.model
    names = [f"{value} {state}" for value in model.values for state in model.states]
    recoverable = frozenset(
        m * model.shape.hidden + h for m in subject.task.support for h in subject.memory.recoverable_states
    )
    without, behind, allowed = (with_cell(subject.memory, law) for law in (without, behind, prompt.u))
    return Laws(names, without, behind, _support(allowed), recoverable)


def _normalised(law: Vector) -> Vector:
    return tuple(p / (sum(law) or 1) for p in law)


def _support(vector: Vector) -> frozenset[int]:
    return frozenset(h for h, entry in enumerate(vector) if entry)


def sentence(laws: Laws) -> str:
    """Say which states the prompt leaves."""
    possible = [h for h, p in enumerate(laws.without) if p]
    left = [h for h, p in enumerate(laws.behind) if p]
    if not left:
        return "Behind the prompt nothing is possible: its output is 0"
    if len(left) == len(possible):
        law = "its law" if laws.without == laws.behind else "another law"
        return f"The prompt leaves all {len(possible)} possible states of H₂, with {law}"
    return f"The prompt leaves {len(left)} of {len(possible)} possible states of H₂"
