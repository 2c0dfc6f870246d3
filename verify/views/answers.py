"""What came of many verdicts, in sentences: the answer, a line a theorem or a statement, and what is notable.

All of it is counted from the verdicts that are given; what is false as written, and what holds in its place, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from constructions.rendering import Table
from verify.statement import Statement
from verify.verdicts import Verdict, decided
from verify.views.standing import Standing, grouped, repairs, sentences

NAMED = 3
"""How many models are named, where there are more."""

WORDS = ("proved", "refuted", "holds", "fails", "undecided")
"""What verdicts and conclusions are counted as, in this order."""


def answer(verdicts: Sequence[Verdict]) -> str:
    """Say what came of the theorems, and what of the other statements."""
    theorems = [verdict for verdict in verdicts if verdict.statement.head]
    return sentences(standings(verdicts), _of_one_model(theorems) if theorems and of_one_model(verdicts) else "")


def standings(verdicts: Iterable[Verdict]) -> dict[Statement, Standing]:
    """Return how the statements stand by these verdicts."""
    return {one: standing(found) for one, found in by_statement(verdicts).items()}


def standing(verdicts: Sequence[Verdict]) -> Standing:
    """Return how one statement stands by the verdicts on it."""
    on = {status: frozenset(v.model.name for v in verdicts if v.status == status) for status in WORDS}
    theorem = any(verdict.statement.of_every_model for verdict in verdicts)
    return Standing(on["refuted"], on["proved"], on["undecided"], theorem)


def _of_one_model(verdicts: Sequence[Verdict]) -> str:
    """Say of each theorem what came of it on the one model, those of which it is the same together."""
    groups = grouped((_said(verdict), verdict.statement.id) for verdict in verdicts)
    return f"{verdicts[0].model.name}: {'; '.join(f'{_listed(ids)} {said}' for said, ids in groups.items())}"


def _said(verdict: Verdict) -> str:
    vacuous = ", vacuous" if verdict.vacuous else ""
    if verdict.status != "not-applicable":
        return f"{verdict.status}{vacuous}"
    answers = {"holds": "holds all the same", "fails": "fails, too", "undecided": "is undecided"}
    return f"not applicable ({_violated(verdict)}, and the conclusion {answers[verdict.answer]}{vacuous})"


# Tables, of which one may have no rows


def theorems(verdicts: Sequence[Verdict]) -> Table:
    """A row for each theorem: on how many models its hypotheses hold, and what came of it there and elsewhere."""
    own = {one: found for one, found in by_statement(verdicts).items() if one.head}
    rows = [list(_where(found)) for found in own.values()]
    return Table("theorem", rows, [one.id for one in own], ["hypotheses hold", "there", "where they fail"])


def _where(verdicts: Sequence[Verdict]) -> Iterator[str]:
    met = [verdict for verdict in verdicts if all(one.holds for one in verdict.findings)]
    unmet = [verdict for verdict in verdicts if verdict.status == "not-applicable"]
    unknown = len(verdicts) - len(met) - len(unmet)
    yield f"on {len(met)} of {len(verdicts)}" + (f", undecided on {unknown}" if unknown else "")
    vacuous = sum(verdict.vacuous is True for verdict in met)
    yield _counted(verdict.status for verdict in met) + (f" ({vacuous} vacuous)" if vacuous else "")
    yield _counted(verdict.answer for verdict in unmet)


def statements(verdicts: Sequence[Verdict]) -> Table:
    """A row for each statement of which something is checked on one model: the verdict, and why."""
    checked = [verdict for verdict in verdicts if not verdict.statement.of_every_model]
    rows = [[verdict.status, _why(verdict)] for verdict in checked]
    return Table("statement", rows, [one.statement.id for one in checked], ["verdict", "why"])


def _why(verdict: Verdict) -> str:
    if verdict.status != "not-applicable":
        return verdict.because
    answer = "is undecided" if verdict.answer == "undecided" else verdict.answer
    return f"{_violated(verdict)}; the conclusion {answer}: {verdict.because}"


def witnesses(verdicts: Sequence[Verdict]) -> Table:
    """A row for each hypothesis on one model: whether it holds, and what shows that."""
    found = {finding.id: finding for verdict in verdicts for finding in verdict.findings}
    return decided("hypothesis", list(found.values()), verdicts[0].model)


def notable(verdicts: Sequence[Verdict], unexpected: Sequence[str] = ()) -> Table:
    """A row for each statement that is refuted, and for what is undecided, vacuous, 0/0, or not as expected."""
    left_open = [one for one in verdicts if (one.status, one.answer) == ("not-applicable", "undecided")]
    every = [(one.id, one.of_every_model) for one in by_statement(verdicts) if one.of_every_model]
    rows = [
        *((one.id, _refuted(one, found, verdicts)) for one, found in by_statement(verdicts).items()),
        ("undecided", _on(verdict for verdict in verdicts if verdict.status == "undecided")),
        ("left open", _on(left_open, "where a hypothesis fails: ")),
        ("of every model", ", ".join(f"{id} (theorem {theorem})" for id, theorem in every)),
        ("vacuous", _vacuous(verdicts)),
        ("0/0, read as 0", _models([verdict for verdict in verdicts if verdict.undefined])),
        ("not as expected", "; ".join(unexpected)),
    ]
    said = {name: text for name, text in rows if text}
    return Table("notable", [[text] for text in said.values()], list(said), [""])


def _refuted(statement: Statement, verdicts: Sequence[Verdict], others: Sequence[Verdict]) -> str:
    """Say where a statement is refuted, by which smallest inputs, and what is proved in its place."""
    found = [verdict for verdict in verdicts if verdict.status == "refuted"]
    if not found:
        return ""
    smallest = min(found, key=_size)
    several = len(verdicts) > 1
    where = f"refuted: on {_models(found)}; smallest on {smallest.model.name}" if several else "refuted"
    mended = "".join(
        f"; in its place {one.id} is {'true of every model' if one.of_every_model else 'proved'}"
        for one in repairs(statement, standings(others))
    )
    return f"{where}: {smallest.because}{mended}"


def _size(verdict: Verdict) -> tuple[int, int, int, str]:
    """Order refutations: few tokens in the inputs that refute, then small models."""
    model = verdict.model
    return sum(map(len, verdict.refuting)), len(model.states), len(model.tokens), model.name


def _vacuous(verdicts: Iterable[Verdict]) -> str:
    """Name the models on which statements are vacuous, why, and these statements."""
    found = ((one, one.labelled("F* is always").removeprefix("vacuous: ")) for one in verdicts if one.vacuous)
    groups = grouped((f"{one.model.name} ({why})", one.statement.id) for one, why in found)
    return "; ".join(f"{where}: {', '.join(ids)}" for where, ids in groups.items())


def _on(verdicts: Iterable[Verdict], where: str = "") -> str:
    """Name statements with the models, those that have the same models together."""
    groups = grouped((_models(found), one.id) for one, found in by_statement(verdicts).items())
    said = "; ".join(f"{', '.join(ids)} on {models}" for models, ids in groups.items())
    return said and where + said


# Words


def by_statement(verdicts: Iterable[Verdict]) -> dict[Statement, list[Verdict]]:
    """Put the verdicts on each statement together, in the order of their statements."""
    return grouped((verdict.statement, verdict) for verdict in verdicts)


def of_one_model(verdicts: Sequence[Verdict]) -> bool:
    """Tell whether the verdicts are on one model with one task, and so have no statement twice."""
    return len({verdict.model.name for verdict in verdicts}) == 1 and len(by_statement(verdicts)) == len(verdicts)


def _models(verdicts: Sequence[Verdict]) -> str:
    names = list(dict.fromkeys(verdict.model.name for verdict in verdicts))
    more = len(names) - NAMED
    return ", ".join(names) if more < 2 else f"{', '.join(names[:NAMED])} and {more} more"


def _violated(verdict: Verdict) -> str:
    ids = [finding.id for finding in verdict.findings if finding.holds is False]
    return f"{_listed(ids)} fail{'s' * (len(ids) == 1)}"


def _counted(words: Iterable[str]) -> str:
    counts = Counter(words)
    return ", ".join(f"{word} {counts[word]}" for word in WORDS if counts[word])


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""
