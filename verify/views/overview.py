"""Many verdicts together: the answer first, and folded away a table for each theorem and one for the lemmas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from constructions.models import HMM, Model
from constructions.rendering import InNotebooks, Named, Table, View
from verify.margin import rounding
from verify.verdicts import Verdict, decided
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

HOLDS = {True: "yes", False: "no", None: "?"}
"""Whether a hypothesis or a conclusion holds."""

OF_EVERY_MODEL = "true of every model"

FALSE_IN_THE_PAPER = "false in the paper"

STATUSES = ("proved", OF_EVERY_MODEL, "refuted", "undecided", "not-applicable", FALSE_IN_THE_PAPER)
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
    """Yield every verdict: a table for each theorem with the reasons below it, and a grid of lemmas."""
    heads = set[str]()
    for statement, group in answers.by_statement(verdict for verdict in verdicts if verdict.statement.head).items():
        failures = [verdict for verdict in group if verdict.status != "proved"]
        violated = [[f.sentence(v.model) for f in v.findings if f.holds is False] for v in failures]
        reasons = [["; ".join(parts), v.because] for parts, v in zip(violated, failures, strict=True)]
        why = Table("why not", reasons, [f"  {verdict.model.name}" for verdict in failures], ["", ""])
        rows = [
            [*_sizes(v.model).values(), *(HOLDS[f.holds] for f in v.findings), v.status, v.answer, v.labelled("always")]
            for v in group
        ]
        shortest = "shortest inputs in R" if statement.on_r else "shortest inputs"
        sizes, hypotheses = list(_sizes(group[0].model)), [SHORT.get(key, key) for key in statement.hypotheses]
        columns = [*sizes, *hypotheses, "verdict", "conclusion", shortest]
        spare = [*sizes, *(SHORT[key] for key in statement.hypotheses if key in SHORT), shortest, *hypotheses]
        table = Table("model", rows, [verdict.model.name for verdict in group], columns, "", spare)
        heads.update(columns)
        yield View(f"{statement.id}  {statement.title}", (), (table, why) if reasons else (table,))
    if heads:
        yield View("columns", ("; ".join(text for names, text in MEANINGS.items() if heads.issuperset(names)) + ".",))
    lemmas = [verdict for verdict in verdicts if not verdict.statement.head]
    for about in ("hmm", "memory-hmm"):
        yield from _lemmas([verdict for verdict in lemmas if verdict.statement.about == about])


def _sizes(model: Model) -> dict[str, int]:
    if isinstance(model, HMM):
        return {"n": len(model.states), "k": len(model.tokens)}
    shape = model.shape
    return {"N": shape.cells, "M": shape.values, "S": shape.syntax, "k": len(model.tokens)}


def _lemmas(verdicts: Sequence[Verdict]) -> Iterator[View]:
    """Yield the statements that need no check, then a grid of models and lemmas with the reasons below."""
    theorems = dict.fromkeys(verdict.statement for verdict in verdicts if verdict.statement.of_every_model)
    if theorems:
        sentences = (f"{theorem.id} ({theorem.title}) is {theorem.true_of_every_model}" for theorem in theorems)
        yield View("of every model", tuple(sentences))
    verdicts = [verdict for verdict in verdicts if not verdict.statement.of_every_model]
    if verdicts:
        statements = list(dict.fromkeys(verdict.statement.id for verdict in verdicts))
        cells: dict[str, dict[str, str]] = {}
        for verdict in verdicts:
            text = f"({HOLDS[verdict.holds]})" if verdict.status == "not-applicable" else HOLDS[verdict.holds]
            cells.setdefault(verdict.model.name, {})[verdict.statement.id] = text
        rows = {name: [row.get(key, "") for key in statements] for name, row in cells.items()}
        grid = Table.of("model", rows, [SHORT.get(key, key) for key in statements])
        marks = "; ".join(
            meaning for mark, meaning in MARKS.items() if any(mark in cell for row in rows.values() for cell in row)
        )
        failures = answers.by_statement(verdict for verdict in verdicts if verdict.status in {"refuted", "undecided"})
        lines = [marks]
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
    on = f" on {models} models" if models > 1 else ""
    counted = ", ".join(f"{counts[status]} {status}" for status in STATUSES if counts[status])
    plural = "s" * (len(verdicts) != 1)
    return f"{len(verdicts)} verdict{plural}{on}, for inputs of every length: {counted}"
