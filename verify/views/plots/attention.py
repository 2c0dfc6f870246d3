"""Where an attention head looks: its key scores by position, with R, Ihat, and the set Z of lemma C.9.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from constructions.reading import InputError
from constructions.tasks import Task, label_of
from verify.views.explain import MemoryExplanation, MemoryStep
from verify.views.plots.style import INK, Axes, axes, input_text, legend, marker, plain, say, scatter
from verify.views.plots.subject import Source, Subject, choose_subject


def attention(
    source: Source, task: Task | None = None, word: Sequence[int] | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw the key score of each position of one input; the head attends to the positions of the largest score.

    A position's marker has the colour of the label that its value speaks for, and is filled if the head attends there.
    Grey bands mark the positions of Ihat, where H_i is surely in H*. An input with a grey band is in R. Below each
    token stand the states that H_i can have. "no law" marks a position at which the prompt and the other tokens exclude
    each other. If a position before the last has no law, the input is not in Z. `word`: token indices; by default a
    short input with many different tokens, in R unless R is empty.

        import headproof as hp

        hp.plot.attention(hp.verify("4.6", *hp.load("topic")), word=(0, 3, 1))

    Raises `InputError` for a vanilla model, for a model without a task or without an attention head, for a verdict on a
    lemma, and for a `word` that is no input.
    """
    subject = choose_subject(source, task)
    if (memory := subject.memory) is None:
        raise InputError("model", "one without memory", "a memory model: attention heads are those of section 4")
    prompt, explanation = subject.head.prompt, subject.explained(word)
    assert isinstance(explanation, MemoryExplanation)
    steps, inside = explanation.steps, "" if explanation.in_r else "not "
    below = [_below(subject, step) for step in steps]
    wide = max(map(len, "\n".join(below).splitlines()))
    ax = axes(ax, max(4.8, max(0.9, 0.085 * wide) * len(steps) + 1.4), 3.6)
    sentence = f"{input_text(explanation.word, subject.model)} is {inside}in R"
    if prompt is not None:
        sentence += f" and {'' if memory.recoverable.in_paper_z(explanation.word, prompt) else 'not '}in Z"
    numbered = list(enumerate(steps, 1 - len(steps) + len(explanation.word)))  # the prompt's position has the number 0
    attended, surely = {i for i, step in numbered if step.attended}, {i for i, step in numbered if step.in_ihat}
    looks = "Ihat" if attended == surely else "more than Ihat" if attended > surely else "a part of Ihat"
    if attended & surely and attended - surely and surely - attended:
        looks += " and other positions"
    elif not attended & surely:
        looks = f"position {', '.join(map(str, sorted(attended)))}" + (" outside Ihat" if surely else "")
    same = "as F* does" if explanation.head_label == explanation.label else f"but F* is {explanation.label}"
    say(ax, f"{sentence}: the head attends to {looks} and says {explanation.head_label}, {same}")
    scores = [float(step.key or 0) for step in steps]
    low, room = min(scores), (max(scores) - min(scores)) or 1.0
    for i, (step, score) in enumerate(zip(steps, scores, strict=True), 1):
        if step.in_ihat:
            ax.axvspan(i - 0.45, i + 0.45, color=INK, alpha=0.18, linewidth=0, label="Ihat: H_i surely in H*")
        ax.plot([i, i], [low - 0.15 * room, score], color=INK, linewidth=1, zorder=1)
        label = label_of(step.values or ())
        text, style = f"value for label {label}" + ", attended" * step.attended, {"marker": marker(label), "s": 90}
        scatter(ax, [(i, score)], label, text, not step.attended, linewidth=1.4, zorder=3, **style)
    ax.set(xlim=(0.4, len(steps) + 0.6), ylim=(low - 0.15 * room, max(scores) + 0.2 * room), ylabel="key score")
    ax.set_xticks(range(1, len(steps) + 1), below)
    legend(ax)
    return ax


def _below(subject: Subject, step: MemoryStep) -> str:
    """Name a position: its token and the states that H_i can have. The prompt's own position is called "the prompt".

    "no law" is added if the other tokens, and the prompt, cannot occur together.
    """
    if step.states is None:
        return "u\nthe prompt"
    lines = [step.token, *(subject.model.states[h] for h in step.states)]
    return "\n".join(map(plain, lines)) + ("" if any(step.columns) else "\nno law")
