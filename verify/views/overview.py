"""Many verdicts together: the answer first, and folded away a table for each theorem and one for the lemmas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from constructions.models import HMM, Model
from constructions.rendering import InNotebooks, Named, Table, View
from verify.margin import rounding
from verify.statement import Statement
from verify.verdicts import Verdict
from verify.views import answers

MEANINGS = {
    ("ergodic", "support"): "ergodic, support: the parts of 3.2",
    ("stationary",): "stationary: what 4.4 adds to 3.2",
    ("n",): "n states, k tokens",
    ("N",): "N cells of M values, S syntax states, k tokens",
}
"""The legend below the tables of theorems, by the columns that it explains."""

MARKS = {"yes": "yes proved", "no": "no refuted", "?": "? undecided", "(": "in brackets where an assumption fails"}
"""The legend above the grid of lemmas, by mark."""

SHORT = {
    "3.2:ergodic": "ergodic",
    "3.2:full-support": "support",
    "4.4:stationary": "stationary",
    "message-passing": "messages",
    "footnote-1": "note 1",
}
"""Short column heads for long ids."""

OF_EVERY_MODEL = "true of every model"

STATUSES = ("proved", OF_EVERY_MODEL, "refuted", "undecided", "not-applicable")
"""The statuses under which verdicts are counted, in the order of printing."""


@dataclass(frozen=True)
class Overview(InNotebooks):
    """A summary of verdicts: the answer, a row for each theorem, and notable cases.

    For one model there is a row for each statement. Every verdict is folded away. `unexpected`: lines that say which
    verdicts differ from the expected ones.
    """

    verdicts: Sequence[Verdict]
    unexpected: Sequence[str] = ()

    def view(self, model: Named | None = None) -> View:
        """Return the view; names come from the models of the verdicts."""
        if not self.verdicts:
            return View("no verdicts")
        verdicts, tables = self.verdicts, [answers.notable(self.verdicts, self.unexpected)]
        if answers.of_one_model(verdicts):
            tables = [answers.statements(verdicts), *tables, answers.witnesses(verdicts)]
        else:
            tables.insert(0, answers.theorems(verdicts))
        lines = (_counts(verdicts), *rounding.sentences(verdicts))
        nonempty = tuple(table for table in tables if table.rows)
        return View(answers.answer(verdicts), lines, nonempty, tuple(details(verdicts)))


def details(verdicts: Sequence[Verdict]) -> Iterator[View]:
    """Yield every verdict: a table for each theorem with the reasons below it, and a grid of lemmas."""
    theorems = {statement: group for statement, group in answers.by_statement(verdicts).items() if statement.head}
    tables = {statement: _theorem(statement, group) for statement, group in theorems.items()}
    for statement, group in theorems.items():
        yield View(f"{statement.id}  {statement.title}", (), (tables[statement], *_reasons(group)))
    if theorems:
        yield View("columns", _meanings(tables.values()))
    lemmas = [verdict for verdict in verdicts if not verdict.statement.head]
    for about in ("hmm", "memory-hmm"):
        yield from _lemmas([verdict for verdict in lemmas if verdict.statement.about == about])


def _meanings(tables: Iterable[Table]) -> tuple[str, ...]:
    """Explain the short column heads."""
    heads = {name for table in tables for name in table.column_names}
    return ("; ".join(meaning for names, meaning in MEANINGS.items() if heads.issuperset(names)) + ".",)


def of_every_model(statements: Iterable[Statement]) -> tuple[str, ...]:
    """Name, for each statement that needs no check, the theorem that proves it for every model."""
    theorems = (statement for statement in dict.fromkeys(statements) if statement.of_every_model)
    return tuple(f"{statement.id} ({statement.title}) is {statement.true_of_every_model}" for statement in theorems)


def _theorem(statement: Statement, verdicts: Sequence[Verdict]) -> Table:
    """Tabulate the models: size, hypotheses, verdict."""
    marks = {True: "yes", False: "no", None: "?"}
    rows = [
        [
            *_sizes(v.model).values(),
            *(marks[finding.holds] for finding in v.findings),
            v.status,
            v.answer,
            v.labelled("always"),
        ]
        for v in verdicts
    ]
    shortest = "shortest inputs in R" if statement.on_r else "shortest inputs"
    hypotheses = [SHORT.get(key, key) for key in statement.hypotheses]
    sizes = list(_sizes(verdicts[0].model))
    columns = [*sizes, *hypotheses, "verdict", "conclusion", shortest]
    spare = [*sizes, *(SHORT[key] for key in statement.hypotheses if key in SHORT), shortest, *hypotheses]
    return Table("model", rows, [verdict.model.name for verdict in verdicts], columns, "", spare, (shortest,))


def _sizes(model: Model) -> dict[str, int]:
    if isinstance(model, HMM):
        return {"n": len(model.states), "k": len(model.tokens)}
    shape = model.shape
    return {"N": shape.cells, "M": shape.values, "S": shape.syntax, "k": len(model.tokens)}


def _reasons(verdicts: Sequence[Verdict]) -> list[Table]:
    open_ones = [verdict for verdict in verdicts if verdict.status != "proved"]
    rows = [
        [
            "; ".join(finding.sentence(verdict.model) for finding in verdict.findings if finding.holds is False),
            verdict.because,
        ]
        for verdict in open_ones
    ]
    return [Table("why not", rows, [f"  {verdict.model.name}" for verdict in open_ones], ["", ""])] if rows else []


def _lemmas(verdicts: Sequence[Verdict]) -> Iterator[View]:
    """Yield the statements that need no check, then a grid of models and lemmas with the reasons below."""
    if theorems := of_every_model(verdict.statement for verdict in verdicts):
        yield View("of every model", theorems)
    verdicts = [verdict for verdict in verdicts if not verdict.statement.of_every_model]
    if verdicts:
        statements = list(dict.fromkeys(verdict.statement.id for verdict in verdicts))
        names = list(dict.fromkeys(verdict.model.name for verdict in verdicts))
        cells = {(verdict.model.name, verdict.statement.id): _cell(verdict) for verdict in verdicts}
        rows = [[cells.get((name, key), "") for key in statements] for name in names]
        marks = "; ".join(meaning for mark, meaning in MARKS.items() if any(mark in cell for cell in cells.values()))
        grid = Table("model", rows, names, [SHORT.get(key, key) for key in statements])
        yield View("lemmas", (marks, *_not_proved(verdicts)), (grid,))


def _cell(verdict: Verdict) -> str:
    answer = {"holds": "yes", "fails": "no", "undecided": "?"}[verdict.answer]
    return f"({answer})" if verdict.status == "not-applicable" else answer


def _not_proved(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Explain each refuted or undecided lemma, on the first model where it is."""
    groups = answers.by_statement(verdict for verdict in verdicts if verdict.status in {"refuted", "undecided"})
    for statement, (first, *others) in groups.items():
        where = f"{first.model.name}{f' and {len(others)} more' if others else ''}"
        yield f"{statement.id} ({statement.title}) is {first.status} on {where}: {first.because}"


def _counts(verdicts: Sequence[Verdict]) -> str:
    counts = Counter(OF_EVERY_MODEL if verdict.statement.of_every_model else verdict.status for verdict in verdicts)
    models = len({verdict.model.name for verdict in verdicts})
    on = f" on {models} models" if models > 1 else ""
    counted = ", ".join(f"{counts[status]} {status}" for status in STATUSES if counts[status])
    plural = "s" * (len(verdicts) != 1)
    return f"{len(verdicts)} verdict{plural}{on}, for inputs of every length: {counted}"
