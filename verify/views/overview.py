"""Many verdicts together: first the answer; then, folded away, a table for each theorem, and grids of lemmas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from constructions.models import HMM, Model
from constructions.rendering import InNotebooks, Named, Table, View
from verify.margin import rounding
from verify.verdicts import Verdict, decided
from verify.views import answers
from verify.views.standing import count

COLUMNS = (
    "n states, k tokens; N cells of M values, S syntax states, k tokens; "
    "ergodic, support: the parts of 3.2; stationary: what 4.4 adds to 3.2."
)
"""The legend below the tables of theorems."""

MARKS = "yes proved; no refuted; ? undecided; in brackets where an assumption fails"
"""The legend above the grid of lemmas."""

SHORT = {
    "3.2:ergodic": "ergodic",
    "3.2:full-support": "support",
    "4.4:stationary": "stationary",
    "message-passing": "messages",
    "footnote-1": "note 1",
}
"""Short column heads for long ids."""

HOLDS = {True: "yes", False: "no", None: "?"}
"""Whether a hypothesis or a conclusion holds."""

OF_EVERY_MODEL = "true of every model"

FALSE_IN_THE_PAPER = "false in the paper"

STATUSES = ("proved", OF_EVERY_MODEL, "refuted", "undecided", "not-applicable", FALSE_IN_THE_PAPER)
"""The statuses under which verdicts are counted, in the order of printing."""


@dataclass(frozen=True)
class Overview(InNotebooks):
    """A summary of verdicts: the answer, a row for each theorem (on one model: for each statement), and notable cases.

    The single verdicts are folded away. `unexpected`: lines that say which verdicts differ from expected verdicts.
    """

    verdicts: Sequence[Verdict]
    unexpected: Sequence[str] = ()

    def view(self, model: Named | None = None) -> View:
        """Return the view, with the names of the verdicts' own models. `model` is not used."""
        if not self.verdicts:
            return View("no verdicts")
        verdicts, notable = self.verdicts, answers.notable(self.verdicts, self.unexpected)
        tables = [answers.theorems(verdicts), notable]
        if answers.of_one_model(verdicts):
            findings = {finding.id: finding for verdict in verdicts for finding in verdict.findings}
            witnesses = decided("hypothesis", list(findings.values()), verdicts[0].model)
            tables = [answers.statements(verdicts), notable, witnesses, answers.paper(verdicts)]
        lines = (_counts(verdicts), *rounding.sentences(verdicts))
        nonempty = tuple(table for table in tables if table.rows)
        return View(answers.answer(verdicts), lines, nonempty, tuple(details(verdicts)))


def details(verdicts: Sequence[Verdict]) -> Iterator[View]:
    """Yield views of every verdict: for each theorem a table with reasons below it, then grids of lemmas."""
    theorems = answers.by_statement(verdict for verdict in verdicts if verdict.statement.head)
    for statement, group in theorems.items():
        failures = [verdict for verdict in group if verdict.status != "proved"]
        reasons = [
            ["; ".join(f.sentence(v.model) for f in v.findings if f.holds is False), v.because] for v in failures
        ]
        why = Table("why not", reasons, [f"  {verdict.model.name}" for verdict in failures], ["", ""])
        shortest = "shortest inputs in R" if statement.on_r else "shortest inputs"
        hypotheses = [SHORT.get(key, key) for key in statement.hypotheses]
        rows = [
            [*_sizes(v.model).values(), *(HOLDS[f.holds] for f in v.findings), v.status, v.answer, v.labelled("always")]
            for v in group
        ]
        sizes = list(_sizes(group[0].model))
        columns = [*sizes, *hypotheses, "verdict", "conclusion", shortest]
        spare = [*sizes, *(SHORT[key] for key in statement.hypotheses if key in SHORT), shortest, *hypotheses]
        table = Table("model", rows, [verdict.model.name for verdict in group], columns, "", spare)
        yield View(f"{statement.id}  {statement.title}", (), (table, why) if reasons else (table,))
    if theorems:
        yield View("columns", (COLUMNS,))
    lemmas = [verdict for verdict in verdicts if not verdict.statement.head]
    for about in ("hmm", "memory-hmm"):
        yield from _lemmas([verdict for verdict in lemmas if verdict.statement.about == about])


def _sizes(model: Model) -> dict[str, int]:
    if isinstance(model, HMM):
        return {"n": len(model.states), "k": len(model.tokens)}
    shape = model.shape
    return {"N": shape.cells, "M": shape.values, "S": shape.syntax, "k": len(model.tokens)}


def _lemmas(verdicts: Sequence[Verdict]) -> Iterator[View]:
    """Yield the statements that are true of every model, then a grid of models and lemmas with reasons."""
    theorems = dict.fromkeys(verdict.statement for verdict in verdicts if verdict.statement.of_every_model)
    if theorems:
        sentences = (f"{theorem.id} ({theorem.title}) is {theorem.true_of_every_model}" for theorem in theorems)
        yield View("of every model", tuple(sentences))
    verdicts = [verdict for verdict in verdicts if not verdict.statement.of_every_model]
    if verdicts:
        cells = {
            (v.model.name, v.statement.id): f"({HOLDS[v.holds]})"
            if v.status == "not-applicable"
            else HOLDS[None if v.status == "undecided" else v.holds]
            for v in verdicts
        }
        ids = list(dict.fromkeys(id for _, id in cells))
        rows = {name: [cells.get((name, id), "") for id in ids] for name, _ in cells}
        grid = Table.of("model", rows, [SHORT.get(id, id) for id in ids])
        failures = answers.by_statement(verdict for verdict in verdicts if verdict.status in {"refuted", "undecided"})
        lines = [MARKS]
        for statement, (first, *others) in failures.items():
            where = f"{first.model.name}{f' and {len(others)} more' if others else ''}"
            lines.append(f"{statement.id} ({statement.title}) is {first.status} on {where}: {first.because}")
        yield View("lemmas", tuple(lines), (grid,))


def _counts(verdicts: Sequence[Verdict]) -> str:
    apart, counts = answers.of_one_model(verdicts), Counter[str]()
    for verdict in verdicts:
        status = FALSE_IN_THE_PAPER if apart and answers.false_in_the_paper(verdict) else verdict.status
        counts[OF_EVERY_MODEL if verdict.statement.of_every_model else status] += 1
    models = len({verdict.model.name for verdict in verdicts})
    on = f" on {models} models" * (models > 1)
    counted = ", ".join(f"{counts[status]} {status}" for status in STATUSES if counts[status])
    return f"{count(len(verdicts), 'verdict')}{on}, for inputs of every length: {counted}"
