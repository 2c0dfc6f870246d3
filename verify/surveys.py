"""What a person sees of `headproof verify --family` and `headproof search` in the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.table import Table

from constructions.models import HMM
from verify import generate, tables
from verify.family import Kind, Tally
from verify.results import input_words
from verify.search import Search, undefined_inputs
from verify.small_models import Bounds


def show_family(tallies: Sequence[Tally], bounds: Mapping[Kind, Bounds], paths: Mapping[str, str]) -> None:
    """Print a row for each statement, and the first model that refutes one."""
    table = Table(box=None, pad_edge=False)
    for name in ("statement", "checked", "hypotheses met", "non-vacuous", "proved", "refuted", "undecided"):
        table.add_column(name, justify="left" if name == "statement" else "right")
    for tally in tallies:
        counts = (tally.checked, tally.applicable, tally.non_vacuous, tally.proved, tally.refuted, tally.undecided)
        table.add_row(tally.statement.id, *map(str, counts))
    tables.show(table)
    for kind, most in bounds.items():
        tables.say(f"{kind}: every model with a task up to {_bounds(most)}, and those drawn")
    for tally in tallies:
        if tally.first_refuted is not None:
            where = paths.get(tally.name) or generate.text(*tally.first_refuted)
            tables.say("")
            for line in f"{tally.statement.id} ({tally.statement.title}) is refuted, first on {where}".split("\n"):
                tables.say(line)


def show_search(search: Search, certificate: str | None) -> None:
    """Print the model that was found, or up to which bounds there is none."""
    counts = f"{search.examined} models examined ({search.candidates} meet the rest), {search.undecided} undecided"
    verdict = search.found
    if verdict is None or not isinstance(verdict.model, HMM):
        none = "none up to these bounds" if search.complete else "none found before the time was up"
        tables.say(f"{search.statement} without {search.without}: {none}, {counts}")
    else:
        model = verdict.model
        tables.say(
            f"{search.statement} without {search.without} fails: no head serves {input_words(verdict.refuting, model)}"
        )
        tables.say(f"  {model!r}")
        tables.say(f"  {verdict.task!r}")
        undefined = undefined_inputs(verdict)
        if undefined:
            tables.say(f"  0/0, read as 0: {input_words(tuple(undefined), model)}")
        tables.say(f"{'the smallest' if search.exhaustive else 'perhaps not the smallest'}: {counts}")
        tables.say(f"certificate: {certificate}")
    tables.say(f"bounds: {_bounds(search.bounds)}, inputs of length {search.length}")


def _bounds(bounds: Bounds) -> str:
    return f"{bounds.states} states, {bounds.tokens} tokens, denominator {bounds.denominator}"
