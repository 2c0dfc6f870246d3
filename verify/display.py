"""What a notebook shows of verdicts and of one input step by step; `constructions.display` shows the rest."""

from __future__ import annotations

from dataclasses import replace

from constructions.display import view
from constructions.models import Model
from constructions.rendering import Table, View
from constructions.tasks import Task
from verify.attending import Attends
from verify.candidates import Fits
from verify.conclusions import Holds
from verify.explain import Explanation
from verify.lemmas import Shown
from verify.results import conclusion_sentence, violation_sentence, witness_sentence, word_text
from verify.verdicts import HeadVerdict, Verdict

INPUTS = 20
"""How many of the inputs that refute a conclusion are named."""

MESSAGES = {
    "embedding": ("v_i", "the embeddings"),
    "right": ("right_i", "P[H_i, X before i]"),
    "left": ("left_i", "P[H_i, X after i]"),
    "tau": ("τ_i", "P[H_i, X except i]"),
}
"""The messages of appendix B, in the order of their computation; v_i is a probability for each state."""


def verdict_view(verdict: Verdict) -> View:
    """Show what was decided, of which hypotheses, and the head or the inputs that decide it."""
    model = verdict.model
    title = f"{verdict.statement.id} on {model.name or 'a hidden Markov model'}"
    said = conclusion_sentence(verdict)
    if not verdict.statement.of_every_model:
        said = f"{verdict.answer} ({said})"
    lines = [f"{verdict.statement.title}, for inputs of every length: {said}", _labels(verdict)]
    marks = {True: "yes", False: "no", None: "undecided"}
    findings = Table(
        "hypotheses",
        [
            [marks[f.holds], witness_sentence(f, model) if f.holds else violation_sentence(f, model)]
            for f in verdict.findings
        ],
        [finding.id for finding in verdict.findings],
        ["holds", "because"],
    )
    folded = [*_evidence(verdict), *_problem(model, verdict.task)]
    return View(
        title, tuple(lines), (findings,), tuple(folded), "" if verdict.statement.of_every_model else verdict.status
    )


def head_verdict_view(verdict: HeadVerdict) -> View:
    """Show whether a head gives every input its label, and a shortest one that it does not."""
    wrong, model = verdict.counterexample, verdict.model
    line = {
        "holds": "the head gives every input of every length its label",
        "undecided": "no mislabelled input was found, and no proof that there is none",
    }.get(verdict.answer)
    if wrong is not None:
        line = f"input ({word_text(wrong.word, model)}) has label {wrong.labels[0]}, the head says {wrong.labels[1]}"
    folded = (view(verdict.classifier, model), *_problem(model, verdict.task))
    return View(f"one head on {model.name or 'a hidden Markov model'}", (str(line),), (), folded, verdict.answer)


def explanation_view(found: Explanation) -> View:
    """Show one input step by step: the posterior, messages by position, masked outputs, scores and both labels."""
    states, tokens = found.model.states, found.model.tokens
    positions = [f"{i}: {step.token}" for i, step in enumerate(found.steps, 1)]
    messages = [
        Table(symbol, [getattr(step, key) for step in found.steps], positions, states, words)
        for key, (symbol, words) in MESSAGES.items()
    ]
    masked = Table(
        "G_i" if positions[0].endswith("E") else "Ḡ_i",
        [step.output for step in found.steps],
        positions,
        tokens,
        f"masked outputs; the head reads row {found.read + 1}",
    )
    posterior = Table("P[H_0 | x]", [found.posterior], [""], states)
    return View(f"input ({word_text(found.word, found.model)})", (), (posterior, *messages, masked, _scores(found)))


def _scores(found: Explanation) -> Table:
    """Both labels with their scores: the label is the largest score's, the last of them on a tie."""
    rows = [[*found.task_scores, f"label {found.label}"]]
    names = ["F*"]
    words = "no head"
    if found.head_scores is not None:
        rows.append([*found.head_scores, f"label {found.head_label}"])
        names.append("head")
        words = "both labels are the same" if found.label == found.head_label else "the labels differ"
    return Table("scores", rows, names, [*(f"of {label}" for label in range(len(found.task_scores))), ""], words)


def _labels(verdict: Verdict) -> str:
    known = {label: word for label, word in enumerate(verdict.labels) if word is not None}
    if verdict.vacuous and not known:
        return "vacuous: R is empty"
    if verdict.vacuous:
        return f"vacuous: F* is always {next(iter(known))}"
    return "shortest inputs: " + ", ".join(f"{i}: ({word_text(word, verdict.model)})" for i, word in known.items())


def _evidence(verdict: Verdict) -> list[View]:
    match verdict.conclusion:
        case Holds(classifier) | Shown(evidence=Attends(classifier)):
            return [view(classifier, verdict.model)]
        case Fits(classifier):
            return [replace(view(classifier, verdict.model), title="a candidate: a head that fits the inputs tried")]
    inputs = [f"({word_text(word, verdict.model)})" for word in verdict.refuting]
    more = [f"and {len(inputs) - INPUTS} more"] if len(inputs) > INPUTS else []
    title = "the inputs that no head serves together" if verdict.statement.head else "the inputs that refute it"
    return [View(title, (*inputs[:INPUTS], *more))] if inputs else []


def _problem(model: Model, task: Task) -> list[View]:
    """The model with its task, folded away."""
    shown = view(model)
    return [View("model and task", shown.lines, (*shown.tables, *view(task, model).tables))]
