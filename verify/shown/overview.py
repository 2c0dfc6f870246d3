"""Many verdicts together: a view for each theorem and one for the lemmas, with a row for each model, and the counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from constructions.models import HMM, Model
from constructions.rendering import Table, View
from verify.statements import THEOREMS, Statement
from verify.verdicts import Verdict

NOTE = "ergodic, support, stationary: 3.2 and what 4.4 adds. n states, k tokens; N cells of M values, S syntax states."

LEGEND = "yes proved, no refuted, ? undecided; in brackets where an assumption of the lemma fails"

SHORT = {
    "3.2:ergodic": "ergodic",
    "3.2:full-support": "support",
    "4.4:stationary": "stationary",
    "message-passing": "messages",
    "footnote-1": "note 1",
}
"""What heads the column of an assumption or a statement, where its id is long."""

OF_EVERY_MODEL = "true of every model"


def views(verdicts: Sequence[Verdict]) -> Iterator[View]:
    """Yield what is shown of verdicts, from top to bottom."""
    for statement in THEOREMS.values():
        own = [verdict for verdict in verdicts if verdict.statement == statement]
        if own:
            yield View(f"{statement.id}  {statement.title}", (), (_theorem(statement, own), *_reasons(own)))
    lemmas = [verdict for verdict in verdicts if not verdict.statement.head]
    if len(lemmas) < len(verdicts):
        yield View("", (NOTE,))
    for about in ("hmm", "memory-hmm"):
        yield from _lemmas([verdict for verdict in lemmas if verdict.statement.about == about])
    yield View("", tuple(_summary(verdicts)))


def of_every_model(statements: Iterable[Statement]) -> tuple[str, ...]:
    """Say by which theorem each of the statements that need no check is true of every model."""
    found = (statement for statement in dict.fromkeys(statements) if statement.of_every_model)
    return tuple(f"{statement.id} ({statement.title}) is {statement.true_of_every_model}" for statement in found)


def _theorem(statement: Statement, verdicts: Sequence[Verdict]) -> Table:
    """A row for each model: its size, which hypotheses hold, what was decided."""
    marks = {True: "yes", False: "no", None: "?"}
    rows = [
        [*_sizes(v.model).values(), *(marks[one.holds] for one in v.findings), v.status, v.answer, v.labelled("always")]
        for v in verdicts
    ]
    shortest = "shortest inputs in R" if statement.on_r else "shortest inputs"
    hypotheses = (SHORT.get(key, key) for key in statement.hypotheses)
    columns = [*_sizes(verdicts[0].model), *hypotheses, "verdict", "conclusion", shortest]
    return Table("model", rows, [verdict.model.name for verdict in verdicts], columns)


def _sizes(model: Model) -> dict[str, int]:
    """The sizes of a model, by the letters that head their columns."""
    if isinstance(model, HMM):
        return {"n": len(model.states), "k": len(model.tokens)}
    shape = model.shape
    return {"N": shape.cells, "M": shape.values, "S": shape.syntax, "k": len(model.tokens)}


def _reasons(verdicts: Sequence[Verdict]) -> list[Table]:
    """Say why a hypothesis fails, and what becomes of the conclusion."""
    open_ones = [verdict for verdict in verdicts if verdict.status != "proved"]
    rows = [
        ["; ".join(one.sentence(verdict.model) for one in verdict.findings if one.holds is False), verdict.because]
        for verdict in open_ones
    ]
    return [Table("why not", rows, [f"  {verdict.model.name}" for verdict in open_ones], ["", ""])] if rows else []


def _lemmas(verdicts: Sequence[Verdict]) -> Iterator[View]:
    """What needs no check; a grid of models and lemmas; why any is refuted or undecided."""
    yield View("", of_every_model(verdict.statement for verdict in verdicts))
    verdicts = [verdict for verdict in verdicts if not verdict.statement.of_every_model]
    if verdicts:
        statements = list(dict.fromkeys(verdict.statement.id for verdict in verdicts))
        names = list(dict.fromkeys(verdict.model.name for verdict in verdicts))
        cells = {(verdict.model.name, verdict.statement.id): _cell(verdict) for verdict in verdicts}
        rows = [[cells.get((name, key), "") for key in statements] for name in names]
        grid = Table("model", rows, names, [SHORT.get(key, key) for key in statements])
        yield View("lemmas", (LEGEND,), (grid,))
        yield View("", tuple(_not_proved(verdicts)))


def _cell(verdict: Verdict) -> str:
    answer = {"holds": "yes", "fails": "no", "undecided": "?"}[verdict.answer]
    return f"({answer})" if verdict.status == "not-applicable" else answer


def _not_proved(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Say of each lemma that is refuted or undecided where it is, and why on the first such model."""
    found = [verdict for verdict in verdicts if verdict.status in {"refuted", "undecided"}]
    for statement in dict.fromkeys(verdict.statement for verdict in found):
        first, *more = (verdict for verdict in found if verdict.statement == statement)
        where = f"{first.model.name}{f' and {len(more)} more' if more else ''}"
        yield f"{statement.id} ({statement.title}) is {first.status} on {where}: {first.because}"


def _summary(verdicts: Sequence[Verdict]) -> Iterator[str]:
    counts = Counter(OF_EVERY_MODEL if verdict.statement.of_every_model else verdict.status for verdict in verdicts)
    counted = ", ".join(f"{count} {status}" for status, count in counts.items())
    vacuous = sum(verdict.vacuous is True for verdict in verdicts)
    counted += f"; {vacuous} vacuous (F* constant, or R empty)"
    yield f"{len(verdicts)} verdicts, for inputs of every length: {counted}"
    names = sorted({verdict.model.name for verdict in verdicts if verdict.undefined})
    if names:
        yield f"3.2 fails and some outputs are 0/0, read as 0 (score 0), on: {', '.join(names)}"
