"""Sentences and tables that summarise many verdicts: the answer, a row for each statement, and notable cases.

All sentences follow from the given verdicts and their `Statement`s. A `Statement` says whether Rocq proves that it is
false as written, and of which statement it may be a repair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from constructions.rendering import Table
from verify.statement import Statement
from verify.verdicts import Verdict
from verify.views.standing import Standing, grouped, repairs, sentences

Verdicts: TypeAlias = Sequence[Verdict]

MAX_NAMED_MODELS = 3
"""A list of models names this many and counts the others. A single other model is named, too."""

STATUS_WORDS = ("proved", "refuted", "holds", "fails", "undecided")
"""The words under which verdicts and conclusions are counted, in the order of printing."""


def answer(verdicts: Verdicts) -> str:
    """Summarise the theorems, then the other statements."""
    theorems = [verdict for verdict in verdicts if verdict.statement.head]
    if not theorems or not of_one_model(verdicts):
        return sentences(standings(verdicts))
    groups = grouped((outcome(verdict), verdict.statement.id) for verdict in theorems)  # same outcome, one clause
    clauses = "; ".join(f"{_listed(ids)} {text}" for text, ids in groups.items())
    of_the_model = standings(verdict for verdict in verdicts if not false_in_the_paper(verdict))
    return sentences(of_the_model, f"{verdicts[0].model.name}: {clauses}")


def false_in_the_paper(verdict: Verdict) -> bool:
    """Tell whether a verdict refutes a statement that is false as written. Such a verdict says nothing of the model."""
    return verdict.status == "refuted" and verdict.statement.refuted_by is not None


def standings(verdicts: Iterable[Verdict]) -> dict[Statement, Standing]:
    """Return what `standing` returns, for each statement that has a verdict."""
    return {statement: standing(group) for statement, group in by_statement(verdicts).items()}


def standing(verdicts: Verdicts) -> Standing:
    """Return the models on which a statement is refuted, proved, undecided, and whether Rocq proves it.

    `verdicts`: those on this statement. Whether Rocq refutes it is not looked up: the field `against` is always False.
    """
    on = {status: frozenset(v.model.name for v in verdicts if v.status == status) for status in STATUS_WORDS}
    theorem = any(verdict.statement.of_every_model for verdict in verdicts)
    return Standing(on["refuted"], on["proved"], on["undecided"], theorem)


def outcome(verdict: Verdict) -> str:
    """Say the status of a verdict; if a hypothesis fails, also which, and whether the conclusion holds."""
    vacuous = ", vacuous" if verdict.vacuous else ""
    if verdict.status != "not-applicable":
        return f"{verdict.status}{vacuous}"
    answers = {"holds": "holds all the same", "fails": "fails, too", "undecided": "is undecided"}
    return f"not applicable ({_violated(verdict)}, and the conclusion {answers[verdict.answer]}{vacuous})"


# Tables; each may have no rows


def theorems(verdicts: Verdicts) -> Table:
    """Tabulate theorems: how many models meet all hypotheses, verdicts there, conclusions where a hypothesis fails."""
    rows = {}
    for statement, group in by_statement(verdict for verdict in verdicts if verdict.statement.head).items():
        met = [verdict for verdict in group if all(finding.holds for finding in verdict.findings)]
        unmet = [verdict for verdict in group if verdict.status == "not-applicable"]
        unknown = len(group) - len(met) - len(unmet)
        vacuous = sum(verdict.vacuous is True for verdict in met)
        rows[statement.id] = [
            f"on {len(met)} of {len(group)}" + (f", undecided on {unknown}" if unknown else ""),
            _counted(verdict.status for verdict in met) + (f" ({vacuous} vacuous)" if vacuous else ""),
            _counted(verdict.answer for verdict in unmet),
        ]
    return Table.of("theorem", rows, ["hypotheses hold", "there", "where they fail"])


def statements(verdicts: Verdicts) -> Table:
    """Tabulate verdicts on one model with reasons.

    Left out: statements true of every model, and verdicts that are `false_in_the_paper`.
    """
    rows = {}
    for verdict in verdicts:
        answer = "is undecided" if verdict.answer == "undecided" else verdict.answer
        inapplicable = f"{_violated(verdict)}; the conclusion {answer}: " * (verdict.status == "not-applicable")
        if not (verdict.statement.of_every_model or false_in_the_paper(verdict)):
            rows[verdict.statement.id] = [verdict.status, inapplicable + verdict.because]
    return Table.of("statement", rows, ["verdict", "why"])


def paper(verdicts: Verdicts) -> Table:
    """Tabulate the statements false as written: why they fail on this model, and which statements are true instead."""
    false = [verdict for verdict in verdicts if false_in_the_paper(verdict)]
    rows = {v.statement.id: [f"{v.because}{_mended(v.statement, verdicts)}"] for v in false}
    return Table.of("false as written", rows, [""])


def notable(verdicts: Verdicts, unexpected: Sequence[str]) -> Table:
    """Tabulate refuted statements, statements true of every model, and undecided, vacuous or unexpected verdicts.

    One row names the models on which some masked output is 0/0.
    """
    left_open = [verdict for verdict in verdicts if (verdict.status, verdict.answer) == ("not-applicable", "undecided")]
    every = [statement for statement in by_statement(verdicts) if statement.of_every_model]
    apart = of_one_model(verdicts)
    groups = by_statement(verdict for verdict in verdicts if not (apart and false_in_the_paper(verdict)))
    rows = [
        *((statement.id, _refuted(statement, group, verdicts)) for statement, group in groups.items()),
        ("undecided", _on(verdict for verdict in verdicts if verdict.status == "undecided")),
        ("left open", _on(left_open, "where a hypothesis fails: ") + _right_up_to(left_open)),
        ("of every model", ", ".join(f"{statement.id} (theorem {statement.of_every_model})" for statement in every)),
        ("vacuous", _vacuous(verdicts)),
        ("0/0, read as 0", _models([verdict for verdict in verdicts if verdict.undefined])),
        ("not as expected", "; ".join(unexpected)),
    ]
    return Table.of("notable", {name: [text] for name, text in rows if text}, [""])


def _refuted(statement: Statement, verdicts: Verdicts, others: Verdicts) -> str:
    """Give the smallest counterexample, the proved repairs and, if there are several models, those that refute.

    Return "" if no model refutes the statement.
    """

    def size(verdict: Verdict) -> tuple[int, int, int, str]:  # short counterexamples first, then small models
        model = verdict.model
        return sum(map(len, verdict.counterexample)), len(model.states), len(model.tokens), model.name

    refuted, where = [verdict for verdict in verdicts if verdict.status == "refuted"], "refuted"
    if not refuted:
        return ""
    smallest = min(refuted, key=size)
    if len(verdicts) > 1:
        where += f": on {_models(refuted)}; smallest on {smallest.model.name}"
    return f"{where}: {smallest.because}{_mended(statement, others)}"


def _mended(statement: Statement, verdicts: Verdicts) -> str:
    """Name the proved repairs of a refuted statement; "" without one."""
    return "".join(
        f"; in its place {repair.id} is {'true of every model' if repair.of_every_model else 'proved'}"
        for repair in repairs(statement, standings(verdicts))
    )


def _vacuous(verdicts: Iterable[Verdict]) -> str:
    """List the models on which statements are vacuous: the reason, then the statements."""
    groups = grouped(
        (f"{v.model.name} ({v.labelled('F* is always').removeprefix('vacuous: ')})", v.statement.id)
        for v in verdicts
        if v.vacuous
    )
    return "; ".join(f"{where}: {', '.join(ids)}" for where, ids in groups.items())


def _on(verdicts: Iterable[Verdict], where: str = "") -> str:
    """List statements with their models; statements with the same models share a clause."""
    groups = grouped((_models(group), statement.id) for statement, group in by_statement(verdicts).items())
    text = "; ".join(f"{', '.join(ids)} on {models}" for models, ids in groups.items())
    return text and where + text


def _right_up_to(verdicts: Verdicts) -> str:
    """Name one length up to which every model here has a right head; "" if that is unknown for any of them."""
    lengths = [verdict.candidate.fits.length for verdict in verdicts if verdict.candidate]
    if not lengths or len(lengths) < len(verdicts):
        return ""
    inputs = "all inputs" + " in R" * any(verdict.statement.on_r for verdict in verdicts)
    return f"; some head is right there on {inputs} of up to {min(lengths)} tokens, or more (-v: what was tried)"


# Words


def by_statement(verdicts: Iterable[Verdict]) -> dict[Statement, list[Verdict]]:
    """Group verdicts by statement, in the order in which statements first come."""
    return grouped((verdict.statement, verdict) for verdict in verdicts)


def of_one_model(verdicts: Verdicts) -> bool:
    """Tell whether all verdicts are on one model, and each statement has one verdict."""
    return len({verdict.model.name for verdict in verdicts}) == 1 and len(by_statement(verdicts)) == len(verdicts)


def _models(verdicts: Verdicts) -> str:
    names = list(dict.fromkeys(verdict.model.name for verdict in verdicts))
    rest = len(names) - MAX_NAMED_MODELS
    return ", ".join(names) if rest < 2 else f"{', '.join(names[:MAX_NAMED_MODELS])} and {rest} more"


def _violated(verdict: Verdict) -> str:
    ids = [finding.id for finding in verdict.findings if finding.holds is False]
    return f"{_listed(ids)} fail{'s' * (len(ids) == 1)}"


def _counted(words: Iterable[str]) -> str:
    counts = Counter(words)
    return ", ".join(f"{word} {counts[word]}" for word in STATUS_WORDS if counts[word])


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
