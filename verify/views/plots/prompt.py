"""The law of H_2 without and behind a prompt: two bars for each state, with B and H* marked.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from constructions.linear import Vector
from constructions.reading import InputError
from constructions.tasks import Task
from verify.views.explain import with_cell
from verify.views.plots.style import COLOURS, INK, SMALL, Axes, axes, cell, legend, plain, say
from verify.views.plots.subject import Source, choose_subject
from verify.words.problem import multiply


def prompt_law(source: Source, task: Task | None = None, *, ax: Axes | None = None) -> Axes:
    """Draw P[H_2] and P[H_2 | prompt]: grey bars for the first law, blue bars for the second.

    B marks the states h of H_1 with u_h > 0. H* marks the states that H_2 can be in behind the prompt. For a memory
    model the bars are laws of pairs: a value of the task's cell, and H_2. There u marks the pairs that the prompt
    allows for H_1, and H* the pairs of a value in supp(mu) and a state in H*.

        import headproof as hp

        hp.plot.prompt_law(hp.verify("3.6", *hp.load("only-3-5")))

    Raises `InputError` if there is no head, or the head has no prompt.
    """
    subject = choose_subject(source, task, prompted=True)
    prompt, memory, chain = subject.head.prompt, subject.memory, subject.problem.model
    if prompt is None:
        raise InputError("prompt", f"none in the head of {subject.statement.id}", "a verdict on 3.6, 4.6 or C.6")
    names, allowed = chain.states, prompt.u
    laws = chain.step(chain.first), chain.step(multiply(prompt.u, chain.first))
    without, behind = (tuple(p / (sum(law) or 1) for p in law) for law in laws)
    marks, law = {"B": _support(allowed), "H*": _support(behind)}, "H₂"
    if memory is not None:
        model, hidden = memory.model, memory.model.shape.hidden
        names = tuple(f"{value} {state}" for value in model.values for state in model.states)
        without, behind, allowed = (with_cell(memory, law) for law in (without, behind, allowed))
        recoverable = {m * hidden + h for m in subject.task.support for h in memory.recoverable_states}
        marks, law = {"u": _support(allowed), "H*": recoverable}, f"M_{plain(model.cells[memory.task.cell])}, H₂"
    rows, limit = range(len(names)), float(max((*without, *behind)))
    ax = axes(ax, 6.0, 1.4 + 0.42 * len(rows))
    bars = (without, -0.2, INK, 0.5, f"P[{law}]"), (behind, 0.2, COLOURS[0], 1.0, f"P[{law} | prompt]")
    for bar, shift, colour, alpha, label in bars:
        style = {"color": colour, "alpha": alpha, "label": label}
        drawn = ax.barh([i + shift for i in rows], list(map(float, bar)), 0.34, **style)
        ax.bar_label(drawn, list(map(cell, bar)), padding=3, fontsize=SMALL, color=INK)
    of_rows = [", ".join(mark for mark, states in marks.items() if i in states) for i in rows]
    ax.set_yticks(rows, [plain(names[i]) + f"  [{of_rows[i]}]" * bool(of_rows[i]) for i in rows])
    ax.invert_yaxis()
    ax.set(xlim=(0, 1.15 * limit), xlabel="probability; fractions exact, decimals rounded")
    possible = "possible states of H₂" if memory is None else "possible pairs (value, H₂)"
    say(ax, f"The prompt leaves {len(_support(behind))} of {len(_support(without))} {possible}")
    legend(ax)
    return ax


def _support(vector: Vector) -> set[int]:
    return {h for h, entry in enumerate(vector) if entry}
