"""What a person sees in the terminal.

Tables of verdicts, assumptions, heads and messages. Colour on a terminal only.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeVar

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from constructions.assumptions import LeftInverse
from constructions.evidence import Finding, word_text
from constructions.heads import Classifier
from constructions.memory.attention import AttentionClassifier, AttentionHead
from constructions.memory.joint_chain import joint_names
from constructions.memory.model import MemoryHMM
from constructions.models import HMM, Model
from constructions.reading import as_text, printable, shortened
from constructions.tasks import Task
from verify.shown.explain import Explanation
from verify.shown.explain_memory import MemoryExplanation
from verify.statements import THEOREMS, Statement
from verify.verdicts import HeadVerdict, Verdict

WIDTH = 120
"""The width of a table that does not go to a terminal."""

NOTE = "ergodic, support, stationary: 3.2 and what 4.4 adds. n states, k tokens; N cells of M values, S syntax states."

WIDEST = 12
"""How many rows and columns of a matrix are shown."""

SHORT = {
    "3.2:ergodic": "ergodic",
    "3.2:full-support": "support",
    "4.4:stationary": "stationary",
    "message-passing": "messages",
    "footnote-1": "note 1",
}
"""What heads the column of an assumption or a statement, where its id is long."""

OF_EVERY_MODEL = "true of every model"

STYLES = {
    "proved": "green",
    "holds": "green",
    "refuted": "bold red",
    "fails": "red",
    "not-applicable": "yellow",
    "undecided": "magenta",
    OF_EVERY_MODEL: "green",
}

Item = TypeVar("Item")


def _console() -> Console:
    return Console(file=sys.stdout, width=None if sys.stdout.isatty() else WIDTH, highlight=False)


def _text(text: str) -> str:
    """Show text of a model file as it stands: no markup, no control characters."""
    return escape(printable(text))


def say(line: str) -> None:
    """Print a line."""
    _console().print(_text(line), emoji=False)


def show(table: Table) -> None:
    """Print a table."""
    _console().print(table)


@contextmanager
def progress(items: Sequence[Item]) -> Iterator[Iterator[Item]]:
    """Show a bar on standard error while items are worked through, if that is a terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("deciding"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield iter(bar.track(items))


@contextmanager
def counting(what: str) -> Iterator[Callable[[Iterable[Item]], Iterator[Item]]]:
    """Show on standard error how many items have been taken so far, and how fast, if that is a terminal."""
    console = Console(stderr=True)
    columns = (TextColumn(what), TextColumn("{task.completed}"), TimeElapsedColumn(), TextColumn("{task.fields[rate]}"))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        task = shown.add_task(what, total=None, rate="")

        def watch(items: Iterable[Item]) -> Iterator[Item]:
            for item in items:
                yield item
                speed = shown.tasks[0].speed
                shown.update(task, advance=1, rate=f"{speed:.0f} a second" if speed else "")

        yield watch


def show_verdicts(verdicts: Sequence[Verdict]) -> None:
    """Print one table for each theorem, and one for all lemmas, a row for each model."""
    console = _console()
    for statement in THEOREMS.values():
        rows = [verdict for verdict in verdicts if verdict.statement == statement]
        if not rows:
            continue
        table = Table(
            title=f"[bold]{statement.id}[/]  {statement.title}",
            title_justify="left",
            title_style="",
            box=None,
            pad_edge=False,
        )
        sizes = _sizes(rows[0].model)
        columns = ("model", *sizes, *(SHORT.get(key, key) for key in statement.hypotheses), "verdict", "conclusion")
        for name in columns:
            table.add_column(name, justify="right" if name in sizes else "left", no_wrap=True)
        table.add_column("shortest inputs in R" if statement.on_r else "shortest inputs", overflow="fold")
        for verdict in rows:
            table.add_row(*_verdict_row(verdict))
        console.print(table)
        _reasons(console, rows)
        console.print()
    if any(verdict.statement.head for verdict in verdicts):
        console.print(NOTE, style="dim")
        console.print()
    for about in ("hmm", "memory-hmm"):
        _lemmas(console, [v for v in verdicts if not v.statement.head and v.statement.about == about])
    _summary(console, verdicts)


def _lemmas(console: Console, verdicts: Sequence[Verdict]) -> None:
    """Print a grid of models and lemmas, and below it why any is refuted or undecided; what needs no check apart."""
    show_of_every_model(verdict.statement for verdict in verdicts)
    verdicts = [verdict for verdict in verdicts if not verdict.statement.of_every_model]
    if not verdicts:
        return
    statements = list(dict.fromkeys(verdict.statement.id for verdict in verdicts))
    table = Table(title="[bold]lemmas[/]", title_justify="left", title_style="", box=None, pad_edge=False)
    for name in ("model", *(SHORT.get(key, key) for key in statements)):
        table.add_column(name, no_wrap=True)
    cells = {(verdict.model.name, verdict.statement.id): _cell(verdict) for verdict in verdicts}
    for name in dict.fromkeys(verdict.model.name for verdict in verdicts):
        table.add_row(_text(name), *(cells.get((name, key), "") for key in statements))
    console.print(table)
    console.print(
        "yes proved, no refuted, ? undecided; in brackets where an assumption of the lemma fails", style="dim"
    )
    found = [verdict for verdict in verdicts if verdict.status in {"refuted", "undecided"}]
    for statement in dict.fromkeys(verdict.statement for verdict in found):
        first, *more = (verdict for verdict in found if verdict.statement == statement)
        others = f" and {len(more)} more" if more else ""
        where = f"{first.model.name}{others}: {first.because}"
        console.print(
            f"{statement.id} ({_text(statement.title)}) is {_styled(first.status)} on {_text(where)}", soft_wrap=True
        )
    console.print()


def show_of_every_model(statements: Iterable[Statement]) -> None:
    """Print by which theorem each of the statements that need no check is true of every model."""
    found = [statement for statement in dict.fromkeys(statements) if statement.of_every_model]
    for statement in found:
        say(f"{statement.id} ({statement.title}) is {statement.true_of_every_model}")
    if found:
        say("")


def _cell(verdict: Verdict) -> str:
    answer = {"holds": "yes", "fails": "no", "undecided": "?"}[verdict.answer]
    if verdict.status == "not-applicable":
        return f"[yellow]({answer})[/]"
    return f"[{STYLES[verdict.status]}]{answer}[/]"


def _verdict_row(verdict: Verdict) -> list[str]:
    model = verdict.model
    marks = [
        {True: "yes", False: "[yellow]no[/]", None: "[magenta]?[/]"}[finding.holds] for finding in verdict.findings
    ]
    return [
        _text(model.name),
        *map(str, _sizes(model).values()),
        *marks,
        _styled(verdict.status),
        _styled(verdict.answer),
        _labels(verdict),
    ]


def _sizes(model: Model) -> dict[str, int]:
    """The sizes of a model, by the letters that head their columns."""
    if isinstance(model, HMM):
        return {"n": len(model.states), "k": len(model.tokens)}
    shape = model.shape
    return {"N": shape.cells, "M": shape.values, "S": shape.syntax, "k": len(model.tokens)}


def _reasons(console: Console, verdicts: Sequence[Verdict]) -> None:
    """Say below a table why a hypothesis fails, and what becomes of the conclusion."""
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for verdict in verdicts:
        if verdict.status != "proved":
            failed = [finding for finding in verdict.findings if finding.holds is False]
            why = "; ".join(finding.sentence(verdict.model) for finding in failed)
            table.add_row(f"  {_text(verdict.model.name)}", _text(why), _text(verdict.because))
    if table.row_count:
        console.print("\n[dim]why not[/]")
        console.print(table)


def _labels(verdict: Verdict) -> str:
    known = {label: word for label, word in enumerate(verdict.labels) if word is not None}
    if verdict.vacuous and not known:
        return "[cyan]vacuous[/]: R is empty"
    if verdict.vacuous:
        return f"[cyan]vacuous[/]: always {next(iter(known))}"
    return ", ".join(f"{label}: ({_text(word_text(word, verdict.model))})" for label, word in known.items())


def _summary(console: Console, verdicts: Sequence[Verdict]) -> None:
    counts: dict[str, int] = {}
    for verdict in verdicts:
        said = OF_EVERY_MODEL if verdict.statement.of_every_model else verdict.status
        counts[said] = counts.get(said, 0) + 1
    vacuous = sum(verdict.vacuous is True for verdict in verdicts)
    parts = [f"{count} {_styled(status)}" for status, count in counts.items()]
    counted = f"{len(verdicts)} verdicts, for inputs of every length: {', '.join(parts)}"
    console.print(f"{counted}; {vacuous} vacuous (F* constant, or R empty)")
    if any(verdict.undefined for verdict in verdicts):
        names = ", ".join(sorted({_text(verdict.model.name) for verdict in verdicts if verdict.undefined}))
        console.print(f"3.2 fails and some outputs are 0/0, read as 0 (score 0), on: {names}")


def _styled(word: str) -> str:
    return f"[{STYLES[word]}]{word}[/]"


def show_findings(model: Model, findings: Sequence[Finding]) -> None:
    """Print the assumptions with their witnesses."""
    console = _console()
    console.print(f"[bold]{_text(model.name)}[/]  {len(model.states)} states, {len(model.tokens)} tokens\n")
    table = Table(box=None, pad_edge=False)
    for name in ("assumption", "holds", "witness or violation"):
        table.add_column(name)
    for finding in findings:
        holds = {True: "[green]yes[/]", False: "[red]no[/]", None: "[magenta]undecided[/]"}[finding.holds]
        text = finding.sentence(model)
        table.add_row(finding.id, holds, _text(text))
    console.print(table)
    for finding in findings:
        if isinstance(finding.evidence, LeftInverse):
            console.print("\nleft inverse of W")
            console.print(matrix_table(finding.evidence.matrix, model.states, model.tokens))


def matrix_table(rows: Sequence[Iterable[Any]], row_names: Sequence[str], column_names: Sequence[str]) -> Table:
    """Show a matrix with names, cut off where it is large."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("", style="dim")
    for name in column_names[:WIDEST]:
        table.add_column(_text(str(name)), justify="right")
    if len(column_names) > WIDEST:
        table.add_column(f"... {len(column_names) - WIDEST} more")
    for name, row in list(zip(row_names, rows, strict=True))[:WIDEST]:
        table.add_row(_text(str(name)), *(_number(entry) for entry in list(row)[:WIDEST]))
    if len(row_names) > WIDEST:
        table.add_row(f"... {len(row_names) - WIDEST} more")
    return table


def _number(value: Fraction | int) -> str:
    digits = shortened(value)
    return as_text(value) if digits is None else f"{digits}~"


def show_build(
    statement: Statement,
    model: Model,
    task: Task,
    classifier: Classifier | AttentionClassifier | None,
    reason: str,
) -> None:
    """Print a head and its prompt."""
    console = _console()
    console.print(f"[bold]{statement.id}[/]  {statement.title}, on {_text(model.name)}\n")
    if classifier is None:
        console.print(f"[red]no head[/]: {_text(reason)}")
        return
    if classifier.prompt is not None:
        states = joint_names(model) if isinstance(model, MemoryHMM) else model.states
        console.print(matrix_table([classifier.prompt.u], ["u"], states))
        console.print()
    names = ["b"] if len(classifier.head.b) == 1 else [f"b_{label}" for label in task.labels]
    if isinstance(model, MemoryHMM) and isinstance(classifier, AttentionClassifier):
        _show_attention_head(console, model, classifier.head, names)
    else:
        console.print(matrix_table(classifier.head.b, names, model.tokens))


def _show_attention_head(console: Console, model: MemoryHMM, head: AttentionHead, names: Sequence[str]) -> None:
    keys, values = [*model.states, "last"], [model.column_name(c) for c in range(model.shape.columns)]
    positions = [f"beta_{i + 1}" for i in range(len(head.position))]
    positions[-1] += ", and on"
    for title, rows, row_names, column_names in (
        ("query and positions", [head.query, *head.position], ["q", *positions], keys),
        ("keys Theta_K", head.key, keys, model.tokens),
        ("values Theta_V", head.value, values, model.tokens),
        ("weights of the values", head.b, names, values),
        ("embeddings e", head.embedding, model.tokens, values),
    ):
        console.print(f"{title}")
        console.print(matrix_table(rows, row_names, column_names))
        console.print()


def show_explanation(statement: Statement, found: Explanation, classifier: Classifier | None, reason: str) -> None:
    """Print one input step by step."""
    console, model = _console(), found.model
    console.print(f"[bold]{statement.id}[/] on {_text(model.name)}, input: {_text(word_text(found.word, model))}\n")
    console.print(matrix_table([found.posterior], ["P[H_0 | x]"], model.states))
    console.print(f"F* = {found.label}   ({_scores(found.task_scores)})\n")
    for i, step in enumerate(found.steps):
        rows = [step.embedding, step.right, step.left, step.tau]
        read = "   <- the head reads this output" if i == found.read else ""
        console.print(f"position {i + 1}: {_text(step.token)}{read}")
        console.print(matrix_table(rows, ["embedding", "right", "left", "tau"], model.states))
        console.print(matrix_table([step.output], ["G"], model.tokens))
        console.print()
    if classifier is None or found.head_scores is None:
        console.print(f"[red]no head[/]: {_text(reason)}")
        return
    agree = "[green]the same[/]" if found.head_label == found.label else "[red]not the same[/]"
    console.print(f"head = {found.head_label}   ({_scores(found.head_scores)}): {agree}")


def show_memory_explanation(statement: Statement, found: MemoryExplanation, reason: str) -> None:
    """Print one input of a memory model position by position."""
    console, model = _console(), found.model
    console.print(f"[bold]{statement.id}[/] on {_text(model.name)}, input: {_text(word_text(found.word, model))}\n")
    console.print(matrix_table([found.posterior], ["P[M_j* | x]"], model.values))
    console.print(f"F* = {found.label}   ({_scores(found.task_scores)})")
    inside = ", ".join(_text(model.states[h]) for h in found.recoverable)
    console.print(f"H* = {{{inside}}}: the input is {'' if found.in_r else 'not '}in R\n")
    names = [model.column_name(c) for c in range(model.shape.columns)]
    kept = [c for c in range(len(names)) if any(step.columns[c] for step in found.steps)]
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("position", "H_i without the prompt", "in Ihat", "key score", "values", "attended"):
        table.add_column(name)
    for i, step in enumerate(found.steps, 1):
        states = "the prompt" if step.states is None else ", ".join(_text(model.states[h]) for h in step.states)
        values = "" if step.values is None else ", ".join(map(_number, step.values))
        key = "" if step.key is None else _number(step.key)
        marks = ("yes" if step.in_ihat else ""), ("yes" if step.attended else "")
        table.add_row(f"{i}: {_text(step.token)}", states, marks[0], key, values, marks[1])
    console.print(table)
    positions = [f"{i}: {step.token}" for i, step in enumerate(found.steps, 1)]
    console.print("\nlaw of (M_J, H) at each position, given the others")
    console.print(
        matrix_table([[s.columns[c] for c in kept] for s in found.steps], positions, [names[c] for c in kept])
    )
    console.print("\nmasked outputs")
    console.print(matrix_table([step.output for step in found.steps], positions, model.tokens))
    console.print()
    if found.head_scores is None:
        console.print(f"[red]no head[/]: {_text(reason)}")
        return
    agree = "[green]the same[/]" if found.head_label == found.label else "[red]not the same[/]"
    console.print(f"head = {found.head_label}   ({_scores(found.head_scores)}): {agree}")


def _scores(scores: Sequence[Fraction]) -> str:
    return ", ".join(f"score of {label}: {_number(score)}" for label, score in enumerate(scores))


def show_head_verdict(verdict: HeadVerdict) -> None:
    """Print whether a head gives every input its label."""
    console, wrong = _console(), verdict.counterexample
    if wrong is not None:
        word = _text(word_text(wrong.input, verdict.model))
        console.print(f"[red]refuted[/]: input {word} has label {wrong.labels[0]}, the head says {wrong.labels[1]}")
    elif verdict.found is None:
        console.print("[magenta]undecided[/]: no mislabelled input was found, and no proof that there is none")
    else:
        console.print("[green]proved[/]: the head gives every input of every length its label")


def show_checks(outcomes: Sequence[dict[str, Any]]) -> None:
    """Print what was accepted, and why not what was not; and how many were checked twice, where all were to be."""
    console = _console()
    for outcome in outcomes:
        if outcome["accepted"]:
            once = " (one checker only)" if outcome.get("second") == "one checker only" else ""
            said = f"{_text(outcome['certificate'])}: {_text(outcome['sentence'])}{once}"
            console.print(f"[green]accepted[/] {said}", soft_wrap=True)
        else:
            console.print(
                f"[bold red]rejected[/] {_text(outcome['certificate'])}: {_text(outcome['reason'])}", soft_wrap=True
            )
    seconds = [outcome["second"] for outcome in outcomes if "second" in outcome]
    if seconds:
        alone = seconds.count("one checker only")
        console.print(f"{len(seconds) - alone} checked twice, {alone}: one checker only", highlight=False)
